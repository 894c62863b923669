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

/// A range of the address space with its access rights.
struct MemoryRegion {
  u64 base = 0;
  u64 size_bytes = 0;
  Access access = Access::read_write;

  [[nodiscard]] u64 end() const { return base + size_bytes; }
  friend bool operator==(const MemoryRegion&, const MemoryRegion&) = default;
};

/// Sparse byte-addressed memory with 48-bit addresses. Regions define which addresses exist; pages hold the contents
/// that are not zero. An unwritten region costs nothing. Copies share their pages until one of them is written, so a
/// copy costs little. Copies may be used from different threads.
class Memory {
 public:
  static constexpr u64 page_bytes = 4096;
  static constexpr u64 end_address = u64{1} << 48;  ///< regions end at or below this address

  /// Adds a region of zeros. Returns false if it overlaps an existing region, is empty, or ends beyond `end_address`.
  /// Adjacent regions with the same access are merged.
  [[nodiscard]] bool add_region(const MemoryRegion& region);

  [[nodiscard]] std::span<const MemoryRegion> regions() const;
  /// The region that contains an address, or null.
  [[nodiscard]] const MemoryRegion* find_region(u64 address) const;
  /// The region nearest to an address outside of all regions, or null if there are no regions.
  [[nodiscard]] const MemoryRegion* nearest_region(u64 address) const;
  /// True if regions cover the whole range; it may extend over several adjacent regions.
  [[nodiscard]] bool is_mapped(u64 address, u64 size_bytes) const;
  /// True if the whole range is writable.
  [[nodiscard]] bool is_writable(u64 address, u64 size_bytes) const;

  /// Copies bytes out of memory; unmapped bytes read as zero.
  void read(u64 address, std::span<u8> bytes) const;
  /// Copies bytes into memory and ignores access rights; unmapped bytes are skipped.
  void write(u64 address, std::span<const u8> bytes);
  /// Fills a range with zeros. The cost depends on the pages held in the range, not on its size.
  void clear(u64 address, u64 size_bytes);
  [[nodiscard]] u32 read_dword(u64 address) const;
  void write_dword(u64 address, u32 value);

  /// The number of pages (`page_bytes` each) that were ever written: an upper bound of the space that this memory
  /// takes.
  [[nodiscard]] u64 held_pages() const { return held_pages_; }
  /// True if the page of an address is one of the held pages.
  [[nodiscard]] bool holds_page(u64 address) const;
  /// Addresses of the pages (`page_bytes` each, aligned) with at least one nonzero byte, ascending.
  [[nodiscard]] std::vector<u64> nonzero_pages() const;
  /// Addresses of the pages whose bytes differ, ascending. The cost depends on the pages that the two do not share.
  static std::vector<u64> differing_pages(const Memory& left, const Memory& right);

  /// The bytes of the page at an address that is a multiple of `page_bytes`; a page of zeros if the page is not held.
  /// Valid until this memory is written or destroyed.
  [[nodiscard]] const u8* page_for_reading(u64 address) const;
  /// The same page for writing, regardless of access rights. Valid until this memory is copied or destroyed.
  [[nodiscard]] u8* page_for_writing(u64 address);

  /// True if one is a copy of the other and neither was written since. A fast test: true implies equality.
  [[nodiscard]] bool is_copy_of(const Memory& other) const {
    return regions_ == other.regions_ && pages_ == other.pages_;
  }
  /// True if both have the same regions and the same bytes.
  friend bool operator==(const Memory& left, const Memory& right);

 private:
  using MemoryTree = core::MemoryNode<5>;
  using Regions = std::vector<MemoryRegion>;  // sorted by base
  std::shared_ptr<Regions> regions_;
  std::shared_ptr<MemoryTree> pages_;
  u64 held_pages_ = 0;
};

}  // namespace salu
