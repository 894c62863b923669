#include <array>
#include <cstddef>
#include <utility>

#include "core/memory_access.hpp"
#include "isa/memory_table.hpp"
#include "isa/table.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/semantics.hpp"
#include "observe/undefined/shadow_step.hpp"

/// Propagates undefined bits through scalar memory instructions: loads and stores copy masks, and undefined bits of an
/// address are reported.
namespace salu::observe::undefined {
namespace {

using isa::Field;
using isa::Instruction;
using Kind = isa::MemoryOperation::Kind;

/// One access: its operands, and its effects on the shadow of registers and memory.
class Access {
 public:
  Access(ShadowStep& step, const Instruction& instruction)
      : step_(step),
        instruction_(instruction),
        operation_(isa::memory_operation(instruction.insn)),
        request_(core::find_memory_request(step.wave(), instruction)) {}

  void run(const Accesses& accesses) {
    if (operation_.kind == Kind::cache_control) return;
    if (operation_.kind == Kind::memtime || operation_.kind == Kind::memrealtime) return define(2);
    check_address();
    if (core::is_suppressed(step_.wave(), instruction_, request_)) return;
    // An access that stops the run is not performed.
    if (accesses.reads.empty() && accesses.writes.empty()) return;
    if (request_.negative_offset ||
        core::find_barred_dword(step_.wave(), step_.machine().memory_now(), request_, operation_.kind != Kind::load))
      return;
    if (operation_.kind == Kind::load) return load();
    if (operation_.kind == Kind::store) return store();
    if (request_.dwords == 1)
      exchange<text::u32>();
    else
      exchange<text::u64>();
  }

 private:
  [[nodiscard]] u64 address(u32 i) const { return step_.wave().data_address(request_.address + u64{i} * 4); }
  void define(u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) step_.write(static_cast<u8>(instruction_.memory.sdata + i), 1, {});
  }
  [[nodiscard]] Mask sdata(u32 i) {
    const u32 dwords = isa::info(instruction_.insn).shape.find(Field::sdata)->dwords;
    const u32 code = instruction_.memory.sdata;
    return step_.source(static_cast<u8>((step_.wave().is_beyond_allocation(code, dwords) ? 0 : code) + i), 1);
  }

  /// Reports undefined bits of the address: of the base, the offset and, for a buffer, the size.
  void check_address() {
    const u8 base = instruction_.memory.sbase;
    const isa::OperandSpec* const spec = isa::info(instruction_.insn).shape.find(Field::sbase);
    if (spec == nullptr) return;
    const bool is_buffer = spec->dwords == 4;
    // The two low bits are ignored. The base, stride and size of a descriptor are used.
    constexpr std::array<u32, 4> looked_at_in_buffer = {0xfffffffc, 0x3fffffff, 0xffffffff, 0};
    constexpr std::array<u32, 4> looked_at = {0xfffffffc, 0xffff, 0, 0};
    const u32 first = step_.wave().is_beyond_allocation(base, spec->dwords) ? 0 : base;
    for (u32 i = 0; i < spec->dwords; ++i) {
      Mask mask = step_.source(static_cast<u8>(first + i), 1);
      mask.bits &= is_buffer ? looked_at_in_buffer[i] : looked_at[i];
      step_.report({register_index(step_.generation(), first + i)}, mask, {"the address", Use::Kind::address});
    }
    if (!instruction_.memory.has_offset_register) return;
    Mask offset = step_.source(instruction_.memory.soffset, 1);
    if (!operation_.scratch) offset.bits &= ~u64{3};
    step_.report({register_index(step_.generation(), instruction_.memory.soffset)}, offset,
                 {"the address", Use::Kind::address});
  }

  void load() {
    std::array<Mask, 16> loaded{};
    for (u32 i = 0; i < request_.in_bounds; ++i) loaded[i] = step_.shadow().dword(address(i));
    const u8 sdata = instruction_.memory.sdata;
    if (!is_writable(step_.machine(), sdata, request_.dwords)) return;
    for (u32 i = 0; i < request_.dwords; ++i) step_.write(static_cast<u8>(sdata + i), 1, loaded[i]);
  }

  void store() {
    for (u32 i = 0; i < request_.in_bounds; ++i) step_.shadow().set_dword(address(i), step_.made_here(sdata(i)));
  }

  template <class T>
  [[nodiscard]] T word(const std::array<Mask, 2>& masks, const std::array<u32, 2>& values) const {
    return T::of(values[0] | u64{values[1]} << 32, masks[0].bits | masks[1].bits << 32);
  }

  template <class T>
  void exchange() {
    const u32 dwords = request_.dwords;
    std::array<Mask, 2> old{};
    std::array<u32, 2> old_values{};
    std::array<Mask, 2> data{};
    std::array<u32, 2> data_values{};
    std::array<Mask, 2> compare{};
    std::array<u32, 2> compare_values{};
    Mask cause;
    const u32 given = isa::info(instruction_.insn).shape.find(Field::sdata)->dwords;
    for (u32 i = 0; i < dwords; ++i) {
      if (i < request_.in_bounds) {
        old[i] = step_.shadow().dword(address(i));
        old_values[i] = step_.machine().memory_now().read_dword(address(i));
      }
      data[i] = sdata(i);
      data_values[i] = step_.wave().source_dword(instruction_.memory.sdata, given, i);
      cause.add(old[i]);
      cause.add(data[i]);
      if (!operation_.compares) continue;
      compare[i] = sdata(dwords + i);
      compare_values[i] = step_.wave().source_dword(instruction_.memory.sdata, given, dwords + i);
      cause.add(compare[i]);
    }
    const T result = explore([&] {
      return text::semantics::atomic_result(operation_.atomic, word<T>(old, old_values), word<T>(data, data_values),
                                            word<T>(compare, compare_values));
    });
    for (u32 i = 0; i < request_.in_bounds; ++i) {
      const Mask mask{result.undefined >> (32 * i) & 0xffffffff, cause.origin};
      step_.shadow().set_dword(address(i), step_.made_here(mask));
    }
    if (!instruction_.memory.glc) return;
    for (u32 i = 0; i < dwords; ++i) step_.write(static_cast<u8>(instruction_.memory.sdata + i), 1, old[i]);
  }

  ShadowStep& step_;
  const Instruction& instruction_;
  const isa::MemoryOperation& operation_;
  core::MemoryRequest request_;
};

}  // namespace

void propagate_memory(ShadowStep& step, const Instruction& instruction, const Accesses& accesses) {
  Access(step, instruction).run(accesses);
}

}  // namespace salu::observe::undefined
