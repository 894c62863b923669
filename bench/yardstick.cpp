#include "yardstick.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

/// Labels as values are an extension of GCC and clang.
#pragma GCC diagnostic ignored "-Wpedantic"
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wgnu-label-as-value"
#endif

namespace salu::bench {
namespace {

using MicroOp = Yardstick::MicroOp;
using Context = Yardstick::Context;

// Name, effect on d, a, b and scc.
#define YARDSTICK_ALU(X)                                                                             \
  X(add, (result = a + b, scc = result < a, d = result))                                             \
  X(sub, (result = a - b, scc = a < b, d = result))                                                  \
  X(addc, (wide = u64{a} + b + scc, scc = static_cast<u32>(wide >> 32), d = static_cast<u32>(wide))) \
  X(and_b32, (d = result = a & b, scc = result != 0))                                                \
  X(or_b32, (d = result = a | b, scc = result != 0))                                                 \
  X(xor_b32, (d = result = a ^ b, scc = result != 0))                                                \
  X(lshl, (d = result = a << (b & 31), scc = result != 0))                                           \
  X(lshr, (d = result = a >> (b & 31), scc = result != 0))                                           \
  X(mul, (d = a * b))                                                                                \
  X(mov, (d = a))                                                                                    \
  X(cmp_eq, (scc = a == b))                                                                          \
  X(cmp_lg, (scc = a != b))                                                                          \
  X(cmp_gt, (scc = a > b))                                                                           \
  X(cmp_ge, (scc = a >= b))                                                                          \
  X(cmp_lt, (scc = a < b))                                                                           \
  X(cmp_le, (scc = a <= b))
// Instructions of two dwords.
#define YARDSTICK_LOADS(X) X(load)
#define YARDSTICK_BRANCHES(X) X(branch, true) X(branch_scc0, scc == 0) X(branch_scc1, scc != 0)

enum Operation : u8 {
#define X(name, ...) name,
  YARDSTICK_ALU(X) YARDSTICK_BRANCHES(X)
#undef X
#define X(name) name,
      YARDSTICK_LOADS(X)
#undef X
          end,
  operation_count,
  outside = operation_count
};

[[gnu::always_inline]] inline void execute(Operation operation, const MicroOp* op, u32* registers, u32& scc) {
  const u32 a = registers[op->a];
  const u32 b = registers[op->b];
  u32& d = registers[op->d];
  [[maybe_unused]] u32 result = 0;
  [[maybe_unused]] u64 wide = 0;
  switch (operation) {
#define X(name, effect)       \
  case name:                  \
    static_cast<void> effect; \
    break;
    YARDSTICK_ALU(X)
#undef X
    default:
      break;
  }
}

/// A load only checks that its address is in the single range of memory.
[[gnu::always_inline]] inline void execute_load(const MicroOp* op, u32* registers, Context* context) {
  u64 base = 0;
  std::memcpy(&base, registers + op->a, sizeof(base));
  const u64 offset = ((base + static_cast<u64>(i64{op->target})) & ~u64{3}) - context->memory_base;
  if (offset + 4 <= context->memory_bytes) [[likely]]
    std::memcpy(registers + op->d, context->memory + offset, 4);
  else
    context->has_fault = true;
}

/// Returns the label table if there is no context; otherwise runs.
const void* const* run_goto(const MicroOp* op, Context* context) {
  static const void* const labels[operation_count] = {
#define X(name, ...) &&name,
      YARDSTICK_ALU(X) YARDSTICK_BRANCHES(X)
#undef X
#define X(name) &&name,
              YARDSTICK_LOADS(X)
#undef X
          && end,
  };
  if (context == nullptr) return labels;
  u32* const registers = context->registers.data();
  u32 scc = context->scc;
  i64 budget = context->budget;
  goto * op->handler;
#define X(name, ...)                            \
  name:                                         \
  execute(Operation::name, op, registers, scc); \
  ++op;                                         \
  goto * op->handler;
  YARDSTICK_ALU(X)
#undef X
#define X(name)                         \
  name:                                 \
  execute_load(op, registers, context); \
  op += 2;                              \
  goto * op->handler;
  YARDSTICK_LOADS(X)
#undef X
#define X(name, taken)            \
  name:                           \
  budget -= op->cost;             \
  op += (taken) ? op->target : 1; \
  if (budget < 0) [[unlikely]]    \
    goto out;                     \
  goto * op->handler;
  YARDSTICK_BRANCHES(X)
#undef X
end:
  budget -= op->cost;
out:
  context->scc = scc;
  context->budget = budget;
  return nullptr;
}

#if defined(__clang__)
using Handler = void (*)(const MicroOp* op, u32* registers, u32 scc, i64 budget, Context* context);
#define NEXT                                                                                                       \
  [[clang::musttail]] return reinterpret_cast<Handler>(const_cast<void*>(op->handler))(op, registers, scc, budget, \
                                                                                       context)

template <Operation operation>
void run_alu(const MicroOp* op, u32* registers, u32 scc, i64 budget, Context* context) {
  execute(operation, op, registers, scc);
  ++op;
  NEXT;
}

#define X(name)                                                                               \
  void run_##name(const MicroOp* op, u32* registers, u32 scc, i64 budget, Context* context) { \
    execute_load(op, registers, context);                                                     \
    op += 2;                                                                                  \
    NEXT;                                                                                     \
  }
YARDSTICK_LOADS(X)
#undef X

void run_end(const MicroOp* op, u32*, u32 scc, i64 budget, Context* context) {
  context->scc = scc;
  context->budget = budget - op->cost;
}

#define X(name, taken)                                                                        \
  void run_##name(const MicroOp* op, u32* registers, u32 scc, i64 budget, Context* context) { \
    budget -= op->cost;                                                                       \
    op += (taken) ? op->target : 1;                                                           \
    if (budget < 0) [[unlikely]] {                                                            \
      [[clang::musttail]] return run_end(op, registers, scc, budget, context);                \
    }                                                                                         \
    NEXT;                                                                                     \
  }
