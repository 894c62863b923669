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
  Access access = Access::read_write;  ///< whether stores may change it

  [[nodiscard]] u64 end() const { return base + words.size() * 4; }
  [[nodiscard]] bool contains(u64 address) const { return address >= base && address < end(); }
};

/// A label or an ELF symbol.
struct Symbol {
  std::string name;
  u64 address = 0;
  u64 size_bytes = 0;  ///< 0 when unknown, as for labels
};

/// The source line of an instruction.
struct LineEntry {
  u64 address = 0;
  u32 file = 0;  ///< index into `Program::files`
  u32 line = 0;
};

/// A place in code or data that needs the address of an undefined symbol, or an instruction of an assembly text that
/// salu's assembler cannot encode.
struct Unresolved {
  u64 address = 0;
  std::string symbol;         ///< empty with `instruction`
  std::string instruction{};  ///< as written in the text; it occupies one dword

  friend bool operator==(const Unresolved&, const Unresolved&) = default;
};

/// A dword that an assumption writes: a register of the file, SCC, a lane, or the active lanes of a vector register.
struct AssumedWrite {
  RegisterName to;
  u64 value = 0;                       ///< written to every active lane
  std::optional<RegisterName> from{};  ///< a register of the same kind that is copied, instead of `value`
};

/// The assumed effect of an instruction that salu does not execute, or the assumed reply to a message.
struct Assumption {
  u64 address = 0;
  bool is_reply = false;             ///< reply to a message: the instruction's real effect
  std::vector<AssumedWrite> writes;  ///< all sources are read before the first write
};

/// The kernel that a run starts in, and the end of its code.
struct KernelEnd {
  std::string kernel;
  u64 address = 0;
};

/// Code with its addresses, ready to run.
struct Program {
  const Target* target = nullptr;  ///< never null in a loaded program
  std::vector<CodeBlock> code;     ///< without overlaps, sorted by base
  std::vector<Symbol> symbols;     ///< sorted by address
  std::vector<std::string> files;
  std::vector<LineEntry> lines;  ///< sorted by address
  u64 entry = 0;
  /// A compiled function has no S_ENDPGM: reaching this address ends the run with `returned`.
  std::optional<u64> function_end{};
  /// The return address that the loader put into s[30:31] for a function of the default calling convention; reaching it
  /// ends the run with `returned` as well.
  std::optional<u64> return_address{};
  /// A kernel ends with S_ENDPGM: reaching the end of its code is the fault `past_kernel_end`.
  std::optional<KernelEnd> kernel_end{};
  /// True if the code is compiled for replayed memory accesses (XNACK), false if not; empty if unknown.
  std::optional<bool> xnack{};
  /// True if the code is compiled for SRAM-ECC, false if it is compiled for processors without it; empty if it works
  /// with both.
  std::optional<bool> sramecc{};
  /// False for Mesa and PAL: for these systems LLVM does not assume that hardware supports unaligned dword accesses.
  bool allows_unaligned = true;
  /// Unresolved places, sorted by address. An instruction that contains one of them is not executed.
  std::vector<Unresolved> unresolved{};
  /// Assumptions, sorted by address. They replace the effect of their instructions.
  std::vector<Assumption> assumptions{};

  [[nodiscard]] Generation generation() const { return target->generation; }
  /// True if SRAM-ECC is on: as specified in the code, otherwise on all processors that support it.
  [[nodiscard]] bool has_sramecc() const { return sramecc.value_or(true) && supports_sramecc(*target); }
  /// The block that contains an address, or null.
  [[nodiscard]] const CodeBlock* find_block(u64 address) const;
  /// The first unresolved place in a range of addresses, or null.
  [[nodiscard]] const Unresolved* find_unresolved(u64 address, u64 size_bytes) const;
  /// The assumption for the instruction at an address, or null.
  [[nodiscard]] const Assumption* find_assumption(u64 address) const;
  /// The symbol with this name, or null. Symbols in code are preferred to symbols in data. Control characters in names
  /// are escaped (`\x1b`); `name` may have them escaped or not.
  [[nodiscard]] const Symbol* find_symbol(std::string_view name) const;
  /// `name` or `name+0x10` of the symbol at or before an address in the same block; empty if there is no such symbol.
  [[nodiscard]] std::string describe_address(u64 address) const;
  /// The source line that the instruction at an address came from, or null.
  [[nodiscard]] const LineEntry* find_line(u64 address) const;
  /// An address with its symbol and source line, as far as known, for messages: `0x1008 (loop+0x8, gcd.yaml:12)`.
  [[nodiscard]] std::string describe_place(u64 address) const;
};

/// Copies a program's code into memory, for loads and stores. Returns false if it overlaps an existing region.
[[nodiscard]] bool place_code(const Program& program, Memory& memory);

}  // namespace salu
