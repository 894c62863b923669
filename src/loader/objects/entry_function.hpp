#pragma once

#include <salu/program.hpp>

#include <optional>
#include <span>
#include <string_view>

/// The ends of functions and kernels. A compiled function has no S_ENDPGM, so its end is derived from its code.
namespace salu::loader {

/// The suffix that the name of a kernel's descriptor or header adds to that of the kernel.
inline constexpr std::string_view descriptor_suffix = ".kd";

struct FunctionEnd {
  /// The address after the last instruction, if the function can reach it.
  std::optional<u64> address;
  bool returns_by_register = false;  ///< it returns with S_SETPC_B64, to s[30:31] or another register
};

/// Finds the end of a function in the code of `program`; there is none if the size of the function is unknown.
FunctionEnd find_function_end(const Program& program, const Symbol& function);

/// True if a kernel starts at an address: the function there has a descriptor (named `k.kd` in code for amdhsa).
/// `functions` are sorted by address, here and below.
bool starts_kernel(const Program& program, std::span<const Symbol> functions, u64 address);

/// Finds the end of a kernel's code. Returns nothing if its size is unknown, and if another function begins at the end,
/// because the kernel may call it.
std::optional<KernelEnd> find_kernel_end(const Program& program, std::span<const Symbol> functions,
                                         const Symbol& kernel);

/// The kind of the function at the entry.
struct EnteredFunction {
  bool is_kernel = false;
  bool returns_by_register = false;
};

/// Sets the end of the program to that of its function or kernel; null if the entry is in neither.
EnteredFunction enter_function(Program& program, std::span<const Symbol> functions, const Symbol* function);

/// Finds the function that contains an address; null if none exists.
const Symbol* find_function(std::span<const Symbol> functions, u64 address);

}  // namespace salu::loader
