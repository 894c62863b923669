#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace salu {

/// Why a run ended. The names (`stop_reason_name`) are part of the interface.
enum class StopReason : u8 {
  end_program,              ///< S_ENDPGM or a variant
  returned,                 ///< a compiled function came to its end or to the return address it was given
  killed,                   ///< S_SETKILL
  halt,                     ///< STATUS.HALT is set and the wave is not in its trap handler
  trap,                     ///< S_TRAP with TRAP_EN set and no handler mapped at TBA
  step_limit,               ///< `RunOptions::max_steps` instructions have been executed
  time_limit,               ///< `RunOptions::max_seconds` have passed
  memory_limit,             ///< a store would make memory hold more than `RunOptions::max_memory_bytes`
  breakpoint,               ///< a place at which whoever runs the program wants to look at it
  vector_instruction,       ///< a vector instruction, and nothing says to pass over it
  unsupported_instruction,  ///< decodes, but is not executed
  illegal_instruction,      ///< the words are no instruction of the generation
  illegal_operand,          ///< an operand code that the generation does not allow in that place
  misaligned_register,      ///< an operand of several registers that starts at the wrong one
  unmapped_memory,          ///< an access to memory that no region holds
  write_protected,          ///< a write to a region that can only be read
  pc_outside_code,          ///< there is no code at the PC
  past_kernel_end,          ///< a kernel ran off the end of its code, into whatever lies there
  warning,                  ///< under --strict; the reason's name is then the warning's
};

/// What hardware does quietly, and is done as hardware does it. The names (`warning_kind_name`) are part of the
/// interface.
enum class WarningKind : u8 {
  dropped_write,            ///< to TTMP, TBA, TMA or a read-only field, without STATUS.PRIV
  trap_ignored,             ///< S_TRAP with STATUS.TRAP_EN = 0
  register_out_of_range,    ///< a register beyond the allocation
  control_stack_overflow,   ///< a fork pushed at CSP >= 6
  control_stack_underflow,  ///< a join popped at CSP = 0
  unspecified_result,       ///< the manuals define no result
  undefined_read,           ///< something depends on what is undefined (`RunOptions::check_undefined`)
  no_functional_effect,     ///< it matters on hardware and is not modelled: a message, a performance counter
  stale_vccz,               ///< VCCZ is read after a write of one half of VCC, which hardware's VCCZ does not follow
  control_stack_misuse,     ///< forks, joins and the SGPRs in which the control stack lies do not fit together
  hazard,                   ///< a result is used before hardware has it (`RunOptions::check_hazards`)
  undefined_output,         ///< memory ends with undefined bits that the program stored (`RunOptions::check_undefined`)
  dropped_access,           ///< a lane's memory access that hardware does not make: loads return 0, stores are dropped
};

/// The name of a reason as reports and scenarios write it: `end_program`, `step_limit`, ...
std::string_view stop_reason_name(StopReason reason);
/// The name of a kind of warning as reports and scenarios write it: `dropped_write`, ...
std::string_view warning_kind_name(WarningKind kind);
/// The reason of that name; nothing for an unknown name and for `warning`.
std::optional<StopReason> find_stop_reason(std::string_view name);
/// The kind of warning of that name; nothing for an unknown name.
std::optional<WarningKind> find_warning_kind(std::string_view name);

/// True for end_program, returned and killed: what `expect:` without `stop:` asks for.
constexpr bool is_regular_end(StopReason reason) { return reason <= StopReason::killed; }
/// True for what a program did wrong (exit code 4).
constexpr bool is_fault(StopReason reason) {
  return reason >= StopReason::illegal_instruction && reason <= StopReason::past_kernel_end;
}

/// A result that is used before hardware has it (docs/reference/checks.md).
struct Hazard {
  std::string_view id;  ///< `setreg_getreg`: one of a list that does not change while the program runs
  u64 producer_pc = 0;  ///< the instruction whose result it is
  /// Wait states that have to lie between the two instructions, and those that do; none where no number is enough.
  std::optional<u32> needed{};
  std::optional<u32> found{};
  std::string insert;    ///< what to put in front of the one that comes too early: `s_nop 1`; empty where nothing helps
  bool is_info = false;  ///< sources differ, or know of it by practice alone: no reason to stop under --strict

  friend bool operator==(const Hazard&, const Hazard&) = default;
};

/// Bytes of memory that end with undefined bits.
struct UndefinedOutput {
  u64 address = 0;
  u64 size_bytes = 0;
  std::string name;  ///< `out+0x8`: the argument or the symbol that the first byte is in; empty where none is known

  friend bool operator==(const UndefinedOutput&, const UndefinedOutput&) = default;
};

/// The undefined bits of a warning `undefined_read` or `undefined_output` (`CheckUndefined::bits`).
struct UndefinedRead {
  std::string operand;                    ///< `s5`, `scc`, `s[4:5]`, `v3[7]`, `[0x10000]`
  u64 bits = 0;                           ///< those of it that are undefined
  std::string origin;                     ///< what began it: `never written`, `unspecified result`, ...
  std::optional<u64> origin_pc{};         ///< and the instruction that did, where one did
  std::vector<u64> way{};                 ///< instructions by which it came there, the first one first; not all of many
  std::vector<UndefinedOutput> memory{};  ///< with `undefined_output`: what the instruction stored; not all of many
};

/// One thing that hardware does quietly, where it happened first.
struct Warning {
  WarningKind kind{};
  u64 pc = 0;               ///< byte address of the instruction
  std::string instruction;  ///< its text
  std::string detail;       ///< a sentence: which operand, which value, what happened instead
  /// With `control_stack_misuse`: the instruction to blame; none where the SGPRs were set from outside the program.
  std::optional<u64> culprit_pc{};
  /// With `control_stack_misuse`: the join that pops what is wrong, or the fork whose lanes are lost.
  std::optional<u64> victim_pc{};
  /// With `hazard`: which.
  std::optional<Hazard> hazard{};

  /// Whether it is there to be known, and nothing is said to be wrong.
  [[nodiscard]] bool is_info() const { return hazard && hazard->is_info; }
  std::optional<UndefinedRead> undefined{};  ///< with `undefined_read`, `undefined_output` of `CheckUndefined::bits`
  std::optional<u64> producer_pc{};          ///< with `stale_vccz`: the instruction that wrote one half of VCC
};

/// What a warning is about, and where: its kind, its place, and of a hazard which, and whose result.
using WarningIdentity = std::tuple<WarningKind, u64, std::string_view, u64>;
/// That of a warning. Of those with the same, runs have only the first.
WarningIdentity identity_of(const Warning& warning);

/// How and where a run ended.
struct Stop {
  StopReason reason = StopReason::step_limit;
  std::optional<WarningKind> warning{};  ///< with `StopReason::warning`: which
  /// The stopping instruction's address; the next one's for step_limit, time_limit, breakpoint, halt and returned.
  u64 pc = 0;
  std::string instruction;  ///< text of the instruction at `pc`; empty where there is none
  std::string detail;       ///< a sentence: what was wrong with which operand

  /// The name that reports print: the reason's, or the warning's under --strict.
  [[nodiscard]] std::string_view reason_name() const;
};

}  // namespace salu
