#pragma once

#include <salu/run.hpp>
#include <salu/state.hpp>

#include <array>
#include <bitset>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/memory_port.hpp"
#include "core/micro_op.hpp"
#include "core/predecode_info.hpp"
#include "core/pushed_entries.hpp"
#include "isa/decode.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/values.hpp"

namespace salu::core {

/// A code block and its micro-ops.
struct CodeArea {
  u64 base = 0;
  u64 size_bytes = 0;
  std::span<const u32> words;      ///< the program's, or `written`
  std::unique_ptr<MicroOp[]> ops;  ///< one a dword, and one more behind the last
  std::vector<u32> written;        ///< all words, once one of them has been changed
};

/// Which dwords of a state have been written, by `WaveState::defined` index.
using DefinedSet = std::bitset<state_index::defined_count>;

struct InfoTable;
struct MemoryRequest;
const InfoTable& info_table(Generation generation);

/// One wavefront's scalar unit with its code: predecodes on first touch, executes until something stops it.
class Machine {
 public:
  /// The program must outlive the machine.
  explicit Machine(const Program& program, Dispatch dispatch = Dispatch::best);
  Machine(const Machine&) = delete;
  Machine(Machine&&) = delete;
  Machine& operator=(const Machine&) = delete;
  Machine& operator=(Machine&&) = delete;
  ~Machine() = default;

  void set_strict(bool strict) { strict_ = strict; }
  void set_on_vector(OnVector on_vector) { on_vector_ = on_vector; }
  void set_clock(const Clock& clock) { clock_ = clock; }

  /// Takes over what loads and stores see. The program's code is to be in `memory` (`place_code`), and what stands
  /// there is what runs; a block that is not in memory is run as the program has it.
  void set_memory(const Memory& memory);
  /// Memory as it is now.
  [[nodiscard]] Memory memory() { return port_.snapshot(); }
  /// The same to look at until the next run; a copy of it that outlives that has to come from `memory`.
  [[nodiscard]] const Memory& memory_now() const { return port_.memory(); }

  /// Takes a state over; clears stops, warnings, step count and decoded code.
  void set_state(const WaveState& state);
  /// Everything as a plain value again. `pc` is the next instruction's address, or after a stop the address that the
  /// stop reports.
  [[nodiscard]] WaveState state() const;
  /// Forgets what was decoded, and what it wrote and executed with it.
  void forget_code();

  /// Runs up to `max_steps` instructions with the chosen dispatch loop; returns how many. `stopped()` tells whether it
  /// ended by itself.
  u64 run(u64 max_steps);
  /// The same one instruction at a time, through the same handlers.
  u64 run_exactly(u64 max_steps);

  [[nodiscard]] bool stopped() const { return stopped_; }
  /// Makes `run` return in front of a vector instruction that it would pass over and whose scalar results would be
  /// missing then, and where the budget does not cover the next block. `run_exactly` goes on from there.
  void set_pause_at_scalar_results(bool pause) { pause_at_scalar_results_ = pause; }
  /// The same in front of every instruction that a filter picks, by its address. It is asked once for each instruction
  /// that is decoded, so others run as fast as without it. An empty filter picks
  /// nothing.
  using PauseFilter = std::function<bool(u64 address)>;
  void set_pause_filter(PauseFilter filter);
  /// Asks the filter again for every instruction.
  void ask_pause_filter_again();

