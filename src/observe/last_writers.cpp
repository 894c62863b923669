#include "observe/last_writers.hpp"

namespace salu::observe {

void LastWriters::see(const TraceEvent& event, bool is_own) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!is_own && !places_[i].is_memory()) continue;
    if (writes_to(event, places_[i]))
      writers_[i] = Writer{event.step, event.wave, event.pc, std::string(instruction_text(event))};
  }
}

}  // namespace salu::observe
