#include <algorithm>
#include <string>

#include "core/machine.hpp"
#include "isa/disassemble.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/shift.hpp"
#include "support/numbers.hpp"

/// Where a run stops, and the sentence that says why.
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

const MicroOp* Machine::stop_at(const MicroOp* op, StopReason reason, std::string detail,
                                std::optional<u64> report_pc) {
  stopped_ = true;
  stopped_op_ = op;
  stopped_before_effect_ = op != nullptr && is_fault(reason);
  pc_ = report_pc.value_or(op == nullptr ? pc_ : address_of(op));
  stop_.reason = reason;
  stop_.warning.reset();
  stop_.pc = pc_;
  stop_.detail = std::move(detail);
  return &leave_op_;
}

const MicroOp* Machine::stop_for_warning(const MicroOp* op) {
  // Whatever the instruction has come to in the meantime, the warning came first; and of several, the first counts.
  // (Its own PC is used because a jump may have changed the code area that `op` would be looked up in.)
  const Warning& warning = warnings_.front();
  stop_at(op, StopReason::warning, warning.detail, warning.pc);
  stop_.warning = warning.kind;
  stopped_before_effect_ = false;
  return &leave_op_;
}

/// The address is outside the current code area; `from` is the instruction that went there, if any.
const MicroOp* Machine::far_jump(const MicroOp* from, u64 address) {
  if (const CodeArea* area = find_area(address)) {
    area_ = area;
    return area->ops.get() + (address - area->base) / 4;
  }
  // The end of the entry function or kernel may be the end of a block, which no area contains.
  const bool is_kernel_end = program_.kernel_end && program_.kernel_end->address == address;
  if (is_kernel_end || program_.return_address == address || program_.function_end == address)
    return stop_at_code_end(from, address);
  std::string detail = "there is no code at " + support::hex(address);
  const auto distance = [address](const CodeArea& area) {
    return address < area.base ? area.base - address : address - (area.base + area.size_bytes) + 4;
  };
  const auto nearest = std::min_element(areas_.begin(), areas_.end(), [&](const CodeArea& left, const CodeArea& right) {
    return distance(left) < distance(right);
  });
  if (nearest != areas_.end()) {
    detail += "; the nearest code is " + support::hex(nearest->base) + " to " +
              support::hex(nearest->base + nearest->size_bytes - 1);
  }
  if (from != nullptr)
    detail += ", and " + text_at(address_of(from)) + " at " + support::hex(address_of(from)) + " led here";
  stop_at(from, StopReason::pc_outside_code, std::move(detail), address);
  // The instruction that led here has run; the one that is missing has not.
  stopped_before_effect_ = false;
  return &leave_op_;
}

const MicroOp* Machine::far_branch(const MicroOp* op, bool taken) {
  if (!taken) return op + 1;
  return jump(op, address_of(op) + 4 + static_cast<u64>(i64{op->imm} * 4));
}

const MicroOp* Machine::outside(const MicroOp* op) {
  const u64 address = address_of(op);
  pc_ = address;
  return far_jump(nullptr, address);
}

const MicroOp* Machine::code_end(const MicroOp* op) { return stop_at_code_end(nullptr, address_of(op)); }

/// A function has returned there, a kernel has run too far. `from` is the instruction that went there, if it is known.
const MicroOp* Machine::stop_at_code_end(const MicroOp* from, u64 address) {
  if (!program_.kernel_end || program_.kernel_end->address != address) {
    check_waiting_lanes(address);
    return after_warning(from, stop_at(from, StopReason::returned, {}, address));
  }
  stop_at(from, StopReason::past_kernel_end,
          "the code of the kernel `" + program_.kernel_end->kernel + "` ends at " + support::hex(address) +
              ", and no S_ENDPGM came before",
          address);
  // The instruction that led here has run.
  stopped_before_effect_ = false;
  return &leave_op_;
}

/// What the instruction at an address lacks of a symbol that its object does not define, or null.
const Unresolved* Machine::find_unresolved(u64 address) const {
  const auto instruction = instruction_at(address);
  if (!instruction || instruction->encoding == isa::EncodingClass::vector) return nullptr;
  return program_.find_unresolved(address, instruction->dwords * u64{4});
}

