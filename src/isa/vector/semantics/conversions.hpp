#pragma once

#include <array>

#include "isa/vector/buffer_format.hpp"
#include "isa/vector/instruction.hpp"
#include "isa/vector/semantics/soft_float.hpp"

/// Conversions between the elements of typed buffers and registers. They round once, to the nearest float or integer;
/// the manuals do not specify the rounding.
namespace salu::isa::vector {

/// Four dwords: an element in memory, or the registers of a lane.
using ElementDwords = std::array<u32, 4>;

namespace typed_buffers {

constexpr u32 low_mask(u32 bits) { return bits == 32 ? ~0U : (1U << bits) - 1; }
constexpr i64 sign_extended(u32 raw, u32 bits) {
  const u32 unused = 32 - bits;
  return static_cast<i32>(raw << unused) >> unused;
}
constexpr bool is_signed(NumberFormat format) {
  return format == NumberFormat::snorm || format == NumberFormat::sscaled || format == NumberFormat::sint;
}
constexpr bool is_normalised(NumberFormat format) { return format <= NumberFormat::snorm; }
constexpr bool is_integer(NumberFormat format) { return format == NumberFormat::uint || format == NumberFormat::sint; }

/// `value` / `most`, from -1 to 1.
template <class F>
constexpr F normalised(i64 value, i64 most) {
  using namespace soft_float;
  if (value == 0) return {0};
  const auto size = static_cast<u64>(std::min(value < 0 ? -value : value, most));
  return rounded<F, u64>(quotient<F32>({value < 0, 0, size}, {false, 0, static_cast<u64>(most)}), {});
}

/// A 16-bit float, or an unsigned one of 11 or 10 bits, which has the exponent of a 16-bit float.
constexpr F16 small_float(u32 raw, u32 bits) {
  constexpr u32 size_bits = 15;
  return {static_cast<u16>(bits == 16 ? raw : raw << (size_bits - bits))};
}

/// The float of a component, as bits.
template <class F>
constexpr u32 loaded_float(u32 raw, u32 bits) {
  if (bits == 32) return convert<F>(F32{raw}, {}, {}).bits;
  return convert<F>(small_float(raw, bits), {}, {}).bits;
}

/// The value of a component for a register: a float `F`, or an integer of its size.
template <class F>
constexpr u32 loaded(u32 raw, u32 bits, NumberFormat format) {
  if (format == NumberFormat::floating) return bits == F::bit_count ? raw : loaded_float<F>(raw, bits);
  const i64 value = is_signed(format) ? sign_extended(raw, bits) : i64{raw};
  if (is_integer(format)) return static_cast<u32>(value) & low_mask(F::bit_count);
  if (!is_normalised(format)) return to_float<F>(value, {}).bits;
  return normalised<F>(value, low_mask(is_signed(format) ? bits - 1 : bits)).bits;
}

/// The value of a channel that the format does not have: 1 or 0.
template <class F>
constexpr u32 constant(bool is_one, NumberFormat format) {
  if (!is_one) return 0;
  return is_integer(format) ? 1 : static_cast<u32>(soft_float::power_of_two<F>(0).bits);
}

/// Rounds to a float of 11 or 10 bits: negative numbers become 0.
template <class F>
constexpr u32 stored_small_float(F value, u32 bits) {
  using namespace soft_float;
  constexpr u32 exponent_bits = 5;
  const u32 fraction_bits = bits - exponent_bits;
  const u32 infinity_bits = 31U << fraction_bits;
  if (is_nan(value)) return infinity_bits | 1U << (fraction_bits - 1);
  if (is_negative(value) || is_zero(value)) return 0;
  if (is_infinite(value)) return infinity_bits;
  NumberOf<F> number = unpack(value);
  constexpr i32 least_exponent = 1 - bias<F16>;
  const i32 exponent =
      std::max(number.exponent + width_of<WideOf<F>> - 1 - leading_zeros(number.significand), least_exponent);
  number.exponent += static_cast<i32>(fraction_bits) - exponent;
  // In units of the last place; a carry increments the exponent.
  const u64 units = whole(number, Rounding::to_nearest_even).magnitude;
  const u64 result = (static_cast<u64>(exponent - least_exponent) << fraction_bits) + units;
  return static_cast<u32>(std::min<u64>(result, infinity_bits));
}

/// A float times `scale` as an integer from `least` to `most`; 0 for a NaN.
template <class F>
constexpr i64 stored_integer(F value, i64 scale, i64 least, i64 most, Rounding rounding) {
  using namespace soft_float;
  if (is_nan(value)) return 0;
  if (is_infinite(value)) return is_negative(value) ? least : most;
  NumberOf<F> number = unpack(value);
  number.significand *= static_cast<u64>(scale);
  const auto size = static_cast<i64>(whole(number, rounding).magnitude);
  return std::clamp(number.negative ? -size : size, least, most);
}

/// The bits of a component for the value in a register.
template <class F>
constexpr u32 stored(u32 value, u32 bits, NumberFormat format) {
  const F number{static_cast<typename F::Bits>(value)};
  if (format == NumberFormat::floating) {
    if (bits == F::bit_count) return value;
    if (bits == 32) return convert<F32>(number, {}, {}).bits;
    if (bits == 16) return convert<F16>(number, {}, {}).bits;
    return stored_small_float(number, bits);
  }
  const i64 most = low_mask(is_signed(format) ? bits - 1 : bits);
  if (is_integer(format)) {
    const i64 integer = is_signed(format) ? sign_extended(value, F::bit_count) : i64{value};
    return static_cast<u32>(std::clamp(integer, is_signed(format) ? -most - 1 : 0, most)) & low_mask(bits);
  }
  const bool is_scaled = !is_normalised(format);
  const i64 least = !is_signed(format) ? 0 : is_scaled ? -most - 1 : -most;
  const Rounding rounding = is_scaled ? Rounding::to_zero : Rounding::to_nearest_even;
  return static_cast<u32>(stored_integer(number, is_scaled ? 1 : most, least, most, rounding)) & low_mask(bits);
}

/// The bits of an element from `first` on.
constexpr u32 component_bits(const ElementDwords& element, u32 first, u32 bits) {
  return element[first / 32] >> (first % 32) & low_mask(bits);
}

}  // namespace typed_buffers

/// The registers of a lane for an element in memory.
template <class F>
constexpr ElementDwords loaded_components(const BufferFormat& format, u32 count, const ElementDwords& element) {
  using namespace typed_buffers;
  const ElementLayout layout = element_layout(format.data_format);
  ElementDwords values{};
  for (u32 i = 0; i < count; ++i) {
    const u32 selected = format.channels[i];
    const u32 number = selected - channel::first_component;
    if (selected < channel::first_component || number >= layout.count) {
      constexpr u32 last = 3;
      const bool is_one = selected == channel::one || (selected >= channel::first_component && number == last);
      values[i] = constant<F>(is_one, format.number_format);
      continue;
    }
    u32 first = 0;
    for (u32 before = 0; before < number; ++before) first += layout.bits[before];
    values[i] =
        loaded<F>(component_bits(element, first, layout.bits[number]), layout.bits[number], format.number_format);
  }
  return values;
}

/// The element in memory for the components of a lane; components that the instruction does not have are 0.
template <class F>
constexpr ElementDwords stored_element(const BufferFormat& format, u32 count, const ElementDwords& values) {
  using namespace typed_buffers;
  const ElementLayout layout = element_layout(format.data_format);
  ElementDwords element{};
  u32 first = 0;
  for (u32 number = 0; number < layout.count; ++number) {
    for (u32 i = 0; i < count; ++i) {
      if (format.channels[i] != channel::first_component + number) continue;
      element[first / 32] |= stored<F>(values[i], layout.bits[number], format.number_format) << (first % 32);
      break;
    }
    first += layout.bits[number];
  }
  return element;
}

/// The registers that an instruction loads from an element. A D16 instruction has 16-bit components, two in a register
/// if it packs them.
constexpr ElementDwords loaded_registers(const Access& access, const BufferFormat& format,
                                         const ElementDwords& element) {
  if (!access.is_d16) return loaded_components<F32>(format, access.components, element);
  const ElementDwords halves = loaded_components<F16>(format, access.components, element);
  if (!access.packs_components) return halves;
  return {halves[0] | halves[1] << 16, halves[2] | halves[3] << 16, 0, 0};
}

/// The element that an instruction stores from its registers.
constexpr ElementDwords element_of_registers(const Access& access, const BufferFormat& format,
                                             const ElementDwords& registers) {
  if (!access.is_d16) return stored_element<F32>(format, access.components, registers);
  ElementDwords halves{};
  for (u32 i = 0; i < access.components; ++i) {
    const u32 from = access.packs_components ? registers[i / 2] >> (16 * (i % 2)) : registers[i];
    halves[i] = from & 0xffff;
  }
  if (access.is_high_half) halves[0] = registers[0] >> 16;
  return stored_element<F16>(format, access.components, halves);
}

}  // namespace salu::isa::vector
