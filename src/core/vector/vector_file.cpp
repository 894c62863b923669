#include "core/vector/vector_file.hpp"

#include <algorithm>

#include "core/memory_tree.hpp"

namespace salu {
namespace {

constexpr u32 block_of(u32 number) { return number / core::VectorBlock::registers; }
constexpr u32 place_of(u32 number) { return number % core::VectorBlock::registers; }

const core::VectorBlock& find_block(const core::VectorBlocks* blocks, u32 block) {
  return blocks == nullptr || !blocks->blocks[block] ? core::zero_vector_block() : *blocks->blocks[block];
}

core::VectorBlock& own_block(std::shared_ptr<core::VectorBlocks>& blocks, u32 block) {
  return core::make_own(core::make_own(blocks).blocks[block]);
}

}  // namespace

const VectorRegisters::Lanes& VectorRegisters::lanes(u32 number) const {
  return find_block(blocks_.get(), block_of(number)).lanes[place_of(number)];
}

u64 VectorRegisters::defined(u32 number) const {
  return find_block(blocks_.get(), block_of(number)).defined[place_of(number)];
}

void VectorRegisters::write(u32 number, u32 lane, u32 value) {
  core::VectorBlock& block = own_block(blocks_, block_of(number));
  block.lanes[place_of(number)][lane] = value;
  block.defined[place_of(number)] |= u64{1} << lane;
}

void VectorRegisters::undefine(u32 number, u64 lanes) {
  if ((defined(number) & lanes) == 0) return;
  own_block(blocks_, block_of(number)).defined[place_of(number)] &= ~lanes;
}

bool operator==(const VectorRegisters& left, const VectorRegisters& right) {
  if (left.blocks_ == right.blocks_) return true;
  for (u32 i = 0; i < core::VectorBlocks::count; ++i) {
    const core::VectorBlock& a = find_block(left.blocks_.get(), i);
    const core::VectorBlock& b = find_block(right.blocks_.get(), i);
    if (&a != &b && (a.lanes != b.lanes || a.defined != b.defined)) return false;
  }
  return true;
}

}  // namespace salu

namespace salu::core {

const VectorBlock& zero_vector_block() {
  static constexpr VectorBlock zero;
  return zero;
}

void VectorFile::load(const VectorRegisters& registers) {
  blocks_ = registers.blocks_;
  own_.fill(nullptr);
  for (u32 i = 0; i < VectorBlocks::count; ++i) read_[i] = &find_block(blocks_.get(), i);
}

VectorRegisters VectorFile::snapshot() {
  own_.fill(nullptr);
  VectorRegisters registers;
  registers.blocks_ = blocks_;
  return registers;
}

u64 VectorFile::bytes_beside(const VectorRegisters& registers, const VectorRegisters& copy) {
  if (registers.blocks_ == nullptr || registers.blocks_ == copy.blocks_) return 0;
  u64 bytes = sizeof(VectorBlocks);
  for (u32 i = 0; i < VectorBlocks::count; ++i) {
    const auto& block = registers.blocks_->blocks[i];
    const bool is_shared = copy.blocks_ != nullptr && copy.blocks_->blocks[i] == block;
    if (block != nullptr && !is_shared) bytes += sizeof(VectorBlock);
  }
  return bytes;
}

VectorBlock& VectorFile::make_own_block(u32 block) {
  VectorBlock& own = own_block(blocks_, block);
  own_[block] = &own;
  read_[block] = &own;
  return own;
}

}  // namespace salu::core
