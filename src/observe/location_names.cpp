#include "observe/location_names.hpp"

#include <bit>
#include <cstddef>

#include "observe/accesses.hpp"

namespace salu::observe {

std::string_view LocationNames::of(Generation generation, const Location& location) {
  if (location.index == state_index::scc) return "scc";
  if (!location.is_in_file() || !std::has_single_bit(location.dwords)) {
    return other_ = location_name(generation, location);
  }
  if (registers_.empty() || generation != generation_) {
    registers_.assign(std::size_t{code::count} * widths, {});
    generation_ = generation;
  }
  std::string& name = registers_[location.index * widths + static_cast<u32>(std::countr_zero(location.dwords))];
  if (name.empty()) name = location_name(generation, location);
  return name;
}

}  // namespace salu::observe
