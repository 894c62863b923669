#include "observe/undefined/shadow_step.hpp"

#include <utility>

#include "isa/operand.hpp"
#include "observe/undefined/semantics.hpp"
#include "support/numbers.hpp"

namespace salu::observe::undefined {

Mask ShadowStep::zero_test(u32 code) const {
  const Mask pair = state_.shadow.scalars(register_index(generation(), code), 2);
  const Bit is_zero = text::u64::of(wave().pair(code), pair.bits) == text::u64(0);
  return {u64{is_zero.undefined}, pair.origin};
}

Mask ShadowStep::source(u8 code, u32 dwords) {
  const isa::OperandClass operand = isa::operand_class(generation(), code);
  switch (operand) {
    case isa::OperandClass::vccz:
      return zero_test(code::vcc);
    case isa::OperandClass::execz:
      return zero_test(code::exec);
    case isa::OperandClass::scc:
      return state_.shadow.scalar(state_index::scc);
    case isa::OperandClass::aperture:
      return dwords == 1 ? unspecified({code}) : Mask{};
    default:
      break;
  }
  if (!isa::is_register(operand)) return {};
  if (operand == isa::OperandClass::ttmp && wave().hides_ttmps()) return {};
  const u32 from = wave().is_beyond_allocation(code, dwords) ? 0 : code;
  return state_.shadow.scalars(register_index(generation(), from), dwords);
}

void ShadowStep::write(u8 code, u32 dwords, const Mask& mask) {
  if (!is_writable(machine_, code, dwords)) return;
  const u32 index = register_index(generation(), code);
  for (u32 i = 0; i < dwords; ++i) write_index(index + i, {mask.bits >> (32 * i) & 0xffffffff, mask.origin});
}

void ShadowStep::report_undefined(const Location& operand, const Mask& mask, const Use& use) {
  ++state_.reports;
  if (state_.about == State::About::inexact) {
    (use.kind == Use::Kind::address ? state_.affects_address : state_.affects_control_flow) = true;
    return;
  }
  machine_.warn_undefined(WarningKind::undefined_read, pc_, [&] {
    Finding finding = describe(machine_, state_.origins, operand, mask, use.what);
    return std::pair(std::move(finding.detail), std::move(finding.read));
  });
}

namespace {

std::string place_name(Generation generation, const Location& place) { return location_name(generation, place); }

/// `s_mov_b32 s4, s5 at 0x1008`.
std::string instruction_at(const core::Machine& machine, u64 pc) {
  return "`" + machine.code().text_at(pc) + "` at " + support::hex(pc);
}

std::string beginning(const core::Machine& machine, const Origin& origin) {
  const std::string place = place_name(machine.generation(), origin.place);
  switch (origin.kind) {
    case Origin::Kind::never_written:
      return state_index::is_lane(origin.place.index) ? "the lane was never written" : place + " was never written";
    case Origin::Kind::uninitialised_memory:
      return "that memory was never initialised";
    case Origin::Kind::given:
      return place + " was given as undefined";
    case Origin::Kind::skipped_vector:
      return instruction_at(machine, origin.pc) + " was skipped, which would have written " + place;
    case Origin::Kind::unspecified_result:
      return "the manuals do not define the result of " + instruction_at(machine, origin.pc);
    case Origin::Kind::approximate_result:
    case Origin::Kind::assumed:
    case Origin::Kind::derived:
      break;
  }
  return {};
}

}  // namespace

Finding describe(const core::Machine& machine, const Origins& origins, const Location& operand, const Mask& mask,
                 std::string_view what) {
  Finding finding;
  UndefinedRead& read = finding.read;
  read.operand = place_name(machine.generation(), operand);
  read.bits = mask.bits;
  const bool is_one_bit = operand.index == state_index::scc;
  finding.detail = std::string(what) + " depends on " +
                   (is_one_bit ? read.operand + ", which is undefined"
                               : "bits " + support::hex(mask.bits, mask.bits >> 32 != 0 ? 16 : 8) + " of " +
                                     read.operand + ", which are undefined") +
                   ": " + describe_origin(machine, origins, mask.origin, read);
  return finding;
}

std::string describe_origin(const core::Machine& machine, const Origins& origins, OriginId origin,
                            UndefinedRead& read) {
  const Origin& first = origins.first(origin);
  read.origin = origin_name(first.kind);
  if (first.pc != 0 || first.step != 0) read.origin_pc = first.pc;
  std::string text = beginning(machine, first);
  std::string way;
  bool leaves_out = false;
  for (OriginId id = origin; origins[id].from != 0; id = origins[id].from) {
    const Origin& link = origins[id];
    leaves_out |= link.leaves_out;
    way = instruction_at(machine, link.pc) + (way.empty() ? "" : ", ") + way;
    read.way.insert(read.way.begin(), link.pc);
  }
  if (!way.empty()) text += "; propagated by " + std::string(leaves_out ? "others, " : "") + way;
  return text;
}

}  // namespace salu::observe::undefined
