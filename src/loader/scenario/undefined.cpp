#include "loader/scenario/undefined.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "loader/scenario/registers.hpp"

namespace salu::loader {
namespace {

/// Bits of a register.
struct BitRange {
  RegisterName name;
  u32 first = 0;
  u32 last = 0;
};

std::optional<u32> read_bit(std::string_view text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses `s5[7:0]`; nothing if the text does not have this form.
std::optional<BitRange> read_bits(Generation generation, std::string_view text) {
  const std::size_t open = text.find('[');
  const std::size_t colon = text.find(':', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || colon == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
  const std::optional<RegisterName> name = parse_register_name(generation, text.substr(0, open));
  const std::optional<u32> last = read_bit(text.substr(open + 1, colon - open - 1));
  const std::optional<u32> first = read_bit(text.substr(colon + 1, text.size() - colon - 2));
  if (!name || !first || !last) return std::nullopt;
  return BitRange{*name, *first, *last};
}

void undefine(WaveState& state, const BitRange& bits) {
  for (u32 bit = bits.first; bit <= bits.last; ++bit) {
    const u32 at = bit + bits.name.low_bit;
    const u32 index = bits.name.index + at / 32;
    if (state.undefined_bits.empty() || state.undefined_bits.back().index != index)
      state.undefined_bits.push_back({index, 0});
    state.undefined_bits.back().mask |= 1U << at % 32;
  }
}

void undefine_lanes(WaveState& state, const RegisterName& name) {
  for (u32 i = 0; i < name.dwords(); ++i) {
    const u32 index = name.index + i;
    state.vectors.undefine(state_index::vector_of(index), u64{1} << state_index::lane_of(index));
  }
}

}  // namespace

void read_undefined_bits(const Document& document, const Node& list, Generation generation, WaveState& state) {
  expect_sequence(document, list, "`undefined:`");
  for (const Node* node : list.children) {
    if (const std::optional<BitRange> bits = read_bits(generation, node->text)) {
      if (bits->last < bits->first || bits->last >= bits->name.width || bits->name.is_vector()) {
        document.fail(*node, "`" + node->text + "`: expected bits of a scalar register, highest first, as in s5[7:0]");
      }
      undefine(state, *bits);
      continue;
    }
    const RegisterName name = read_register_name(document, *node, generation, allocated_registers(state));
    if (name.is_pc()) document.fail(*node, "`pc` cannot be undefined");
    if (name.is_vector())
      undefine_lanes(state, name);
    else
      undefine(state, {name, 0, name.width - 1U});
  }
}

}  // namespace salu::loader
