#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/outcome.hpp>
#include <salu/state.hpp>

#include <span>
#include <string>
#include <string_view>

namespace salu {

/// What a fork or a join did, by the state before and after it.
struct StackStep {
  enum class Kind : u8 {
    none,   ///< neither fork nor join
    whole,  ///< a fork all of whose lanes went one way
    push,   ///< a fork that left lanes waiting on the control stack
    pop,    ///< a join that went on with lanes that waited
    go_on,  ///< a join that found its own CSP again
  };
  u64 step = 0;  ///< of the instruction, from 1
  u64 pc = 0;
  u64 next_pc = 0;  ///< where the run went on
  u64 exec_before = 0;
  u64 exec_after = 0;
  u32 csp_before = 0;
  u32 csp_after = 0;
  Kind kind = Kind::none;
  u64 entry_exec = 0;  ///< push, pop: the lanes that the entry holds
  u64 entry_pc = 0;    ///< and where they go on

  /// push, pop: the number of the entry, from 0.
  [[nodiscard]] u32 entry() const { return kind == Kind::push ? csp_before : csp_after; }
  [[nodiscard]] bool is_fork() const { return kind == Kind::whole || kind == Kind::push; }
  [[nodiscard]] bool is_join() const { return kind == Kind::pop || kind == Kind::go_on; }
};

/// A vector register before the instruction that reads it, or after the one that writes it.
struct VectorValue {
  u32 number = 0;  ///< a0 is 256
  u64 lanes = 0;   ///< which of them the instruction touches: a bit a lane
  VectorRegisters::Lanes values{};

  [[nodiscard]] constexpr Location location() const { return RegisterName::in_vectors(number).location(); }
};

/// A decoded instruction before its execution, with the state that it reads. Spans and texts are valid during the
/// call only.
struct InstructionInputs {
  u64 step = 0;  ///< counts from 1
  u64 pc = 0;
  Generation generation{};
  std::span<const u32> words{};           ///< the dwords of the instruction, one or two
  std::string_view mnemonic{};            ///< as `mnemonic_of` returns it
  std::string_view text{};                ///< as `instruction_text` returns it
  std::span<const LocationValue> read{};  ///< all but vector registers
  std::span<const VectorValue> vectors_read{};
};

/// An executed instruction with the state that it read and wrote. Spans and texts are valid during the call only; the
/// functions below make other texts of it.
struct TraceEvent : InstructionInputs {
  /// Whether a vector instruction was passed over, and why.
  enum class Skipped : u8 {
    no,
    by_vskip,   ///< MODE.VSKIP
    by_option,  ///< `OnVector::skip`
  };
  u64 next_pc = 0;                           ///< where the run goes on, or the address that the stop reports
  std::span<const LocationValue> written{};  ///< all but the PC and vector registers
  std::span<const VectorValue> vectors_written{};
  StackStep stack{};
  std::span<const Warning> warnings{};  ///< that this step was the first to give
  Skipped skipped = Skipped::no;

  /// True if the run goes on with the next instruction in memory, or stays at this one.
  [[nodiscard]] bool falls_through() const { return next_pc == pc + words.size() * 4 || next_pc == pc; }
};

/// Whether an instruction wrote to a place.
bool writes_to(const TraceEvent& event, const Location& place);

/// `s_add_u32`; `vector` for every vector instruction, `<invalid>` for what is none of the generation.
inline std::string_view mnemonic_of(const InstructionInputs& event) { return event.mnemonic; }
/// `s_add_u32 s0, s1, s2`, in LLVM's syntax.
inline std::string_view instruction_text(const InstructionInputs& event) { return event.text; }
/// `s1=0x00000007 scc=1`.
std::string reads_text(const InstructionInputs& event);
/// `s0=0x0000000a scc=0 pc=0x1010`.
std::string writes_text(const TraceEvent& event);
/// What happened to the control stack, warnings, that it was skipped; may be empty.
std::string note_text(const TraceEvent& event);

}  // namespace salu
