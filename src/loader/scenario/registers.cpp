#include "loader/scenario/registers.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "isa/hwreg.hpp"
#include "isa/operand.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 2> expected_value_keys = {"value", "mask"};
constexpr std::array<std::string_view, 1> lane_keys = {"lane_ids"};
constexpr std::string_view contradiction = "contradicts another value for the same bits";
constexpr u32 most_registers_at_once = 2;

/// Returns the key of a map with one entry; empty for anything else.
std::string_view only_key(const Node& node) {
  return node.is_map() && node.children.size() == 2 ? std::string_view(node.children[0]->text) : std::string_view();
}

/// True if a node is a floating-point value, or intended as one.
bool is_float(const Node& node) { return only_key(node).starts_with("f") || find_floats(node); }

/// The places of floats in an expectation, and the distance that is allowed.
FloatComparison read_comparison(const Document& document, const Node& node, const FloatNode& floats) {
  static constexpr std::array<std::string_view, 4> keys = {"f16", "f32", "f64", "ulps"};
  const MapReader map(document, node, "an expected floating-point value", keys);
  FloatComparison comparison{floats.format, 0};
  if (const Node* const ulps = map.find("ulps")) comparison.ulps = read_unsigned(document, *ulps, "`ulps:`", 63);
  return comparison;
}

/// Reads a list of floats that fill a register of several dwords, the lowest first.
Number read_float_list(const Document& document, const Node& node, const std::string& what, const RegisterName& name,
                       const FloatNode& floats) {
  const u32 bits = float_bits(floats.format);
  const std::size_t count = floats.numbers->children.size();
  if (count * bits != name.width)
    document.fail(node,
                  fmt::format("{}: expected {} numbers of {} bits, found {}", what, name.width / bits, bits, count));
  Number number;
  for (u32 i = 0; i < count; ++i) {
    const u64 value =
        read_float(document, *floats.numbers->children[i], fmt::format("{}, number {}", what, i), floats.format);
    const u32 bit = i * bits;
    number.magnitude[bit / 32] |= static_cast<u32>(value << (bit % 32));
    if (bits == 64) number.magnitude[bit / 32 + 1] = static_cast<u32>(value >> 32);
  }
  return number;
}

std::string check_pc(u64 value, Generation generation) {
  if (value % 4 != 0) return "instructions are dword aligned: the PC must be a multiple of 4";
  if ((value & ~pc_mask(generation)) != 0) {
    return fmt::format("the PC does not fit in the address space of {} bits", address_bits(generation));
  }
  return {};
}

Number read_dword_list(const Document& document, const Node& node, const std::string& what, const RegisterName& name,
                       const SymbolIndex& symbols) {
  const std::size_t dwords = name.width / 32U;
  if (name.width % 32 != 0 || node.children.size() != dwords) {
    document.fail(node, fmt::format("{}: expected {}, found a list of {}", what,
                                    dwords <= 1 ? std::string("a number") : fmt::format("{} dwords", dwords),
                                    node.children.size()));
  }
  Number number;
  for (std::size_t i = 0; i < dwords; ++i) {
    number.magnitude[i] = static_cast<u32>(
        read_number(document, *node.children[i], fmt::format("{}, dword {}", what, i), 32, {&symbols, true}));
  }
  return number;
}

}  // namespace

std::vector<RegisterName> pieces_of(const RegisterName& name) {
  if (name.width <= 64) return {name};
  std::vector<RegisterName> pieces;
  if (name.is_vector()) {
    for (u32 i = 0; i < name.dwords(); ++i) pieces.push_back({name.index + i});
    return pieces;
  }
  for (u32 dword = 0; dword < name.width / 32U; dword += 2) {
    const u32 left = name.width / 32U - dword;
    pieces.push_back({name.index + dword, static_cast<u16>(left == 1 ? 32 : 64)});
  }
  return pieces;
}

u64 piece_value(const Number& number, std::size_t index, u32 width) {
  const auto dwords = number.twos_complement();
  return (dwords[2 * index] | u64{dwords[2 * index + 1]} << 32) & ones(width);
}

