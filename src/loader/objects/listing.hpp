#pragma once

#include <salu/integer.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/target.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loader/objects/built_program.hpp"
#include "loader/objects/llvm_disassembler.hpp"

/// Listings of code.
namespace salu::loader {

/// The target of a branch.
struct BranchTarget {
  u64 address = 0;
  std::string label;  ///< as in the instruction's text; empty if no instruction begins there
  std::string place;  ///< `f+0x10`; empty if no symbol precedes it
};

/// An instruction of a listing.
struct ListedInstruction {
  u64 address = 0;
  std::span<const u32> words;
  std::string text;                 ///< LLVM's syntax; a branch goes to a label
  bool is_llvms_text = false;       ///< the text is LLVM's: salu does not support the instruction
  std::string place;                ///< `f+0x10`; empty if no symbol precedes it
  std::vector<std::string> labels;  ///< labels before it: symbols at this address, or L1, L2, ... for a branch
  std::optional<BranchTarget> target;
  std::string refers_to;            ///< symbol whose address is part of it: `table@rel32@lo+4`; may be empty
  bool is_defined = true;           ///< the object defines that symbol
  bool begins_block = false;        ///< it does not directly follow the instruction listed before
  const LineEntry* line = nullptr;  ///< source line
  std::span<const PlacedRelocation> relocations;
};

struct ListingOptions {
  /// List only this function or label; null: all code.
  const Symbol* symbol = nullptr;
  /// For instructions that salu does not support; may be null.
  LlvmDisassembler* llvm = nullptr;
};

/// Calls `visit` for each instruction of a program. The instruction is valid only during the call.
void list_code(const BuiltProgram& code, const ListingOptions& options,
               const std::function<void(const ListedInstruction&)>& visit);

/// Returns the text of a single instruction; `<invalid>` if the words are not exactly one instruction.
std::string list_instruction(Generation generation, std::span<const u32> words, LlvmDisassembler& llvm);

/// Replaces the text of a stop at a vector instruction that salu does not support, as `<vector VOP3>`, by LLVM's text.
/// No effect if LLVM is not available. `llvm` is the value of `--llvm`; empty: not given.
void name_unsupported_instruction(const Program& program, Stop& stop, const std::string& llvm = {});

}  // namespace salu::loader
