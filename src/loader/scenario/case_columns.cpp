#include "loader/scenario/case_columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "loader/scenario/expectation.hpp"
#include "loader/scenario/registers.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

using Kind = CaseColumn::Kind;

constexpr std::string_view expectation_prefix = "expect.";
constexpr std::string_view argument_prefix = "args.";
constexpr std::string_view memory_prefix = "memory.";
constexpr std::string_view stop_path = "expect.stop";
constexpr u32 widest_column = 64;

u32 width_of(const CaseColumn& column) {
  const bool is_register = column.kind == Kind::input_register || column.kind == Kind::expected_register;
  return is_register ? column.name.width : column.size_bytes * 8;
}

/// True for an empty value, which leaves an input unchanged or expects nothing.
bool is_empty(const Node& node) { return node.kind == Node::Kind::null || (node.is_scalar() && node.text.empty()); }

/// Makes a node with another text at the same place.
Node text_node(const Node& place, std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.plain = true;
  node.line = place.line;
  node.column = place.column;
  node.text = std::move(text);
  return node;
}

/// Parses a decimal or hexadecimal number with an optional sign, the most frequent form in tables.
std::optional<u64> parse_plain(std::string_view text, u32 bits) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  if (!is_hex && text.size() > 1 && text.front() == '0') return std::nullopt;
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!negative) return value <= ones(bits) ? std::optional(value) : std::nullopt;
  // Negative numbers are not allowed for small fields: the general reader reports that.
  if (bits < 8 || value > u64{1} << (bits - 1)) return std::nullopt;
  return (~value + 1) & ones(bits);
}

}  // namespace

void CaseColumns::set_register(const Document& document, const Node& place, std::string_view text,
                               CaseColumn& column) const {
  const Node name = text_node(place, std::string(text));
  const Generation generation = scenario_.program.generation();
  const RegisterCounts counts = column.is_input() ? allocated_registers(scenario_.initial) : all_registers(generation);
  column.name = read_register_name(document, name, generation, counts);
  if (column.name.vector_registers() > 1) {
    document.fail(place, "`" + column.path + "`: a column has a single vector register; use one column for each");
  }
  if (column.name.vector_registers() == 0 && column.name.width > widest_column) {
    document.fail(place, "`" + column.path + "`: a column has at most 64 bits; use one column for each pair");
  }
  if (column.is_input() && column.name.is_pc())
    document.fail(place, "`pc` cannot be a column: all rows of a table start at the same place");
}

void CaseColumns::set_address(const Document& document, const Node& place, std::string_view text,
                              CaseColumn& column) const {
  const Node address = text_node(place, std::string(text));
  column.address = read_unsigned(document, address, "`" + column.path + "`", 64, {&symbols_, false});
  if (!scenario_.memory.is_mapped(column.address, column.size_bytes)) {
    document.fail(place, fmt::format("`{}`: no memory for {} at {}: add it to `memory:`", column.path,
                                     support::counted(column.size_bytes, "byte"), hex(column.address)));
  }
}

CaseColumn CaseColumns::make_argument(const Document& document, const Node& place, const std::string& path) const {
  CaseColumn column;
  column.kind = Kind::input_memory;
  column.path = path;
  const std::string name = path.substr(argument_prefix.size());
  const auto found = std::ranges::find(scenario_.arguments, name, &KernelArgumentPlace::name);
  if (found == scenario_.arguments.end()) {
    std::vector<std::string_view> names;
    for (const KernelArgumentPlace& argument : scenario_.arguments) names.push_back(argument.name);
    const std::string hint = did_you_mean(name, names);
    document.fail(place, scenario_.arguments.empty()
                             ? "`" + path + "`: the scenario has no `kernel:` with arguments"
                             : fmt::format("the kernel does not have an argument `{}`{}", name,
                                           hint.empty() ? "; it has " + name_list(names, "and") : hint));
  }
  if (found->is_preloaded)
    document.fail(place,
                  fmt::format("`{}`: the argument is preloaded into SGPRs, which the column does not set; compile "
                              "without preloading",
                              path));
  if (found->size_bytes == 0 || found->size_bytes > widest_column / 8) {
    document.fail(place, fmt::format("`{}`: the argument has {} bytes; a column has 1 to 8", path, found->size_bytes));
  }
  column.address = found->address;
  column.size_bytes = static_cast<u32>(found->size_bytes);
  return column;
}

