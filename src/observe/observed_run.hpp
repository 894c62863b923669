#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/machine.hpp"
#include "observe/accesses.hpp"
#include "observe/location_names.hpp"
#include "support/text_buffer.hpp"

namespace salu::observe {

/// What is known of a wave's registers beside their values.
struct Tracking {
  core::DefinedSet defined;  ///< written by somebody
  core::DefinedSet missing;  ///< what vector instructions that were passed over would have written, and what came of it
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
  ObservedRun(core::Machine& machine, Options options, const core::DefinedSet& defined);

  /// Until the machine has executed so many instructions since `set_state`, or stops.
  void run(u64 max_steps);
  /// One instruction. Returns how many were executed: none where the run ended in front of it.
  u64 step();

  [[nodiscard]] const core::DefinedSet& missing() const { return tracking_.missing; }
  [[nodiscard]] const Tracking& tracking() const { return tracking_; }
  /// Whom the next instructions are shown to; nobody when it is empty.
  void set_trace(std::function<void(const TraceEvent&)> trace) { options_.trace = std::move(trace); }
  /// For a machine that has been taken elsewhere.
  void set_tracking(const Tracking& tracking) { tracking_ = tracking; }

 private:
  /// An instruction as it stands at an address, with all that does not depend on the state.
  struct Known {
    std::array<u32, 2> words{};
    u32 word_count = 0;  ///< how many there were to look at
    isa::Instruction instruction;
    std::string text;          ///< for traces only
    bool fixed = false;        ///< the accesses are always these
    Accesses accesses;         ///< when `fixed`
    core::DefinedSet defines;  ///< when `fixed`
    bool decides = false;      ///< an undefined source makes more than the results undefined
    bool touches_csp = false;  ///< a fork or a join
    bool pushes = false;       ///< a fork
  };

  const Known* known_at(u64 pc);
  [[nodiscard]] Known look_at(std::span<const u32> words) const;
  [[nodiscard]] std::vector<u32> indices(const Location& location) const {
    return defined_indices(machine_.generation(), location);
  }
  [[nodiscard]] std::optional<u64> find_missing(const Accesses& accesses) const;
  void set_missing(u32 index, std::optional<u64> culprit);
  void define(const Known& known, std::span<const Location> writes, std::optional<u64> culprit);
  void lose_results(u64 pc);
  void warn_of_missing(u64 pc, const Accesses& accesses, u64 culprit);
  void check_reads(u64 pc, const Accesses& accesses);
  void read_values(std::span<const Location> locations, std::vector<LocationValue>& values) const;
  void write_text(std::span<const LocationValue> values, support::TextBuffer& text);
  [[nodiscard]] u32 csp() const { return machine_.mode >> mode_bit::csp; }
  [[nodiscard]] u64 register_pair(u32 code) const { return machine_.peek(code) | u64{machine_.peek(code + 1)} << 32; }
  void report(u64 pc, const Known& known, std::span<const Location> locations, std::string note,
              std::size_t warnings_before);
  [[nodiscard]] std::string stack_note(const Known& known, u32 csp_before) const;

  core::Machine& machine_;
  Options options_;
  Tracking tracking_;
  std::unordered_map<u64, Known> known_;  ///< by address
  u32 known_sgprs_ = 0;                   ///< allocated when `known_` was filled
  // What a step needs, kept so that none has to ask for memory.
  Accesses accesses_;
  std::vector<LocationValue> read_;
  std::vector<LocationValue> written_;
  support::TextBuffer reads_text_;
  support::TextBuffer writes_text_;
  LocationNames names_;
};

}  // namespace salu::observe
