#include <algorithm>
#include <charconv>

#include "isa/generations.hpp"
#include "isa/operand.hpp"
#include "support/names.hpp"

/// Names of registers as LLVM writes them: s3, s[2:3], ttmp[4:7], vcc, exec_lo, m0.
namespace salu::isa {
namespace {

/// Register pairs that have a name, and names for both halves.
constexpr std::array<std::pair<std::string_view, OperandClass>, 6> pairs = {{
    {"flat_scratch", OperandClass::flat_scratch},
    {"xnack_mask", OperandClass::xnack_mask},
    {"vcc", OperandClass::vcc},
    {"tba", OperandClass::tba},
    {"tma", OperandClass::tma},
    {"exec", OperandClass::exec},
}};

constexpr u32 last_register_code = 127;
constexpr u32 most_dwords = 16;

/// The first code of a class, or nothing if the generation does not have it.
std::optional<u32> first_code(Generation generation, OperandClass operand) {
  constexpr std::size_t class_count = static_cast<std::size_t>(OperandClass::exec) + 1;
  using Codes = std::array<std::optional<u32>, class_count>;
  static const GenerationTable<Codes> codes([](Generation each) {
    Codes made;
    for (u32 code = last_register_code + 1; code-- > 0;) {
      const OperandClass found = operand_class(each, static_cast<u8>(code));
      if (is_register(found)) made[static_cast<std::size_t>(found)] = code;
    }
    return made;
  });
  return codes[generation][static_cast<std::size_t>(operand)];
}

/// Names with the prefix `s` or `ttmp`, numbered from the first code of their class.
std::string numbered(std::string_view prefix, u32 number, u32 dwords) {
  std::string name(prefix);
  if (dwords == 1) return name + std::to_string(number);
  return name + "[" + std::to_string(number) + ":" + std::to_string(number + dwords - 1) + "]";
}

std::optional<u32> parse_number(std::string_view text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

struct NumberRange {
  u32 first;
  u32 last;
};

/// `3`, `[3]`, `[2:3]`
std::optional<NumberRange> parse_range(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.front() != '[') {
    const std::optional<u32> number = parse_number(text);
    if (!number) return std::nullopt;
    return NumberRange{*number, *number};
  }
  if (text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  const std::size_t colon = text.find(':');
  const std::optional<u32> first = parse_number(support::trim(text.substr(0, colon)));
  const std::optional<u32> last =
      colon == std::string_view::npos ? first : parse_number(support::trim(text.substr(colon + 1)));
  if (!first || !last || *last < *first) return std::nullopt;
  return NumberRange{*first, *last};
}

std::optional<RegisterSpan> parse_numbered(Generation generation, std::string_view text, OperandClass operand) {
  const std::optional<NumberRange> range = parse_range(text);
  const std::optional<u32> base = first_code(generation, operand);
  if (!range || !base || range->last > last_register_code || range->last - range->first >= most_dwords)
    return std::nullopt;
  const u32 last = *base + range->last;
  if (last > last_register_code || operand_class(generation, static_cast<u8>(last)) != operand) return std::nullopt;
  return RegisterSpan{static_cast<u8>(*base + range->first), static_cast<u8>(range->last - range->first + 1)};
}

std::optional<RegisterSpan> parse_pair(Generation generation, std::string_view name) {
  for (const auto& [pair, operand] : pairs) {
    if (!name.starts_with(pair)) continue;
    const std::optional<u32> base = first_code(generation, operand);
    const std::string_view half = name.substr(pair.size());
    if (!base) return std::nullopt;
    if (half.empty()) return RegisterSpan{static_cast<u8>(*base), 2};
    if (half == "_lo") return RegisterSpan{static_cast<u8>(*base), 1};
    if (half == "_hi") return RegisterSpan{static_cast<u8>(*base + 1), 1};
  }
  return std::nullopt;
}

}  // namespace

std::string vector_register_name(u32 index, u32 dwords) {
  const bool is_accumulator = index >= state_index::agprs;
  const std::string letter = is_accumulator ? "a" : "v";
  const u32 number = state_index::vector_of(index) % state_index::vector_of(state_index::agprs);
  if (dwords == 1) return letter + std::to_string(number) + "[" + std::to_string(state_index::lane_of(index)) + "]";
  const u32 last = number + dwords / state_index::lanes - 1;
  return number == last ? letter + std::to_string(number)
                        : letter + "[" + std::to_string(number) + ":" + std::to_string(last) + "]";
}

std::string register_name(Generation generation, u32 code, u32 dwords) {
  if (dwords == 0 || dwords > most_dwords || code > last_register_code || code + dwords - 1 > last_register_code)
    return {};
  const OperandClass operand = operand_class(generation, static_cast<u8>(code));
  if (operand == OperandClass::null) return "null";
  if (!is_register(operand) || operand_class(generation, static_cast<u8>(code + dwords - 1)) != operand) return {};
  if (operand == OperandClass::m0) return "m0";
  const u32 number = code - *first_code(generation, operand);
  if (operand == OperandClass::sgpr) return numbered("s", number, dwords);
  if (operand == OperandClass::ttmp) return numbered("ttmp", number, dwords);
  const auto* const found = std::ranges::find(pairs, operand, &std::pair<std::string_view, OperandClass>::second);
  std::string name(found->first);
  if (dwords == 1) name += number == 0 ? "_lo" : "_hi";
  return name;
}

std::optional<RegisterSpan> parse_register(Generation generation, std::string_view text) {
  const std::string name = support::lower_case(support::trim(text));
  const std::string_view view = name;
  if (view == "m0") return RegisterSpan{operand_codes(generation).m0, 1};
  if (view == "null" && operand_codes(generation).null != 0) return RegisterSpan{operand_codes(generation).null, 1};
  if (const auto pair = parse_pair(generation, view)) return pair;
  if (view.starts_with("ttmp")) return parse_numbered(generation, view.substr(4), OperandClass::ttmp);
  if (view.starts_with("s")) return parse_numbered(generation, view.substr(1), OperandClass::sgpr);
  return std::nullopt;
}

}  // namespace salu::isa
