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

/// The accesses of one instruction, computed before it runs from its declaration and the state: relative addressing,
/// conditional moves, registers beyond the allocation, dropped writes and the control stack entry are resolved. An
/// instruction with an illegal operand has none. A fork lists the stack entry whether it will push or not.
struct Accesses {
  std::vector<Location> reads;
  std::vector<Location> writes;
  /// A vector register by number, with a set of its lanes.
  struct Lanes {
    u32 number = 0;
    u64 lanes = 0;
  };
  std::vector<Lanes> vectors_read;
  std::vector<Lanes> vectors_written;
  /// Up to 64 consecutive dwords of memory: an address and a mask of dwords.
  struct MemoryRow {
    u64 address = 0;
    u64 dwords = 0;
  };
  // Memory that `find_accesses_in_rows` stores as rows; all other functions list single dwords in `reads` and `writes`.
  std::vector<MemoryRow> rows_read;
  std::vector<MemoryRow> rows_written;

  void clear() {
    rows_read.clear();
    rows_written.clear();
    reads.clear();
    writes.clear();
    vectors_read.clear();
    vectors_written.clear();
  }
};
/// True if some lanes of a vector register (one bit each) are part of a place.
bool are_in(u32 vector_number, u64 lanes, const Location& place);
Accesses find_accesses(const core::Machine& machine, const isa::Instruction& instruction);
/// Replaces the contents of `result`.
void find_accesses(const core::Machine& machine, const isa::Instruction& instruction, Accesses& result);
/// The accesses of an instruction whose effects are assumed.
void find_accesses(const core::Machine& machine, const Assumption& assumption, Accesses& result);
/// The accesses of a fork or join that do not depend on the state: all except an entry of the control stack. A join
/// that continues may access less. False if an operand may not exist, or may warn when it is read.
bool find_accesses_beside_stack(const core::Machine& machine, const isa::Instruction& instruction, Accesses& result);
/// True if the accesses are the same in every state with the same number of allocated SGPRs.
bool has_fixed_accesses(Generation generation, const isa::Instruction& instruction);

/// Adds the state that an operand code reads: a register, or for VCCZ, EXECZ and SCC the state that they reflect.
void add_source(std::vector<Location>& reads, const core::Machine& machine, u8 code, u32 dwords);
/// True if a write to a destination takes effect.
bool is_writable(const core::Machine& machine, u8 code, u32 dwords);

/// A location with its current value.
LocationValue value_at(const core::Machine& machine, const Location& location);

/// `s[2:3]`, `scc`, `mode`, `v3`, `v3[7]`, `[0x10000]`.
std::string location_name(Generation generation, const Location& location);

/// `s[2:3]=0x0000000000000007`, `scc=1`, `mode=0x...`.
std::string describe(Generation generation, const LocationValue& value);

/// Appends the same text. `name`: the name of the location.
void append_value(support::TextBuffer& text, std::string_view name, const LocationValue& value);

/// Indices into `WaveState::defined` of a location; empty for locations that always count as defined.
std::vector<u32> defined_indices(const Location& location);
/// Calls `visit(index)` for each of these indices.
template <class Visit>
void visit_defined_indices(const Location& location, const Visit& visit) {
  for (u32 i = 0; i < location.dwords && location.index + i < state_index::defined_count; ++i)
    visit(location.index + i);
}

}  // namespace salu::observe
