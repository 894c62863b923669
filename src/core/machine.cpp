#include "core/machine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace salu::core {

Machine::Machine(const Program& program, Dispatch dispatch)
    // The switch goes by handler number; its micro-ops still need some table to read from.
    : dispatch_(dispatch), engine_(program, goto_handlers(), dispatch != Dispatch::switched) {
  set_state(initial_state(generation()));
}

void Machine::set_options(const RunOptions& options) {
  engine_.on_vector = options.on_vector;
  engine_.clock = options.clock;
  engine_.max_memory_bytes = options.max_memory_bytes;
}

void Machine::set_state(const WaveState& state) {
  engine_.begin_at(state.pc & engine_.wave.address_mask);
  // A filter is asked about every instruction of every run.
  engine_.cache.put_aside(engine_.control.pause_filter ? nullptr : engine_.next_op);
  engine_.cache.forget_executed();
  engine_.cache.set_allocation({state.sgprs, state.vgprs, state.agprs});
  engine_.wave.load(state);
  engine_.load_vectors(state.vectors);
  engine_.control.reset();
  engine_.steps = 0;
  engine_.granted = 0;
  engine_.skipped_vector = 0;
  engine_.has_lost_vectors = false;
  engine_.assumed.clear();
  engine_.pushed.begin(state);
  engine_.misuses.clear();
}

WaveState Machine::state() const {
  WaveState result;
  engine_.wave.store(result);
  result.pc = pc();
  result.defined = engine_.defined();
  if (engine_.vectors) result.vectors = engine_.vectors->snapshot();
  return result;
}

void Machine::set_memory(const Memory& memory) {
  const bool has_its_words = engine_.port.memory().is_copy_of(memory);
  engine_.port.set_memory(memory);
  // To compare all code each time would make short steps back in a long program slow.
  if (!has_its_words) engine_.cache.take_words(memory);
}

void Machine::set_pause_filter(PauseFilter filter) {
  engine_.control.pause_filter = std::move(filter);
  ask_pause_filter_again();
}

Machine::Snapshot Machine::snapshot() {
  return {state(),
          memory(),
          engine_.steps,
          engine_.skipped_vector,
          engine_.assumed,
          engine_.has_lost_vectors,
          engine_.wave.vccz_is_stale,
          engine_.wave.half_vcc_writer,
          engine_.pushed,
          engine_.control.warnings.kept()};
}

void Machine::restore(const Snapshot& snapshot) {
  set_memory(snapshot.memory);
  restore_registers(snapshot);
}

void Machine::restore_registers(const Snapshot& snapshot) {
  set_state(snapshot.state);
  engine_.cache.begin_at_step(snapshot.steps);
  engine_.steps = snapshot.steps;
  engine_.skipped_vector = snapshot.skipped_vector;
  engine_.assumed = snapshot.assumed;
  engine_.has_lost_vectors = snapshot.has_lost_vectors;
  engine_.wave.vccz_is_stale = snapshot.vccz_is_stale;
  engine_.wave.half_vcc_writer = snapshot.half_vcc_writer;
  engine_.pushed = snapshot.pushed;
  engine_.control.warnings.restore(snapshot.warnings);
}

/// False when the run ends before its first instruction.
bool Machine::ready_to_run() {
  if (stopped()) return false;
  if (engine_.next_op == nullptr) {
    engine_.far_jump(nullptr, engine_.pc_at_rest);
  } else if (engine_.wave.halted() && !engine_.wave.priv()) {
    engine_.stop_at(engine_.next_op, StopReason::halt, "STATUS.HALT is set, so the wave issues no instruction",
                    engine_.pc_at_rest);
  }
  return !stopped();
}

u64 Machine::run(u64 max_steps) {
  u64 executed = 0;
  while (true) {
    executed += run_to_event(max_steps - executed);
    RunControl& control = engine_.control;
    if (control.left_at == nullptr) return executed;
    const MicroOp* const op = std::exchange(control.left_at, nullptr);
    const MicroOp* const next = std::exchange(control.left_for, nullptr);
    engine_.next_op = control.traps ? engine_.enter_trap(op, control.return_address) : next;
    if (control.stopped) engine_.next_op = nullptr;
  }
}

