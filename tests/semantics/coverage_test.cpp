#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "isa/instruction.hpp"
#include "semantics/vector_files.hpp"

// Nothing may be left out: a new row in the tables without a vector fails here, and so does a semantic function without
// a compile-time test.
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

bool is_memory(isa::Format format) { return format == isa::Format::smrd || format == isa::Format::smem; }

TEST(Coverage, EveryRowOfTheTablesHasAVectorOnEveryGeneration) {
  std::size_t rows = 0;
  for (const isa::InstructionInfo& info : isa::all_instructions()) {
    if (is_memory(info.format)) continue;
    for (const Generation generation : all_generations()) {
      if (info.opcode(generation) == isa::absent) continue;
      ++rows;
      EXPECT_TRUE(covered().contains({std::string(info.mnemonic), generation}))
          << "tests/data/vectors has nothing on " << info.mnemonic << " of " << generation_name(generation);
    }
  }
  EXPECT_EQ(rows, covered().size());
}

TEST(Coverage, EveryOpcodeOfTheDocumentsHasAVector) {
  for (const OpcodeRow& row : opcode_rows()) {
    if (row.is_memory()) continue;
    for (const Generation generation : all_generations()) {
      if (!row.exists_on(generation)) continue;
      EXPECT_TRUE(covered().contains({row.mnemonic, generation}))
          << "tests/data/vectors has nothing on " << row.mnemonic << " of " << generation_name(generation);
    }
  }
}

TEST(Coverage, EverySemanticFunctionHasACompileTimeTest) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(SALU_SOURCE_DIR "/tests/semantics/compile_time")) {
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  ASSERT_FALSE(text.empty());
  const std::set<std::string> names = {
#define SALU_INSN(format, name, mnemonic, opcodes, shape, effects) #name,
#include "isa/instructions/sop.def"
#undef SALU_INSN
  };
  for (const std::string& name : names) {
    // Called, or handed as a function to one that calls it.
    const bool named = text.find(name + "(") != std::string::npos || text.find("(" + name + ",") != std::string::npos;
    EXPECT_TRUE(named) << "tests/semantics/compile_time says nothing of " << name;
  }
}

/// Words of a scalar memory instruction with data in s[16:31], base or descriptor in s[4:7], immediate offset 4.
std::vector<u32> memory_words(const OpcodeRow& row, Generation generation) {
  const auto opcode = static_cast<u32>(row.opcode(generation));
  if (row.format == "SMRD") return {0xc0000000 | opcode << 22 | 16U << 15 | 2U << 9 | 1U << 8 | 1U};
  return {0xc0000000 | opcode << 18 | 1U << 17 | 16U << 6 | 2U, 4};
}

TEST(Coverage, ScalarMemoryStopsAsUnsupported) {
  for (const OpcodeRow& row : opcode_rows()) {
    if (!row.is_memory()) continue;
    for (const Generation generation : all_generations()) {
      if (!row.exists_on(generation)) continue;
      SCOPED_TRACE(row.mnemonic + " on " + std::string(generation_name(generation)));
      Code code(generation);
      for (const u32 word : memory_words(row, generation)) code.word(word);
      code.end();
      WaveState initial = noisy_state(generation);
      initial.pc = code.base();
      const Outcome outcome = run_code(code, initial);
      EXPECT_EQ(outcome.stop.reason, StopReason::unsupported_instruction);
      EXPECT_EQ(outcome.stop.pc, code.base());
      EXPECT_EQ(outcome.steps, 1U);
      EXPECT_TRUE(outcome.warnings.empty());
      EXPECT_EQ(difference(initial, outcome.state), "");
    }
  }
}

}  // namespace
}  // namespace salu::test
