#include <algorithm>
#include <string>

#include "core/interpreter.hpp"
#include "isa/disassemble.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "support/numbers.hpp"

/// Stops of a run and their messages.
namespace salu::core {
namespace {

using isa::Field;

std::string field_name(Field field) {
  switch (field) {
    case Field::sdst:
      return "SDST";
    case Field::ssrc0:
      return "SSRC0";
    case Field::ssrc1:
      return "SSRC1";
    case Field::sdata:
      return "SDATA";
    case Field::sbase:
      return "SBASE";
    case Field::offset:
      return "SOFFSET";
    case Field::simm16:
      return "SIMM16";
    case Field::literal:
      return "the literal";
  }
  return {};
}

std::string describe(Generation generation, const isa::OperandFault& fault) {
  const std::string name = isa::register_name(generation, fault.code, 1);
  const std::string what = field_name(fault.field) + " holds " + (name.empty() ? "operand code " : name + ", code ") +
                           std::to_string(fault.code);
  if (fault.kind == isa::OperandFault::Kind::misaligned) {
    return what + ": a 64-bit operand starts at an even register, a wider one at a multiple of four";
  }
  return what + ", which " + std::string(generation_name(generation)) + " does not allow there";
}

}  // namespace

const MicroOp* Interpreter::stop_at(const MicroOp* op, StopReason reason, std::string detail,
                                    std::optional<u64> report_pc) {
  control.stopped = true;
  control.stopped_op = op;
  control.stopped_before_effect = op != nullptr && is_fault(reason);
  // Code may end at the end of the address space.
  pc_at_rest = report_pc.value_or(op == nullptr ? pc_at_rest : cache.address_of(op)) & wave.address_mask;
  control.stop.reason = reason;
  control.stop.warning.reset();
  control.stop.pc = pc_at_rest;
  control.stop.detail = std::move(detail);
  return cache.leave();
}

const MicroOp* Interpreter::stop_for_warning(const MicroOp* op) {
  // The warning occurred first, whatever the instruction has done since; of several warnings, the first counts. (Its
  // own PC is used because a jump may have changed the code area in which `op` would be looked up.)
  const Warning& warning = control.warnings.list()[control.warnings.first_that_stops()];
  stop_at(op, StopReason::warning, warning.detail, warning.pc);
  control.stop.warning = warning.kind;
  control.stopped_before_effect = false;
  return cache.leave();
}

const MicroOp* Interpreter::far_jump(const MicroOp* from, u64 address) {
  if (const MicroOp* const op = cache.enter(address)) return op;
  const Program& program = cache.program();
  // The end of the entry function or kernel can be the end of a block, which is not in any area.
  const bool is_kernel_end = program.kernel_end && program.kernel_end->address == address;
  if (is_kernel_end || program.return_address == address || program.function_end == address)
    return stop_at_code_end(from, address);
  std::string detail = "no code at " + support::hex(address);
  if (const auto nearest = cache.nearest_code(address)) {
    detail += "; the nearest code is " + support::hex(nearest->first) + " to " + support::hex(nearest->last);
  }
  if (from != nullptr)
    detail +=
        ", and " + cache.text_at(cache.address_of(from)) + " at " + support::hex(cache.address_of(from)) + " led here";
  stop_at(from, StopReason::pc_outside_code, std::move(detail), address);
  // The instruction that jumped here has run; the missing one has not.
  control.stopped_before_effect = false;
  return cache.leave();
}

const MicroOp* Interpreter::far_branch(const MicroOp* op, bool taken) {
  if (!taken) return op + 1;
  return jump(op, cache.address_of(op) + 4 + static_cast<u64>(i64{op->imm} * 4));
}

const MicroOp* Interpreter::outside(const MicroOp* op) {
  pc_at_rest = cache.address_of(op) & wave.address_mask;
  return far_jump(nullptr, pc_at_rest);
}

const MicroOp* Interpreter::code_end(const MicroOp* op) { return stop_at_code_end(nullptr, cache.address_of(op)); }

/// Stops at the end of the entry code: a function has returned there, but a kernel has run too far. `from` is the
/// jumping instruction, if known.
const MicroOp* Interpreter::stop_at_code_end(const MicroOp* from, u64 address) {
  const std::optional<KernelEnd>& kernel_end = cache.program().kernel_end;
  if (!kernel_end || kernel_end->address != address) {
    check_waiting_lanes(address);
    return after_warning(from, stop_at(from, StopReason::returned, {}, address));
  }
  stop_at(from, StopReason::past_kernel_end,
          "the code of the kernel `" + kernel_end->kernel + "` ends at " + support::hex(address) + " without S_ENDPGM",
          address);
  // The instruction that jumped here has run.
  control.stopped_before_effect = false;
  return cache.leave();
}

const MicroOp* Interpreter::faulty(const MicroOp* op) {
  const u64 address = cache.address_of(op);
  if (const Unresolved* unresolved = cache.find_unresolved(address)) {
    if (!unresolved->instruction.empty())
      return stop_at(op, StopReason::unsupported_instruction, "salu neither executes nor encodes this instruction");
    return stop_at(op, StopReason::unsupported_instruction,
                   "refers to `" + unresolved->symbol + "`, which this object does not define; link the object first");
  }
  const isa::Instruction instruction = *cache.instruction_at(address);
  const u32 word = cache.words_from(op).front();
  if (instruction.encoding == isa::EncodingClass::truncated) {
    return stop_at(op, StopReason::pc_outside_code,
                   "the instruction " + support::hex(word, 8) + " needs a second dword, and the code ends before it");
  }
  if (instruction.encoding == isa::EncodingClass::illegal) {
    return stop_at(
        op, StopReason::illegal_instruction,
        support::hex(word, 8) + " is not an instruction of " + std::string(generation_name(wave.generation)));
  }
  const auto fault = isa::find_operand_fault(wave.generation, instruction);
  const bool misaligned = fault->kind == isa::OperandFault::Kind::misaligned;
  return stop_at(op, misaligned ? StopReason::misaligned_register : StopReason::illegal_operand,
                 std::string(isa::info(instruction.insn).mnemonic) + " (" + support::hex(word, 8) +
                     "): " + describe(wave.generation, *fault));
}

const MicroOp* Interpreter::undocumented(const MicroOp* op) {
  return stop_at(op, StopReason::unsupported_instruction, "the effect of this instruction is not documented publicly");
}

const MicroOp* Interpreter::barrier(const MicroOp* op, const MicroOp* next) {
  if (!control.waits_at_barriers) {
    return stop_at(
        op, StopReason::unsupported_instruction,
        "STATUS.IN_TG is set, so the wave would wait for the other waves of its work-group, but it runs alone; "
        "`salu run` and `salu test` run the whole work-group of a `kernel:`");
  }
  control.waits = control.has_event = true;
  return after_warning(op, next);
}

bool Interpreter::has_scalar_results(const MicroOp* op) const {
  return isa::vector_scalar_results(wave.generation, cache.words_from(op)).count != 0;
}

const Assumption* Interpreter::assumption_about(const MicroOp* op) const {
  const Program& program = cache.program();
  if (program.assumptions.empty()) return nullptr;
  const u64 address = cache.address_of(op);
  const Assumption* const found = program.find_assumption(address);
  const bool is_skipped = wave.vskip() && cache.instruction_at(address)->encoding == isa::EncodingClass::vector;
  return is_skipped ? nullptr : found;
}

const MicroOp* Interpreter::assume(const MicroOp* op, const Assumption& assumption, u32& scc) {
  WaveState state;
  wave.scc = scc;
  wave.store(state);
  if (vectors) state.vectors = vectors->snapshot();
  const WaveState before = state;
  const u64 lanes = before.exec();
  for (const AssumedWrite& write : assumption.writes) {
    if (write.to.vector_registers() == 0) {
      const u64 value = write.from ? read_register(before, *write.from) : write.value;
      write_register(state, wave.generation, write.to, value);
      if (write.to.is_in_file()) note_vcc_write(op, write.to.index, write.to.dwords());
      continue;
    }
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      const u64 value = write.from ? read_register(before, {write.from->index + lane}) : write.value;
      write_register(state, wave.generation, {write.to.index + lane}, value);
    }
  }
  const bool is_stale = wave.vccz_is_stale;
  wave.load(state);
  wave.vccz_is_stale = is_stale;
  scc = wave.scc;
  if (vectors || std::ranges::any_of(assumption.writes, [](const AssumedWrite& write) { return write.to.is_vector(); }))
    vector_file().load(state.vectors);
  if (!assumption.is_reply) {
    const auto place = std::ranges::lower_bound(assumed, assumption.address);
    if (place == assumed.end() || *place != assumption.address) assumed.insert(place, assumption.address);
  }
  return op + op->d;
}

