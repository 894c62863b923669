#include "equiv/vector_names.hpp"

#include <salu/location.hpp>

#include <string_view>

namespace salu::equiv {
namespace {

/// True if the names from `first` on are all lanes of `vector`, in order.
bool are_all_lanes(const std::vector<std::string>& names, std::size_t first, const std::string& vector) {
  if (names.size() - first < state_index::lanes) return false;
  for (std::size_t lane = 0; lane < state_index::lanes; ++lane) {
    if (names[first + lane] != vector + "[" + std::to_string(lane) + "]") return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> with_whole_vectors(const std::vector<std::string>& names) {
  constexpr std::string_view first_lane = "[0]";
  std::vector<std::string> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const std::string vector = name.ends_with(first_lane) ? name.substr(0, name.size() - first_lane.size()) : "";
    if (!vector.empty() && are_all_lanes(names, i, vector)) {
      result.push_back(vector);
      i += state_index::lanes - 1;
    } else {
      result.push_back(name);
    }
  }
  return result;
}

}  // namespace salu::equiv
