#include "isa/unknown_target.hpp"

#include <salu/target.hpp>

#include <algorithm>
#include <array>

#include "support/names.hpp"

namespace salu::isa {
namespace {

/// A family of LLVM's processors that salu does not support.
struct OtherFamily {
  std::string_view name;
  std::string_view processors;  ///< separated by blanks, with the names of the family itself
};

// LLVM: lib/Target/AMDGPU/R600Processors.td and GCNProcessors.td.
constexpr auto other_families = std::to_array<OtherFamily>({
    {"TeraScale",
     "r600 r630 rs880 rv670 rv710 rv730 rv770 cedar cypress juniper redwood sumo barts caicos cayman turks"},
    {"RDNA", "rdna"},
    {"RDNA 1", "rdna1 gfx1010 gfx1011 gfx1012 gfx1013 gfx10-1-generic"},
    {"RDNA 2", "rdna2 gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic"},
    {"RDNA 3", "rdna3 gfx1100 gfx1101 gfx1102 gfx1103 gfx11-generic"},
    {"RDNA 3.5", "rdna3.5 gfx1150 gfx1151 gfx1152 gfx1153"},
    {"RDNA 4", "rdna4 gfx1200 gfx1201 gfx12-generic"},
    {"GFX12.5", "gfx1250 gfx1251"},
});

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string unknown_target(std::string_view name) {
  const std::string processor = support::lower_case(name.substr(0, name.find(':')));
  const auto* const other = std::ranges::find_if(
      other_families, [&](const OtherFamily& family) { return has_word(family.processors, processor); });
  if (other != other_families.end()) {
    return support::quote(std::string(name)) + " is " + std::string(other->name) +
           ", which salu does not support; supported: gfx600 to gfx950 (GCN and CDNA), see `salu targets`";
  }
  const auto near = nearest_target_names(name);
  return "unknown target " + support::quote(std::string(name)) +
         (near.empty() ? "; see `salu targets`" : "; did you mean " + support::name_list(near) + "?");
}

}  // namespace salu::isa
