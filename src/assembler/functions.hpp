#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// The functions in expressions that LLVM's compiler writes into assembly from version 20 on: the resources of a kernel
/// in terms of the resources of the functions that it calls (LLVM: lib/Target/AMDGPU/MCTargetDesc/AMDGPUMCExpr.cpp).
namespace salu::assembler {

enum class Function : u8 {
  max,          ///< the largest of the arguments
  bit_or,       ///< all arguments combined by OR
  align_to,     ///< the first argument rounded up to a multiple of the second
  total_vgprs,  ///< allocated VGPRs of a wave for counts of AGPRs and VGPRs
  extra_sgprs,  ///< SGPRs for VCC, FLAT_SCRATCH and XNACK_MASK; an argument is 0 if the register is unused
  occupancy,    ///< waves per SIMD: limit, VGPR granule, VGPRs of a SIMD, generation (LLVM's number), limit, SGPRs,
                ///< VGPRs
};

/// The syntax of a function.
struct FunctionInfo {
  std::string_view name;
  Function function;
  u32 arguments;            ///< number of required arguments
  bool takes_more = false;  ///< further arguments are allowed
};

/// The function with this name; null if it does not exist.
const FunctionInfo* find_function(std::string_view name);

/// The names of all functions.
std::vector<std::string_view> function_names();

/// The value of a function for a processor. `arguments` has the number of arguments that the function takes. Nothing
/// for an alignment to multiples of 0.
std::optional<i64> evaluate(Function function, std::span<const i64> arguments, const Target& target);

/// SGPRs that a kernel needs in addition to those that it names (LLVM: getNumExtraSGPRs).
u32 extra_sgprs(const GenerationInfo& info, bool uses_vcc, bool uses_flat_scratch, bool uses_xnack_mask);

}  // namespace salu::assembler
