#include <salu/target.hpp>

#include <algorithm>
#include <array>

#include "support/nearest.hpp"

namespace salu {
namespace {

constexpr std::array<Generation, generation_count> generations = {
    Generation::gcn1_0, Generation::gcn1_1, Generation::gcn1_2, Generation::gcn1_4,
    Generation::cdna1,  Generation::cdna2,  Generation::cdna3};

constexpr std::array<std::string_view, generation_count> generation_names = {"gcn1.0", "gcn1.1", "gcn1.2", "gcn1.4",
                                                                             "cdna1",  "cdna2",  "cdna3"};

using enum Generation;

// LLVM 19: lib/Target/AMDGPU/GCNProcessors.td for names, aliases and XNACK, BinaryFormat/ELF.h for EF_AMDGPU_MACH.
constexpr std::array<Target, 51> all_targets = {{
    {"gfx600", "gfx600", gcn1_0, 0x20, false},    {"tahiti", "gfx600", gcn1_0, 0x20, false},
    {"gfx601", "gfx601", gcn1_0, 0x21, false},    {"pitcairn", "gfx601", gcn1_0, 0x21, false},
    {"verde", "gfx601", gcn1_0, 0x21, false},     {"gfx602", "gfx602", gcn1_0, 0x3a, false},
    {"hainan", "gfx602", gcn1_0, 0x3a, false},    {"oland", "gfx602", gcn1_0, 0x3a, false},
    {"gfx700", "gfx700", gcn1_1, 0x22, false},    {"kaveri", "gfx700", gcn1_1, 0x22, false},
    {"gfx701", "gfx701", gcn1_1, 0x23, false},    {"hawaii", "gfx701", gcn1_1, 0x23, false},
    {"gfx702", "gfx702", gcn1_1, 0x24, false},    {"gfx703", "gfx703", gcn1_1, 0x25, false},
    {"kabini", "gfx703", gcn1_1, 0x25, false},    {"mullins", "gfx703", gcn1_1, 0x25, false},
    {"gfx704", "gfx704", gcn1_1, 0x26, false},    {"bonaire", "gfx704", gcn1_1, 0x26, false},
    {"gfx705", "gfx705", gcn1_1, 0x3b, false},    {"gfx801", "gfx801", gcn1_2, 0x28, true},
    {"carrizo", "gfx801", gcn1_2, 0x28, true},    {"gfx802", "gfx802", gcn1_2, 0x29, false},
    {"iceland", "gfx802", gcn1_2, 0x29, false},   {"tonga", "gfx802", gcn1_2, 0x29, false},
    {"gfx803", "gfx803", gcn1_2, 0x2a, false},    {"fiji", "gfx803", gcn1_2, 0x2a, false},
    {"polaris10", "gfx803", gcn1_2, 0x2a, false}, {"polaris11", "gfx803", gcn1_2, 0x2a, false},
    {"gfx805", "gfx805", gcn1_2, 0x3c, false},    {"tongapro", "gfx805", gcn1_2, 0x3c, false},
    {"gfx810", "gfx810", gcn1_2, 0x2b, true},     {"stoney", "gfx810", gcn1_2, 0x2b, true},
    {"gfx900", "gfx900", gcn1_4, 0x2c, true},     {"gfx902", "gfx902", gcn1_4, 0x2d, true},
    {"gfx904", "gfx904", gcn1_4, 0x2e, true},     {"gfx906", "gfx906", gcn1_4, 0x2f, true},
    {"gfx908", "gfx908", cdna1, 0x30, true},      {"gfx909", "gfx909", gcn1_4, 0x31, true},
    {"gfx90a", "gfx90a", cdna2, 0x3f, true},      {"gfx90c", "gfx90c", gcn1_4, 0x32, true},
    {"gfx940", "gfx940", cdna3, 0x40, true},      {"gfx941", "gfx941", cdna3, 0x4b, true},
    {"gfx942", "gfx942", cdna3, 0x4c, true},      {"gfx9-generic", "gfx9-generic", gcn1_4, 0x51, true},
    {"gcn1.0", "gfx600", gcn1_0, 0x20, false},    {"gcn1.1", "gfx700", gcn1_1, 0x22, false},
    {"gcn1.2", "gfx803", gcn1_2, 0x2a, false},    {"gcn1.4", "gfx900", gcn1_4, 0x2c, true},
    {"cdna1", "gfx908", cdna1, 0x30, true},       {"cdna2", "gfx90a", cdna2, 0x3f, true},
    {"cdna3", "gfx942", cdna3, 0x4c, true},
}};

constexpr u32 elf_machine_mask = 0xff;

}  // namespace

std::span<const Generation> all_generations() { return generations; }

std::string_view generation_name(Generation generation) {
  return generation_names[static_cast<std::size_t>(generation)];
}

std::span<const Target> targets() { return all_targets; }

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(all_targets, name, &Target::name);
  return found == all_targets.end() ? nullptr : &*found;
}

const Target* find_target_by_elf_flags(u32 e_flags) {
  const auto found = std::ranges::find(all_targets, e_flags & elf_machine_mask, &Target::elf_machine);
  return found == all_targets.end() ? nullptr : &*found;
}

std::vector<std::string_view> nearest_target_names(std::string_view name, std::size_t limit) {
  std::array<std::string_view, all_targets.size()> names{};
  std::ranges::transform(all_targets, names.begin(), &Target::name);
  return support::nearest_names(name, names, limit);
}

}  // namespace salu
