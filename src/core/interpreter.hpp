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

namespace salu::core {

struct MemoryRequest;

/// A wave with its code, its memory and the conditions that end its run. The handlers of instructions
/// (core/handlers.hpp) and the dispatch loops work on it; other modules use `Machine`.
struct Interpreter {
  Interpreter(const Program& program, const void* const* handlers, bool by_handlers)
      : wave(program), cache(program, handlers, by_handlers, wave) {}

  Wave wave;
  std::unique_ptr<VectorFile> vectors;  ///< null until there is something in it
  CodeCache cache;
  RunControl control;
  MemoryPort port;
  PushedEntries pushed;              ///< what lies on the control stack
  std::vector<StackMisuse> misuses;  ///< misuse of it whose warnings say nothing yet
  Clock clock;
  OnVector on_vector = OnVector::run;
  u64 max_memory_bytes = RunOptions{}.max_memory_bytes;

  const MicroOp* next_op = nullptr;  ///< null when the run stopped, or the PC is outside all code
  u64 pc_at_rest = 0;                ///< the PC then
  u64 steps = 0;                     ///< executed in the runs before the current one
  i64 granted = 0;                   ///< step budget of the current run
  i64 budget_left = 0;               ///< what the dispatch loop left of it
  u64 skipped_vector = 0;
  std::vector<u64> assumed;       ///< addresses of instructions that did what is assumed about them
  bool has_lost_vectors = false;  ///< to one of them: not to VSKIP, which is meant to leave no results
  u64 traps_entered = 0;          ///< without those of S_TRAP
  bool tracks_vccz = false;       ///< a half of VCC may be written alone: what writes VCC or tests VCCZ is watched

  /// The vector registers, to read and to write.
  VectorFile& vector_file() { return vectors ? *vectors : make_vector_file(); }
  VectorFile& make_vector_file();
  void load_vectors(const VectorRegisters& registers);
  /// Makes an address the place to go on at.
  void begin_at(u64 address);
  [[nodiscard]] DefinedSet defined() const {
    return wave.defined | cache.defines(steps, control.stopped_before_effect ? 1 : 0);
  }
  /// Forgets what is decoded, but not what that has written and executed.
  void decode_again();

  // ---- warnings and stops ----

  /// Records a warning, once per kind and address; only then is `detail` asked for its sentence. Under strict the run
  /// stops behind the instruction.
  template <class Detail>
  void warn(WarningKind kind, u64 address, const Detail& detail) {
    if (control.warnings.is_new(kind, address)) add_warning(kind, address, detail());
  }
  template <class Detail>
  void warn(WarningKind kind, const MicroOp* op, const Detail& detail) {
    warn(kind, cache.address_of(op), detail);
  }
  /// The same of a hazard, once for each two instructions.
  template <class Detail>
  void warn(const Hazard& hazard, u64 address, const Detail& detail) {
    if (control.warnings.is_new(hazard, address)) add_hazard(hazard, address, detail());
  }
  void warn_unspecified(const MicroOp* op);
  void warn_unmodelled(const MicroOp* op);
  void warn_exec_destination(const MicroOp* op);
  /// Where to go on after a handler that may have warned: `next`, or out under strict.
  const MicroOp* after_warning(const MicroOp* op, const MicroOp* next) {
    return control.has_event ? after_event(op, next) : next;
  }
  /// Notes exceptions in TRAPSTS; those that EXCP_EN allows lead to the trap handler after the instruction.
  void raise(u32 exceptions);
  /// Has the run look at MODE and STATUS after the instruction, where they call for a trap after each one.
  void look_for_debugging() {
    if (wave.traps_each()) control.has_event = true;
  }
  /// Enters the trap handler between two instructions. Without code at TBA the run stops.
  const MicroOp* enter_trap(const MicroOp* op, u64 next_address);
  /// The same because MODE.DEBUG_EN asks for it.
  const MicroOp* trap_after_instruction(const MicroOp* op, u64 next_address);
  /// Ends the run at an instruction (null: at none), to be reported at its address or another one.
  const MicroOp* stop_at(const MicroOp* op, StopReason reason, std::string detail, std::optional<u64> report_pc = {});

  // ---- where to go on ----