YARDSTICK_BRANCHES(X)
#undef X

const void* const* tail_handlers() {
  static const void* const table[operation_count] = {
#define X(name, ...) reinterpret_cast<const void*>(run_alu<name>),
      YARDSTICK_ALU(X)
#undef X
#define X(name, ...) reinterpret_cast<const void*>(run_##name),
          YARDSTICK_BRANCHES(X)
#undef X
#define X(name) reinterpret_cast<const void*>(run_##name),
              YARDSTICK_LOADS(X)
#undef X
                  reinterpret_cast<const void*>(run_end),
  };
  return table;
}

void run_tail(const MicroOp* op, Context* context) {
  reinterpret_cast<Handler>(const_cast<void*>(op->handler))(op, context->registers.data(), context->scc,
                                                            context->budget, context);
}
#else
const void* const* tail_handlers() { return nullptr; }
void run_tail(const MicroOp* op, Context* context) { run_goto(op, context); }
#endif

/// Operations by opcode number.
struct Opcodes {
  std::array<u8, 64> sop2;
  std::array<u8, 256> sop1;
  std::array<u8, 128> sopc;
  std::array<u8, 128> sopp;
};

constexpr Opcodes make_opcodes() {
  Opcodes opcodes{};
  opcodes.sop2.fill(outside);
  opcodes.sop1.fill(outside);
  opcodes.sopc.fill(outside);
  opcodes.sopp.fill(outside);
  opcodes.sop2[0] = add;
  opcodes.sop2[1] = sub;
  opcodes.sop2[4] = addc;
  opcodes.sop2[12] = and_b32;
  opcodes.sop2[14] = or_b32;
  opcodes.sop2[16] = xor_b32;
  opcodes.sop2[28] = lshl;
  opcodes.sop2[30] = lshr;
  opcodes.sop2[36] = mul;
  opcodes.sop1[0] = mov;
  for (u8 i = 0; i < 6; ++i) opcodes.sopc[6 + i] = static_cast<u8>(cmp_eq + i);
  opcodes.sopp[1] = end;
  opcodes.sopp[2] = branch;
  opcodes.sopp[4] = branch_scc0;
  opcodes.sopp[5] = branch_scc1;
  return opcodes;
}

constexpr Opcodes opcodes = make_opcodes();

}  // namespace

bool has_yardstick(YardstickLoop loop) { return loop == YardstickLoop::direct_goto || tail_handlers() != nullptr; }

Yardstick::Yardstick(YardstickLoop loop)
    : loop_(has_yardstick(loop) ? loop : YardstickLoop::direct_goto),
      handlers_(loop_ == YardstickLoop::tail_calls ? tail_handlers() : run_goto(nullptr, nullptr)) {
  for (u32 i = 0; i <= 64; ++i) context_.registers[128 + i] = i;
  for (u32 i = 1; i <= 16; ++i) context_.registers[192 + i] = 0 - i;
}

void Yardstick::set_memory(u64 base, std::span<const u8> bytes) {
  context_.memory_base = base;
  context_.memory_bytes = bytes.size();
  context_.memory = bytes.data();
}

void Yardstick::set_registers(std::span<const u32> first) {
  std::fill_n(context_.registers.begin(), 128, 0U);
  std::ranges::copy(first, context_.registers.begin());
  context_.scc = 0;
  context_.budget = i64{1} << 60;
}

bool Yardstick::decode(std::span<const u32> words) {
  constexpr u32 s_load_dword = 0b11000000000000;  // w[31:18]
  ops_.resize(words.size());
  u8 cost = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const u32 word = words[i];
    MicroOp& op = ops_[i];
    op.d = word >> 16 & 127;
    op.a = static_cast<u8>(word);
    op.b = static_cast<u8>(word >> 8);
    op.target = 1 + static_cast<i16>(word);
    ++cost;
    u8 operation = outside;
    switch (word >> 23) {
      case 0b101111101:
        operation = opcodes.sop1[word >> 8 & 255];
        op.b = 0;
        break;
      case 0b101111110:
        operation = opcodes.sopc[word >> 16 & 127];
        break;
      case 0b101111111:
        operation = opcodes.sopp[word >> 16 & 127];
        break;
      default:
        if (word >> 30 == 0b10 && word >> 28 != 0b1011) operation = opcodes.sop2[word >> 23 & 63];
    }
    if (word >> 18 == s_load_dword && i + 1 < words.size()) {
      operation = load;
      op.d = word >> 6 & 127;
      op.a = static_cast<u8>((word & 63) * 2);
      op.target = static_cast<i32>(words[++i] << 11) >> 11;
    }
    if (operation == outside) return false;
    op.handler = handlers_[operation];
    op.cost = 0;
    if (operation == end || (operation >= branch && operation < load)) op.cost = std::exchange(cost, u8{0});
  }
  return true;
}

void Yardstick::run() {
  if (loop_ == YardstickLoop::tail_calls) {
    run_tail(ops_.data(), &context_);
  } else {
    run_goto(ops_.data(), &context_);
  }
}

}  // namespace salu::bench
