#include "conformance/llvm.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

namespace salu::conformance {
namespace {

/// Stands after each input in the disassembler's text, so that what belongs to which input is always known. No input
/// under test has this first word: it names hardware register 63.
constexpr u32 sentinel_word = 0xba00ffbf;
/// The literal counts the inputs, above the values that print as inline constants.
constexpr u32 first_sentinel_literal = 0x41000000;
const std::string sentinel_text = "s_setreg_imm32_b32 hwreg(63, 30, 32), ";

std::string hexadecimal(u32 value, int digits = 1) {
  std::array<char, 16> text{};
  const int length = std::snprintf(text.data(), text.size(), "0x%0*x", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// In brackets, which keep LLVM from reading on into the next line.
std::string hex_bytes(std::span<const u32> words) {
  std::string line = "[";
  for (const u32 word : words) {
    for (int shift = 0; shift < 32; shift += 8) line += hexadecimal(word >> shift & 0xff, 2) + " ";
  }
  return line + "]\n";
}

/// Input lines (counted from 0) that the tool complained about.
std::set<std::size_t> complaints(const std::string& err) {
  std::set<std::size_t> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view prefix = "<stdin>:";
    if (!line.starts_with(prefix)) continue;
    std::size_t number = 0;
    std::from_chars(line.data() + prefix.size(), line.data() + line.size(), number);
    lines.insert(number - 1);
  }
  return lines;
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string quoted(const std::string& argument) { return "'" + argument + "'"; }

}  // namespace

std::string test_name(const std::string& processor, Generation generation) {
  if (find_target(processor)->generation == generation) return processor;
  return processor + "_as_" + std::string(generation_name(generation));
}

std::string_view main_processor(Generation generation) {
  // LLVM 19 does not know gfx950, whose scalar instructions are those of gfx942.
  constexpr auto processors =
      std::to_array<std::string_view>({"gfx600", "gfx700", "gfx810", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx942"});
  static_assert(processors.size() == generation_count);
  return processors[static_cast<std::size_t>(generation)];
}

std::string to_text(const Words& words) {
  std::string text;
  for (const u32 word : words.span()) text += (text.empty() ? "" : " ") + hexadecimal(word, 8);
  return text;
}

CommandOutput run_command(const std::vector<std::string>& arguments, std::string_view input) {
  static int counter = 0;
  const std::filesystem::path directory = std::filesystem::temp_directory_path();
  const std::string stem = "salu_conformance_" + std::to_string(::getpid()) + "_" + std::to_string(counter++);
  const auto in = directory / (stem + ".in");
  const auto out = directory / (stem + ".out");
  const auto err = directory / (stem + ".err");
  {
    std::ofstream stream(in, std::ios::binary);
    stream << input;
    if (!stream) throw std::runtime_error("cannot write " + in.string());
  }
  std::string command;
  for (const std::string& argument : arguments) command += quoted(argument) + " ";
  command += "<" + quoted(in.string()) + " >" + quoted(out.string()) + " 2>" + quoted(err.string());
  CommandOutput result;
  result.status = std::system(command.c_str());
  result.out = read_file(out);
  result.err = read_file(err);
  for (const auto& path : {in, out, err}) std::filesystem::remove(path);
  return result;
}

std::vector<std::optional<std::string>> llvm_disassemble(std::string_view processor, std::span<const Words> inputs) {
  std::string text;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    text += hex_bytes(inputs[i].span());
    text += hex_bytes(std::array{sentinel_word, first_sentinel_literal + static_cast<u32>(i)});
  }
  const CommandOutput output =
      run_command({SALU_LLVM_MC, "-triple=amdgcn", "-mcpu=" + std::string(processor), "-disassemble"}, text);
  const std::set<std::size_t> rejected = complaints(output.err);

  std::vector<std::optional<std::string>> result(inputs.size());
  std::istringstream stream(output.out);
  std::size_t index = 0;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    line = trimmed(line);
    if (line.empty() || line == ".text") continue;
    if (line != sentinel_text + hexadecimal(first_sentinel_literal + static_cast<u32>(index))) {
      lines.push_back(line);
      continue;
    }
    const bool valid =
        lines.size() == 1 && !rejected.contains(index * 2) && lines.front().find("/*Invalid") == std::string::npos;
    if (valid) result[index] = lines.front();
    lines.clear();
    ++index;
  }
  if (index != inputs.size()) {
    const std::string after = index < inputs.size() ? to_text(inputs[index]) : "the last input";
    throw std::runtime_error("lost the thread in the disassembler's text at " + after + ": " +
                             (lines.empty() ? output.err.substr(0, 300) : lines.front()));
  }
  return result;
}

std::vector<std::optional<Words>> llvm_assemble(std::string_view processor, std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const CommandOutput output =
      run_command({SALU_LLVM_MC, "-triple=amdgcn", "-mcpu=" + std::string(processor), "-show-encoding"}, text);
  const std::set<std::size_t> rejected = complaints(output.err);

  std::vector<std::optional<Words>> result(lines.size());
  std::istringstream stream(output.out);
  std::size_t index = 0;
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view marker = "encoding: [";
    const std::size_t start = line.find(marker);
    if (start == std::string::npos) continue;
    while (rejected.contains(index)) ++index;
    Words words;
    std::size_t count = 0;
    const std::string bytes = line.substr(start + marker.size());
    for (std::size_t at = 0; at + 4 <= bytes.size() && bytes.substr(at, 2) == "0x" && count < 8; at += 5, ++count) {
      words.words[count / 4] |= static_cast<u32>(std::stoul(bytes.substr(at, 4), nullptr, 16)) << (count % 4 * 8);
    }
    words.count = static_cast<u8>(count / 4);
    if (index >= lines.size()) throw std::runtime_error("more encodings than lines");
    result[index++] = words;
  }
  while (rejected.contains(index)) ++index;
  if (index != lines.size())
    throw std::runtime_error("lost the thread in the assembler's text: " + output.err.substr(0, 500));
  return result;
}

}  // namespace salu::conformance