  /// Enough to come back to where the machine is, as long as it has not stopped.
  struct Snapshot {
    WaveState state;
    Memory memory;
    u64 steps = 0;
    u64 skipped_vector = 0;
    bool vccz_is_stale = false;
    PushedEntries pushed;
    std::shared_ptr<const std::vector<Warning>> warnings;  ///< shared between snapshots that have the same
  };
  [[nodiscard]] Snapshot snapshot();
  /// Goes back to a snapshot of this machine. What `visit_executed` visits begins anew.
  void restore(const Snapshot& snapshot);
  /// Instructions executed since `set_state`, or on the way to a snapshot and from there.
  [[nodiscard]] u64 steps() const { return steps_; }
  /// Why, once `stopped()`.
  [[nodiscard]] Stop stop() const;
  /// The reason alone, without the cost of the texts.
  [[nodiscard]] StopReason stop_reason() const { return stop_.reason; }
  /// Calls `visit(address)` for every instruction that has run since `set_state`, the one that ended the run included:
  /// once each, unless code was changed or forgotten in between.
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    for (const MicroOp* const op : decoded_and_run(0)) visit(address_in_any_area(op));
    for (const u64 address : executed_before_) visit(address);
  }
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  [[nodiscard]] u64 skipped_vector() const { return skipped_vector_; }
  /// What lies on the control stack.
  [[nodiscard]] const PushedEntries& pushed() const { return pushed_; }
  /// Misuse of the control stack whose warnings say nothing yet.
  [[nodiscard]] const std::vector<StackMisuse>& misuses() const { return misuses_; }
  /// Gives one of these its sentence. `forget_misuses` when all have one.
  void explain_misuse(const StackMisuse& misuse, std::optional<u64> culprit_pc, u64 victim_pc, std::string detail);
  void forget_misuses() { misuses_.clear(); }
  /// Address of the instruction that would run next.
  [[nodiscard]] u64 pc() const { return op_ == nullptr ? pc_ : address_of(op_); }
  [[nodiscard]] Generation generation() const { return generation_; }
  /// The code from an address to the end of its block, as it stands there now; empty where there is none.
  [[nodiscard]] std::span<const u32> words_at(u64 address) const;
  /// The instruction at an address, decoded afresh; nothing where there is no code.
  [[nodiscard]] std::optional<isa::Instruction> instruction_at(u64 address) const;
  /// The scalar registers that the vector instruction at an address writes.
  [[nodiscard]] std::vector<isa::RegisterSpan> scalar_results_at(u64 address) const;
  /// The text of an instruction as it stands at an address, branch targets by the labels of the program.
  [[nodiscard]] std::string text_of(const isa::Instruction& instruction, u64 address) const;
  /// The text of the instruction at an address; empty where there is no code.
  [[nodiscard]] std::string text_at(u64 address) const;
  /// Records a warning, once per kind and address; only then is `detail` asked for its sentence. Under strict the run
  /// stops behind the instruction.
  template <class Detail>
  void warn(WarningKind kind, u64 pc, const Detail& detail) {
    if (warned_.insert(warning_key(kind, pc)).second) add_warning(kind, pc, detail());
  }
  /// Current value of a register dword by operand code, without side effects; TBA and TMA included.
  [[nodiscard]] u32 peek(u32 code) const;
  /// Dword 0 or 1 of TBA, 2 or 3 for TMA.
  [[nodiscard]] u32 peek_trap_address(u32 dword) const {
    return static_cast<u32>((dword < 2 ? tba_ : tma_) >> (dword % 2 * 32));
  }
  [[nodiscard]] bool peek_scc() const { return scc_ != 0; }
  /// Whether TTMPs read as 0 now.
  [[nodiscard]] bool hides_ttmps() const { return generation_info(generation_).ttmps_need_priv && !priv(); }
  /// Current value of a hardware register, live bits included, without side effects.
  [[nodiscard]] u32 peek_hwreg(u32 reg) const;
  [[nodiscard]] u32 allocated_sgprs() const { return sgprs_; }
  /// Dword `i` of a source of `dwords` dwords at an operand code: of s0 on where it is beyond the allocation.
  [[nodiscard]] u32 peek_source(u32 code, u32 dwords, u32 i) const;
  /// What the next instruction finds in a source operand of 1 or 2 dwords, by its code: registers (of s0 on where they
  /// are beyond the allocation), constants, apertures, VCCZ, EXECZ, SCC; `literal` is the dword behind the instruction.
  [[nodiscard]] u64 peek_operand(u8 code, u32 dwords, u32 literal) const;
  [[nodiscard]] u32 peek_memory(u64 address) const { return port_.memory().read_dword(address); }
  /// Whether all bytes of a range are mapped, and can be written where that matters.
  [[nodiscard]] bool is_accessible(u64 address, u64 size_bytes, bool writes) const {
    const Memory& memory = port_.memory();
    return writes ? memory.is_writable(address, size_bytes) : memory.is_mapped(address, size_bytes);
  }
  /// What an address comes to: the bits that the generation has, without the two low ones.
  [[nodiscard]] u64 data_address(u64 address) const { return address & pc_mask_; }

