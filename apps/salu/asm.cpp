#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "isa/decode.hpp"
#include "loader/program/code_files.hpp"
#include "loader/text_file.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct AsmArguments {
  std::string file;
  LoadOptions load;
  std::optional<std::string> output;
  bool binary = false;
};

/// True for data within the code, such as the headers of kernels.
bool is_in_code(const loader::DataBlock& data, const Program& program) {
  return data.end() <= program.code.back().end();
}

/// The code and the data within it, sorted by address.
std::vector<CodeBlock> blocks_of(const loader::BuiltProgram& built) {
  std::vector<CodeBlock> blocks = built.program.code;
  for (const loader::DataBlock& data : built.data) {
    if (!is_in_code(data, built.program)) continue;
    CodeBlock& block = blocks.emplace_back(CodeBlock{data.base, {}});
    block.words.resize(data.bytes.size() / 4);
    for (std::size_t i = 0; i < block.words.size() * 4; ++i) block.words[i / 4] |= u32{data.bytes[i]} << (8 * (i % 4));
  }
  std::ranges::sort(blocks, {}, &CodeBlock::base);
  return blocks;
}

/// Prints hexadecimal words, one instruction per line.
std::string as_words(const Program& program, const std::vector<CodeBlock>& blocks) {
  std::string text;
  for (const CodeBlock& block : blocks) {
    std::span<const u32> left = block.words;
    for (u64 address = block.base; !left.empty();) {
      // Data does not have line entries: prints one word per line.
      const LineEntry* const line = program.find_line(address);
      const bool is_instruction = line != nullptr && line->address == address;
      const std::size_t count = is_instruction ? isa::decode(program.generation(), left).dwords : 1;
      for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}0x{:08x}", i == 0 ? "" : " ", left[i]);
      text += '\n';
      left = left.subspan(count);
      address += count * 4;
    }
  }
  return text;
}

std::string as_bytes(const std::vector<CodeBlock>& blocks) {
  std::string bytes;
  for (const CodeBlock& block : blocks) {
    for (const u32 word : block.words) {
      for (u32 shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
    }
  }
  return bytes;
}

int assemble(AsmArguments& options) {
  std::string problem = read_load_options({}, options.load);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  const std::vector<Output> outputs = {{"--output", options.output}};
  if (const std::string wrong = output_problem(outputs, {options.file}); !wrong.empty()) {
    spdlog::error("error: {}", wrong);
    return exit_code::usage;
  }
  if (options.output) options.load.files.outputs = {*options.output};
  const Result<loader::BuiltProgram> built =
      loader::assemble_file(options.file, *find_target(options.load.mcpu), options.load.assembly, options.load.files);
  if (!built) {
    spdlog::error("{}", built.error().to_string());
    return exit_code_of(built.error());
  }
  for (const Remark& remark : built->remarks) spdlog::warn("{}", remark.to_string());
  for (const Unresolved& each : built->program.unresolved) {
    if (each.instruction.empty()) continue;
    const LineEntry* const line = built->program.find_line(each.address);
    spdlog::error("{}:{}: error: salu's assembler cannot encode `{}`; install llvm-mc to use LLVM's",
                  line == nullptr ? options.file : built->program.files[line->file], line == nullptr ? 0 : line->line,
                  each.instruction);
    return exit_code::bad_input;
  }
  const bool has_more = std::ranges::any_of(
      built->data, [&](const loader::DataBlock& data) { return !is_in_code(data, built->program); });
  if (has_more) spdlog::warn("{}: warning: data outside the code is omitted", loader::display_name(options.file));
  const std::vector<CodeBlock> blocks = blocks_of(*built);
  const std::string result = options.binary ? as_bytes(blocks) : as_words(built->program, blocks);
  if (options.output.value_or("-") == "-") {
    print_data(result);
  } else if (!write_file(*options.output, result)) {
    return exit_code::bad_input;
  }
  return exit_code::good;
}

}  // namespace

void add_asm(Command& app) {
  Command command = app.add("asm", "assemble to instruction words");
  const auto options = std::make_shared<AsmArguments>();
  command.argument("FILE", options->file, "assembly file; - is standard input");
  add_target_option(command, "--mcpu", options->load.mcpu, "processor or generation, see `salu targets`",
                    Command::Need::required);
  command.option("-o,--output", options->output, "write to FILE (default: standard output)", "FILE");
  const Choices<bool> formats = {{"words", false}, {"bin", true}};
  command.choice("--format", options->binary, formats,
                 "words (hexadecimal, one instruction per line) or bin (little-endian) (default: words)");
  add_assembly_options(command, options->load.assembly);
  command.epilogue(
      {.notes = {},
       .examples = {"salu asm --mcpu gfx900 code.s", "echo 's_mov_b32 s0, 1' | salu asm --mcpu tahiti -",
                    "salu asm --mcpu gfx803 --format bin -o code.bin code.s"},
       .exit_codes = {
           {exit_code::good, "assembled"}, {exit_code::usage, "wrong usage"}, {exit_code::bad_input, "bad input"}}});
  command.action([options] { return assemble(*options); });
}

}  // namespace salu::app
