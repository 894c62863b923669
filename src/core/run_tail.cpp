#include "core/handlers.hpp"
#include "core/machine.hpp"

/// Tail calls: every handler is a function that calls the next one in its own place, so the loop's variables stay in
/// registers.
namespace salu::core {

#if SALU_HAS_TAIL_CALLS
namespace {

using Handler = void (*)(const MicroOp* op, u32* slots, u32 scc, i64 budget, Machine& machine);

SALU_INLINE Handler handler_of(const MicroOp* op) { return reinterpret_cast<Handler>(const_cast<void*>(op->handler)); }

void leave(const MicroOp* op, u32*, u32 scc, i64 budget, Machine& machine) { machine.leave_loop(op, scc, budget); }

#define SALU_NEXT SALU_MUSTTAIL return handler_of(op)(op, slots, scc, budget, machine)
#define SALU_CHARGE                                              \
  budget -= op->cost;                                            \
  if (budget < 0) [[unlikely]] {                                 \
    SALU_MUSTTAIL return leave(op, slots, scc, budget, machine); \
  }

#define SALU_PSEUDO(name, call, charge)                                                                    \
  void run_##name(const MicroOp* op, u32* slots, u32 scc, i64 budget, [[maybe_unused]] Machine& machine) { \
    const bool is_charged = charges<Charge::charge>(op);                                                   \
    [[maybe_unused]] u32& new_scc = scc;                                                                   \
    op = call;                                                                                             \
    if (is_charged) {                                                                                      \
      SALU_CHARGE                                                                                          \
    }                                                                                                      \
    SALU_NEXT;                                                                                             \
  }
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO

template <Insn insn, auto function, Variant variant>
void run_handler(const MicroOp* op, u32* slots, u32 scc, i64 budget, Machine& machine) {
  op = execute<insn, function, variant>(op, slots, scc, machine);
  if constexpr (ends_block_v<function>) {
    SALU_CHARGE
  }
  SALU_NEXT;
}

template <u32 dwords, u32 base_dwords, u32 length>
void run_load(const MicroOp* op, u32* slots, u32 scc, i64 budget, Machine& machine) {
  op = execute_load<dwords, base_dwords, length>(op, slots, machine);
  SALU_NEXT;
}

template <u32 dwords, u32 base_dwords>
void run_store(const MicroOp* op, u32* slots, u32 scc, i64 budget, Machine& machine) {
  op = execute_store<dwords, base_dwords>(op, slots, machine);
  SALU_CHARGE
  SALU_NEXT;
}

const void* address(Handler handler) { return reinterpret_cast<const void*>(handler); }

}  // namespace

const void* const* tail_handlers() {
  static const std::array<const void*, handler_count> table = {
#define SALU_PSEUDO(name, call, charge) address(HandlerId::name == HandlerId::leave ? leave : run_##name),
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant) address(run_handler<Insn::name, &isa::semantics::name, Variant::variant>),
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords) address(run_store<dwords, base_dwords>),
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length) address(run_load<dwords, base_dwords, length>),
#include "core/load_handlers.def"
#undef SALU_LOAD
  };
  return table.data();
}

void run_tail(Machine& machine, const MicroOp* op, u32 scc, i64 budget) {
  handler_of(op)(op, machine.slots.data(), scc, budget, machine);
}

#else

const void* const* tail_handlers() { return nullptr; }

void run_tail(Machine& machine, const MicroOp* op, u32 scc, i64 budget) { run_switch(machine, op, scc, budget); }

#endif

}  // namespace salu::core
