#pragma once

#include <salu/fidelity.hpp>
#include <salu/outcome.hpp>

#include <optional>

#include "core/machine.hpp"
#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "observe/undefined/follower.hpp"

namespace salu::observe {

/// True if results on hardware may differ: a clock, a reciprocal.
bool has_approximate_results(const isa::Instruction& instruction);
bool has_approximate_results(const isa::vector::Instruction& instruction);

/// True if it is to be reported.
bool is_told(const Fidelity& fidelity, FidelityReport asked);

/// The instructions that a machine has executed, by fidelity, if requested.
std::optional<Fidelity> find_fidelity(const core::Machine& machine, FidelityReport asked);

/// `FidelityReport::followed`: finds state that depends on inexact results.
class InexactFollower : public undefined::Follower {
 public:
  explicit InexactFollower(core::Machine& machine) : Follower(machine, undefined::State::of_inexact()) {}
  /// The parts of the run so far that depend on inexact results.
  [[nodiscard]] Affected affected() const;
  /// Adds them to an outcome with fidelity data.
  void end(const RunOptions& options, Outcome& outcome) override;
};

/// Adds the instructions that a later wave has executed.
void merge(std::optional<Fidelity>& all, std::optional<Fidelity>&& later);

}  // namespace salu::observe
