#include <salu/proof.hpp>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "output.hpp"
#include "pair_arguments.hpp"
#include "suite/work_pool.hpp"

namespace salu::app {
namespace {

/// Inputs that are tried before the proof.
constexpr u64 states_before = 300;

struct ProveArguments : PairArguments {
  ProofOptions proof;
  std::string smt2_folder;
  std::optional<double> seconds;
  std::optional<std::string> memory;
  std::optional<std::string> cover;  ///< the file for the table of cases
};

int exit_code_of_verdict(ProofVerdict verdict) {
  const bool is_proved = verdict == ProofVerdict::proved || verdict == ProofVerdict::proved_by_trying;
  return is_proved ? exit_code::good : exit_code::bad_input;
}

int prove(ProveArguments& options) {
  std::string problem = read_pair_options(options);
  // A table of cases needs only one program.
  if (options.cover && options.file_b.empty()) options.file_b = options.file_a;
  if (problem.empty() && options.cover == "-") problem = "--cover: expected a file name, found `-`";
  if (problem.empty() && options.file_b.empty()) problem = "missing argument B, the program to compare with A";
  if (problem.empty()) problem = read_pair_output(options, {{"--cover", options.cover}});
  if (problem.empty() && options.memory)
    problem = read_count("--memory", *options.memory, "a number of MiB", options.proof.memory_mib);
  constexpr u64 most_mib = u64{1} << 40;
  const u64 mib = options.proof.memory_mib;
  if (problem.empty() && (mib == 0 || mib > most_mib))
    problem = fmt::format("--memory {}: expected 1 to 2^40 MiB", mib);
  if (const std::string& folder = options.smt2_folder; problem.empty() && !folder.empty()) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) problem = "--smt2: no directory named " + folder;
  }
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  std::vector<std::string> inputs;
  options.load.files.read = [&inputs](const std::string& path) { inputs.push_back(path); };
  const Result<ProgramPair> pair = load_pair_of(options, KernelLaunch::one_wave);
  if (!pair) return report_pair_error(pair.error());
  suite::WorkPool pool(std::max(1U, std::thread::hardware_concurrency()));
  options.compare.fixed = options.load.set;
  options.compare.vary_buffers = !pair->kernel_scenario.empty();
  options.compare.for_each = [&pool](std::size_t count, const PartWork& work) { pool.for_each(count, work); };
  options.proof.compare = options.compare;
  bool is_written = true;
  if (!options.smt2_folder.empty()) {
    options.proof.question = [&](u64 number, const std::string& text) {
      const std::string path = fmt::format("{}/question{:03}.smt2", options.smt2_folder, number);
      if (problem.empty()) problem = output_problem({{"--smt2", path}}, inputs);
      if (problem.empty()) is_written = write_file(path, text) && is_written;
    };
  }
  if (options.seconds) options.proof.seconds = *options.seconds;
  options.proof.cover = options.cover.has_value();
  const Result<ProofReport> report = prove_programs(pair->a, pair->b, options.proof);
  if (!report) return report_pair_error(report.error());
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  if (options.cover && report->covered && report->covered->rows != 0) {
    is_written = write_file(*options.cover, report->covered->table) && is_written;
  } else if (options.cover) {
    spdlog::error("{}: error: not written: no run of A can be a row of the table", *options.cover);
    is_written = false;
  }
  if (!options.quiet && options.json) print_data(proof_json(*report));
  if (!options.quiet && !options.json) print(proof_text(*report));
  const std::optional<Difference>& difference = report->compared.difference;
  const int code = difference ? write_reproducer(options, *difference) : exit_code_of_verdict(report->verdict);
  return is_written ? code : exit_code::bad_input;
}

}  // namespace

void add_prove(Command& app) {
  Command command = app.add("prove", "prove that two programs are equal for all inputs, or find a counterexample");
  const auto options = std::make_shared<ProveArguments>();
  options->compare.states = states_before;
  add_pair_options(command, *options, Command::Need::optional);
  command.group("Search");
  command.option("--states", options->states, "number of inputs to try before the proof (default: 300)", "N");
  command.option("--seed", options->seed, "seed of the input generator (default: 1)", "N");
  command.option("--rounds", options->proof.rounds, "loop unrolling limit (default: 64)", "N");
  add_pair_time_option(command, options->seconds, "time limit of the proof (default: 60)");
  command.group(heading::limits);
  command.option("--memory", options->memory, "memory limit of the formulas, and of each solver (default: 2048)",
                 "MIB");
  add_assembly_options(command, options->load.assembly);
  add_pair_output(command, *options);
  command.option("--cover", options->cover,
                 "write a table of cases for A that takes every branch both ways (B may be omitted)", "FILE");
  command.option("--smt2", options->smt2_folder, "write the queries to DIR as SMT-LIB files", "DIR");
  command.flag("-q,--quiet", options->quiet, "print errors only");
  command.epilogue({.notes = "The solvers z3 and cvc5 are used if they are in PATH.",
                    .examples = {"salu prove f_O0.o f_O2.o --symbol f",
                                 "salu prove old.s new.s --mcpu gfx900 --inputs s0,s1 --assume 's1 < 32' --outputs s0",
                                 "salu prove f.s --mcpu gfx900 --cover cases.yaml"},
                    .exit_codes = {{exit_code::good, "proved"},
                                   {exit_code::expectation_failed, "a difference was found"},
                                   {exit_code::usage, "wrong usage"},
                                   {exit_code::bad_input, "bad input, undecided, or proved only up to --rounds"}}});
  command.action([options] { return prove(*options); });
}

}  // namespace salu::app
