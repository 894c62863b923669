#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// Why a run ended. The names (`stop_reason_name`) are part of the interface.
enum class StopReason : u8 {
  end_program,  ///< S_ENDPGM or a variant
  returned,     ///< a compiled function came to its end or to the return address it was given
  killed,       ///< S_SETKILL
  halt,
  trap,  ///< S_TRAP with TRAP_EN set and no handler mapped at TBA
  step_limit,
  breakpoint,
  vector_instruction,
  unsupported_instruction,
  illegal_instruction,
  illegal_operand,
  misaligned_register,
  unmapped_memory,
  write_protected,
  pc_outside_code,
  warning,  ///< under --strict; the reason's name is then the warning's
};

/// What hardware does quietly, and is done as hardware does it. The names (`warning_kind_name`) are part of the
/// interface.
enum class WarningKind : u8 {
  dropped_write,
  trap_ignored,
  register_out_of_range,
  control_stack_overflow,
  control_stack_underflow,
  unspecified_result,
  undefined_read,
  no_functional_effect,
};

std::string_view stop_reason_name(StopReason reason);
std::string_view warning_kind_name(WarningKind kind);
std::optional<StopReason> find_stop_reason(std::string_view name);
std::optional<WarningKind> find_warning_kind(std::string_view name);

/// True for end_program, returned and killed: what `expect:` without `stop:` asks for.
constexpr bool is_regular_end(StopReason reason) { return reason <= StopReason::killed; }
/// True for what a program did wrong (exit code 4).
constexpr bool is_fault(StopReason reason) {
  return reason >= StopReason::illegal_instruction && reason <= StopReason::pc_outside_code;
}

struct Warning {
  WarningKind kind{};
  u64 pc = 0;
  std::string instruction;
  std::string detail;  ///< a sentence: which operand, which value, what happened instead
};

/// How and where a run ended.
struct Stop {
  StopReason reason = StopReason::step_limit;
  std::optional<WarningKind> warning{};  ///< with `StopReason::warning`: which
  /// The stopping instruction's address; the next one's for step_limit, breakpoint, halt and returned.
  u64 pc = 0;
  std::string instruction;  ///< text of the instruction at `pc`; empty where there is none
  std::string detail;       ///< a sentence: what was wrong with which operand

  /// The name that reports print: the reason's, or the warning's under --strict.
  [[nodiscard]] std::string_view reason_name() const;
};

}  // namespace salu
