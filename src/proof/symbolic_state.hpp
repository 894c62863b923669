#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/wave.hpp"
#include "proof/terms.hpp"

/// A wave whose registers and memory hold terms.
namespace salu::proof {

/// The path condition of a state: all conditions, in the order in which they were decided.
class Path {
 public:
  /// Adds a condition. A constant one is omitted.
  void add(const Terms& terms, TermId condition);
  [[nodiscard]] TermId condition(Terms& terms) const;
  [[nodiscard]] const std::vector<TermId>& conditions() const { return conditions_; }
  /// The path that is the union of two. `is_this`: the condition that distinguishes them, if either holds.
  static Path either(Terms& terms, const Path& left, const Path& right, TermId& is_this);

 private:
  std::vector<TermId> conditions_;
};

/// The common start of both programs of a proof: the scenario's state, with terms for the inputs.
struct SymbolicStart {
  const Program* program = nullptr;
  const WaveState* initial = nullptr;
  const Memory* memory = nullptr;
  std::map<u32, TermId> registers{};  ///< by `state_index`: 32 bits; SCC 1 bit
  std::map<u64, TermId> bytes{};      ///< by address: bytes of memory, 8 bits each
  std::vector<TermId> assumed{};      ///< conditions of 1 bit that hold at the start
  bool runs_vector = true;            ///< vector instructions are executed (`RunOptions::on_vector`)
  u64 max_steps = ~u64{0};            ///< limits of one run, as in `RunOptions`
  u64 max_memory_bytes = ~u64{0};
  /// Called for a dword that is not set. Without a result the dword has its value in the state.
  std::function<std::optional<TermId>(u32 index)> unset{};
};

/// A symbolic state during execution.
class SymbolicState {
 public:
  SymbolicState(Terms& terms, const SymbolicStart& start);

  /// A dword by `state_index`: of the register file, SCC (1 bit), MODE, STATUS, or a lane.
  [[nodiscard]] TermId read(u32 index);
  void write(u32 index, TermId term);
  /// A pair of registers as a word.
  [[nodiscard]] TermId pair(u32 index) { return terms_->join(read(index + 1), read(index)); }
  void write_pair(u32 index, TermId term);
  /// STATUS with the current bits of SCC, EXEC and VCC; the stored dword has their initial values.
  [[nodiscard]] TermId full_status();
  /// The value of a register of up to 64 bits, by any of its names.
  [[nodiscard]] TermId read(const RegisterName& name);
  [[nodiscard]] TermId lane(u32 vector, u32 lane) {
    return read(state_index::vgprs + vector * state_index::lanes + lane);
  }
  void write_lane(u32 vector, u32 lane, TermId term) {
    write(state_index::vgprs + vector * state_index::lanes + lane, term);
  }

  /// A dword of memory at an aligned address.
  [[nodiscard]] TermId read_dword(u64 address) const;
  void write_dword(u64 address, TermId term);
  /// 1 to 4 bytes of memory at any address, little-endian.
  [[nodiscard]] TermId read_bytes(u64 address, u32 count) const;
  void write_bytes(u64 address, TermId term);
  /// The addresses of dwords that were written, ascending.
  [[nodiscard]] std::vector<u64> written() const;
  /// True if stores may have exceeded the memory limit of a run.
  [[nodiscard]] bool may_be_full() const;

  /// Merges another state at the same address into this one.
  void meet(SymbolicState& other);

  [[nodiscard]] const SymbolicStart& start() const { return *start_; }

  u64 pc = 0;
  u64 steps = 0;  ///< instructions on the longest path to here
  Path path;

 private:
  /// Marks a dword that has not been read or written.
  static constexpr TermId no_value = ~TermId{0};
  /// Lanes of a register, or consecutive dwords of memory. States share rows until one of them writes.
  static constexpr u32 row_dwords = state_index::lanes;
  using TermRow = std::array<TermId, row_dwords>;
  using TermRows = std::map<u64, std::shared_ptr<TermRow>>;
  [[nodiscard]] static TermId find(const TermRows& rows, u64 number);
  static void put(TermRows& rows, u64 number, TermId term);
  /// Calls `visit(number)` for rows that may differ between two states.
  template <class Visit>
  static void for_different(const TermRows& rows, const TermRows& others, const Visit& visit);

  [[nodiscard]] TermId initial(u32 index) const;

  Terms* terms_;
  const SymbolicStart* start_;
  std::array<TermId, state_index::scalar_count> scalars_{};
  TermRows lanes_;   ///< by index - state_index::vgprs
  TermRows memory_;  ///< by address / 4
};

}  // namespace salu::proof
