#include "observe/location_names.hpp"

#include <bit>
#include <cstddef>

#include "observe/accesses.hpp"

namespace salu::observe {

std::string_view LocationNames::of(Generation generation, const Location& location) {
  if (location.kind == Location::Kind::scc) return "scc";
  if (location.kind != Location::Kind::registers || !std::has_single_bit(u32{location.dwords})) {
    return other_ = location_name(generation, location);
  }
  if (registers_.empty() || generation != generation_) {
    registers_.assign(std::size_t{code::count} * widths, {});
    generation_ = generation;
  }
  std::string& name = registers_[location.first * widths + static_cast<u32>(std::countr_zero(u32{location.dwords}))];
  if (name.empty()) name = location_name(generation, location);
  return name;
}

}  // namespace salu::observe