const MicroOp* Machine::faulty(const MicroOp* op) {
  const u64 address = address_of(op);
  if (const Unresolved* unresolved = find_unresolved(address)) {
    return stop_at(op, StopReason::unsupported_instruction,
                   "refers to `" + unresolved->symbol + "`, which this object does not define: link it first");
  }
  const isa::Instruction instruction = *instruction_at(address);
  const u32 word = area_->words[(address - area_->base) / 4];
  if (instruction.encoding == isa::EncodingClass::truncated) {
    return stop_at(op, StopReason::pc_outside_code,
                   "the instruction " + support::hex(word, 8) + " needs a second dword, and the code ends before it");
  }
  if (instruction.encoding == isa::EncodingClass::illegal) {
    return stop_at(op, StopReason::illegal_instruction,
                   support::hex(word, 8) + " is no instruction of " + std::string(generation_name(generation_)));
  }
  const auto fault = isa::find_operand_fault(generation_, instruction);
  const bool misaligned = fault->kind == isa::OperandFault::Kind::misaligned;
  return stop_at(op, misaligned ? StopReason::misaligned_register : StopReason::illegal_operand,
                 std::string(isa::info(instruction.insn).mnemonic) + " (" + support::hex(word, 8) +
                     "): " + describe(generation_, *fault));
}

const MicroOp* Machine::undocumented(const MicroOp* op) {
  return stop_at(op, StopReason::unsupported_instruction, "no public document describes what this instruction does");
}

bool Machine::has_scalar_results(const MicroOp* op) const {
  const auto words = area_->words.subspan(static_cast<std::size_t>(op - area_->ops.get()));
  return isa::vector_scalar_results(generation_, words).count != 0;
}

const MicroOp* Machine::vector(const MicroOp* op) {
  const bool vskip = (mode >> mode_bit::vskip & 1) != 0;
  if (vskip || on_vector_ == OnVector::skip) {
    // Within a run alone, and what VSKIP skips is meant to have no results.
    if (pause_at_scalar_results_ && granted_ != 0 && !vskip && has_scalar_results(op)) {
      paused_at_ = op;
      return &leave_op_;
    }
    ++skipped_vector_;
    if (tracks_vccz_ && !vskip) [[unlikely]] {
      for (const isa::RegisterSpan& result : scalar_results_at(address_of(op))) {
        if (result.code == code::vcc && result.dwords == 2) vccz_is_stale_ = false;
      }
    }
    return op + op->d;
  }
  const auto instruction = *instruction_at(address_of(op));
  return stop_at(op, StopReason::vector_instruction,
                 "a " + std::string(isa::vector_format_name(instruction.vector)) +
                     " instruction; the scalar unit does not execute it (on_vector: skip passes over it)");
}

void Machine::add_warning(WarningKind kind, u64 pc, std::string detail) {
  kept_warnings_.reset();
  warnings_.push_back({kind, pc, text_at(pc), std::move(detail)});
  if (strict_) warning_stop_ = true;
}

void Machine::warn_unspecified(const MicroOp* op) {
  warn(WarningKind::unspecified_result, address_of(op), [&] {
    const isa::Instruction instruction = *instruction_at(address_of(op));
    switch (isa::info(instruction.insn).effects.unspecified) {
      case isa::Unspecified::undescribed:
        return std::string("AMD's manuals list it without a description; here it copies its source");
      case isa::Unspecified::without_priv:
        return std::string("a return from a trap handler while STATUS.PRIV is 0; here it jumps all the same");
      case isa::Unspecified::field_beyond_operand: {
        const bool is_literal = instruction.ssrc1 == isa::literal_code;
        const u32 ssrc1 = is_literal ? instruction.literal : peek_source(instruction.ssrc1, 1, 0);
        return "the field of " + std::to_string(isa::semantics::field_width(ssrc1)) +
               " bits is wider than the operand; here it ends where the operand does";
      }
      case isa::Unspecified::never:
        break;
    }
    return std::string();
  });
}

void Machine::warn_unmodelled(const MicroOp* op) {
  warn(WarningKind::no_functional_effect, address_of(op),
       [] { return std::string("it matters on hardware and is not modelled here"); });
}

void Machine::warn_exec_destination(const MicroOp* op) {
  warn(WarningKind::unspecified_result, address_of(op), [] {
    return std::string(
        "SDST is EXEC: the manuals disagree on which of the two writes comes last; here EXEC keeps its old value");
  });
}

}  // namespace salu::core
