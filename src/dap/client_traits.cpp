#include "dap/client_traits.hpp"

#include <algorithm>

namespace salu::dap {

u32 ClientTraits::line_from(u64 line) const {
  constexpr u64 greatest = 0xffff'fffe;
  return static_cast<u32>(std::min(line, greatest) + (lines_start_at_1 ? 0 : 1));
}

void ClientTraits::adjust_lines(Json& json) const {
  if (lines_start_at_1) return;
  const auto line = json.find("line");
  if (line != json.end()) *line = line->get<u64>() - 1;
}

}  // namespace salu::dap
