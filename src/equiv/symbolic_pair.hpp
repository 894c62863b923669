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

/// Describes the place and the reason where a path was not followed further.
ProofObstacle describe_ending(const Program& program, const proof::Ending& ending);

/// A place that is not compared, with the condition under which it differs.
struct UncomparedPlace {
  std::string why;
  proof::TermId differs = 0;
};

/// Both programs of a comparison, executed symbolically over its inputs, and the terms of its outputs.
class SymbolicPair {
 public:
  using TermId = proof::TermId;

  /// All referenced objects must outlive it.
  SymbolicPair(const ComparedPrograms& compared, proof::Terms& terms, Questions& questions);

  /// Restricts the inputs to those for which an expression over A's initial state is true. Returns the unsupported
  /// part, if any.
  std::optional<std::string> assume(const expr::Expression& expression);

  /// The assumptions of the verdict, in addition to ranges of inputs and `assume`.
  [[nodiscard]] std::vector<std::string> assumptions() const;

  /// Executes both programs. Unset registers become inputs when they are first read.
  void follow(const proof::ExecutionLimits& limits);
  /// Executes one of the programs.
  proof::Paths follow(std::size_t side, const proof::ExecutionLimits& limits);

  [[nodiscard]] const proof::Terms& terms() const { return terms_; }
  [[nodiscard]] std::vector<proof::Ending>& endings(std::size_t side) { return paths_[side].endings; }
  /// The most iterations of a loop whose count depends on inputs.
  [[nodiscard]] u32 rounds() const { return std::max(paths_[0].rounds, paths_[1].rounds); }
  /// The condition under which either ends in a way that cannot be compared: `cut` or `unknown`.
  TermId left_out(proof::Ending::Kind kind);
  /// True if both end on some path.
  [[nodiscard]] bool both_end() const;
  /// The condition under which they differ, if both end.
  TermId difference();
  /// Results of the programs that `difference` does not compare.
  [[nodiscard]] std::vector<UncomparedPlace> uncompared();
  /// Unset registers that were read and cannot be varied; they are assumed to be 0.
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
