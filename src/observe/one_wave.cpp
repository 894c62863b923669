#include "observe/one_wave.hpp"

namespace salu::observe {

std::optional<Error> find_waves_problem(const Scenario& scenario) {
  if (!scenario.runs_several_waves()) return std::nullopt;
  const char* const text = scenario.waves != nullptr ? "the scenario runs several waves, but this command runs one; "
                                                       "with `kernel:`, replace `waves: all` by `wave:` "
                                                       "and `workgroup_id:`"
                                                     : "the kernel has barriers, at which the waves of its work-group "
                                                       "wait for each other, but this command runs one "
                                                       "wave; use a `workgroup_size:` of one wave";
  return Error{ErrorCode::usage, {scenario.file}, text, {}};
}

}  // namespace salu::observe
