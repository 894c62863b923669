#include "observe/one_wave.hpp"

namespace salu::observe {

std::optional<Error> find_waves_problem(const Scenario& scenario) {
  if (!scenario.runs_several_waves()) return std::nullopt;
  const char* const text = scenario.waves != nullptr
                               ? "`waves: all` runs many waves; select one with `wave:` and `workgroup_id:`"
                               : "the kernel has barriers, at which the waves of its work-group wait for each other, "
                                 "but only one wave would "
                                 "run; use a work-group of one wave";
  return Error{ErrorCode::usage, {scenario.file}, text, {}};
}

}  // namespace salu::observe
