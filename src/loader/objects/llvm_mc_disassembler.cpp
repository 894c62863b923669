#include "loader/objects/llvm_mc_disassembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "support/process.hpp"

namespace salu::loader {
namespace {

/// After this many failed runs the program is not used any more: each run takes tens of milliseconds.
constexpr u32 most_llvm_mc_failures = 64;

/// Formats the bytes of each instruction in brackets, so that LLVM does not read them as one stream.
std::string input_of(std::span<const std::vector<u32>> instructions) {
  std::string text;
  for (const std::vector<u32>& words : instructions) {
    text += '[';
    for (std::size_t i = 0; i < words.size() * 4; ++i)
      text += fmt::format("{}0x{:02x}", i == 0 ? "" : ",", words[i / 4] >> (8 * (i % 4)) & 0xff);
    text += "]\n";
  }
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

LlvmMcDisassembler::LlvmMcDisassembler(std::string program, std::string processor)
    : program_(std::move(program)), processor_(std::move(processor)) {}

void LlvmMcDisassembler::add(const std::vector<std::vector<u32>>& instructions) {
  std::vector<std::vector<u32>> missing;
  std::ranges::copy_if(instructions, std::back_inserter(missing),
                       [&](const std::vector<u32>& words) { return !texts_.contains(words); });
  std::ranges::sort(missing);
  const auto repeated = std::ranges::unique(missing);
  missing.erase(repeated.begin(), repeated.end());
  disassemble(missing);
}

const std::string& LlvmMcDisassembler::text_of(std::span<const u32> words) {
  const std::vector<u32> key(words.begin(), words.end());
  if (!texts_.contains(key)) add({key});
  return texts_[key];
}

/// A run is valid only if it prints one line for every instruction. After a crash, or if an instruction is invalid,
/// each half is disassembled in a separate run.
void LlvmMcDisassembler::disassemble(Instructions instructions) {
  if (instructions.empty() || failures_ >= most_llvm_mc_failures) return;
  support::ProcessLimits limits;
  limits.memory_bytes = std::size_t{3072} << 20;
  const support::ProcessResult result = support::run_process(
      {program_, "-disassemble", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + processor_}, input_of(instructions), limits);
  std::vector<std::string_view> lines;
  if (result.end == support::ProcessResult::End::exited) lines = lines_of(result.output);
  if (lines.size() == instructions.size()) {
    for (std::size_t i = 0; i < lines.size(); ++i) texts_[instructions[i]] = lines[i];
    return;
  }
  if (instructions.size() == 1) return;
  ++failures_;
  const std::size_t half = instructions.size() / 2;
  disassemble(instructions.first(half));
  disassemble(instructions.subspan(half));
}

}  // namespace salu::loader
