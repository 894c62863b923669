#include "core/fusion.hpp"

#include <algorithm>

#include "core/code_cache.hpp"

/// Fusion of consecutive instructions. Only the handler of the first op changes; the following ops keep theirs. So
/// jumps into the middle, single steps and queries of ops are not affected.
namespace salu::core {

/// A handler of fused instructions.
struct FusedHandler {
  std::array<HandlerId, 3> ids{};
  u8 count = 0;
  bool forwards = false;
  bool reads_d = false;  ///< the forwarded operand is in the field of SDST, otherwise in that of SSRC0 or SSRC1
  bool reads_b = false;
  bool drops_scc = false;
};

namespace {

/// The effect of a handler on the handlers before it.
struct HandlerFlow {
  /// How it uses the SCC of earlier instructions. `seen` includes every handler that may end the run, pause it or jump.
  enum class Scc : u8 { seen, replaced, passed_on };
  /// Successors other than the next instruction.
  enum class To : u8 { next, target, anywhere };

  Scc scc = Scc::seen;
  To to = To::next;
  u8 dwords = 1;  ///< valid unless `scc` is `seen`
};

constexpr HandlerFlow flow_of(const HandlerInfo& handler) {
  using enum HandlerFlow::Scc;
  using enum HandlerFlow::To;
  HandlerFlow flow;
  // Loads and stores may end the run.
  if (!handler.is_instruction()) return flow;
  const isa::InstructionInfo& row = isa::row(handler.insn);
  if (row.branches()) flow.to = target;
  if (row.flow == isa::Flow::jump || row.flow == isa::Flow::call) flow.to = anywhere;
  if (handler.variant == Variant::general || !always_goes_on(handler.insn)) return flow;
  if (handler.variant != Variant::fast) flow.dwords = 2;
  if (!row.reads_any(isa::effect::scc)) flow.scc = row.writes_any(isa::effect::scc) ? replaced : passed_on;
  return flow;
}

constexpr std::array<HandlerFlow, handler_count> handler_flows = by_handler(flow_of);

constexpr bool is_sopk(isa::Insn insn) { return isa::row(insn).format == isa::Format::sopk; }

constexpr FusedHandler fused(Forward forward, SccBehind scc, isa::Insn second, std::array<HandlerId, 3> ids, u8 count) {
  return {.ids = ids,
          .count = count,
          .forwards = forward != Forward::none,
          .reads_d = is_sopk(second),
          .reads_b = forward == Forward::ssrc1,
          .drops_scc = scc == SccBehind::dead};
}

constexpr std::array<FusedHandler, fused_handler_count> fused_handlers = {{
#define SALU_FUSED2(forward, behind, first, second)             \
  fused(Forward::forward, SccBehind::behind, isa::Insn::second, \
        {HandlerId::first##_fast, HandlerId::second##_fast, {}}, 2),
#define SALU_FUSED3(forward, behind, first, second, third)      \
  fused(Forward::forward, SccBehind::behind, isa::Insn::second, \
        {HandlerId::first##_fast, HandlerId::second##_fast, HandlerId::third##_fast}, 3),
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
}};
// The run may stop after a branch, when the budget is charged, and SCC is then visible.
static_assert(std::ranges::none_of(fused_handlers, [](const FusedHandler& fused) {
  return fused.drops_scc &&
         handler_flows[static_cast<std::size_t>(fused.ids[fused.count - 1U])].to != HandlerFlow::To::next;
}));

/// The numbers of all fused handlers, grouped by their first instruction, and the start of each group.
struct FusedIndex {
  std::array<u16, fused_handler_count> numbers{};
  std::array<u16, handler_count + 1> begins{};

  constexpr FusedIndex() {
    for (const FusedHandler& each : fused_handlers) ++begins[static_cast<std::size_t>(each.ids[0]) + 1];
    for (std::size_t i = 0; i < handler_count; ++i) begins[i + 1] = static_cast<u16>(begins[i + 1] + begins[i]);
    std::array<u16, handler_count + 1> places = begins;
    for (std::size_t i = 0; i < fused_handler_count; ++i) {
      numbers[places[static_cast<std::size_t>(fused_handlers[i].ids[0])]++] = static_cast<u16>(i);
    }
  }
};
constexpr FusedIndex fused_index;

/// True if a decoded instruction may branch backwards.
bool may_repeat(const MicroOp& op) {
  const HandlerFlow::To to = handler_flows[static_cast<std::size_t>(op.id)].to;
  return to == HandlerFlow::To::anywhere || (to == HandlerFlow::To::target && op.imm < 0);
}

/// True if the forwarded source of a fused handler is the register that the first instruction writes.
bool is_forwarded(const FusedHandler& fused, const MicroOp& first, const MicroOp& second) {
  if (fused.reads_b) return second.b == first.d;
  return (fused.reads_d ? second.d : second.a) == first.d;
}

}  // namespace

/// True if another handler runs before or instead of the op's own, except a fused handler.
bool CodeCache::is_watched(const MicroOp* op) const {
  using enum HandlerId;
  constexpr std::array fronts = {predecode, pause, tracked, half_of_vcc, whole_of_vcc, warm};
  return std::ranges::any_of(fronts, [this, op](HandlerId front) { return is_in_front(op, front); });
}

/// True if SCC is replaced before an op from here on can read it.
bool CodeCache::is_scc_replaced(const MicroOp* op) const {
  constexpr int reach = 16;
  for (int i = 0; i < reach && !is_watched(op); ++i) {
    const HandlerFlow& flow = handler_flows[static_cast<std::size_t>(op->id)];
    if (flow.scc != HandlerFlow::Scc::passed_on) return flow.scc == HandlerFlow::Scc::replaced;
    op += flow.dwords;
  }
  return false;
}

bool CodeCache::fits(const FusedHandler& fused, const MicroOp* op) const {
  for (u8 i = 1; i < fused.count; ++i) {
    if (op[i].id != fused.ids[i] || is_watched(op + i)) return false;
  }
  return (!fused.forwards || is_forwarded(fused, op[0], op[1])) &&
         (!fused.drops_scc || is_scc_replaced(op + fused.count));
}

void CodeCache::fuse(std::span<MicroOp* const> ops) {
  for (MicroOp* const op : ops) {
    if (!has_own_handler(op)) continue;
    const u16* const end = fused_index.numbers.data() + fused_index.begins[static_cast<std::size_t>(op->id) + 1];
    for (const u16* each = fused_index.numbers.data() + fused_index.begins[static_cast<std::size_t>(op->id)];
         each != end; ++each) {
      if (!fits(fused_handlers[*each], op)) continue;
      op->handler = handlers_[handler_count + *each];
      break;
    }
  }
}

void CodeCache::prepare(std::span<MicroOp* const> ops) {
  if (!by_handlers_) return;
  if (is_hot()) {
    fuse(ops);
  } else {
    for (MicroOp* const op : ops) {
      if (may_repeat(*op) && has_own_handler(op)) put_in_front(*op, HandlerId::warm);
    }
  }
}

void CodeCache::warm_up() {
  if (++heat_ != hot) return;
  separate();
  fuse(decoded());
}

void CodeCache::separate() {
  for (MicroOp* const op : decoded()) {
    if (is_in_front(op, HandlerId::warm) || !is_watched(op)) op->handler = own_handler(op);
  }
}

}  // namespace salu::core