CaseColumn CaseColumns::make(const Document& document, const Node& place, const std::string& path,
                             u32 memory_bytes) const {
  std::string_view rest = path;
  if (rest.starts_with(argument_prefix)) return make_argument(document, place, path);
  CaseColumn column;
  column.path = path;
  if (rest == stop_path) {
    column.kind = Kind::expected_stop;
    return column;
  }
  const bool is_expected = rest.starts_with(expectation_prefix);
  if (is_expected) rest.remove_prefix(expectation_prefix.size());
  if (rest.starts_with(memory_prefix)) {
    rest.remove_prefix(memory_prefix.size());
    column.kind = is_expected ? Kind::expected_memory : Kind::input_memory;
    column.size_bytes = memory_bytes;
    set_address(document, place, rest, column);
  } else {
    column.kind = is_expected ? Kind::expected_register : Kind::input_register;
    set_register(document, place, rest, column);
  }
  return column;
}

namespace {

/// Rejects a column of floats that is not as wide as they are. A dword may also have two floats of 16 bits.
void check_floats(const Document& document, const Node& place, const std::string& path, const CaseColumn& column) {
  if (column.kind == Kind::expected_stop) document.fail(place, "`" + path + "`: a stop reason is not a float");
  const u32 bits = float_bits(column.floats->format);
  const u32 width = column.name.vector_registers() != 0 ? 32 : width_of(column);
  if (width != bits && (bits != 16 || width != 32)) {
    document.fail(place, fmt::format("`{}`: the column has {}, and {} has {}", path, support::counted(width, "bit"),
                                     float_format_name(column.floats->format), bits));
  }
  if (column.is_input() && column.floats->ulps != 0)
    document.fail(place, "`" + path + "`: only an expectation has an allowed distance");
}

}  // namespace

bool CaseColumns::share_bits(const CaseHeading& left_heading, const CaseHeading& right_heading) const {
  const CaseColumn& left = columns_[left_heading.first];
  const CaseColumn& right = columns_[right_heading.first];
  if (left.kind != right.kind) return false;
  if (left.name.is_vector() || right.name.is_vector()) {
    return overlap({left.name.index, static_cast<u32>(left_heading.count)},
                   {right.name.index, static_cast<u32>(right_heading.count)});
  }
  // Two expectations for the same place conflict; overlapping ones are both checked.
  if (left.kind == Kind::expected_register) return left.name == right.name;
  if (left.kind == Kind::expected_memory) return left.address == right.address;
  if (left.kind == Kind::expected_stop) return true;
  if (left.kind == Kind::input_memory)
    return left.address < right.address + right.size_bytes && right.address < left.address + left.size_bytes;
  // Names share bits if writing zeros to one and ones to the other is a contradiction.
  WaveState scratch = scenario_.initial;
  RegisterWriter writer(scratch, scenario_.program.generation());
  return !writer.write(left.name, make_number(0)).empty() ||
         !writer.write(right.name, make_number(ones(right.name.width))).empty();
}

void CaseColumns::check_row(const Document& document, const Node& place, std::span<const std::size_t> row) const {
  for (const std::size_t heading : row) {
    if (heading == name_column) continue;
    for (const std::size_t other : conflicts_[heading]) {
      // The result would depend on their order.
      if (std::ranges::find(row, other) == row.end()) continue;
      const bool is_input = columns_[headings_[heading].first].is_input();
      document.fail(place, fmt::format("`{}` and `{}` {}", headings_[other].path, headings_[heading].path,
                                       is_input ? "set the same bits" : "expect the same thing"));
    }
  }
}

