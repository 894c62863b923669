#pragma once

#include <array>
#include <cstring>
#include <type_traits>

#include "core/fusion.hpp"
#include "core/interpreter.hpp"
#include "exec/step.hpp"
#include "isa/semantics/all.hpp"
#include "isa/semantics/scalar_memory.hpp"
#include "isa/semantics/signature.hpp"
#include "isa/table.hpp"
#include "support/compiler.hpp"

/// The `Step` domain of the machine. All dispatch loops instantiate these handlers.
namespace salu::core {

using isa::Insn;

/// True if the op after a pseudo handler must be charged; the pseudo handler runs before or instead of `op`.
template <Charge charge>
SALU_INLINE bool charges(const MicroOp* op) {
  return charge == Charge::by_instruction ? ends_block(*op) : charge == Charge::always;
}

template <class T>
SALU_INLINE T load_slot(const u32* slots, u32 slot) {
  T value;
  std::memcpy(&value, slots + slot, sizeof(T));
  return value;
}

template <class T>
SALU_INLINE void store_slot(u32* slots, u32 slot, T value) {
  std::memcpy(slots + slot, &value, sizeof(T));
}

/// A pair of slots as an address. Its halves were often just written by S_ADD_U32 and S_ADDC_U32, and hardware cannot
/// forward two narrow stores to one wide load; `volatile` keeps the compiler from merging the two loads.
SALU_INLINE u64 load_address(const u32* slots, u32 slot) {
  const volatile u32* const halves = slots + slot;
  const u32 low = halves[0];
  return low | u64{halves[1]} << 32;
}

/// The domain of a handler: a bundle of references, which the compiler optimises away.
template <Insn insn, Variant variant, Forward forward = Forward::none, class Forwarded = u32, class Written = u32>
struct MachineDomain {
  using Step = isa::Step<const MachineDomain>;

  const MicroOp* op;
  u32* slots;
  u32& flag;  ///< SCC
  Interpreter& interpreter;
  Forwarded forwarded{};       ///< the result of the previous instruction, if this one reads it
  Written* written = nullptr;  ///< where to store the result for the next instruction

  static constexpr isa::Format format = isa::row(insn).format;
  static constexpr bool mandatory_literal = insn == Insn::s_setreg_imm32_b32;
  static constexpr bool general = variant == Variant::general;

  SALU_INLINE u32 dwords() const {
    if constexpr (general) return op->dwords();
    return mandatory_literal || variant == Variant::literal ? 2 : 1;
  }
  SALU_INLINE const MicroOp* next() const { return op + dwords(); }
  SALU_INLINE u64 next_address() const {
    return (interpreter.cache.address_of(op) + 4 * dwords()) & interpreter.wave.address_mask;
  }

  // ---- explicit operands ----

  template <class T>
  SALU_INLINE T literal() const {
    if constexpr (std::is_same_v<T, i64>) return op->imm;
    return static_cast<T>(static_cast<u32>(op->imm));
  }
  template <class T>
  SALU_INLINE T read_general(u32 code) const {
    if (code == isa::literal_code) return literal<T>();
    if constexpr (sizeof(T) == 8)
      return static_cast<T>(interpreter.read_general64(op, code, flag));
    else
      return static_cast<T>(interpreter.read_general32(op, code, flag));
  }
  template <class T, std::size_t number>
  SALU_INLINE T operand() const {
    constexpr bool is_forwarded =
        (forward == Forward::ssrc0 && number == 0) || (forward == Forward::ssrc1 && number == 1);
    if constexpr (is_forwarded) {
      static_assert(sizeof(T) == sizeof(Forwarded));
      return static_cast<T>(forwarded);
    } else {
      u32 field = number == 0 ? op->a : op->b;
      if constexpr (format == isa::Format::sopk) field = op->d;
      if constexpr (general)
        return read_general<T>(field);
      else
        return load_slot<T>(slots, field);
    }
  }
  template <class T>
  SALU_INLINE void write(T value) const {
    if (written != nullptr) *written = static_cast<Written>(value);
    if constexpr (!general)
      store_slot(slots, op->d, value);
    else if constexpr (sizeof(T) == 8)
      interpreter.write_general64(op, op->d, static_cast<u64>(value));
    else
      interpreter.write_general32(op, op->d, static_cast<u32>(value));
  }

  template <class T>
  SALU_INLINE T old_value() const {
    if constexpr (general)
      return read_general<T>(op->d);
    else
      return load_slot<T>(slots, op->d);
  }
  template <auto function, class... Arguments>
  SALU_INLINE auto evaluate(Arguments... arguments) const {
    return function(arguments...);
  }

  // ---- implicit inputs ----

