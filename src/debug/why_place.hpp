#pragma once

#include <salu/error.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/session.hpp"
#include "observe/why/why.hpp"

namespace salu::debug {

/// What is asked about: `exec[7]@145`.
struct WhyPlace {
  std::string text;         ///< without the step
  std::optional<u64> step;  ///< behind which instruction; none: where the run is
};

/// Takes the step off a place.
Result<WhyPlace> read_why_place(std::string_view text);

/// The bits of a register, of a field, of lanes or of memory (at the address that it has where the session is):
/// `s4`, `s4[7:0]`, `exec[7]`, `csp`, `v3[7]`, `v3`, `[0x10000]`.
Result<std::vector<observe::Bits>> find_why_bits(const Session& session, std::string_view place);
/// The same behind the step of a place, to which the run has come. An error as well when the way there was interrupted.
Result<std::vector<observe::Bits>> find_why_bits(Session& session, const WhyPlace& place);

}  // namespace salu::debug
