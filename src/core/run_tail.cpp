#include "core/engine.hpp"
#include "core/fused_handlers.hpp"
#include "core/handlers.hpp"

/// Tail calls: every handler is a function that calls the next one in its own place, so the loop's variables stay in
/// registers.
namespace salu::core {

#if SALU_HAS_TAIL_CALLS
namespace {

using Handler = void (*)(const MicroOp* op, u32* slots, u32 scc, i64 budget, Engine& engine);

SALU_INLINE Handler as_function(const void* handler) { return reinterpret_cast<Handler>(const_cast<void*>(handler)); }

void leave(const MicroOp* op, u32*, u32 scc, i64 budget, Engine& engine) { engine.leave_loop(op, scc, budget); }

#define SALU_NEXT SALU_MUSTTAIL return as_function(op->handler)(op, slots, scc, budget, engine)
#define SALU_CHARGE                                             \
  budget -= op->cost;                                           \
  if (budget < 0) [[unlikely]] {                                \
    SALU_MUSTTAIL return leave(op, slots, scc, budget, engine); \
  }

#define SALU_GO_ON(last)                       \
  if constexpr (isa::row(last).branches()) {   \
    if (is_taken) {                            \
      SALU_CHARGE                              \
      SALU_NEXT;                               \
    }                                          \
  }                                            \
  if constexpr (isa::row(last).ends_block()) { \
    SALU_CHARGE                                \
  }                                            \
  SALU_NEXT;

#define SALU_PSEUDO(name, call, charge)                                                                  \
  void run_##name(const MicroOp* op, u32* slots, u32 scc, i64 budget, [[maybe_unused]] Engine& engine) { \
    const bool is_charged = charges<Charge::charge>(op);                                                 \
    [[maybe_unused]] u32& new_scc = scc;                                                                 \
    op = call;                                                                                           \
    if constexpr (Charge::charge == Charge::own_handler) {                                               \
      SALU_MUSTTAIL return as_function(engine.cache.own_handler(op))(op, slots, scc, budget, engine);    \
    }                                                                                                    \
    if (is_charged) {                                                                                    \
      SALU_CHARGE                                                                                        \
    }                                                                                                    \
    SALU_NEXT;                                                                                           \
  }
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO

template <Insn insn, auto function, Variant variant>
void run_handler(const MicroOp* op, u32* slots, u32 scc, i64 budget, Engine& engine) {
  [[maybe_unused]] bool is_taken = false;
  op = execute<insn, function, variant>(op, slots, scc, engine, is_taken);
  SALU_GO_ON(insn)
}

template <SccBehind scc_behind, Insn last, class... Steps>
void run_fused(const MicroOp* op, u32* slots, u32 scc, i64 budget, Engine& engine) {
  [[maybe_unused]] bool is_taken = false;
  op = execute_fused<scc_behind, Steps...>(op, slots, scc, engine, is_taken);
  SALU_GO_ON(last)
}

template <u32 dwords, u32 base_dwords, u32 length>
void run_load(const MicroOp* op, u32* slots, u32 scc, i64 budget, Engine& engine) {
  op = execute_load<dwords, base_dwords, length>(op, slots, engine);
  SALU_NEXT;
}

template <u32 dwords, u32 base_dwords>
void run_store(const MicroOp* op, u32* slots, u32 scc, i64 budget, Engine& engine) {
  op = execute_store<dwords, base_dwords>(op, slots, engine);
  SALU_CHARGE
  SALU_NEXT;
}

const void* address(Handler handler) { return reinterpret_cast<const void*>(handler); }

}  // namespace

const void* const* tail_handlers() {
  static const std::array<const void*, handler_count + fused_handler_count> table = {
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
#define SALU_FUSED2(forward, behind, first, second)                                             \
  address(run_fused<SccBehind::behind, Insn::second, Part<Insn::first, &isa::semantics::first>, \
                    Part<Insn::second, &isa::semantics::second, Forward::forward>>),
#define SALU_FUSED3(forward, behind, first, second, third)                                     \
  address(run_fused<SccBehind::behind, Insn::third, Part<Insn::first, &isa::semantics::first>, \
                    Part<Insn::second, &isa::semantics::second, Forward::forward>,             \
                    Part<Insn::third, &isa::semantics::third>>),
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
  };
  return table.data();
}

void run_tail(Engine& engine, const MicroOp* op, u32 scc, i64 budget) {
  as_function(op->handler)(op, engine.wave.slots.data(), scc, budget, engine);
}

#else

const void* const* tail_handlers() { return nullptr; }

void run_tail(Engine& engine, const MicroOp* op, u32 scc, i64 budget) { run_switch(engine, op, scc, budget); }

#endif

}  // namespace salu::core