  SALU_INLINE bool scc() const { return flag != 0; }
  SALU_INLINE u64 exec() const { return load_slot<u64>(slots, state_index::exec); }
  SALU_INLINE u64 vcc() const { return load_slot<u64>(slots, state_index::vcc); }
  SALU_INLINE u32 m0() const { return slots[state_index::m0]; }
  SALU_INLINE u32 status() const { return interpreter.wave.status; }
  SALU_INLINE u32 csp() const { return interpreter.wave.csp(); }
  SALU_INLINE u32 hwreg_value() const {
    return interpreter.read_hwreg(op, isa::semantics::hwreg_field(static_cast<u16>(op->imm)).id, flag);
  }
  SALU_INLINE u64 pc() const { return interpreter.cache.address_of(op); }
  SALU_INLINE u64 branch_target() const { return next_address() + static_cast<u64>(i64{op->imm} * 4); }
  SALU_INLINE i32 simm16() const { return op->imm; }
  SALU_INLINE u32 uimm16() const {
    // S_SETREG_IMM32_B32 needs `imm` for its literal, so SIMM16 is stored in `a`.
    return mandatory_literal ? op->a : static_cast<u16>(op->imm);
  }
  SALU_INLINE u32 literal_dword() const { return static_cast<u32>(op->imm); }
  SALU_INLINE u32 raw_ssrc1() const { return op->b; }
  SALU_INLINE u32 register_number() const {
    constexpr const isa::OperandSpec* ssrc0 = isa::row(insn).shape.find(isa::Field::ssrc0);
    return ssrc0->kind == isa::OperandKind::register_source ? u32{op->a} : u32{op->d};
  }

  // ---- results ----

  SALU_INLINE void write_scc(bool value) const { flag = value; }
  template <class T>
  SALU_INLINE void write_if(bool writes, T value) const {
    if (!writes) return;
    write(value);
    if constexpr (!general) interpreter.wave.mark_defined(op->d, sizeof(T) / 4);
  }
  template <class R>
  SALU_INLINE const MicroOp* apply_checked(const isa::Checked<R>& result) const {
    if (!result.unspecified) [[likely]]
      return Step::apply(*this, result.result);
    interpreter.warn_unspecified(op);
    return interpreter.after_warning(op, Step::apply(*this, result.result));
  }
  SALU_INLINE void write_exec(u64 value, [[maybe_unused]] u64 sdst) const {
    store_slot(slots, state_index::exec, value);
    if constexpr (general) {
      if (op->d == state_index::exec && sdst != value) interpreter.warn_exec_destination(op);
    }
  }
  SALU_INLINE void update_mode(isa::BitUpdate update) const {
    interpreter.wave.mode = (interpreter.wave.mode & ~update.mask) | update.bits;
  }
  SALU_INLINE void update_m0(isa::BitUpdate update) const {
    slots[state_index::m0] = (slots[state_index::m0] & ~update.mask) | update.bits;
  }

  // ---- control flow ----

