#pragma once

#include <salu/memory.hpp>
#include <salu/scenario.hpp>
#include <salu/state.hpp>

#include <string>
#include <vector>

/// A state as a list of names and values: what all the formats of a report share.
namespace salu::output {

/// How much a register's dwords have been written.
enum class Definition : u8 { always, all, some, none };

struct ListedRegister {
  std::string name;  ///< as a scenario names it
  RegisterName where;
  u64 value = 0;
  Definition definition = Definition::always;
  bool changed = false;  ///< another value than at the start, or written for the first time

  [[nodiscard]] bool is_touched() const {
    return changed || value != 0 || definition == Definition::all || definition == Definition::some;
  }
};

/// Every SGPR that the target's encoding can name.
std::vector<ListedRegister> list_sgprs(const Scenario& scenario, const WaveState& state);
/// The special registers in the order of the JSON report: VCC, EXEC, M0, SCC, MODE, CSP, STATUS, TRAPSTS, TBA, TMA, PC,
/// and FLAT_SCRATCH and XNACK_MASK where the target has them. 64-bit ones appear once.
std::vector<ListedRegister> list_specials(const Scenario& scenario, const WaveState& state);
std::vector<ListedRegister> list_ttmps(const Scenario& scenario, const WaveState& state);
/// The other hardware registers that are not zero now, or were not zero at the start.
std::vector<ListedRegister> list_hwregs(const Scenario& scenario, const WaveState& state);

/// A vector register, with all lanes.
struct ListedVector {
  std::string name;
  VectorRegisters::Lanes lanes{};
  u64 defined = 0;       ///< a bit a lane
  bool changed = false;  ///< as of the others, in any lane
  RegisterName where{};

  /// Whether all lanes are defined and hold the same.
  [[nodiscard]] bool is_uniform() const;
};
/// Those of which a lane was given, or has been written.
std::vector<ListedVector> list_vectors(const Scenario& scenario, const WaveState& state);

/// The halves of a 64-bit register of which only one has been written.
std::vector<ListedRegister> halves_of(const Scenario& scenario, const WaveState& state, const ListedRegister& whole);

/// Names of what nothing has written: halves where the other half has been.
std::vector<std::string> list_undefined(const Scenario& scenario, const WaveState& state);

/// The value as reports print it: hexadecimal with leading zeros, flags and fields in decimal.
std::string value_text(const ListedRegister& listed);

/// A run of dwords (of bytes, at the edges of a region that is not made of dwords).
struct MemoryRun {
  u64 address = 0;  ///< dword aligned
  std::vector<u32> words;
};

/// Dwords whose contents differ, as few runs as possible, by address.
std::vector<MemoryRun> changed_memory(const Memory& before, const Memory& after);

/// A piece of memory with its contents up to the last byte that is not zero.
struct MemoryPiece {
  MemoryRegion region;
  std::vector<u8> bytes;
};
/// What has to be written down of the memory after a run so that another run can go on with it: all but the code, and
/// the dwords of the code that the run has changed.
std::vector<MemoryPiece> memory_to_dump(const Scenario& scenario, const Memory& memory);

}  // namespace salu::output