std::string RegisterWriter::write(const RegisterName& name, const Number& value) {
  const std::vector<RegisterName> pieces = pieces_of(name);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::string problem = write_piece(pieces[i], piece_value(value, i, pieces[i].width));
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string RegisterWriter::write(const RegisterName& name, const LaneValues& lanes) {
  for (u32 i = 0; i < name.vector_registers(); ++i) {
    for (u32 lane = 0; lane < lanes.count; ++lane) {
      const u32 index = name.index + i * state_index::lanes + lane;
      std::string problem = write_lane(index, static_cast<u32>(lanes.values[lane] >> (32 * i)));
      if (!problem.empty()) return problem;
    }
  }
  return {};
}

std::string RegisterWriter::write_lane(u32 index, u32 value) {
  if (given_lanes_.try_emplace(index, value).first->second != value) return std::string(contradiction);
  set({index}, value);
  return {};
}

std::string RegisterWriter::write_piece(const RegisterName& name, u64 value) {
  if (name.is_vector()) return write_lane(name.index, static_cast<u32>(value));
  if (name.width == 64 && !name.is_pc()) {
    RegisterName low = name;
    low.width = 32;
    RegisterName high = low;
    ++high.index;
    std::string problem = write_piece(low, value & 0xffffffff);
    return problem.empty() ? write_piece(high, value >> 32) : problem;
  }
  u64 mask = ones(name.width) << name.low_bit;
  if (name.index == state_index::status && name.width == 32) mask &= ~u64{status_live_bits};
  const u64 bits = value << name.low_bit & mask;
  Bits& given = given_[name.index];
  const u64 shared = given.mask & mask;
  if (((given.value ^ bits) & shared) != 0) return std::string(contradiction);
  given.mask |= mask;
  given.value |= bits;
  set(name, value);
  return {};
}

void RegisterWriter::set(const RegisterName& name, u64 value) {
  write_register(state_, generation_, name, value);
  written_.emplace_back(name, value);
}

bool RegisterWriter::wrote(u32 first_code, u32 dwords) const {
  return std::any_of(given_.begin() + first_code, given_.begin() + first_code + dwords,
                     [](const Bits& bits) { return bits.mask != 0; });
}

void set_in_waves(Scenario& scenario, const std::vector<std::pair<RegisterName, u64>>& values) {
  std::shared_ptr<const DispatchedWaves>& waves = scenario.waves != nullptr ? scenario.waves : scenario.group;
  if (waves == nullptr) return;
  const auto begin = [before = waves, values, counts = allocated_registers(scenario.initial),
                      generation = scenario.program.generation()](u64 number) {
    DispatchedWave wave = before->wave(number);
    wave.initial.sgprs = counts.sgprs;
    wave.initial.vgprs = counts.vgprs;
    wave.initial.agprs = counts.agprs;
    for (const auto& [name, value] : values) write_register(wave.initial, generation, name, value);
    return wave;
  };
  waves = std::make_shared<const DispatchedWaves>(DispatchedWaves{waves->count, begin});
}

namespace {

/// A kind of registers, with the number allocated to a wave.
struct RegisterKind {
  std::string_view name;
  std::string_view key;
  char letter;
  u32 count;
};

/// True if registers are allocated; otherwise `what_is_wrong` lists the allocated ones.
bool are_allocated(const RegisterKind& kind, u32 first, u32 count, std::string_view text, std::string& what_is_wrong) {
  if (first + count <= kind.count) return true;
  const std::string there = kind.count == 0 ? "none" : fmt::format("{0}0 to {0}{1}", kind.letter, kind.count - 1);
  what_is_wrong =
      fmt::format("`{}` is beyond the allocated {}: `{}:` gives the wave {}", text, kind.name, kind.key, there);
  return false;
}

}  // namespace

std::optional<RegisterName> find_settable_register(std::string_view text, Generation generation,
                                                   const RegisterCounts& counts, std::string& what_is_wrong) {
  const auto name = parse_register_name(generation, text, &what_is_wrong);
  if (!name) return name;
  bool is_there = true;
  if (name->is_vector()) {
    const u32 number = state_index::vector_of(name->index);
    const u32 registers = std::max(name->vector_registers(), 1U);
    is_there = number < VectorRegisters::vgprs
                   ? are_allocated({"VGPRs", "vgprs", 'v', counts.vgprs}, number, registers, text, what_is_wrong)
                   : are_allocated({"AGPRs", "agprs", 'a', counts.agprs}, number - VectorRegisters::vgprs, registers,
                                   text, what_is_wrong);
  } else if (name->is_in_file() &&
             isa::operand_class(generation, static_cast<u8>(name->index)) == isa::OperandClass::sgpr) {
    is_there = are_allocated({"SGPRs", "sgprs", 's', counts.sgprs}, name->index, name->dwords(), text, what_is_wrong);
  }
  return is_there ? name : std::nullopt;
}

RegisterName read_register_name(const Document& document, const Node& node, Generation generation,
                                const RegisterCounts& counts) {
  std::string what_is_wrong;
  const auto name =
      find_settable_register(read_text(document, node, "a register's name"), generation, counts, what_is_wrong);
  if (!name) document.fail(node, what_is_wrong);
  return *name;
}

Number read_register_value(const Document& document, const Node& node, const std::string& what,
                           const RegisterName& name, Generation generation, const SymbolIndex& symbols) {
  if (node.is_sequence()) return read_dword_list(document, node, what, name, symbols);
  const std::optional<FloatNode> floats = find_floats(node);
  if (floats && node.children.size() == 2 && floats->numbers->is_sequence())
    return read_float_list(document, node, what, name, *floats);
  const Number value = read_value(document, node, what, name.width, {&symbols, true});
  if (name.is_pc()) {
    const std::string problem = check_pc(value.low64(), generation);
    if (!problem.empty()) document.fail(node, problem);
  }
  return value;
}

LaneValues read_lane_values(const Document& document, const Node& node, const std::string& what,
                            const RegisterName& name, const SymbolIndex& symbols) {
  const u32 registers = name.vector_registers();
  if (registers > most_registers_at_once) {
    document.fail(node, fmt::format("{}: lanes can be given for one register or a pair, as in `v[2:3]`, not for {}",
                                    what, registers));
  }
  LaneValues lanes;
  const auto read = [&](const Node& value, const std::string& which) {
    return read_value(document, value, which, 32 * registers, {&symbols, true}).low64() & ones(32 * registers);
  };
  const std::optional<FloatNode> floats = find_floats(node);
  const bool has_float_list = floats && node.children.size() == 2 && floats->numbers->is_sequence();
  if (const Node& list = has_float_list ? *floats->numbers : node; list.is_sequence()) {
    if (list.children.size() > state_index::lanes)
      document.fail(list, fmt::format("{}: expected at most 64 lanes, found {}", what, list.children.size()));
    for (const Node* value : list.children) {
      const std::string which = fmt::format("{}, lane {}", what, lanes.count);
      if (has_float_list && float_width(*value, floats->format) > 32 * registers)
        document.fail(*value, fmt::format("{}: {} needs a pair of registers, as v[2:3]", which,
                                          float_format_name(floats->format)));
      lanes.values[lanes.count++] =
          has_float_list ? read_float(document, *value, which, floats->format) : read(*value, which);
    }
    return lanes;
  }
  lanes.count = state_index::lanes;
  const std::string_view key = only_key(node);
  if (node.is_map() && key != lane_keys.front() && !is_float(node)) {
    document.fail(node, what + ": expected a value for all lanes, a list of values, {f32: 1.5} or {lane_ids: true}");
  }
  if (key == lane_keys.front()) {
    if (node.children[1]->text != "true")
      document.fail(*node.children[1], "`lane_ids:` must be true (every lane gets its number)");
    for (u32 lane = 0; lane < lanes.count; ++lane) lanes.values[lane] = lane;
    return lanes;
  }
  lanes.values.fill(read(node, what));
  return lanes;
}

std::string write_register_value(const Document& document, const Node& node, const std::string& what,
                                 const RegisterName& name, Generation generation, const SymbolIndex& symbols,
                                 RegisterWriter& writer) {
  if (name.vector_registers() != 0) return writer.write(name, read_lane_values(document, node, what, name, symbols));
  return writer.write(name, read_register_value(document, node, what, name, generation, symbols));
}

void read_registers(const Document& document, const Node& node, Generation generation, const RegisterCounts& counts,
                    const SymbolIndex& symbols, RegisterWriter& writer) {
  if (!node.is_map()) document.fail(node, "`registers:` must be a map (`s0: 1`), found " + describe(node));
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Node& key = *node.children[i];
    const RegisterName name = read_register_name(document, key, generation, counts);
    const std::string problem =
        write_register_value(document, *node.children[i + 1], "`" + key.text + "`", name, generation, symbols, writer);
    if (!problem.empty()) document.fail(key, fmt::format("the value of `{}` {}", key.text, problem));
  }
}

