#include "observe/undefined/shadow.hpp"

#include <algorithm>

namespace salu::observe::undefined {

Shadow::Shadow(const WaveState& initial, Origins& origins) {
  all_unwritten_.masks.fill(~u32{0});
  all_unwritten_.common = origins.begin(Origin::Kind::never_written, 0, {state_index::vgprs}, 0);
  all_unwritten_.origins.fill(all_unwritten_.common);
  all_unwritten_.undefined = ~u64{0};
  for (u32 index = 0; index < state_index::defined_count; ++index) {
    if (initial.defined.test(index)) continue;
    set_scalar(index, {~u32{0}, origins.begin(Origin::Kind::never_written, 0, {index}, 0)});
  }
  for (const UndefinedBits& bits : initial.undefined_bits) {
    if (bits.index >= state_index::scalar_count) continue;
    Mask mask = scalar(bits.index);
    mask.bits |= bits.mask;
    mask.origin = origins.begin(Origin::Kind::given, 0, {bits.index}, 0);
    set_scalar(bits.index, mask);
  }
}

const ShadowLanes& Shadow::lanes(const core::VectorFile* file, u32 number) {
  static const ShadowLanes all_defined;
  if (const ShadowLanes* const lanes = find_lanes(number)) return *lanes;
  const u64 undefined = unwritten_lanes(file, number);
  if (undefined == 0) return all_defined;
  return undefined == ~u64{0} ? all_unwritten_ : own_lanes(file, number);
}

ShadowLanes& Shadow::own_lanes(const core::VectorFile* file, u32 number) {
  if (entries_[number] == 0) {
    vectors_.push_back(all_unwritten_);
    vectors_.back().define(~unwritten_lanes(file, number));
    entries_[number] = static_cast<u16>(vectors_.size());
  }
  return vectors_[entries_[number] - 1U];
}

void Shadow::define_lanes(u32 number, u64 lanes) {
  if (entries_[number] != 0) vectors_[entries_[number] - 1U].define(lanes);
}

void Shadow::forget_memory(u64 base, u64 size_bytes, OriginId origin) { ranges_.push_back({base, size_bytes, origin}); }

const Shadow::Range* Shadow::range_of(u64 address) const {
  for (const Range& range : ranges_) {
    if (address - range.base < range.size_bytes) return &range;
  }
  return nullptr;
}

Mask Shadow::dword(u64 address) const {
  if (const auto found = dwords_.find(address); found != dwords_.end())
    return {found->second.mask, found->second.origin};
  const Range* const range = range_of(address);
  return range == nullptr ? Mask{} : Mask{~u32{0}, range->origin};
}

void Shadow::set_dword(u64 address, const Mask& mask, u32 written) {
  const Mask old = dword(address);
  const u32 bits = (static_cast<u32>(old.bits) & ~written) | (static_cast<u32>(mask.bits) & written);
  if (bits == 0 && range_of(address) == nullptr) {
    dwords_.erase(address);
    return;
  }
  dwords_[address] = {bits, mask.bits != 0 ? mask.origin : old.origin};
}

std::vector<UndefinedMemory> Shadow::undefined_memory() const {
  std::vector<UndefinedMemory> result;
  for (const auto& [address, dword] : dwords_) {
    if (dword.mask != 0) result.push_back({address, dword.mask});
  }
  std::ranges::sort(result, {}, &UndefinedMemory::address);
  return result;
}

}  // namespace salu::observe::undefined