std::vector<std::size_t> CaseColumns::find_conflicts(const CaseHeading& heading) {
  std::vector<std::size_t> conflicts;
  const auto add = [&](std::size_t other) {
    if (share_bits(headings_[other], heading)) conflicts.push_back(other);
  };
  const CaseColumn& column = columns_[heading.first];
  const std::size_t number = headings_.size();
  if (column.kind != Kind::input_memory && column.kind != Kind::expected_memory) {
    // There may be many lanes, but only few columns per register.
    std::vector<std::size_t>& others =
        column.name.is_vector() ? lanes_[state_index::vector_of(column.name.index)] : scalars_;
    std::ranges::for_each(others, add);
    others.push_back(number);
    return conflicts;
  }
  // Only neighbours are searched, because all columns of a table may be memory.
  constexpr u64 widest_bytes = widest_column / 8;
  const auto first = memory_.lower_bound(column.address - std::min(column.address, widest_bytes));
  const auto end = memory_.upper_bound(column.address + column.size_bytes);
  for (const auto& [address, other] : std::ranges::subrange(first, end)) add(other);
  std::ranges::sort(conflicts);
  memory_.emplace(column.address, number);
  return conflicts;
}

std::size_t CaseColumns::find(const Document& document, const Node& place, const std::string& path, u32 memory_bytes) {
  if (path == "name") return name_column;
  const std::string name = memory_bytes == dword_bytes ? path : fmt::format("{}:{}", path, memory_bytes);
  const auto known = indices_.find(name);
  if (known != indices_.end()) return known->second;
  std::string_view plain = path;
  const auto floats = take_float_suffix(plain);
  CaseColumn column = make(document, place, std::string(plain), floats ? float_bits(floats->format) / 8 : memory_bytes);
  column.floats = floats;
  if (floats) check_floats(document, place, path, column);
  CaseHeading heading{name, columns_.size(), 1};
  if (column.name.vector_registers() != 0) {
    heading.count = state_index::lanes;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      CaseColumn& one = columns_.emplace_back(column);
      one.path += fmt::format("[{}]", lane);
      one.name = {column.name.index + lane};
    }
  } else {
    columns_.push_back(std::move(column));
  }
  std::vector<std::size_t> conflicts = find_conflicts(heading);
  indices_.emplace(name, headings_.size());
  headings_.push_back(std::move(heading));
  conflicts_.push_back(std::move(conflicts));
  return headings_.size() - 1;
}

void CaseColumns::add_heading(const Document& document, const Node& place, const std::string& path,
                              std::vector<std::size_t>& headings, u32 memory_bytes) {
  if (path.empty()) document.fail(place, "a column without a heading: expected `name`, an input or an expectation");
  const std::size_t known = headings_.size();
  const std::size_t heading = find(document, place, path, memory_bytes);
  // A new heading cannot be a duplicate; there may be very many columns to search.
  if ((heading < known || heading == name_column) && std::ranges::find(headings, heading) != headings.end())
    document.fail(place, "the column `" + path + "` appears twice");
  headings.push_back(heading);
  // The newest heading, usual in files, has already been compared with all others.
  const bool is_last = heading != name_column && heading + 1 == headings_.size();
  if (!is_last || !conflicts_[heading].empty()) check_row(document, place, headings);
}

namespace {

void check_is_exact(const Document& document, const Node& node, const std::string& path,
                    const RegisterExpectation& expected) {
  if (expected.floats && expected.floats->ulps != 0)
    document.fail(node, "`" + path + "`: a table has the allowed distance in the name of the column, as in `" + path +
                            ":" + std::string(float_format_name(expected.floats->format)) + "~2`");
}

}  // namespace

CaseCell CaseColumns::read(const Document& document, const Node& node, std::size_t heading) const {
  const CaseColumn& column = columns_[headings_[heading].first];
  if (is_empty(node)) return {};
  if (!column.floats) return read_value_of(document, node, heading);
  return read_value_of(document, FloatMap(node, column.floats->format).node(), heading);
}

CaseCell CaseColumns::read_value_of(const Document& document, const Node& node, std::size_t heading) const {
  const CaseColumn& column = columns_[headings_[heading].first];
  const std::string& path = headings_[heading].path;
  const Generation generation = scenario_.program.generation();
  const std::string what = "`" + path + "`";
  switch (column.kind) {
    case Kind::expected_stop: {
      const ExpectedStop stop = read_stop(document, node);
      const u64 warning = stop.warning ? static_cast<u64>(*stop.warning) + 1 : 0;
      return {static_cast<u64>(stop.reason) | warning << 8, ~u64{0}};
    }
    case Kind::expected_register: {
      const RegisterExpectation expected =
          read_register_expectation(document, node, path, column.name, generation, symbols_).front();
      check_is_exact(document, node, path, expected);
      return {expected.value, expected.mask};
    }
    case Kind::input_register:
      return {
          read_register_value(document, node, what, column.name, generation, symbols_).low64() & ones(width_of(column)),
          ones(width_of(column))};
    case Kind::input_memory:
    case Kind::expected_memory:
      break;
  }
  const u32 bits = width_of(column);
  return {read_number(document, node, what, bits, {&symbols_, true}), ones(bits)};
}