void read_hwregs(const Document& document, const Node& node, Generation generation, const SymbolIndex& symbols,
                 RegisterWriter& writer) {
  if (!node.is_map()) document.fail(node, "`hwregs:` must be a map (`ib_sts: 0`), found " + describe(node));
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Node& key = *node.children[i];
    const isa::HwregInfo* info = isa::find_hwreg(generation, key.text);
    if (info == nullptr) {
      std::vector<std::string_view> names;
      for (const isa::HwregInfo& known : isa::hwregs()) {
        if (isa::contains(known.generations, generation)) names.push_back(known.name);
      }
      document.fail(key, fmt::format("no hardware register `{}` on {}{}", key.text, generation_name(generation),
                                     did_you_mean(key.text, names)));
    }
    if (info->id >= isa::hwreg_id::tba_lo && info->id <= isa::hwreg_id::tma_hi) {
      document.fail(key, "`" + key.text + "` is set under `registers:`, as a byte address");
    }
    const RegisterName name = *parse_register_name(generation, info->name);
    const Number value = read_value(document, *node.children[i + 1], "`" + key.text + "`", 32, {&symbols, false});
    const std::string problem = writer.write(name, value);
    if (!problem.empty()) document.fail(key, fmt::format("the value of `{}` {}", key.text, problem));
  }
}

