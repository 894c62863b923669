#include <salu/target.hpp>

#include <algorithm>
#include <array>

#include "support/nearest.hpp"

namespace salu {
namespace {

/// A processor that LLVM supports.
struct Processor {
  std::string_view name;
  std::string_view aliases;  ///< separated by blanks
  Generation generation;
  u8 elf_machine;
  bool has_xnack;
};

using enum Generation;

// LLVM 19: lib/Target/AMDGPU/GCNProcessors.td for names, aliases and XNACK, BinaryFormat/ELF.h for EF_AMDGPU_MACH.
// gfx950 and gfx9-4-generic: the same files of LLVM 20.
constexpr auto processors = std::to_array<Processor>({
    {"gfx600", "tahiti", gcn1_0, 0x20, false},
    {"gfx601", "pitcairn verde", gcn1_0, 0x21, false},
    {"gfx602", "hainan oland", gcn1_0, 0x3a, false},
    {"gfx700", "kaveri", gcn1_1, 0x22, false},
    {"gfx701", "hawaii", gcn1_1, 0x23, false},
    {"gfx702", "", gcn1_1, 0x24, false},
    {"gfx703", "kabini mullins", gcn1_1, 0x25, false},
    {"gfx704", "bonaire", gcn1_1, 0x26, false},
    {"gfx705", "", gcn1_1, 0x3b, false},
    {"gfx801", "carrizo", gcn1_2, 0x28, true},
    {"gfx802", "iceland tonga", gcn1_2, 0x29, false},
    {"gfx803", "fiji polaris10 polaris11", gcn1_2, 0x2a, false},
    {"gfx805", "tongapro", gcn1_2, 0x3c, false},
    {"gfx810", "stoney", gcn1_2, 0x2b, true},
    {"gfx900", "", gcn1_4, 0x2c, true},
    {"gfx902", "", gcn1_4, 0x2d, true},
    {"gfx904", "", gcn1_4, 0x2e, true},
    {"gfx906", "", gcn1_4, 0x2f, true},
    {"gfx908", "", cdna1, 0x30, true},
    {"gfx909", "", gcn1_4, 0x31, true},
    {"gfx90a", "", cdna2, 0x3f, true},
    {"gfx90c", "", gcn1_4, 0x32, true},
    {"gfx940", "", cdna3, 0x40, true},
    {"gfx941", "", cdna3, 0x4b, true},
    {"gfx942", "", cdna3, 0x4c, true},
    {"gfx950", "", cdna4, 0x4f, true},
    {"gfx9-generic", "", gcn1_4, 0x51, true},
    {"gfx9-4-generic", "", cdna3, 0x5f, true},
});

/// Calls `visit(name, processor)` for every name that `targets` lists, in the same order.
template <class Visit>
constexpr void visit_names(Visit visit) {
  for (const Processor& each : processors) {
    visit(each.name, each);
    for (std::string_view rest = each.aliases; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      visit(rest.substr(0, end), each);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (std::size_t i = 0; i < generation_count; ++i) {
    const GenerationInfo& info = generation_table[i];
    const auto found = std::ranges::find(processors, info.processor, &Processor::name);
    // Evaluated at compile time only: a generation without its processor breaks the build here.
    if (found == processors.end() || found->generation != static_cast<Generation>(i)) throw "no such processor";
    visit(info.name, *found);
  }
}

constexpr std::size_t name_count = [] {
  std::size_t count = 0;
  visit_names([&](std::string_view, const Processor&) { ++count; });
  return count;
}();

constexpr std::array<Target, name_count> all_targets = [] {
  std::array<Target, name_count> made{};
  std::size_t next = 0;
  visit_names([&](std::string_view name, const Processor& processor) {
    made[next++] = {name, processor.name, processor.generation, processor.elf_machine, processor.has_xnack};
  });
  return made;
}();

// A generation has its own column or the column of an older generation.
static_assert(std::ranges::all_of(generation_table, [](const GenerationInfo& each) {
  return generation_info(each.column).column == each.column &&
         each.column <= static_cast<Generation>(&each - generation_table.data());
}));

/// Every generation, in the order of the enumeration.
constexpr auto generations = [] {
  std::array<Generation, generation_count> made{};
  for (std::size_t i = 0; i < generation_count; ++i) made[i] = static_cast<Generation>(i);
  return made;
}();

constexpr u32 elf_machine_mask = 0xff;

/// Converts `:sramecc+:xnack-` to `+sramecc,-xnack`; nothing if a feature is not one of the processor or is given
/// twice.
std::optional<std::string> read_features(const Target& target, std::string_view text) {
  std::string features;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view each = text.substr(0, text.find(':'));
    text.remove_prefix(each.size());
    if (each.empty() || (each.back() != '+' && each.back() != '-')) return std::nullopt;
    const std::string_view name = each.substr(0, each.size() - 1);
    const bool is_known = name == "xnack" ? target.has_xnack : name == "sramecc" && supports_sramecc(target);
    if (!is_known || features.find(name) != std::string::npos) return std::nullopt;
    if (!features.empty()) features += ',';
    features.append(1, each.back()).append(name);
  }
  return features;
}

}  // namespace

std::span<const Generation> all_generations() { return generations; }

std::span<const Target> targets() { return all_targets; }

const Target* find_target(std::string_view name) {
  const std::size_t colon = name.find(':');
  const auto found = std::ranges::find(all_targets, name.substr(0, colon), &Target::name);
  if (found == all_targets.end()) return nullptr;
  return colon == std::string_view::npos || read_features(*found, name.substr(colon)) ? &*found : nullptr;
}

std::optional<std::string> target_features(std::string_view name) {
  const Target* const target = find_target(name);
  if (target == nullptr) return std::nullopt;
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string() : read_features(*target, name.substr(colon));
}

ProcessorVersion processor_version(const Target& target) {
  // The major number is followed by two digits; the stepping is hexadecimal. A name without them is generic:
  // gfx9-4-generic.
  std::string_view name = target.processor;
  name.remove_prefix(std::string_view("gfx").size());
  const auto digit = [](char c) { return static_cast<u32>(c >= 'a' ? c - 'a' + 10 : c - '0'); };
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos) return {digit(name[0]), digit(name[1]), digit(name[2])};
  const bool has_minor = name.size() > dash + 2 && name[dash + 2] == '-';
  return {digit(name[0]), has_minor ? digit(name[dash + 1]) : 0, 0};
}

bool supports_sramecc(const Target& target) {
  const ProcessorVersion version = processor_version(target);
  if (version.major != 9) return false;
  return version.minor != 0 || version.stepping == 6 || version.stepping == 8 || version.stepping == 0xa;
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
