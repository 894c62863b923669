#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The opcode numbers with which these tests encode: tests/data/isa/opcodes.tsv, not the tables under test.
namespace salu::test {

struct OpcodeRow {
  std::string format;  ///< `SOP2`, `SMEM`, ...
  std::string mnemonic;
  std::array<int, generation_count> opcodes{};  ///< -1 if the generation does not have the instruction
  u32 dst_dwords = 0;
  u32 src0_dwords = 0;
  u32 src1_dwords = 0;

  [[nodiscard]] int opcode(Generation generation) const { return opcodes[static_cast<std::size_t>(generation)]; }
  [[nodiscard]] bool exists_on(Generation generation) const { return opcode(generation) >= 0; }
  [[nodiscard]] bool is_memory() const { return format == "SMRD" || format == "SMEM"; }
};

std::span<const OpcodeRow> opcode_rows();

/// The row of a mnemonic on a generation; null if it does not exist. (Scalar memory has one row each for SMRD and
/// SMEM.)
const OpcodeRow* find_opcode_row(Generation generation, std::string_view mnemonic);

/// The same; throws if it does not exist.
const OpcodeRow& opcode_row(Generation generation, std::string_view mnemonic);

/// The cells of a line, split at `separator`; at runs of blanks if `separator` is ' '.
std::vector<std::string> split(std::string_view text, char separator);

/// The lines of a file below tests/data. Throws if the file cannot be read.
std::vector<std::string> read_data_lines(const std::string& path);

}  // namespace salu::test
