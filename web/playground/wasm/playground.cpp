#include <salu/equivalence.hpp>
#include <salu/page.hpp>
#include <salu/report.hpp>
#include <salu/run.hpp>
#include <salu/suite.hpp>
#include <salu/target.hpp>

#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "answers.hpp"
#include "debug/source_files.hpp"
#include "isa/instruction.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "suite/result_text.hpp"

/// The functions that the page calls: `salu_ask` with a request, and memory for it. Files are provided by the page,
/// which implements the WASI calls.
namespace salu::playground {

LoadOptions load_options(const Json& question) {
  LoadOptions options;
  options.mcpu = question.value("target", "");
  options.set = question.value("set", std::vector<std::string>());
  options.symbol = question.value("symbol", "");
  if (question.contains("max_steps")) options.max_steps = question["max_steps"].get<u64>();
  return options;
}

Json place_json(const SourcePlace& where, const std::string& message, const char* severity) {
  return {{"file", where.file},
          {"line", where.line},
          {"column", where.column},
          {"message", message},
          {"severity", severity}};
}

namespace {

void add_error(const Error& error, Json& list) {
  for (const Remark& remark : error.remarks) list.push_back(place_json(remark.where, remark.message, "warning"));
  list.push_back(place_json(error.where, error.message, "error"));
  for (const Error& other : error.more) add_error(other, list);
}

/// Makes an answer of an error: as text, and with places for the gutter.
struct LoadFailure {
  Error error;
};

struct Playground {
  std::unique_ptr<Walk> walk;
};

Playground& playground() {
  static Playground here;
  return here;
}

Json targets() {
  Json list = Json::array();
  for (const Target& target : salu::targets()) {
    list.push_back({{"name", target.name}, {"generation", generation_name(target.generation)}});
  }
  return {{"targets", list}};
}

/// Returns the words of a target's assembly for the editor: mnemonics with their operands, and registers.
Json words(const Json& question) {
  const Target* const target = find_target(question.value("target", "gfx900"));
  if (target == nullptr) throw Refusal{"unknown target"};
  std::set<std::string_view> mnemonics;
  for (const isa::InstructionInfo& row : isa::all_instructions()) {
    if (row.opcode(target->generation) != isa::absent) mnemonics.insert(row.mnemonic);
  }
  Json registers = Json::array();
  for (const char* const name :
       {"vcc", "vcc_lo", "vcc_hi", "exec", "exec_lo", "exec_hi", "m0", "scc", "flat_scratch_lo", "flat_scratch_hi",
        "xnack_mask_lo", "xnack_mask_hi", "tba_lo", "tba_hi", "tma_lo", "tma_hi", "ttmp0", "ttmp1"}) {
    if (parse_register_name(target->generation, name)) registers.push_back(name);
  }
  return {{"mnemonics", mnemonics}, {"registers", registers}, {"sgprs", sgpr_limit(target->generation)}};
}

/// Returns a description or the error of every document of a file.
Json check_file(const Json& question) {
  Json documents = Json::array();
  Json problems = Json::array();
  for (const Result<Scenario>& loaded : load_file(question.at("file"), load_options(question))) {
    if (!loaded) {
      add_error(loaded.error(), problems);
      documents.push_back({{"error", loaded.error().to_string()}});
      continue;
    }
    for (const Remark& remark : loaded->remarks)
      problems.push_back(place_json(remark.where, remark.message, "warning"));
    documents.push_back({{"name", loaded->name},
                         {"target", loaded->program.target->name},
                         {"rows", loaded->cases == nullptr ? 0 : loaded->cases->rows()},
                         {"expects", loaded->expect.has_value()}});
  }
  return {{"documents", documents}, {"problems", problems}};
}

std::vector<Mismatch> mismatches_of(const Scenario& scenario, const Outcome& outcome) {
  return scenario.expect ? check(*scenario.expect, outcome) : std::vector<Mismatch>();
}

Json run_scenario(const Json& question) {
  const Scenario scenario = load_scenario(question);
  RunOptions options = scenario.options;
  options.strict = question.value("strict", false);
  const Outcome outcome = run(scenario, options);
  const std::vector<Mismatch> mismatches = mismatches_of(scenario, outcome);
  const auto* const list = scenario.expect ? &mismatches : nullptr;
  return {{"stop", outcome.stop.reason_name()},
          {"steps", outcome.steps},
          {"fault", is_fault(outcome.stop.reason)},
          {"expects", scenario.expect.has_value()},
          {"mismatches", mismatches.size()},
          {"waves", scenario.waves == nullptr ? 0 : scenario.waves->count},
          {"text", report_outcome(scenario, outcome, ReportFormat::text, list)}};
}

/// Returns the output of `salu run --format json`: a line for each document.
Json run_file(const Json& question) {
  std::string lines;
  const bool checks = question.value("check", false);
  load_each(question.at("file"), load_options(question), [&](const Result<Scenario>& scenario) {
    if (!scenario) {
      lines += report_error(scenario.error(), ReportFormat::json);
      return;
    }
    if (checks && scenario->cases != nullptr) return;
    const Outcome outcome = run(*scenario, scenario->options);
    const std::vector<Mismatch> mismatches = mismatches_of(*scenario, outcome);
    lines += report_outcome(*scenario, outcome, ReportFormat::json, checks && scenario->expect ? &mismatches : nullptr);
  });
  return {{"text", lines}};
}

Json page(const Json& question) {
  const Scenario scenario = load_scenario(question);
  debug::SourceFiles files;
  PageOptions page_options;
  page_options.read_source = [&files](const std::string& name) { return files.find(name); };
  PageRecorder recorder(scenario, page_options);
  const Outcome outcome = recorder.run(scenario.options);
  const std::vector<Mismatch> mismatches = mismatches_of(scenario, outcome);
  return {{"page", recorder.page(outcome, scenario.expect ? &mismatches : nullptr)}};
}

/// Returns the output of `salu test` for files, without times.
Json test_files(const Json& question) {
  SuiteOptions options;
  options.load = load_options(question);
  const auto files = find_suite_files(question.at("files").get<std::vector<std::string>>());
  if (!files) throw LoadFailure{files.error()};
  const suite::ResultText text({.passed = question.value("verbose", false)}, options);
  std::string printed;
  const SuiteResult result = run_suite(*files, options, [&](const TestResult& test) { printed += text.of(test); });
  printed += text.summary(result);
  return {{"text", printed}, {"good", result.failed == 0 && result.not_loaded == 0}, {"steps", result.steps}};
}

Json compare(const Json& question) {
  EquivalenceOptions options;
  options.inputs = question.value("inputs", options.inputs);
  options.outputs = question.value("outputs", options.outputs);
  options.exhaustive = question.value("exhaustive", options.exhaustive);
  options.states = question.value("states", options.states);
  options.max_steps = question.value("max_steps", options.max_steps);
  const LoadOptions load = load_options(question);
  const Result<ProgramPair> pair = load_pair(question.at("a"), question.at("b"), load, load);
  if (!pair) throw LoadFailure{pair.error()};
  options.vary_buffers = !pair->kernel_scenario.empty();
  const Result<EquivalenceReport> report = compare_programs(pair->a, pair->b, options);
  if (!report) throw LoadFailure{report.error()};
  static constexpr std::array<const char*, 4> names = {"equal", "different", "nothing_compared", "incomplete"};
  return {{"verdict", names.at(static_cast<std::size_t>(report->verdict))},
          {"states", report->states},
          {"text", equivalence_text(*report)},
          {"json", equivalence_json(*report)},
          {"reproducer", report->difference ? report->difference->reproducer : ""}};
}

Json begin_walk(const Json& question) {
  playground().walk.reset();
  playground().walk = std::make_unique<Walk>(load_scenario(question));
  return playground().walk->state();
}

Walk& walk() {
  if (playground().walk == nullptr) throw Refusal{"no run has begun"};
  return *playground().walk;
}

Json answer(const Json& question) {
  const std::string what = question.at("ask");
  if (what == "targets") return targets();
  if (what == "words") return words(question);
  if (what == "check") return check_file(question);
  if (what == "run") return run_scenario(question);
  if (what == "run_file") return run_file(question);
  if (what == "page") return page(question);
  if (what == "test") return test_files(question);
  if (what == "equiv") return compare(question);
  if (what == "walk") return begin_walk(question);
  if (what == "command") return walk().execute(question.at("line"));
  if (what == "complete") return {{"words", walk().complete(question.at("line"))}};
  if (what == "why") {
    return walk().why(question.at("place"),
                      question.contains("step") ? std::optional<u64>(question["step"]) : std::nullopt);
  }
  throw Refusal{"unknown request: " + what};
}

/// Catches all exceptions: they must not leave the module.
Json guarded(std::string_view question) {
  try {
    return answer(Json::parse(question));
  } catch (const LoadFailure& failure) {
    Json problems = Json::array();
    add_error(failure.error, problems);
    return {{"error", failure.error.to_string()}, {"problems", problems}};
  } catch (const Refusal& refusal) {
    return {{"error", refusal.message}};
  } catch (const std::bad_alloc&) {
    playground().walk.reset();
    return {{"error", "out of memory: this does not fit into the memory of a browser tab"}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

Scenario load_scenario(const Json& question) {
  const loader::ScenarioChoice choice{.document = question.value("document", ""),
                                      .row = question.value("case", ""),
                                      .needs_row = false,
                                      .document_option = "the scenario",
                                      .row_option = "the case"};
  Result<Scenario> chosen = loader::load_one(question.at("file"), load_options(question), choice);
  if (!chosen) throw LoadFailure{chosen.error()};
  return std::move(*chosen);
}

}  // namespace salu::playground

namespace {

std::string last_answer;

}  // namespace

extern "C" {

/// Allocates memory for a request of `size` bytes; null if out of memory.
[[gnu::used, clang::export_name("salu_allocate")]] void* salu_allocate(std::size_t bytes) { return std::malloc(bytes); }
[[gnu::used, clang::export_name("salu_release")]] void salu_release(void* room) { std::free(room); }

/// Answers a request (UTF-8, JSON). The answer is valid until the next one; `salu_answer_bytes` returns its size.
[[gnu::used, clang::export_name("salu_ask")]] const char* salu_ask(const char* question, std::size_t bytes) {
  // Texts of programs may have any bytes, but the answer must be UTF-8.
  last_answer = salu::playground::guarded({question, bytes})
                    .dump(-1, ' ', false, salu::playground::Json::error_handler_t::replace);
  return last_answer.data();
}
[[gnu::used, clang::export_name("salu_answer_bytes")]] std::size_t salu_answer_bytes() { return last_answer.size(); }

}  // extern "C"