CaseCell CaseColumns::read(const Document& document, Node& node, std::string_view text, std::size_t heading) const {
  const CaseColumn& column = columns_[headings_[heading].first];
  const std::string& path = headings_[heading].path;
  if (column.kind != Kind::expected_stop && !column.floats) {
    const u32 bits = width_of(column);
    if (const auto value = parse_plain(text, bits)) return {*value, ones(bits)};
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos && column.kind == Kind::expected_register) {
      if (text.find('/', slash + 1) != std::string_view::npos) {
        document.fail(node, fmt::format("`{}`: expected a value and its mask, as in 0x10/0xf0, found {}", path,
                                        support::beginning(text, 80)));
      }
      const CaseCell cell = read(document, node, text.substr(0, slash), heading);
      const CaseCell mask_cell = read(document, node, text.substr(slash + 1), heading);
      if (cell.mask == 0 || mask_cell.value == 0) {
        document.fail(node, fmt::format("`{}`: {} lacks a value or mask bits: expected a value and its mask, as in "
                                        "0x10/0xf0, or an empty value",
                                        path, text));
      }
      const u64 mask = mask_cell.value;
      if ((cell.value & ~mask) != 0) {
        document.fail(node, fmt::format("`{}`: {} has bits outside of its mask, which are not compared", path, text));
      }
      return {cell.value, mask};
    }
  }
  node.kind = Node::Kind::scalar;
  node.plain = true;
  node.text = text;
  if (headings_[heading].count != 1 && text.find_first_of("[{") == 0) {
    document.fail(node, fmt::format("`{}`: found {}; in comma-separated files a value is for all lanes, and lists are "
                                    "supported only in YAML and JSON",
                                    path, text));
  }
  return read(document, node, heading);
}

std::vector<CaseCell> CaseColumns::read_lanes(const Document& document, const Node& node, std::size_t heading) const {
  const CaseColumn& first = columns_[headings_[heading].first];
  if (is_empty(node)) return {};
  if (!first.floats) return read_values_of_lanes(document, node, heading);
  return read_values_of_lanes(document, FloatMap(node, first.floats->format).node(), heading);
}

std::vector<CaseCell> CaseColumns::read_values_of_lanes(const Document& document, const Node& node,
                                                        std::size_t heading) const {
  const CaseColumn& first = columns_[headings_[heading].first];
  const std::string& path = headings_[heading].path;
  const RegisterName all{first.name.index, RegisterName::vector_width};
  std::vector<CaseCell> cells;
  if (first.kind == Kind::input_register) {
    const LaneValues lanes = read_lane_values(document, node, "`" + path + "`", all, symbols_);
    for (u32 lane = 0; lane < lanes.count; ++lane) cells.push_back({lanes.values[lane], ones(first.name.width)});
    return cells;
  }
  const auto expected = read_register_expectation(document, node, path, all, scenario_.program.generation(), symbols_);
  if (!expected.empty()) check_is_exact(document, node, path, expected.front());
  for (const RegisterExpectation& lane : expected) cells.push_back({lane.value & lane.mask, lane.mask});
  return cells;
}

bool CaseColumns::sets(u32 first_code, u32 dwords) const {
  return std::ranges::any_of(columns_, [&](const CaseColumn& column) {
    if (column.kind != Kind::input_register || !column.name.is_in_file()) return false;
    return overlap(column.name.location(), {first_code, dwords});
  });
}

void check_value_count(const Document& document, const Node& row, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  document.fail(
      row, fmt::format("the row has {}, expected {}, one for each column", support::counted(found, "value"), expected));
}

}  // namespace salu::loader
