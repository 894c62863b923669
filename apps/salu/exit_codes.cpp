#include "exit_codes.hpp"

#include <algorithm>

namespace salu::app {

int exit_code_of(const Stop& stop) {
  if (is_regular_end(stop.reason)) return exit_code::good;
  if (is_fault(stop.reason)) return exit_code::fault;
  switch (stop.reason) {
    case StopReason::step_limit:
    case StopReason::time_limit:
    case StopReason::memory_limit:
      return exit_code::limit;
    case StopReason::vector_instruction:
    case StopReason::unsupported_instruction:
      return exit_code::not_executable;
    default:
      return exit_code::stopped;
  }
}

int exit_code_of(const Stop& stop, const Expectation& expectation, const std::vector<Mismatch>& mismatches) {
  const bool stopped_as_named = expectation.stop == stop.reason && expectation.stop_warning == stop.warning;
  const int code = stopped_as_named ? exit_code::good : exit_code_of(stop);
  return mismatches.empty() ? code : std::max(code, exit_code::expectation_failed);
}

int exit_code_of(const Error& error) {
  const bool is_usage = error.code == ErrorCode::usage || error.code == ErrorCode::overwrite;
  return is_usage ? exit_code::usage : exit_code::bad_input;
}

}  // namespace salu::app
