#pragma once

#include <salu/memory.hpp>

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "observe/races/clocks.hpp"

namespace salu::observe::races {

/// How an instruction accesses memory.
enum class AccessKind : u8 {
  load,
  coherent_load,  ///< GLC or SC: as compilers load atomically
  store,
  release_store,  ///< after a wait for all earlier operations: as compilers store atomically
  atomic,         ///< read-modify-write
};
constexpr bool is_store(AccessKind kind) { return kind == AccessKind::store || kind == AccessKind::release_store; }
constexpr bool is_load(AccessKind kind) { return kind == AccessKind::load || kind == AccessKind::coherent_load; }

/// True if unordered accesses of these kinds are a race. Two release stores may be plain stores of one lane each.
constexpr bool conflict(AccessKind one, AccessKind other) {
  const auto is_atomic = [](AccessKind kind) {
    return kind == AccessKind::atomic || kind == AccessKind::coherent_load || kind == AccessKind::release_store;
  };
  if (is_load(one) && is_load(other)) return false;
  return !is_atomic(one) || !is_atomic(other) || (is_store(one) && is_store(other));
}

/// True if every later access that races with an access of a kind also races with one of `newer`, if the older one
/// happens before it. Stores do not replace loads, because they do not race with stores of the same value.
constexpr bool replaces(AccessKind newer, AccessKind older) {
  if (is_store(newer)) return older == AccessKind::release_store || (older == AccessKind::store && newer == older);
  return is_load(newer) && (older == AccessKind::coherent_load || (older == AccessKind::load && newer == older));
}

/// An access of a wave to bytes of a dword.
struct MemoryAccess {
  static constexpr u8 no_lane = 0xff;  ///< a scalar instruction

  WaveId wave = 0;
  Epoch epoch = 0;
  u32 site = 0;  ///< number of the instruction
  u8 lane = no_lane;
  AccessKind kind{};
  Queue queue{};
  u8 bytes = 0;  ///< a mask of four bits; 0: no access
};

/// A dword through which atomics synchronise waves.
struct SyncPlace {
  Clock published;                    ///< what happens before a wave that acquires it
  std::vector<MemoryAccess> atomics;  ///< the last one of each wave, sorted by wave
  /// The wave that published last, and its `WaveRaces::version` then; nothing before the first one.
  std::optional<WaveId> publisher;
  u64 publisher_version = 0;
};

/// The accesses to a dword against which later ones are checked.
struct Cell {
  MemoryAccess store;
  MemoryAccess load;
  /// Further accesses: of other waves or other bytes.
  struct More {
    std::vector<MemoryAccess> accesses;
    std::unique_ptr<SyncPlace> sync;
  };
  std::unique_ptr<More> more;
};

/// The accesses to memory, in blocks that are allocated when they are first accessed.
class Shadow {
 public:
  static constexpr u64 block_bytes = 64;
  using Block = std::array<Cell, block_bytes / 4>;

  /// `ignored`: memory whose accesses are not recorded.
  explicit Shadow(std::vector<MemoryRegion> ignored) : ignored_(std::move(ignored)) {}

  /// The block that contains an address; null if it is ignored.
  Block* block_at(u64 address) {
    const u64 number = address / page_bytes;
    if (last_ == nullptr || number != last_number_) [[unlikely]]
      find_page(number);
    std::unique_ptr<Block>& block = last_->blocks[address % page_bytes / block_bytes];
    return block != nullptr ? block.get() : make_block(address, block);
  }

 private:
  static constexpr u64 page_bytes = 4096;
  struct Page {
    std::array<std::unique_ptr<Block>, page_bytes / block_bytes> blocks;
  };

  void find_page(u64 number);
  Block* make_block(u64 address, std::unique_ptr<Block>& block) const;

  std::vector<MemoryRegion> ignored_;
  std::unordered_map<u64, Page> pages_;
  Page* last_ = nullptr;  ///< the page of the last access
  u64 last_number_ = 0;
};

}  // namespace salu::observe::races
