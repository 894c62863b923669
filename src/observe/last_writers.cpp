#include "observe/last_writers.hpp"

namespace salu::observe {

void LastWriters::see(const TraceEvent& event) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (writes_to(event, places_[i])) writers_[i] = Writer{event.step, event.pc, std::string(instruction_text(event))};
  }
}

}  // namespace salu::observe