  // ---- for the handlers (core/handlers.hpp) and the dispatch loops only ----

  alignas(64) std::array<u32, slot_count> slots;
  u32 mode = 0;
  u32 status = 0;

  [[nodiscard]] u64 address_of(const MicroOp* op) const {
    return area_->base + static_cast<u64>(op - area_->ops.get()) * 4;
  }
  /// The micro-op at an address, in this code area or another one; the op that leaves when there is no code.
  const MicroOp* jump(const MicroOp* from, u64 address) {
    const u64 offset = (address & pc_mask_) - area_->base;
    if (offset < area_->size_bytes) [[likely]]
      return area_->ops.get() + offset / 4;
    return far_jump(from, address & pc_mask_);
  }
  /// The general form of a direct branch: `op->imm` is SIMM16.
  const MicroOp* far_branch(const MicroOp* op, bool taken);

  // Pseudo handlers.
  const MicroOp* predecode(const MicroOp* op, i64 budget);
  const MicroOp* outside(const MicroOp* op);
  const MicroOp* code_end(const MicroOp* op);
  const MicroOp* faulty(const MicroOp* op);
  const MicroOp* vector(const MicroOp* op);
  /// Whether the handler that pauses stands in front of an instruction.
  [[nodiscard]] bool pauses_at(const MicroOp* op) const {
    return op->handler == handlers_[static_cast<std::size_t>(HandlerId::pause)];
  }
  const MicroOp* pause(const MicroOp* op) {
    paused_at_ = op;
    return &leave_op_;
  }
  /// Whether VCCZ is watched, and whether in front of an instruction.
  [[nodiscard]] bool tracks_vccz() const { return tracks_vccz_; }
  [[nodiscard]] bool is_tracked(const MicroOp* op) const {
    return op->handler == handlers_[static_cast<std::size_t>(HandlerId::tracked)];
  }
  /// Executes an instruction and notes what it does to VCC.
  const MicroOp* tracked(const MicroOp* op, u32& scc);
  /// Any scalar memory instruction. `budget` is what the loop has left.
  const MicroOp* access_memory(const MicroOp* op, i64 budget);
  MemoryPort& port() { return port_; }
  /// Host bytes to store to within one page that may all be written and holds no code; null when it is not so.
  u8* open_for_store(u64 address, u32 size_bytes);

  // Operands that a general handler resolves when it runs.
  u32 read_general32(const MicroOp* op, u32 code, u32 scc);
  u64 read_general64(const MicroOp* op, u32 code, u32 scc);
  void write_general32(const MicroOp* op, u32 code, u32 value);
  void write_general64(const MicroOp* op, u32 code, u64 value);

