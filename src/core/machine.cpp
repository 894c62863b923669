#include "core/machine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "support/random.hpp"

namespace salu::core {
namespace {

isa::vector::Rounding rounding_of(const Approximations& approximations) {
  switch (approximations.rounding) {
    case Approximations::Rounding::low:
      return isa::vector::Rounding::down;
    case Approximations::Rounding::high:
      return isa::vector::Rounding::up;
    case Approximations::Rounding::nearest:
    case Approximations::Rounding::seeded:
      break;
  }
  return isa::vector::Rounding::to_nearest_even;
}

/// A number that is not 0 for a seed; 0 without one.
u32 seed_of(const Approximations& approximations) {
  if (approximations.rounding != Approximations::Rounding::seeded) return 0;
  return static_cast<u32>(support::Random(approximations.seed).next()) | 1;
}

}  // namespace

Machine::Machine(const Program& program, Dispatch dispatch)
    // The switch uses handler ids; its micro-ops still need a table of handlers.
    : dispatch_(dispatch), interpreter_(program, goto_handlers(), dispatch != Dispatch::switched) {
  set_state(initial_state(generation()));
}

void Machine::set_options(const RunOptions& options) {
  interpreter_.on_vector = options.on_vector;
  interpreter_.clock = options.clock;
  interpreter_.approximation = rounding_of(options.approximations);
  interpreter_.approximation_seed = seed_of(options.approximations);
  interpreter_.max_memory_bytes = options.max_memory_bytes;
}

void Machine::set_state(const WaveState& state) {
  interpreter_.begin_at(state.pc & interpreter_.wave.address_mask);
  // A pause filter must be asked about every instruction of every run.
  interpreter_.cache.put_aside(interpreter_.control.pause_filter ? nullptr : interpreter_.next_op);
  interpreter_.cache.forget_executed();
  interpreter_.cache.set_allocation({state.sgprs, state.vgprs, state.agprs});
  interpreter_.wave.load(state);
  interpreter_.load_vectors(state.vectors);
  interpreter_.control.reset();
  interpreter_.steps = 0;
  interpreter_.granted = 0;
  interpreter_.skipped_vector = 0;
  interpreter_.has_lost_vectors = false;
  interpreter_.assumed.clear();
  interpreter_.pushed.begin(state);
  interpreter_.misuses.clear();
}

WaveState Machine::state() const {
  WaveState result;
  interpreter_.wave.store(result);
  result.pc = pc();
  result.defined = interpreter_.defined();
  if (interpreter_.vectors) result.vectors = interpreter_.vectors->snapshot();
  return result;
}

void Machine::set_memory(const Memory& memory) {
  const bool has_its_words = interpreter_.port->memory().is_copy_of(memory);
  interpreter_.port->set_memory(memory);
  // Comparing all code each time would make reverse steps in a long program slow.
  if (!has_its_words) interpreter_.cache.take_words(memory);
}

void Machine::hand_memory_to(Machine& other) { std::swap(interpreter_.port, other.interpreter_.port); }

void Machine::read_code_again() {
  interpreter_.decode_again();
  interpreter_.cache.take_words(memory_now());
}

void Machine::set_pause_filter(PauseFilter filter) {
  interpreter_.control.pause_filter = std::move(filter);
  ask_pause_filter_again();
}

Machine::Snapshot Machine::snapshot() {
  return {state(),
          memory(),
          interpreter_.steps,
          interpreter_.skipped_vector,
          interpreter_.assumed,
          interpreter_.has_lost_vectors,
          interpreter_.wave.vccz_is_stale,
          interpreter_.wave.half_vcc_writer,
          waits(),
          interpreter_.pushed,
          stopped() ? std::optional(interpreter_.control.stop) : std::nullopt,
          interpreter_.control.warnings.kept()};
}

void Machine::restore(const Snapshot& snapshot) {
  set_memory(snapshot.memory);
  restore_registers(snapshot);
}

void Machine::restore_registers(const Snapshot& snapshot) {
  set_state(snapshot.state);
  interpreter_.cache.begin_at_step(snapshot.steps);
  interpreter_.steps = snapshot.steps;
  interpreter_.skipped_vector = snapshot.skipped_vector;
  interpreter_.assumed = snapshot.assumed;
  interpreter_.has_lost_vectors = snapshot.has_lost_vectors;
  interpreter_.wave.vccz_is_stale = snapshot.vccz_is_stale;
  interpreter_.wave.half_vcc_writer = snapshot.half_vcc_writer;
  interpreter_.control.waits = snapshot.waits;
  interpreter_.control.stopped = snapshot.stop.has_value();
  if (snapshot.stop) interpreter_.control.stop = *snapshot.stop;
  interpreter_.pushed = snapshot.pushed;
  interpreter_.control.warnings.restore(snapshot.warnings);
}

/// Returns false if the run ends before its first instruction.
bool Machine::ready_to_run() {
  if (stopped() || waits()) return false;
  if (interpreter_.next_op == nullptr) {
    interpreter_.far_jump(nullptr, interpreter_.pc_at_rest);
  } else if (interpreter_.wave.halted() && !interpreter_.wave.priv()) {
    interpreter_.stop_at(interpreter_.next_op, StopReason::halt,
                         "STATUS.HALT is set, so the wave issues no instruction", interpreter_.pc_at_rest);
  }
  return !stopped();
}

u64 Machine::run(u64 max_steps) {
  u64 executed = 0;
  while (true) {
    executed += run_to_event(max_steps - executed);
    RunControl& control = interpreter_.control;
    if (control.left_at == nullptr) return executed;
    const MicroOp* const op = std::exchange(control.left_at, nullptr);
    const MicroOp* const next = std::exchange(control.left_for, nullptr);
    interpreter_.next_op = control.traps ? interpreter_.enter_trap(op, control.return_address) : next;
    if (control.stopped) interpreter_.next_op = nullptr;
    if (control.waits) return executed;
  }
}

/// Runs at most until a trap is pending.
u64 Machine::run_to_event(u64 max_steps) {
  if (!ready_to_run()) return 0;
  if (interpreter_.wave.traps_each()) return interpreter_.control.may_pause() ? 0 : run_exactly(max_steps);
  RunControl& control = interpreter_.control;
  interpreter_.granted = static_cast<i64>(std::min<u64>(max_steps, std::numeric_limits<i64>::max()));
  const i64 budget = interpreter_.granted - interpreter_.next_op->cost;
  if (budget < 0) return control.may_pause() ? 0 : run_exactly(max_steps);
  if (dispatch_ == Dispatch::switched) {
    run_switch(interpreter_, interpreter_.next_op, interpreter_.wave.scc, budget,
               control.pause_filter != nullptr || interpreter_.tracks_vccz);
  } else {
    run_goto(interpreter_, interpreter_.next_op, interpreter_.wave.scc, budget);
  }
  const bool paused = control.paused_at != nullptr;
  if (paused) {
    interpreter_.next_op = std::exchange(control.paused_at, nullptr);
    interpreter_.budget_left += interpreter_.next_op->cost;
  } else if (control.left_at != nullptr) {
    interpreter_.budget_left += control.left_at->cost - 1;
    interpreter_.next_op = nullptr;
  } else if (control.stopped) {
    // The rest of the block was charged but did not run. A store that changes code ends its block.
    const MicroOp* const last = control.stopped_op;
    if (last != nullptr && last->cost != 0) interpreter_.budget_left += last->cost - 1;
    interpreter_.next_op = nullptr;
  } else {
    interpreter_.budget_left += interpreter_.next_op->cost;
  }
  const u64 executed = static_cast<u64>(interpreter_.granted - interpreter_.budget_left);
  interpreter_.steps += executed;
  interpreter_.granted = 0;
  if (control.stopped || control.left_at != nullptr || control.may_pause()) return executed;
  return executed + run_exactly(max_steps - executed);
}

u64 Machine::run_to_entries(u64 max_steps, u32 entries) {
  interpreter_.control.paused_entries = entries;
  const u64 executed = run(max_steps);
  interpreter_.control.paused_entries = 0;
  return executed;
}

u64 Machine::run_exactly(u64 max_steps) {
  if (!ready_to_run()) return 0;
  const u64 before = interpreter_.steps;
  interpreter_.granted = 0;
  const MicroOp* op = interpreter_.next_op;
  u32 scc = interpreter_.wave.scc;
  while (true) {
    if (op->cost == 0) {
      // A pseudo handler: decodes, moves to another code block, or ends the run.
      if (op->id == HandlerId::leave) break;
      if (interpreter_.cache.is_undecoded(op))
        op = interpreter_.predecode(op, 0);
      else
        op = op->id == HandlerId::code_end ? interpreter_.code_end(op) : interpreter_.outside(op);
      continue;
    }
    const u64 executed = interpreter_.steps - before;
    if (executed == max_steps) break;
    const MicroOp* const last = op;
    const bool traps = interpreter_.wave.traps_each();
    if (interpreter_.tracks_vccz) {
      ++interpreter_.steps;
      op = interpreter_.tracked(op, scc);
    } else {
      op = execute_some(interpreter_, op, scc, traps ? 1 : max_steps - executed, interpreter_.steps);
    }
    if (!traps || !interpreter_.wave.takes_traps()) continue;
    // An instruction that jumps out of all code traps before the missing one is reported.
    const RunControl& control = interpreter_.control;
    const bool leads_out =
        stopped() && control.stop.reason == StopReason::pc_outside_code && !control.stopped_before_effect;
    if (stopped() && !leads_out) continue;
    const u64 next = leads_out ? interpreter_.pc_at_rest : code().address_of(op);
    interpreter_.control.stopped = false;
    op = interpreter_.trap_after_instruction(last, next);
  }
  if (waits() && interpreter_.control.left_at != nullptr) {
    interpreter_.control.left_at = nullptr;
    op = std::exchange(interpreter_.control.left_for, nullptr);
  }
  interpreter_.wave.scc = scc;
  interpreter_.next_op = stopped() ? nullptr : op;
  return interpreter_.steps - before;
}

void Machine::explain_misuse(const StackMisuse& misuse, std::optional<u64> culprit_pc, u64 victim_pc,
                             std::string detail) {
  RunControl& control = interpreter_.control;
  const bool is_stop = control.stopped && control.stop.warning == WarningKind::control_stack_misuse &&
                       misuse.warning == control.warnings.first_that_stops();
  if (is_stop) control.stop.detail = detail;
  control.warnings.explain(misuse.warning, culprit_pc, victim_pc, std::move(detail));
}

Stop Machine::stop() const {
  Stop result = interpreter_.control.stop;
  result.instruction = code().text_at(result.pc);
  return result;
}

}  // namespace salu::core
