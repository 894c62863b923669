#include "core/machine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "core/compiler.hpp"
#include "isa/disassemble.hpp"

namespace salu {

bool has_dispatch(Dispatch dispatch) { return dispatch != Dispatch::tail_calls || SALU_HAS_TAIL_CALLS != 0; }

}  // namespace salu

namespace salu::core {
namespace {

Dispatch resolve(Dispatch dispatch) {
  if (dispatch != Dispatch::best && has_dispatch(dispatch)) return dispatch;
  if (dispatch == Dispatch::switched) return dispatch;
  return has_dispatch(Dispatch::tail_calls) ? Dispatch::tail_calls : Dispatch::direct_goto;
}

const void* const* handler_table(Dispatch dispatch) {
  // The switch goes by handler number; its micro-ops still need some table to read from.
  return dispatch == Dispatch::tail_calls ? tail_handlers() : goto_handlers();
}

/// Whether memory holds these words at an address.
bool holds(const Memory& memory, u64 address, std::span<const u32> words) {
  const auto* bytes = reinterpret_cast<const u8*>(words.data());
  for (u64 left = words.size() * sizeof(u32); left != 0;) {
    const u64 offset = address % Memory::page_bytes;
    const u64 count = std::min(left, Memory::page_bytes - offset);
    if (std::memcmp(memory.page_for_reading(address - offset) + offset, bytes, count) != 0) return false;
    address += count;
    bytes += count;
    left -= count;
  }
  return true;
}

}  // namespace

Machine::Machine(const Program& program, Dispatch dispatch)
    : slots(constant_slots(program.generation())),
      program_(program),
      generation_(program.generation()),
      pc_mask_(pc_mask(generation_)),
      infos_(&info_table(generation_)),
      dispatch_(resolve(dispatch)),
      handlers_(handler_table(dispatch_)) {
  const auto handler = [this](HandlerId id) { return handlers_[static_cast<std::size_t>(id)]; };
  leave_op_.id = HandlerId::leave;
  leave_op_.handler = handler(HandlerId::leave);
  areas_.reserve(program.code.size());
  std::size_t op_count = 0;
  for (const CodeBlock& block : program.code) {
    const std::size_t count = block.words.size();
    CodeArea& area =
        areas_.emplace_back(CodeArea{block.base, count * 4, block.words, std::make_unique<MicroOp[]>(count + 1), {}});
    for (std::size_t i = 0; i < count; ++i) area.ops[i].handler = handler(HandlerId::predecode);
    op_count += count;
    area.ops[count].id = HandlerId::outside;
    area.ops[count].handler = handler(HandlerId::outside);
    // The end of the entry function or kernel is never decoded: whatever lies there, reaching it is the end.
    const auto mark_end = [&](u64 address) {
      if (address - block.base > area.size_bytes) return;
      MicroOp& end = area.ops[(address - block.base) / 4];
      end.id = HandlerId::code_end;
      end.handler = handler(HandlerId::code_end);
    };
    if (program.function_end) mark_end(*program.function_end);
    if (program.kernel_end) mark_end(program.kernel_end->address);
  }
  decoded_ops_ = std::make_unique_for_overwrite<MicroOp*[]>(op_count);
  set_state(initial_state(generation_));
}

void Machine::set_state(const WaveState& state) {
  forget_code();
  std::copy(state.file.begin(), state.file.end(), slots.begin());
  mode = state.mode;
  status = state.status;
  tba_ = state.tba;
  tma_ = state.tma;
  hwregs_ = state.hwregs;
  scc_ = state.scc ? 1 : 0;
  if (slot_tables_ == nullptr || sgprs_ != state.sgprs) {
    sgprs_ = state.sgprs;
    slot_tables_ = &slot_tables(generation_, sgprs_);
  }
  defined_initial_ = state.defined;
  defined_dynamic_.reset();
  steps_ = 0;
  granted_ = 0;
  stopped_ = false;  // so `stop_` does not count
  warning_stop_ = false;
  stopped_op_ = nullptr;
  stopped_before_effect_ = false;
  warnings_.clear();
  warned_.clear();
  kept_warnings_.reset();
  executed_before_.clear();
  skipped_vector_ = 0;
  vccz_is_stale_ = false;
  pushed_.begin(state);
  misuses_.clear();
  begin_at(state.pc & pc_mask_);
}

void Machine::set_memory(const Memory& memory) {
  port_.set_memory(memory);
  for (std::size_t i = 0; i < areas_.size(); ++i) {
    CodeArea& area = areas_[i];
    const std::vector<u32>& words = program_.code[i].words;
    // A run that goes on from another one finds the code as that one left it.
    const bool as_it_was = !memory.is_mapped(area.base, area.size_bytes) || holds(memory, area.base, words);
    if (as_it_was && area.written.empty()) continue;
    area.written.clear();
    area.words = words;
    if (!as_it_was) {
      area.written.resize(words.size());
      memory.read(area.base, {reinterpret_cast<u8*>(area.written.data()), words.size() * sizeof(u32)});
      area.words = area.written;
    }
    forget_code();
  }
}

void Machine::set_pause_filter(PauseFilter filter) {
  pause_filter_ = std::move(filter);
  ask_pause_filter_again();
}

void Machine::ask_pause_filter_again() {
  // What was decoded tells what was written and executed.
  defined_dynamic_ |= defined();
  for (const MicroOp* const op : decoded_and_run(0)) executed_before_.insert(address_in_any_area(op));
  forget_code();
}

Machine::Snapshot Machine::snapshot() {
  if (kept_warnings_ == nullptr) kept_warnings_ = std::make_shared<const std::vector<Warning>>(warnings_);
  return {state(), memory(), steps_, skipped_vector_, vccz_is_stale_, pushed_, kept_warnings_};
}

void Machine::restore(const Snapshot& snapshot) {
  set_memory(snapshot.memory);
  set_state(snapshot.state);
  steps_ = snapshot.steps;
  skipped_vector_ = snapshot.skipped_vector;
  vccz_is_stale_ = snapshot.vccz_is_stale;
  pushed_ = snapshot.pushed;
  warnings_ = *snapshot.warnings;
  for (const Warning& warning : warnings_) warned_.insert(warning_key(warning.kind, warning.pc));
  kept_warnings_ = snapshot.warnings;
}

WaveState Machine::state() const {
  WaveState result;
  std::copy_n(slots.begin(), result.file.size(), result.file.begin());
  result.mode = mode;
  result.status = status;
  result.tba = tba_;
  result.tma = tma_;
  result.hwregs = hwregs_;
  result.scc = scc_ != 0;
  result.sgprs = sgprs_;
  result.pc = pc();
  result.defined = defined();
  return result;
}

void Machine::begin_at(u64 address) {
  area_ = find_area(address);
  pc_ = address;
  op_ = area_ == nullptr ? nullptr : area_->ops.get() + (address - area_->base) / 4;
}

const CodeArea* Machine::find_area(u64 address) const {
  for (const CodeArea& area : areas_) {
    if (address - area.base < area.size_bytes) return &area;
  }
  return nullptr;
}

u64 Machine::address_in_any_area(const MicroOp* op) const {
  const auto holds_op = [op](const CodeArea& area) {
    const MicroOp* const first = area.ops.get();
    return !std::less<>()(op, first) && std::less<>()(op, first + area.size_bytes / 4);
  };
  const CodeArea& area = *std::ranges::find_if(areas_, holds_op);
  return area.base + static_cast<u64>(op - area.ops.get()) * 4;
}

/// False when the run ends before its first instruction.
bool Machine::ready_to_run() {
  if (stopped_) return false;
  if (op_ == nullptr) {
    far_jump(nullptr, pc_);
  } else if ((status >> status_bit::halt & 1) != 0 && !priv()) {
    stop_at(op_, StopReason::halt, "STATUS.HALT is set, so the wave issues no instruction", pc_);
  }
  return !stopped_;
}

u64 Machine::run(u64 max_steps) {
  if (!ready_to_run()) return 0;
  granted_ = static_cast<i64>(std::min<u64>(max_steps, std::numeric_limits<i64>::max()));
  const i64 budget = granted_ - op_->cost;
  if (budget < 0) return may_pause() ? 0 : run_exactly(max_steps);
  switch (dispatch_) {
    case Dispatch::switched:
      run_switch(*this, op_, scc_, budget, pause_filter_ != nullptr || tracks_vccz_);
      break;
    case Dispatch::tail_calls:
      run_tail(*this, op_, scc_, budget);
      break;
    case Dispatch::direct_goto:
    case Dispatch::best:
      run_goto(*this, op_, scc_, budget);
      break;
  }
  const bool paused = paused_at_ != nullptr;
  if (paused) {
    op_ = std::exchange(paused_at_, nullptr);
    budget_ += op_->cost;
  } else if (stopped_) {
    // The rest of the block was charged and did not run. A store that changed code was the end of its block.
    if (stopped_op_ != nullptr && stopped_op_->cost != 0) budget_ += stopped_op_->cost - 1;
    op_ = nullptr;
  } else {
    budget_ += op_->cost;
  }
  const u64 executed = static_cast<u64>(granted_ - budget_);
  steps_ += executed;
  granted_ = 0;
  if (stopped_ || may_pause()) return executed;
  return executed + run_exactly(max_steps - executed);
}

u64 Machine::run_exactly(u64 max_steps) {
  if (!ready_to_run()) return 0;
  const u64 before = steps_;
  granted_ = 0;
  const MicroOp* op = op_;
  u32 scc = scc_;
  while (true) {
    if (op->cost == 0) {
      // A pseudo handler: decodes, moves on to another code block, or ends the run.
      if (op->id == HandlerId::leave) break;
      if (op->id == HandlerId::predecode)
        op = predecode(op, 0);
      else
        op = op->id == HandlerId::code_end ? code_end(op) : outside(op);
      continue;
    }
    if (steps_ - before == max_steps) break;
    ++steps_;
    // An observer may have warned before the instruction ran.
    op = after_warning(op, tracks_vccz_ ? tracked(op, scc) : execute_one(*this, op, scc));
  }
  scc_ = scc;
  op_ = stopped_ ? nullptr : op;
  return steps_ - before;
}

Stop Machine::stop() const {
  Stop result = stop_;
  result.instruction = text_at(stop_.pc);
  return result;
}

u32 Machine::peek(u32 code) const {
  if (generation_info(generation_).trap_addresses_are_operands) {
    if (code == code::tba || code == code::tba + 1) return static_cast<u32>(tba_ >> (code == code::tba ? 0 : 32));
    if (code == code::tma || code == code::tma + 1) return static_cast<u32>(tma_ >> (code == code::tma ? 0 : 32));
  }
  return slots[code];
}

std::span<const u32> Machine::words_at(u64 address) const {
  const CodeArea* area = find_area(address);
  if (area == nullptr) return {};
  return area->words.subspan((address - area->base) / 4);
}

std::optional<isa::Instruction> Machine::instruction_at(u64 address) const {
  const std::span<const u32> words = words_at(address);
  if (words.empty()) return std::nullopt;
  return isa::decode(generation_, words);
}

std::vector<isa::RegisterSpan> Machine::scalar_results_at(u64 address) const {
  const std::span<const u32> words = words_at(address);
  if (words.empty()) return {};
  const isa::ScalarResults results = isa::vector_scalar_results(generation_, words);
  return {results.span().begin(), results.span().end()};
}

std::string Machine::text_of(const isa::Instruction& instruction, u64 address) const {
  const isa::LabelResolver label = [this](u64 target) { return program_.describe_address(target); };
  return isa::disassemble(generation_, instruction, {.address = address, .label = &label});
}

std::string Machine::text_at(u64 address) const {
  const auto instruction = instruction_at(address);
  return instruction ? text_of(*instruction, address) : std::string{};
}

}  // namespace salu::core
