#pragma once

#include <salu/memory.hpp>

#include <array>
#include <cstddef>

#include "core/compiler.hpp"

namespace salu::core {

/// A memory and where its pages lie on the host, for accesses within one page that is described as a whole. Everything
/// else goes through `memory()` and is judged there.
class MemoryPort {
 public:
  void set_memory(const Memory& memory) {
    memory_ = memory;
    entries_.fill({});
  }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  /// The memory as it is now; what is written afterwards stays out of it.
  [[nodiscard]] Memory snapshot() {
    // A page that the copy shares has to be copied before it is written again.
    entries_.fill({});
    return memory_;
  }

  /// Host bytes of a dword-aligned guest range, or null when the slow way is the only one.
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
  /// The same of a range that begins anywhere.
  [[nodiscard]] const u8* reading(u64 address, u32 size_bytes) {
    const Entry& entry = entry_of(address);
    const u64 offset = address % Memory::page_bytes;
    if (offset + size_bytes > Memory::page_bytes) return nullptr;
    if (entry.page != address - offset && !enter(address - offset)) return nullptr;
    return entry.bytes + offset;
  }
  /// The same to write to, on pages that `allow_writing` was called for.
  [[nodiscard]] SALU_INLINE u8* writing(u64 address, u32 size_bytes) {
    const Entry& entry = entry_of(address);
    const u64 offset = address % Memory::page_bytes;
    const bool there = entry.page == address - offset && offset + size_bytes <= Memory::page_bytes;
    return there && entry.own != nullptr ? entry.own + offset : nullptr;
  }
  /// Lets the page of an address be written directly, when all of it may be written.
  void allow_writing(u64 address);

  /// Writes a dword at an aligned address, whatever the access rights.
  void write(u64 address, u32 value) {
    memory_.write_dword(address, value);
    // Its page may be another one now.
    Entry& entry = entry_of(address);
    if (entry.page == address - address % Memory::page_bytes) entry = {};
  }

 private:
  static constexpr u64 no_page = ~u64{0};
  struct Entry {
    u64 page = no_page;  ///< its guest address
    const u8* bytes = nullptr;
    u8* own = nullptr;  ///< the same, where it may be written
  };

  [[nodiscard]] Entry& entry_of(u64 address) { return entries_[address / Memory::page_bytes % entries_.size()]; }
  /// Looks a page up; false when not all of it is mapped.
  bool enter(u64 page);

  Memory memory_;
  std::array<Entry, 32> entries_;
};

}  // namespace salu::core
