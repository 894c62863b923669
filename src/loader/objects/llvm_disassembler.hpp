#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>

/// LLVM's disassembler, which knows the instructions that salu does not run. Its library is looked for at run time.
namespace salu::loader {

class LlvmDisassembler {
 public:
  /// Loads nothing yet.
  explicit LlvmDisassembler(const Target& target);
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
  /// The first call loads the library: `SALU_LIBLLVM` if that is set (`none`: no library at all), else LLVM 19's or
  /// that of another version from 17 on.
  std::optional<Instruction> decode(std::span<const u32> words);

  /// Why LLVM cannot be asked, and what to do; empty as long as it can, or nothing has been asked.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Library;
  void load();

  const Target& target_;
  bool is_loaded_ = false;
  std::string problem_;
  std::unique_ptr<Library> library_;
};

}  // namespace salu::loader
