#include "core/handlers.hpp"
#include "core/interpreter.hpp"

/// The reference loop: one plain switch.
namespace salu::core {
namespace {

SALU_INLINE_UNLESS_SMALL const MicroOp* dispatch(const MicroOp* op, u32* slots, u32& scc, i64 budget,
                                                 Interpreter& interpreter) {
  [[maybe_unused]] bool is_taken = false;
  switch (op->id) {
#define SALU_PSEUDO(name, call, charge)  \
  case HandlerId::name: {                \
    [[maybe_unused]] u32& new_scc = scc; \
    return call;                         \
  }
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant) \
  case HandlerId::name##_##variant: \
    return execute<Insn::name, &isa::semantics::name, Variant::variant>(op, slots, scc, interpreter, is_taken);
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords)                \
  case HandlerId::store_x##dwords##_base##base_dwords: \
    return execute_store<dwords, base_dwords>(op, slots, interpreter);
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length)                         \
  case HandlerId::load_x##dwords##_base##base_dwords##_length##length: \
    return execute_load<dwords, base_dwords, length>(op, slots, interpreter);
#include "core/load_handlers.def"
#undef SALU_LOAD
#define SALU_GENERAL(name) case HandlerId::name##_general:
#include "core/general_handlers.def"
#undef SALU_GENERAL
    return execute_general(op, scc, interpreter);
  }
  return op;
}

constexpr std::array<bool, handler_count> block_ends = by_handler([](const HandlerInfo& handler) {
  switch (handler.kind) {
    case HandlerInfo::Kind::pseudo:
      return handler.charge == Charge::always;
    case HandlerInfo::Kind::instruction:
      return isa::row(handler.insn).ends_block();
    case HandlerInfo::Kind::store:
      return true;  // it may change the code that follows
    case HandlerInfo::Kind::load:
      break;
  }
  return false;
});

}  // namespace

bool ends_block(HandlerId id) { return block_ends[static_cast<std::size_t>(id)]; }

namespace {

/// `looks`: check whether another handler runs before the op's own; needed because the switch uses handler ids.
template <bool looks>
void loop(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget) {
  while (op->id != HandlerId::leave) {
    const HandlerId id = op->id;
    const bool ends = ends_block(*op);
    if constexpr (looks) {
      if (interpreter.cache.is_in_front(op, HandlerId::pause)) {
        op = interpreter.pause(op);
        break;
      }
    }
    if (looks && !interpreter.cache.has_own_handler(op)) {
      op = interpreter.tracked(op, scc);
    } else {
      op = dispatch(op, interpreter.wave.slots.data(), scc, budget, interpreter);
    }
    if (ends) {
      budget -= op->cost;
      if (budget < 0) break;
    }
    // Scalar instructions that write a half of VCC are found by decoding, vector instructions at run time.
    if (!looks && (ends || id == HandlerId::vector) && interpreter.tracks_vccz)
      return loop<true>(interpreter, op, scc, budget);
  }
  interpreter.leave_loop(op, scc, budget);
}

}  // namespace

void run_switch(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget, bool looks) {
  looks ? loop<true>(interpreter, op, scc, budget) : loop<false>(interpreter, op, scc, budget);
}

const MicroOp* execute_some(Interpreter& interpreter, const MicroOp* op, u32& scc, u64 most, u64& steps) {
  u32 now = scc;  // a copy, so that it stays in a register
  do {
    ++steps;
    op = interpreter.after_warning(op, dispatch(op, interpreter.wave.slots.data(), now, 0, interpreter));
    // If MODE starts to request traps, the caller handles them.
  } while (--most != 0 && op->cost != 0 && !interpreter.tracks_vccz &&
           (interpreter.wave.mode >> gcn::mode_bit::debug_en & 1) == 0);
  scc = now;
  return op;
}

}  // namespace salu::core
