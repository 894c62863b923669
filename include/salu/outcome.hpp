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
  returned,                 ///< a compiled function reached its end or its return address
  killed,                   ///< S_SETKILL
  halt,                     ///< STATUS.HALT is set and the wave is not in its trap handler
  trap,                     ///< S_TRAP with TRAP_EN set and no handler mapped at TBA
  step_limit,               ///< `RunOptions::max_steps` instructions have been executed
  time_limit,               ///< `RunOptions::max_seconds` have passed
  memory_limit,             ///< a store would make memory hold more than `RunOptions::max_memory_bytes`
  breakpoint,               ///< a breakpoint of the caller
  vector_instruction,       ///< a vector instruction with `OnVector::stop`, or one that salu does not execute
  unsupported_instruction,  ///< decodes, but is not executed
  illegal_instruction,      ///< the words are not an instruction of the generation
  illegal_operand,          ///< an operand code that the generation does not allow for this operand
  misaligned_register,      ///< a register tuple that starts at a misaligned register
  unmapped_memory,          ///< an access to memory outside of all regions
  write_protected,          ///< a write to a read-only region
  pc_outside_code,          ///< the PC is outside of the code
  past_kernel_end,          ///< a kernel ran past the end of its code
  deadlock,                 ///< the waves of a work-group wait for each other forever
  warning,                  ///< with --strict; the reported name is that of the warning
};

/// Silent hardware behaviour that salu reproduces and reports. The names (`warning_kind_name`) are part of the
/// interface.
enum class WarningKind : u8 {
  dropped_write,            ///< a write to TTMP, TBA, TMA or a read-only field without STATUS.PRIV
  trap_ignored,             ///< S_TRAP with STATUS.TRAP_EN = 0
  register_out_of_range,    ///< a register beyond the allocation
  control_stack_overflow,   ///< a fork pushed at CSP >= 6
  control_stack_underflow,  ///< a join popped at CSP = 0
  unspecified_result,       ///< the manuals do not define the result
  undefined_read,           ///< something depends on an undefined value (`RunOptions::check_undefined`)
  no_functional_effect,     ///< an effect that is not modelled: a message, a performance counter
  stale_vccz,               ///< VCCZ is read after a write of one half of VCC, which does not update VCCZ on hardware
  control_stack_misuse,     ///< forks and joins do not match, or SGPRs of the control stack were overwritten
  hazard,                   ///< a result is used before it is ready on hardware (`RunOptions::check_hazards`)
  undefined_output,         ///< stored undefined bits are in memory at the end (`RunOptions::check_undefined`)
  dropped_access,           ///< a lane's memory access that hardware drops: loads return 0, stores are ignored
  data_race,                ///< unordered accesses to the same memory (`RunOptions::check_races`)
  barrier_divergence,       ///< the waves of a work-group pass different barriers (`RunOptions::check_races`)
};

/// The name of a reason as reports and scenarios write it: `end_program`, `step_limit`, ...
std::string_view stop_reason_name(StopReason reason);
/// The name of a kind of warning as reports and scenarios write it: `dropped_write`, ...
std::string_view warning_kind_name(WarningKind kind);
/// Finds a reason by its name; returns nothing for an unknown name and for `warning`.
std::optional<StopReason> find_stop_reason(std::string_view name);
/// Finds a kind of warning by its name; returns nothing for an unknown name.
std::optional<WarningKind> find_warning_kind(std::string_view name);

/// True for end_program, returned and killed: the reasons that `expect:` without `stop:` accepts.
constexpr bool is_regular_end(StopReason reason) { return reason <= StopReason::killed; }
/// True for faults of the program (exit code 4).
constexpr bool is_fault(StopReason reason) {
  return reason >= StopReason::illegal_instruction && reason <= StopReason::deadlock;
}

/// A hazard: a result is used before it is ready on hardware (docs/reference/checks.md).
struct Hazard {
  std::string_view id;  ///< id in the hazard table, for example `setreg_getreg`; the text has static lifetime
  u64 producer_pc = 0;  ///< the instruction that writes the result
  /// Wait states required between the two instructions, and those found; empty if no number of wait states is enough.
  std::optional<u32> needed{};
  std::optional<u32> found{};
  std::string insert;    ///< instruction to insert before the consumer: `s_nop 1`; empty if none helps
  bool is_info = false;  ///< documented inconsistently or not at all: does not stop a run with --strict

