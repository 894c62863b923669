#pragma once

#include <salu/memory.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include "support/compiler.hpp"

namespace salu::core {

/// A memory and where its pages lie on the host, for accesses within one page that is described as a whole. Everything
/// else goes through `memory()` and is judged there.
class MemoryPort {
 public:
  void set_memory(const Memory& memory) {
    memory_ = memory;
    forget();
  }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  /// The memory as it is now; what is written afterwards stays out of it.
  [[nodiscard]] Memory snapshot() {
    // A page that the copy shares has to be copied before it is written again.
    forget();
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
  /// Whether the page of an address may be written directly again, as it could the last time it was asked for.
  bool allows_writing_again(u64 address) { return recall(address) && entry_of(address).own != nullptr; }
  /// Lets the page of an address be written directly, when all of it may be written.
  void allow_writing(u64 address);

  /// Writes a dword at an aligned address, whatever the access rights.
  void write(u64 address, u32 value) {
    memory_.write_dword(address, value);
    // Its page may be another one now.
    const u64 page = page_of(address);
    if (entry_of(address).page == page) entry_of(address) = {};
    if (!known_.empty() && known_of(address).page == page) known_of(address) = {};
  }

 private:
  static constexpr u64 no_page = ~u64{0};
  struct Entry {
    u64 page = no_page;  ///< its guest address
    const u8* bytes = nullptr;
    u8* own = nullptr;  ///< the same, where it may be written
  };

  static constexpr u64 page_of(u64 address) { return address - address % Memory::page_bytes; }
  [[nodiscard]] Entry& entry_of(u64 address) { return entries_[address / Memory::page_bytes % entries_.size()]; }
  [[nodiscard]] Entry& known_of(u64 address) { return known_[address / Memory::page_bytes % known_.size()]; }
  /// Looks a page up; false when not all of it is mapped.
  bool enter(u64 page);
  /// Takes a page up that has been looked up before; false when it is not known any more.
  bool recall(u64 address);
  void put(const Entry& entry);
  void forget() {
    entries_.fill({});
    known_.clear();
    lookups_ = 0;
  }

  static constexpr std::size_t known_pages = 4096;
  /// After so many lookups pages are kept in mind, of which a short run has few.
  static constexpr u32 many_lookups = 256;

  Memory memory_;
  std::array<Entry, 32> entries_;
  std::vector<Entry> known_;  ///< the same for more pages, once there have been many lookups
  u32 lookups_ = 0;
};

}  // namespace salu::core
