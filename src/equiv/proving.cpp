#include <salu/proof.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "equiv/covering.hpp"
#include "equiv/explanation.hpp"
#include "equiv/own_memory.hpp"
#include "equiv/same_code.hpp"
#include "equiv/symbolic_pair.hpp"
#include "equiv/vector_names.hpp"
#include "observe/one_wave.hpp"
#include "support/numbers.hpp"

/// Proofs: after a comparison on some inputs, both programs are executed symbolically and compared for all inputs.
namespace salu {
namespace equiv {
namespace {

using proof::Ending;
using proof::SolverAnswer;
using proof::TermId;

/// A limit, because longer times overflow the clock.
constexpr double most_seconds = 1e9;
/// The additional share of the time limit for trying all inputs at the end.
constexpr double share_of_trying = 0.25;
/// The time limit of shrinking a counterexample.
constexpr double shrink_seconds = 10;
/// If the proof fails, inputs with at most this many bits in total are tried exhaustively.
constexpr u32 most_bits_to_try = 32;

/// An attempt with a number of rounds. If many rounds take too long, fewer are tried, each until a share of the time
/// has passed.
struct Attempt {
  u32 rounds;
  double share;
};
constexpr std::array<Attempt, 3> attempts = {{{~u32{0}, 0.6}, {8, 0.85}, {2, 1}}};

/// The exception that aborts a proof when limits are exceeded inside of term operations, after regular checks failed to
/// stop it.
struct Spent {
  const char* what;
};
/// The factor by which the memory limit may be exceeded before that.
constexpr u64 times_memory = 2;

class Proof {
 public:
  Proof(const ComparedPrograms& compared, const ProofOptions& options, ProofReport& report)
      : compared_(compared),
        options_(options),
        report_(report),
        questions_(terms_, compared.inputs, options, report),
        pair_(compared, terms_, questions_) {
    questions_.end_at(end_of(1));
    terms_.watch([this, latest = end_of(1 + share_of_trying) + std::chrono::seconds(1)] {
      questions_.end_if_cancelled();
      if (Clock::now() > latest) throw Spent{"the time limit was reached"};
      if (terms_.bytes() > times_memory * (options_.memory_mib << 20)) throw Spent{"the memory limit was reached"};
    });
  }

  void run() {
    try {
      prove();
    } catch (const Spent& spent) {
      terms_.watch({});
      report_.verdict = ProofVerdict::gave_up;
      report_.obstacles.push_back({{}, {}, spent.what});
      are_complete_ = false;
      // Omit a table that is not complete.
      if (report_.covered && report_.covered->table.empty()) report_.covered.reset();
    }
  }

  /// The inputs on which a difference of the programs depends.
  [[nodiscard]] std::set<u32> decisive_inputs() const {
    if (are_complete_) return proof::inputs_of(terms_, asked_);
    // If a path was not followed, all inputs may matter.
    std::set<u32> numbers;
    for (u32 number = 0; number < compared_.inputs.size(); ++number) numbers.insert(number);
    return numbers;
  }

