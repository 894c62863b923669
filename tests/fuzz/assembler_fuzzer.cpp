#include "assembler/assembler.hpp"

#include <algorithm>

#include "fuzz/fuzzing.hpp"
#include "fuzz/vector_text.hpp"
#include "isa/disassemble.hpp"

/// Input: a generation, then text. The assembler either reports errors with their places, or produces valid
/// instructions whose own text assembles to the same words.
namespace salu::fuzzing {
namespace {

void check_place(const SourcePlace& where, u32 line_count, const std::string& detail) {
  require(where.line >= 1 && where.line <= line_count && where.column >= 1, "a message is about a place in the text",
          detail);
}

void check_instructions(const assembler::Assembly& assembly, const assembler::Options& options) {
  assembler::Options own;
  own.generation = options.generation;
  u64 last_end = options.base;
  for (const LineEntry& entry : assembly.lines) {
    require(entry.address >= last_end && (entry.address - options.base) / 4 < assembly.words.size(),
            "lines are in the order of their addresses");
    const auto words = std::span(assembly.words).subspan((entry.address - options.base) / 4);
    const isa::Instruction instruction = isa::decode(options.generation, words);
    const std::string text = isa::disassemble(options.generation, instruction);
    const std::string detail = hex_words(words.first(std::min<std::size_t>(words.size(), 2))) + ": " + text;
    require(!text.starts_with('<'), "only valid instructions are assembled", detail);
    last_end = entry.address + instruction.dwords * u64{4};

    const auto vector = instruction.encoding == isa::EncodingClass::vector
                            ? isa::vector::decode(options.generation, words.first(instruction.dwords))
                            : std::nullopt;
    if (vector && has_half_constant(options.generation, *vector)) continue;
    const assembler::Assembly again = assembler::assemble(text, own);
    require(again.errors.empty(), "its own text assembles", detail);
    const isa::Instruction second = isa::decode(options.generation, again.words);
    require(isa::disassemble(options.generation, second) == text, "its own text comes back",
            detail + "\nfrom " + hex_words(again.words));
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  fuzzing::Bytes input(data, size);
  assembler::Options options;
  options.generation = input.take_generation();
  options.base = 0x1000;
  options.most_words = 1 << 16;
  const std::string_view text = input.take_text();
  const assembler::Assembly assembly = assembler::assemble(text, options);

  const auto line_count = static_cast<u32>(1 + std::count(text.begin(), text.end(), '\n'));
  for (const Error& error : assembly.errors) {
    fuzzing::require(error.code == ErrorCode::assembly && !error.message.empty(), "an error has a message");
    fuzzing::check_place(error.where, line_count, error.to_string());
  }
  for (const Remark& remark : assembly.remarks) fuzzing::check_place(remark.where, line_count, remark.to_string());
  fuzzing::require(assembly.words.size() <= options.most_words, "the limit of words holds");
  fuzzing::require(std::ranges::is_sorted(assembly.labels, {}, &Symbol::address), "labels are sorted by address");
  if (assembly.errors.empty()) fuzzing::check_instructions(assembly, options);
  return 0;
}
