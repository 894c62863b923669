#pragma once

#include <salu/integer.hpp>

#include <string>
#include <vector>

/// LLVM IR functions and kernels that are compiled for GCN and natively, run both ways, and compared.
namespace salu::compiler_test {

/// An `inreg` argument of a function.
struct Argument {
  enum class Kind : u8 { integer, pointer, descriptor };
  std::string name;  ///< of a pointer: what it points to (memory_image.hpp)
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
  /// Takes the arguments as they lie in memory; what the kernel hands over is in `native_launch()` (native_model.hpp).
  void (*native)(const void* arguments);
};

/// One way to compile all functions (CMakeLists.txt lists them).
struct Configuration {
  int llvm;               ///< the version that compiled it
  std::string processor;  ///< `tahiti` ...
  std::string selector;   ///< `sdag` or `gisel`
  std::string level;      ///< `O0`, `O0_regalloc`, `O2`, `opt_O2`, `O2_linked`
  std::string path;       ///< of the compiled module, without the ending that `object()` has

  /// `tahiti_sdag_O0`, and for other versions than LLVM 19 `llvm22/tahiti_sdag_O0`.
  [[nodiscard]] std::string name(const std::string& prefix = {}) const {
    return (llvm == 19 ? "" : "llvm" + std::to_string(llvm) + "/") + prefix + processor + "_" + selector + "_" + level;
  }
  [[nodiscard]] std::string object() const { return path + (level.ends_with("_linked") ? ".so" : ".o"); }
  /// At -O0 GlobalISel returns values through vector registers, so that its functions end with S_ENDPGM and hand their
  /// results to an inline assembly operand instead (gpu_asm.ll in derive.cmake).
  [[nodiscard]] bool ends_program() const { return selector == "gisel" && level.starts_with("O0"); }
};

/// Functions of registers alone (ir/).
const std::vector<Function>& functions();
const std::vector<Configuration>& function_configurations();
/// Functions that read memory (memory_ir/).
const std::vector<Function>& memory_functions();
const std::vector<Configuration>& memory_function_configurations();
/// Kernels (kernel_ir/).
const std::vector<Kernel>& kernels();
const std::vector<Configuration>& kernel_configurations();

/// What the three have in common. Names of functions and kernels are different in all of them.
struct Suite {
  std::string name;
  std::vector<std::string> names;  ///< of its functions or kernels
  const std::vector<Configuration>& configurations;
  bool reads_memory;  ///< its code may load, and hold addresses that the loader fills in
};

const std::vector<Suite>& suites();

/// So many wrong results of a function are shown.
inline constexpr std::size_t shown_mismatches = 3;

}  // namespace salu::compiler_test
