#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/literal_pool.hpp"
#include "core/micro_op.hpp"
#include "core/predecode_info.hpp"
#include "core/vector/vector_op.hpp"
#include "core/wave.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"

namespace salu::core {

struct InfoTable;
struct FusedHandler;
/// The opcode tables for decoding (predecode.cpp).
const InfoTable& info_table(Generation generation);

/// The current code of a program and its micro-ops, which are decoded a block at a time when the run first reaches
/// them. Execution is in one area at a time; `enter` changes it. Also records what was executed.
class CodeCache {
 public:
  /// The program and the wave must outlive the cache. `handlers`: those of the dispatch loop, by HandlerId, followed by
  /// the handlers of fused instructions. `by_handlers`: true if the loop uses only the handlers of the ops, not their
  /// ids. `wave`: its slots receive the literals of the decoded instructions.
  CodeCache(const Program& program, const void* const* handlers, bool by_handlers, Wave& wave);
  CodeCache(const CodeCache&) = delete;
  CodeCache(CodeCache&&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;
  CodeCache& operator=(CodeCache&&) = delete;
  ~CodeCache();

  // ---- the current code ----

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] bool has_code_at(u64 address) const { return find_area(address) != nullptr; }
  /// True if the memory page of an address contains code.
  [[nodiscard]] bool has_code_on_page(u64 address) const;
  /// The code from an address to the end of its block; empty outside of code.
  [[nodiscard]] std::span<const u32> words_at(u64 address) const;
  /// Decodes the instruction at an address; nothing outside of code.
  [[nodiscard]] std::optional<isa::Instruction> instruction_at(u64 address) const;
  /// The scalar registers that the vector instruction at an address writes.
  [[nodiscard]] std::vector<isa::RegisterSpan> scalar_results_at(u64 address) const;
  /// The text of an instruction at an address, with branch targets as labels of the program.
  [[nodiscard]] std::string text_of(const isa::Instruction& instruction, u64 address) const;
  /// The text of the instruction at an address; empty outside of code.
  [[nodiscard]] std::string text_at(u64 address) const;
  /// The undefined symbol that the instruction at an address refers to, or null.
  [[nodiscard]] const Unresolved* find_unresolved(u64 address) const;
  /// First and last address of the code nearest to an address; nothing for a program without code.
  struct Extent {
    u64 first = 0;
    u64 last = 0;
  };
  [[nodiscard]] std::optional<Extent> nearest_code(u64 address) const;

  /// Reads the words of all code blocks from memory; a block that is not mapped keeps the program's words. Forgets
  /// decoded ops if the words have changed.
  void take_words(const Memory& memory);
  /// Changes a word. Returns false if the address is outside of code or the word is unchanged; otherwise decoded ops
  /// must be forgotten.
  bool write_word(u64 address, u32 value);

  // ---- positions in the current area ----

  [[nodiscard]] u64 address_of(const MicroOp* op) const {
    return area_->base + static_cast<u64>(op - area_->ops.data()) * 4;
  }
  /// The code from a micro-op to the end of its block.
  [[nodiscard]] std::span<const u32> words_from(const MicroOp* op) const {
    return area_->words.subspan(static_cast<std::size_t>(op - area_->ops.data()));
  }
  [[nodiscard]] bool is_in_area(u64 address) const { return area_->contains(address); }
  /// The micro-op at an address in the current area.
  [[nodiscard]] const MicroOp* op_at(u64 address) const { return area_->ops.data() + (address - area_->base) / 4; }
  /// Makes the area of an address the current one. Returns null and changes nothing outside of code.
  const MicroOp* enter(u64 address);
  /// The op that makes a dispatch loop return.
  [[nodiscard]] const MicroOp* leave() const { return &leave_op_; }

  // ---- decoding ----

  /// Sets the number of registers. Forgets ops that were decoded for other numbers.
  void set_allocation(const Allocation& allocation);
  /// Instructions up to one after which the budget is charged again; long straight-line code is cut into several
  /// blocks.
  struct Block {
    std::span<MicroOp* const> ops;  ///< valid until they are forgotten
    bool may_write_half_of_vcc = false;
  };
  /// Decodes the block that begins at a micro-op of the current area. `steps`: instructions executed so far.
  Block decode(const MicroOp* op, u64 steps);
  /// All decoded ops, in the order of decoding.
  [[nodiscard]] std::span<MicroOp* const> decoded() const { return {decoded_ops_.get(), decoded_count_}; }
  /// An executed vector instruction, by its number.
  [[nodiscard]] const VectorOp& vector_op(std::size_t number) const { return vector_ops_[number]; }
  /// Makes another handler run before or instead of the op's own.
  void put_in_front(MicroOp& op, HandlerId id) const { op.handler = handler(id); }
  [[nodiscard]] bool is_in_front(const MicroOp* op, HandlerId id) const { return op->handler == handler(id); }
  [[nodiscard]] bool is_undecoded(const MicroOp* op) const { return is_in_front(op, HandlerId::predecode); }
  [[nodiscard]] const void* own_handler(const MicroOp* op) const { return handler(op->id); }
  [[nodiscard]] bool has_own_handler(const MicroOp* op) const { return op->handler == own_handler(op); }

  // ---- fused instructions (fusion.cpp) ----

