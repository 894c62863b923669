#include "page/tracked_state.hpp"

#include <algorithm>

#include "isa/operand.hpp"
#include "observe/accesses.hpp"

namespace salu::page {
namespace {

Location location_at(u32 index) {
  switch (index) {
    case tracked::scc:
      return {Location::Kind::scc};
    case tracked::mode:
      return {Location::Kind::mode};
    case tracked::status:
      return {Location::Kind::status};
    default:
      break;
  }
  if (index < code::count) return {Location::Kind::registers, static_cast<u8>(index)};
  return {Location::Kind::hwreg, static_cast<u8>(index - tracked::hwregs)};
}

}  // namespace

TrackedState::TrackedState(Generation generation, const WaveState& initial) {
  std::ranges::copy(initial.file, values_.begin());
  if (generation_info(generation).trap_addresses_are_operands) {
    const auto put = [this](u32 code, u64 value) {
      values_[code] = static_cast<u32>(value);
      values_[code + 1] = static_cast<u32>(value >> 32);
    };
    put(code::tba, initial.tba);
    put(code::tma, initial.tma);
  }
  values_[tracked::scc] = initial.scc ? 1 : 0;
  values_[tracked::mode] = initial.mode;
  values_[tracked::status] = initial.status;
  std::ranges::copy(initial.hwregs, values_.begin() + tracked::hwregs);
}

std::span<const TrackedWrite> TrackedState::apply(const TraceEvent& event) {
  writes_.clear();
  for (const LocationValue& written : event.written) {
    const Location& where = written.location;
    u32 index = 0;
    switch (where.kind) {
      case Location::Kind::registers:
        index = where.first;
        break;
      case Location::Kind::scc:
        index = tracked::scc;
        break;
      case Location::Kind::mode:
        index = tracked::mode;
        break;
      case Location::Kind::status:
        index = tracked::status;
        break;
      case Location::Kind::hwreg:
        index = tracked::hwregs + where.first;
        break;
      case Location::Kind::memory:
        continue;
    }
    for (u32 value : written.values()) {
      if (index == tracked::status) value &= ~status_live_bits;
      values_[index] = value;
      writes_.push_back({index++, value});
    }
  }
  return writes_;
}

std::string tracked_name(Generation generation, u32 index) {
  std::string name = observe::location_name(generation, location_at(index));
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

bool is_defined_at_start(Generation generation, const WaveState& initial, u32 index) {
  const std::vector<u32> indices = observe::defined_indices(generation, location_at(index));
  return std::ranges::all_of(indices, [&](u32 i) { return initial.defined.test(i); });
}

}  // namespace salu::page
