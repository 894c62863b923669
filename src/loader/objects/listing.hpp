#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loader/objects/built_program.hpp"
#include "loader/objects/llvm_disassembler.hpp"

/// Code as text, for people.
namespace salu::loader {

/// Where a branch goes.
struct BranchTarget {
  u64 address = 0;
  std::string label;  ///< as the instruction's text has it; empty where no instruction begins there
  std::string place;  ///< `f+0x10`; empty where no symbol is before it
};

/// An instruction of a listing.
struct ListedInstruction {
  u64 address = 0;
  std::span<const u32> words;
  std::string text;                 ///< LLVM's syntax; a branch goes to a label
  bool is_llvms_text = false;       ///< salu has no text of its own for it
  std::string place;                ///< `f+0x10`; empty where no symbol is before it
  std::vector<std::string> labels;  ///< what stands before it: the symbols that are here, or L1, L2, ... for a branch
  std::optional<BranchTarget> target;
  std::string refers_to;            ///< the symbol whose address is part of it: `table@rel32@lo+4`; may be empty
  bool is_defined = true;           ///< that symbol, by the object
  bool begins_block = false;        ///< of code that does not follow what was listed before
  const LineEntry* line = nullptr;  ///< of the source
  std::span<const PlacedRelocation> relocations;
};

struct ListingOptions {
  /// The code of this function or label only; null: all.
  const Symbol* symbol = nullptr;
  /// For what salu has no text of its own; may be null.
  LlvmDisassembler* llvm = nullptr;
};

/// Lists a program, an instruction at a time. What it is given is gone when it returns.
void list_code(const BuiltProgram& code, const ListingOptions& options,
               const std::function<void(const ListedInstruction&)>& visit);

/// The text of the one instruction that these words are; `<invalid>` where they are not exactly one.
std::string list_instruction(Generation generation, std::span<const u32> words, LlvmDisassembler& llvm);

}  // namespace salu::loader
