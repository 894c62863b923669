#include <array>
#include <optional>
#include <vector>

#include "core/memory_access.hpp"
#include "isa/memory_table.hpp"
#include "isa/table.hpp"
#include "proof/instruction_step.hpp"

/// Scalar memory: loads and stores at addresses that are known, and loads from tables that an index goes into.
namespace salu::proof {
namespace {

using isa::Field;
using isa::Instruction;
using Kind = isa::MemoryOperation::Kind;

/// An index into a table may have so many values.
constexpr u64 most_entries = 1024;

class Access {
 public:
  Access(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction)
      : terms_(terms), state_(state), wave_(wave), instruction_(instruction) {}

  NextStep run() {
    const isa::MemoryOperation& operation = isa::memory_operation(instruction_.insn);
    NextStep next = NextStep::to(terms_.constant(64, state_.pc + u64{instruction_.dwords} * 4));
    if (operation.kind == Kind::cache_control) return next;
    if (operation.kind == Kind::memtime || operation.kind == Kind::memrealtime) return NextStep::give_up("a clock");
    if (operation.kind == Kind::atomic || operation.scratch)
      return NextStep::give_up("scalar scratch memory or an atomic");
    dwords_ = isa::info(instruction_.insn).shape.find(Field::sdata)->dwords;
    if (!find_address()) return NextStep::give_up(why_);
    const u32 sdata = instruction_.memory.sdata;
    if (operation.kind == Kind::store) {
      if (!terms_.is_constant(address_)) return NextStep::give_up("a store to an address that the inputs decide");
      if (!is_there(terms_.value(address_), true)) return NextStep::give_up("a store that faults");
      if (stores_code(terms_.value(address_))) return NextStep::give_up("a store to code");
      for (u32 i = 0; i < in_bounds_; ++i)
        state_.write_dword(dword_address(terms_.value(address_), i),
                           read_operand(terms_, state_, wave_, sdata + i, 1, 0));
      return next;
    }
    if (!is_written(wave_, sdata, dwords_)) return next;
    std::vector<TermId> loaded(dwords_, terms_.constant(32, 0));
    for (u32 i = 0; i < in_bounds_; ++i) {
      const std::optional<TermId> dword = load(i);
      if (!dword) return NextStep::give_up(why_);
      loaded[i] = *dword;
    }
    for (u32 i = 0; i < dwords_; ++i) state_.write(sdata + i, loaded[i]);
    return next;
  }

 private:
  [[nodiscard]] u64 dword_address(u64 address, u32 i) const { return wave_.data_address(address + u64{i} * 4); }
  [[nodiscard]] bool is_there(u64 address, bool writes) const {
    const Memory& memory = *state_.start().memory;
    for (u32 i = 0; i < in_bounds_; ++i) {
      const u64 dword = dword_address(address, i);
      if (writes ? !memory.is_writable(dword, 4) : !memory.is_mapped(dword, 4)) return false;
    }
    return true;
  }

  [[nodiscard]] bool stores_code(u64 address) const {
    for (u32 i = 0; i < in_bounds_; ++i) {
      if (state_.start().program->find_block(dword_address(address, i)) != nullptr) return true;
    }
    return false;
  }

  bool find_address() {
    const auto& fields = instruction_.memory;
    const isa::OperandSpec* const base = isa::info(instruction_.insn).shape.find(Field::sbase);
    const auto aligned = [this](TermId term) { return terms_.bit_and(term, terms_.constant(64, ~u64{3})); };
    TermId offset =
        terms_.constant(64, static_cast<u64>(core::immediate_bytes(wave_.generation, instruction_)) & ~u64{3});
    if (fields.has_offset_register) {
      const TermId in_register = read_operand(terms_, state_, wave_, fields.soffset, 1, 0);
      offset = terms_.add(offset, aligned(terms_.zero_extend(in_register, 64)));
      if (core::immediate_bytes(wave_.generation, instruction_) < 0) return fail("an offset that may be negative");
    }
    in_bounds_ = dwords_;
    const u32 first = wave_.is_beyond_allocation(fields.sbase, base->dwords) ? 0 : fields.sbase;
    if (base->dwords != 4) {
      address_ = terms_.add(aligned(read_operand(terms_, state_, wave_, first, 2, 0)), offset);
    } else {
      std::array<u32, 4> descriptor{};
      for (u32 i = 0; i < 4; ++i) {
        const TermId dword = read_operand(terms_, state_, wave_, first + i, 1, 0);
        if (!terms_.is_constant(dword)) return fail("a buffer descriptor that the inputs decide");
        descriptor[i] = static_cast<u32>(terms_.value(dword));
      }
      if (!terms_.is_constant(offset)) return fail("an offset into a buffer that the inputs decide");
      const isa::semantics::Buffer buffer = isa::semantics::buffer(descriptor);
      if (static_cast<i64>(terms_.value(offset)) < 0) return fail("an offset that is negative");
      in_bounds_ = isa::semantics::dwords_in_buffer(buffer, terms_.value(offset), dwords_);
      address_ = terms_.add(terms_.constant(64, isa::semantics::dword_aligned(buffer.base)), offset);
    }
    address_ = terms_.bit_and(address_, terms_.constant(64, wave_.address_mask));
    return true;
  }

  std::optional<TermId> load(u32 i) {
    if (terms_.is_constant(address_)) {
      if (!is_there(terms_.value(address_), false)) return fail_to_load("a load that faults");
      return state_.read_dword(dword_address(terms_.value(address_), i));
    }
    if (!index_ && !find_index()) return fail_to_load("a load from an address that the inputs decide");
    return entry(*index_, 0, i);
  }

  /// The one part of the address that is not known, where it has few values.
  bool find_index() {
    for (const TermId term : all_within(terms_, std::array{address_})) {
      const bool is_leaf = terms_.node(term).op == Op::input || terms_.node(term).op == Op::slice;
      const u32 width = terms_.width(term);
      if (!is_leaf || width > 10 || u64{1} << width > most_entries) continue;
      // Nothing else may take part: with any value for it the address has to be known.
      if (!terms_.is_constant(replaced(term, 0))) continue;
      for (u64 value = 0; value >> width == 0; ++value) {
        if (!is_there(terms_.value(replaced(term, value)), false)) return false;
      }
      index_ = term;
      return true;
    }
    return false;
  }
  /// The address with a value in the place of a term.
  TermId replaced(TermId term, u64 value) {
    return terms_.substitute(address_, term, terms_.constant(terms_.width(term), value));
  }
  /// The dword of the entries whose index begins with these bits, the highest first.
  TermId entry(TermId index, u64 begins, u32 i, u32 decided = 0) {
    const u32 width = terms_.width(index);
    if (decided == width) return state_.read_dword(dword_address(terms_.value(replaced(index, begins)), i));
    const TermId bit = terms_.slice(index, width - 1 - decided, 1);
    return terms_.select(bit, entry(index, begins << 1 | 1, i, decided + 1), entry(index, begins << 1, i, decided + 1));
  }

  bool fail(const char* why) {
    why_ = why;
    return false;
  }
  std::optional<TermId> fail_to_load(const char* why) {
    why_ = why;
    return std::nullopt;
  }

  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const Instruction& instruction_;
  u32 dwords_ = 0;
  u32 in_bounds_ = 0;
  TermId address_ = 0;
  std::optional<TermId> index_;
  std::string why_;
};

}  // namespace

NextStep step_memory(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction) {
  return Access(terms, state, wave, instruction).run();
}

}  // namespace salu::proof
