#include "observe/races/shadow.hpp"

#include <algorithm>

namespace salu::observe::races {

void Shadow::find_page(u64 number) {
  last_ = &pages_[number];
  last_number_ = number;
}

Shadow::Block* Shadow::make_block(u64 address, std::unique_ptr<Block>& block) const {
  const u64 first = address - address % block_bytes;
  const auto contains = [first](const MemoryRegion& region) {
    return first >= region.base && first + block_bytes <= region.end();
  };
  if (std::ranges::any_of(ignored_, contains)) return nullptr;
  block = std::make_unique<Block>();
  return block.get();
}

}  // namespace salu::observe::races
