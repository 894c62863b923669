#include "equiv/covering.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "equiv/reproducer.hpp"
#include "support/numbers.hpp"

namespace salu::equiv {
namespace {

using proof::SolverAnswer;
using proof::TermId;
using proof::Turn;

/// The limit of visits of a branch in a loop that are tried.
constexpr std::size_t most_visits = 16;

std::string describe(const Program& program, const Turn& turn) {
  const char* const what = turn.kind == Turn::Kind::branch ? (turn.is_yes ? "branch taken" : "branch not taken")
                                                           : (turn.is_yes ? "scc 1" : "scc 0");
  return fmt::format("{} ({})", what, program.describe_place(turn.pc));
}

class Covering {
 public:
  Covering(const ComparedPrograms& compared, SymbolicPair& pair, Questions& questions, CoverReport& report)
      : compared_(compared), pair_(pair), questions_(questions), report_(report) {}

  void run(proof::ExecutionLimits limits) {
    const std::size_t known_inputs = compared_.inputs.size();
    limits.turn = [this](const Turn& turn) {
      std::vector<TermId>& visits = turns_[Turn{turn.pc, turn.kind, turn.is_yes}];
      if (visits.size() < most_visits && !pair_.terms().is_constant(turn.condition, 0))
        visits.push_back(turn.condition);
    };
    const proof::Paths paths = pair_.follow(0, limits);
    for (const proof::Ending& ending : paths.endings) {
      if (ending.kind == proof::Ending::Kind::end || !questions_.is_feasible(ending.condition)) continue;
      ProofObstacle obstacle = describe_ending(compared_.pair.a().scenario().program, ending);
      if (ending.kind == proof::Ending::Kind::cut)
        obstacle.why = fmt::format("more than {} of the loop", support::counted(limits.rounds, "round"));
      report_.not_followed.push_back(std::move(obstacle));
    }
    report_.turns = turns_.size();
    choose_inputs(known_inputs);
    for (const auto& [turn, visits] : turns_) cover(turn, visits);
    // A table must have a row: without branches there is a single path.
    if (rows_.empty()) add_row("any inputs", questions_.find(questions_.allowed(), Questions::least_seconds).inputs);
    report_.rows = rows_.size();
    report_.table = cases_scenario(compared_.pair.a(), rows_);
  }

 private:
  /// Chooses the inputs that runs have read, and those that decide a branch or SCC value. Other inputs are only stored,
  /// such as lanes of a register that is spilled as a whole.
  void choose_inputs(std::size_t known_inputs) {
    std::vector<TermId> conditions;
    for (const auto& [turn, visits] : turns_) conditions.insert(conditions.end(), visits.begin(), visits.end());
    const std::set<u32> decisive = proof::inputs_of(pair_.terms(), conditions);
    for (u32 number = 0; number < compared_.inputs.size(); ++number) {
      if (number >= known_inputs && !decisive.contains(number)) continue;
      numbers_.push_back(number);
      inputs_.push_back(compared_.inputs[number]);
    }
    compared_.pair.use(inputs_);
  }

  void cover(const Turn& turn, const std::vector<TermId>& visits) {
    const Program& program = compared_.pair.a().scenario().program;
    if (is_done(visits)) {
      ++report_.covered;
      return;
    }
    bool is_impossible = report_.not_followed.empty() && visits.size() < most_visits;
    for (const TermId condition : visits) {
      const SolverAnswer answer = questions_.find(condition, Questions::least_seconds);
      if (answer.kind == SolverAnswer::Kind::unknown) is_impossible = false;
      if (answer.kind != SolverAnswer::Kind::sometimes) continue;
      if (!add_row(describe(program, turn), answer.inputs)) {
        is_impossible = false;
        continue;
      }
      ++report_.covered;
      return;
    }
    (is_impossible ? report_.impossible : report_.left).push_back(describe(program, turn));
  }
  [[nodiscard]] bool is_done(const std::vector<TermId>& visits) {
    for (const std::vector<u64>& values : tried_) {
      proof::Evaluation evaluation(pair_.terms(), values);
      for (const TermId condition : visits) {
        if (evaluation.value(condition) != 0) return true;
      }
    }
    return false;
  }

  /// Runs the machine with these values of inputs, by number, and the first values of all others. Returns false if the
  /// run cannot be a row.
  bool add_row(const std::string& name, const std::vector<std::pair<u32, u64>>& given) {
    std::vector<u64> all;
    for (const Input& input : compared_.inputs) all.push_back(input.first);
    for (const auto& [number, value] : given) all[number] = value & low_bits(compared_.inputs[number].bits);
    std::vector<u64> values;
    for (const u32 number : numbers_) values.push_back(all[number]);
    // Only A runs, so that B does not extend A's step limit beyond that of all rows.
    if (!compared_.pair.run_a(values, Deadline())) return false;
    const Side& a = compared_.pair.a();
    if (!can_be_row(a)) return false;
    rows_.push_back(case_row(a, inputs_, compared_.outputs, name));
    tried_.push_back(std::move(all));
    return true;
  }

  const ComparedPrograms& compared_;
  SymbolicPair& pair_;
  Questions& questions_;
  CoverReport& report_;
  std::map<Turn, std::vector<TermId>> turns_;
  std::vector<u32> numbers_;             ///< numbers of the inputs that rows set
  std::vector<Input> inputs_;            ///< these inputs
  std::vector<std::vector<u64>> tried_;  ///< values of all inputs, by row
  std::vector<std::string> rows_;
};

}  // namespace

void make_table(const ComparedPrograms& compared, SymbolicPair& pair, Questions& questions,
                const proof::ExecutionLimits& limits, CoverReport& report) {
  Covering(compared, pair, questions, report).run(limits);
}

}  // namespace salu::equiv
