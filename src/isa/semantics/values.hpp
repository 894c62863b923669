#pragma once

#include <salu/integer.hpp>

/// What a semantic function may ask for and what it may return.
///
/// A semantic function is pure and constexpr: values in, values out. Plain integer parameters are the explicit operands
/// in the order ssrc0, ssrc1 (SOPK: the value of the SDST field); a signed 64-bit parameter says that a literal there
/// is sign-extended, an unsigned one that it is zero-extended (semantics.md 1.1). Everything implicit is asked for by
/// type. The executor adapts by the signature alone, so the signature is the whole contract of an instruction.
namespace salu::isa {

// ---- implicit inputs ----

struct Scc {
  bool value;
};
struct Exec {
  u64 value;
};
struct Vcc {
  u64 value;
};
struct M0 {
  u32 value;
};
/// STATUS without the live bits.
struct Status {
  u32 value;
};
/// Control stack pointer, MODE[31:29].
struct Csp {
  u32 value;
};
/// Byte address of the instruction itself.
struct Pc {
  u64 value;
};
/// Byte address of the next instruction: PC + 4, or PC + 8 with a literal.
struct Next {
  u64 value;
};
/// Target of a direct branch: PC + 4 + 4 * sext(simm16).
struct BranchTarget {
  u64 value;
};
/// SIMM16, sign-extended.
struct Simm16 {
  i32 value;
};
/// SIMM16, zero-extended.
struct Uimm16 {
  u32 value;
};
/// The second dword of S_SETREG_IMM32_B32.
struct LiteralDword {
  u32 value;
};
/// Value of the destination before the instruction.
template <class T>
struct Old {
  T value;
};
/// Encoded number of the register in the SSRC0 (MOVRELS) or SDST (MOVRELD) field.
struct RegisterNumber {
  u32 value;
};
/// SSRC1 field taken as raw data (S_SET_GPR_IDX_ON).
struct RawSsrc1 {
  u32 value;
};
/// Current value of the hardware register that SIMM16 names.
struct HwregValue {
  u32 value;
};

// ---- results; a plain u32 or u64 is written to SDST ----

template <class T>
struct WithScc {
  T value;
  bool scc;
  friend constexpr bool operator==(const WithScc&, const WithScc&) = default;
};
struct SccOnly {
  bool scc;
  friend constexpr bool operator==(const SccOnly&, const SccOnly&) = default;
};
/// SDST is written only when `write` is set.
template <class T>
struct Maybe {
  T value;
  bool write;
  friend constexpr bool operator==(const Maybe&, const Maybe&) = default;
};
/// A result together with the news that the manuals do not define it for these inputs (warning `unspecified_result`).
template <class R>
struct Checked {
  R result;
  bool unspecified;
  friend constexpr bool operator==(const Checked&, const Checked&) = default;
};
/// EXEC is written first, then SDST (so an SDST that is EXEC wins), then SCC.
struct ExecUpdate {
  u64 value;
  u64 exec;
  bool scc;
  friend constexpr bool operator==(const ExecUpdate&, const ExecUpdate&) = default;
};
/// To the branch target, or on to the next instruction.
struct Branch {
  bool taken;
  friend constexpr bool operator==(const Branch&, const Branch&) = default;
};
struct Jump {
  u64 pc;
  friend constexpr bool operator==(const Jump&, const Jump&) = default;
};
struct JumpAndLink {
  u64 value;  ///< return address, to SDST
  u64 pc;
  friend constexpr bool operator==(const JumpAndLink&, const JumpAndLink&) = default;
};
/// What goes onto the control stack: SGPR[4 * entry .. +3] = {mask.lo, mask.hi, pc.lo, pc.hi}.
struct StackEntry {
  u64 mask;
  u64 pc;
  friend constexpr bool operator==(const StackEntry&, const StackEntry&) = default;
};
struct Fork {
  bool push;
  StackEntry pushed;  ///< meaningful with `push`; goes to entry CSP, then CSP = (CSP + 1) & 7
  u64 exec;
  u64 pc;
  friend constexpr bool operator==(const Fork&, const Fork&) = default;
};
/// With `pop`: CSP = `csp`, then EXEC and PC are loaded from that entry.
struct Join {
  bool pop;
  u32 csp;
  friend constexpr bool operator==(const Join&, const Join&) = default;
};
/// Bits to replace in a register: new = (old & ~mask) | bits, with bits inside mask.
struct BitUpdate {
  u32 mask;
  u32 bits;
  friend constexpr bool operator==(const BitUpdate&, const BitUpdate&) = default;
};
struct ModeUpdate {
  BitUpdate mode;
  friend constexpr bool operator==(const ModeUpdate&, const ModeUpdate&) = default;
};
struct M0Update {
  BitUpdate m0;
  friend constexpr bool operator==(const M0Update&, const M0Update&) = default;
};
struct ModeM0Update {
  BitUpdate mode;
  BitUpdate m0;
  friend constexpr bool operator==(const ModeM0Update&, const ModeM0Update&) = default;
};
/// Goes to the hardware register that SIMM16 names, where it is further limited to the writable bits.
struct HwregUpdate {
  BitUpdate bits;
  friend constexpr bool operator==(const HwregUpdate&, const HwregUpdate&) = default;
};
/// D = SGPR[index] (a pair for u64).
template <class T>
struct RelativeSource {
  u64 index;
  friend constexpr bool operator==(const RelativeSource&, const RelativeSource&) = default;
};
/// SGPR[index] (a pair for u64) = value.
template <class T>
struct RelativeDestination {
  u64 index;
  T value;
  friend constexpr bool operator==(const RelativeDestination&, const RelativeDestination&) = default;
};
/// With `taken`: {TTMP1, TTMP0} = `ttmp`, STATUS.PRIV = 1, PC = TBA.
struct Trap {
  bool taken;
  u64 ttmp;
  friend constexpr bool operator==(const Trap&, const Trap&) = default;
};
/// STATUS = (STATUS & ~mask) | bits, and PC.
struct ReturnFromException {
  BitUpdate status;
  u64 pc;
  friend constexpr bool operator==(const ReturnFromException&, const ReturnFromException&) = default;
};
struct StatusUpdate {
  BitUpdate status;
  friend constexpr bool operator==(const StatusUpdate&, const StatusUpdate&) = default;
};
struct EndProgram {
  friend constexpr bool operator==(const EndProgram&, const EndProgram&) = default;
};
struct Kill {
  bool kill;
  friend constexpr bool operator==(const Kill&, const Kill&) = default;
};
/// No architectural effect, here or on hardware: a wait, a hint, a cache flush.
struct Nothing {
  friend constexpr bool operator==(const Nothing&, const Nothing&) = default;
};
/// Waits for the other waves of the work-group, where there are any.
struct Barrier {
  friend constexpr bool operator==(const Barrier&, const Barrier&) = default;
};
/// It matters on hardware and is not modelled (warning `no_functional_effect`): a message, a performance counter.
/// STATUS still changes by `status`.
struct Unmodelled {
  BitUpdate status;
  friend constexpr bool operator==(const Unmodelled&, const Unmodelled&) = default;
};
/// No public document says what it does: the run stops with `unsupported_instruction`.
struct Undocumented {
  friend constexpr bool operator==(const Undocumented&, const Undocumented&) = default;
};

}  // namespace salu::isa
