#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <string_view>

/// The formats of the elements of typed buffers: DATA_FORMAT and NUM_FORMAT of MTBUF instructions and of buffer
/// descriptors (8.1.4 of the Vega ISA manual).
namespace salu::isa::vector {

/// NUM_FORMAT: the meaning of a component.
enum class NumberFormat : u8 { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };

/// The component of an element that a channel of an instruction receives (DST_SEL).
namespace channel {
inline constexpr u8 zero = 0;
inline constexpr u8 one = 1;
inline constexpr u8 first_component = 4;
}  // namespace channel

/// The components of an element, from its lowest bit on.
struct ElementLayout {
  u8 count = 0;  ///< 0: an invalid format
  std::array<u8, 4> bits{};

  [[nodiscard]] constexpr u8 bytes() const { return static_cast<u8>((bits[0] + bits[1] + bits[2] + bits[3]) / 8); }
};

/// The format of an element.
struct BufferFormat {
  u8 data_format = 0;
  NumberFormat number_format = NumberFormat::unorm;
  /// A channel for each component of the instruction.
  std::array<u8, 4> channels = {channel::first_component, channel::first_component + 1, channel::first_component + 2,
                                channel::first_component + 3};
};

/// The layout of DATA_FORMAT. Its names list the components from the highest bit on.
constexpr ElementLayout element_layout(u32 data_format) {
  constexpr std::array<ElementLayout, 16> layouts = {{{},
                                                      {1, {8}},
                                                      {1, {16}},
                                                      {2, {8, 8}},
                                                      {1, {32}},
                                                      {2, {16, 16}},
                                                      {3, {11, 11, 10}},
                                                      {3, {10, 11, 11}},
                                                      {4, {2, 10, 10, 10}},
                                                      {4, {10, 10, 10, 2}},
                                                      {4, {8, 8, 8, 8}},
                                                      {2, {32, 32}},
                                                      {4, {16, 16, 16, 16}},
                                                      {3, {32, 32, 32}},
                                                      {4, {32, 32, 32, 32}},
                                                      {}}};
  return layouts[data_format & 15];
}

/// True if the components can have the number format: those of 32 bits are integers or floats, and those of 8 bits, or
/// with 2 bits, are not floats.
constexpr bool is_legal(const BufferFormat& format) {
  const ElementLayout layout = element_layout(format.data_format);
  if (layout.count == 0 || format.number_format == NumberFormat::reserved) return false;
  if (layout.bits[0] == 32) return format.number_format >= NumberFormat::uint;
  const bool has_floats = layout.bits[0] != 8 && layout.bits[0] != 2 && layout.bits[3] != 2;
  return has_floats || format.number_format != NumberFormat::floating;
}

/// The format in the field FORMAT of an MTBUF instruction: DATA_FORMAT, then NUM_FORMAT from bit 4 on.
constexpr BufferFormat instruction_format(u32 field) {
  return {.data_format = static_cast<u8>(field & 15), .number_format = static_cast<NumberFormat>(field >> 4 & 7)};
}
/// The format of an MTBUF instruction without `format:`: DATA_FORMAT_8, NUM_FORMAT_UNORM.
inline constexpr u32 default_instruction_format = 1;

/// The format in the last dword of a buffer descriptor.
constexpr BufferFormat descriptor_format(u32 last_dword) {
  BufferFormat format = instruction_format((last_dword >> 15 & 15) | (last_dword >> 12 & 7) << 4);
  for (u32 i = 0; i < format.channels.size(); ++i) format.channels[i] = static_cast<u8>(last_dword >> (3 * i) & 7);
  return format;
}

/// LLVM's names of the formats, for `format:[...]`.
std::string_view data_format_name(u32 data_format);
std::string_view number_format_name(Generation generation, u32 number_format);

/// A field of the instruction's format with one of LLVM's names.
struct NamedFormat {
  bool is_number_format = false;
  u32 value = 0;
};
std::optional<NamedFormat> find_format_name(Generation generation, std::string_view name);

}  // namespace salu::isa::vector
