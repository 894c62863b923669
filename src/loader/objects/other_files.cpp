#include "loader/objects/other_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "support/names.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view unbundle =
    "clang-offload-bundler --unbundle --type=o --input=FILE --output=kernel.o --targets=";
constexpr std::string_view compile =
    "LLVM bitcode; compile it with llc -filetype=obj, or clang without -flto and -emit-llvm";

struct OtherKind {
  std::string_view magic;
  std::string_view description;
};
constexpr auto other_kinds = std::to_array<OtherKind>({
    {"CCOB",
     "a compressed bundle of code objects; extract the one to run with clang-offload-bundler --unbundle (--list shows "
     "the contents)"},
    {"\x10\xff\x10\xad",
     "a package of code for offloading; extract the object to run with clang-offload-packager FILE "
     "--image=file=kernel.o,arch=gfx900"},
    {"!<arch>\n", "an archive; extract the object to run with llvm-ar x, or link it with ld.lld -shared"},
    {"!<thin>\n",
     "a thin archive, which does not contain its objects; run one of them, or link them with ld.lld -shared"},
    {"BC\xc0\xde", compile},
    {"\xde\xc0\x17\x0b", compile},
    {"\x03\x02\x23\x07", "SPIR-V; compile it for an AMDGPU processor first"},
    {"\xcf\xfa\xed\xfe", "a Mach-O file; expected an ELF object for AMDGPU"},
    {"\x1f\x8b", "compressed with gzip; decompress it first"},
    {"(\xb5/\xfd", "compressed with zstd; decompress it first"},
    {"PK\x03\x04", "a zip archive; extract the object to run first"},
    {"MZ", "a program or library for Windows; expected an ELF object for AMDGPU"},
});

/// Reads a number of 8 bytes of a bundle; nothing after its end.
std::optional<u64> number_at(std::string_view bytes, std::size_t offset) {
  constexpr std::size_t size_bytes = 8;
  if (offset > bytes.size() || bytes.size() - offset < size_bytes) return std::nullopt;
  u64 value = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) value |= u64{static_cast<u8>(bytes[offset + i])} << (8 * i);
  return value;
}

/// Returns the targets of a bundle's entries (`hipv4-amdgcn-amd-amdhsa--gfx900`), without the host's.
std::vector<std::string> entries_of(std::string_view bundle) {
  constexpr std::size_t number_bytes = 8;
  std::vector<std::string> names;
  const u64 count = number_at(bundle, bundle_magic.size()).value_or(0);
  std::size_t next = bundle_magic.size() + number_bytes;
  for (u64 i = 0; i < count; ++i) {
    const auto length = number_at(bundle, next + 2 * number_bytes);
    next += 3 * number_bytes;
    if (!length || next > bundle.size() || *length > bundle.size() - next) break;
    const std::string_view name = bundle.substr(next, *length);
    next += *length;
    if (name.find("amdgcn") != std::string_view::npos) names.push_back(support::printable(name));
  }
  return names;
}

/// Returns the targets of a host object with embedded entries, which are sections with such names.
std::vector<std::string> entries_in_sections(std::string_view bytes) {
  std::vector<std::string> names;
  for (std::size_t found = bytes.find(bundle_magic); found != std::string_view::npos;
       found = bytes.find(bundle_magic, found + 1)) {
    // Longer than any processor name.
    constexpr std::size_t longest_name = 256;
    const std::string_view rest = bytes.substr(found + bundle_magic.size(), longest_name);
    const std::string_view name = rest.substr(0, rest.find('\0'));
    if (name.find("-amdgcn-") != std::string_view::npos || name.find("-amdgpu") != std::string_view::npos)
      names.push_back(support::printable(name));
  }
  return names;
}

std::string describe_bundle(const std::vector<std::string>& entries) {
  if (entries.empty()) {
    return fmt::format("a bundle of code objects, none of them for AMDGPU; extract one with {}...", unbundle);
  }
  const std::vector<std::string_view> names(entries.begin(), entries.end());
  return fmt::format("a bundle of code objects with {}; extract the one to run with {}{}", support::first_names(names),
                     unbundle, entries.front());
}

std::string_view machine_name(u32 machine) {
  struct Machine {
    u32 number;
    std::string_view name;
  };
  constexpr auto machines = std::to_array<Machine>(
      {{3, "x86"}, {40, "Arm"}, {62, "x86-64"}, {183, "AArch64"}, {190, "CUDA"}, {243, "RISC-V"}, {247, "BPF"}});
  const auto* const found = std::ranges::find(machines, machine, &Machine::number);
  return found == machines.end() ? "another machine" : found->name;
}

}  // namespace

std::string describe_other_file(std::string_view bytes) {
  if (bytes.starts_with(bundle_magic)) return describe_bundle(entries_of(bytes));
  const auto* const found =
      std::ranges::find_if(other_kinds, [&](const OtherKind& kind) { return bytes.starts_with(kind.magic); });
  return found == other_kinds.end() ? std::string() : std::string(found->description);
}

std::string describe_other_machine(u32 machine, std::string_view bytes) {
  if (const auto entries = entries_in_sections(bytes); !entries.empty()) return describe_bundle(entries);
  std::string text =
      fmt::format("an ELF file for {} (e_machine {}); expected AMDGPU (224)", machine_name(machine), machine);
  for (const std::string_view section : {".hip_fatbin", ".llvm.offloading"}) {
    if (bytes.find(section) == std::string_view::npos) continue;
    text += fmt::format(
        ". Its section {0} contains code for other processors; extract it with llvm-objcopy "
        "--dump-section {0}=bundle.o FILE, and continue with bundle.o",
        section);
    break;
  }
  return text;
}

}  // namespace salu::loader
