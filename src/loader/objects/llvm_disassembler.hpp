#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loader/objects/llvm_mc_disassembler.hpp"

/// LLVM's disassembler, which knows the instructions that salu does not run. Its library, or llvm-mc, is looked for at
/// run time.
namespace salu::loader {

class LlvmDisassembler {
 public:
  /// Loads nothing yet. `llvm`: the version of `--llvm`; empty: none.
  explicit LlvmDisassembler(const Target& target, std::string llvm = {});
  LlvmDisassembler(const LlvmDisassembler&) = delete;
  LlvmDisassembler& operator=(const LlvmDisassembler&) = delete;
  LlvmDisassembler(LlvmDisassembler&&) = delete;
  LlvmDisassembler& operator=(LlvmDisassembler&&) = delete;
  ~LlvmDisassembler();

  struct Instruction {
    std::string text;  ///< `v_mad_f32 v0, v1, v2, v3`
    u32 dwords = 0;
  };
  /// The instruction that these words begin with; nothing where LLVM knows none, or `problem` says why it is not asked.
  /// The first call looks for LLVM: the library that `SALU_LIBLLVM` names if that is set (`none`: nothing at all), else
  /// the newest library from LLVM 17 to 21, else the newest llvm-mc.
  std::optional<Instruction> decode(std::span<const u32> words);
  /// Announces instructions that `decode` is going to be asked about, which takes less time than one after the other.
  void expect(const std::vector<std::vector<u32>>& instructions);

  /// Why LLVM cannot be asked, and what to do; empty as long as it can, or nothing has been asked.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Library;
  void load();
  void load_library(void* library);

  const Target& target_;
  std::string llvm_;
  bool is_loaded_ = false;
  std::string problem_;
  std::unique_ptr<Library> library_;
  std::unique_ptr<LlvmMcDisassembler> program_;
};

}  // namespace salu::loader
