#pragma once

#include <map>
#include <string>
#include <vector>

#include "semantics/placements.hpp"

/// The vectors in tests/data/vectors: what each instruction comes to, written down by hand.
namespace salu::test {

/// One line of sop1.txt, sop2.txt, sopc.txt or sopk.txt as a case for each generation and each SCC that it stands for.
struct AluVector {
  std::string where;  ///< `sop2.txt:12`
  std::vector<AluCase> cases;
};
std::vector<AluVector> read_alu_vectors(const std::string& file);

/// One line of state.txt.
struct StateVector {
  std::string where;
  std::string mnemonic;
  std::vector<Generation> generations;
  std::map<std::string, std::string> fields;  ///< of the encoding
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::pair<std::string, std::string>> then;
  std::string stop;      ///< reason; `step_limit` where the line says nothing
  std::string warnings;  ///< names in order
};
std::vector<StateVector> read_state_vectors(const std::string& file);

/// Every vector file: four for read_alu_vectors, then one for read_state_vectors.
inline const std::vector<std::string> alu_vector_files = {"sop1.txt", "sop2.txt", "sopc.txt", "sopk.txt"};
inline const std::string state_vector_file = "state.txt";

/// The generations that have the instruction, of those that a cell names: `all`, `gcn1.2+`, `-cdna2`, `gcn1.4`,
/// `gcn1.0,gcn1.1`.
std::vector<Generation> parse_generations(const std::string& cell, const std::string& mnemonic);

/// `-16`, `0x10`, `1.0` (single), `1.0d` (double). Throws what is wrong.
u64 parse_value(const std::string& text);

}  // namespace salu::test
