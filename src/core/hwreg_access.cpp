#include <array>
#include <string>

#include "core/machine.hpp"
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
  // EXECZ and VCCZ follow their registers, PRIV changes through S_TRAP and S_RFE only. AMD's trap handlers restore all
  // of STATUS.
  constexpr u32 fixed = 1U << status_bit::execz | 1U << status_bit::vccz | 1U << status_bit::priv;
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

u32 Machine::full_status(u32 scc) const {
  const bool execz = slots[code::exec] == 0 && slots[code::exec + 1] == 0;
  const bool vccz = slots[code::vcc] == 0 && slots[code::vcc + 1] == 0;
  return status | scc << status_bit::scc | u32{execz} << status_bit::execz | u32{vccz} << status_bit::vccz;
}

u32 Machine::read_hwreg(const MicroOp* op, u32 reg, u32 scc) {
  if (isa::find_hwreg(generation_, reg) == nullptr) {
    warn(WarningKind::unspecified_result, address_of(op), [&] {
      return "hardware register " + std::to_string(reg) + " does not exist on " +
             std::string(generation_name(generation_)) + "; it reads as 0";
    });
    return 0;
  }
  const bool is_debug = reg >= id::pc_lo && reg <= inst_dw1;
  if (is_debug) {
    warn(WarningKind::unspecified_result, address_of(op),
         [&] { return name_of(generation_, reg) + " is a debug register that AMD's manuals do not describe"; });
  }
  const u64 address = address_of(op);
  const std::size_t index = (address - area_->base) / 4;
  switch (reg) {
    case id::pc_lo:
      return static_cast<u32>(address);
    case id::pc_hi:
      return static_cast<u32>(address >> 32);
    case inst_dw0:
      return area_->words[index];
    case inst_dw1:
      return index + 1 < area_->words.size() ? area_->words[index + 1] : 0;
    default:
      return stored_hwreg(reg, scc);
  }
}

u32 Machine::peek_hwreg(u32 reg) const { return stored_hwreg(reg, scc_); }

u32 Machine::stored_hwreg(u32 reg, u32 scc) const {
  if (generation_info(generation_).trap_addresses_are_operands && reg >= id::tba_lo && reg <= id::tma_hi) return 0;
  switch (reg) {
    case id::mode:
      return mode;
    case id::status:
      return full_status(scc);
    // Here the addresses are shifted right by 8 (semantics.md 8).
    case id::tba_lo:
      return static_cast<u32>(tba_ >> 8);
    case id::tba_hi:
      return static_cast<u32>(tba_ >> 40);
    case id::tma_lo:
      return static_cast<u32>(tma_ >> 8);
    case id::tma_hi:
      return static_cast<u32>(tma_ >> 40);
    default:
      return hwregs_[reg];
  }
}

void Machine::write_hwreg(const MicroOp* op, u32 reg, isa::BitUpdate update, u32& scc) {
  const WritableBits& writable = writable_bits(generation_);
  const u32 allowed = update.mask & (priv() ? writable.privileged : writable.user)[reg];
  const bool is_address = reg >= id::tba_lo && reg <= id::tma_hi;
  const u32 old = stored_hwreg(reg, scc);
  const u32 dropped = (old ^ update.bits) & update.mask & ~allowed;
  if (dropped != 0) {
    warn(WarningKind::dropped_write, address_of(op), [&] {
      if (isa::find_hwreg(generation_, reg) == nullptr) {
        return name_of(generation_, reg) + " does not exist on " + std::string(generation_name(generation_)) +
               ", so nothing is written";
      }
      const u32 guarded = priv() ? 0 : dropped & writable.privileged[reg];
      std::string text = name_of(generation_, reg) + ": ";
      if (guarded != 0) text += "bits " + support::hex(guarded) + " can be written only while STATUS.PRIV is set";
      if (guarded != 0 && guarded != dropped) text += ", and ";
      if (guarded != dropped)
        text += "bits " + support::hex(dropped & ~guarded) + " cannot be written by S_SETREG at all";
      return text + "; they keep their value";
    });
  }
  const u32 value = (old & ~allowed) | (update.bits & allowed);
  if (reg == id::mode) {
    const u32 csp = mode >> mode_bit::csp;
    if (value >> mode_bit::csp != csp) pushed_.set_csp(csp, value >> mode_bit::csp, address_of(op));
    mode = value;
  } else if (reg == id::status) {
    if ((allowed >> status_bit::scc & 1) != 0) {
      scc = value >> status_bit::scc & 1;
      mark_defined(state_index::scc, 1);
    }
    status = value & ~status_live_bits;
  } else if (!is_address) {
    hwregs_[reg] = value;
  }
}

}  // namespace salu::core
