#include "conformance/assembled.hpp"

#include "assembler/assembler.hpp"

namespace salu::conformance {

std::optional<Words> assemble_line(Generation generation, const std::string& line) {
  assembler::Options options;
  options.generation = generation;
  const assembler::Assembly assembly = assembler::assemble(line, options);
  if (!assembly.errors.empty() || assembly.words.empty() || assembly.words.size() > 2) return std::nullopt;
  Words words;
  for (const u32 word : assembly.words) words.words[words.count++] = word;
  return words;
}

bool same(const Words& a, const Words& b) { return a.count == b.count && a.words == b.words; }

bool same(const std::optional<Words>& a, const std::optional<Words>& b) { return a && b && same(*a, *b); }

std::string show(const std::optional<Words>& words) { return words ? to_text(*words) : "an error"; }

}  // namespace salu::conformance
