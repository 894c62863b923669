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
/// What decoding looks opcodes up in (predecode.cpp).
const InfoTable& info_table(Generation generation);

/// A program's code as it stands now, and its micro-ops: decoded a block at a time when the run first comes there, and
/// known afterwards for what was executed. What is executed lies in one area until `enter` goes to another.
class CodeCache {
 public:
  /// The program and the wave have to outlive it. `handlers`: by HandlerId, for the dispatch loop in use, and behind
  /// these what runs several instructions as one. `by_handlers`: whether the loop goes by the handlers of the ops
  /// alone, and not by their ids. `wave`: its slots get the literals of the decoded instructions.
  CodeCache(const Program& program, const void* const* handlers, bool by_handlers, Wave& wave);
  CodeCache(const CodeCache&) = delete;
  CodeCache(CodeCache&&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;
  CodeCache& operator=(CodeCache&&) = delete;
  ~CodeCache();

  // ---- the code as it stands ----

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] bool has_code_at(u64 address) const { return find_area(address) != nullptr; }
  /// Whether code is on the page of memory that an address is on.
  [[nodiscard]] bool has_code_on_page(u64 address) const;
  /// The code from an address to the end of its block; empty where there is none.
  [[nodiscard]] std::span<const u32> words_at(u64 address) const;
  /// The instruction at an address, decoded afresh; nothing where there is no code.
  [[nodiscard]] std::optional<isa::Instruction> instruction_at(u64 address) const;
  /// The scalar registers that the vector instruction at an address writes.
  [[nodiscard]] std::vector<isa::RegisterSpan> scalar_results_at(u64 address) const;
  /// The text of an instruction as it stands at an address, branch targets by the labels of the program.
  [[nodiscard]] std::string text_of(const isa::Instruction& instruction, u64 address) const;
  /// The text of the instruction at an address; empty where there is no code.
  [[nodiscard]] std::string text_at(u64 address) const;
  /// What the instruction at an address lacks of a symbol that its object does not define, or null.
  [[nodiscard]] const Unresolved* find_unresolved(u64 address) const;
  /// First and last address of the code that is nearest to an address; nothing when there is no code at all.
  struct Extent {
    u64 first = 0;
    u64 last = 0;
  };
  [[nodiscard]] std::optional<Extent> nearest_code(u64 address) const;

  /// Takes the words that memory has where the code lies; a block that is not mapped stays the program's. Forgets what
  /// was decoded when they are not those from before.
  void take_words(const Memory& memory);
  /// Changes a word; false when nothing lies there, or the same already. What was decoded has to be forgotten then.
  bool write_word(u64 address, u32 value);

  // ---- places in the current area ----

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
  /// Makes the area of an address the current one. Null, and as before, where there is no code.
  const MicroOp* enter(u64 address);
  /// The op on which a dispatch loop leaves.
  [[nodiscard]] const MicroOp* leave() const { return &leave_op_; }

  // ---- decoding ----

  /// For how many registers to decode. Forgets what was decoded for other numbers.
  void set_allocation(const Allocation& allocation);
  /// Instructions up to one behind which the next has to be charged anew; those of long straight code are several.
  struct Block {
    std::span<MicroOp* const> ops;  ///< until they are forgotten
    bool may_write_half_of_vcc = false;
  };
  /// Decodes the block that begins at a micro-op of the current area, after so many executed instructions.
  Block decode(const MicroOp* op, u64 steps);
  /// All that is decoded, in that order.
  [[nodiscard]] std::span<MicroOp* const> decoded() const { return {decoded_ops_.get(), decoded_count_}; }
  /// A vector instruction that is executed, by its number.
  [[nodiscard]] const VectorOp& vector_op(std::size_t number) const { return vector_ops_[number]; }
  /// Makes another handler run instead of the op's own, which it stands in front of.
  void put_in_front(MicroOp& op, HandlerId id) const { op.handler = handler(id); }
  [[nodiscard]] bool is_in_front(const MicroOp* op, HandlerId id) const { return op->handler == handler(id); }
  [[nodiscard]] bool is_undecoded(const MicroOp* op) const { return is_in_front(op, HandlerId::predecode); }
  [[nodiscard]] const void* own_handler(const MicroOp* op) const { return handler(op->id); }
  [[nodiscard]] bool has_own_handler(const MicroOp* op) const { return op->handler == own_handler(op); }

