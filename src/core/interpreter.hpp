#pragma once

#include <salu/run.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/code_cache.hpp"
#include "core/memory_port.hpp"
#include "core/micro_op.hpp"
#include "core/pushed_entries.hpp"
#include "core/run_control.hpp"
#include "core/vector/vector_file.hpp"
#include "core/wave.hpp"
#include "isa/decode.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/values.hpp"
#include "isa/vector/semantics/soft_float.hpp"

namespace salu::core {

struct MemoryRequest;

/// A wave with its code, its memory and the conditions that end its run. The handlers of instructions
/// (core/handlers.hpp) and the dispatch loops work on it; other modules use `Machine`.
struct Interpreter {
  Interpreter(const Program& program, const void* const* handlers, bool by_handlers)
      : wave(program), cache(program, handlers, by_handlers, wave) {}

  Wave wave;
  std::unique_ptr<VectorFile> vectors;  ///< null until a vector register is used
  CodeCache cache;
  RunControl control;
  std::unique_ptr<MemoryPort> port = std::make_unique<MemoryPort>();
  PushedEntries pushed;              ///< the contents of the control stack
  std::vector<StackMisuse> misuses;  ///< misuse of the control stack whose warnings are incomplete
  Clock clock;
  isa::vector::Rounding approximation = isa::vector::Rounding::to_nearest_even;  ///< of approximate results
  u32 approximation_seed = 0;  ///< if not 0, each of them is rounded up or down
  OnVector on_vector = OnVector::run;
  u64 max_memory_bytes = RunOptions{}.max_memory_bytes;

  const MicroOp* next_op = nullptr;  ///< null if the run has stopped, or if the PC is outside all code
  u64 pc_at_rest = 0;                ///< the PC in that case
  u64 steps = 0;                     ///< executed in the runs before the current one
  i64 granted = 0;                   ///< step budget of the current run
  i64 budget_left = 0;               ///< rest of the budget after the dispatch loop
  u64 skipped_vector = 0;
  std::vector<u64> assumed;       ///< addresses of instructions that were replaced by their assumption
  bool has_lost_vectors = false;  ///< an instruction that may write vector registers was skipped, not by VSKIP
  u64 traps_entered = 0;          ///< without traps of S_TRAP
  bool tracks_vccz = false;       ///< instructions that write VCC or test VCCZ are tracked

  /// The vector registers, for reading and writing.
  VectorFile& vector_file() { return vectors ? *vectors : make_vector_file(); }
  VectorFile& make_vector_file();
  void load_vectors(const VectorRegisters& registers);
  /// Sets the address at which to continue.
  void begin_at(u64 address);
  [[nodiscard]] DefinedSet defined() const {
    return wave.defined | cache.defines(steps, control.stopped_before_effect ? 1 : 0);
  }
  /// Forgets decoded ops, but keeps the record of their writes and execution.
  void decode_again();

  // ---- warnings and stops ----

  /// Records a warning, once per kind and address; `detail` is called for the text only then. Under strict, the run
  /// stops after the instruction.
  template <class Detail>
  void warn(WarningKind kind, u64 address, const Detail& detail) {
    if (control.warnings.is_new(kind, address)) add_warning(kind, address, detail());
  }
  template <class Detail>
  void warn(WarningKind kind, const MicroOp* op, const Detail& detail) {
    warn(kind, cache.address_of(op), detail);
  }
  /// Records a warning of a hazard, once for each pair of instructions.
  template <class Detail>
  void warn(const Hazard& hazard, u64 address, const Detail& detail) {
    if (control.warnings.is_new(hazard, address)) add_hazard(hazard, address, detail());
  }
  /// Records a data race or a barrier divergence, once for each pair of instructions.
  template <class Detail>
  void warn(WarningKind kind, const Race& race, u64 address, const Detail& detail) {
    if (!control.warnings.is_new(kind, race, address)) return;
    add_warning(kind, address, detail());
    control.warnings.attach(race);
  }
  void warn_unspecified(const MicroOp* op);
  void warn_unmodelled(const MicroOp* op);
  void warn_exec_destination(const MicroOp* op);
  /// The op to continue with after a handler that may have warned: `next`, or the leave op under strict.
  const MicroOp* after_warning(const MicroOp* op, const MicroOp* next) {
    return control.has_event ? after_event(op, next) : next;
  }
  /// Records exceptions in TRAPSTS; those that EXCP_EN enables enter the trap handler after the instruction.
  void raise(u32 exceptions);
  /// Makes the run check MODE and STATUS after the instruction if they request a trap after each instruction.
  void look_for_debugging() {
    if (wave.traps_each()) control.has_event = true;
  }
  /// Enters the trap handler between two instructions. Stops the run if TBA is outside of code.
  const MicroOp* enter_trap(const MicroOp* op, u64 next_address);
  /// Enters the trap handler because of MODE.DEBUG_EN.
  const MicroOp* trap_after_instruction(const MicroOp* op, u64 next_address);
  /// Stops the run at an instruction (or at none, if null); reports its address or another one.
  const MicroOp* stop_at(const MicroOp* op, StopReason reason, std::string detail, std::optional<u64> report_pc = {});

