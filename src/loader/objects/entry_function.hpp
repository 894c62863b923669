#pragma once

#include <salu/program.hpp>

#include <optional>
#include <span>
#include <string_view>

/// A compiled function has no S_ENDPGM: how it ends is found in its code. A kernel has one.
namespace salu::loader {

/// What the name of a kernel's descriptor, or of the header in its place, has behind that of the kernel.
inline constexpr std::string_view descriptor_suffix = ".kd";

struct FunctionEnd {
  /// Where the PC is once the function is done, if it can get there: behind its last instruction.
  std::optional<u64> address;
  bool returns_by_register = false;  ///< it goes back to s[30:31], or wherever else S_SETPC_B64 leads
};

/// How a function ends. Its code is that of `program`; it has no end when its size is not known.
FunctionEnd find_function_end(const Program& program, const Symbol& function);

/// Whether a kernel starts at an address: the function there has a descriptor (`k.kd`, as code for amdhsa names it).
/// `functions` are sorted by address, here and below.
bool starts_kernel(const Program& program, std::span<const Symbol> functions, u64 address);

/// Where the code of a kernel ends. Nothing when its size is not known, and where another function begins right there:
/// the kernel may call that.
std::optional<KernelEnd> find_kernel_end(const Program& program, std::span<const Symbol> functions,
                                         const Symbol& kernel);

/// What a run starts in.
struct EnteredFunction {
  bool is_kernel = false;
  bool returns_by_register = false;
};

/// Lets the program end as its function or kernel does; null for a start that is in neither.
EnteredFunction enter_function(Program& program, std::span<const Symbol> functions, const Symbol* function);

/// The function that holds an address, or null.
const Symbol* find_function(std::span<const Symbol> functions, u64 address);

}  // namespace salu::loader
