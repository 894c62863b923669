#include <salu/outcome.hpp>
#include <salu/run.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace salu {
namespace {

// In the order of the enumerations. Users cannot name the reason `warning`: reports print the name of the warning.
constexpr std::array<std::string_view, 20> stop_reason_names = {"end_program",
                                                                "returned",
                                                                "killed",
                                                                "halt",
                                                                "trap",
                                                                "step_limit",
                                                                "time_limit",
                                                                "memory_limit",
                                                                "breakpoint",
                                                                "vector_instruction",
                                                                "unsupported_instruction",
                                                                "illegal_instruction",
                                                                "illegal_operand",
                                                                "misaligned_register",
                                                                "unmapped_memory",
                                                                "write_protected",
                                                                "pc_outside_code",
                                                                "past_kernel_end",
                                                                "deadlock",
                                                                "warning"};

constexpr std::array<std::string_view, 15> warning_kind_names = {"dropped_write",
                                                                 "trap_ignored",
                                                                 "register_out_of_range",
                                                                 "control_stack_overflow",
                                                                 "control_stack_underflow",
                                                                 "unspecified_result",
                                                                 "undefined_read",
                                                                 "no_functional_effect",
                                                                 "stale_vccz",
                                                                 "control_stack_misuse",
                                                                 "hazard",
                                                                 "undefined_output",
                                                                 "dropped_access",
                                                                 "data_race",
                                                                 "barrier_divergence"};

}  // namespace

std::string_view stop_reason_name(StopReason reason) { return stop_reason_names[static_cast<std::size_t>(reason)]; }

std::string_view warning_kind_name(WarningKind kind) { return warning_kind_names[static_cast<std::size_t>(kind)]; }

std::optional<StopReason> find_stop_reason(std::string_view name) {
  const auto last = stop_reason_names.end() - 1;
  const auto found = std::find(stop_reason_names.begin(), last, name);
  if (found == last) return std::nullopt;
  return static_cast<StopReason>(found - stop_reason_names.begin());
}

std::optional<WarningKind> find_warning_kind(std::string_view name) {
  const auto found = std::ranges::find(warning_kind_names, name);
  if (found == warning_kind_names.end()) return std::nullopt;
  return static_cast<WarningKind>(found - warning_kind_names.begin());
}

std::string_view Stop::reason_name() const {
  return reason == StopReason::warning && warning ? warning_kind_name(*warning) : stop_reason_name(reason);
}

std::string_view memory_space_name(Race::Space space) { return space == Race::Space::lds ? "lds" : "global"; }

WarningIdentity identity_of(const Warning& warning) {
  if (warning.race) return {warning.kind, warning.pc, {}, warning.race->other_pc};
  if (!warning.hazard) return {warning.kind, warning.pc, {}, 0};
  return {warning.kind, warning.pc, warning.hazard->id, warning.hazard->producer_pc};
}

bool is_lost(const Outcome& outcome, const RegisterName& name) {
  if (state_index::is_lane(name.index)) return outcome.has_lost_vectors;
  for (u32 i = 0; i < name.dwords() && name.index + i < state_index::defined_count; ++i) {
    if (outcome.lost.test(name.index + i)) return true;
  }
  return false;
}

}  // namespace salu