  // ---- control flow ----

  /// The micro-op at an address, in this code area or another one; the leave op outside of code.
  const MicroOp* jump(const MicroOp* from, u64 address) {
    const u64 target = address & wave.address_mask;
    if (cache.is_in_area(target)) [[likely]]
      return cache.op_at(target);
    return far_jump(from, target);
  }
  /// Jumps to an address outside the current code area; `from` is the jumping instruction, if any.
  const MicroOp* far_jump(const MicroOp* from, u64 address);
  /// The general form of a direct branch: `imm` is SIMM16.
  const MicroOp* far_branch(const MicroOp* op, bool taken);

  // ---- pseudo handlers (core/pseudo_handlers.def) ----

  const MicroOp* predecode(const MicroOp* op, i64 budget);
  const MicroOp* outside(const MicroOp* op);
  const MicroOp* code_end(const MicroOp* op);
  const MicroOp* faulty(const MicroOp* op);
  /// A vector instruction, or any other instruction with an assumption.
  const MicroOp* vector(const MicroOp* op, u32& scc);
  const MicroOp* pause(const MicroOp* op) {
    control.paused_at = op;
    return cache.leave();
  }
  /// Executes an instruction and records its effect on VCC.
  const MicroOp* tracked(const MicroOp* op, u32& scc);
  /// Records that an instruction writes half of VCC, or all of it; the own handler of the instruction runs next.
  const MicroOp* before_vcc_write(const MicroOp* op, bool half) {
    wave.vccz_is_stale = half;
    if (half) wave.half_vcc_writer = cache.address_of(op);
    return op;
  }
  const MicroOp* warm(const MicroOp* op) {
    cache.warm_up();
    return op;
  }
  /// Any scalar memory instruction. `budget` is the remaining budget of the loop.
  const MicroOp* access_memory(const MicroOp* op, i64 budget);

  // ---- operands that a general handler resolves at run time ----

  u32 read_general32(const MicroOp* op, u32 code, u32 scc);
  u64 read_general64(const MicroOp* op, u32 code, u32 scc);
  void write_general32(const MicroOp* op, u32 code, u32 value);
  void write_general64(const MicroOp* op, u32 code, u64 value);

  /// Records that `op` wrote registers from an operand code on, which may include VCC.
  void note_vcc_write(const MicroOp* op, u32 code, u32 dwords);

  // ---- memory ----

  /// Stops at a byte that is not mapped or not writable; `what` names it in the message.
  const MicroOp* stop_at_barred(const MicroOp* op, u64 byte, const std::string& what);
  /// Stops if a store of at most a page exceeds the memory limit; otherwise returns null.
  const MicroOp* check_room(const MicroOp* op, u64 address, u64 size_bytes);
  /// Stores an aligned dword, whatever the access rights; the address may contain code.
  void store_dword(u64 address, u32 value);

  // ---- results beyond a register and SCC; `next` is the op after this one ----

  /// For a source register with an invalid index: warns, and s0 is read instead. Returns null unless the run stops.
  const MicroOp* check_relative_source(const MicroOp* op, u64 index, u32 dwords);
  /// For a destination register with an invalid index: nothing is written, or the run stops.
  const MicroOp* refuse_relative_destination(const MicroOp* op, const MicroOp* next, u64 index, u32 dwords);
  u32 read_hwreg(const MicroOp* op, u32 reg, u32 scc);
  void write_hwreg(const MicroOp* op, u32 reg, isa::BitUpdate update, u32& scc);
  const MicroOp* fork(const MicroOp* op, const isa::Fork& result);
  const MicroOp* join(const MicroOp* op, const MicroOp* next, const isa::Join& result);
  const MicroOp* trap(const MicroOp* op, const MicroOp* next, const isa::Trap& result);
  const MicroOp* return_from_exception(const MicroOp* op, const isa::ReturnFromException& result);
  const MicroOp* update_status(const MicroOp* op, const MicroOp* next, isa::BitUpdate update);
  const MicroOp* end_program(const MicroOp* op);
  const MicroOp* kill(const MicroOp* op);
  const MicroOp* undocumented(const MicroOp* op);
  const MicroOp* barrier(const MicroOp* op, const MicroOp* next);
  /// The host address for a store within one page that is writable and contains no code; null in all other cases.
  u8* open_for_store(u64 address, u32 size_bytes);

