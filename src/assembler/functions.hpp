#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// The functions of expressions that LLVM's compiler writes into assembly from version 20 on: a kernel's resources in
/// terms of those of the functions that it calls (LLVM: lib/Target/AMDGPU/MCTargetDesc/AMDGPUMCExpr.cpp).
namespace salu::assembler {

enum class Function : u8 {
  max,          ///< the largest of the arguments
  bit_or,       ///< all arguments combined by OR
  align_to,     ///< the first argument rounded up to a multiple of the second
  total_vgprs,  ///< VGPRs that a wave is allocated for counts of AGPRs and VGPRs
  extra_sgprs,  ///< SGPRs for VCC, FLAT_SCRATCH and XNACK_MASK, each of which is used (not 0) or not
  occupancy,    ///< waves of a SIMD: limit, VGPR granule, VGPRs of a SIMD, generation (LLVM's number), limit, SGPRs,
                ///< VGPRs
};

/// How a function is written.
struct FunctionInfo {
  std::string_view name;
  Function function;
  u32 arguments;            ///< how many it takes
  bool takes_more = false;  ///< any number of further ones
};

/// The function of a name; null when no function has it.
const FunctionInfo* find_function(std::string_view name);

/// The names of all functions.
std::vector<std::string_view> function_names();

/// The value of a function for a processor. `arguments` has as many numbers as the function takes. Nothing for an
/// alignment to multiples of 0.
std::optional<i64> evaluate(Function function, std::span<const i64> arguments, const Target& target);

/// SGPRs that a kernel needs beside those that it names (LLVM: getNumExtraSGPRs).
u32 extra_sgprs(const GenerationInfo& info, bool uses_vcc, bool uses_flat_scratch, bool uses_xnack_mask);

}  // namespace salu::assembler