void read_allocation(const Document& document, const MapReader& map, Generation generation, WaveState& state) {
  const auto read = [&](std::string_view key, u32 least, u32 most, u32& into) {
    const Node* const node = map.find(key);
    if (node == nullptr) return;
    const u64 count = read_unsigned(document, *node, fmt::format("`{}:`", key), 32);
    if (count < least || count > most) {
      document.fail(*node, fmt::format("`{}:` must be {} to {} on {}", key, least, most, generation_name(generation)));
    }
    into = static_cast<u32>(count);
  };
  const bool has_accumulators = generation_info(generation).has_accumulators;
  read("sgprs", 1, sgpr_limit(generation), state.sgprs);
  read("vgprs", 1, VectorRegisters::vgprs, state.vgprs);
  if (const Node* const node = map.find("agprs"); node != nullptr && !has_accumulators)
    document.fail(*node, fmt::format("{} does not have accumulation registers (AGPRs)", generation_name(generation)));
  read("agprs", 0, VectorRegisters::vgprs, state.agprs);
}

namespace {

/// Makes an expectation for each dword of each lane: `v5[0]`, `v5[1]`, ...
std::vector<RegisterExpectation> expect_lanes(const RegisterName& name, const LaneValues& values, u64 mask,
                                              const std::optional<FloatComparison>& floats) {
  std::vector<RegisterExpectation> expectations;
  for (u32 lane = 0; lane < values.count; ++lane) {
    for (u32 i = 0; i < name.vector_registers(); ++i) {
      const RegisterName dword{name.index + i * state_index::lanes + lane};
      expectations.push_back({isa::vector_register_name(dword.index, 1),
                              dword,
                              values.values[lane] >> (32 * i) & ones(32),
                              mask >> (32 * i) & ones(32),
                              {},
                              floats});
      if (!floats || floats->format != FloatFormat::f64) continue;
      expectations.back().is_high = i == 1;
      if (i == 1) continue;
      expectations.back().high = RegisterName{dword.index + state_index::lanes};
      expectations.back().high_value = values.values[lane] >> 32;
    }
  }
  return expectations;
}

}  // namespace

