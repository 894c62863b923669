#include "observe/last_writers.hpp"

#include <algorithm>

namespace salu::observe {

void LastWriters::see(const TraceEvent& event) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto hits = [&](const LocationValue& written) { return overlap(places_[i], written.location); };
    if (std::ranges::any_of(event.written, hits))
      writers_[i] = Writer{event.step, event.pc, std::string(instruction_text(event))};
  }
}

}  // namespace salu::observe
