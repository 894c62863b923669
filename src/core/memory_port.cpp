#include "core/memory_port.hpp"

#include <algorithm>

namespace salu::core {

void MemoryPort::put(const Entry& entry) {
  entry_of(entry.page) = entry;
  if (known_.empty()) {
    if (++lookups_ < many_lookups) return;
    known_.resize(known_pages);
  }
  known_of(entry.page) = entry;
}

bool MemoryPort::recall(u64 address) {
  if (known_.empty()) return false;
  const Entry& known = known_of(address);
  if (known.page != page_of(address)) return false;
  entry_of(address) = known;
  return true;
}

bool MemoryPort::enter(u64 page) {
  if (recall(page)) return true;
  if (!memory_.is_mapped(page, Memory::page_bytes)) return false;
  put({page, memory_.page_for_reading(page), nullptr});
  return true;
}

void MemoryPort::allow_writing(u64 address) {
  const u64 page = page_of(address);
  const MemoryRegion* const region = memory_.find_region(address);
  if (region == nullptr || region->access != Access::read_write) return;
  u8* const own = memory_.page_for_writing(page);
  if (memory_.is_writable(page, Memory::page_bytes)) return put({page, own, own});
  const u64 first = std::max(page, region->base);
  part_ = {first, std::min(page + Memory::page_bytes, region->end()), own + (first - page)};
}

}  // namespace salu::core
