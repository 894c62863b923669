#pragma once

#include <salu/proof.hpp>

#include <chrono>
#include <optional>
#include <vector>

#include "equiv/place.hpp"
#include "proof/solvers.hpp"
#include "proof/terms.hpp"

namespace salu::equiv {

/// Somebody wants the proof to end (`EquivalenceOptions::is_cancelled`): thrown out of wherever it is.
struct Cancelled {};

/// Which inputs fulfil conditions: what rewriting has made of them, some inputs, then solvers are asked.
class Questions {
 public:
  using Clock = std::chrono::steady_clock;
  using TermId = proof::TermId;

  /// All must outlive it. More inputs may come.
  Questions(proof::Terms& terms, const std::vector<Input>& inputs, const ProofOptions& options, ProofReport& report)
      : terms_(terms), inputs_(inputs), options_(options), report_(report), solvers_(options.memory_mib) {}

  /// Inputs that do not fulfil it are none.
  void assume(TermId condition) { allowed_ = terms_.bit_and(allowed_, condition); }
  [[nodiscard]] TermId allowed() const { return allowed_; }

  /// By when everything has to be answered.
  void end_at(Clock::time_point end) { end_ = end; }
  [[nodiscard]] double seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

  void end_if_cancelled() const {
    if (options_.compare.is_cancelled && options_.compare.is_cancelled()) throw Cancelled();
  }

  /// Whether an input that is allowed fulfils a condition; yes where nobody knows. This takes little time.
  bool is_feasible(TermId condition);
  /// An input that is allowed and fulfils a condition, for as long as there is time, or `least_seconds`.
  proof::SolverAnswer find(TermId condition);
  proof::SolverAnswer find(TermId condition, double seconds);
  /// The same among inputs that are tried: a value of each.
  std::optional<std::vector<u64>> find_sample(TermId condition);

  /// Solvers that are not installed.
  [[nodiscard]] const std::vector<std::string>& missing() const { return solvers_.missing(); }

  /// The last question gets so many seconds, whatever is left.
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
