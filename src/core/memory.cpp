#include <salu/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

namespace salu {

bool Memory::add_region(const MemoryRegion& region) {
  if (region.size_bytes == 0 || region.size_bytes > std::numeric_limits<u64>::max() - region.base) return false;
  auto next = std::ranges::upper_bound(regions_, region.base, {}, &MemoryRegion::base);
  if (next != regions_.end() && next->base < region.end()) return false;
  if (next != regions_.begin() && std::prev(next)->end() > region.base) return false;

  const auto joins = [&](const MemoryRegion& low, const MemoryRegion& high) {
    return low.end() == high.base && low.access == high.access;
  };
  if (next != regions_.begin() && joins(*std::prev(next), region)) {
    next = std::prev(next);
    next->size_bytes += region.size_bytes;
  } else {
    next = regions_.insert(next, region);
  }
  const auto after = std::next(next);
  if (after != regions_.end() && joins(*next, *after)) {
    next->size_bytes += after->size_bytes;
    regions_.erase(after);
  }
  return true;
}

const MemoryRegion* Memory::find_region(u64 address) const {
  const auto next = std::ranges::upper_bound(regions_, address, {}, &MemoryRegion::base);
  if (next == regions_.begin()) return nullptr;
  const MemoryRegion& region = *std::prev(next);
  return address < region.end() ? &region : nullptr;
}

const MemoryRegion* Memory::nearest_region(u64 address) const {
  if (regions_.empty()) return nullptr;
  const auto next = std::ranges::upper_bound(regions_, address, {}, &MemoryRegion::base);
  if (next == regions_.begin()) return &*next;
  const MemoryRegion& below = *std::prev(next);
  if (next == regions_.end() || address < below.end()) return &below;
  return address - (below.end() - 1) <= next->base - address ? &below : &*next;
}

bool Memory::is_mapped(u64 address, u64 size_bytes) const {
  if (size_bytes > std::numeric_limits<u64>::max() - address) return false;
  const u64 end = address + size_bytes;
  while (address < end) {
    const MemoryRegion* region = find_region(address);
    if (region == nullptr) return false;
    address = region->end();
  }
  return true;
}

void Memory::read(u64 address, std::span<u8> bytes) const {
  while (!bytes.empty()) {
    const u64 offset = address % page_bytes;
    const auto size = static_cast<std::size_t>(std::min<u64>(page_bytes - offset, bytes.size()));
    const auto page = pages_.find(address / page_bytes);
    if (page == pages_.end()) {
      std::ranges::fill(bytes.first(size), u8{0});
    } else {
      std::memcpy(bytes.data(), page->second.data() + offset, size);
    }
    bytes = bytes.subspan(size);
    address += size;
  }
}

void Memory::write(u64 address, std::span<const u8> bytes) {
  while (!bytes.empty()) {
    const MemoryRegion* region = find_region(address);
    if (region == nullptr) {
      const auto next = std::ranges::upper_bound(regions_, address, {}, &MemoryRegion::base);
      if (next == regions_.end() || next->base - address >= bytes.size()) return;
      bytes = bytes.subspan(static_cast<std::size_t>(next->base - address));
      address = next->base;
      continue;
    }
    const u64 offset = address % page_bytes;
    const auto size =
        static_cast<std::size_t>(std::min({page_bytes - offset, region->end() - address, u64{bytes.size()}}));
    const auto part = bytes.first(size);
    auto page = pages_.find(address / page_bytes);
    // Zeros on a page that is not there change nothing: large cleared regions stay free.
    if (page == pages_.end() && std::ranges::any_of(part, [](u8 byte) { return byte != 0; })) {
      page = pages_.try_emplace(address / page_bytes).first;
    }
    if (page != pages_.end()) std::memcpy(page->second.data() + offset, part.data(), size);
    bytes = bytes.subspan(size);
    address += size;
  }
}

void Memory::clear(u64 address, u64 size_bytes) {
  const u64 end = address + std::min(size_bytes, std::numeric_limits<u64>::max() - address);
  for (auto page = pages_.lower_bound(address / page_bytes); page != pages_.end() && page->first * page_bytes < end;) {
    const u64 start = page->first * page_bytes;
    const auto first = static_cast<std::ptrdiff_t>(std::max(start, address) - start);
    const auto last = static_cast<std::ptrdiff_t>(std::min(start + page_bytes, end) - start);
    std::fill(page->second.begin() + first, page->second.begin() + last, u8{0});
    page = page->second == Page{} ? pages_.erase(page) : std::next(page);
  }
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
  for (const auto& [number, page] : pages_) {
    if (page != Page{}) addresses.push_back(number * page_bytes);
  }
  return addresses;
}

bool operator==(const Memory& left, const Memory& right) {
  if (left.regions_ != right.regions_) return false;
  // A page of zeros counts as no page.
  auto a = left.pages_.begin();
  auto b = right.pages_.begin();
  const auto skip_zeros = [](auto& page, auto end) {
    while (page != end && page->second == Memory::Page{}) ++page;
  };
  for (;;) {
    skip_zeros(a, left.pages_.end());
    skip_zeros(b, right.pages_.end());
    if (a == left.pages_.end() || b == right.pages_.end()) return a == left.pages_.end() && b == right.pages_.end();
    if (*a != *b) return false;
    ++a;
    ++b;
  }
}

}  // namespace salu
