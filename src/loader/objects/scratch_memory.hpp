#pragma once

#include <salu/memory.hpp>
#include <salu/target.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

/// Private memory (scratch) of waves, and its descriptors.
namespace salu::loader {

/// The start of the private memory of all waves.
inline constexpr u64 scratch_start = hidden_private_base;

/// The bit of a buffer descriptor's second dword that interleaves the dwords of the lanes.
inline constexpr u32 swizzle_enable = 1U << 31;

/// The symbols that `scratch_symbol_value` defines.
inline constexpr std::array<std::string_view, 2> scratch_symbols = {"SCRATCH_RSRC_DWORD0", "SCRATCH_RSRC_DWORD1"};

/// Returns the value of an undefined symbol that the driver fills in, in code without an operating system: one of the
/// first two dwords of a scratch memory descriptor. Returns nothing for other symbols.
constexpr std::optional<u32> scratch_symbol_value(std::string_view name) {
  if (name == "SCRATCH_RSRC_DWORD0") return static_cast<u32>(scratch_start);
  if (name == "SCRATCH_RSRC_DWORD1") return static_cast<u32>(scratch_start >> 32) | swizzle_enable;
  return std::nullopt;
}

/// Makes a descriptor of scratch memory as AMD's ROCm runtime does: swizzled, 64 lanes, dwords.
constexpr std::array<u32, 4> scratch_descriptor(Generation generation, u64 base, u64 size_bytes) {
  constexpr u32 select_xyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;
  constexpr u32 format_uint = 4 << 12;
  constexpr u32 format_32 = 4 << 15;
  constexpr u32 element_size_4 = 1 << 19;
  constexpr u32 index_stride_64 = 3 << 21;
  constexpr u32 add_tid_enable = 1 << 23;
  u32 word3 = select_xyzw | format_uint | index_stride_64 | add_tid_enable;
  if (!generation_info(generation).data_format_extends_stride) word3 |= format_32;
  if (generation_info(generation).buffer_has_element_size) word3 |= element_size_4;
  return {static_cast<u32>(base), static_cast<u32>(base >> 32) | swizzle_enable,
          static_cast<u32>(std::min<u64>(size_bytes, 0xffff'ffff)), word3};
}

}  // namespace salu::loader
