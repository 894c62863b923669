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

/// What has to hold for a program to have come to a place: all of these conditions, in the order in which they were
/// decided.
class Path {
 public:
  /// One more condition. A constant one is left out.
  void add(const Terms& terms, TermId condition);
  [[nodiscard]] TermId condition(Terms& terms) const;
  [[nodiscard]] const std::vector<TermId>& conditions() const { return conditions_; }
  /// The path that is one of two. `is_this`: what tells them apart, where either of them holds.
  static Path either(Terms& terms, const Path& left, const Path& right, TermId& is_this);

 private:
  std::vector<TermId> conditions_;
};

/// Where both programs of a proof begin: what the scenario says, and terms for what is varied.
struct SymbolicStart {
  const Program* program = nullptr;
  const WaveState* initial = nullptr;
  const Memory* memory = nullptr;
  std::map<u32, TermId> registers{};  ///< by `state_index`: 32 bits; SCC 1 bit
  std::map<u64, TermId> bytes{};      ///< of memory, 8 bits each
  /// Asked for a dword that nothing has given a value. Without an answer it holds what the state has there.
  std::function<std::optional<TermId>(u32 index)> unset{};
};

/// The state on the way.
class SymbolicState {
 public:
  SymbolicState(Terms& terms, const SymbolicStart& start);

  /// A dword by `state_index`: of the register file, SCC (1 bit), MODE, STATUS, or a lane.
  [[nodiscard]] TermId read(u32 index);
  void write(u32 index, TermId term);
  /// A pair of registers as a word.
  [[nodiscard]] TermId pair(u32 index) { return terms_->join(read(index + 1), read(index)); }
  void write_pair(u32 index, TermId term);

  /// A dword of memory at an aligned address.
  [[nodiscard]] TermId read_dword(u64 address) const;
  void write_dword(u64 address, TermId term);
  /// Dwords that were written, by address.
  [[nodiscard]] const std::map<u64, TermId>& written() const { return *memory_; }

  /// Becomes the state that is this one or another one at the same place.
  void meet(SymbolicState& other);

  [[nodiscard]] const SymbolicStart& start() const { return *start_; }

  u64 pc = 0;
  Path path;

 private:
  [[nodiscard]] TermId initial(u32 index) const;

  Terms* terms_;
  const SymbolicStart* start_;
  /// `no_value` where nothing has been asked for or written yet.
  static constexpr TermId no_value = ~TermId{0};
  std::array<TermId, state_index::scalar_count> scalars_{};
  std::map<u32, TermId> lanes_;
  std::shared_ptr<std::map<u64, TermId>> memory_;
};

}  // namespace salu::proof
