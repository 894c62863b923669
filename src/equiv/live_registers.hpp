#pragma once

#include <string>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// An unset register whose initial value may affect the results of a program.
struct LiveRegister {
  std::string name;
  std::vector<Place> places;  ///< in both programs; for a vector register its lanes; empty if it cannot be varied
  /// True if it is varied. False if the code does not prove that it is read: in compiled code, which may read registers
  /// on infeasible paths; for a vector register that is written before, but possibly not in all lanes that are read;
  /// for a register that both programs may leave unchanged.
  bool is_input = true;
};

struct LiveRegisters {
  std::vector<LiveRegister> registers;  ///< without duplicates
  bool is_complete = true;              ///< false if the registers that a program reads are not known from its code
};

/// Finds the live registers of both programs from their code. `set` has the results, for registers that a program may
/// leave unchanged.
LiveRegisters find_live_registers(const Programs& programs, const OutputSet& set);

}  // namespace salu::equiv