  /// The micro-op at an address, in this code area or another one; the op that leaves when there is no code.
  const MicroOp* jump(const MicroOp* from, u64 address) {
    const u64 target = address & wave.address_mask;
    if (cache.is_in_area(target)) [[likely]]
      return cache.op_at(target);
    return far_jump(from, target);
  }
  /// The address is outside the current code area; `from` is the instruction that went there, if any.
  const MicroOp* far_jump(const MicroOp* from, u64 address);
  /// The general form of a direct branch: `imm` is SIMM16.
  const MicroOp* far_branch(const MicroOp* op, bool taken);

  // ---- pseudo handlers (core/pseudo_handlers.def) ----

  const MicroOp* predecode(const MicroOp* op, i64 budget);
  const MicroOp* outside(const MicroOp* op);
  const MicroOp* code_end(const MicroOp* op);
  const MicroOp* faulty(const MicroOp* op);
  /// A vector instruction, or any other about which something is assumed.
  const MicroOp* vector(const MicroOp* op, u32& scc);
  const MicroOp* pause(const MicroOp* op) {
    control.paused_at = op;
    return cache.leave();
  }
  /// Executes an instruction and notes what it does to VCC.
  const MicroOp* tracked(const MicroOp* op, u32& scc);
  /// The same for what writes a half of VCC, or all of it, and does nothing else with it: its own handler runs next.
  const MicroOp* before_vcc_write(const MicroOp* op, bool half) {
    wave.vccz_is_stale = half;
    if (half) wave.half_vcc_writer = cache.address_of(op);
    return op;
  }
  const MicroOp* warm(const MicroOp* op) {
    cache.warm_up();
    return op;
  }
  /// Any scalar memory instruction. `budget` is what the loop has left.
  const MicroOp* access_memory(const MicroOp* op, i64 budget);

  // ---- operands that a general handler resolves when it runs ----

  u32 read_general32(const MicroOp* op, u32 code, u32 scc);
  u64 read_general64(const MicroOp* op, u32 code, u32 scc);
  void write_general32(const MicroOp* op, u32 code, u32 value);
  void write_general64(const MicroOp* op, u32 code, u64 value);

  /// Records that `op` wrote registers from an operand code on, which may include VCC.
  void note_vcc_write(const MicroOp* op, u32 code, u32 dwords);

  // ---- memory ----

  /// The stop at a byte that is not mapped or may not be written; `what` names it.
  const MicroOp* stop_at_barred(const MicroOp* op, u64 byte, const std::string& what);
  /// The stop for a store of at most a page for which there is no room, or null.
  const MicroOp* check_room(const MicroOp* op, u64 address, u64 size_bytes);
  /// Stores an aligned dword, whatever the access rights; it may be code.
  void store_dword(u64 address, u32 value);

  // ---- results that are more than a register and SCC; `next` is the op after this one ----

  /// What reads registers by an index that comes to none reads from s0 on, with a warning; null unless it stops there.
  const MicroOp* check_relative_source(const MicroOp* op, u64 index, u32 dwords);
  /// The same of what writes such registers: it stops, or writes nothing.
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
  const MicroOp* barrier(const MicroOp* op);
  /// Host bytes to store to within one page that may all be written and holds no code; null when it is not so.
  u8* open_for_store(u64 address, u32 size_bytes);

  /// What a dispatch loop leaves behind.
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
  /// What is assumed about the instruction, or null; nothing is about a vector instruction that VSKIP skips.
  [[nodiscard]] const Assumption* assumption_about(const MicroOp* op) const;
  const MicroOp* assume(const MicroOp* op, const Assumption& assumption, u32& scc);
  const MicroOp* stop_at_code_end(const MicroOp* from, u64 address);
  const MicroOp* stop_for_warning(const MicroOp* op);
  const MicroOp* after_event(const MicroOp* op, const MicroOp* next);
  /// Enters the trap handler after an instruction; a dispatch loop is left first.
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
/// is charged a block at a time when the block is entered.
void run_switch(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget, bool looks = true);
void run_goto(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget);

/// Executes instructions one by one, from a real one on (no pseudo handler but `vector`, `faulty`, `memory`) up to the
/// next pseudo handler, or until half of VCC is written for the first time, and `most` at most. Counts them in `steps`,
/// each before it is executed, and returns the op to go on with.
const MicroOp* execute_some(Interpreter& interpreter, const MicroOp* op, u32& scc, u64 most, u64& steps);

/// True for handlers after which the next block has to be charged.
bool ends_block(HandlerId id);
/// The same for an op that has yet to run, which may also be where a long block was cut.
inline bool ends_block(const MicroOp& op) { return (op.extent & MicroOp::ends_here) != 0 || ends_block(op.id); }

}  // namespace salu::core
