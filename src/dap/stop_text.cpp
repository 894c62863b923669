#include "dap/stop_text.hpp"

#include <fmt/core.h>

#include "debug/place_text.hpp"
#include "support/numbers.hpp"

namespace salu::dap {

std::string stop_text(const Stop& stop, u64 position, const Program& program) {
  std::string text = fmt::format("{} at {} after {}", stop.reason_name(), debug::address_text(program, stop.pc),
                                 support::counted(position, "instruction"));
  if (!stop.instruction.empty()) text += ": " + stop.instruction;
  return stop.detail.empty() ? text : text + ": " + stop.detail;
}

}  // namespace salu::dap
