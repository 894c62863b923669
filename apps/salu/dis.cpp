#include <salu/target.hpp>

#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "dis_text.hpp"
#include "exit_codes.hpp"
#include "loader/line_reader.hpp"
#include "loader/objects/listing.hpp"
#include "loader/program/code_files.hpp"
#include "loader/text_file.hpp"
#include "loader/yaml/reader.hpp"
#include "observe/hazards/hazard_walk.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct DisArguments {
  std::string file;
  std::string mcpu;
  std::optional<std::string> symbol;
  std::optional<std::string> base;
  ListingText::Options text;
  bool as_json = false;
  bool each_line = false;
  bool check_hazards = false;
  std::optional<bool> xnack;
  std::string llvm;
};

/// Prints once why some instructions have no text.
void remark_on_llvm(const std::string& file, const loader::LlvmDisassembler& llvm) {
  if (!llvm.problem().empty()) spdlog::warn("{}: note: {}", file, llvm.problem());
}

/// Sets `part` to the symbol that the user selected, or null for all code. Returns false, after an error message, if
/// the symbol is not in the code.
bool find_part(const loader::BuiltProgram& code, const DisArguments& options, const Symbol*& part) {
  if (!options.symbol) return true;
  const Program& program = code.program;
  part = program.find_symbol(*options.symbol);
  if (part != nullptr && program.find_block(part->address) != nullptr) return true;
  std::vector<std::string_view> names;
  for (const Symbol& symbol : program.symbols) {
    if (program.find_block(symbol.address) != nullptr) names.push_back(symbol.name);
  }
  const std::string hint = loader::did_you_mean(*options.symbol, names);
  const std::string has =
      names.empty() ? "; the file does not contain symbols" : "; the file has " + support::first_names(names);
  const std::string what = part != nullptr ? "is not in the code" : "is not a symbol of the file";
  spdlog::error("{}: error: {} {}{}", loader::display_name(options.file), loader::quote(*options.symbol), what,
                hint.empty() ? has : hint);
  return false;
}

/// The hazards of the selected part, of all functions, or of code without functions from its start.
std::vector<observe::PathHazard> find_hazards(const loader::BuiltProgram& code, const Symbol* part,
                                              std::optional<bool> xnack) {
  std::vector<u64> entries;
  if (part != nullptr) {
    entries.push_back(part->address);
  } else {
    for (const Symbol& function : code.functions) entries.push_back(function.address);
    if (entries.empty()) {
      for (const CodeBlock& block : code.program.code) entries.push_back(block.base);
    }
  }
  return observe::walk_hazards(code.program, entries, xnack);
}

std::span<const observe::PathHazard> hazards_at(std::span<const observe::PathHazard> hazards, u64 pc) {
  const auto range = std::ranges::equal_range(hazards, pc, {}, &observe::PathHazard::pc);
  return {range.begin(), range.end()};
}

int list(const DisArguments& options) {
  std::optional<u64> base;
  if (options.base) {
    base = 0;
    const std::string problem = read_count("--base", *options.base, "the address of the first byte", *base);
    if (!problem.empty()) {
      spdlog::error("error: {}", problem);
      return exit_code::usage;
    }
  }
  const Result<loader::BuiltProgram> code =
      loader::load_code_file(options.file, options.mcpu, base, options.check_hazards);
  if (!code) {
    spdlog::error("{}", code.error().to_string());
    return exit_code::bad_input;
  }
  for (const Remark& remark : code->remarks) spdlog::warn("{}", remark.to_string());
  const Symbol* part = nullptr;
  if (!find_part(*code, options, part)) return exit_code::bad_input;
  constexpr std::size_t enough = 1 << 16;
  const std::vector<observe::PathHazard> hazards =
      options.check_hazards ? find_hazards(*code, part, options.xnack) : std::vector<observe::PathHazard>();
  ListingText writer(code->program, options.text);
  loader::LlvmDisassembler llvm(*code->program.target, options.llvm);
  std::string text;
  loader::list_code(*code, {part, &llvm}, [&](const loader::ListedInstruction& instruction) {
    const std::span<const observe::PathHazard> here = hazards_at(hazards, instruction.address);
    text += options.as_json ? listing_json(code->program, instruction, here) : writer.write(instruction, here);
    if (text.size() < enough) return;
    print(text);
    text.clear();
  });
  print(text);
  remark_on_llvm(loader::display_name(options.file), llvm);
  return exit_code::good;
}