std::vector<RegisterExpectation> read_register_expectation(const Document& document, const Node& node,
                                                           const std::string& text, const RegisterName& name,
                                                           Generation generation, const SymbolIndex& symbols) {
  const std::string quoted = "`" + text + "`";
  const Node* value_node = &node;
  const Node* mask_node = nullptr;
  std::optional<Number> mask;
  const std::string_view key = only_key(node);
  const bool is_lane_ids = name.vector_registers() != 0 && key == lane_keys.front();
  const std::optional<FloatNode> float_node = find_floats(node);
  std::optional<FloatComparison> floats;
  Node without_ulps;
  if (float_node) {
    floats = read_comparison(document, node, *float_node);
    without_ulps = node;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      if (node.children[i]->text != "ulps") continue;
      const auto ulps = without_ulps.children.begin() + static_cast<std::ptrdiff_t>(i);
      without_ulps.children.erase(ulps, ulps + 2);
    }
    value_node = &without_ulps;
  }
  if (node.is_map() && !is_float(node) && !is_lane_ids) {
    const MapReader map(document, node, "an expected register", expected_value_keys);
    value_node = &map.require("value");
    mask_node = map.find("mask");
    if (mask_node != nullptr && name.vector_registers() == 0)
      mask = read_register_value(document, *mask_node, "the mask of " + quoted, name, generation, symbols);
  }
  if (name.vector_registers() != 0) {
    const u64 lane_mask = mask_node == nullptr
                              ? ~u64{0}
                              : read_number(document, *mask_node, "the mask of " + quoted,
                                            std::min(name.vector_registers(), 2U) * 32, {&symbols, true});
    if (lane_mask == 0) document.fail(*mask_node, "the mask of " + quoted + " is 0: nothing would be compared");
    const LaneValues values = read_lane_values(document, *value_node, quoted, name, symbols);
    for (u32 lane = 0; lane < values.count; ++lane) {
      if ((values.values[lane] & ~lane_mask) == 0) continue;
      document.fail(
          *value_node,
          fmt::format("the value of {}, lane {}, has bits outside of its mask, which are not compared", quoted, lane));
    }
    return expect_lanes(name, values, lane_mask, floats);
  }
  const Number value = read_register_value(document, *value_node, quoted, name, generation, symbols);
  const std::vector<RegisterName> pieces = pieces_of(name);
  u64 compared = 0;
  for (std::size_t k = 0; mask && k < pieces.size(); ++k) {
    const u32 width = pieces[k].width;
    compared |= piece_value(*mask, k, width);
    if ((piece_value(value, k, width) & ~piece_value(*mask, k, width)) != 0)
      document.fail(*value_node, "the value of " + quoted + " has bits outside of its mask, which are not compared");
  }
  if (mask && compared == 0) document.fail(*mask_node, "the mask of " + quoted + " is 0: nothing would be compared");
  std::vector<RegisterExpectation> expectations;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const u32 width = pieces[k].width;
    const std::string name_text =
        pieces.size() == 1 ? text
                           : isa::register_name(generation, register_code(generation, pieces[k].index), width / 32U);
    expectations.push_back({name_text,
                            pieces[k],
                            piece_value(value, k, width),
                            mask ? piece_value(*mask, k, width) : ones(width),
                            {},
                            floats});
  }
  return expectations;
}

std::vector<RegisterExpectation> read_register_expectations(const Document& document, const Node& node,
                                                            Generation generation, const SymbolIndex& symbols) {
  if (!node.is_map()) document.fail(node, "`registers:` must be a map (`s0: 1`), found " + describe(node));
  std::vector<RegisterExpectation> expectations;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Node& key = *node.children[i];
    const RegisterName name = read_register_name(document, key, generation, all_registers(generation));
    const Node& value = *node.children[i + 1];
    std::vector<RegisterExpectation> pieces =
        read_register_expectation(document, value, key.text, name, generation, symbols);
    if (pieces.empty()) document.fail(value, "`" + key.text + "`: expected at least one lane");
    for (RegisterExpectation& expectation : pieces) {
      expectation.where = document.source->place(key);
      expectations.push_back(std::move(expectation));
    }
  }
  return expectations;
}

}  // namespace salu::loader