const MicroOp* Interpreter::vector(const MicroOp* op, u32& scc) {
  if (!cache.program().assumptions.empty()) [[unlikely]] {
    if (const Assumption* const assumption = assumption_about(op)) return assume(op, *assumption, scc);
  }
  const bool vskip = wave.vskip();
  if (on_vector == OnVector::run && !vskip && op->imm >= 0) {
    const VectorOp& vector_op = cache.vector_op(static_cast<std::size_t>(op->imm));
    return vector_op.handler(*this, op, vector_op, scc);
  }
  if (vskip || on_vector == OnVector::skip) {
    // Only within a run; an instruction that VSKIP skips has no results.
    if (control.pause_at_scalar_results && granted != 0 && !vskip && has_scalar_results(op)) {
      control.paused_at = op;
      return cache.leave();
    }
    ++skipped_vector;
    // The destination of an unsupported instruction is unknown, so all vector registers become unknown.
    if (!vskip) {
      has_lost_vectors = true;
      if (vectors) vectors->load(VectorRegisters());
    }
    if (tracks_vccz && !vskip) [[unlikely]] {
      for (const isa::RegisterSpan& result : cache.scalar_results_at(cache.address_of(op))) {
        if (result.code == operand_codes(wave.generation).vcc && result.dwords == 2) wave.vccz_is_stale = false;
      }
    }
    return op + op->d;
  }
  const std::string format(isa::vector_format_name(cache.instruction_at(cache.address_of(op))->vector));
  return stop_at(op, StopReason::vector_instruction,
                 on_vector == OnVector::stop ? "a " + format + " instruction, where `on_vector: stop` ends the run"
                                             : "unsupported " + format +
                                                   " instruction; describe its effect with `assume:`, or skip it with "
                                                   "`on_vector: skip`");
}