  friend bool operator==(const Hazard&, const Hazard&) = default;
};

/// Bytes of memory with undefined bits at the end of a run.
struct UndefinedOutput {
  u64 address = 0;
  u64 size_bytes = 0;
  std::string name;  ///< argument or symbol of the first byte: `out+0x8`; empty if unknown

  friend bool operator==(const UndefinedOutput&, const UndefinedOutput&) = default;
};

/// The undefined bits of a warning `undefined_read` or `undefined_output` (`CheckUndefined::bits`).
struct UndefinedRead {
  std::string operand;                    ///< `s5`, `scc`, `s[4:5]`, `v3[7]`, `[0x10000]`
  u64 bits = 0;                           ///< mask of its undefined bits
  std::string origin;                     ///< origin of the undefined bits: `never written`, `unspecified result`, ...
  std::optional<u64> origin_pc{};         ///< the instruction that is the origin, if any
  std::vector<u64> way{};                 ///< instructions that propagated it, oldest first; long lists are shortened
  std::vector<UndefinedOutput> memory{};  ///< with `undefined_output`: the bytes stored; long lists are shortened
};

/// The two instructions of a data race or of a barrier divergence: that of the warning, and another one.
struct Race {
  enum class Space : u8 { lds, global };
  /// The bytes that both instructions access.
  struct Place {
    Space space{};
    u64 address = 0;  ///< in LDS: the offset from its start
    u64 size_bytes = 0;
    std::string name;                 ///< argument or symbol of the first byte: `out+0x8`; empty if unknown
    std::optional<u32> lane{};        ///< empty for a scalar instruction
    std::optional<u32> other_lane{};  ///< of the other instruction
  };

  u64 other_pc = 0;
  u64 wave = 0;                  ///< number of the wave, as in `TraceEvent::wave`
  u64 other_wave = 0;            ///< wave of the other instruction
  std::optional<Place> place{};  ///< with `data_race`
};

/// The name of a memory space as reports write it: `lds` or `global`.
std::string_view memory_space_name(Race::Space space);

/// A warning about silent hardware behaviour, at its first occurrence.
struct Warning {
  WarningKind kind{};
  u64 pc = 0;               ///< byte address of the instruction
  std::string instruction;  ///< its text
  std::string detail;       ///< a sentence: the operand, the value, and the action taken instead
  /// With `control_stack_misuse`: the instruction that caused it; empty if the SGPRs were set from outside the program.
  std::optional<u64> culprit_pc{};
  /// With `control_stack_misuse`: the join that pops the wrong entry, or the fork whose lanes are lost.
  std::optional<u64> victim_pc{};
  /// With `hazard`: its description.
  std::optional<Hazard> hazard{};

  /// True for an informational message, which does not report an error.
  [[nodiscard]] bool is_info() const { return hazard && hazard->is_info; }
  std::optional<UndefinedRead> undefined{};  ///< with `undefined_read`, `undefined_output` of `CheckUndefined::bits`
  std::optional<u64> producer_pc{};          ///< with `stale_vccz`: the instruction that wrote one half of VCC
  std::optional<Race> race{};                ///< with `data_race`, `barrier_divergence`

  /// True for a finding of a check that makes a test fail which does not expect it: a hazard or a race.
  [[nodiscard]] bool is_finding() const { return (hazard && !hazard->is_info) || race.has_value(); }
};

/// The identity of a warning: its kind, its address, for a hazard its id and producer, and for a race the address of
/// the other instruction.
using WarningIdentity = std::tuple<WarningKind, u64, std::string_view, u64>;
/// Returns the identity of a warning. A run reports only the first warning with the same identity.
WarningIdentity identity_of(const Warning& warning);

/// How and where a run ended.
struct Stop {
  StopReason reason = StopReason::step_limit;
  std::optional<WarningKind> warning{};  ///< with `StopReason::warning`: its kind
  /// The stopping instruction's address; the next one's for step_limit, time_limit, breakpoint, halt and returned.
  u64 pc = 0;
  std::string instruction;  ///< text of the instruction at `pc`, or empty
  std::string detail;       ///< a sentence about the operand and its error

  /// The name that reports print: that of the reason, or with --strict that of the warning.
  [[nodiscard]] std::string_view reason_name() const;
};

}  // namespace salu
