#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "isa/instruction.hpp"
#include "semantics/memory_vectors.hpp"
#include "semantics/reference_alu.hpp"

// Fails for a new row of the tables without a model or a vector.
namespace salu::test {
namespace {

using Covered = std::set<std::pair<std::string, Generation>>;

const Covered& covered() {
  static const Covered all = [] {
    Covered result;
    for (const std::string& file : alu_vector_files) {
      for (const AluVector& vector : read_alu_vectors(file)) {
        for (const AluCase& each : vector.cases) result.emplace(each.mnemonic, each.generation);
      }
    }
    for (const StateVector& vector : read_state_vectors(state_vector_file)) {
      for (const Generation generation : vector.generations) result.emplace(vector.mnemonic, generation);
    }
    return result;
  }();
  return all;
}

using CoveredMemory = std::set<std::tuple<std::string, Generation, MemoryMode>>;

const CoveredMemory& covered_memory() {
  static const CoveredMemory all = [] {
    CoveredMemory result;
    for (const StateVector& vector : read_state_vectors(memory_vector_file)) {
      for (const Generation generation : vector.generations) {
        for (const MemoryCase& each : memory_cases(vector, generation, false)) {
          if (vector.stop == "step_limit") result.emplace(vector.mnemonic, generation, each.mode);
        }
      }
    }
    return result;
  }();
  return all;
}

bool is_memory(isa::Format format) { return format == isa::Format::smrd || format == isa::Format::smem; }

TEST(Coverage, EveryRowOfTheTablesHasAModelOrAVectorOnEveryGeneration) {
  std::size_t vectors = 0;
  for (const isa::InstructionInfo& info : isa::all_instructions()) {
    if (is_memory(info.format)) continue;
    const std::string mnemonic(info.mnemonic);
    for (const Generation generation : all_generations()) {
      if (info.opcode(generation) == isa::absent) continue;
      const bool has_vector = covered().contains({mnemonic, generation});
      vectors += has_vector ? 1 : 0;
      EXPECT_TRUE(has_vector || find_alu_model(generation, mnemonic) != nullptr)
          << "neither tests/data/vectors nor a model in tests/semantics/reference_alu.cpp has " << mnemonic << " of "
          << generation_name(generation);
    }
  }
  EXPECT_EQ(vectors, covered().size()) << "a vector of an instruction that does not exist";
}

TEST(Coverage, EveryOpcodeOfTheDocumentsHasAModelOrAVector) {
  for (const OpcodeRow& row : opcode_rows()) {
    if (row.is_memory()) continue;
    for (const Generation generation : all_generations()) {
      if (!row.exists_on(generation)) continue;
      EXPECT_TRUE(covered().contains({row.mnemonic, generation}) || find_alu_model(generation, row.mnemonic) != nullptr)
          << "neither tests/data/vectors nor tests/semantics/reference_alu.cpp has " << row.mnemonic << " of "
          << generation_name(generation);
    }
  }
}

TEST(Coverage, EveryAtomicOperationHasACompileTimeTest) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(SALU_SOURCE_DIR "/tests/semantics/compile_time")) {
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  ASSERT_FALSE(text.empty());
  const std::set<std::string> operations = {
#define SALU_INSN(format, name, ...)
#define SALU_MEMORY_INSN(format, name, mnemonic, opcodes, operation, ...) #operation,
#include "isa/instructions/memory.def"
#undef SALU_INSN
  };
  for (const std::string& operation : operations) {
    if (!operation.starts_with("atomic_")) continue;
    for (const char* width : {"<u32>(", "<u64>("}) {
      EXPECT_NE(text.find(operation + width), std::string::npos)
          << "tests/semantics/compile_time does not test " << operation << width << ")";
    }
  }
}

TEST(Coverage, EveryRowOfScalarMemoryHasAVectorOnEveryGenerationInEveryMode) {
  std::size_t combinations = 0;
  for (const OpcodeRow& row : opcode_rows()) {
    if (!row.is_memory()) continue;
    for (const Generation generation : all_generations()) {
      if (!row.exists_on(generation)) continue;
      for (const MemoryMode& mode : memory_modes(generation, row)) {
        ++combinations;
        EXPECT_TRUE(covered_memory().contains({row.mnemonic, generation, mode}))
            << "tests/data/vectors/memory.txt has nothing on " << row.mnemonic << " of " << generation_name(generation)
            << " with the address in mode " << mode;
      }
    }
  }
  EXPECT_EQ(combinations, covered_memory().size());
  // The tables under test have the same rows.
  for (const isa::InstructionInfo& info : isa::all_instructions()) {
    if (!is_memory(info.format)) continue;
    for (const Generation generation : all_generations()) {
      const OpcodeRow* const row = find_opcode_row(generation, info.mnemonic);
      if (info.opcode(generation) == isa::absent) continue;
      ASSERT_NE(row, nullptr) << info.mnemonic << " of " << generation_name(generation);
      EXPECT_EQ(row->opcode(generation), info.opcode(generation)) << info.mnemonic;
    }
  }
}

}  // namespace
}  // namespace salu::test
