#pragma once

#include <salu/integer.hpp>

#include <string>
#include <vector>

/// LLVM IR functions that are compiled for GCN and natively, run both ways, and compared.
namespace salu::compiler_test {

/// A function of ir/*.ll. The table is derived from the IR at build time (derive.cmake).
struct Function {
  std::string name;
  std::string file;
  std::vector<unsigned> argument_bits;  ///< in `inreg` order: up to 32 bits take one SGPR each, 64 bits take two
  std::vector<unsigned> result_bits;    ///< from s0 on, likewise
  /// One element per argument and result; bits above an argument's width are ignored, those above a result's are zero.
  void (*native)(const u64* arguments, u64* results);
};

/// One way to compile all functions (CMakeLists.txt lists them).
struct Configuration {
  std::string processor;  ///< `tahiti` ...
  std::string selector;   ///< `sdag` or `gisel`
  std::string level;      ///< `O0`, `O0_regalloc`, `O2`, `opt_O2`
  std::string path;       ///< of the compiled module, without `.o` (object), `.s` (assembly), `.log` (what failed)

  [[nodiscard]] std::string name() const { return processor + "_" + selector + "_" + level; }
  /// At -O0 GlobalISel returns values through vector registers, so that its functions end with S_ENDPGM and hand their
  /// results to an inline assembly operand instead (gpu_asm.ll in derive.cmake).
  [[nodiscard]] bool ends_program() const { return selector == "gisel" && level.starts_with("O0"); }
};

const std::vector<Function>& functions();
const std::vector<Configuration>& configurations();

}  // namespace salu::compiler_test
