#include "pair_arguments.hpp"

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "exit_codes.hpp"
#include "output.hpp"

namespace salu::app {

void add_pair_options(Command& command, PairArguments& arguments, Command::Need need_of_b) {
  command.argument("A", arguments.file_a, "reference program: any file that `salu run` accepts");
  command.argument("B", arguments.file_b, "program to compare with A; code alone replaces the code of A's scenario",
                   need_of_b);
  {
    const OptionGroup group(command, "Inputs and outputs");
    command.list("--inputs", arguments.compare.inputs,
                 "inputs to vary: s0, s[2:3], s4:8 (the low 8 bits), s1=1..31, args.n, memory.0x10000:64 (bytes)",
                 "NAME,...");
    command.list("--outputs", arguments.compare.outputs,
                 "outputs to compare: s0, s1:8, scc, memory.0x10000:64, memory (everything written), or stop (only the "
                 "stop reason); floats: v0:f32, memory:f32~2 (up to 2 ulps apart)",
                 "NAME,...");
    command.repeatable("--assume", arguments.compare.assume,
                       "skip states that do not satisfy EXPR, e.g. 's1 < 32 && s0 != 0'; may be repeated", "EXPR");
    command.repeatable("--set", arguments.load.set, "set a register to one value in all runs; may be repeated",
                       "NAME=VALUE");
  }
  const OptionGroup group(command, "Programs");
  add_target_option(command, "--mcpu", arguments.load.mcpu, "processor or generation of both, see `salu targets`");
  add_target_option(command, "--mcpu-a", arguments.mcpu_a, "processor or generation of A");
  add_target_option(command, "--mcpu-b", arguments.mcpu_b, "processor or generation of B");
  command.option("--symbol", arguments.load.symbol, "start both programs at this ELF symbol or label", "NAME");
  command.option("--symbol-a", arguments.symbol_a, "start A at this ELF symbol or label", "NAME");
  command.option("--symbol-b", arguments.symbol_b, "start B at this ELF symbol or label", "NAME");
  command.option("--document", arguments.document, "scenario of a file with several, by number or name", "N|NAME");
  command.option("--document-a", arguments.document_a, "scenario of A", "N|NAME");
  command.option("--document-b", arguments.document_b, "scenario of B", "N|NAME");
  command.option("--root", arguments.load.files.root, "only allow `file:` paths inside DIR", "DIR");
}

std::string read_pair_options(PairArguments& arguments) {
  std::string problem = read_load_options(arguments.limits, arguments.load);
  for (const auto& [option, name] : {std::pair("--mcpu-a: ", &arguments.mcpu_a), {"--mcpu-b: ", &arguments.mcpu_b}}) {
    if (problem.empty() && !name->empty()) problem = target_problem(*name);
    if (!problem.empty()) return option + problem;
  }
  if (arguments.states)
    problem = read_count("--states", *arguments.states, "a number of inputs", arguments.compare.states);
  if (problem.empty() && arguments.seed)
    problem = read_count("--seed", *arguments.seed, "a number", arguments.compare.seed);
  // A limit of the command line takes precedence over the scenario's.
  if (arguments.load.max_steps) arguments.compare.max_steps = *arguments.load.max_steps;
  if (problem.empty() && arguments.compare.states == 0) problem = "--states 0: expected at least 1 input";
  return problem;
}

Result<ProgramPair> load_pair_of(const PairArguments& arguments, KernelLaunch launch) {
  LoadOptions load_a = arguments.load;
  LoadOptions load_b = arguments.load;
  if (!arguments.symbol_a.empty()) load_a.symbol = arguments.symbol_a;
  if (!arguments.symbol_b.empty()) load_b.symbol = arguments.symbol_b;
  if (!arguments.mcpu_a.empty()) load_a.mcpu = arguments.mcpu_a;
  if (!arguments.mcpu_b.empty()) load_b.mcpu = arguments.mcpu_b;
  const auto selection = [&](const std::string& document) {
    return ScenarioSelection{.document = document.empty() ? arguments.document : document};
  };
  Result<ProgramPair> pair = load_pair(arguments.file_a, arguments.file_b, load_a, load_b,
                                       selection(arguments.document_a), selection(arguments.document_b), launch);
  if (!pair || arguments.quiet) return pair;
  for (const Scenario* scenario : {&pair->a, &pair->b}) {
    for (const Remark& remark : scenario->remarks) spdlog::warn("{}", remark.to_string());
  }
  return pair;
}

void add_pair_time_option(Command& command, std::optional<double>& seconds, const std::string& help) {
  const OptionGroup group(command, heading::limits);
  command.option("--max-time", seconds, help, "SECONDS");
  command.hidden([&] { command.option("--seconds", seconds, help, "SECONDS"); });
}

void add_pair_output(Command& command, PairArguments& arguments) {
  const Choices<bool> formats = {{"text", false}, {"json", true}};
  command.group(heading::output);
  command.option("-o,--output", arguments.output,
                 "write two scenarios that reproduce a difference to FILE; - is standard output (default: none)",
                 "FILE");
  command.choice("--format", arguments.json, formats, "format of the result (default: text)");
}

std::string read_pair_output(PairArguments& arguments, std::vector<Output> others) {
  others.insert(others.begin(), {"--output", arguments.output});
  const bool to_stdout = arguments.output && *arguments.output != "/dev/null" &&
                         (*arguments.output == "-" || is_standard_output(*arguments.output));
  if (to_stdout && arguments.json && !arguments.quiet) {
    return fmt::format(
        "--output {}: the scenarios would be mixed with the JSON result; write them to a file, or omit the result (-q)",
        *arguments.output);
  }
  for (const Output& output : others) {
    if (output.path) arguments.load.files.outputs.push_back(*output.path);
  }
  return output_problem(others, {arguments.file_a, arguments.file_b});
}

int report_pair_error(const Error& error) {
  spdlog::error("{}", error.to_string());
  return exit_code_of(error);
}

int write_reproducer(const PairArguments& arguments, const Difference& difference) {
  if (!arguments.output) {
    if (!arguments.quiet && !arguments.json) print("\n-o FILE writes two scenarios that reproduce the difference.\n");
    return exit_code::expectation_failed;
  }
  const std::string& path = *arguments.output;
  if (path == "-") {
    print_data(difference.reproducer);
    return exit_code::expectation_failed;
  }
  if (!write_file(path, difference.reproducer)) return exit_code::bad_input;
  if (!arguments.quiet && !arguments.json) {
    print(fmt::format("\nTwo scenarios that reproduce it were written to {}: salu run --check {}\n", path, path));
  }
  return exit_code::expectation_failed;
}

}  // namespace salu::app