  SALU_INLINE const MicroOp* go_on() const { return next(); }
  SALU_INLINE const MicroOp* branch(bool taken) const {
    if constexpr (general) return interpreter.far_branch(op, taken);
    if (written != nullptr) *written = taken ? 1 : 0;
    const i32 distance = taken ? op->imm : static_cast<i32>(sizeof(MicroOp));
    return reinterpret_cast<const MicroOp*>(reinterpret_cast<const char*>(op) + distance);
  }
  SALU_INLINE const MicroOp* jump(u64 target) const { return interpreter.jump(op, target); }
  SALU_INLINE const MicroOp* fork(const isa::Fork& result) const { return interpreter.fork(op, result); }
  SALU_INLINE const MicroOp* join(const isa::Join& result) const { return interpreter.join(op, next(), result); }
  SALU_INLINE const MicroOp* update_hwreg(isa::BitUpdate update) const {
    u32 new_scc = flag;
    interpreter.write_hwreg(op, isa::semantics::hwreg_field(uimm16()).id, update, new_scc);
    flag = new_scc;
    return interpreter.after_warning(op, next());
  }
  SALU_INLINE const MicroOp* update_status(isa::BitUpdate update) const {
    return interpreter.update_status(op, next(), update);
  }
  SALU_INLINE const MicroOp* unmodelled(isa::BitUpdate status) const {
    interpreter.warn_unmodelled(op);
    return interpreter.after_warning(op, update_status(status));
  }
  template <class T>
  SALU_INLINE const MicroOp* read_relative(u64 index) const {
    constexpr u32 dwords = sizeof(T) / 4;
    const bool is_usual = interpreter.wave.has_register(index, dwords);
    if (!is_usual) [[unlikely]] {
      if (const MicroOp* const stopped = interpreter.check_relative_source(op, index, dwords)) return stopped;
    }
    write(load_slot<T>(slots, is_usual ? static_cast<u32>(index) : 0));
    return is_usual && !general ? next() : interpreter.after_warning(op, next());
  }
  template <class T>
  SALU_INLINE const MicroOp* write_relative(u64 index, T value) const {
    constexpr u32 dwords = sizeof(T) / 4;
    if (!interpreter.wave.has_register(index, dwords)) [[unlikely]]
      return interpreter.refuse_relative_destination(op, next(), index, dwords);
    const auto to = static_cast<u32>(index);
    store_slot(slots, to, value);
    interpreter.wave.mark_defined(to, dwords);
    return next();
  }
  SALU_INLINE const MicroOp* trap(const isa::Trap& result) const { return interpreter.trap(op, next(), result); }
  SALU_INLINE const MicroOp* return_from_exception(const isa::ReturnFromException& result) const {
    return interpreter.return_from_exception(op, result);
  }
  SALU_INLINE const MicroOp* end_program() const { return interpreter.end_program(op); }
  SALU_INLINE const MicroOp* kill(bool kills) const { return kills ? interpreter.kill(op) : next(); }
  SALU_INLINE const MicroOp* barrier() const {
    const bool has_others = (interpreter.wave.status >> gcn::status_bit::in_tg & 1) != 0;
    return has_others ? interpreter.barrier(op, next()) : next();
  }
  SALU_INLINE const MicroOp* undocumented() const { return interpreter.undocumented(op); }
};

/// Executes one micro-op of an instruction: `function` is its semantic function. Returns the op to continue with.
template <Insn insn, auto function, Variant variant>
// NOLINTNEXTLINE(readability-non-const-parameter): the frame of an instance writes to the slots.
SALU_INLINE const MicroOp* execute(const MicroOp* op, u32* slots, u32& scc, Interpreter& interpreter, bool& is_taken) {
  [[maybe_unused]] u32 written = 0;
  using Domain = MachineDomain<insn, variant>;
  const Domain domain{op, slots, scc, interpreter, {}, isa::row(insn).branches() ? &written : nullptr};
  const MicroOp* next = Domain::Step::template execute<function>(domain);
  is_taken = isa::row(insn).branches() && written != 0;
  constexpr bool reads_hwreg = isa::Signature<decltype(function)>::template asks_for<isa::HwregValue>;
  if constexpr (variant == Variant::general || reads_hwreg) return interpreter.after_warning(op, next);
  return next;
}

/// Executes an instruction that has operands without slots, by the number of its general handler
/// (general_handlers.cpp).
const MicroOp* execute_general(const MicroOp* op, u32& scc, Interpreter& interpreter);

/// Finds the address of a load or store whose operands are slots: `a` is the base, `b` the offset register or a zero,
/// `imm` the immediate in bytes. Returns false for cases that need the general path.
template <u32 dwords, u32 base_dwords>
SALU_INLINE bool find_address(const MicroOp* op, const u32* slots, const Interpreter& interpreter, u64& address) {
  const u64 offset = static_cast<u64>(i64{op->imm}) + isa::semantics::dword_aligned(slots[op->b]);
  isa::semantics::Extent extent;
  if constexpr (base_dwords == 4) {
    const auto descriptor = load_slot<std::array<u32, 4>>(slots, op->a);
    extent = isa::semantics::extent(isa::semantics::buffer(descriptor), offset, dwords);
    if (extent.dwords != dwords) [[unlikely]]
      return false;
  } else {
    extent = isa::semantics::extent(load_address(slots, op->a), offset, dwords);
  }
  // The offset is a multiple of four, so aligning the sum is equivalent to aligning the base.
  address = interpreter.wave.data_address(extent.address);
  return true;
}

/// Executes a scalar load whose operands are slots. Accesses other than to plain memory within one page take the
/// general path.
template <u32 dwords, u32 base_dwords, u32 length>
SALU_INLINE const MicroOp* execute_load(const MicroOp* op, u32* slots, Interpreter& interpreter) {
  u64 address = 0;
  if (!find_address<dwords, base_dwords>(op, slots, interpreter, address)) [[unlikely]]
    return interpreter.access_memory(op, 0);
  const u8* const bytes = interpreter.port->reading<dwords * 4>(address);
  if (bytes == nullptr) [[unlikely]]
    return interpreter.access_memory(op, 0);
  std::memcpy(slots + op->d, bytes, dwords * 4);
  return op + length;
}

/// Executes a scalar store whose operands are slots. Stores to code also take the general path.
template <u32 dwords, u32 base_dwords>
SALU_INLINE const MicroOp* execute_store(const MicroOp* op, u32* slots, Interpreter& interpreter) {
  u64 address = 0;
  if (!find_address<dwords, base_dwords>(op, slots, interpreter, address)) [[unlikely]]
    return interpreter.access_memory(op, 0);
  u8* bytes = interpreter.port->writing(address, dwords * 4);
  if (bytes == nullptr) [[unlikely]] {
    bytes = interpreter.open_for_store(address, dwords * 4);
    if (bytes == nullptr) [[unlikely]]
      return interpreter.access_memory(op, 0);
  }
  std::memcpy(bytes, slots + op->d, dwords * 4);
  constexpr u32 length = 2;
  return op + length;
}

}  // namespace salu::core
