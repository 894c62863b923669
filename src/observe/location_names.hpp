#pragma once

#include <salu/location.hpp>
#include <salu/state.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace salu::observe {

/// A cache for `location_name`, for callers that need the same names millions of times.
class LocationNames {
 public:
  /// The name of a place; valid until the next call.
  std::string_view of(Generation generation, const Location& location);

 private:
  static constexpr u32 widths = 5;      ///< 1, 2, 4, 8, 16 dwords
  std::vector<std::string> registers_;  ///< by code and width, for one generation; created on demand
  Generation generation_{};
  std::string other_;
};

}  // namespace salu::observe
