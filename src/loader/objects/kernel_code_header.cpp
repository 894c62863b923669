#include "loader/objects/kernel_code_header.hpp"

#include <fmt/core.h>

#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr u32 known_version = 1;
constexpr u8 wavefront_of_64 = 6;

u64 read_le(std::string_view bytes, std::size_t offset, std::size_t size) {
  u64 value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= u64{static_cast<u8>(bytes[offset + i])} << (8 * i);
  return value;
}

/// Returns the bytes of a section from a symbol on; empty if the symbol is outside of the section.
std::string_view bytes_at(const ElfImage& image, const ElfSymbol& symbol) {
  const ElfSection& section = image.sections[symbol.section];
  const u64 start = image.relocatable ? 0 : section.address;
  const bool is_inside = symbol.value >= start && symbol.value - start <= section.bytes.size();
  return is_inside ? section.bytes.substr(symbol.value - start) : std::string_view();
}

}  // namespace

KernelCodeHeader parse_kernel_code_header(std::string_view bytes) {
  const auto u16_at = [&](std::size_t offset) { return static_cast<u16>(read_le(bytes, offset, 2)); };
  const auto u32_at = [&](std::size_t offset) { return static_cast<u32>(read_le(bytes, offset, 4)); };
  KernelCodeHeader header;
  header.version_major = u32_at(0);
  header.machine_kind = u16_at(8);
  header.machine_major = u16_at(10);
  header.machine_minor = u16_at(12);
  header.machine_stepping = u16_at(14);
  header.entry_offset = static_cast<i64>(read_le(bytes, 16, 8));
  header.rsrc1 = u32_at(48);
  header.rsrc2 = u32_at(52);
  header.properties = u32_at(56);
  header.private_segment_bytes = u32_at(60);
  header.group_segment_bytes = u32_at(64);
  header.kernarg_size_bytes = read_le(bytes, 72, 8);
  header.sgpr_count = u16_at(84);
  header.vgpr_count = u16_at(86);
  header.kernarg_alignment = static_cast<u8>(bytes[100]);
  header.wavefront_size = static_cast<u8>(bytes[103]);
  return header;
}

std::optional<KernelCodeHeader> find_kernel_code_header(const ElfImage& image, const ElfSymbol& symbol,
                                                        const std::string& file) {
  if (!symbol.is_kernel_header || symbol.kind != ElfSymbol::Kind::defined) return std::nullopt;
  const auto fail = [&](const std::string& problem) {
    reject(ErrorCode::elf, {file},
           fmt::format("the header of the kernel `{}` (amd_kernel_code_t) cannot be used: {}",
                       symbol.name.substr(0, 80), problem));
  };
  if (!image.sections[symbol.section].is_code) fail("it is outside of the code");
  const std::string_view bytes = bytes_at(image, symbol);
  if (bytes.size() < KernelCodeHeader::size_bytes) fail("it extends beyond the code");
  const KernelCodeHeader header = parse_kernel_code_header(bytes);
  if (header.version_major != known_version)
    fail(fmt::format("its version is {}; expected {}", header.version_major, known_version));
  if (header.wavefront_size != wavefront_of_64)
    fail(fmt::format("it is for wavefronts of 2^{} work-items; expected 2^6", header.wavefront_size));
  return header;
}

}  // namespace salu::loader
