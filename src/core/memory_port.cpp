#include "core/memory_port.hpp"

namespace salu::core {

bool MemoryPort::enter(u64 page) {
  if (!memory_.is_mapped(page, Memory::page_bytes)) return false;
  entry_of(page) = {page, memory_.page_for_reading(page), nullptr};
  return true;
}

void MemoryPort::allow_writing(u64 address) {
  const u64 page = address / Memory::page_bytes * Memory::page_bytes;
  if (!memory_.is_writable(page, Memory::page_bytes)) return;
  u8* const own = memory_.page_for_writing(page);
  entry_of(page) = {page, own, own};
}

}  // namespace salu::core
