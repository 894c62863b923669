#include "core/fused_handlers.hpp"
#include "core/handlers.hpp"
#include "core/interpreter.hpp"

/// Computed goto: every handler jumps directly to the next one. Labels as values are an extension of GCC and clang.
#pragma GCC diagnostic ignored "-Wpedantic"
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wgnu-label-as-value"
#endif

namespace salu::core {
namespace {

/// Returns the label table if there is no interpreter; otherwise runs.
const void* const* loop(Interpreter* interpreter_or_null, const MicroOp* op, u32 scc, i64 budget) {
  static const void* const labels[handler_count + fused_handler_count] = {
#define SALU_PSEUDO(name, call, charge) &&name,
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant) &&name##_##variant,
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords) &&store_x##dwords##_base##base_dwords,
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length) &&load_x##dwords##_base##base_dwords##_length##length,
#include "core/load_handlers.def"
#undef SALU_LOAD
#define SALU_GENERAL(name) &&general,
#include "core/general_handlers.def"
#undef SALU_GENERAL
#define SALU_FUSED2(forward, behind, first, second) &&first##_##second##_##forward##_##behind,
#define SALU_FUSED3(forward, behind, first, second, third) &&first##_##second##_##third##_##forward##_##behind,
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
  };
  if (interpreter_or_null == nullptr) return labels;
  Interpreter& interpreter = *interpreter_or_null;
  u32* const slots = interpreter.wave.slots.data();
  bool is_taken = false;

#define SALU_NEXT goto * op->handler
#define SALU_CHARGE            \
  budget -= op->cost;          \
  if (budget < 0) [[unlikely]] \
    goto leave;                \
  SALU_NEXT
// Separate jumps for taken and untaken branches are easier to predict.
#define SALU_GO_ON(last)                             \
  if constexpr (isa::row(Insn::last).branches()) {   \
    if (is_taken) {                                  \
      SALU_CHARGE;                                   \
    }                                                \
  }                                                  \
  if constexpr (isa::row(Insn::last).ends_block()) { \
    SALU_CHARGE;                                     \
  } else {                                           \
    SALU_NEXT;                                       \
  }

  SALU_NEXT;
#define SALU_PSEUDO(name, call, charge)                                                           \
  name: {                                                                                         \
    if constexpr (HandlerId::name == HandlerId::leave) {                                          \
      interpreter.leave_loop(op, scc, budget);                                                    \
      return nullptr;                                                                             \
    }                                                                                             \
    const bool is_charged = charges<Charge::charge>(op);                                          \
    [[maybe_unused]] u32 new_scc = scc;                                                           \
    op = call;                                                                                    \
    scc = new_scc;                                                                                \
    if constexpr (Charge::charge == Charge::own_handler) goto* interpreter.cache.own_handler(op); \
    if (is_charged) {                                                                             \
      SALU_CHARGE;                                                                                \
    }                                                                                             \
    SALU_NEXT;                                                                                    \
  }
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant)                                                                               \
  name##_##variant                                                                                                \
      : op = execute<Insn::name, &isa::semantics::name, Variant::variant>(op, slots, scc, interpreter, is_taken); \
  SALU_GO_ON(name)
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords)                                                                  \
  store_x##dwords##_base##base_dwords : op = execute_store<dwords, base_dwords>(op, slots, interpreter); \
  SALU_CHARGE;
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length)                                  \
  load_x##dwords##_base##base_dwords##_length##length                           \
      : op = execute_load<dwords, base_dwords, length>(op, slots, interpreter); \
  SALU_NEXT;
#include "core/load_handlers.def"
#undef SALU_LOAD
#define SALU_FUSED2(forward, behind, first, second)                                                                    \
  first##_##second##_##forward##_##behind                                                                              \
      : op = execute_fused<SccBehind::behind, Part<Insn::first, &isa::semantics::first>,                               \
                           Part<Insn::second, &isa::semantics::second, Forward::forward>>(op, slots, scc, interpreter, \
                                                                                          is_taken);                   \
  SALU_GO_ON(second)
#define SALU_FUSED3(forward, behind, first, second, third)                                                    \
  first##_##second##_##third##_##forward##_##behind                                                           \
      : op = execute_fused<SccBehind::behind, Part<Insn::first, &isa::semantics::first>,                      \
                           Part<Insn::second, &isa::semantics::second, Forward::forward>,                     \
                           Part<Insn::third, &isa::semantics::third>>(op, slots, scc, interpreter, is_taken); \
  SALU_GO_ON(third)
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
}

}  // namespace

const void* const* goto_handlers() { return loop(nullptr, nullptr, 0, 0); }

void run_goto(Interpreter& interpreter, const MicroOp* op, u32 scc, i64 budget) { loop(&interpreter, op, scc, budget); }

}  // namespace salu::core