/// Disassembles one instruction per line. A line without words prints the same as an invalid instruction, and sets the
/// exit code.
int list_each_line(const DisArguments& options) {
  const Target& target = *find_target(options.mcpu);
  loader::LlvmDisassembler llvm(target, options.llvm);
  const std::string name = loader::display_name(options.file);
  loader::LineReader lines(options.file, send_output);
  int result = exit_code::good;
  std::string line;
  for (u32 number = 1; lines.next(line); ++number) {
    const Result<std::vector<u32>> words = loader::read_words_line(line, name, number);
    print(loader::list_instruction(target.generation, words ? std::span<const u32>(*words) : std::span<const u32>(),
                                   llvm) +
          "\n");
    if (words) continue;
    spdlog::error("{}", words.error().to_string());
    result = exit_code::bad_input;
  }
  remark_on_llvm(name, llvm);
  if (lines.problem().empty()) return result;
  spdlog::error("{}: error: {}", name, lines.problem());
  return exit_code::bad_input;
}

int disassemble(DisArguments& options) {
  std::string problem;
  if (!options.mcpu.empty()) problem = target_problem(options.mcpu);
  if (problem.empty() && options.each_line && options.mcpu.empty())
    problem = "required with --each-line: words do not name their target";
  if (!problem.empty()) {
    spdlog::error("error: --mcpu: {}", problem);
    return exit_code::usage;
  }
  if (problem = llvm_problem(options.llvm); !problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  const bool has_other = options.symbol || options.check_hazards || options.base || options.as_json ||
                         options.text.source || options.text.relocations;
  if (options.each_line && has_other) {
    spdlog::error(
        "error: --each-line cannot be combined with --symbol, --base, --format, --source, --reloc or --check-hazards");
    return exit_code::usage;
  }
  if (options.xnack && !options.check_hazards) {
    spdlog::error("error: --xnack: only with --check-hazards");
    return exit_code::usage;
  }
  if (options.file.empty()) {
    if (!options.each_line) {
      spdlog::error("error: FILE is required; - is standard input\nSee `salu dis --help`");
      return exit_code::usage;
    }
    options.file = "-";
  }
  return options.each_line ? list_each_line(options) : list(options);
}

}  // namespace

void add_dis(Command& app) {
  Command command = app.add("dis", "disassemble an ELF object, binary code (.bin) or hexadecimal words");
  const auto options = std::make_shared<DisArguments>();
  command.argument("FILE", options->file,
                   "ELF object, .bin or .hex file; - is standard input (an ELF object or words), the default with "
                   "--each-line",
                   Command::Need::optional);
  add_target_option(command, "--mcpu", options->mcpu,
                    "processor or generation, see `salu targets` (default: as in the ELF object)");
  command.option("--symbol", options->symbol, "list only this function, kernel or label", "NAME");
  command.option("--base", options->base,
                 "load address of the code; objects are relocated to it (default: the addresses in the object; 0x1000 "
                 "for words)",
                 "ADDRESS");
  command.flag("--source", options->text.source, "print source lines (code compiled with -g)");
  command.flag("--reloc", options->text.relocations, "print relocations below the instructions that they patch");
  command.flag("--check-hazards", options->check_hazards,
               "warn about results used before the hardware has written them, on all paths of all functions; also "
               "accepts assembly");
  add_xnack_option(command, options->xnack);
  add_llvm_option(command, options->llvm);
  const Choices<bool> formats = {{"text", false}, {"json", true}};
  command.choice("--format", options->as_json, formats, "text or json, one instruction per line (default: text)");
  command.flag("--each-line", options->each_line,
               "read the words of one instruction per line and print its text, or <invalid>");
  command.epilogue(
      {.notes = {},
       .examples = {"salu dis kernel.o", "salu dis --symbol k --source kernel.so", "salu dis --mcpu gfx900 code.bin",
                    "echo 'bf810000' | salu dis --mcpu tahiti -",
                    "printf '80000201\\nbf810000\\n' | salu dis --mcpu tahiti --each-line"},
       .exit_codes = {
           {exit_code::good, "listed"}, {exit_code::usage, "wrong usage"}, {exit_code::bad_input, "bad input"}}});
  command.action([options] { return disassemble(*options); });
}

}  // namespace salu::app
