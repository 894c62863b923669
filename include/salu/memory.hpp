#pragma once

#include <salu/integer.hpp>

#include <array>
#include <map>
#include <span>
#include <vector>

namespace salu {

enum class Access : u8 { read, read_write };

/// A described piece of the address space.
struct MemoryRegion {
  u64 base = 0;
  u64 size_bytes = 0;
  Access access = Access::read_write;

  [[nodiscard]] u64 end() const { return base + size_bytes; }
  friend bool operator==(const MemoryRegion&, const MemoryRegion&) = default;
};

/// Sparse byte-addressed memory: regions say what exists, pages hold what is not zero. A region that is not touched
/// costs nothing.
class Memory {
 public:
  static constexpr u64 page_bytes = 4096;

  /// Adds a region of zeros. False when it overlaps one that is there, is empty, or wraps around. Regions that touch
  /// and have the same access become one.
  [[nodiscard]] bool add_region(const MemoryRegion& region);

  [[nodiscard]] std::span<const MemoryRegion> regions() const { return regions_; }
  /// The region that holds an address, or null.
  [[nodiscard]] const MemoryRegion* find_region(u64 address) const;
  /// The region nearest to an address that no region holds, or null when there is none at all.
  [[nodiscard]] const MemoryRegion* nearest_region(u64 address) const;
  /// True when the whole range lies in regions (adjacent ones may share it).
  [[nodiscard]] bool is_mapped(u64 address, u64 size_bytes) const;

  /// Copies bytes out; what is not mapped reads as zero.
  void read(u64 address, std::span<u8> bytes) const;
  /// Copies bytes in, without looking at access rights; what is not mapped is left out.
  void write(u64 address, std::span<const u8> bytes);
  /// Zeroes a range, at the cost of what is in it alone, however large it is.
  void clear(u64 address, u64 size_bytes);
  [[nodiscard]] u32 read_dword(u64 address) const;
  void write_dword(u64 address, u32 value);

  /// Addresses of the pages (`page_bytes` each, aligned) that hold a byte that is not zero, ascending.
  [[nodiscard]] std::vector<u64> nonzero_pages() const;

  /// Same regions and same bytes.
  friend bool operator==(const Memory& left, const Memory& right);

 private:
  using Page = std::array<u8, page_bytes>;
  std::vector<MemoryRegion> regions_;  // sorted by base
  std::map<u64, Page> pages_;          // by page number
};

}  // namespace salu
