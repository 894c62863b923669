#include "conformance/vector_samples.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>

#include "isa/generations.hpp"
#include "isa/vector/disassemble.hpp"

namespace salu::conformance::vector {
namespace {

using isa::vector::Form;
using isa::vector::Format;
using isa::vector::InstructionInfo;
using isa::vector::OperandKind;

/// The contents of a field, which determine the interesting values.
enum class Holds : u8 {
  source,         ///< nine bits: a scalar register, a constant or a VGPR
  vgpr,           ///< the number of a VGPR or AGPR
  sdwa_source,    ///< eight bits of a source: a VGPR, or a scalar source with the flag next to it
  scalar,         ///< seven bits: a scalar register
  scalar_source,  ///< eight bits: a scalar register or constant
  quad,           ///< the number of a quad of SGPRs
  select,         ///< of SDWA
  unused,         ///< of SDWA
  control,        ///< of DPP
  offset,
  bits,  ///< all values
};

struct BitField {
  u8 position;  ///< in the two words
  u8 width;
  Holds holds;
  u32 plain;
};

struct Layout {
  u64 fixed = 0;
  std::vector<BitField> fields;
};

constexpr std::array<u32, 10> literals = {0,      1,          0x40,       0x41,       0x3800,
                                          0x3c00, 0x3f800000, 0x3e22f983, 0x12345678, 0xffffffff};

constexpr u32 sdwa_code = 249;
constexpr u32 dpp_code = 250;
constexpr u32 first_vgpr = isa::vector::first_vgpr;

bool has_old_numbers(Generation generation) {
  return generation_info(generation).vector_encoding == VectorEncoding::gfx6;
}

/// Interesting values of a field; all of them with `every`.
std::vector<u32> values_of(const BitField& field, bool every) {
  std::vector<u32> values;
  const auto all_below = [&](u32 end) {
    for (u32 value = 0; value < end; ++value) values.push_back(value);
  };
  switch (field.holds) {
    case Holds::source:
      if (every)
        all_below(512);
      else
        values = {0, 1, 102, 106, 124, 125, 126, 128, 193, 209, 230, 235, 240, 248, 250, 253, 254, 255, 256, 257, 511};
      break;
    case Holds::sdwa_source:
    case Holds::scalar_source:
      if (every)
        all_below(256);
      else
        values = {0, 1, 102, 106, 125, 126, 128, 193, 209, 230, 235, 240, 249, 250, 253, 254, 255};
      break;
    case Holds::vgpr:
      if (every)
        values = {0, 1, 2, 3, 4, 5, 15, 16, 31, 32, 63, 64, 127, 128, 249, 250, 251, 252, 253, 254, 255};
      else
        values = {0, 1, 128, 253, 254, 255};
      break;
    case Holds::scalar:
      if (every)
        all_below(128);
      else
        values = {0, 1, 101, 102, 106, 112, 124, 125, 126, 127};
      break;
    case Holds::quad:
      if (every)
        all_below(32);
      else
        values = {0, 24, 25, 26, 27, 28, 30, 31};
      break;
    case Holds::select:
      // LLVM's printer fails for the last value.
      all_below(7);
      break;
    case Holds::unused:
      all_below(3);
      break;
    case Holds::control:
      if (every) {
        all_below(512);
      } else {
        values = {0,     0x1b,  0xe4,  0xff,  0x100, 0x101, 0x10f, 0x110, 0x11f, 0x120, 0x121, 0x12f, 0x130, 0x131,
                  0x134, 0x138, 0x13c, 0x13f, 0x140, 0x141, 0x142, 0x143, 0x144, 0x150, 0x15f, 0x160, 0x1ff};
      }
      break;
    case Holds::offset:
      if (every && field.width <= 8) {
        all_below(1U << field.width);
      } else {
        values = {0, 1, 2, 63, 64, 65};
        for (u32 bit = 7; bit < field.width; ++bit) values.push_back(1U << bit);
        values.push_back((1U << field.width) - 1);
      }
      break;
    case Holds::bits:
      all_below(1U << field.width);
      break;
  }
  return values;
}

/// A legal operand for a source; different for each source.
u32 plain_source(const InstructionInfo& row, std::size_t index) {
  const auto number = static_cast<u32>(2 * index + 2);
  if (row.shape.reads_mask && index == 2) return number;
  switch (row.shape.sources[index].kind) {
    case OperandKind::none:
      return 0;
    case OperandKind::scalar_source:
    case OperandKind::lane:
      return number;
    default:
      return first_vgpr + number;
  }
}

constexpr u32 plain_destination = 8;

/// VOP1, VOP2 and VOPC, without the second dword.
Layout short_layout(Generation generation, const InstructionInfo& row) {
  const auto opcode = static_cast<u64>(row.opcode(generation));
  const bool is_there = row.shape.destination.is_there();
  const BitField source{0, 9, Holds::source, plain_source(row, 0)};
  const BitField destination{17, 8, Holds::vgpr, is_there ? plain_destination : 0};
  if (row.format == Format::vop1) return {u64{0x3f} << 25 | opcode << 9, {source, destination}};
  const bool is_lane = row.shape.sources[1].kind == OperandKind::lane;
  const BitField second{9, 8, is_lane ? Holds::scalar_source : Holds::vgpr, 4};
  if (row.format == Format::vopc) return {u64{0x3e} << 25 | opcode << 17, {source, second}};
  return {opcode << 25, {source, second, destination}};
}

Layout sdwa_layout(Generation generation, const InstructionInfo& row) {
  Layout layout = short_layout(generation, row);
  const bool is_gfx9 = salu::is_gfx9(generation);
  const bool has_second = row.format != Format::vop1;
  layout.fields.erase(layout.fields.begin());
  layout.fixed |= sdwa_code;
  layout.fields.push_back({32, 8, Holds::sdwa_source, row.shape.sources[0].is_there() ? 2U : 0U});
  if (row.format == Format::vopc && is_gfx9) {
    layout.fields.push_back({40, 7, Holds::scalar, 0});
    layout.fields.push_back({47, 1, Holds::bits, 0});
  } else if (row.format == Format::vopc) {
    layout.fields.push_back({45, 1, Holds::bits, 0});
  } else {
    layout.fields.push_back({40, 3, Holds::select, 6});
    layout.fields.push_back({43, 2, Holds::unused, 0});
    layout.fields.push_back({45, 1, Holds::bits, 0});
    layout.fields.push_back({46, 2, Holds::bits, 0});
  }
  layout.fields.push_back({48, 3, Holds::select, 6});
  layout.fields.push_back({51, 5, Holds::bits, 0});
  layout.fields.push_back({56, 3, Holds::select, has_second ? 6U : 0U});
  layout.fields.push_back({59, 5, Holds::bits, 0});
  return layout;
}

Layout dpp_layout(Generation generation, const InstructionInfo& row) {
  Layout layout = short_layout(generation, row);
  const bool is_wide = row.shape.destination.bits == 64 || row.shape.sources[0].bits == 64;
  layout.fields.erase(layout.fields.begin());
  layout.fixed |= dpp_code;
  layout.fields.push_back({32, 8, Holds::vgpr, row.shape.sources[0].is_there() ? 2U : 0U});
  // 64-bit operands only have ROW_NEWBCAST.
  layout.fields.push_back({40, 9, Holds::control, is_wide ? 0x153U : 0x111U});
  layout.fields.push_back({49, 2, Holds::bits, 0});
  layout.fields.push_back({51, 1, Holds::bits, 0});
  layout.fields.push_back({52, 4, Holds::bits, 0});
  layout.fields.push_back({56, 4, Holds::bits, 0xf});
  layout.fields.push_back({60, 4, Holds::bits, 0xf});
  return layout;
}

/// The three sources of VOP3 and VOP3P.
void add_long_sources(Layout& layout, const InstructionInfo& row) {
  for (std::size_t i = 0; i < 3; ++i) {
    layout.fields.push_back({static_cast<u8>(32 + 9 * i), 9, Holds::source, plain_source(row, i)});
  }
}

Layout vop3_layout(Generation generation, const InstructionInfo& row) {
  const bool is_old = has_old_numbers(generation);
  const auto opcode = static_cast<u64>(row.vop3_opcode(generation));
  Layout layout;
  layout.fixed = u64{0b110100} << 26 | opcode << (is_old ? 17 : 16);
  const bool has_destination = row.shape.destination.is_there() || row.shape.writes_mask;
  layout.fields.push_back({0, 8, Holds::vgpr, has_destination ? plain_destination : 0});
  if (row.shape.writes_mask && row.shape.destination.is_there()) {
    layout.fields.push_back({8, 7, Holds::scalar, 10});
    if (is_old) layout.fields.push_back({15, 2, Holds::bits, 0});
  } else if (is_old) {
    layout.fields.push_back({8, 3, Holds::bits, 0});
    layout.fields.push_back({11, 6, Holds::bits, 0});
  } else {
    layout.fields.push_back({8, 3, Holds::bits, 0});
    layout.fields.push_back({11, 4, Holds::bits, 0});
  }
  if (!is_old) layout.fields.push_back({15, 1, Holds::bits, 0});
  add_long_sources(layout, row);
  layout.fields.push_back({59, 2, Holds::bits, 0});
  layout.fields.push_back({61, 3, Holds::bits, 0});
  return layout;
}

Layout vop3p_layout(Generation generation, const InstructionInfo& row) {
  Layout layout;
  layout.fixed = u64{0x1a7} << 23 | static_cast<u64>(row.opcode(generation)) << 16;
  layout.fields.push_back({0, 8, Holds::vgpr, plain_destination});
  layout.fields.push_back({8, 3, Holds::bits, 0});
  layout.fields.push_back({11, 3, Holds::bits, 0});
  layout.fields.push_back({14, 1, Holds::bits, 1});
  layout.fields.push_back({15, 1, Holds::bits, 0});
  add_long_sources(layout, row);
  layout.fields.push_back({59, 2, Holds::bits, 3});
  layout.fields.push_back({61, 3, Holds::bits, 0});
  return layout;
}

/// Of the returned value.
constexpr u32 plain_result = 16;

Layout mubuf_layout(Generation generation, const InstructionInfo& row, bool returns) {
  const bool has_operands = row.access.bytes != 0;
  const u32 glc = returns ? 4 : 0;
  const auto opcode = static_cast<u64>(row.opcode(generation));
  return {u64{0b111000} << 26 | opcode << 18,
          {
              {0, 12, Holds::offset, has_operands ? 0x24U : 0U},
              // OFFEN, IDXEN, GLC, ADDR64 or SC1, LDS, SLC
              {12, 6, Holds::bits, (has_operands ? 1U : 0U) | glc},
              {25, 1, Holds::bits, 0},
              {32, 8, Holds::vgpr, has_operands ? 2U : 0U},
              {40, 8, Holds::vgpr, has_operands ? plain_destination : 0},
              {48, 5, Holds::quad, has_operands ? 3U : 0U},
              // SLC again, TFE or ACC
              {53, 3, Holds::bits, 0},
              {56, 8, Holds::scalar_source, has_operands ? 5U : 0U},
          }};
}

Layout mtbuf_layout(Generation generation, const InstructionInfo& row) {
  const bool is_old = has_old_numbers(generation);
  const auto opcode = static_cast<u64>(row.opcode(generation));
  Layout layout = {u64{0b111010} << 26 | opcode << (is_old ? 16 : 15),
                   {
                       {0, 12, Holds::offset, 0x24},
                       // OFFEN, IDXEN, GLC
                       {12, 3, Holds::bits, 1},
                       // DATA_FORMAT, NUM_FORMAT
                       {19, 7, Holds::bits, 1},
                       {32, 8, Holds::vgpr, 2},
                       {40, 8, Holds::vgpr, plain_destination},
                       {48, 5, Holds::quad, 3},
                       // SC1, SLC, TFE or ACC
                       {53, 3, Holds::bits, 0},
                       {56, 8, Holds::scalar_source, 5},
                   }};
  if (is_old) layout.fields.push_back({15, 1, Holds::bits, 0});
  return layout;
}

Layout flat_layout(Generation generation, const InstructionInfo& row, bool returns) {
  const auto opcode = static_cast<u64>(row.opcode(generation));
  const bool takes_data = row.access.is_store || row.access.is_atomic();
  const u32 result = takes_data ? (returns ? plain_result : 0) : plain_destination;
  const u64 segment = row.format == Format::flat ? 0 : row.format == Format::scratch ? 1 : 2;
  return {u64{0b110111} << 26 | opcode << 18 | segment << 14,
          {
              {0, 13, Holds::offset, 0},
              // LDS or SVE
              {13, 1, Holds::bits, 0},
              // GLC, SLC
              {16, 2, Holds::bits, returns ? 1U : 0U},
              // SC1
              {25, 1, Holds::bits, 0},
              {32, 8, Holds::vgpr, 2},
              {40, 8, Holds::vgpr, takes_data ? plain_destination : 0},
              {48, 7, Holds::scalar, segment == 0 ? 0U : 0x7fU},
              // TFE, NV or ACC
              {55, 1, Holds::bits, 0},
              {56, 8, Holds::vgpr, result},
          }};
}

Layout ds_layout(Generation generation, const InstructionInfo& row) {
  const bool is_old = has_old_numbers(generation);
  const auto opcode = static_cast<u64>(row.opcode(generation));
  const isa::vector::Access& access = row.access;
  const bool has_operands = access.bytes != 0;
  const bool takes_data = access.takes_data();
  const bool has_result = has_operands && access.has_result(false);
  const bool has_address = has_operands && access.address == isa::vector::SharedAddress::vgpr;
  const u8 gds = is_old ? 17 : 16;
  return {u64{0b110110} << 26 | opcode << (is_old ? 18 : 17),
          {
              {0, 8, Holds::offset, has_operands ? 4U : 0U},
              {8, 8, Holds::offset, 0},
              {gds, 1, Holds::bits, 0},
              // The remaining bits; ACC is the highest of them.
              {static_cast<u8>(is_old ? 16 : 25), 1, Holds::bits, 0},
              {32, 8, Holds::vgpr, has_address ? 2U : 0U},
              {40, 8, Holds::vgpr, takes_data ? plain_destination : 0},
              {48, 8, Holds::vgpr, access.takes_second_data() ? 12U : 0U},
              {56, 8, Holds::vgpr, has_result ? (takes_data ? plain_result : plain_destination) : 0},
          }};
}

Layout layout_of(Generation generation, const EncodedForm& form) {
  const InstructionInfo& row = isa::vector::info(form.insn);
  switch (row.format) {
    case Format::vop3p:
      return vop3p_layout(generation, row);
    case Format::mubuf:
      return mubuf_layout(generation, row, form.returns);
    case Format::mtbuf:
      return mtbuf_layout(generation, row);
    case Format::flat:
    case Format::global:
    case Format::scratch:
      return flat_layout(generation, row, form.returns);
    case Format::ds:
      return ds_layout(generation, row);
    default:
      break;
  }
  if (form.form == Form::e64) return vop3_layout(generation, row);
  if (form.form == Form::dpp) return dpp_layout(generation, row);
  return form.form == Form::sdwa ? sdwa_layout(generation, row) : short_layout(generation, row);
}

u64 with_field(u64 bits, const BitField& field, u32 value) {
  const u64 mask = ((u64{1} << field.width) - 1) << field.position;
  return (bits & ~mask) | u64{value} << field.position;
}

u64 plain_bits(const Layout& layout) {
  u64 bits = layout.fixed;
  for (const BitField& field : layout.fields) bits = with_field(bits, field, field.plain);
  return bits;
}

/// The words of the instruction; `following` is the second dword of a short form that has one.
Words words_of(Generation generation, u64 bits, u32 following) {
  const auto first = static_cast<u32>(bits);
  const u8 dwords = isa::vector_length(generation, first).dwords;
  if (dwords == 1) return {{first, 0}, 1};
  const u32 source = first & 0x1ff;
  const bool is_short = first >> 31 == 0 && source != sdwa_code && (source != dpp_code || bits >> 32 == 0);
  return {{first, is_short ? following : static_cast<u32>(bits >> 32)}, 2};
}

/// The second dword of a short form. DPP: all lanes of a quad unchanged.
u32 some_following(u64 bits, u32 literal) {
  constexpr u32 identity = 0xff00e4fe;
  return (bits & 0x1ff) == dpp_code ? identity : literal;
}

bool is_single_dword_form(const EncodedForm& form) {
  return form.form == Form::e32 && isa::vector::info(form.insn).format <= Format::vopc;
}

constexpr u32 plain_literal = 0x12345678;

}  // namespace

std::vector<EncodedForm> all_forms(Generation generation) {
  std::vector<EncodedForm> result;
  for (std::size_t i = 0; i < isa::vector::insn_count; ++i) {
    const auto insn = static_cast<isa::vector::Insn>(i);
    const InstructionInfo& row = isa::vector::info(insn);
    const bool is_short = row.format <= Format::vopc;
    if (row.opcode(generation) != isa::absent)
      result.push_back({insn, row.format == Format::vop3p ? Form::e64 : Form::e32});
    if (row.access.is_atomic() && row.format != Format::ds && !row.access.never_returns &&
        row.opcode(generation) != isa::absent)
      result.push_back({insn, Form::e32, true});
    if (row.vop3_opcode(generation) != isa::absent) result.push_back({insn, Form::e64});
    if (is_short && row.opcode(generation) != isa::absent && !has_old_numbers(generation))
      result.insert(result.end(), {{insn, Form::sdwa}, {insn, Form::dpp}});
  }
  return result;
}

Words plain_words(Generation generation, const EncodedForm& form) {
  return words_of(generation, plain_bits(layout_of(generation, form)), plain_literal);
}

std::vector<u32> operands_of(const isa::vector::Access& access) {
  return {access.bytes,
          access.is_store,
          access.is_double,
          access.is_atomic(),
          access.returns,
          access.never_returns,
          access.components,
          access.takes_data(),
          access.takes_second_data(),
          access.dwords(),
          static_cast<u32>(access.address),
          static_cast<u32>(access.move)};
}

std::vector<Words> samples(Generation generation, const Density& density) {
  std::vector<Words> samples;
  std::mt19937 random(4711);
  // Rows that differ only in their opcodes accept the same operands.
  std::set<std::tuple<Format, Form, std::vector<u32>, u32, u32>> seen;
  for (const EncodedForm& form : all_forms(generation)) {
    const InstructionInfo& row = isa::vector::info(form.insn);
    const Layout layout = layout_of(generation, form);
    const u64 plain = plain_bits(layout);
    const auto add = [&](u64 bits, u32 literal) {
      samples.push_back(words_of(generation, bits, some_following(bits, literal)));
    };
    add(plain, plain_literal);

    std::vector<u32> operands = {row.shape.writes_mask, row.shape.reads_mask, row.access.keeps_half, form.returns};
    for (const u32 part : operands_of(row.access)) operands.push_back(part);
    const auto add_operand = [&](const isa::vector::Operand& operand) {
      operands.push_back(static_cast<u32>(operand.kind) << 8 | operand.bits);
    };
    add_operand(row.shape.destination);
    for (const isa::vector::Operand& operand : row.shape.sources) add_operand(operand);
    const bool is_first = seen.insert({row.format, form.form, operands, row.modifiers, 0}).second;
    for (const BitField& field : layout.fields) {
      for (const u32 value : values_of(field, density.every_code || (density.every_code_once && is_first))) {
        const bool is_short = is_single_dword_form(form);
        if (is_short && field.holds == Holds::source && value == sdwa_code) continue;
        const u64 bits = with_field(plain, field, value);
        add(bits, plain_literal);
        const bool has_literal = is_short && words_of(generation, bits, 0).count == 2;
        if (!has_literal || value == dpp_code) continue;
        if (!is_first && !density.every_code) continue;
        for (const u32 literal : literals) add(bits, literal);
      }
    }
    for (int i = 0; i < density.random; ++i) {
      u64 bits = plain;
      for (const BitField& field : layout.fields) {
        if (random() % 2 == 0) continue;
        const std::vector<u32> values = values_of(field, random() % 4 == 0);
        const u32 value = values[random() % values.size()];
        if (is_single_dword_form(form) && field.holds == Holds::source && value == sdwa_code) continue;
        bits = with_field(bits, field, value);
      }
      add(bits, literals[random() % literals.size()]);
    }
  }
  return samples;
}

std::vector<Words> opcode_words(Generation generation) {
  std::vector<Words> words;
  const bool is_old = has_old_numbers(generation);
  const auto add = [&](u64 bits) { words.push_back(words_of(generation, bits, plain_literal)); };
  constexpr u64 v2 = first_vgpr + 2;
  constexpr u64 v4 = first_vgpr + 4;
  constexpr u64 v6 = first_vgpr + 6;
  constexpr u64 destination = plain_destination;
  for (u64 opcode = 0; opcode < 256; ++opcode) {
    for (const u64 source : {u64{0}, u64{2}, v2}) {
      if (opcode < 62) add(opcode << 25 | destination << 17 | 4U << 9 | source);
      add(u64{0x3f} << 25 | destination << 17 | opcode << 9 | source);
      add(u64{0x3f} << 25 | opcode << 9 | source);
      add(u64{0x3e} << 25 | opcode << 17 | 4U << 9 | source);
    }
    for (const u64 high : {0x08000002ULL, 0x00000802ULL, 0x00080402ULL}) {
      add(u64{0b110110} << 26 | opcode << (is_old ? 18 : 17) | high << 32);
    }
    add(u64{0b110110} << 26 | opcode << (is_old ? 18 : 17));
  }
  for (u64 opcode = 0; opcode < 16; ++opcode) {
    for (const u64 format : {0U, 0x16U, 0x74U}) {
      const u64 low = u64{0b111010} << 26 | format << 19 | opcode << (is_old ? 16 : 15);
      add(low | 0x80010802ULL << 32);
      add(low | 1U << 12 | 0x80010802ULL << 32);
    }
  }
  for (u64 opcode = 0; opcode < 128; ++opcode) {
    for (const u64 high : {0ULL, 0x80010802ULL}) {
      add(u64{0b111000} << 26 | opcode << 18 | high << 32);
      if (high != 0) add(u64{0b111000} << 26 | opcode << 18 | 1U << 12 | high << 32);
    }
    for (const u64 segment : {0U, 1U, 2U}) {
      for (const u64 high : {0x08000002ULL, 0x00000802ULL, 0x087f0002ULL, 0x007f0802ULL}) {
        add(u64{0b110111} << 26 | opcode << 18 | segment << 14 | high << 32);
        add(u64{0b110111} << 26 | opcode << 18 | segment << 14 | 1U << 13 | high << 32);
      }
    }
    for (const u64 sources : {u64{0}, v2, v4 << 9 | v2, v6 << 18 | v4 << 9 | v2}) {
      const u64 low = u64{0x1a7} << 23 | opcode << 16 | destination;
      add(low | 1U << 14 | u64{3} << 59 | sources << 32);
      add(low | sources << 32);
    }
  }
  for (u64 opcode = 0; opcode < (is_old ? 512U : 1024U); ++opcode) {
    const u64 low = u64{0b110100} << 26 | opcode << (is_old ? 17 : 16);
    if (salu::is_gfx9(generation) && low >> 23 == 0x1a7) continue;
    for (const u64 sources : {u64{0}, v2, v4 << 9 | v2, v6 << 18 | v4 << 9 | v2, u64{6} << 18 | v4 << 9 | v2,
                              u64{4} << 9 | v2, u64{4} << 9 | 2U}) {
      add(low | destination | sources << 32);
      add(low | sources << 32);
      add(low | destination | 10U << 8 | sources << 32);
    }
  }
  return words;
}

std::vector<Words> random_words(Generation generation, int count) {
  std::vector<Words> words;
  std::mt19937 random(2718281);
  const auto any = [&] { return static_cast<u32>(random()); };
  const auto add = [&](u32 first) {
    // Few bits make more words valid.
    u32 second = any();
    if (any() % 4 != 0) second &= any();
    const bool is_short = first >> 31 == 0;
    if (is_short && (first & 0x1ff) == sdwa_code) {
      // LLVM's printer fails for selects that do not exist.
      second = (second & 0xf8f8e0ffU) | any() % 7 << 8 | any() % 3 << 11 | any() % 7 << 16 | any() % 7 << 24;
    }
    words.push_back(words_of(generation, u64{second} << 32 | first, second));
  };
  for (int i = 0; i < count; ++i) {
    add(any() >> 1);
    add(u32{0x3e} << 25 | any() >> 7);
    add(u32{0x3f} << 25 | (any() & 0x1fe0fdffU) % (1U << 25));
    add((any() >> 1 & ~0x1ffU) | sdwa_code);
    add((any() >> 1 & ~0x1ffU) | dpp_code);
    u32 few_bits = any();
    for (int more = 0; more < 2; ++more) few_bits &= any();
    add(u32{0b110100} << 26 | (any() & 0x03ff00ffU) | (few_bits & 0xff00U));
    add(u32{0b110100} << 26 | any() >> 6);
    add(u32{0x1a7} << 23 | (any() & 0x003fffff));
    for (const u32 format : {0b110110U, 0b110111U, 0b111000U}) {
      add(format << 26 | (any() & (i % 2 == 0 ? 0x01ffffffU : 0x03ffffffU)));
    }
  }
  return words;
}

std::optional<std::string> text_of(Generation generation, const Words& words) {
  const auto instruction = isa::vector::decode(generation, words.span());
  if (!instruction || instruction->dwords != words.count) return std::nullopt;
  return isa::vector::disassemble(generation, *instruction);
}

bool is_row_name(std::string_view name) {
  static const std::set<std::string_view> names = [] {
    std::set<std::string_view> all;
    for (const InstructionInfo& row : isa::vector::all_instructions()) all.insert(row.names.begin(), row.names.end());
    return all;
  }();
  return names.contains(name);
}

std::string name_of(std::string_view text) {
  std::string_view name = text.substr(0, text.find(' '));
  for (const std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"}) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  }
  return std::string(name);
}

}  // namespace salu::conformance::vector