  /// Stores the state of a dispatch loop when it returns.
  void leave_loop(const MicroOp* op, u32 scc, i64 budget) {
    next_op = op;
    wave.scc = scc;
    budget_left = budget;
  }

 private:
  // stops.cpp
  void add_warning(WarningKind kind, u64 address, std::string detail, std::optional<u64> producer_pc = {});
  void add_hazard(Hazard hazard, u64 address, std::string detail);
  [[nodiscard]] bool has_scalar_results(const MicroOp* op) const;
  /// The assumption about the instruction, or null; always null for a vector instruction that VSKIP skips.
  [[nodiscard]] const Assumption* assumption_about(const MicroOp* op) const;
  const MicroOp* assume(const MicroOp* op, const Assumption& assumption, u32& scc);
  const MicroOp* stop_at_code_end(const MicroOp* from, u64 address);
  const MicroOp* stop_for_warning(const MicroOp* op);
  const MicroOp* after_event(const MicroOp* op, const MicroOp* next);
  /// Enters the trap handler after an instruction; the dispatch loop returns first.
  const MicroOp* leave_for_trap(const MicroOp* op, u64 next_address);
  // control_flow.cpp
  const MicroOp* halt_if_asked(const MicroOp* op, const MicroOp* next);
  // stack_misuse.cpp
  void note_misuse(StackMisuse misuse);
  void pop_entry(const MicroOp* op, u32 entry, u64 mask, u64 pc);
  [[nodiscard]] bool holds_defined_entry(u32 entry);
  void check_waiting_lanes(u64 pc);
  // general_operands.cpp
  void check_read(const MicroOp* op, isa::OperandClass operand, u32 code, u32 dwords);
  bool may_write(const MicroOp* op, isa::OperandClass operand, u32 code, u32 dwords);
  const MicroOp* stop_at_odd_index(const MicroOp* op, u64 index);
  // memory_access.cpp
  void check_source(const MicroOp* op, u32 code, u32 dwords);
  const MicroOp* check_mapped(const MicroOp* op, const MemoryRequest& request, bool writes);
  [[nodiscard]] bool has_room(u64 address, u64 size_bytes) const;
  void load_dwords(const MemoryRequest& request, std::span<u32> dwords) const;
  void store_dwords(const MemoryRequest& request, std::span<const u32> dwords);
  void write_run(const MicroOp* op, u32 code, std::span<const u32> dwords);
  const MicroOp* read_clock(const MicroOp* op, const MicroOp* next, u32 sdata, u64 start, i64 budget);
  // vccz.cpp
  void watch_vccz(const CodeCache::Block& block);
  void track_vccz();
  void check_vccz(const MicroOp* op);
};

/// The handlers of `run_goto`, indexed by HandlerId, then those of fused instructions.
const void* const* goto_handlers();

/// The dispatch loops: run from `op` until the leave op, or until the budget does not cover the next block. The budget
/// is charged once per block, when the block is entered.
void run_switch(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget, bool looks = true);
void run_goto(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget);

/// Executes instructions one by one, from a real one on (no pseudo handler except `vector`, `faulty`, `memory`) up to
/// the next pseudo handler, or until half of VCC is written for the first time; at most `most`. Counts each in `steps`
/// before it is executed, and returns the op to continue with.
const MicroOp* execute_some(Interpreter& interpreter, const MicroOp* op, u32& scc, u64 most, u64& steps);

/// True for handlers after which the next block must be charged.
bool ends_block(HandlerId id);
/// The same for an op that has not run yet, which can also be the end of a cut block.
inline bool ends_block(const MicroOp& op) { return (op.extent & MicroOp::ends_here) != 0 || ends_block(op.id); }

}  // namespace salu::core
