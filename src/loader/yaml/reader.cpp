#include "loader/yaml/reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

bool is_name(std::string_view text) {
  const auto is_start = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
  };
  const auto is_part = [&](char c) { return is_start(c) || (c >= '0' && c <= '9') || c == '@'; };
  return !text.empty() && is_start(text.front()) && std::ranges::all_of(text, is_part);
}

Number read_float_map(const Document& document, const Node& node, std::string_view what, u32 width) {
  static constexpr std::array<std::string_view, 3> keys = {"f16", "f32", "f64"};
  const MapReader map(document, node, "a floating-point value", keys);
  const std::optional<FloatNode> floats = find_floats(node);
  if (!floats || node.children.size() != 2) {
    document.fail(node, std::string(what) + ": write {f16: 1.5}, {f32: 1.5} or {f64: 1.5}");
  }
  const u32 bits = float_width(*floats->numbers, floats->format);
  if (width < bits) {
    document.fail(node, fmt::format("{} has {}, which is too narrow for a floating-point number of {} bits{}", what,
                                    support::counted(width, "bit"), bits,
                                    width < 32 ? "" : "; write {f32: " + floats->numbers->text + "}"));
  }
  return make_number(read_float(document, *floats->numbers, what, floats->format));
}

/// A name with an optional signed offset: `label`, `label+4` or `label-0x10`.
struct SymbolOffset {
  std::string_view name;
  std::string_view distance;
};

std::optional<SymbolOffset> parse_place(std::string_view text) {
  const std::size_t sign = std::min(text.find_first_of("+-"), text.size());
  const SymbolOffset place{text.substr(0, sign), text.substr(sign)};
  if (!is_name(place.name)) return std::nullopt;
  return place;
}

Number read_place(const Document& document, const Node& node, const SymbolOffset& place, const SymbolIndex& symbols) {
  const SymbolIndex::Match match = symbols.find(place.name);
  if (match.count == 0) {
    document.fail(node, "unknown label or symbol " + quote(place.name) + symbols.hint(place.name));
  }
  if (match.count > 1)
    document.fail(node, "the name " + quote(place.name) + " is ambiguous: it has several addresses in the code");
  if (place.distance.empty()) return make_number(match.address);
  const ParsedNumber distance = parse_number(place.distance.substr(1));
  if (!distance.number || distance.number->negative || !distance.number->fits(63)) {
    document.fail(node,
                  fmt::format("{}: the offset from {} must be a number of bytes", quote(node.text), quote(place.name)));
  }
  const u64 bytes = distance.number->low64();
  return make_number(place.distance.front() == '+' ? match.address + bytes : match.address - bytes);
}

/// Reads a number of any size; `bits` applies to floating-point values only.
Number read_any_value(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds) {
  Number number;
  if (kinds.floats && node.is_map()) {
    number = read_float_map(document, node, what, bits);
  } else if (!node.is_scalar()) {
    document.fail(node, std::string(what) + ": expected a number, found " + describe(node));
  } else {
    const ParsedNumber parsed = parse_number(node.text);
    if (!parsed.problem.empty()) document.fail(node, fmt::format("{}: {}: {}", what, quote(node.text), parsed.problem));
    if (parsed.number) {
      number = *parsed.number;
    } else if (const auto place = parse_place(node.text); kinds.symbols != nullptr && place) {
      number = read_place(document, node, *place, *kinds.symbols);
    } else {
      document.fail(node, fmt::format("{}: {} is not a number", what, quote(node.text)));
    }
  }
  return number;
}

void check_fits(const Document& document, const Node& node, std::string_view what, u32 bits, const Number& number,
                const std::string& range) {
  if (number.fits(bits)) return;
  document.fail(
      node, fmt::format("{}: {} does not fit in {} ({})", what, describe(node), support::counted(bits, "bit"), range));
}

}  // namespace

std::optional<FloatNode> find_floats(const Node& node) {
  if (!node.is_map()) return std::nullopt;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    if (const auto format = find_float_format(node.children[i]->text)) return FloatNode{*format, node.children[i + 1]};
  }
  return std::nullopt;
}

FloatMap::FloatMap(const Node& value, FloatFormat format) {
  key_.kind = Node::Kind::scalar;
  key_.text = float_format_name(format);
  map_.kind = Node::Kind::map;
  for (Node* const node : {&key_, &map_}) {
    node->line = value.line;
    node->column = value.column;
  }
  map_.children = {&key_, &value};
}