  // ---- instructions that run as one (fusion.cpp) ----

  /// Whether code is fused as soon as it is decoded. Before that, what runs once or twice would cost more than it
  /// gives.
  [[nodiscard]] bool is_hot() const { return heat_ >= hot; }
  /// Has what was decoded run as one where it can, or sees to it that it will once a loop in it has run a few times.
  void prepare(std::span<MicroOp* const> ops);
  /// An instruction that may close a loop runs again.
  void warm_up();
  /// Takes back what `prepare` did to all that is decoded.
  void separate();

  /// Forgets what was decoded, and what it wrote and executed with it.
  void forget();
  /// The same before another run of the same code with the same allocation: what was decoded need not be worked out
  /// again, but is not there until the run comes there. A run that begins at `start`, where the one before began, comes
  /// to the first block in any case, so that one stays; null: it may begin in the middle, or nobody knows where.
  void put_aside(const MicroOp* start);
  /// Says behind `put_aside` that so many steps have executed nothing of what is still decoded.
  void begin_at_step(u64 steps) { last_decoded_.steps = steps; }
  /// Whether a vector instruction has been decoded of which hardware may make something else.
  [[nodiscard]] bool has_approximate() const { return has_approximate_; }
  /// A number that is another one once words have changed.
  [[nodiscard]] u64 version() const { return version_; }

  // ---- what decoded code has done ----

  /// The same, but keeps in mind what was executed. To be called where a block has ended.
  void forget_all_but_executed(u64 steps);
  /// Says that the block decoded last has been executed up to here, and will not go on.
  void end_last_block() { last_decoded_.block = decoded_count_; }
  /// What the instructions executed in `steps` write whatever the values are, without those executed last.
  [[nodiscard]] DefinedSet defines(u64 steps, u64 without) const;
  /// Calls `visit(address)` for every instruction executed in `steps`: once each, unless code was changed or forgotten
  /// in between.
  template <class Visit>
  void visit_executed(u64 steps, const Visit& visit) const {
    for (const MicroOp* const op : decoded_and_run(steps, 0)) visit(address_in_any_area(op));
    for (const u64 address : executed_before_) visit(address);
  }
  void forget_executed() {
    // To clear a set that has been large writes over all of its table.
    if (!executed_before_.empty()) executed_before_ = {};
  }

 private:
  /// A code block and its micro-ops.
  struct Area {
    u64 base = 0;
    u64 size_bytes = 0;
    std::span<const u32> words;  ///< the program's, or `written`
    std::span<MicroOp> ops;      ///< one a dword, and one more behind the last
    std::vector<u32> written{};  ///< all words, once one of them has been changed

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
  std::vector<MicroOp*> ends_;  ///< ops that are never decoded, but end the run or leave the area
  std::vector<Area> areas_;
  Area* area_ = nullptr;
  MicroOp leave_op_;
  const SlotTables* slot_tables_ = nullptr;
  LiteralPool literals_;  ///< of the decoded instructions
  Allocation allocation_;
  /// How often what may close a loop has to run until code is fused.
  static constexpr u32 hot = 16;
  u32 heat_ = 0;
  bool has_aside_ = false;  ///< there may be ops that were put aside
  bool by_handlers_ = false;
  u64 version_ = 0;
  bool has_approximate_ = false;

  std::unique_ptr<MicroOp*[]> decoded_ops_;  ///< in the order of decoding; room for every op there is
  std::size_t decoded_count_ = 0;
  std::size_t first_block_ = 0;              ///< of them, those of the block decoded first
  std::vector<VectorOp> vector_ops_;         ///< of what is decoded
  std::unordered_set<u64> executed_before_;  ///< addresses executed before something was forgotten
  struct LastDecoded {
    std::size_t block = 0;  ///< where in `decoded_ops_` the block decoded last begins
    u64 steps = 0;          ///< executed before it
  } last_decoded_;
};

}  // namespace salu::core
