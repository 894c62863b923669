#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/outcome.hpp>
#include <salu/state.hpp>

#include <span>
#include <string>
#include <string_view>

namespace salu {

/// The effect of a fork or join, computed from the state before and after it.
struct StackStep {
  enum class Kind : u8 {
    none,   ///< neither fork nor join
    whole,  ///< a fork whose lanes all took the same direction
    push,   ///< a fork that left lanes waiting on the control stack
    pop,    ///< a join that resumed waiting lanes
    go_on,  ///< a join that continued because CSP had its own value again
  };
  u64 step = 0;  ///< step number of the instruction, from 1
  u64 pc = 0;
  u64 next_pc = 0;  ///< address at which the run continued
  u64 exec_before = 0;
  u64 exec_after = 0;
  u32 csp_before = 0;
  u32 csp_after = 0;
  Kind kind = Kind::none;
  u64 entry_exec = 0;  ///< push, pop: the lanes in the entry
  u64 entry_pc = 0;    ///< push, pop: the address at which these lanes continue

  /// push, pop: the number of the entry, from 0.
  [[nodiscard]] u32 entry() const { return kind == Kind::push ? csp_before : csp_after; }
  [[nodiscard]] bool is_fork() const { return kind == Kind::whole || kind == Kind::push; }
  [[nodiscard]] bool is_join() const { return kind == Kind::pop || kind == Kind::go_on; }
};

/// A vector register before the instruction that reads it, or after the one that writes it.
struct VectorValue {
  u32 number = 0;  ///< a0 is 256
  u64 lanes = 0;   ///< lanes that the instruction accesses, one bit each
  VectorRegisters::Lanes values{};

  [[nodiscard]] constexpr Location location() const { return RegisterName::in_vectors(number).location(); }
};

/// A decoded instruction before its execution, with the state that it reads. Spans and texts are valid only during the
/// call.
struct InstructionInputs {
  u64 step = 0;  ///< counts from 1, through all waves
  u64 wave = 0;  ///< number of the wave, from 0, with `Scenario::waves`; otherwise 0
  u64 pc = 0;
  Generation generation{};
  std::span<const u32> words{};           ///< the dwords of the instruction, one or two
  std::string_view mnemonic{};            ///< as `mnemonic_of` returns it
  std::string_view text{};                ///< as `instruction_text` returns it
  std::span<const LocationValue> read{};  ///< all but vector registers
  std::span<const VectorValue> vectors_read{};
};

/// An executed instruction with the state that it read and wrote. Spans and texts are valid only during the call; the
/// functions below format other texts.
struct TraceEvent : InstructionInputs {
  /// The reason why a vector instruction was skipped; `no` for all other instructions.
  enum class Skipped : u8 {
    no,
    by_vskip,   ///< MODE.VSKIP
    by_option,  ///< `OnVector::skip`
  };
  u64 next_pc = 0;  ///< address at which the run continues, or the address that the stop reports
  std::span<const LocationValue> written{};  ///< all but the PC and vector registers
  std::span<const VectorValue> vectors_written{};
  StackStep stack{};
  std::span<const Warning> warnings{};  ///< warnings that appeared first at this step
  Skipped skipped = Skipped::no;

  /// True if the run continues with the next instruction in memory, or stays at this one.
  [[nodiscard]] bool falls_through() const { return next_pc == pc + words.size() * 4 || next_pc == pc; }
};

/// True if an instruction wrote to a place.
bool writes_to(const TraceEvent& event, const Location& place);

/// The mnemonic: `s_add_u32`; `vector` for every vector instruction, `<invalid>` for words that are not an instruction
/// of the generation.
inline std::string_view mnemonic_of(const InstructionInputs& event) { return event.mnemonic; }
/// The instruction in LLVM's syntax: `s_add_u32 s0, s1, s2`.
inline std::string_view instruction_text(const InstructionInputs& event) { return event.text; }
/// The values read, as text: `s1=0x00000007 scc=1`.
std::string reads_text(const InstructionInputs& event);
/// The values written, as text: `s0=0x0000000a scc=0 pc=0x1010`.
std::string writes_text(const TraceEvent& event);
/// Control stack operations, warnings, and a note if the instruction was skipped, as text; may be empty.
std::string note_text(const TraceEvent& event);

}  // namespace salu