  /// Removes inputs that are only stored, as lanes of registers that are spilled as a whole.
  void drop_unused_inputs() {
    const std::set<u32> used = proof::inputs_of(terms_, asked_);
    for (std::size_t i = compared_.inputs.size(); i-- > known_inputs_;) {
      if (!used.contains(static_cast<u32>(i)))
        compared_.inputs.erase(compared_.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

 private:
  using Clock = Questions::Clock;
  [[nodiscard]] Clock::time_point end_of(double share) const {
    const double seconds = std::min(options_.seconds, most_seconds) * share;
    return start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  proof::ExecutionLimits limits(u32 rounds) {
    proof::ExecutionLimits limits;
    limits.rounds = rounds;
    limits.is_over = [this] { return questions_.seconds_left() <= 0; };
    limits.most_term_bytes = options_.memory_mib << 20;
    return limits;
  }

  void prove() {
    questions_.end_if_cancelled();
    for (const expr::Expression& expression : compared_.assumptions.expressions()) {
      report_.assumptions.push_back(expression.text());
      const auto problem = pair_.assume(expression);
      if (problem) report_.obstacles.push_back({"--assume", expression.text(), *problem});
    }
    for (std::string& text : pair_.assumptions()) report_.assumptions.push_back(std::move(text));
    // Without any input, everything would be true.
    if (report_.obstacles.empty() && !questions_.is_feasible(terms_.yes()))
      report_.obstacles.push_back({{}, {}, "no input satisfies the assumptions"});
    if (!report_.obstacles.empty()) return;
    if (options_.cover) cover();
    if (compared_.report.difference) return;
    if (std::optional<std::vector<std::string>> assumed = find_same_code(compared_)) {
      report_.verdict = ProofVerdict::proved;
      report_.how = "same code";
      std::ranges::move(*assumed, std::back_inserter(report_.assumptions));
      return;
    }
    for (std::size_t number = 0; number < attempts.size(); ++number) {
      if (try_rounds(number)) return;
    }
  }

  void cover() {
    questions_.end_at(end_of(attempts[0].share));
    make_table(compared_, pair_, questions_, limits(options_.rounds), report_.covered.emplace());
  }

  /// Makes an attempt; each follows loops for fewer rounds. Returns false if the next attempt should be made.
  bool try_rounds(std::size_t number) {
    const u32 rounds = std::min(options_.rounds, attempts[number].rounds);
    const bool is_last = number + 1 == attempts.size();
    questions_.end_at(end_of(attempts[number].share));
    pair_.follow(limits(rounds));
    const bool could_be_fewer = !is_last && pair_.rounds() > attempts[number + 1].rounds;
    if (!could_be_fewer) questions_.end_at(end_of(1));
    ProofReport attempt;
    judge_endings(attempt, rounds);
    const bool is_decided = attempt.verdict != ProofVerdict::gave_up;
    // The obstacles of the first attempt are the most useful.
    if (is_decided || number == 0) {
      report_.verdict = attempt.verdict;
      report_.how = std::move(attempt.how);
      report_.rounds = attempt.rounds;
      report_.obstacles = std::move(attempt.obstacles);
    }
    return is_decided || !could_be_fewer;
  }

  void judge_endings(ProofReport& attempt, u32 rounds) {
    const TermId cut = pair_.left_out(Ending::Kind::cut);
    const TermId unknown = pair_.left_out(Ending::Kind::unknown);
    asked_ = {questions_.allowed(), cut, unknown};
    are_complete_ = terms_.is_constant(cut, 0) && terms_.is_constant(unknown, 0);
    if (pair_.both_end()) {
      const TermId compared = terms_.bit_not(terms_.bit_or(unknown, cut));
      const TermId bad = terms_.bit_and(compared, pair_.difference());
      const std::vector<UncomparedPlace> uncompared = pair_.uncompared();
      asked_.push_back(bad);
      if (ask(bad, attempt)) return;
      for (const UncomparedPlace& place : uncompared) {
        const TermId differs = terms_.bit_and(compared, place.differs);
        asked_.push_back(differs);
        if (attempt.obstacles.empty() && questions_.is_feasible(differs))
          attempt.obstacles.push_back({{}, {}, place.why});
      }
    }
    note_unknown_ways(attempt);
    for (const std::string& name : pair_.fixed_registers())
      attempt.obstacles.push_back({{}, {}, name + " is read, but it is not set and cannot be varied"});
    // It would also be true if there were no input at all.
    if (attempt.obstacles.empty() && !(pair_.both_end() && questions_.is_feasible(terms_.bit_not(cut))))
      attempt.obstacles.push_back({{}, {}, fmt::format("no input leaves its loops within {} rounds", rounds)});
    if (!attempt.obstacles.empty()) return;
    attempt.verdict = questions_.is_feasible(cut) ? ProofVerdict::proved_in_rounds : ProofVerdict::proved;
    attempt.rounds = rounds;
  }

  /// Queries the solvers for inputs on which the programs differ. Returns true if they differ on one.
  bool ask(TermId bad, ProofReport& attempt) {
    SolverAnswer answer = questions_.find(terms_.bit_and(bad, others_keep_their_values()));
    if (answer.kind == SolverAnswer::Kind::sometimes && replay(answer, attempt)) return true;
    if (answer.kind == SolverAnswer::Kind::never && compared_.names_inputs) {
      // On hardware, registers that are not named may have any value.
      answer = questions_.find(bad);
      if (answer.kind != SolverAnswer::Kind::never)
        return attempt.obstacles.push_back({{}, {}, unnamed_inputs()}), false;
    }
    if (answer.kind == SolverAnswer::Kind::unknown) {
      attempt.obstacles.push_back({{}, {}, answer.why});
      for (const std::string& name : questions_.missing())
        attempt.obstacles.push_back({{}, {}, name + " is not installed"});
    }
    attempt.how = answer.by;
    return false;
  }

  /// With named inputs: the condition that every other register that is read holds 0.
  TermId others_keep_their_values() {
    TermId all = terms_.yes();
    for (std::size_t i = known_inputs_; compared_.names_inputs && i < compared_.inputs.size(); ++i) {
      const u32 bits = compared_.inputs[i].bits;
      all = terms_.bit_and(all, terms_.equal(terms_.input(bits, static_cast<u32>(i)), terms_.constant(bits, 0)));
    }
    return all;
  }

  [[nodiscard]] std::string unnamed_inputs() const {
    std::vector<std::string> names;
    const std::set<u32> used = proof::inputs_of(terms_, asked_);
    for (std::size_t i = known_inputs_; i < compared_.inputs.size(); ++i) {
      if (used.contains(static_cast<u32>(i))) names.push_back(compared_.inputs[i].place.name);
    }
    std::string text;
    for (const std::string& name : with_whole_vectors(names)) text += (text.empty() ? "" : ", ") + name;
    return text + " may be read, and the programs may differ for values other than 0; name them with --inputs or --set";
  }

  /// Runs both programs on a counterexample. Returns true if they differ; otherwise adds an obstacle.
  bool replay(const SolverAnswer& answer, ProofReport& attempt) {
    std::vector<u64> values(compared_.inputs.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = compared_.inputs[i].first;
    for (const auto& [number, value] : answer.inputs) values[number] = value & low_bits(compared_.inputs[number].bits);
    compared_.pair.use(compared_.inputs);
    std::optional<Judgement> judgement;
    if (compared_.pair.run(values, Deadline())) judgement = judge_runs(compared_.pair, compared_.outputs, Deadline());
    if (!judgement || !judgement->differs()) {
      const bool is_left_out = judgement && judgement->why == own_memory_is_input;
      attempt.obstacles.push_back({{},
                                   {},
                                   "a counterexample of " + answer.by +
                                       (is_left_out ? " that is skipped: " + std::string(own_memory_is_input)
                                                    : " on which the programs do not differ")});
      return false;
    }
    ++compared_.report.states;
    compared_.report.difference =
        explain(compared_.pair, compared_.outputs, {compared_.report.states, {}, values, judgement->kind},
                Deadline(shrink_seconds, options_.compare.is_cancelled));
    attempt.verdict = ProofVerdict::different;
    attempt.how = answer.by;
    return true;
  }

  void note_unknown_ways(ProofReport& attempt) {
    for (const std::size_t side : both_sides) {
      for (const Ending& ending : pair_.endings(side)) {
        if (ending.kind != Ending::Kind::unknown || !questions_.is_feasible(ending.condition)) continue;
        ProofObstacle obstacle = describe_ending(compared_.pair.sides()[side].scenario().program, ending);
        obstacle.place.insert(0, side == 0 ? "A " : "B ");
        attempt.obstacles.push_back(std::move(obstacle));
      }
    }
  }

  const ComparedPrograms& compared_;
  const ProofOptions& options_;
  ProofReport& report_;
  std::size_t known_inputs_ = compared_.inputs.size();  ///< from the runs; later ones were found symbolically
  Clock::time_point start_ = Clock::now();
  proof::Terms terms_;
  Questions questions_;
  SymbolicPair pair_;
  std::vector<TermId> asked_;  ///< the conditions on which the last verdict depends
  bool are_complete_ = false;  ///< true if `asked_` is complete
};

/// True if the verdict is not known for all inputs.
bool is_open(ProofVerdict verdict) {
  return verdict == ProofVerdict::gave_up || verdict == ProofVerdict::proved_in_rounds;
}

/// Returns texts for --exhaustive with all values of the inputs that matter, if these are few enough.
std::vector<std::string> all_values(const std::vector<Input>& inputs, const std::set<u32>& decisive) {
  std::vector<std::string> texts;
  double bits = 0;
  for (const u32 number : decisive) {
    const Input& input = inputs[number];
    // Not for memory and for ranges that wrap around.
    if (input.place.is_memory || input.span > low_bits(input.bits) - input.first) return {};
    bits += std::log2(static_cast<double>(input.span) + 1);
    texts.push_back(fmt::format("{}={}..{}", input.place.name, input.first, input.first + input.span));
  }
  if (bits > most_bits_to_try) texts.clear();
  return texts;
}

}  // namespace
}  // namespace equiv

std::string_view proof_verdict_name(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::proved:
      return "proved";
    case ProofVerdict::proved_by_trying:
      return "proved_by_trying";
    case ProofVerdict::proved_in_rounds:
      return "proved_in_rounds";
    case ProofVerdict::different:
      return "different";
    case ProofVerdict::gave_up:
      break;
  }
  return "gave_up";
}

Result<ProofReport> prove_programs(const Scenario& a, const Scenario& b, const ProofOptions& options) {
  if (!std::isfinite(options.seconds) || options.seconds <= 0)
    return Error{ErrorCode::usage, {"--max-time"}, "expected a number above 0", {}};
  for (const Scenario* const side : {&a, &b}) {
    if (std::optional<Error> problem = observe::find_waves_problem(*side)) return *std::move(problem);
  }
  ProofReport report;
  std::vector<std::string> all;
  std::vector<std::string> irrelevant;  // inputs that do not matter
  bool is_cancelled = false;
  const auto go_on = [&](const equiv::ComparedPrograms& compared) {
    if (compared.report.difference && !options.cover) return;
    equiv::Proof proof(compared, options, report);
    try {
      proof.run();
    } catch (const equiv::Cancelled&) {
      is_cancelled = true;
      report.verdict = ProofVerdict::gave_up;
      report.obstacles = {{{}, {}, "cancelled"}};
    }
    if (!equiv::is_open(report.verdict) || compared.report.difference || is_cancelled) {
      if (!compared.report.difference) proof.drop_unused_inputs();
      return;
    }
    const std::set<u32> decisive = proof.decisive_inputs();
    all = equiv::all_values(compared.inputs, decisive);
    for (u32 number = 0; number < compared.inputs.size(); ++number) {
      const equiv::Input& input = compared.inputs[number];
      if (!decisive.contains(number) && !input.place.is_memory) irrelevant.push_back(input.place.name);
    }
    proof.drop_unused_inputs();
  };
  Result<EquivalenceReport> compared = equiv::compare(a, b, options.compare, go_on);
  if (!compared) return std::move(compared).error();
  report.compared = std::move(*compared);
  if (report.compared.difference) {
    report.verdict = ProofVerdict::different;
    if (report.how.empty()) report.how = "trying some";
    report.obstacles.clear();
    return report;
  }
  if (!equiv::is_open(report.verdict) || all.empty()) return report;
  EquivalenceOptions whole = options.compare;
  whole.inputs = std::move(irrelevant);
  whole.exhaustive = all;
  whole.seconds = options.seconds * equiv::share_of_trying;
  Result<EquivalenceReport> tried = compare_programs(a, b, whole);
  if (!tried) return report;
  // Not proved if registers may be read that no run has varied.
  const bool is_whole = tried->verdict == Verdict::equal && !tried->depends_on_others;
  if (!is_whole && tried->verdict != Verdict::different) return report;
  report.verdict = tried->difference ? ProofVerdict::different : ProofVerdict::proved_by_trying;
  report.how = "trying all";
  report.obstacles.clear();
  report.compared = std::move(*tried);
  return report;
}

}  // namespace salu
