#include <array>
#include <optional>
#include <vector>

#include "core/memory_access.hpp"
#include "isa/memory_table.hpp"
#include "isa/table.hpp"
#include "proof/few_values.hpp"
#include "proof/instruction_step.hpp"

/// Executes scalar memory instructions: loads and stores at addresses that depend on few bits of the inputs.
namespace salu::proof {
namespace {

using isa::Field;
using isa::Instruction;
using Kind = isa::MemoryOperation::Kind;

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
    const bool stores = operation.kind == Kind::store;
    dwords_ = isa::info(instruction_.insn).shape.find(Field::sdata)->dwords;
    if (!find_places(stores)) return NextStep::give_up(why_);
    next.except = missing_;
    next.why = stores ? "a store that may fault" : "a load that may fault";
    const u32 sdata = instruction_.memory.sdata;
    if (stores) {
      store(sdata);
    } else if (is_written(wave_, sdata, dwords_)) {
      load(sdata);
    }
    return next;
  }

 private:
  /// The access for one of the possible values of the address.
  struct AccessPlace {
    u64 address = 0;
    u32 dwords = 0;  ///< number of dwords that are moved: those inside the buffer
    bool is_there = true;
  };
  [[nodiscard]] u64 dword_address(const AccessPlace& place, u32 i) const {
    return wave_.data_address(place.address + u64{i} * 4);
  }
  [[nodiscard]] bool is_there(const AccessPlace& place, bool writes) const {
    const Memory& memory = *state_.start().memory;
    for (u32 i = 0; i < place.dwords; ++i) {
      const u64 dword = dword_address(place, i);
      if (writes ? !memory.is_writable(dword, 4) : !memory.is_mapped(dword, 4)) return false;
    }
    return true;
  }
  [[nodiscard]] bool holds_code(const AccessPlace& place) const {
    for (u32 i = 0; i < place.dwords; ++i) {
      if (state_.start().program->find_block(dword_address(place, i)) != nullptr) return true;
    }
    return false;
  }

  bool find_places(bool writes) {
    if (!find_address()) return false;
    few_ = FewValues::of(terms_, varying_, state_.path, most_places);
    if (!few_)
      return fail(buffer_ ? "a buffer offset that depends on the inputs" : "an address that depends on the inputs");
    for (u64 choice = 0; choice < few_->count(); ++choice) {
      AccessPlace place = place_at(few_->value(terms_, choice));
      place.is_there = is_there(place, writes);
      places_.push_back(place);
      if (!few_->is_possible(choice)) continue;
      if (!place.is_there) missing_ = terms_.bit_or(missing_, few_->condition(terms_, choice));
      if (writes && place.is_there && holds_code(place)) return fail("a store to code");
    }
    return true;
  }

  /// Finds the part of the address that is a term: for a buffer, only the offset.
  bool find_address() {
    const auto& fields = instruction_.memory;
    const isa::OperandSpec* const base = isa::info(instruction_.insn).shape.find(Field::sbase);
    const auto aligned = [this](TermId term) { return terms_.bit_and(term, terms_.constant(64, ~u64{3})); };
    const i64 immediate = core::immediate_bytes(wave_.generation, instruction_);
    TermId offset = terms_.constant(64, static_cast<u64>(immediate) & ~u64{3});
    if (fields.has_offset_register) {
      const TermId in_register = read_operand(terms_, state_, wave_, fields.soffset, 1, 0);
      offset = terms_.add(offset, aligned(terms_.zero_extend(in_register, 64)));
      if (immediate < 0) return fail("an offset that may be negative");
    }
    const u32 first = wave_.is_beyond_allocation(fields.sbase, base->dwords) ? 0 : fields.sbase;
    if (base->dwords != 4) {
      varying_ = terms_.add(aligned(read_operand(terms_, state_, wave_, first, 2, 0)), offset);
      return true;
    }
    std::array<u32, 4> descriptor{};
    for (u32 i = 0; i < 4; ++i) {
      const TermId dword = read_operand(terms_, state_, wave_, first + i, 1, 0);
      if (!terms_.is_constant(dword)) return fail("a buffer descriptor that depends on the inputs");
      descriptor[i] = static_cast<u32>(terms_.value(dword));
    }
    if (immediate < 0) return fail("a negative offset");
    buffer_ = isa::semantics::buffer(descriptor);
    varying_ = offset;
    return true;
  }
  [[nodiscard]] AccessPlace place_at(u64 value) const {
    if (!buffer_) return {wave_.data_address(value), dwords_};
    return {wave_.data_address(isa::semantics::dword_aligned(buffer_->base) + value),
            isa::semantics::dwords_in_buffer(*buffer_, value, dwords_)};
  }

  void load(u32 sdata) {
    std::vector<TermId> loaded;
    for (u32 i = 0; i < dwords_; ++i) {
      loaded.push_back(few_->choose(terms_, [&](u64 choice) {
        const AccessPlace& place = places_[static_cast<std::size_t>(choice)];
        const bool is_moved = place.is_there && i < place.dwords;
        return is_moved ? state_.read_dword(dword_address(place, i)) : terms_.constant(32, 0);
      }));
    }
    for (u32 i = 0; i < dwords_; ++i) state_.write(sdata + i, loaded[i]);
  }
  void store(u32 sdata) {
    for (u64 choice = 0; choice < few_->count(); ++choice) {
      const AccessPlace& place = places_[static_cast<std::size_t>(choice)];
      if (!place.is_there || !few_->is_possible(choice)) continue;
      const TermId goes_there = few_->condition(terms_, choice);
      for (u32 i = 0; i < place.dwords; ++i) {
        const u64 address = dword_address(place, i);
        const TermId data = read_operand(terms_, state_, wave_, sdata + i, 1, 0);
        state_.write_dword(address, terms_.select(goes_there, data, state_.read_dword(address)));
      }
    }
  }

  bool fail(const char* why) {
    why_ = why;
    return false;
  }

  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const Instruction& instruction_;
  u32 dwords_ = 0;
  TermId varying_ = 0;
  std::optional<isa::semantics::Buffer> buffer_;
  std::optional<FewValues> few_;
  std::vector<AccessPlace> places_;  ///< indexed by choice
  TermId missing_ = terms_.no();
  std::string why_;
};

}  // namespace

NextStep step_memory(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction) {
  return Access(terms, state, wave, instruction).run();
}

}  // namespace salu::proof
