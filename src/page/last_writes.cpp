#include "page/last_writes.hpp"

namespace salu::page {
namespace {

constexpr u64 first_dword(const Location& place) { return place.address / 4; }
constexpr u64 last_dword(const Location& place) { return (place.address + u64{place.dwords} * 4 - 1) / 4; }

}  // namespace

void LastWrites::see(const TraceEvent& event) {
  const LastWrite write{event.step, event.pc, {}};
  for (const LocationValue& written : event.written) {
    const Location& place = written.location;
    if (place.is_memory()) {
      see_memory(place, write);
      continue;
    }
    for (u32 index = place.index; index < place.index + place.dwords && index < scalars_.size(); ++index)
      scalars_[index] = write;
  }
  for (const VectorValue& written : event.vectors_written) {
    if (lanes_.empty()) lanes_.resize(state_index::memory - state_index::vgprs);
    const u32 first = written.number * state_index::lanes;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if ((written.lanes >> lane & 1) != 0) lanes_[first + lane] = write;
    }
  }
}

void LastWrites::see_memory(const TraceEvent& event) {
  for (const LocationValue& written : event.written) {
    if (written.location.is_memory()) see_memory(written.location, {event.step, event.pc, event.wave});
  }
}

void LastWrites::see_memory(const Location& place, LastWrite write) {
  for (u64 dword = first_dword(place); dword <= last_dword(place); ++dword) {
    if (memory_.size() < most_memory_dwords) {
      memory_[dword] = write;
    } else if (const auto found = memory_.find(dword); found != memory_.end()) {
      found->second = write;
    }
  }
}

LastWrite LastWrites::of(const Location& place) const {
  LastWrite last;
  const auto consider = [&last](const LastWrite& write) {
    if (write.step > last.step) last = write;
  };
  if (place.is_memory()) {
    for (u64 dword = first_dword(place); dword <= last_dword(place); ++dword) {
      if (const auto found = memory_.find(dword); found != memory_.end()) consider(found->second);
    }
    return last;
  }
  for (u32 index = place.index; index < place.index + place.dwords; ++index) {
    if (index < scalars_.size()) {
      consider(scalars_[index]);
    } else if (state_index::is_lane(index) && !lanes_.empty()) {
      consider(lanes_[index - state_index::vgprs]);
    }
  }
  return last;
}

}  // namespace salu::page
