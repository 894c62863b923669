#include <salu/proof.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/assembler.hpp"
#include "equiv/comparison.hpp"
#include "equiv/draw.hpp"
#include "equiv/questions.hpp"
#include "equiv/symbolic_pair.hpp"
#include "fuzz/fuzzing.hpp"

/// Input: a generation, the options, and the texts of two programs with a line `---` between them; lines that do not
/// assemble are omitted. Results that are proved without a solver must agree with the machine: programs that are proved
/// equal do not differ on random inputs, a difference is visible when it is run, the formulas of both programs have the
/// values of runs for random inputs, and a table that covers a program passes.
namespace salu::fuzzing {
namespace {

constexpr u64 seed = 0x51;
constexpr u32 most_rounds = 4;
// A program that ends within this number of symbolic steps ends within the limit of a run.
constexpr u64 most_symbolic_steps = 1500;
constexpr u64 most_steps = 2000;

/// The words of a text without its invalid lines, followed by an end.
std::vector<u32> words_of(std::string_view text, Generation generation) {
  constexpr u32 most_attempts = 4;
  constexpr std::size_t most_lines = 40;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size() && lines.size() < most_lines;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  assembler::Options options;
  options.generation = generation;
  options.base = 0x1000;
  options.most_words = 64;
  constexpr u32 end_program = 0xbf810000;
  for (u32 attempt = 0; attempt < most_attempts; ++attempt) {
    std::string whole;
    for (const std::string& line : lines) whole += line + "\n";
    assembler::Assembly assembly = assembler::assemble(whole, options);
    if (assembly.errors.empty()) {
      assembly.words.push_back(end_program);
      return std::move(assembly.words);
    }
    // A branch to a label in an omitted line is invalid the next time.
    for (const Error& error : assembly.errors) {
      if (error.where.line >= 1 && error.where.line <= lines.size()) lines[error.where.line - 1].clear();
    }
  }
  return {end_program};
}

Scenario scenario_of(std::string_view text, Generation generation, const std::string& name) {
  std::string words;
  for (const u32 word : words_of(text, generation)) words += (words.empty() ? "" : ", ") + std::to_string(word);
  const std::string yaml = "target: " + std::string(generation_name(generation)) + "\ncode: {words: [" + words +
                           "]}\nregisters: {\"s[2:3]\": 0x10000, vcc: 0}\n"
                           "memory: [{at: 0x10000, words: [3, 1, 4, 1, 0, 0xffffffff, 2, 0x80000000], access: rw}]\n"
                           "limits: {steps: " +
                           std::to_string(most_steps) + "}\n";
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, name);
  require(loaded.size() == 1 && loaded.front().has_value(), "words that assembled are a program",
          [&] { return yaml + loaded.front().error().to_string(); });
  return std::move(*loaded.front());
}

ProofOptions options_of(u8 how) {
  ProofOptions options;
  options.compare.outputs = {"s0", "s1", "s4", "s5", "scc", "v0", "memory"};
  if ((how & 1) != 0) options.compare.outputs = {"s[0:1]"};
  if ((how & 2) != 0) options.compare.inputs = {"s0=1..9", "s1", "memory.0x10000:4"};
  if ((how & 4) != 0) options.compare.assume = {"s0 < s1"};
  // Differences that few states do not find are left to rewriting.
  options.compare.states = 2;
  options.compare.max_steps = most_steps;
  options.compare.seed = seed;
  // The progress depends on time, but the correctness of results does not.
  options.seconds = 0.1;
  options.rounds = most_rounds;
  options.memory_mib = 64;
  return options;
}

std::string describe(const Scenario& a, const Scenario& b) {
  std::string text;
  for (const Scenario* const side : {&a, &b}) text += hex_words(side->program.code[0].words) + "\n";
  return text;
}

/// The formulas of both programs have the same values as runs.
void check_formulas(const equiv::ComparedPrograms& compared, const ProofOptions& options, const std::string& programs) {
  constexpr u64 states = 16;
  ProofReport report;
  proof::Terms terms;
  equiv::Questions questions(terms, compared.inputs, options, report);
  equiv::SymbolicPair pair(compared, terms, questions);
  proof::ExecutionLimits limits;
  limits.rounds = most_rounds;
  limits.steps = most_symbolic_steps;
  limits.most_term_bytes = u64{32} << 20;
  pair.follow(limits);
  if (!pair.both_end()) return;
  using Kind = proof::Ending::Kind;
  const proof::TermId left_out = terms.bit_or(pair.left_out(Kind::cut), pair.left_out(Kind::unknown));
  const proof::TermId difference = pair.difference();
  compared.pair.use(compared.inputs);
  equiv::Draw draw(seed, {});
  std::vector<u64> values(compared.inputs.size());
  for (u64 state = 0; state < states; ++state) {
    draw.fill(compared.inputs, state, values);
    proof::Evaluation evaluation(terms, values);
    if (evaluation.value(left_out) != 0) continue;
    require(compared.pair.run(values, equiv::Deadline()), "a run without a deadline ends");
    const equiv::Judgement judgement = equiv::judge(compared.pair.a(), compared.pair.b(), compared.outputs);
    if (judgement.kind == equiv::Judgement::Kind::not_assumed) continue;
    const bool differs = evaluation.value(difference) != 0;
    require(judgement.kind != equiv::Judgement::Kind::skipped && judgement.differs() == differs,
            "formulas say what runs say", [&] {
              std::string text = programs + (differs ? "they differ" : "they do not") + " over symbols, and: ";
              text += judgement.differs() ? "they differ" : "they do not";
              text += std::string(judgement.why) + "\n";
              for (std::size_t i = 0; i < values.size(); ++i)
                text += compared.inputs[i].place.name + " = " + std::to_string(values[i]) + "\n";
              return text;
            });
  }
}

void check_table(const std::string& table) {
  for (const Result<Scenario>& scenario : load_yaml(table, "table.yaml")) {
    require(scenario.has_value(), "a table of cases loads", [&] { return table + scenario.error().to_string(); });
    for (std::size_t row = 0; scenario->cases && row < scenario->cases->rows(); ++row) {
      const Scenario alone = case_scenario(*scenario, row);
      const Outcome outcome = run(alone, alone.options);
      require(check(alone.expect.value_or(Expectation{}), outcome).empty(), "a row of the table holds",
              [&] { return table + "row " + std::to_string(row); });
    }
  }
}

/// The verdict about two programs is true.
void check_verdict(const Scenario& a, const Scenario& b, const ProofOptions& options, const ProofReport& report,
                   const std::string& programs) {
  const auto detail = [&] { return programs + proof_text(report); };
  switch (report.verdict) {
    case ProofVerdict::proved:
    case ProofVerdict::proved_by_trying: {
      EquivalenceOptions more = options.compare;
      more.seed = seed + 1;
      more.states = 64;
      const Result<EquivalenceReport> compared = compare_programs(a, b, more);
      require(compared && !compared->difference, "programs that are proved equal do not differ",
              [&] { return detail() + (compared ? equivalence_text(*compared) : compared.error().to_string()); });
      return;
    }
    case ProofVerdict::different: {
      require(report.compared.difference && !report.compared.difference->outputs.empty(), "a difference is shown",
              detail);
      require(report.compared.difference->reproducer_problem.empty(), "a difference shows when it is run",
              [&] { return detail() + report.compared.difference->reproducer; });
      return;
    }
    case ProofVerdict::gave_up:
      require(!report.obstacles.empty(), "the obstacles are reported", detail);
      return;
    case ProofVerdict::proved_in_rounds:
      return;
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  // No solver is found in an empty PATH.
  [[maybe_unused]] static const int set = setenv("PATH", "", 1);
  fuzzing::Bytes input(data, size);
  const Generation generation = input.take_generation();
  const u8 how = input.take8();
  const std::string_view text = input.take_text();
  constexpr std::string_view between = "\n---\n";
  const std::size_t middle = text.find(between);
  const Scenario a = fuzzing::scenario_of(text.substr(0, middle), generation, "a.yaml");
  const Scenario b = middle == std::string_view::npos
                         ? a
                         : fuzzing::scenario_of(text.substr(middle + between.size()), generation, "b.yaml");
  const std::string programs = fuzzing::describe(a, b);
  ProofOptions options = fuzzing::options_of(how);
  const auto check = [&](const equiv::ComparedPrograms& compared) {
    fuzzing::check_formulas(compared, options, programs);
  };
  const Result<EquivalenceReport> compared = equiv::compare(a, b, options.compare, check);
  fuzzing::require(compared.has_value(), "two programs can be compared",
                   [&] { return programs + compared.error().to_string(); });

  options.cover = (how & 8) != 0;
  const Result<ProofReport> report = prove_programs(a, b, options);
  fuzzing::require(report.has_value(), "there is a verdict", [&] { return programs + report.error().to_string(); });
  fuzzing::require(!proof_text(*report).empty() && !proof_json(*report).empty(), "a verdict can be printed");
  fuzzing::check_verdict(a, b, options, *report, programs);
  if (report->covered) fuzzing::check_table(report->covered->table);
  return 0;
}
