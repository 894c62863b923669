#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The opcode numbers that these tests encode with: tests/data/isa/opcodes.tsv, not the tables that are under test.
namespace salu::test {

struct OpcodeRow {
  std::string format;  ///< `SOP2`, `SMEM`, ...
  std::string mnemonic;
  std::array<int, generation_count> opcodes{};  ///< -1 where the generation lacks it
  u32 dst_dwords = 0;
  u32 src0_dwords = 0;
  u32 src1_dwords = 0;

  [[nodiscard]] int opcode(Generation generation) const { return opcodes[static_cast<std::size_t>(generation)]; }
  [[nodiscard]] bool exists_on(Generation generation) const { return opcode(generation) >= 0; }
  [[nodiscard]] bool is_memory() const { return format == "SMRD" || format == "SMEM"; }
};

std::span<const OpcodeRow> opcode_rows();

/// The row of a mnemonic on a generation; null when it has none. (Scalar memory has one row each for SMRD and SMEM.)
const OpcodeRow* find_opcode_row(Generation generation, std::string_view mnemonic);

/// The same; throws when there is none.
const OpcodeRow& opcode_row(Generation generation, std::string_view mnemonic);

/// Cells of one line of a file, split at `separator`; at runs of blanks when `separator` is ' '.
std::vector<std::string> split(std::string_view text, char separator);

/// Lines of a file below tests/data. Throws when it cannot be read.
std::vector<std::string> read_data_lines(const std::string& path);

}  // namespace salu::test
