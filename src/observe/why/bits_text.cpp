#include "observe/why/bits_text.hpp"

#include <bit>

#include "isa/hwreg.hpp"
#include "observe/accesses.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
namespace {

/// True if both halves are shown as one value, so that a bit of either half is a bit of the whole.
bool is_mask_of_lanes(const Location& place) {
  return place.is_in_file() && (place.index / 2 * 2 == state_index::exec || place.index / 2 * 2 == state_index::vcc);
}

bool is_low_of_pair(const Location& place) { return place.is_in_file() && place.index % 2 == 0; }

bool is_contiguous(u64 mask) {
  const u64 run = mask >> std::countr_zero(mask);
  return (run & (run + 1)) == 0;
}

/// `[7]`, `[7:0]`, `[31:28,7:0]`; ` & 0x55555555` for many ranges of bits.
std::string ranges_text(u64 mask) {
  constexpr u32 most_ranges = 3;
  std::string text = "[";
  u32 count = 0;
  for (u64 left = mask; left != 0; ++count) {
    const int high = 63 - std::countl_zero(left);
    const int width = std::countl_one(left << (63 - high));
    const int low = high - width + 1;
    text += (count == 0 ? "" : ",") + std::to_string(high) + (width == 1 ? "" : ":" + std::to_string(low));
    left &= low == 0 ? 0 : (u64{1} << low) - 1;
  }
  return count <= most_ranges ? text + "]" : " & " + support::hex(mask);
}

std::string field_name(Generation generation, u32 index, u64 mask) {
  const u32 id = index == state_index::mode ? isa::hwreg_id::mode : isa::hwreg_id::status;
  for (const isa::HwregField* const field : isa::hwreg_fields(generation, id)) {
    if (field->mask() == mask) return support::lower_case(field->name);
  }
  return {};
}

BitRun run_of(const Bits& bits, u32 value, std::size_t number) {
  if (is_mask_of_lanes(bits.place) && bits.place.index % 2 == 1) {
    return {{bits.place.index - 1, 2}, u64{bits.mask} << 32, u64{value} << 32, number};
  }
  if (is_mask_of_lanes(bits.place)) return {{bits.place.index, 2}, bits.mask, value, number};
  return {bits.place, bits.mask, value, number};
}

/// Adds bits to the list; merges a high half with the low half if that is the last entry.
void add(std::vector<BitRun>& runs, const Bits& bits, u32 value, std::size_t number, bool may_join) {
  if (may_join && !runs.empty()) {
    BitRun& last = runs.back();
    const bool follows = bits.place.is_in_file() && is_low_of_pair(last.place) &&
                         bits.place.index == last.place.index + 1 && (last.mask >> 32) == 0;
    if (follows) {
      last.place.dwords = 2;
      last.mask |= u64{bits.mask} << 32;
      last.value |= u64{value} << 32;
      return;
    }
  }
  runs.push_back(run_of(bits, value, number));
}

}  // namespace

std::string BitRun::name(Generation generation) const {
  const u64 all = place.dwords == 2 ? ~u64{0} : 0xffffffff;
  if (place.index == state_index::scc) return "scc";
  if (is_mask_of_lanes(place) && mask == 0xffffffff) return location_name(generation, {place.index});
  if (is_mask_of_lanes(place) && mask == ~u64{0xffffffff}) return location_name(generation, {place.index + 1});
  std::string whole = location_name(generation, place);
  if (mask == all) return whole;
  if (place.index == state_index::mode || place.index == state_index::status) {
    if (std::string field = field_name(generation, place.index, mask); !field.empty()) return field;
  }
  return whole + ranges_text(mask);
}

std::string BitRun::value_text() const {
  if (!is_contiguous(mask)) return support::hex(value & mask);
  const int low = std::countr_zero(mask);
  const auto width = static_cast<u32>(std::popcount(mask));
  const u64 bits = (value & mask) >> low;
  return width == 1 ? std::to_string(bits) : support::hex(bits, (width + 3) / 4);
}

std::vector<BitRun> runs_of(std::span<const WhySource> sources) {
  std::vector<BitRun> runs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const WhySource& each = sources[i];
    const bool is_like_last = i != 0 && each.follows && each.role == sources[i - 1].role &&
                              each.origin == sources[i - 1].origin && each.link == sources[i - 1].link;
    add(runs, each.bits, each.value, i, is_like_last);
  }
  return runs;
}

std::vector<BitRun> runs_of(const WhyLink& link) {
  std::vector<BitRun> runs;
  for (std::size_t i = 0; i < link.written.size(); ++i) add(runs, link.written[i], link.values[i], i, true);
  return runs;
}

}  // namespace salu::observe
