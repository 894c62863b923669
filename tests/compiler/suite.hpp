#pragma once

#include <salu/integer.hpp>

#include <string>
#include <vector>

/// LLVM IR functions and kernels that are compiled for GCN and for the host, run both ways, and compared.
namespace salu::compiler_test {

/// An `inreg` argument of a function.
struct Argument {
  enum class Kind : u8 { integer, pointer, descriptor };
  std::string name;  ///< for a pointer: the data it points to (memory_image.hpp)
  Kind kind;
  unsigned bits;  ///< up to 32 take one SGPR, 64 take two, the 128 of a buffer descriptor four
};

/// A function of ir/*.ll or memory_ir/*.ll. The tables are derived from the IR at build time (derive.cmake).
struct Function {
  std::string name;
  std::string file;
  std::vector<Argument> arguments;
  std::vector<unsigned> result_bits;  ///< from s0 on: up to 32 bits in one SGPR, 64 in two
  /// One element per argument (two per descriptor) and result; bits above an argument's width are ignored, those above
  /// a result's are zero.
  void (*native)(const u64* arguments, u64* results);
};

/// An argument of a kernel.
struct KernelParameter {
  enum class Kind : u8 { value, bit, pointer };
  std::string name;
  Kind kind;
};

/// A kernel of kernel_ir/*.ll (derive_kernels.cmake).
struct Kernel {
  std::string name;
  std::string file;
  std::vector<KernelParameter> parameters;
  const u64* layout;  ///< of the native arguments: offset and size in bytes of each, then the size of all
  /// Takes the arguments as in memory; the results of the kernel are in `native_launch()` (native_model.hpp).
  void (*native)(const void* arguments);
};

/// One way to compile all functions (CMakeLists.txt lists them).
struct Configuration {
  int llvm;               ///< the LLVM version that compiled it
  std::string processor;  ///< `tahiti` ...
  std::string selector;   ///< `sdag` or `gisel`
  std::string level;      ///< `O0`, `O0_regalloc`, `O2`, `opt_O2`, `O2_linked`
  std::string path;       ///< of the compiled module, without the suffix that `object()` adds

  /// `tahiti_sdag_O0`, and for versions other than LLVM 19 `llvm22/tahiti_sdag_O0`.
  [[nodiscard]] std::string name(const std::string& prefix = {}) const {
    return (llvm == 19 ? "" : "llvm" + std::to_string(llvm) + "/") + prefix + processor + "_" + selector + "_" + level;
  }
  [[nodiscard]] std::string object() const { return path + (level.ends_with("_linked") ? ".so" : ".o"); }
  /// At -O0 GlobalISel returns values through vector registers, so its functions end with S_ENDPGM and return their
  /// results in an inline assembly operand instead (gpu_asm.ll in derive.cmake).
  [[nodiscard]] bool ends_program() const { return selector == "gisel" && level.starts_with("O0"); }
};

/// Functions without memory accesses (ir/).
const std::vector<Function>& functions();
const std::vector<Configuration>& function_configurations();
/// Functions that read memory (memory_ir/).
const std::vector<Function>& memory_functions();
const std::vector<Configuration>& memory_function_configurations();
/// Kernels (kernel_ir/).
const std::vector<Kernel>& kernels();
const std::vector<Configuration>& kernel_configurations();

/// The common part of the three. Names of functions and kernels are unique across them.
struct Suite {
  std::string name;
  std::vector<std::string> names;  ///< of its functions or kernels
  const std::vector<Configuration>& configurations;
  bool reads_memory;  ///< its code may load, and contain addresses that the loader fills in
};

const std::vector<Suite>& suites();

/// Limit for printed wrong results of a function.
inline constexpr std::size_t shown_mismatches = 3;

}  // namespace salu::compiler_test
