#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asm/assembler.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "isa/decode.hpp"
#include "loader/objects/program_builder.hpp"
#include "loader/text_file.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct AsmArguments {
  std::string file;
  std::string mcpu;
  std::optional<std::string> output;
  bool binary = false;
};

/// Hexadecimal words, one instruction a line.
std::string as_words(const assembler::Assembly& assembly, Generation generation) {
  std::string text;
  auto line = assembly.lines.begin();
  std::span<const u32> left = assembly.words;
  for (u64 address = loader::default_base; !left.empty();) {
    while (line != assembly.lines.end() && line->address < address) ++line;
    // Data has no entry of its own: a word a line.
    const bool is_instruction = line != assembly.lines.end() && line->address == address;
    const std::size_t count = is_instruction ? isa::decode(generation, left).dwords : 1;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}0x{:08x}", i == 0 ? "" : " ", left[i]);
    text += '\n';
    left = left.subspan(count);
    address += count * 4;
  }
  return text;
}

std::string as_bytes(const assembler::Assembly& assembly) {
  std::string bytes;
  bytes.reserve(assembly.words.size() * 4);
  for (const u32 word : assembly.words) {
    for (u32 shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  }
  return bytes;
}

int assemble(const AsmArguments& options) {
  const std::string problem = target_problem(options.mcpu);
  if (!problem.empty()) {
    spdlog::error("error: --mcpu: {}", problem);
    return exit_code::usage;
  }
  const std::vector<Output> outputs = {{"--output", options.output}};
  if (const std::string wrong = output_problem(outputs, {options.file}); !wrong.empty()) {
    spdlog::error("error: {}", wrong);
    return exit_code::usage;
  }
  const Result<std::string> text = loader::load_text_file(options.file);
  if (!text) {
    spdlog::error("{}", text.error().to_string());
    return exit_code::bad_input;
  }
  assembler::Options assembler_options;
  assembler_options.generation = find_target(options.mcpu)->generation;
  assembler_options.file = loader::display_name(options.file);
  assembler_options.base = loader::default_base;
  const assembler::Assembly assembly = assembler::assemble(*text, assembler_options);
  for (const Remark& remark : assembly.remarks) spdlog::warn("{}", remark.to_string());
  for (const Error& error : assembly.errors) spdlog::error("{}", error.to_string());
  if (!assembly.errors.empty()) return exit_code::bad_input;
  const std::string result = options.binary ? as_bytes(assembly) : as_words(assembly, assembler_options.generation);
  if (options.output.value_or("-") == "-") {
    print_data(result);
  } else if (!write_file(*options.output, result)) {
    return exit_code::bad_input;
  }
  return exit_code::good;
}

}  // namespace

void add_asm(Command& app) {
  Command command = app.add("asm", "Assemble to words");
  const auto options = std::make_shared<AsmArguments>();
  command.argument("FILE", options->file, "assembly; - is standard input");
  command.option("--mcpu", options->mcpu, "processor or generation (`salu targets` lists them)", {},
                 Command::Need::required);
  command.option("-o,--output", options->output, "write to this file instead of standard output");
  const Choices<bool> formats = {{"words", false}, {"bin", true}};
  command.choice("--format", options->binary, formats,
                 "words (hexadecimal, one instruction a line; default) or bin (little-endian)");
  command.footer(
      "\nExamples:\n"
      "  salu asm --mcpu gfx900 code.s\n"
      "  echo 's_mov_b32 s0, 1' | salu asm --mcpu tahiti -\n"
      "  salu asm --mcpu gfx803 --format bin -o code.bin code.s");
  command.action([options] { return assemble(*options); });
}

}  // namespace salu::app
