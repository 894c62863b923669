#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// An independent model of every instruction that only computes: written from semantics.md and the seed documents with
/// unbounded integers and loops over single bits. It shares no code with src/isa/semantics.
namespace salu::test {

struct AluInputs {
  u64 s0 = 0;   ///< SSRC0; only the low half for a 32-bit operand
  u64 s1 = 0;   ///< SSRC1; for SOPK instructions SIMM16 as encoded
  u64 old = 0;  ///< SDST before the instruction
  bool scc = false;
  u64 exec = 0;
};

struct AluResult {
  std::optional<u64> d;      ///< written to SDST; nothing if it keeps its value
  std::optional<bool> scc;   ///< nothing: unchanged
  std::optional<u64> exec;   ///< nothing: unchanged
  bool unspecified = false;  ///< the manuals do not define a result: a warning is expected
};

using AluModel = std::function<AluResult(const AluInputs&)>;

/// The model of a mnemonic; null for an instruction that does more than compute. Depends on the generation only for
/// erratum E7.
const AluModel* find_alu_model(Generation generation, std::string_view mnemonic);

/// True if a literal for a 64-bit SSRC0 is sign-extended (semantics.md 1.1).
bool sign_extends_literal(std::string_view mnemonic);

/// True if the old value of SDST matters.
bool reads_destination(std::string_view mnemonic);

}  // namespace salu::test
