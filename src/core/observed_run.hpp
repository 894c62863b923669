#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/accesses.hpp"
#include "core/machine.hpp"

namespace salu::core {

/// What is known of a wave's registers beside their values.
struct Tracking {
  DefinedSet defined;  ///< written by somebody
  DefinedSet missing;  ///< what vector instructions that were passed over would have written, and what came of it
  std::array<u64, defined_index::count> culprits{};  ///< by `missing`: where that vector instruction is
};

/// Runs a machine one instruction at a time, through the same handlers, and looks at each: for traces and
/// `check_undefined`, and where a vector instruction that is passed over leaves scalar registers undefined.
class ObservedRun {
 public:
  struct Options {
    bool check_undefined = false;
    std::function<void(const TraceEvent&)> trace;
  };
  /// Goes on from where the machine is. `defined`: what had been written before its first step.
  ObservedRun(Machine& machine, Options options, const DefinedSet& defined);

  /// Until the machine has executed so many instructions since `set_state`, or stops.
  void run(u64 max_steps);
  /// One instruction. Returns how many were executed: none where the run ended in front of it.
  u64 step();

  [[nodiscard]] const DefinedSet& missing() const { return tracking_.missing; }
  [[nodiscard]] const Tracking& tracking() const { return tracking_; }
  /// Whom the next instructions are shown to; nobody when it is empty.
  void set_trace(std::function<void(const TraceEvent&)> trace) { options_.trace = std::move(trace); }
  /// For a machine that has been taken elsewhere.
  void set_tracking(const Tracking& tracking) { tracking_ = tracking; }

 private:
  [[nodiscard]] std::vector<u32> indices(const Location& location) const {
    return defined_indices(machine_.generation(), location);
  }
  [[nodiscard]] std::optional<u64> find_missing(const Accesses& accesses) const;
  void set_missing(u32 index, std::optional<u64> culprit);
  void lose_results(u64 pc);
  void warn_of_missing(u64 pc, const Accesses& accesses, u64 culprit);
  void check_reads(u64 pc, const Accesses& accesses);
  [[nodiscard]] std::vector<LocationValue> values_at(const std::vector<Location>& locations) const;
  [[nodiscard]] std::string text_of(const std::vector<LocationValue>& values) const;
  [[nodiscard]] u32 csp() const { return machine_.mode >> mode_bit::csp; }
  [[nodiscard]] u64 register_pair(u32 code) const { return machine_.peek(code) | u64{machine_.peek(code + 1)} << 32; }
  void report(u64 pc, const isa::Instruction& instruction, const std::vector<LocationValue>& reads,
              const std::vector<Location>& locations, std::string note, std::size_t warnings_before) const;
  [[nodiscard]] std::vector<Location> written(const isa::Instruction& instruction, const Accesses& accesses,
                                              u32 csp_before) const;
  [[nodiscard]] std::string stack_note(const isa::Instruction& instruction, u32 csp_before) const;

  Machine& machine_;
  Options options_;
  Tracking tracking_;
};

}  // namespace salu::core
