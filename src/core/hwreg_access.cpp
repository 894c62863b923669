#include <array>
#include <string>

#include "core/interpreter.hpp"
#include "isa/generations.hpp"
#include "isa/hwreg.hpp"
#include "support/numbers.hpp"

/// S_GETREG and S_SETREG (semantics.md 5, hwregs.tsv).
namespace salu::core {
namespace {

namespace id = isa::hwreg_id;

/// Bits that S_SETREG may change, with and without STATUS.PRIV.
struct WritableBits {
  std::array<u32, id::count> user{};
  std::array<u32, id::count> privileged{};
};

WritableBits find_writable_bits(Generation generation) {
  WritableBits bits;
  for (const u32 reg : {id::mode, id::status, id::trapsts, id::ib_sts}) {
    for (const isa::HwregField* field : isa::hwreg_fields(generation, reg)) bits.privileged[reg] |= field->mask();
  }
  bits.user[id::mode] = bits.privileged[id::mode];
  if (const isa::HwregField* exceptions = isa::find_hwreg_field(generation, id::trapsts, "EXCP")) {
    bits.user[id::trapsts] = exceptions->mask();
  }
  // A shader can request a context save (Vega ISA manual, table 5).
  const isa::HwregField* const save = isa::find_hwreg_field(generation, id::trapsts, "SAVECTX");
  if (save != nullptr && is_gfx9(generation)) bits.user[id::trapsts] |= save->mask();
  // EXECZ and VCCZ follow their registers; only S_TRAP and S_RFE change PRIV. AMD's trap handlers restore all of
  // STATUS.
  constexpr u32 fixed = 1U << gcn::status_bit::execz | 1U << gcn::status_bit::vccz | 1U << gcn::status_bit::priv;
  bits.privileged[id::status] &= ~fixed;
  if (!generation_info(generation).ib_sts_is_writable) bits.privileged[id::ib_sts] = 0;
  return bits;
}

const WritableBits& writable_bits(Generation generation) {
  static const isa::GenerationTable<WritableBits> table(find_writable_bits);
  return table[generation];
}

std::string name_of(Generation generation, u32 reg) {
  const isa::HwregInfo* info = isa::find_hwreg(generation, reg);
  return info == nullptr ? "hardware register " + std::to_string(reg) : std::string(info->name);
}

constexpr u32 inst_dw0 = 10;
constexpr u32 inst_dw1 = 11;

}  // namespace

u32 Interpreter::read_hwreg(const MicroOp* op, u32 reg, u32 scc) {
  if (isa::find_hwreg(wave.generation, reg) == nullptr) {
    warn(WarningKind::unspecified_result, op, [&] {
      return "hardware register " + std::to_string(reg) + " does not exist on " +
             std::string(generation_name(wave.generation)) + "; it reads as 0";
    });
    return 0;
  }
  const bool is_debug = reg >= id::pc_lo && reg <= inst_dw1;
  if (is_debug) {
    warn(WarningKind::unspecified_result, op,
         [&] { return name_of(wave.generation, reg) + " is a debug register that AMD's manuals do not describe"; });
  }
  const u64 address = cache.address_of(op);
  const std::span<const u32> words = cache.words_from(op);
  switch (reg) {
    case id::pc_lo:
      return static_cast<u32>(address);
    case id::pc_hi:
      return static_cast<u32>(address >> 32);
    case inst_dw0:
      return words[0];
    case inst_dw1:
      return words.size() > 1 ? words[1] : 0;
    default:
      return wave.hwreg(reg, scc);
  }
}

void Interpreter::write_hwreg(const MicroOp* op, u32 reg, isa::BitUpdate update, u32& scc) {
  const WritableBits& writable = writable_bits(wave.generation);
  const u32 allowed = update.mask & (wave.priv() ? writable.privileged : writable.user)[reg];
  const bool is_address = reg >= id::tba_lo && reg <= id::tma_hi;
  const u32 old = wave.hwreg(reg, scc);
  const u32 dropped = (old ^ update.bits) & update.mask & ~allowed;
  if (dropped != 0) {
    warn(WarningKind::dropped_write, op, [&] {
      if (isa::find_hwreg(wave.generation, reg) == nullptr) {
        return name_of(wave.generation, reg) + " does not exist on " + std::string(generation_name(wave.generation)) +
               ", so nothing is written";
      }
      const u32 guarded = wave.priv() ? 0 : dropped & writable.privileged[reg];
      std::string text = name_of(wave.generation, reg) + ": ";
      if (guarded != 0) text += "bits " + support::hex(guarded) + " can be written only while STATUS.PRIV is set";
      if (guarded != 0 && guarded != dropped) text += ", and ";
      if (guarded != dropped) text += "bits " + support::hex(dropped & ~guarded) + " cannot be written by S_SETREG";
      return text + "; they keep their value";
    });
  }
  const u32 value = (old & ~allowed) | (update.bits & allowed);
  if (reg == id::mode) {
    const u32 csp = value >> gcn::mode_bit::csp;
    if (csp != wave.csp()) pushed.set_csp(wave.csp(), csp, cache.address_of(op));
    wave.mode = value;
  } else if (reg == id::status) {
    if ((allowed >> gcn::status_bit::scc & 1) != 0) {
      scc = value >> gcn::status_bit::scc & 1;
      wave.mark_defined(state_index::scc, 1);
    }
    wave.status = value & ~status_live_bits;
  } else if (!is_address) {
    wave.hwregs[reg] = value;
    if (reg == id::trapsts && wave.asks_for_save()) control.traps = control.has_event = true;
  }
  look_for_debugging();
}

}  // namespace salu::core
