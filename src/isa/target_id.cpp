#include "isa/target_id.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace salu::isa {

std::optional<TargetId> parse_target_id(std::string_view text) {
  // The name of a processor can contain dashes.
  constexpr std::size_t dashes = 4;
  std::array<std::size_t, dashes> places{};
  std::size_t start = 0;
  for (std::size_t& place : places) {
    place = text.find('-', start);
    if (place == std::string_view::npos) return std::nullopt;
    start = place + 1;
  }
  const std::string_view environment = text.substr(places[2] + 1, places[3] - places[2] - 1);
  const std::size_t features = std::min(text.find(':', start), text.size());
  TargetId id;
  id.triple = text.substr(0, environment.empty() ? places[2] : places[3]);
  id.system = text.substr(places[1] + 1, places[2] - places[1] - 1);
  id.processor = text.substr(start, features - start);
  id.features = text.substr(features);
  if (id.processor.empty()) return std::nullopt;
  return id;
}

}  // namespace salu::isa
