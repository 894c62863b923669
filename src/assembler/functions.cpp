#include "assembler/functions.hpp"

#include <algorithm>
#include <array>

namespace salu::assembler {
namespace {

constexpr std::array<FunctionInfo, 6> functions = {{
    {"max", Function::max, 1, true},
    {"or", Function::bit_or, 1, true},
    {"alignto", Function::align_to, 2},
    {"totalnumvgprs", Function::total_vgprs, 2},
    {"extrasgprs", Function::extra_sgprs, 3},
    {"occupancy", Function::occupancy, 7},
}};

std::optional<i64> align_to(i64 number, i64 multiple) {
  if (multiple == 0) return std::nullopt;
  const auto step = static_cast<u64>(multiple);
  return static_cast<i64>((static_cast<u64>(number) + step - 1) / step * step);
}

i64 total_vgprs(i64 agprs, i64 vgprs, const Target& target) {
  constexpr i64 granule = 4;
  const bool is_unified = generation_info(target.generation).packs_work_item_ids;
  if (!is_unified || agprs == 0) return std::max(agprs, vgprs);
  return align_to(vgprs, granule).value_or(0) + agprs;
}

/// The largest number of SGPRs with which a SIMD can run a number of waves.
struct SgprStep {
  i64 sgprs;
  i64 waves;
};
constexpr std::array<SgprStep, 5> steps_to_gfx7 = {{{48, 10}, {56, 9}, {64, 8}, {72, 7}, {80, 6}}};
constexpr std::array<SgprStep, 3> steps_from_gfx8 = {{{80, 10}, {88, 9}, {100, 8}}};

/// Waves per SIMD for a number of SGPRs. `generation` is LLVM's number: 7 is GFX8, 8 is GFX9.
i64 waves_by_sgprs(i64 sgprs, i64 most_waves, i64 generation) {
  constexpr i64 gfx8 = 7;
  constexpr i64 gfx10 = 9;
  const auto waves = [&](const auto& steps, i64 beyond) {
    const auto step = std::ranges::find_if(steps, [&](const SgprStep& each) { return sgprs <= each.sgprs; });
    return step == steps.end() ? beyond : step->waves;
  };
  if (generation >= gfx10) return most_waves;
  return generation >= gfx8 ? waves(steps_from_gfx8, 7) : waves(steps_to_gfx7, 5);
}

i64 waves_by_vgprs(i64 vgprs, i64 most_waves, i64 granule, i64 vgprs_of_simd) {
  if (vgprs < granule) return most_waves;
  const i64 allocated = std::max(align_to(vgprs, granule).value_or(0), i64{1});
  return std::min(std::max(vgprs_of_simd / allocated, i64{1}), most_waves);
}

i64 occupancy(std::span<const i64> arguments) {
  const i64 most_waves = arguments[0];
  i64 waves = arguments[4];
  if (arguments[5] != 0) waves = std::min(waves, waves_by_sgprs(arguments[5], most_waves, arguments[3]));
  if (arguments[6] != 0) waves = std::min(waves, waves_by_vgprs(arguments[6], most_waves, arguments[1], arguments[2]));
  return waves;
}

}  // namespace

const FunctionInfo* find_function(std::string_view name) {
  const auto* const found = std::ranges::find(functions, name, &FunctionInfo::name);
  return found == functions.end() ? nullptr : found;
}

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names;
  for (const FunctionInfo& each : functions) names.push_back(each.name);
  return names;
}

std::optional<i64> evaluate(Function function, std::span<const i64> arguments, const Target& target) {
  switch (function) {
    case Function::max:
      return *std::ranges::max_element(arguments);
    case Function::bit_or: {
      i64 all = 0;
      for (const i64 each : arguments) all |= each;
      return all;
    }
    case Function::align_to:
      return align_to(arguments[0], arguments[1]);
    case Function::total_vgprs:
      return total_vgprs(arguments[0], arguments[1], target);
    case Function::extra_sgprs:
      return extra_sgprs(generation_info(target.generation), arguments[0] != 0, arguments[1] != 0, arguments[2] != 0);
    case Function::occupancy:
      return occupancy(arguments);
  }
  return std::nullopt;
}

u32 extra_sgprs(const GenerationInfo& info, bool uses_vcc, bool uses_flat_scratch, bool uses_xnack_mask) {
  constexpr u32 to_vcc = 2;
  constexpr u32 to_second_pair = 4;  // FLAT_SCRATCH before GFX8, XNACK_MASK from GFX8 on
  constexpr u32 to_third_pair = 6;
  if (info.gfx < 8) return uses_flat_scratch ? to_second_pair : uses_vcc ? to_vcc : 0;
  if (uses_flat_scratch || info.has_architected_flat_scratch) return to_third_pair;
  return uses_xnack_mask ? to_second_pair : uses_vcc ? to_vcc : 0;
}

}  // namespace salu::assembler
