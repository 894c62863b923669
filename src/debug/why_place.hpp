#pragma once

#include <salu/error.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/session.hpp"
#include "observe/why/why.hpp"

namespace salu::debug {

/// The place of a `why` question: `exec[7]@145`.
struct WhyPlace {
  std::string text;         ///< without the step
  std::optional<u64> step;  ///< the value after this step; nothing: at the current position
};

/// Splits the step from a place.
Result<WhyPlace> read_why_place(std::string_view text);

/// The bits of a register, a field, lanes or memory (at its current address): `s4`, `s4[7:0]`, `exec[7]`, `csp`,
/// `v3[7]`, `v3`, `[0x10000]`.
Result<std::vector<observe::Bits>> find_why_bits(const Session& session, std::string_view place);
/// The bits of a place after its step, which the run must have reached. Also fails if the move there was interrupted.
Result<std::vector<observe::Bits>> find_why_bits(Session& session, const WhyPlace& place);

}  // namespace salu::debug
