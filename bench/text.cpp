#include <span>
#include <string>

#include "assembler/assembler.hpp"
#include "benchmarks.hpp"
#include "isa/disassemble.hpp"
#include "workloads.hpp"

namespace salu::bench {
namespace {

constexpr Generation generation = Generation::gcn1_4;

/// The words of all workloads.
std::vector<u32> all_words() {
  std::vector<u32> words;
  for (const Workload& work : workloads()) {
    const Program program = assemble_program(work.assembly);
    const std::vector<u32>& more = program.code.front().words;
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

/// Calls `use` with every instruction of some words; returns their number.
template <class Use>
i64 each_instruction(std::span<const u32> words, Use use) {
  i64 count = 0;
  while (!words.empty()) {
    const isa::Instruction instruction = isa::decode(generation, words);
    use(instruction);
    words = words.subspan(instruction.dwords);
    ++count;
  }
  return count;
}

void decode(benchmark::State& state) {
  const std::vector<u32> words = all_words();
  i64 count = 0;
  for ([[maybe_unused]] const auto round : state) {
    count += each_instruction(words, [](isa::Instruction instruction) { benchmark::DoNotOptimize(instruction); });
  }
  state.SetItemsProcessed(count);
}

void disassemble(benchmark::State& state) {
  const std::vector<u32> words = all_words();
  i64 count = 0;
  for ([[maybe_unused]] const auto round : state) {
    count += each_instruction(words, [](const isa::Instruction& instruction) {
      std::string text = isa::disassemble(generation, instruction);
      benchmark::DoNotOptimize(text);
    });
  }
  state.SetItemsProcessed(count);
}

void assemble(benchmark::State& state) {
  const std::vector<u32> words = all_words();
  std::string text;
  const i64 count = each_instruction(
      words, [&](const isa::Instruction& instruction) { text += isa::disassemble(generation, instruction) + '\n'; });
  assembler::Options options;
  options.generation = generation;
  for ([[maybe_unused]] const auto round : state) {
    const assembler::Assembly assembly = assembler::assemble(text, options);
    if (assembly.words != words) return fail(state, "the disassembly does not assemble to the original words");
  }
  state.SetItemsProcessed(state.iterations() * count);
}

}  // namespace

void register_text() {
  benchmark::RegisterBenchmark("decode", decode);
  benchmark::RegisterBenchmark("disassemble", disassemble);
  benchmark::RegisterBenchmark("assemble", assemble);
}

}  // namespace salu::bench
