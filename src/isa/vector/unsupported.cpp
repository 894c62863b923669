#include "isa/vector/unsupported.hpp"

#include <algorithm>
#include <array>

namespace salu::isa::vector {
namespace {

struct NameList {
  Generation first;
  Generation last;
  std::string_view text;  ///< names separated by blanks
};

constexpr auto lists = std::to_array<NameList>({
#define SALU_UNSUPPORTED(first, last, names) {Generation::first, Generation::last, names},
#include "isa/vector/unsupported.def"
#undef SALU_UNSUPPORTED
});

}  // namespace

std::vector<std::string_view> unsupported_names(Generation generation) {
  std::vector<std::string_view> names;
  for (const NameList& list : lists) {
    if (generation < list.first || generation > list.last) continue;
    for (std::string_view left = list.text; !left.empty();) {
      const std::size_t end = std::min(left.find(' '), left.size());
      names.push_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  return names;
}

bool is_unsupported(Generation generation, std::string_view name) {
  return std::ranges::count(unsupported_names(generation), name) != 0;
}

}  // namespace salu::isa::vector
