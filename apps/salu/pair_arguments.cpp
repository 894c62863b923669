#include "pair_arguments.hpp"

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "exit_codes.hpp"
#include "output.hpp"

namespace salu::app {

void add_pair_options(Command& command, PairArguments& arguments, Command::Need need_of_b) {
  command.argument("A", arguments.file_a, "the reference: anything that `salu run` takes");
  command.argument("B", arguments.file_b, "what is held against it; as code alone it takes A's place in a scenario",
                   need_of_b);
  command.option("--symbol", arguments.load.symbol, "where both start: an ELF symbol or a label");
  command.option("--symbol-a", arguments.symbol_a, "where A starts");
  command.option("--symbol-b", arguments.symbol_b, "where B starts");
  add_target_option(command, "--mcpu", arguments.load.mcpu,
                    "processor or generation of both (`salu targets` lists them)");
  add_target_option(command, "--mcpu-a", arguments.mcpu_a, "processor or generation of A");
  add_target_option(command, "--mcpu-b", arguments.mcpu_b, "processor or generation of B");
  command.repeatable("--set", arguments.load.set, "give a register one value in all runs; may be repeated",
                     "NAME=VALUE");
  command.repeatable("--assume", arguments.compare.assume,
                     "leave states out for which this does not hold, as in 's1 < 32 && s0 != 0'; may be repeated",
                     "EXPR");
  command.list("--inputs", arguments.compare.inputs,
               "what to vary: s0, s[2:3], s4:8 (its low 8 bits), s1=1..31, args.n, memory.0x10000:64 (bytes)",
               "NAME,...");
  command.list(
      "--outputs", arguments.compare.outputs,
      "what to compare: s0, s1:8, scc, memory.0x10000:64, memory (all that is written), stop (how it ends) alone",
      "NAME,...");
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
  // The limit given here is not to be cut to the scenario's.
  if (arguments.load.max_steps) arguments.compare.max_steps = *arguments.load.max_steps;
  if (problem.empty() && arguments.compare.states == 0) problem = "--states 0: there would be nothing to compare";
  return problem;
}

Result<ProgramPair> load_pair_of(const PairArguments& arguments) {
  LoadOptions load_a = arguments.load;
  LoadOptions load_b = arguments.load;
  if (!arguments.symbol_a.empty()) load_a.symbol = arguments.symbol_a;
  if (!arguments.symbol_b.empty()) load_b.symbol = arguments.symbol_b;
  if (!arguments.mcpu_a.empty()) load_a.mcpu = arguments.mcpu_a;
  if (!arguments.mcpu_b.empty()) load_b.mcpu = arguments.mcpu_b;
  Result<ProgramPair> pair = load_pair(arguments.file_a, arguments.file_b, load_a, load_b);
  if (!pair || arguments.quiet) return pair;
  for (const Scenario* scenario : {&pair->a, &pair->b}) {
    for (const Remark& remark : scenario->remarks) spdlog::warn("{}", remark.to_string());
  }
  return pair;
}

void add_pair_output(Command& command, PairArguments& arguments, const std::string& default_output) {
  command.option("-o,--output", arguments.output,
                 "where the scenarios go that show a difference (default: " + default_output +
                     ", none with -q; - is standard output)",
                 "FILE");
}

std::string read_pair_output(PairArguments& arguments, const std::string& default_output, std::vector<Output> others) {
  if (!arguments.output && !arguments.quiet) arguments.output = default_output;
  others.insert(others.begin(), {"--output", arguments.output});
  const bool to_stdout = arguments.output && *arguments.output != "/dev/null" &&
                         (*arguments.output == "-" || is_standard_output(*arguments.output));
  if (to_stdout && arguments.json && !arguments.quiet) {
    return fmt::format(
        "--output {}: the scenarios would stand behind the JSON: name a file for them, or leave the "
        "result out (-q)",
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
  if (!arguments.output) return exit_code::expectation_failed;
  const std::string& path = *arguments.output;
  if (path == "-") {
    print_data(difference.reproducer);
    return exit_code::expectation_failed;
  }
  if (!write_file(path, difference.reproducer)) return exit_code::bad_input;
  if (!arguments.quiet && !arguments.json) {
    print(fmt::format("\nThe scenarios that show it are in {}: salu run --check {}\n", path, path));
  }
  return exit_code::expectation_failed;
}

}  // namespace salu::app
