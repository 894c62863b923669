#pragma once

#include <salu/proof.hpp>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "equiv/comparison.hpp"
#include "equiv/questions.hpp"
#include "proof/execution.hpp"

namespace salu::equiv {

/// Where a way of a program was not followed any further, and why.
ProofObstacle describe_ending(const Program& program, const proof::Ending& ending);

/// A place that is not compared, and when it differs.
struct UncomparedPlace {
  std::string why;
  proof::TermId differs = 0;
};

/// Both programs of a comparison, executed over symbols for its inputs, and what its outputs come to.
class SymbolicPair {
 public:
  using TermId = proof::TermId;

  /// All must outlive it.
  SymbolicPair(const ComparedPrograms& compared, proof::Terms& terms, Questions& questions);

  /// Takes only inputs for which an expression over A's start holds. Returns what of it cannot be said over symbols.
  std::optional<std::string> assume(const expr::Expression& expression);

  /// What the verdict holds under, beside ranges of inputs and `assume`.
  [[nodiscard]] std::vector<std::string> assumptions() const;

  /// Executes both. Unset registers become inputs when they are first read.
  void follow(const proof::ExecutionLimits& limits);
  /// Executes one of them.
  proof::Paths follow(std::size_t side, const proof::ExecutionLimits& limits);

  [[nodiscard]] const proof::Terms& terms() const { return terms_; }
  [[nodiscard]] std::vector<proof::Ending>& endings(std::size_t side) { return paths_[side].endings; }
  /// The most rounds of a loop that the inputs decide.
  [[nodiscard]] u32 rounds() const { return std::max(paths_[0].rounds, paths_[1].rounds); }
  /// When either ends in a way that cannot be compared: `cut` or `unknown`.
  TermId left_out(proof::Ending::Kind kind);
  /// Whether both come to an end on some way.
  [[nodiscard]] bool both_end() const;
  /// When they differ, where both come to an end.
  TermId difference();
  /// What the programs leave that `difference` does not compare.
  [[nodiscard]] std::vector<UncomparedPlace> uncompared();
  /// Unset registers that were read and cannot be varied: they are taken for 0.
  [[nodiscard]] std::vector<std::string> fixed_registers() const;

 private:
  [[nodiscard]] const Scenario& scenario(std::size_t side) const { return compared_.pair.sides()[side].scenario(); }
  void add_input(std::size_t number);
  void put(proof::SymbolicStart& start, const RegisterName& name, TermId symbol);
  void assume(TermId condition);
  std::optional<TermId> unset(std::size_t side, u32 index);

  template <class Value>
  TermId chosen(std::size_t side, const Value& value);
  template <class Value>
  TermId differs(const Value& value);
  TermId difference_of(const Output& output);
  TermId difference_of_memory();
  template <class Final, class First>
  TermId changes(const Final& final_value, const First& first_value);
  [[nodiscard]] std::vector<u64> written_addresses() const;
  [[nodiscard]] bool is_result(u64 address) const;
  [[nodiscard]] u64 number_of(StopReason reason) const;

  const ComparedPrograms& compared_;
  proof::Terms& terms_;
  Questions& questions_;
  std::array<proof::SymbolicStart, 2> starts_;
  std::array<std::map<u32, TermId>, 2> unset_;
  std::set<std::pair<std::size_t, u32>> fixed_;  ///< side and index of state
  std::array<proof::Paths, 2> paths_;
};

}  // namespace salu::equiv
