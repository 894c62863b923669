#pragma once

#include <salu/proof.hpp>

#include <chrono>
#include <optional>
#include <vector>

#include "equiv/place.hpp"
#include "proof/solvers.hpp"
#include "proof/terms.hpp"

namespace salu::equiv {

/// The exception for a cancelled proof (`EquivalenceOptions::is_cancelled`).
struct Cancelled {};

/// Finds inputs that satisfy conditions: by rewriting, by trying samples, then with solvers.
class Questions {
 public:
  using Clock = std::chrono::steady_clock;
  using TermId = proof::TermId;

  /// All referenced objects must outlive it. Inputs may be added later.
  Questions(proof::Terms& terms, const std::vector<Input>& inputs, const ProofOptions& options, ProofReport& report)
      : terms_(terms), inputs_(inputs), options_(options), report_(report), solvers_(options.memory_mib) {}

  /// Restricts the allowed inputs by a condition.
  void assume(TermId condition) { allowed_ = terms_.bit_and(allowed_, condition); }
  [[nodiscard]] TermId allowed() const { return allowed_; }

  /// Sets the deadline of all queries.
  void end_at(Clock::time_point end) { end_ = end; }
  [[nodiscard]] double seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

  void end_if_cancelled() const {
    if (options_.compare.is_cancelled && options_.compare.is_cancelled()) throw Cancelled();
  }

  /// True if an allowed input satisfies a condition, or if this is unknown. Takes little time.
  bool is_feasible(TermId condition);
  /// Finds an allowed input that satisfies a condition, within the remaining time, but at least `least_seconds`.
  proof::SolverAnswer find(TermId condition);
  proof::SolverAnswer find(TermId condition, double seconds);
  /// Finds such an input among samples, and returns the values of all inputs.
  std::optional<std::vector<u64>> find_sample(TermId condition);

  /// Solvers that are not installed.
  [[nodiscard]] const std::vector<std::string>& missing() const { return solvers_.missing(); }

  /// The minimum time of the last query in seconds.
  static constexpr double least_seconds = 1;

 private:
  u64 draw();
  proof::SolverAnswer ask(TermId condition, double seconds);
  proof::SolverAnswer put(TermId condition, bool products_are_functions, double seconds);

  static constexpr std::size_t sample_count = 64;

  proof::Terms& terms_;
  const std::vector<Input>& inputs_;
  const ProofOptions& options_;
  ProofReport& report_;
  proof::Solvers solvers_;
  Clock::time_point end_;
  TermId allowed_ = terms_.yes();
  std::vector<std::vector<u64>> samples_;
  u64 drawn_ = 1;
};

}  // namespace salu::equiv
