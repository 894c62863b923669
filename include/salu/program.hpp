#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/state.hpp>
#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// A run of instruction words at a dword-aligned byte address.
struct CodeBlock {
  u64 base = 0;
  std::vector<u32> words;
  Access access = Access::read_write;  ///< what stores may do to it

  [[nodiscard]] u64 end() const { return base + words.size() * 4; }
  [[nodiscard]] bool contains(u64 address) const { return address >= base && address < end(); }
};

/// A label or an ELF symbol.
struct Symbol {
  std::string name;
  u64 address = 0;
  u64 size_bytes = 0;  ///< 0 when unknown, as for labels
};

/// Where an instruction came from in assembly text.
struct LineEntry {
  u64 address = 0;
  u32 file = 0;  ///< index into `Program::files`
  u32 line = 0;
};

/// A place in the code or the data that would hold the address of a symbol that its object does not define, or an
/// instruction of a text that salu's assembler does not encode.
struct Unresolved {
  u64 address = 0;
  std::string symbol;         ///< empty with `instruction`
  std::string instruction{};  ///< as the text has it; one dword takes its place

  friend bool operator==(const Unresolved&, const Unresolved&) = default;
};

/// A dword that an assumption writes: a register of the file, SCC, a lane, or a vector register, of which the lanes
/// that are on are written.
struct AssumedWrite {
  RegisterName to;
  u64 value = 0;                       ///< in every lane
  std::optional<RegisterName> from{};  ///< of the same kind: what it holds then, instead of `value`
};

/// What an instruction that salu does not execute is taken to have done, or what a message is answered with.
struct Assumption {
  u64 address = 0;
  bool is_reply = false;             ///< to a message: that is what the instruction does
  std::vector<AssumedWrite> writes;  ///< what all of them read is read first
};

/// A kernel that a run starts in, and where its code ends.
struct KernelEnd {
  std::string kernel;
  u64 address = 0;
};

/// Code as it lies in memory, ready to run.
struct Program {
  const Target* target = nullptr;  ///< never null in a loaded program
  std::vector<CodeBlock> code;     ///< do not overlap; sorted by base
  std::vector<Symbol> symbols;     ///< sorted by address
  std::vector<std::string> files;
  std::vector<LineEntry> lines;  ///< sorted by address
  u64 entry = 0;
  /// A compiled function has no S_ENDPGM: reaching this address ends the run with `returned`.
  std::optional<u64> function_end{};
  /// What the loader put into s[30:31] for a function of the default calling convention; reaching it is `returned` as
  /// well.
  std::optional<u64> return_address{};
  /// A kernel ends with S_ENDPGM: reaching the end of its code is the fault `past_kernel_end`.
  std::optional<KernelEnd> kernel_end{};
  /// Whether the code is made for memory accesses that are replayed (XNACK); nothing where that is not said.
  std::optional<bool> xnack{};
  /// True if the code is made for SRAM-ECC, false if it is made for none; nothing for code that is made for both.
  std::optional<bool> sramecc{};
  /// False for the systems for which LLVM does not assume that hardware accesses dwords at any address: Mesa and PAL.
  bool allows_unaligned = true;
  /// Sorted by address. An instruction that holds one of these places does not run.
  std::vector<Unresolved> unresolved{};
  /// Sorted by address. Such an instruction does what the assumption says, and nothing else.
  std::vector<Assumption> assumptions{};

  [[nodiscard]] Generation generation() const { return target->generation; }
  /// True if SRAM-ECC is on: as the code says, else on processors that have it.
  [[nodiscard]] bool has_sramecc() const { return sramecc.value_or(true) && supports_sramecc(*target); }
  /// The block that holds an address, or null.
  [[nodiscard]] const CodeBlock* find_block(u64 address) const;
  /// The first of the unresolved places in a range of addresses, or null.
  [[nodiscard]] const Unresolved* find_unresolved(u64 address, u64 size_bytes) const;
  /// What is assumed about the instruction at an address, or null.
  [[nodiscard]] const Assumption* find_assumption(u64 address) const;
  /// The symbol with this name, or null. Of several, one in the code before one in data. What would act on a terminal
  /// is written out in names (`\x1b`), and may stand in `name` either way.
  [[nodiscard]] const Symbol* find_symbol(std::string_view name) const;
  /// `name` or `name+0x10` of the symbol at or before an address in the same block; empty when there is none.
  [[nodiscard]] std::string describe_address(u64 address) const;
  /// The source line that the instruction at an address came from, or null.
  [[nodiscard]] const LineEntry* find_line(u64 address) const;
  /// `0x1008 (loop+0x8, gcd.yaml:12)`: an address and as much as is known of it, for messages.
  [[nodiscard]] std::string describe_place(u64 address) const;
};

/// Puts a program's code into memory, where its loads and stores find it. False when something else is there already.
[[nodiscard]] bool place_code(const Program& program, Memory& memory);

}  // namespace salu
