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

constexpr const char* counterexample_file = "salu-prove.yaml";
/// Inputs that are tried before anything is proved.
constexpr u64 states_before = 300;

struct ProveArguments : PairArguments {
  ProofOptions proof;
  std::string smt2_folder;
  std::optional<double> seconds;
  std::optional<std::string> memory;
  std::optional<std::string> cover;  ///< where the table of cases goes
};

int exit_code_of_verdict(ProofVerdict verdict) {
  const bool is_proved = verdict == ProofVerdict::proved || verdict == ProofVerdict::proved_by_trying;
  return is_proved ? exit_code::good : exit_code::bad_input;
}

int prove(ProveArguments& options) {
  std::string problem = read_pair_options(options);
  // A table of cases is about one program.
  if (options.cover && options.file_b.empty()) options.file_b = options.file_a;
  if (problem.empty() && options.cover == "-") problem = "--cover: expected the name of a file, found `-`";
  if (problem.empty() && options.file_b.empty()) problem = "B is missing: what is A to be the same as?";
  if (problem.empty()) problem = read_pair_output(options, counterexample_file, {{"--cover", options.cover}});
  if (problem.empty() && options.memory)
    problem = read_count("--memory", *options.memory, "a number of MiB", options.proof.memory_mib);
  constexpr u64 most_mib = u64{1} << 40;
  const u64 mib = options.proof.memory_mib;
  if (problem.empty() && (mib == 0 || mib > most_mib))
    problem = fmt::format("--memory {}: expected 1 to 2^40 MiB", mib);
  if (const std::string& folder = options.smt2_folder; problem.empty() && !folder.empty()) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) problem = "--smt2: there is no folder " + folder;
  }
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  std::vector<std::string> inputs;
  options.load.files.read = [&inputs](const std::string& path) { inputs.push_back(path); };
  const Result<ProgramPair> pair = load_pair_of(options);
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
    spdlog::error("{}: error: not written: no run of A was found that can be a row", *options.cover);
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
  Command command =
      app.add("prove", "Prove that two programs compute the same for all inputs, or find one that differs");
  const auto options = std::make_shared<ProveArguments>();
  options->compare.states = states_before;
  const Choices<bool> formats = {{"text", false}, {"json", true}};
  add_pair_options(command, *options, Command::Need::optional);
  command.option("--seconds", options->seconds, "for how long to try (default: 60)", "NUMBER");
  command.option("--rounds", options->proof.rounds,
                 "how often a loop is followed where the inputs decide it (default: 64)", "NUMBER");
  command.option("--memory", options->memory, "MiB for the formulas, and for each solver (default: 2048)", "NUMBER");
  command.option("--cover", options->cover,
                 "write a table of cases for A that takes every branch both ways (B may be left out)", "FILE");
  command.option("--states", options->states, "how many inputs to try first (default: 300)", "NUMBER");
  command.option("--seed", options->seed, "another seed, other inputs (default: 1)", "NUMBER");
  command.option("--smt2", options->smt2_folder, "also write the questions into this folder, as SMT-LIB", "DIR");
  add_assembly_options(command, options->load.assembly);
  add_root_option(command, options->load);
  add_pair_output(command, *options, counterexample_file);
  command.choice("--format", options->json, formats, "how to print the result: text or json");
  command.flag("-q,--quiet", options->quiet, "print errors only");
  command.epilogue({.notes = "Questions go to z3 and cvc5, where these are in PATH.",
                    .examples = {"salu prove f_O0.o f_O2.o --symbol f",
                                 "salu prove old.s new.s --mcpu gfx900 --inputs s0,s1 --assume 's1 < 32' --outputs s0",
                                 "salu prove f.s --mcpu gfx900 --cover cases.yaml"},
                    .exit_codes = {{exit_code::good, "proved"},
                                   {exit_code::expectation_failed, "a difference"},
                                   {exit_code::usage, "wrong usage"},
                                   {exit_code::bad_input, "bad input, gave up, or proved only up to --rounds"}}});
  command.action([options] { return prove(*options); });
}

}  // namespace salu::app
