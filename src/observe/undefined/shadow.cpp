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

const ShadowRow& Shadow::lanes(const core::VectorFile* file, u32 number) {
  static const ShadowRow all_defined;
  if (const ShadowRow* const lanes = find_lanes(number)) return *lanes;
  const u64 undefined = unwritten_lanes(file, number);
  if (undefined == 0) return all_defined;
  return undefined == ~u64{0} ? all_unwritten_ : own_lanes(file, number);
}

ShadowRow& Shadow::own_lanes(const core::VectorFile* file, u32 number) {
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

bool Shadow::is_in_range(u64 row) const {
  return std::ranges::any_of(ranges_, [row](const Range& range) {
    return row < range.base + range.size_bytes && range.base < row + row_bytes;
  });
}

const ShadowRow* Shadow::find_row(u64 address) const {
  if (memory_.empty()) return nullptr;
  const auto found = memory_.find(address);
  return found == memory_.end() ? nullptr : &found->second;
}

ShadowRow& Shadow::own_row(u64 address) {
  const auto [entry, is_new] = memory_.try_emplace(address);
  ShadowRow& row = entry->second;
  if (is_new && is_in_range(address)) {
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if (const Range* const range = range_of(address + u64{4} * lane)) row.set(lane, {~u32{0}, range->origin});
    }
  }
  return row;
}

const ShadowRow* Shadow::undefined_row(u64 address) {
  const ShadowRow* const row = is_in_range(address) ? &own_row(address) : find_row(address);
  return row == nullptr || row->undefined == 0 ? nullptr : row;
}

void Shadow::tidy_row(u64 address) {
  const auto found = memory_.find(address);
  if (found->second.undefined == 0 && !is_in_range(address)) memory_.erase(found);
}

Mask Shadow::dword(u64 address) const {
  if (const ShadowRow* const row = find_row(address - address % row_bytes)) return (*row)[address % row_bytes / 4];
  const Range* const range = range_of(address);
  return range == nullptr ? Mask{} : Mask{~u32{0}, range->origin};
}

void Shadow::set_dword(u64 address, const Mask& mask, u32 written) {
  const u64 base = address - address % row_bytes;
  if ((mask.bits & written) == 0 && find_row(base) == nullptr && range_of(address) == nullptr) return;
  ShadowRow& row = own_row(base);
  const auto lane = static_cast<u32>(address % row_bytes / 4);
  const Mask old = row[lane];
  const u64 bits = (old.bits & ~u64{written}) | (mask.bits & written);
  row.set(lane, {bits, mask.bits != 0 ? mask.origin : old.origin});
  if (bits == 0) tidy_row(base);
}

u64 Shadow::undefined_dwords(u64 address, u64 lanes) const {
  if (is_memory_defined()) return 0;
  if (is_row(address)) {
    if (const ShadowRow* const row = find_row(address)) return row->undefined & lanes;
    if (!is_in_range(address)) return 0;
  }
  u64 undefined = 0;
  for_lanes(lanes, [&](u32 lane) { undefined |= u64{dword(address + u64{4} * lane).bits != 0} << lane; });
  return undefined;
}

void Shadow::define_dwords(u64 address, u64 lanes) {
  if (is_memory_defined()) return;
  if (!is_row(address)) return for_lanes(lanes, [&](u32 lane) { set_dword(address + u64{4} * lane, {}); });
  if (find_row(address) == nullptr && !is_in_range(address)) return;
  own_row(address).define(lanes);
  tidy_row(address);
}

std::vector<Shadow::Dword> Shadow::undefined_dwords() const {
  std::vector<Dword> result;
  for (const auto& [address, row] : memory_) {
    for_lanes(row.undefined, [&](u32 lane) {
      const u64 dword = address + u64{4} * lane;
      const Range* const range = range_of(dword);
      // A store has its own origin.
      if (range == nullptr || row.origins[lane] != range->origin) result.push_back({dword, row[lane]});
    });
  }
  std::ranges::sort(result, {}, &Dword::address);
  return result;
}

}  // namespace salu::observe::undefined
