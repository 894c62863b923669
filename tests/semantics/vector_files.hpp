#pragma once

#include <map>
#include <string>
#include <vector>

#include "semantics/placements.hpp"

/// The vectors in tests/data/vectors: the expected results of each instruction, written by hand.
namespace salu::test {

/// One line of sop1.txt, sop2.txt, sopc.txt or sopk.txt as a case for each of its generations and values of SCC.
struct AluVector {
  std::string where;  ///< `sop2.txt:12`
  std::vector<AluCase> cases;
};
std::vector<AluVector> read_alu_vectors(const std::string& file);

/// One line of state.txt or memory.txt.
struct StateVector {
  std::string where;
  std::string mnemonic;
  std::vector<Generation> generations;
  std::map<std::string, std::string> fields;  ///< of the encoding
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::pair<std::string, std::string>> then;
  std::string stop;      ///< the reason; `step_limit` by default
  std::string warnings;  ///< names in order
};
std::vector<StateVector> read_state_vectors(const std::string& file);

/// Every vector file: four for read_alu_vectors, then two for read_state_vectors.
inline const std::vector<std::string> alu_vector_files = {"sop1.txt", "sop2.txt", "sopc.txt", "sopk.txt"};
inline const std::string state_vector_file = "state.txt";
inline const std::string memory_vector_file = "memory.txt";

/// The address of a state vector's instruction, `here` in its cells.
inline constexpr u64 here = 0x10000;

/// `here`, `here+0x40`, or a value for parse_value.
u64 value_of(const std::string& text);

/// Sets a register, or `sgprs`; a list of values sets consecutive dwords.
void assign(WaveState& state, Generation generation, const std::string& name, const std::string& values);

/// The operand code of `s4`, `s[4:5]`, `ttmp2`, `vcc`, `m0`, `#255`, `literal`, or a constant.
u32 operand_code(Generation generation, const std::string& text);

/// The generations that have the instruction, among those in a cell: `all`, `gcn1.2+`, `-cdna2`, `gcn1.4`,
/// `gcn1.0,gcn1.1`.
std::vector<Generation> parse_generations(const std::string& cell, const std::string& mnemonic);

/// `-16`, `0x10`, `1.0` (single), `1.0d` (double). Throws a message for invalid text.
u64 parse_value(const std::string& text);

}  // namespace salu::test
