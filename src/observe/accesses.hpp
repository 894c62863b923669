#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/state.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine.hpp"
#include "isa/decode.hpp"
#include "support/text_buffer.hpp"

namespace salu::observe {

/// What one instruction touches, computed before it runs from its declaration and the state: relative addressing,
/// conditional moves, registers beyond the allocation, dropped writes and the place of the control stack are resolved;
/// an instruction with an illegal operand touches nothing. A fork lists the stack entry whether it will push or not.
struct Accesses {
  std::vector<Location> reads;
  std::vector<Location> writes;
};
Accesses find_accesses(const core::Machine& machine, const isa::Instruction& instruction);
/// The same in the place of what `result` holds.
void find_accesses(const core::Machine& machine, const isa::Instruction& instruction, Accesses& result);
/// Whether they are the same in every state with as many allocated SGPRs.
bool has_fixed_accesses(Generation generation, const isa::Instruction& instruction);

/// A location with its current value.
LocationValue value_at(const core::Machine& machine, const Location& location);

/// `s[2:3]`, `scc`, `mode`, `[0x10000]`.
std::string location_name(Generation generation, const Location& location);

/// `s[2:3]=0x0000000000000007`, `scc=1`, `mode=0x...`.
std::string describe(Generation generation, const LocationValue& value);

/// The same at the end of a text. `name`: the location's.
void append_value(support::TextBuffer& text, std::string_view name, const LocationValue& value);

/// Where a register is, as instructions touch it; nothing for the PC, TBA and TMA.
std::optional<Location> location_of(const RegisterName& name);

/// Indices into `WaveState::defined` of a location; nothing for what always counts as defined.
std::vector<u32> defined_indices(Generation generation, const Location& location);
/// Calls `visit(index)` for each of them.
template <class Visit>
void visit_defined_indices(Generation generation, const Location& location, const Visit& visit) {
  if (location.kind == Location::Kind::scc) visit(defined_index::scc);
  if (location.kind != Location::Kind::registers) return;
  const bool may_be_address = generation_info(generation).trap_addresses_are_operands;
  for (u32 code = location.first; code < u32{location.first} + location.dwords; ++code) {
    const bool address = may_be_address && code >= code::tba && code < code::tma + 2;
    visit(address ? defined_index::tba + (code - code::tba) : code);
  }
}

}  // namespace salu::observe