/// Runs until a trap is to be taken, at the latest.
u64 Machine::run_to_event(u64 max_steps) {
  if (!ready_to_run()) return 0;
  if (engine_.wave.traps_each()) return engine_.control.may_pause() ? 0 : run_exactly(max_steps);
  RunControl& control = engine_.control;
  engine_.granted = static_cast<i64>(std::min<u64>(max_steps, std::numeric_limits<i64>::max()));
  const i64 budget = engine_.granted - engine_.next_op->cost;
  if (budget < 0) return control.may_pause() ? 0 : run_exactly(max_steps);
  if (dispatch_ == Dispatch::switched) {
    run_switch(engine_, engine_.next_op, engine_.wave.scc, budget,
               control.pause_filter != nullptr || engine_.tracks_vccz);
  } else {
    run_goto(engine_, engine_.next_op, engine_.wave.scc, budget);
  }
  const bool paused = control.paused_at != nullptr;
  if (paused) {
    engine_.next_op = std::exchange(control.paused_at, nullptr);
    engine_.budget_left += engine_.next_op->cost;
  } else if (control.left_at != nullptr) {
    engine_.budget_left += control.left_at->cost - 1;
    engine_.next_op = nullptr;
  } else if (control.stopped) {
    // The rest of the block was charged and did not run. A store that changed code was the end of its block.
    const MicroOp* const last = control.stopped_op;
    if (last != nullptr && last->cost != 0) engine_.budget_left += last->cost - 1;
    engine_.next_op = nullptr;
  } else {
    engine_.budget_left += engine_.next_op->cost;
  }
  const u64 executed = static_cast<u64>(engine_.granted - engine_.budget_left);
  engine_.steps += executed;
  engine_.granted = 0;
  if (control.stopped || control.left_at != nullptr || control.may_pause()) return executed;
  return executed + run_exactly(max_steps - executed);
}

u64 Machine::run_to_entries(u64 max_steps, u32 entries) {
  engine_.control.paused_entries = entries;
  const u64 executed = run(max_steps);
  engine_.control.paused_entries = 0;
  return executed;
}

u64 Machine::run_exactly(u64 max_steps) {
  if (!ready_to_run()) return 0;
  const u64 before = engine_.steps;
  engine_.granted = 0;
  const MicroOp* op = engine_.next_op;
  u32 scc = engine_.wave.scc;
  while (true) {
    if (op->cost == 0) {
      // A pseudo handler: decodes, moves on to another code block, or ends the run.
      if (op->id == HandlerId::leave) break;
      if (engine_.cache.is_undecoded(op))
        op = engine_.predecode(op, 0);
      else
        op = op->id == HandlerId::code_end ? engine_.code_end(op) : engine_.outside(op);
      continue;
    }
    const u64 executed = engine_.steps - before;
    if (executed == max_steps) break;
    const MicroOp* const last = op;
    const bool traps = engine_.wave.traps_each();
    if (engine_.tracks_vccz) {
      ++engine_.steps;
      op = engine_.tracked(op, scc);
    } else {
      op = execute_some(engine_, op, scc, traps ? 1 : max_steps - executed, engine_.steps);
    }
    if (!traps || !engine_.wave.takes_traps()) continue;
    // An instruction that leads out of all code traps before the next one is missed.
    const RunControl& control = engine_.control;
    const bool leads_out =
        stopped() && control.stop.reason == StopReason::pc_outside_code && !control.stopped_before_effect;
    if (stopped() && !leads_out) continue;
    const u64 next = leads_out ? engine_.pc_at_rest : code().address_of(op);
    engine_.control.stopped = false;
    op = engine_.trap_after_instruction(last, next);
  }
  engine_.wave.scc = scc;
  engine_.next_op = stopped() ? nullptr : op;
  return engine_.steps - before;
}

void Machine::explain_misuse(const StackMisuse& misuse, std::optional<u64> culprit_pc, u64 victim_pc,
                             std::string detail) {
  RunControl& control = engine_.control;
  const bool is_stop = control.stopped && control.stop.warning == WarningKind::control_stack_misuse &&
                       misuse.warning == control.warnings.first_that_stops();
  if (is_stop) control.stop.detail = detail;
  control.warnings.explain(misuse.warning, culprit_pc, victim_pc, std::move(detail));
}

Stop Machine::stop() const {
  Stop result = engine_.control.stop;
  result.instruction = code().text_at(result.pc);
  return result;
}

}  // namespace salu::core