  /// True if code is fused when it is decoded. Before that, fusing code that runs once or twice would cost more than it
  /// saves.
  [[nodiscard]] bool is_hot() const { return heat_ >= hot; }
  /// Fuses decoded ops where possible, or arranges to do so once a loop in them has run a few times.
  void prepare(std::span<MicroOp* const> ops);
  /// Called when an instruction that may close a loop runs.
  void warm_up();
  /// Undoes `prepare` for all decoded ops.
  void separate();

  /// Forgets decoded ops, including what they wrote and executed.
  void forget();
  /// Invalidates the ops before another run of the same code with the same allocation. They keep their decoded
  /// contents, but are not valid until the run reaches them. A run that begins at `start`, like the one before, always
  /// reaches the first block, so this block stays valid; null: the start may be in the middle of a block or is unknown.
  void put_aside(const MicroOp* start);
  /// Called after `put_aside`: the ops that are still decoded have not been executed in the first `steps` steps.
  void begin_at_step(u64 steps) { last_decoded_.steps = steps; }
  /// True if a vector instruction has been decoded whose result on hardware may differ.
  [[nodiscard]] bool has_approximate() const { return has_approximate_; }
  /// A number that changes when words change.
  [[nodiscard]] u64 version() const { return version_; }

  // ---- results of decoded code ----

  /// Like `forget`, but keeps the list of executed instructions. Must be called at the end of a block.
  void forget_all_but_executed(u64 steps);
  /// Records that the last decoded block was executed up to here and will not continue.
  void end_last_block() { last_decoded_.block = decoded_count_; }
  /// The registers that the instructions executed in `steps` write for all values, except the last `without`
  /// instructions.
  [[nodiscard]] DefinedSet defines(u64 steps, u64 without) const;
  /// Calls `visit(address)` for every instruction executed in `steps`: once each, unless code was changed or forgotten.
  template <class Visit>
  void visit_executed(u64 steps, const Visit& visit) const {
    for (const MicroOp* const op : decoded_and_run(steps, 0)) visit(address_in_any_area(op));
    for (const u64 address : executed_before_) visit(address);
  }
  void forget_executed() {
    // Clearing a set that was once large would write to its whole table.
    if (!executed_before_.empty()) executed_before_ = {};
  }

 private:
  /// A code block and its micro-ops.
  struct Area {
    u64 base = 0;
    u64 size_bytes = 0;
    std::span<const u32> words;  ///< those of the program, or `written`
    std::span<MicroOp> ops;      ///< one per dword, and one after the last
    std::vector<u32> written{};  ///< a copy of all words, once one of them has changed

    [[nodiscard]] bool contains(u64 address) const { return address - base < size_bytes; }
  };
  struct Decoded {
    const PredecodeInfo* info = nullptr;
    u32 dwords = 0;
  };

  [[nodiscard]] const void* handler(HandlerId id) const { return handlers_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] MicroOp undecoded() const;
  void forget(MicroOp& op) const;
  void put_end(const Area& area, u64 address, HandlerId id);
  [[nodiscard]] const Area* find_area(u64 address) const;
  [[nodiscard]] u64 address_in_any_area(const MicroOp* op) const;
  [[nodiscard]] std::span<MicroOp* const> decoded_and_run(u64 steps, u64 without) const;
  // fusion.cpp
  [[nodiscard]] bool is_watched(const MicroOp* op) const;
  [[nodiscard]] bool is_scc_replaced(const MicroOp* op) const;
  [[nodiscard]] bool fits(const FusedHandler& fused, const MicroOp* op) const;
  void fuse(std::span<MicroOp* const> ops);
  // predecode.cpp
  u32 assign_slots(MicroOp& op, const PredecodeInfo& info, u32 word, std::size_t index);
  Decoded decode_into(MicroOp& op, std::size_t index);
  Decoded decode_slowly(MicroOp& op, std::size_t index);
  void cut_behind(MicroOp& op) const;
  Decoded decode_vector(MicroOp& op, std::size_t index, u32 dwords);
  bool assign_access(MicroOp& op, const isa::Instruction& instruction) const;

  const Program& program_;
  Generation generation_;
  const InfoTable* infos_;
  const void* const* handlers_;
  std::vector<MicroOp> ops_;    ///< of all areas
  std::vector<MicroOp*> ends_;  ///< ops that are never decoded; they end the run or leave the area
  std::vector<Area> areas_;
  Area* area_ = nullptr;
  MicroOp leave_op_;
  const SlotTables* slot_tables_ = nullptr;
  LiteralPool literals_;  ///< of the decoded instructions
  Allocation allocation_;
  /// The number of runs of a possible loop end after which code is fused.
  static constexpr u32 hot = 16;
  u32 heat_ = 0;
  bool has_aside_ = false;  ///< some ops may be invalidated but keep their contents
  bool by_handlers_ = false;
  u64 version_ = 0;
  bool has_approximate_ = false;

  std::unique_ptr<MicroOp*[]> decoded_ops_;  ///< in the order of decoding; large enough for every op
  std::size_t decoded_count_ = 0;
  std::size_t first_block_ = 0;              ///< number of ops in the block decoded first
  std::vector<VectorOp> vector_ops_;         ///< decoded vector instructions
  std::unordered_set<u64> executed_before_;  ///< addresses executed before ops were forgotten
  struct LastDecoded {
    std::size_t block = 0;  ///< index in `decoded_ops_` of the block decoded last
    u64 steps = 0;          ///< executed before that block
  } last_decoded_;
};

}  // namespace salu::core
