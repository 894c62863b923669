#include "observe/undefined/shadow.hpp"

#include <algorithm>

namespace salu::observe::undefined {

Shadow::Shadow(const WaveState& initial, Origins& origins)
    : unwritten_lane_(origins.begin(Origin::Kind::never_written, 0, {state_index::vgprs}, 0)) {
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

Mask Shadow::scalars(u32 index, u32 dwords) const {
  Mask mask = scalar(index);
  if (dwords == 2) mask.add(scalar(index + 1), 32);
  return mask;
}

void Shadow::set_scalar(u32 index, const Mask& mask) {
  u32 bits = static_cast<u32>(mask.bits);
  if (index == state_index::scc) bits &= 1;
  touched_.set(index, bits != 0);
  if (bits == 0) return;
  masks_[index] = bits;
  origins_[index] = mask.origin;
}

Mask Shadow::lane(const core::VectorFile* file, u32 number, u32 lane) const {
  if (const auto found = vectors_.find(number); found != vectors_.end())
    return {found->second.masks[lane], found->second.origins[lane]};
  return (unwritten_lanes(file, number) >> lane & 1) == 0 ? Mask{} : Mask{~u32{0}, unwritten_lane_};
}

u64 Shadow::undefined_lanes(const core::VectorFile* file, u32 number) const {
  if (const auto found = vectors_.find(number); found != vectors_.end()) return found->second.undefined;
  return unwritten_lanes(file, number);
}

void Shadow::set_lane(const core::VectorFile* file, u32 number, u32 lane, const Mask& mask) {
  auto found = vectors_.find(number);
  if (found == vectors_.end()) {
    // A lane that has been written is defined already. One that has not will be, but its neighbours may not.
    if (mask.bits == 0 && (undefined_lanes(file, number) >> lane & 1) == 0) return;
    Lanes lanes;
    lanes.undefined = undefined_lanes(file, number);
    for (u32 i = 0; i < state_index::lanes; ++i) {
      if ((lanes.undefined >> i & 1) == 0) continue;
      lanes.masks[i] = ~u32{0};
      lanes.origins[i] = unwritten_lane_;
    }
    found = vectors_.emplace(number, lanes).first;
  }
  Lanes& lanes = found->second;
  lanes.masks[lane] = static_cast<u32>(mask.bits);
  lanes.origins[lane] = mask.origin;
  lanes.undefined = (lanes.undefined & ~(u64{1} << lane)) | u64{lanes.masks[lane] != 0} << lane;
}

void Shadow::define_lanes(u32 number, u64 lanes) {
  const auto found = vectors_.find(number);
  if (found == vectors_.end()) return;
  found->second.undefined &= ~lanes;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    if ((lanes >> lane & 1) != 0) found->second.masks[lane] = 0;
  }
  if (found->second.undefined == 0) vectors_.erase(found);
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
