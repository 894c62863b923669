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
  of_inexact,  ///< where not all of a run was exact
  always,
  followed,  ///< always, and what was not exact is followed to what depends on it, which takes time
};

/// What could be otherwise because instructions of a run are not exact.
struct Affected {
  bool control_flow = false;      ///< which way the wave or its lanes went
  bool address = false;           ///< which memory or which register was touched
  std::vector<Location> results;  ///< of the state at the end; a vector register is there as a whole
};

/// How exactly a run did what hardware does: the addresses of the instructions that it executed, sorted, each once
/// however often it was executed.
struct Fidelity {
  std::vector<u64> exact;        ///< that did just that
  std::vector<u64> approximate;  ///< of which hardware may make something else, or does more that is not modelled
  std::vector<u64> skipped;      ///< vector instructions that were passed over (`OnVector::skip`)
  std::vector<u64> assumed;      ///< did what the scenario says instead (`Program::assumptions`)

  std::optional<Affected> affected{};  ///< with `FidelityReport::followed`

  [[nodiscard]] bool is_exact() const { return approximate.empty() && skipped.empty() && assumed.empty(); }
  [[nodiscard]] u64 instructions() const { return exact.size() + approximate.size() + skipped.size() + assumed.size(); }
};

/// How much of something was executed.
struct Share {
  u64 covered = 0;
  u64 all = 0;
};

/// Which instructions of a generation some runs have executed.
struct InstructionCoverage {
  Generation generation{};
  Share scalar;         ///< instructions of the scalar unit
  Share operand_forms;  ///< what their operands may be: SGPRs, VCC, EXEC, inline constants, literals, ...
  Share vector;         ///< vector instructions that salu knows
  Share vector_forms;   ///< their encodings: the short one, VOP3, SDWA
  std::vector<std::string> never_executed;  ///< those of the scalar unit
};

}  // namespace salu
