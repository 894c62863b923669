#pragma once

#include <salu/memory.hpp>
#include <salu/scenario.hpp>
#include <salu/state.hpp>

#include <string>
#include <vector>

/// A state as a list of names and values, shared by the formats of reports.
namespace salu::output {

/// The number of dwords of a register that have been written.
enum class Definition : u8 { always, all, some, none };

struct ListedRegister {
  std::string name;  ///< as in scenarios
  RegisterName where;
  u64 value = 0;
  Definition definition = Definition::always;
  bool changed = false;  ///< a new value, or the first write

  [[nodiscard]] bool is_touched() const {
    return changed || value != 0 || definition == Definition::all || definition == Definition::some;
  }
};

/// Every SGPR that the target's encoding can name.
std::vector<ListedRegister> list_sgprs(const Scenario& scenario, const WaveState& state);
/// The special registers in the order of the JSON report: VCC, EXEC, M0, SCC, MODE, CSP, STATUS, TRAPSTS, TBA, TMA, PC,
/// and FLAT_SCRATCH and XNACK_MASK if the target has them. 64-bit registers appear once.
std::vector<ListedRegister> list_specials(const Scenario& scenario, const WaveState& state);
std::vector<ListedRegister> list_ttmps(const Scenario& scenario, const WaveState& state);
/// The other hardware registers that are or were not zero.
std::vector<ListedRegister> list_hwregs(const Scenario& scenario, const WaveState& state);

/// A vector register, with all lanes.
struct ListedVector {
  std::string name;
  VectorRegisters::Lanes lanes{};
  u64 defined = 0;       ///< one bit per lane
  bool changed = false;  ///< in any lane
  RegisterName where{};

  /// True if all lanes are defined and equal.
  [[nodiscard]] bool is_uniform() const;
};
/// The vector registers with a given or written lane.
std::vector<ListedVector> list_vectors(const Scenario& scenario, const WaveState& state);

/// The halves of a 64-bit register with only one written half.
std::vector<ListedRegister> halves_of(const Scenario& scenario, const WaveState& state, const ListedRegister& whole);

/// Names of unwritten registers, or of unwritten halves.
std::vector<std::string> list_undefined(const Scenario& scenario, const WaveState& state);

/// A value as in reports: hexadecimal with leading zeros, flags and fields in decimal.
std::string value_text(const ListedRegister& listed);

/// A run of dwords (of bytes, at the edges of a region that is not made of dwords).
struct MemoryRun {
  u64 address = 0;  ///< dword aligned
  std::vector<u32> words;
};

/// The changed dwords in as few runs as possible, by address.
std::vector<MemoryRun> changed_memory(const Memory& before, const Memory& after);

/// A piece of memory up to its last byte that is not zero.
struct MemoryPiece {
  MemoryRegion region;
  std::vector<u8> bytes;
};
/// The memory that another run needs to continue from a state: all but the unchanged code.
std::vector<MemoryPiece> memory_to_dump(const Scenario& scenario, const Memory& memory);

}  // namespace salu::output
