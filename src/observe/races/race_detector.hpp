#pragma once

#include <salu/run.hpp>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/machine.hpp"
#include "observe/races/clocks.hpp"
#include "observe/races/report.hpp"
#include "observe/races/shadow.hpp"

namespace salu::observe::races {

class GroupRaces;

/// The accesses to global memory of all waves of a launch, and the races that have been reported.
class RaceDetector {
 public:
  /// The arguments must outlive the object.
  RaceDetector(const Program& program, const RunOptions& options) : program_(program), options_(options) {}

  /// Sets memory that cannot have races: private or read-only. Must be called before the first work-group starts.
  void ignore(std::vector<MemoryRegion> regions) { global_ = Shadow(std::move(regions)); }
  /// Starts a work-group.
  std::unique_ptr<GroupRaces> add_group();

  /// A wave of a work-group, for reports.
  struct WaveInfo {
    u64 number = 0;
    std::string name;  ///< `wave 1 of work-group [2, 0, 0]`
    u32 group = 0;
  };
  WaveId add_wave(WaveInfo info);
  [[nodiscard]] const WaveInfo& wave(WaveId id) const { return waves_[id]; }

  [[nodiscard]] Shadow& global() { return global_; }
  /// The number of an instruction.
  u32 site_of(u64 pc);
  [[nodiscard]] u64 pc_of(u32 site) const { return sites_[site]; }
  [[nodiscard]] RacingAccess describe(const MemoryAccess& access) const;
  /// True the first time for two instructions, in any order.
  bool is_new(WarningKind kind, u64 pc, u64 other_pc);
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] std::span<const NamedMemory> named_memory() const { return options_.named_memory; }

 private:
  const Program& program_;
  const RunOptions& options_;
  Shadow global_{{}};
  std::vector<WaveInfo> waves_;  ///< by id
  u32 groups_ = 0;
  std::vector<u64> sites_;                     ///< addresses by number
  std::unordered_map<u64, u32> site_numbers_;  ///< by address
  struct Pair {
    WarningKind kind{};
    std::pair<u64, u64> pcs;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };
  std::set<Pair> reported_;
};

/// The effect of a memory instruction on each dword that it accesses.
struct Operation {
  u32 site = 0;
  AccessKind kind{};
  Queue queue{};
  Epoch epoch = 0;
  bool acquires = false;    ///< what waves published at the same place happens before later operations
  bool knows_value = true;  ///< the stored values are given
  Epochs published{};       ///< of atomics and release stores: the wave's own operations that happen before acquirers
};

/// A wave of a work-group: what happens before its next operation.
class WaveRaces {
 public:
  WaveRaces(RaceDetector& detector, GroupRaces& group, WaveId id, core::Machine& machine)
      : detector_(detector), group_(group), id_(id), machine_(machine), clock_(std::make_shared<Clock>()) {}

  [[nodiscard]] const RaceDetector::WaveInfo& info() const { return detector_.wave(id_); }

  // ---- instructions that order operations ----

  /// Records a wait for all operations of a queue.
  void drain(Queue queue);
  /// Records that the wave waits at a barrier at this address.
  void arrive(u64 pc) { barrier_pc_ = pc; }

  // ---- memory instructions ----

  /// Begins an instruction, after which no store is a release store until the next wait.
  Operation begin(u64 pc, Queue queue, AccessKind kind);
  /// Ends it.
  void end(const Operation& operation);
  /// Records an access to bytes of memory. `value`: the stored bytes, if the operation knows them.
  void access(const Operation& operation, u64 address, u32 bytes, u8 lane, u32 value);
  /// Reports lanes of one instruction that store different values to the same bytes.
  void report_lanes(const Operation& operation, u32 lane, u32 other_lane, const MemoryRegion& bytes);
  /// True if no memory instruction has followed a wait for all operations of a queue. For a scalar store, a wait for
  /// those of vector memory is enough.
  [[nodiscard]] bool may_release(Queue queue) const {
    return is_drained(queue) || (queue == Queue::scalar && is_drained(Queue::vector));
  }

 private:
  friend class GroupRaces;

  [[nodiscard]] bool is_drained(Queue queue) const { return (drained_ >> static_cast<u32>(queue) & 1) != 0; }
  /// True if an access of a wave happens before the next operation of this one.
  [[nodiscard]] bool is_ordered(const MemoryAccess& earlier) const {
    return earlier.bytes == 0 || earlier.wave == id_ || clock_->of(earlier.wave, earlier.queue) >= earlier.epoch;
  }
  bool pass_fast(Cell& cell, const MemoryAccess& access) const;
  bool repeat_load(Cell& cell, const MemoryAccess& access) const;
  void record(Cell& cell, const MemoryAccess& access) const;
  /// A dword of memory, and the bytes that are stored to it.
  struct Dword {
    u64 address = 0;
    u32 value = 0;
  };
  void access_dword(Cell& cell, const MemoryAccess& access, const Operation& operation, const Dword& dword);
  void check(const MemoryAccess& earlier, const MemoryAccess& access, const Operation& operation, const Dword& dword);
  void synchronise(Cell& cell, const MemoryAccess& access, const Operation& operation);
  void acquire(const Clock& published);
  void report(const MemoryAccess& earlier, const MemoryAccess& access, u64 address, u8 bytes);

  RaceDetector& detector_;
  GroupRaces& group_;
  WaveId id_;
  core::Machine& machine_;
  OwnEpochs own_;
  std::shared_ptr<Clock> clock_;  ///< shared by waves that have passed the same barrier
  u64 version_ = 0;               ///< how often the clock has changed
  u32 drained_ = 0;               ///< queues drained since the last memory instruction, one bit each
  u64 barrier_pc_ = 0;            ///< of the last barrier
};

/// The waves of a work-group and their accesses to its LDS.
class GroupRaces {
 public:
  GroupRaces(RaceDetector& detector, u32 number) : detector_(detector), number_(number) {}

  WaveRaces& add_wave(u64 number, std::string name, core::Machine& machine);
  /// Records that all waves pass a barrier at which some of them wait; the others have ended.
  void pass_barrier();
  [[nodiscard]] Shadow& lds() { return lds_; }

 private:
  void find_divergence();

  RaceDetector& detector_;
  u32 number_;
  Shadow lds_{{}};
  std::vector<std::unique_ptr<WaveRaces>> waves_;
};

}  // namespace salu::observe::races