void Interpreter::add_warning(WarningKind kind, u64 address, std::string detail, std::optional<u64> producer_pc) {
  Warning warning{kind, address, cache.text_at(address), std::move(detail)};
  warning.producer_pc = producer_pc;
  control.warnings.add(std::move(warning));
  if (control.strict) control.warning_stop = control.has_event = true;
}

void Interpreter::add_hazard(Hazard hazard, u64 address, std::string detail) {
  const bool is_info = hazard.is_info;
  control.warnings.add(
      {WarningKind::hazard, address, cache.text_at(address), std::move(detail), {}, {}, std::move(hazard)});
  if (control.strict && !is_info) control.warning_stop = control.has_event = true;
}

void Interpreter::warn_unspecified(const MicroOp* op) {
  warn(WarningKind::unspecified_result, op, [&] {
    const isa::Instruction instruction = *cache.instruction_at(cache.address_of(op));
    switch (isa::info(instruction.insn).unspecified) {
      case isa::Unspecified::undescribed:
        return std::string("AMD's manuals do not describe this instruction; salu copies the source");
      case isa::Unspecified::without_priv:
        return std::string("return from a trap handler while STATUS.PRIV is 0; salu jumps anyway");
      case isa::Unspecified::field_beyond_operand: {
        const bool is_literal = instruction.ssrc1 == isa::literal_code;
        const u32 ssrc1 = is_literal ? instruction.literal : wave.source_dword(instruction.ssrc1, 1, 0);
        return "the bit field of " + std::to_string(isa::semantics::field_width(ssrc1)) +
               " bits is wider than the operand; salu limits it to the operand";
      }
      case isa::Unspecified::never:
        break;
    }
    return std::string();
  });
}

void Interpreter::warn_unmodelled(const MicroOp* op) {
  warn(WarningKind::no_functional_effect, op, [] { return std::string("its effect on hardware is not modelled"); });
}

void Interpreter::warn_exec_destination(const MicroOp* op) {
  warn(WarningKind::unspecified_result, op, [] {
    return std::string(
        "SDST is EXEC: the manuals do not agree on the order of the two writes; in salu EXEC keeps its old value");
  });
}

}  // namespace salu::core
