#include <salu/target.hpp>

#include <spdlog/spdlog.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "loader/line_reader.hpp"
#include "loader/objects/listing.hpp"
#include "loader/objects/program_builder.hpp"
#include "loader/text_file.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct DisArguments {
  std::string file;
  std::string mcpu;
  bool each_line = false;
};

int list(const DisArguments& options) {
  const Result<loader::BuiltProgram> code = loader::load_code_file(options.file, options.mcpu);
  if (!code) {
    spdlog::error("{}", code.error().to_string());
    return exit_code::bad_input;
  }
  print(loader::list_code(*code));
  return exit_code::good;
}

/// One instruction's words a line in, its text a line out. A line that holds no words is answered like one that holds
/// no instruction, and makes the exit code.
int list_each_line(const DisArguments& options) {
  const Generation generation = find_target(options.mcpu)->generation;
  const std::string name = loader::display_name(options.file);
  loader::LineReader lines(options.file, send_output);
  int result = exit_code::good;
  std::string line;
  for (u32 number = 1; lines.next(line); ++number) {
    const Result<std::vector<u32>> words = loader::read_words_line(line, name, number);
    print(loader::list_instruction(generation, words ? std::span<const u32>(*words) : std::span<const u32>()) + "\n");
    if (words) continue;
    spdlog::error("{}", words.error().to_string());
    result = exit_code::bad_input;
  }
  if (lines.problem().empty()) return result;
  spdlog::error("{}: error: {}", name, lines.problem());
  return exit_code::bad_input;
}

int disassemble(DisArguments& options) {
  std::string problem;
  if (!options.mcpu.empty()) problem = target_problem(options.mcpu);
  if (problem.empty() && options.each_line && options.mcpu.empty())
    problem = "--each-line needs it: words do not name their target";
  if (!problem.empty()) {
    spdlog::error("error: --mcpu: {}", problem);
    return exit_code::usage;
  }
  if (options.file.empty()) {
    if (!options.each_line) {
      spdlog::error("error: FILE is required; - is standard input\n`salu dis --help` tells more");
      return exit_code::usage;
    }
    options.file = "-";
  }
  return options.each_line ? list_each_line(options) : list(options);
}

}  // namespace

void add_dis(Command& app) {
  Command command = app.add("dis", "Disassemble an ELF object, binary code (.bin) or hexadecimal words");
  const auto options = std::make_shared<DisArguments>();
  command.argument("FILE", options->file,
                   "what to disassemble; - is standard input (an ELF object or hexadecimal words), as is no FILE "
                   "with --each-line",
                   Command::Need::optional);
  command.option("--mcpu", options->mcpu, "processor or generation; an ELF object names its own");
  command.flag("--each-line", options->each_line,
               "one instruction's words a line in, its text a line out; <invalid> where the words are not exactly one");
  command.footer(
      "\nExamples:\n"
      "  salu dis kernel.o\n"
      "  salu dis --mcpu gfx900 code.bin\n"
      "  echo 'bf810000' | salu dis --mcpu tahiti -\n"
      "  printf '80000201\\nbf810000\\n' | salu dis --mcpu tahiti --each-line");
  command.action([options] { return disassemble(*options); });
}

}  // namespace salu::app
