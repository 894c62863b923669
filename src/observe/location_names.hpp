#pragma once

#include <salu/location.hpp>
#include <salu/state.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace salu::observe {

/// `location_name` for those who ask for the same few names a million times.
class LocationNames {
 public:
  /// The name of a place; valid until the next one is asked for.
  std::string_view of(Generation generation, const Location& location);

 private:
  static constexpr u32 widths = 5;      ///< 1, 2, 4, 8, 16 dwords
  std::vector<std::string> registers_;  ///< by code and width, of one generation; made when they are asked for
  Generation generation_{};
  std::string other_;
};

}  // namespace salu::observe
