#include "assembler/modifiers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "isa/vector/buffer_format.hpp"
#include "isa/vector/dpp.hpp"
#include "isa/vector/swizzle.hpp"
#include "support/names.hpp"

namespace salu::assembler {
namespace {

using ModifierKind = Modifier::Kind;

struct ModifierName {
  std::string_view name;
  ModifierKind kind;
};

constexpr std::array<ModifierName, 44> modifier_names = {{
    {"clamp", ModifierKind::flag},
    {"mul", ModifierKind::number},
    {"div", ModifierKind::number},
    {"op_sel", ModifierKind::bits},
    {"op_sel_hi", ModifierKind::bits},
    {"neg_lo", ModifierKind::bits},
    {"neg_hi", ModifierKind::bits},
    {"dst_sel", ModifierKind::word},
    {"src0_sel", ModifierKind::word},
    {"src1_sel", ModifierKind::word},
    {"dst_unused", ModifierKind::word},
    {"offset", ModifierKind::number},
    {"offset0", ModifierKind::number},
    {"offset1", ModifierKind::number},
    {"offen", ModifierKind::flag},
    {"idxen", ModifierKind::flag},
    {"addr64", ModifierKind::flag},
    {"lds", ModifierKind::flag},
    {"gds", ModifierKind::flag},
    {"tfe", ModifierKind::flag},
    {"glc", ModifierKind::flag},
    {"slc", ModifierKind::flag},
    {"scc", ModifierKind::flag},
    {"sc0", ModifierKind::flag},
    {"sc1", ModifierKind::flag},
    {"nt", ModifierKind::flag},
    {"bitop3", ModifierKind::number},
    {"bound_ctrl", ModifierKind::number},
    {"fi", ModifierKind::number},
    {"row_mask", ModifierKind::number},
    {"bank_mask", ModifierKind::number},
    {"quad_perm", ModifierKind::lanes},
    {"row_shl", ModifierKind::number},
    {"row_shr", ModifierKind::number},
    {"row_ror", ModifierKind::number},
    {"wave_shl", ModifierKind::number},
    {"wave_rol", ModifierKind::number},
    {"wave_shr", ModifierKind::number},
    {"wave_ror", ModifierKind::number},
    {"row_mirror", ModifierKind::flag},
    {"row_half_mirror", ModifierKind::flag},
    {"row_bcast", ModifierKind::number},
    {"row_newbcast", ModifierKind::number},
    {"format", ModifierKind::format},
}};

/// One bit for each of three sources and one for the result.
constexpr u8 most_bits = 4;

const ModifierName* find_name(std::string_view name) {
  constexpr std::size_t longest = 15;
  if (name.size() > longest) return nullptr;
  const std::string lower = support::lower_case(name);
  const auto* const found = std::ranges::find(modifier_names, std::string_view(lower), &ModifierName::name);
  return found == modifier_names.end() ? nullptr : found;
}

}  // namespace

bool is_dpp_control(const Modifier& modifier) {
  return modifier.kind == ModifierKind::lanes ||
         std::ranges::count(isa::vector::dpp_control_names(), modifier.name, &isa::vector::DppControlName::name) != 0;
}

bool ModifierReader::is_next() const {
  const Token token = lexer_.peek();
  return token.kind == TokenKind::identifier && find_name(token.text) != nullptr;
}

/// `[0,1]`; the next token is `[`.
bool ModifierReader::read_bits(Modifier& modifier) {
  if (!expect("[", "after " + std::string(modifier.name) + ":")) return false;
  do {
    const TextPosition place = lexer_.peek().place;
    const auto bit = constant();
    if (!bit) return false;
    if (*bit != 0 && *bit != 1) return fail(place, fmt::format("the parts of {} must be 0 or 1", modifier.name));
    if (modifier.count == most_bits) return fail(place, fmt::format("{} has too many parts", modifier.name));
    modifier.bits |= static_cast<u32>(*bit) << modifier.count++;
  } while (lexer_.accept(","));
  return expect("]", "after the parts of " + std::string(modifier.name));
}

/// `[0,1,2,3]`: a lane of the quad for each of its lanes; the next token is `[`.
bool ModifierReader::read_lanes(Modifier& modifier) {
  constexpr u8 lanes = 4;
  if (!expect("[", "after " + std::string(modifier.name) + ":")) return false;
  do {
    const TextPosition place = lexer_.peek().place;
    const auto lane = constant();
    if (!lane) return false;
    if (*lane < 0 || *lane >= lanes || modifier.count == lanes)
      return fail(place, fmt::format("{} has four lanes, from 0 to 3", modifier.name));
    modifier.bits |= static_cast<u32>(*lane) << (2 * modifier.count++);
  } while (lexer_.accept(","));
  if (modifier.count != lanes)
    return fail(lexer_.peek().place, fmt::format("{} has four lanes, from 0 to 3", modifier.name));
  return expect("]", "after the lanes of " + std::string(modifier.name));
}

std::optional<u32> ModifierReader::next_number(std::string_view what, u32 lowest, u32 highest) {
  if (!expect(",", fmt::format("before {}", what))) return std::nullopt;
  const TextPosition place = lexer_.peek().place;
  const auto number = constant();
  if (!number) return std::nullopt;
  if (*number >= lowest && *number <= highest) return static_cast<u32>(*number);
  fail(place, fmt::format("{} is from {} to {}", what, lowest, highest));
  return std::nullopt;
}

std::optional<u32> ModifierReader::next_power(std::string_view what, u32 lowest, u32 highest) {
  const Lexer ahead = lexer_;
  const auto number = next_number(what, lowest, highest);
  if (!number || std::has_single_bit(*number)) return number;
  fail(ahead.place(), fmt::format("{} must be a power of two", what));
  return std::nullopt;
}

bool ModifierReader::read_quad(Modifier& modifier) {
  constexpr u32 lanes = 4;
  modifier.number = isa::vector::swizzle_mode::quad_perm;
  for (u32 i = 0; i < lanes; ++i) {
    const auto lane = next_number("the number of a lane", 0, lanes - 1);
    if (!lane) return false;
    modifier.number |= i64{*lane} << (2 * i);
  }
  return true;
}

/// `"01pip"`: the five bits of a lane number, the highest first: 0, 1, preserved or inverted.
bool ModifierReader::read_bit_mask(Modifier& modifier) {
  constexpr std::size_t bits = 5;
  if (!expect(",", "before the mask")) return false;
  const Token mask = lexer_.next();
  if (mask.kind != TokenKind::string || mask.text.size() != bits ||
      mask.text.find_first_not_of("01pi") != std::string_view::npos)
    return fail(mask.place, "the mask must be five characters 0, 1, p or i in quotes");
  isa::vector::SwizzleMasks masks;
  for (std::size_t i = 0; i < bits; ++i) {
    const char c = mask.text[i];
    const u32 bit = 1U << (bits - 1 - i);
    if (c == 'p' || c == 'i') masks.keep |= bit;
    if (c == '1') masks.set |= bit;
    if (c == 'i') masks.flip |= bit;
  }
  modifier.number = masks.pattern();
  return true;
}

/// `swizzle(SWAP,16)`
bool ModifierReader::read_swizzle(Modifier& modifier) {
  using isa::vector::SwizzleMasks;
  constexpr u32 group_lanes = 32;
  modifier.is_swizzle = true;
  lexer_.next();
  if (!expect("(", "after swizzle")) return false;
  const Token mode = lexer_.next();
  bool is_good = false;
  if (mode.text == "QUAD_PERM") {
    is_good = read_quad(modifier);
  } else if (mode.text == "BITMASK_PERM") {
    is_good = read_bit_mask(modifier);
  } else if (mode.text == "BROADCAST") {
    const auto size = next_power("the size of the group", 2, group_lanes);
    const auto lane = size ? next_number("the number of the lane", 0, *size - 1) : std::nullopt;
    is_good = lane.has_value();
    if (lane) modifier.number = SwizzleMasks{group_lanes - *size, *lane, 0}.pattern();
  } else if (mode.text == "SWAP") {
    const auto distance = next_power("the size of the group", 1, group_lanes / 2);
    is_good = distance.has_value();
    if (distance) modifier.number = SwizzleMasks{SwizzleMasks::all, 0, *distance}.pattern();
  } else if (mode.text == "REVERSE") {
    const auto size = next_power("the size of the group", 2, group_lanes);
    is_good = size.has_value();
    if (size) modifier.number = SwizzleMasks{SwizzleMasks::all, 0, *size - 1}.pattern();
  } else if (mode.text == "FFT" && is_gfx9(context_.generation)) {
    const auto mask = next_number("the mask", 0, SwizzleMasks::all);
    is_good = mask.has_value();
    if (mask) modifier.number = isa::vector::swizzle_mode::fft | *mask;
  } else if (mode.text == "ROTATE" && is_gfx9(context_.generation)) {
    const auto is_right = next_number("the direction", 0, 1);
    const auto distance = is_right ? next_number("the number of lanes", 0, group_lanes - 1) : std::nullopt;
    is_good = distance.has_value();
    if (distance) modifier.number = isa::vector::swizzle_mode::rotate | *is_right << 10 | *distance << 5;
  } else {
    return fail(mode.place, "expected the mode of swizzle(), such as QUAD_PERM or SWAP");
  }
  return is_good && expect(")", "after the pattern");
}

/// `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]`, one of the two, or the number of both.
bool ModifierReader::read_format(Modifier& modifier) {
  if (lexer_.peek().text != "[") {
    const auto number = constant();
    modifier.number = number.value_or(0);
    return number.has_value();
  }
  lexer_.next();
  modifier.number = isa::vector::default_instruction_format;
  std::array<bool, 2> seen{};
  do {
    const Token name = lexer_.next();
    const auto named = isa::vector::find_format_name(context_.generation, name.text);
    if (!named)
      return fail(name.place, "expected the name of a format, such as BUF_DATA_FORMAT_32 or BUF_NUM_FORMAT_FLOAT");
    if (std::exchange(seen[named->is_number_format ? 1 : 0], true))
      return fail(name.place, "a format has one data format and one number format");
    const i64 kept = modifier.number & (named->is_number_format ? 0xf : 0x70);
    modifier.number = kept | i64{named->value} << (named->is_number_format ? 4 : 0);
  } while (lexer_.accept(","));
  return expect("]", "after the names of the format");
}

bool ModifierReader::read_value(Modifier& modifier) {
  if (modifier.kind == ModifierKind::flag) return true;
  if (!expect(":", "after " + std::string(modifier.name))) return false;
  if (modifier.kind == ModifierKind::bits) return read_bits(modifier);
  if (modifier.kind == ModifierKind::lanes) return read_lanes(modifier);
  if (modifier.kind == ModifierKind::format) return read_format(modifier);
  if (modifier.kind == ModifierKind::number) {
    if (modifier.name == "offset" && lexer_.peek().text == "swizzle") return read_swizzle(modifier);
    const auto number = constant();
    modifier.number = number.value_or(0);
    return number.has_value();
  }
  const Token word = lexer_.next();
  modifier.word = word.text;
  return word.kind == TokenKind::identifier ||
         fail(word.place, fmt::format("expected a name such as {} after {}:",
                                      modifier.name == "dst_unused" ? "UNUSED_PAD" : "WORD_0", modifier.name));
}

std::optional<std::vector<Modifier>> ModifierReader::read() {
  std::vector<Modifier> modifiers;
  while (!lexer_.peek().ends_statement()) {
    if (!modifiers.empty()) lexer_.accept(",");
    const Token token = lexer_.next();
    const ModifierName* const name = token.kind == TokenKind::identifier ? find_name(token.text) : nullptr;
    if (name == nullptr) {
      if (token.kind == TokenKind::invalid) {
        fail(token.place, std::string(token.text));
      } else {
        fail(token.place, fmt::format("unexpected '{}' after the operands", support::beginning(token.text, 40)));
      }
      return std::nullopt;
    }
    if (std::ranges::find(modifiers, name->name, &Modifier::name) != modifiers.end()) {
      fail(token.place, fmt::format("{} is given twice", name->name));
      return std::nullopt;
    }
    Modifier modifier;
    modifier.name = name->name;
    modifier.kind = name->kind;
    modifier.place = token.place;
    if (!read_value(modifier)) return std::nullopt;
    modifiers.push_back(modifier);
  }
  return modifiers;
}

}  // namespace salu::assembler
