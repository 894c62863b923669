#pragma once

#include <salu/memory.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include "support/compiler.hpp"

namespace salu::core {

/// A memory with the host addresses of its pages, for accesses within one page that is mapped as a whole. All other
/// accesses go through `memory()` and are checked there.
class MemoryPort {
 public:
  void set_memory(const Memory& memory) {
    memory_ = memory;
    forget();
  }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  /// A copy of the current memory.
  [[nodiscard]] Memory snapshot() {
    // A page shared with the copy must be copied before it is written again.
    forget();
    return memory_;
  }

  /// The host address of a dword-aligned guest range, or null if the slow path is needed.
  template <u32 size_bytes>
  [[nodiscard]] SALU_INLINE const u8* reading(u64 address) {
    const Entry& entry = entry_of(address);
    const u64 offset = address % Memory::page_bytes;
    if constexpr (size_bytes > 4) {
      if (offset + size_bytes > Memory::page_bytes) [[unlikely]]
        return nullptr;
    }
    if (entry.page != address - offset && !enter(address - offset)) [[unlikely]]
      return nullptr;
    return entry.bytes + offset;
  }
  /// The host address of a range with any alignment, or null.
  [[nodiscard]] const u8* reading(u64 address, u32 size_bytes) {
    const Entry& entry = entry_of(address);
    const u64 offset = address % Memory::page_bytes;
    if (offset + size_bytes > Memory::page_bytes) return nullptr;
    if (entry.page != address - offset && !enter(address - offset)) return nullptr;
    return entry.bytes + offset;
  }
  /// The host address for writing; only on pages for which `allow_writing` was called.
  [[nodiscard]] SALU_INLINE u8* writing(u64 address, u32 size_bytes) {
    const Entry& entry = entry_of(address);
    const u64 offset = address % Memory::page_bytes;
    const bool there = entry.page == address - offset && offset + size_bytes <= Memory::page_bytes;
    return there && entry.own != nullptr ? entry.own + offset : nullptr;
  }
  /// True if the page of an address can be written directly, as when it was last used.
  bool allows_writing_again(u64 address) { return recall(address) && entry_of(address).own != nullptr; }
  /// Allows direct writes to the page of an address, by `writing` if all of it is writable and by `in_part` otherwise.
  void allow_writing(u64 address);

  /// The host address for reading and writing a range in the page for which `allow_writing` was last called although
  /// only a part of it is writable, as of small LDS; null elsewhere.
  [[nodiscard]] u8* in_part(u64 address, u32 size_bytes) const {
    return address >= part_.first && address + size_bytes <= part_.end ? part_.own + (address - part_.first) : nullptr;
  }

  /// Writes a dword at an aligned address, whatever the access rights.
  void write(u64 address, u32 value) {
    memory_.write_dword(address, value);
    // The host page may have been replaced.
    const u64 page = page_of(address);
    if (entry_of(address).page == page) entry_of(address) = {};
    if (!known_.empty() && known_of(address).page == page) known_of(address) = {};
    if (page_of(part_.first) == page) part_ = {};
  }

 private:
  static constexpr u64 no_page = ~u64{0};
  struct Entry {
    u64 page = no_page;  ///< guest address of the page
    const u8* bytes = nullptr;
    u8* own = nullptr;  ///< host address for writing; null if not allowed
  };

  static constexpr u64 page_of(u64 address) { return address - address % Memory::page_bytes; }
  [[nodiscard]] Entry& entry_of(u64 address) { return entries_[address / Memory::page_bytes % entries_.size()]; }
  [[nodiscard]] Entry& known_of(u64 address) { return known_[address / Memory::page_bytes % known_.size()]; }
  /// Looks a page up; returns false if it is not mapped as a whole.
  bool enter(u64 page);
  /// Restores the entry of a page that has been looked up before; returns false if it was forgotten.
  bool recall(u64 address);
  void put(const Entry& entry);
  void forget() {
    entries_.fill({});
    known_.clear();
    part_ = {};
    lookups_ = 0;
  }

  static constexpr std::size_t known_pages = 4096;
  /// The number of lookups after which pages are cached; a short run has fewer.
  static constexpr u32 many_lookups = 256;

  Memory memory_;
  std::array<Entry, 32> entries_;
  std::vector<Entry> known_;  ///< cache of more pages, after many lookups
  u32 lookups_ = 0;
  struct Part {
    u64 first = 1;
    u64 end = 0;  ///< exclusive
    u8* own = nullptr;
  } part_;  ///< the writable part of a page
};

}  // namespace salu::core
