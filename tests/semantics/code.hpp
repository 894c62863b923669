#pragma once

#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/opcodes.hpp"

/// Programs as words, encoded with the opcode table of the tests.
namespace salu::test {

/// A source or destination field, with its literal dword if it has one.
struct Operand {
  u32 code = 0;
  std::optional<u32> literal{};
};

inline Operand s(u32 number) { return {number}; }
/// An inline constant, -16 to 64.
inline Operand number(int value) { return {static_cast<u32>(value >= 0 ? 128 + value : 192 - value)}; }
inline Operand literal(u32 value) { return {255, value}; }
inline Operand ttmp(Generation generation, u32 number) { return {(is_gfx9(generation) ? 108U : 112U) + number}; }
inline constexpr Operand flat_scratch{102};  // from GCN 1.2 on
inline constexpr Operand vcc{106};
inline constexpr Operand vcc_hi{107};
inline constexpr Operand tba{108};  // GCN 1.0 to 1.2
inline constexpr Operand tma{110};  // GCN 1.0 to 1.2
inline constexpr Operand m0{124};
inline constexpr Operand exec{126};
inline constexpr Operand exec_hi{127};
inline constexpr Operand src_scc{253};

/// SIMM16 of S_GETREG and S_SETREG.
constexpr u32 hwreg(u32 id, u32 offset = 0, u32 size = 32) { return id | offset << 6 | (size - 1) << 11; }

/// The fields of SMRD and SMEM as they are encoded (semantics.md 9.1, 9.2). Missing fields are encoded as zero.
struct MemoryFields {
  Operand sdata{};
  Operand sbase{};                           ///< the register itself; the encoding holds half its number
  std::optional<i64> offset{};               ///< IMM = 1: dwords in SMRD, bytes in SMEM
  std::optional<Operand> offset_register{};  ///< IMM = 0: the register in OFFSET
  std::optional<Operand> soffset{};          ///< SOE = 1: the register in SOFFSET (GFX9)
  std::optional<u32> literal{};              ///< IMM = 0, OFFSET = 255: the following dword (GCN 1.1)
  bool glc = false;
};

/// Instruction words at an address, in sequence.
class Code {
 public:
  explicit Code(Generation generation, u64 base = 0x1000) : generation_(generation), base_(base) {}

  Code& sop2(std::string_view mnemonic, Operand sdst, Operand ssrc0, Operand ssrc1);
  Code& sop1(std::string_view mnemonic, Operand sdst, Operand ssrc0);
  Code& sopc(std::string_view mnemonic, Operand ssrc0, Operand ssrc1);
  /// `simm16` may be signed; `second` is the mandatory dword of S_SETREG_IMM32_B32.
  Code& sopk(std::string_view mnemonic, Operand sdst, i64 simm16, std::optional<u32> second = {});
  Code& sopp(std::string_view mnemonic, i64 simm16 = 0);
  /// SMRD or SMEM, depending on the generation.
  Code& memory(std::string_view mnemonic, const MemoryFields& fields);
  Code& word(u32 value);
  Code& nops(u32 count);
  Code& end() { return sopp("s_endpgm"); }

  [[nodiscard]] Generation generation() const { return generation_; }
  [[nodiscard]] u64 base() const { return base_; }
  /// Address of the next word.
  [[nodiscard]] u64 here() const { return base_ + 4 * words_.size(); }
  [[nodiscard]] const std::vector<u32>& words() const { return words_; }
  /// Sets SIMM16 of the branch at `address` to the distance to `target`.
  void aim(u64 address, u64 target);

  [[nodiscard]] CodeBlock block() const { return {base_, words_}; }

 private:
  Code& add(u32 word, std::optional<u32> second);

  Generation generation_;
  u64 base_;
  std::vector<u32> words_;
};

/// The default target of a generation.
const Target& target_of(Generation generation);

/// Truncates an address to the address space of the generation: 40 bits, 48 on GFX9.
constexpr u64 cut_address(Generation generation, u64 address) {
  return address % (u64{1} << (is_gfx9(generation) ? 48 : 40));
}

/// A program of one or more pieces of code; it starts at the first.
Program program_of(const std::vector<const Code*>& pieces);

/// Runs code from its first word; sets the PC, the rest of the state is the caller's.
Outcome run_code(const Code& code, WaveState state, const RunOptions& options = {});
Outcome run_code(const std::vector<const Code*>& pieces, WaveState state, const RunOptions& options = {});

/// The differences between two states, one per line; empty if they are equal.
std::string difference(const WaveState& expected, const WaveState& actual);

/// Names of the warnings, in order: `dropped_write register_out_of_range`.
std::string warning_names(const Outcome& outcome);

/// The generations from `first` to `last`.
std::vector<Generation> generations(Generation first = Generation::gcn1_0, Generation last = all_generations().back());

}  // namespace salu::test
