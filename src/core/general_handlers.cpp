#include "core/handlers.hpp"

/// Instructions with operands outside the slots: one function for each, from the same templates as the handlers of the
/// dispatch loops.
namespace salu::core {
namespace {

using GeneralFunction = const MicroOp* (*)(const MicroOp* op, u32& scc, Interpreter& interpreter);

template <Insn insn, auto function>
const MicroOp* run_general(const MicroOp* op, u32& scc, Interpreter& interpreter) {
  [[maybe_unused]] bool is_taken = false;
  return execute<insn, function, Variant::general>(op, interpreter.wave.slots.data(), scc, interpreter, is_taken);
}

constexpr std::array<GeneralFunction, general_handler_count> general_functions = {
#define SALU_GENERAL(name) run_general<Insn::name, &isa::semantics::name>,
#include "core/general_handlers.def"
#undef SALU_GENERAL
};

}  // namespace

const MicroOp* execute_general(const MicroOp* op, u32& scc, Interpreter& interpreter) {
  constexpr std::size_t first = handler_count - general_handler_count;
  return general_functions[static_cast<std::size_t>(op->id) - first](op, scc, interpreter);
}

}  // namespace salu::core
