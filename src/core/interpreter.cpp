#include "core/interpreter.hpp"

namespace salu::core {

void Interpreter::load_vectors(const VectorRegisters& registers) {
  if (vectors) {
    vectors->load(registers);
  } else if (registers.has_any()) {
    vectors = std::make_unique<VectorFile>(registers);
  }
}

VectorFile& Interpreter::make_vector_file() {
  vectors = std::make_unique<VectorFile>(VectorRegisters());
  return *vectors;
}

void Interpreter::begin_at(u64 address) {
  next_op = cache.enter(address);
  pc_at_rest = address;
}

void Interpreter::decode_again() {
  wave.defined = defined();
  cache.forget_all_but_executed(steps);
}

const MicroOp* Interpreter::predecode(const MicroOp* op, i64 budget) {
  const CodeCache::Block block = cache.decode(op, steps + static_cast<u64>(granted - budget));
  if (block.may_write_half_of_vcc || tracks_vccz) [[unlikely]]
    watch_vccz(block);
  if (control.pause_filter) [[unlikely]] {
    for (MicroOp* const each : block.ops) {
      if (control.pause_filter(cache.address_of(each))) cache.put_in_front(*each, HandlerId::pause);
    }
  }
  cache.prepare(cache.is_hot() ? block.ops : block.ops.last(1));
  return op;
}

}  // namespace salu::core
