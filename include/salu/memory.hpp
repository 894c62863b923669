#pragma once

#include <salu/integer.hpp>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace salu {

namespace core {
template <u32 level>
struct MemoryNode;
}

enum class Access : u8 { read, read_write };

/// A described piece of the address space.
struct MemoryRegion {
  u64 base = 0;
  u64 size_bytes = 0;
  Access access = Access::read_write;

  [[nodiscard]] u64 end() const { return base + size_bytes; }
  friend bool operator==(const MemoryRegion&, const MemoryRegion&) = default;
};

/// Sparse byte-addressed memory of 48 bits: regions say what exists, pages hold what is not zero. A region that is not
/// touched costs nothing. Copies share their pages until one of them writes: a copy costs next to nothing, and what
/// two copies hold apart from each other is what was written since. Copies may be used from different threads.
class Memory {
 public:
  static constexpr u64 page_bytes = 4096;
  static constexpr u64 end_address = u64{1} << 48;  ///< no region reaches beyond it

  /// Adds a region of zeros. False when it overlaps one that is there, is empty, or ends beyond `end_address`. Regions
  /// that touch and have the same access become one.
  [[nodiscard]] bool add_region(const MemoryRegion& region);

  [[nodiscard]] std::span<const MemoryRegion> regions() const;
  /// The region that holds an address, or null.
  [[nodiscard]] const MemoryRegion* find_region(u64 address) const;
  /// The region nearest to an address that no region holds, or null when there is none at all.
  [[nodiscard]] const MemoryRegion* nearest_region(u64 address) const;
  /// True when the whole range lies in regions (adjacent ones may share it).
  [[nodiscard]] bool is_mapped(u64 address, u64 size_bytes) const;
  /// True when the whole range may be written.
  [[nodiscard]] bool is_writable(u64 address, u64 size_bytes) const;

  /// Copies bytes out; what is not mapped reads as zero.
  void read(u64 address, std::span<u8> bytes) const;
  /// Copies bytes in, without looking at access rights; what is not mapped is left out.
  void write(u64 address, std::span<const u8> bytes);
  /// Zeroes a range, at the cost of what is in it alone, however large it is.
  void clear(u64 address, u64 size_bytes);
  [[nodiscard]] u32 read_dword(u64 address) const;
  void write_dword(u64 address, u32 value);

  /// How many pages (`page_bytes` each) were ever written to, which is what this memory costs at most.
  [[nodiscard]] u64 held_pages() const { return held_pages_; }
  /// Whether the page of an address is one of these.
  [[nodiscard]] bool holds_page(u64 address) const;
  /// Addresses of the pages (`page_bytes` each, aligned) that hold a byte that is not zero, ascending.
  [[nodiscard]] std::vector<u64> nonzero_pages() const;
  /// Addresses of the pages whose bytes differ, ascending, at the cost of what the two do not share.
  static std::vector<u64> differing_pages(const Memory& left, const Memory& right);

  /// The bytes of the page at an address that is a multiple of `page_bytes`, of a page of zeros when it holds nothing.
  /// Valid until this memory is written, or is gone.
  [[nodiscard]] const u8* page_for_reading(u64 address) const;
  /// The same to write to, whatever the access rights. Valid until this memory is copied, or is gone.
  [[nodiscard]] u8* page_for_writing(u64 address);

  /// Whether one is a copy of the other and neither was written since: then both are equal, at no cost.
  [[nodiscard]] bool is_copy_of(const Memory& other) const {
    return regions_ == other.regions_ && pages_ == other.pages_;
  }
  /// Same regions and same bytes.
  friend bool operator==(const Memory& left, const Memory& right);

 private:
  using MemoryTree = core::MemoryNode<5>;
  using Regions = std::vector<MemoryRegion>;  // sorted by base
  std::shared_ptr<Regions> regions_;
  std::shared_ptr<MemoryTree> pages_;
  u64 held_pages_ = 0;
};

}  // namespace salu
