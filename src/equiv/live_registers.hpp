#pragma once

#include <string>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// A register whose initial value may decide what a program leaves, and that nothing gives a value.
struct LiveRegister {
  std::string name;
  std::vector<Place> places;  ///< in both programs; of a vector register its lanes. Empty if it cannot be varied
  /// True if it is to be varied. False if the code alone does not tell that it is read: in compiled code, which may
  /// read registers on paths that no run can take; for a vector register that is written before, but perhaps not in all
  /// lanes that are read; for a register that both programs may leave as it is.
  bool is_input = true;
};

struct LiveRegisters {
  std::vector<LiveRegister> registers;  ///< each once
  bool is_complete = true;              ///< false if the code of a program does not tell which registers it reads
};

/// Finds them in the code of both programs. `set`: the results, for registers that a program may leave as they are.
LiveRegisters find_live_registers(const Programs& programs, const OutputSet& set);

}  // namespace salu::equiv
