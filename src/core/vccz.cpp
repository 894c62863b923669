#include <algorithm>
#include <array>
#include <string>

#include "core/interpreter.hpp"

/// VCCZ as on hardware: it follows writes of the whole of VCC only. Tracking costs nothing until code that writes a
/// half of VCC is decoded; from then on another handler runs before the own handler of instructions that write VCC or
/// test VCCZ.
namespace salu::core {
namespace {

/// The effect of an instruction on VCC.
struct VccRole {
  u8 dwords = 0;            ///< written to SDST
  bool needs_scc = false;   ///< writes them only if SCC is set
  bool tests_vccz = false;  ///< branches on VCCZ
  bool is_general = false;  ///< any of its operands can be VCCZ
};

constexpr std::array<VccRole, handler_count> vcc_roles = by_handler([](const HandlerInfo& handler) -> VccRole {
  if (!handler.is_instruction()) return {};
  const isa::InstructionInfo& row = isa::row(handler.insn);
  const bool is_relative = row.writes_any(isa::effect::relative);
  return {is_relative ? u8{0} : row.dwords_written(isa::Field::sdst), row.writes_if_scc,
          row.reads_any(isa::effect::vcc), handler.variant == Variant::general};
});

VccRole role_of(const MicroOp& op) { return vcc_roles[static_cast<std::size_t>(op.id)]; }

bool is_half_of_vcc(u32 code) { return code == state_index::vcc || code == state_index::vcc + 1; }

bool writes_half(const MicroOp* op) { return is_half_of_vcc(op->d) && role_of(*op).dwords == 1; }

bool writes_vcc(const MicroOp& op) {
  const u32 dwords = role_of(op).dwords;
  return dwords == 2 ? op.d == state_index::vcc : dwords == 1 && is_half_of_vcc(op.d);
}

void put_tracker(const CodeCache& cache, MicroOp& op) {
  // A pause handler keeps precedence: the instruction is then executed by code that checks VCC itself.
  if (!cache.has_own_handler(&op)) return;
  const VccRole role = role_of(op);
  const bool writes = writes_vcc(op);
  if (role.tests_vccz || (writes && (role.needs_scc || role.is_general))) {
    cache.put_in_front(op, HandlerId::tracked);
  } else if (writes) {
    cache.put_in_front(op, role.dwords == 1 ? HandlerId::half_of_vcc : HandlerId::whole_of_vcc);
  }
}

}  // namespace

void Interpreter::watch_vccz(const CodeCache::Block& block) {
  if (tracks_vccz) {
    for (MicroOp* const op : block.ops) put_tracker(cache, *op);
  } else if (std::ranges::any_of(block.ops, writes_half)) {
    track_vccz();
  }
}

void Interpreter::track_vccz() {
  tracks_vccz = true;
  cache.separate();
  for (MicroOp* const op : cache.decoded()) put_tracker(cache, *op);
  cache.prepare(cache.decoded());
}

const MicroOp* Interpreter::tracked(const MicroOp* op, u32& scc) {
  const VccRole role = role_of(*op);
  const u64 address = cache.address_of(op);
  if (role.tests_vccz) check_vccz(op);
  const bool writes = writes_vcc(*op) && (!role.needs_scc || scc != 0);
  u64 uncounted = 0;  // the loop counts it
  const MicroOp* const next = execute_some(*this, op, scc, 1, uncounted);
  if (writes) {
    wave.vccz_is_stale = role.dwords == 1;
    if (wave.vccz_is_stale) wave.half_vcc_writer = address;
  }
  return next;
}

void Interpreter::note_vcc_write(const MicroOp* op, u32 code, u32 dwords) {
  const bool low = code <= state_index::vcc && code + dwords > state_index::vcc;
  const bool high = code <= state_index::vcc + 1 && code + dwords > state_index::vcc + 1;
  if (!low && !high) return;
  wave.vccz_is_stale = low != high;
  if (wave.vccz_is_stale) wave.half_vcc_writer = cache.address_of(op);
  if (wave.vccz_is_stale && !tracks_vccz) track_vccz();
}

void Interpreter::check_vccz(const MicroOp* op) {
  const u64 address = cache.address_of(op);
  if (!wave.vccz_is_stale || !control.warnings.is_new(WarningKind::stale_vccz, address)) return;
  const u64 writer = wave.half_vcc_writer;
  add_warning(WarningKind::stale_vccz, address,
              "VCCZ on hardware does not follow the write of one half of VCC by " + cache.text_at(writer) + " at " +
                  cache.program().describe_place(writer) +
                  "; insert s_mov_b64 vcc, vcc (salu computes VCCZ from both halves)",
              writer);
}

}  // namespace salu::core
