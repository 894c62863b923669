#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <vector>

namespace salu {

/// When `Outcome::fidelity` is filled.
enum class FidelityReport : u8 {
  of_inexact,  ///< if a run had an instruction that is not exact
  always,
  followed,  ///< always, and the run is analysed for values that depend on inexact instructions, which takes time
};

/// Parts of a run that may differ from hardware because some instructions are not exact.
struct Affected {
  bool control_flow = false;      ///< branches, or the set of active lanes
  bool address = false;           ///< the address of a memory access, or the number of an indexed register
  std::vector<Location> results;  ///< parts of the final state; a vector register is listed as a whole
};

/// How exactly the executed instructions model the hardware. Each list has the addresses of instructions, sorted, each
/// address once.
struct Fidelity {
  std::vector<u64> exact;        ///< exactly as hardware does
  std::vector<u64> approximate;  ///< hardware may compute something else, or has further effects that are not modelled
  std::vector<u64> skipped;      ///< skipped vector instructions (`OnVector::skip`)
  std::vector<u64> assumed;      ///< replaced by an assumption of the scenario (`Program::assumptions`)

  std::optional<Affected> affected{};  ///< with `FidelityReport::followed`

  [[nodiscard]] bool is_exact() const { return approximate.empty() && skipped.empty() && assumed.empty(); }
  [[nodiscard]] u64 instructions() const { return exact.size() + approximate.size() + skipped.size() + assumed.size(); }
};

/// A covered number and the number of all.
struct Share {
  u64 covered = 0;
  u64 all = 0;
};

/// Instruction coverage of one generation by some runs.
struct InstructionCoverage {
  Generation generation{};
  Share scalar;                             ///< instructions of the scalar unit
  Share operand_forms;                      ///< kinds of operands: SGPRs, VCC, EXEC, inline constants, literals, ...
  Share vector;                             ///< vector instructions that salu supports
  Share vector_forms;                       ///< encodings of vector instructions: the short one, VOP3, SDWA
  std::vector<std::string> never_executed;  ///< scalar instructions that were never executed
};

}  // namespace salu
