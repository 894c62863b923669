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
  /// Vector registers by number, and which of their lanes.
  struct Lanes {
    u32 number = 0;
    u64 lanes = 0;
  };
  std::vector<Lanes> vectors_read;
  std::vector<Lanes> vectors_written;
  /// Dwords of memory that lie side by side, and which of the 64 from an address on.
  struct MemoryRow {
    u64 address = 0;
    u64 dwords = 0;
  };
  // What `find_accesses_in_rows` finds so; all others have it dword by dword in `reads` and `writes`.
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
/// Whether some lanes of a vector register (a bit each) are part of a place.
bool are_in(u32 vector_number, u64 lanes, const Location& place);
Accesses find_accesses(const core::Machine& machine, const isa::Instruction& instruction);
/// The same in the place of what `result` holds.
void find_accesses(const core::Machine& machine, const isa::Instruction& instruction, Accesses& result);
/// What an instruction touches that does what is assumed about it.
void find_accesses(const core::Machine& machine, const Assumption& assumption, Accesses& result);
/// What a fork or a join touches whatever the state is: all but an entry of the control stack. A join that goes on may
/// touch less. False where an operand is something that may not be there, or may warn when it is read.
bool find_accesses_beside_stack(const core::Machine& machine, const isa::Instruction& instruction, Accesses& result);
/// Whether they are the same in every state with as many allocated SGPRs.
bool has_fixed_accesses(Generation generation, const isa::Instruction& instruction);

/// Adds what an operand code makes an instruction read: a register, or the state behind VCCZ, EXECZ, SCC.
void add_source(std::vector<Location>& reads, const core::Machine& machine, u8 code, u32 dwords);
/// Whether a destination takes what is written to it.
bool is_writable(const core::Machine& machine, u8 code, u32 dwords);

/// A location with its current value.
LocationValue value_at(const core::Machine& machine, const Location& location);

/// `s[2:3]`, `scc`, `mode`, `v3`, `v3[7]`, `[0x10000]`.
std::string location_name(Generation generation, const Location& location);

/// `s[2:3]=0x0000000000000007`, `scc=1`, `mode=0x...`.
std::string describe(Generation generation, const LocationValue& value);

/// The same at the end of a text. `name`: the location's.
void append_value(support::TextBuffer& text, std::string_view name, const LocationValue& value);

/// Indices into `WaveState::defined` of a location; none for what always counts as defined.
std::vector<u32> defined_indices(const Location& location);
/// Calls `visit(index)` for each of them.
template <class Visit>
void visit_defined_indices(const Location& location, const Visit& visit) {
  for (u32 i = 0; i < location.dwords && location.index + i < state_index::defined_count; ++i)
    visit(location.index + i);
}

}  // namespace salu::observe
