#include "page/tracked_state.hpp"

#include <algorithm>

#include "observe/accesses.hpp"
#include "support/names.hpp"

namespace salu::page {

TrackedState::TrackedState(const WaveState& initial) {
  for (u32 index = 0; index < values_.size(); ++index)
    values_[index] = static_cast<u32>(read_register(initial, {index}));
  values_[state_index::status] = initial.status;
}

std::span<const TrackedWrite> TrackedState::apply(const TraceEvent& event) {
  writes_.clear();
  for (const LocationValue& written : event.written) {
    u32 index = written.location.index;
    if (index >= state_index::scalar_count) continue;
    for (u32 value : written.values()) {
      if (index == state_index::status) value &= ~status_live_bits;
      values_[index] = value;
      writes_.push_back({index++, value});
    }
  }
  return writes_;
}

std::string tracked_name(Generation generation, u32 index) {
  return support::lower_case(observe::location_name(generation, {index}));
}

bool is_defined_at_start(const WaveState& initial, u32 index) {
  return index >= state_index::defined_count || initial.defined.test(index);
}

}  // namespace salu::page
