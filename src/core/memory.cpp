#include <salu/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/memory_tree.hpp"

namespace salu {
namespace {

static_assert(Memory::page_bytes == u64{1} << core::page_bits);

constexpr core::Page zero_page{};

/// The first region of a sorted range that begins after an address.
auto first_behind(std::span<const MemoryRegion> regions, u64 address) {
  return std::ranges::upper_bound(regions, address, {}, &MemoryRegion::base);
}

}  // namespace

bool Memory::add_region(const MemoryRegion& region) {
  if (region.size_bytes == 0 || region.base >= end_address || region.size_bytes > end_address - region.base)
    return false;
  const auto there = regions();
  const auto place = first_behind(there, region.base);
  if (place != there.end() && place->base < region.end()) return false;
  if (place != there.begin() && std::prev(place)->end() > region.base) return false;

  const auto joins = [&](const MemoryRegion& low, const MemoryRegion& high) {
    return low.end() == high.base && low.access == high.access;
  };
  const auto index = place - there.begin();
  Regions& own = core::make_own(regions_);
  auto next = own.begin() + index;
  if (next != own.begin() && joins(*std::prev(next), region)) {
    next = std::prev(next);
    next->size_bytes += region.size_bytes;
  } else {
    next = own.insert(next, region);
  }
  const auto after = std::next(next);
  if (after != own.end() && joins(*next, *after)) {
    next->size_bytes += after->size_bytes;
    own.erase(after);
  }
  return true;
}

std::span<const MemoryRegion> Memory::regions() const {
  return regions_ ? std::span<const MemoryRegion>(*regions_) : std::span<const MemoryRegion>{};
}

const MemoryRegion* Memory::find_region(u64 address) const {
  const auto all = regions();
  const auto next = first_behind(all, address);
  if (next == all.begin()) return nullptr;
  const MemoryRegion& region = *std::prev(next);
  return address < region.end() ? &region : nullptr;
}

const MemoryRegion* Memory::nearest_region(u64 address) const {
  const auto all = regions();
  if (all.empty()) return nullptr;
  const auto next = first_behind(all, address);
  if (next == all.begin()) return &*next;
  const MemoryRegion& below = *std::prev(next);
  if (next == all.end() || address < below.end()) return &below;
  return address - (below.end() - 1) <= next->base - address ? &below : &*next;
}

bool Memory::is_mapped(u64 address, u64 size_bytes) const {
  if (size_bytes != 0 && (address >= end_address || size_bytes > end_address - address)) return false;
  for (const u64 end = address + size_bytes; address < end;) {
    const MemoryRegion* region = find_region(address);
    if (region == nullptr) return false;
    address = region->end();
  }
  return true;
}

bool Memory::is_writable(u64 address, u64 size_bytes) const {
  if (size_bytes != 0 && (address >= end_address || size_bytes > end_address - address)) return false;
  for (const u64 end = address + size_bytes; address < end;) {
    const MemoryRegion* region = find_region(address);
    if (region == nullptr || region->access != Access::read_write) return false;
    address = region->end();
  }
  return true;
}

void Memory::read(u64 address, std::span<u8> bytes) const {
  while (!bytes.empty()) {
    const u64 offset = address % page_bytes;
    const auto size = static_cast<std::size_t>(std::min<u64>(page_bytes - offset, bytes.size()));
    std::memcpy(bytes.data(), page_for_reading(address - offset) + offset, size);
    bytes = bytes.subspan(size);
    address += size;
  }
}

void Memory::write(u64 address, std::span<const u8> bytes) {
  while (!bytes.empty()) {
    const MemoryRegion* region = find_region(address);
    if (region == nullptr) {
      const auto all = regions();
      const auto next = first_behind(all, address);
      if (next == all.end() || next->base - address >= bytes.size()) return;
      bytes = bytes.subspan(static_cast<std::size_t>(next->base - address));
      address = next->base;
      continue;
    }
    const u64 offset = address % page_bytes;
    const auto size =
        static_cast<std::size_t>(std::min({page_bytes - offset, region->end() - address, u64{bytes.size()}}));
    const auto part = bytes.first(size);
    // Writes that change nothing are skipped, in particular zeros on a page that does not exist.
    if (std::memcmp(page_for_reading(address - offset) + offset, part.data(), size) != 0) {
      std::memcpy(page_for_writing(address - offset) + offset, part.data(), size);
    }
    bytes = bytes.subspan(size);
    address += size;
  }
}

void Memory::clear(u64 address, u64 size_bytes) {
  if (!pages_ || address >= end_address || size_bytes == 0) return;
  const u64 end = address + std::min(size_bytes, end_address - address);
  const auto zero = [this](u64 from, u64 to) {
    const u64 page = from / page_bytes * page_bytes;
    if (from < to && page_for_reading(page) != zero_page.data()) {
      std::memset(page_for_writing(page) + (from - page), 0, static_cast<std::size_t>(to - from));
    }
  };
  const u64 first_whole = (address + page_bytes - 1) / page_bytes;
  const u64 end_whole = end / page_bytes;
  if (first_whole > end_whole) return zero(address, end);
  zero(address, first_whole * page_bytes);
  zero(end_whole * page_bytes, end);
  if (first_whole >= end_whole) return;
  u64 dropped = 0;
  core::make_own(pages_).drop(first_whole, end_whole, dropped);
  held_pages_ -= dropped;
}

u32 Memory::read_dword(u64 address) const {
  std::array<u8, 4> bytes{};
  read(address, bytes);
  return u32{bytes[0]} | u32{bytes[1]} << 8 | u32{bytes[2]} << 16 | u32{bytes[3]} << 24;
}

void Memory::write_dword(u64 address, u32 value) {
  const std::array<u8, 4> bytes = {static_cast<u8>(value), static_cast<u8>(value >> 8), static_cast<u8>(value >> 16),
                                   static_cast<u8>(value >> 24)};
  write(address, bytes);
}

std::vector<u64> Memory::nonzero_pages() const {
  std::vector<u64> addresses;
  if (!pages_) return addresses;
  pages_->visit([&addresses](u64 number, const core::Page& page) {
    if (page != zero_page) addresses.push_back(number * page_bytes);
  });
  return addresses;
}

std::vector<u64> Memory::differing_pages(const Memory& left, const Memory& right) {
  std::vector<u64> addresses;
  if (left.pages_ == right.pages_) return addresses;
  const auto visit = [&addresses](u64 number, const core::Page* a, const core::Page* b) {
    if ((a == nullptr ? zero_page : *a) != (b == nullptr ? zero_page : *b)) addresses.push_back(number * page_bytes);
  };
  MemoryTree::visit_unshared(left.pages_.get(), right.pages_.get(), visit);
  return addresses;
}

const u8* Memory::page_for_reading(u64 address) const {
  const core::Page* page = pages_ && address < end_address ? pages_->find(address / page_bytes) : nullptr;
  return page == nullptr ? zero_page.data() : page->data();
}

bool Memory::holds_page(u64 address) const {
  return pages_ && address < end_address && pages_->find(address / page_bytes) != nullptr;
}

u8* Memory::page_for_writing(u64 address) {
  if (!holds_page(address)) ++held_pages_;
  return core::make_own(pages_).own(address / page_bytes).data();
}

bool operator==(const Memory& left, const Memory& right) {
  return std::ranges::equal(left.regions(), right.regions()) && Memory::differing_pages(left, right).empty();
}

}  // namespace salu