  // Results that are more than a register and SCC. `next` is the op after this one.
  const MicroOp* move_relative_source(const MicroOp* op, const MicroOp* next, u64 index, u32 dwords);
  const MicroOp* move_relative_destination(const MicroOp* op, const MicroOp* next, u64 index, u32 dwords, u64 value);
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
  void warn_unspecified(const MicroOp* op);
  void warn_unmodelled(const MicroOp* op);
  void warn_exec_destination(const MicroOp* op);
  /// Where to go on after a handler that may have warned: `next`, or out under strict.
  const MicroOp* after_warning(const MicroOp* op, const MicroOp* next) {
    return warning_stop_ ? stop_for_warning(op) : next;
  }
  void mark_defined(u32 first, u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) defined_dynamic_.set(first + i);
  }

  /// What a dispatch loop leaves behind.
  void leave_loop(const MicroOp* op, u32 scc, i64 budget) {
    op_ = op;
    scc_ = scc;
    budget_ = budget;
  }

 private:
  // machine.cpp
  void begin_at(u64 address);
  [[nodiscard]] const CodeArea* find_area(u64 address) const;
  [[nodiscard]] u64 address_in_any_area(const MicroOp* op) const;
  bool ready_to_run();
  /// Whether `run` leaves it to the caller how to go on where it pauses or the budget does not cover a block.
  [[nodiscard]] bool may_pause() const { return pause_at_scalar_results_ || pause_filter_ != nullptr; }
  // predecode.cpp
  struct Decoded {
    const PredecodeInfo* info;
    u32 dwords;
  };
  u32 assign_slots(MicroOp& op, const PredecodeInfo& info, u32 word, std::size_t index) const;
  Decoded decode_into(MicroOp& op, std::size_t index) const;
  Decoded decode_slowly(MicroOp& op, std::size_t index) const;
  bool assign_access(MicroOp& op, const isa::Instruction& instruction) const;
  [[nodiscard]] std::span<MicroOp* const> decoded_and_run(u64 without) const;
  [[nodiscard]] DefinedSet defined() const;
  // faults.cpp
  static constexpr u64 warning_key(WarningKind kind, u64 pc) {
    constexpr u32 kind_bits = 4;
    return pc << kind_bits | static_cast<u64>(kind);
  }
  [[nodiscard]] const Unresolved* find_unresolved(u64 address) const;
  void add_warning(WarningKind kind, u64 pc, std::string detail);
  [[nodiscard]] bool has_scalar_results(const MicroOp* op) const;
  const MicroOp* far_jump(const MicroOp* from, u64 address);
  const MicroOp* stop_at_code_end(const MicroOp* from, u64 address);
  const MicroOp* stop_at(const MicroOp* op, StopReason reason, std::string detail, std::optional<u64> report_pc = {});
  const MicroOp* stop_for_warning(const MicroOp* op);
  // control.cpp
  const MicroOp* halt_if_asked(const MicroOp* op, const MicroOp* next);
  void set_csp(u32 csp) { mode = (mode & ~(7U << mode_bit::csp)) | csp << mode_bit::csp; }
  // stack_misuse.cpp
  void note_misuse(StackMisuse misuse);
  void pop_entry(const MicroOp* op, u32 entry, u64 mask, u64 pc);
  [[nodiscard]] bool holds_defined_entry(u32 entry);
  void check_waiting_lanes(u64 pc);
  // general_operands.cpp
  [[nodiscard]] bool in_allocation(u32 code, u32 dwords) const { return code + dwords <= sgprs_; }
  [[nodiscard]] bool priv() const { return (status >> status_bit::priv & 1) != 0; }
  [[nodiscard]] u64 aperture(u32 code) const;
  /// The value alone: who executes the instruction warns of what is out of range or unspecified.
  template <u32 dwords>
  [[nodiscard]] u64 source_value(isa::OperandClass operand, u32 code, u32 scc) const;
  void check_read(const MicroOp* op, isa::OperandClass operand, u32 code, u32 dwords);
  bool may_write(const MicroOp* op, u32 code, u32 dwords);
  const MicroOp* check_relative(const MicroOp* op, u64 index, u32 dwords, bool& in_range);
  // memory_access.cpp
  void check_source(const MicroOp* op, u32 code, u32 dwords);
  const MicroOp* check_mapped(const MicroOp* op, const MemoryRequest& request, bool writes);
  void load_dwords(const MemoryRequest& request, std::span<u32> dwords) const;
  void store_dwords(const MemoryRequest& request, std::span<const u32> dwords);
  [[nodiscard]] bool has_code_on_page(u64 address) const;
  void write_code(u64 address, u32 value);
  void write_run(const MicroOp* op, u32 code, std::span<const u32> dwords);
  const MicroOp* read_clock(const MicroOp* op, const MicroOp* next, u32 sdata, u64 start, i64 budget);
  // vccz.cpp
  void watch_vccz(std::span<MicroOp* const> block);
  void track_vccz();
  void put_tracker(MicroOp& op);
  void note_vcc_write(u32 code, u32 dwords);
  void check_vccz(const MicroOp* op);
  // hwreg_access.cpp
  [[nodiscard]] u32 full_status(u32 scc) const;
  [[nodiscard]] u32 stored_hwreg(u32 reg, u32 scc) const;

  const Program& program_;
  Generation generation_;
  u64 pc_mask_;
  const InfoTable* infos_;
  Dispatch dispatch_;
  const void* const* handlers_;  ///< by HandlerId, for the dispatch loop in use
  std::vector<CodeArea> areas_;
  const CodeArea* area_ = nullptr;
  MicroOp leave_op_;
  bool strict_ = false;
  OnVector on_vector_ = OnVector::stop;
  bool pause_at_scalar_results_ = false;
  PauseFilter pause_filter_;
  const MicroOp* paused_at_ = nullptr;  ///< the instruction in front of which the dispatch loop left
  Clock clock_;
  MemoryPort port_;

  const SlotTables* slot_tables_ = nullptr;
  u32 sgprs_ = 0;
  u64 tba_ = 0;
  u64 tma_ = 0;
  std::array<u32, 64> hwregs_{};

  const MicroOp* op_ = nullptr;  ///< the next instruction; null when the PC is outside all code
  u64 pc_ = 0;                   ///< the PC to report when `op_` is null or the run stopped
  u32 scc_ = 0;
  i64 budget_ = 0;

  bool tracks_vccz_ = false;    ///< a half of VCC may be written alone
  bool vccz_is_stale_ = false;  ///< it was, and the whole has not been written since

  PushedEntries pushed_;
  std::vector<StackMisuse> misuses_;

  bool stopped_ = false;
  bool warning_stop_ = false;
  const MicroOp* stopped_op_ = nullptr;  ///< the instruction that ended the run; null when none did
  bool stopped_before_effect_ = false;   ///< it faulted and wrote nothing
  Stop stop_;                            ///< without the instruction's text, which costs more than many a run
  std::vector<Warning> warnings_;
  std::unordered_set<u64> warned_;  ///< kind and address of each
  std::shared_ptr<const std::vector<Warning>>
      kept_warnings_;  ///< the same as `warnings_`, for snapshots; null when not
  u64 skipped_vector_ = 0;

  u64 steps_ = 0;    ///< executed since set_state, in the runs before the current one
  i64 granted_ = 0;  ///< step budget of the current run

  DefinedSet defined_initial_;
  /// Written depending on values; what decoded code always writes is found from `decoded_ops_`.
  DefinedSet defined_dynamic_;
  std::unique_ptr<MicroOp*[]> decoded_ops_;  ///< in the order of decoding; room for every op there is
  std::size_t decoded_count_ = 0;
  std::unordered_set<u64> executed_before_;  ///< addresses executed before the program changed its code
  struct LastDecoded {
    std::size_t block = 0;  ///< where in `decoded_ops_` the block decoded last begins
    u64 steps = 0;          ///< executed before it
  } last_decoded_;
};

/// Micro-op handlers of the dispatch loops, indexed by HandlerId; null where the build lacks a loop.
const void* const* goto_handlers();
const void* const* tail_handlers();

/// The dispatch loops: run from `op` until the leave op, or until the budget does not cover the next block. The budget
/// is charged a block at a time when the block is entered.
void run_switch(Machine& machine, const MicroOp* op, u32 scc, i64 budget, bool looks = true);
void run_goto(Machine& machine, const MicroOp* op, u32 scc, i64 budget);
void run_tail(Machine& machine, const MicroOp* op, u32 scc, i64 budget);

/// Executes one real instruction (no pseudo handler but `vector`, `faulty`, `memory`) and returns the op to go on
/// with.
const MicroOp* execute_one(Machine& machine, const MicroOp* op, u32& scc);

/// True for handlers after which the next block has to be charged.
bool ends_block(HandlerId id);

}  // namespace salu::core