u32 float_width(const Node& node, FloatFormat format) {
  return format == FloatFormat::f16 && node.is_sequence() ? 32 : float_bits(format);
}

u64 read_float(const Document& document, const Node& node, std::string_view what, FloatFormat format) {
  if (format == FloatFormat::f16 && node.is_sequence()) {
    if (node.children.size() != 2)
      document.fail(node, fmt::format("{}: expected a number, or the low and the high half in a list, found {} numbers",
                                      what, node.children.size()));
    return read_float(document, *node.children[0], what, format) | read_float(document, *node.children[1], what, format)
                                                                       << 16;
  }
  if (!node.is_scalar())
    document.fail(node, std::string(what) + ": expected a floating-point number, found " + describe(node));
  if (const auto bits = parse_float(format, node.text)) return *bits;
  document.fail(node, fmt::format("{} is not a floating-point number, or does not fit in {} bits", quote(node.text),
                                  float_bits(format)));
}

MapReader::MapReader(const Document& document, const Node& map, std::string_view what,
                     std::span<const std::string_view> known)
    : document_(document), map_(map), what_(what) {
  if (!map.is_map()) document.fail(map, what_ + " must be a map (`key: value`), found " + describe(map));
  for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
    const Node& key = *map.children[i];
    if (std::ranges::find(known, key.text) != known.end()) continue;
    const std::string hint = did_you_mean(key.text, known);
    document.fail(key, fmt::format("unknown key {} in {}{}", quote(key.text), what_,
                                   hint.empty() ? "; expected " + name_list(known, "and") : hint));
  }
}

const Node* MapReader::find(std::string_view key) const {
  for (std::size_t i = 0; i + 1 < map_.children.size(); i += 2) {
    if (map_.children[i]->text != key) continue;
    const Node& value = *map_.children[i + 1];
    if (value.kind == Node::Kind::null)
      document_.fail(*map_.children[i], "`" + std::string(key) + ":` does not have a value");
    return &value;
  }
  return nullptr;
}

const Node& MapReader::require(std::string_view key) const {
  const Node* value = find(key);
  if (value == nullptr) document_.fail(map_, fmt::format("{} needs `{}:`", what_, key));
  return *value;
}

const std::string& read_text(const Document& document, const Node& node, std::string_view what) {
  if (!node.is_scalar()) document.fail(node, std::string(what) + " must be a text, found " + describe(node));
  return node.text;
}

void expect_sequence(const Document& document, const Node& node, std::string_view what) {
  if (!node.is_sequence()) document.fail(node, std::string(what) + " must be a list, found " + describe(node));
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return quote(node.text);
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return {};
}

SymbolIndex::SymbolIndex(const Program& program) {
  for (const Symbol& symbol : program.symbols) {
    const auto [place, added] = matches_.try_emplace(symbol.name, Match{symbol.address, 1});
    if (added) {
      names_.push_back(symbol.name);
    } else if (place->second.address != symbol.address) {
      ++place->second.count;
    }
  }
}

SymbolIndex::Match SymbolIndex::find(std::string_view name) const {
  const auto found = matches_.find(support::printable(name));
  return found == matches_.end() ? Match{} : found->second;
}

std::string SymbolIndex::hint(std::string_view name) const {
  constexpr std::size_t most_compared = 10000;
  if (names_.empty()) return "; the code does not have labels";
  const std::span<const std::string_view> names = names_;
  std::string near = did_you_mean(name, names.first(std::min(names.size(), most_compared)));
  if (!near.empty()) return near;
  return "; the code has " + support::first_names(names);
}

Number read_value(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds) {
  const Number number = read_any_value(document, node, what, bits, kinds);
  check_fits(document, node, what, bits, number, describe_range(bits));
  return number;
}

u64 read_number(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds) {
  const u64 value = read_value(document, node, what, bits, kinds).low64();
  return bits >= 64 ? value : value & ((u64{1} << bits) - 1);
}

u64 read_unsigned(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds) {
  const Number number = read_any_value(document, node, what, bits, kinds);
  if (number.negative) document.fail(node, fmt::format("{}: {} is negative", what, describe(node)));
  check_fits(document, node, what, bits, number, "0 to " + support::hex(~u64{0} >> (64 - bits)));
  return number.low64();
}

u64 read_size(const Document& document, const Node& node, std::string_view what) {
  const ParsedSize size = parse_size(node.is_scalar() ? node.text : std::string_view());
  if (!size.bytes) document.fail(node, fmt::format("{}: found {}, {}", what, describe(node), size.problem));
  return *size.bytes;
}

}  // namespace salu::loader
