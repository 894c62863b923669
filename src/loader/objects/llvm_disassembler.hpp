#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loader/objects/llvm_mc_disassembler.hpp"

/// LLVM's disassembler, for instructions that salu does not execute. Its library, or llvm-mc, is searched at run time.
namespace salu::loader {

class LlvmDisassembler {
 public:
  /// Stores the parameters; loads LLVM at first use. `llvm` is the value of `--llvm`; empty: not given.
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
  /// Decodes the instruction at the start of the words; nothing if LLVM does not support it, or if LLVM is not
  /// available (see `problem`). The first call searches for LLVM: the library in `SALU_LIBLLVM` if set (`none`: do not
  /// use LLVM), otherwise the newest library from LLVM 17 to 21, otherwise the newest llvm-mc.
  std::optional<Instruction> decode(std::span<const u32> words);
  /// Announces instructions that will be decoded, which is faster than decoding them one by one.
  void expect(const std::vector<std::vector<u32>>& instructions);

  /// The reason why LLVM is not available, with a remedy; empty if it is available or not used yet.
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
