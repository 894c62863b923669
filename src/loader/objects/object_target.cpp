#include "loader/objects/object_target.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "loader/number.hpp"
#include "loader/objects/kernel_code_header.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr u32 machine_mask = 0xff;  // EF_AMDGPU_MACH
constexpr u32 last_flag_of_version2 = 3;

/// Values of EF_AMDGPU_MACH of processors that are not GCN (LLVM, BinaryFormat/ELF.h).
struct OtherProcessor {
  u32 machine = 0;
  std::string_view name;
};
constexpr auto other_processors = std::to_array<OtherProcessor>({{0x01, "r600"},
                                                                 {0x02, "r630"},
                                                                 {0x03, "rs880"},
                                                                 {0x04, "rv670"},
                                                                 {0x05, "rv710"},
                                                                 {0x06, "rv730"},
                                                                 {0x07, "rv770"},
                                                                 {0x08, "cedar"},
                                                                 {0x09, "cypress"},
                                                                 {0x0a, "juniper"},
                                                                 {0x0b, "redwood"},
                                                                 {0x0c, "sumo"},
                                                                 {0x0d, "barts"},
                                                                 {0x0e, "caicos"},
                                                                 {0x0f, "cayman"},
                                                                 {0x10, "turks"},
                                                                 {0x33, "gfx1010"},
                                                                 {0x34, "gfx1011"},
                                                                 {0x35, "gfx1012"},
                                                                 {0x36, "gfx1030"},
                                                                 {0x37, "gfx1031"},
                                                                 {0x38, "gfx1032"},
                                                                 {0x39, "gfx1033"},
                                                                 {0x3d, "gfx1035"},
                                                                 {0x3e, "gfx1034"},
                                                                 {0x41, "gfx1100"},
                                                                 {0x42, "gfx1013"},
                                                                 {0x43, "gfx1150"},
                                                                 {0x44, "gfx1103"},
                                                                 {0x45, "gfx1036"},
                                                                 {0x46, "gfx1101"},
                                                                 {0x47, "gfx1102"},
                                                                 {0x48, "gfx1200"},
                                                                 {0x49, "gfx1250"},
                                                                 {0x4a, "gfx1151"},
                                                                 {0x4e, "gfx1201"},
                                                                 {0x52, "gfx10-1-generic"},
                                                                 {0x53, "gfx10-3-generic"},
                                                                 {0x54, "gfx11-generic"},
                                                                 {0x55, "gfx1152"},
                                                                 {0x58, "gfx1153"},
                                                                 {0x59, "gfx12-generic"}});

// Notes of version 2, with the name AMD.
constexpr u32 note_isa_version = 3;  // NT_AMD_HSA_ISA_VERSION
constexpr u32 note_isa_name = 11;    // NT_AMD_HSA_ISA_NAME

[[noreturn]] void fail_other(const std::string& name, const std::string& said_by, const std::string& file) {
  reject(ErrorCode::elf, {file},
         fmt::format("an object for {} ({}), a processor that is not supported; expected one of gfx6 to gfx9", name,
                     said_by));
}

const Target* target_of_flags(const ElfImage& image, const std::string& file) {
  const u32 machine = image.flags & machine_mask;
  // In older objects these bits are features, not the number of a processor.
  if (machine == 0 || (image.code_object_version == 2 && machine <= last_flag_of_version2)) return nullptr;
  if (const Target* const target = find_target_by_elf_flags(image.flags)) return target;
  const auto* const other = std::ranges::find(other_processors, machine, &OtherProcessor::machine);
  const std::string said_by = "EF_AMDGPU_MACH " + hex(machine) + " in e_flags";
  fail_other(other == other_processors.end() ? "a processor without a known name" : std::string(other->name), said_by,
             file);
}

std::string processor_name(u64 major, u64 minor, u64 stepping) {
  return fmt::format("gfx{}{}{:x}", major, minor, stepping);
}

/// Returns the processor in a note of version 2; empty for other notes.
std::string name_in(const ElfNote& note) {
  constexpr std::size_t first_number = 4;
  constexpr std::size_t behind_numbers = 16;
  const std::string& bytes = note.bytes;
  if (note.name != "AMD") return {};
  if (note.type == note_isa_version && bytes.size() >= behind_numbers) {
    std::array<u64, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size() * 4; ++i)
      numbers[i / 4] |= u64{static_cast<u8>(bytes[first_number + i])} << (8 * (i % 4));
    return processor_name(numbers[0], numbers[1], numbers[2]);
  }
  if (note.type != note_isa_name) return {};
  // amdgcn-amd-amdhsa--gfx900+xnack
  const std::size_t start = bytes.rfind("gfx");
  if (start == std::string::npos) return {};
  const std::size_t end = bytes.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", start);
  return bytes.substr(start, end - start);
}

}  // namespace

const Target* find_object_target(const ElfImage& image, const std::string& file) {
  if (const Target* const target = target_of_flags(image, file)) return target;
  const auto named = [&](const std::string& name, const std::string& said_by) {
    const Target* const target = find_target(name);
    if (target == nullptr) fail_other(name.substr(0, 40), said_by, file);
    return target;
  };
  for (const ElfNote& note : image.notes) {
    if (const std::string name = name_in(note); !name.empty()) return named(name, "according to a note in it");
  }
  for (const ElfSymbol& symbol : image.symbols) {
    const auto header = find_kernel_code_header(image, symbol, file);
    if (!header || header->machine_major == 0) continue;
    return named(processor_name(header->machine_major, header->machine_minor, header->machine_stepping),
                 "according to the header of `" + symbol.name.substr(0, 80) + "`");
  }
  return nullptr;
}

std::optional<bool> xnack_of(const ElfImage& image) {
  if (image.code_object_version == 2) return std::nullopt;
  // EF_AMDGPU_FEATURE_XNACK_V3 is one bit; EF_AMDGPU_FEATURE_XNACK_V4 two: unsupported, any, off, on.
  if (image.code_object_version < 4) return (image.flags & 0x100) != 0;
  switch (image.flags >> 8 & 3) {
    case 0:
      return std::nullopt;
    case 2:
      return false;
    default:
      return true;
  }
}

std::optional<bool> sramecc_of(u32 e_flags, u32 version) {
  if (version == 2) return std::nullopt;
  // EF_AMDGPU_FEATURE_SRAMECC_V3 is one bit, set for `any`, too; EF_AMDGPU_FEATURE_SRAMECC_V4 are two.
  constexpr u32 is_on_or_any = 0x200;
  if (version < 4) return (e_flags & is_on_or_any) != 0 ? std::nullopt : std::optional(false);
  switch (e_flags >> 10 & 3) {
    case 2:
      return false;
    case 3:
      return true;
    default:
      return std::nullopt;
  }
}

}  // namespace salu::loader
