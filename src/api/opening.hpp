#pragma once

#include <salu/error.hpp>
#include <salu/machine.hpp>
#include <salu/scenario.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

/// Functions shared by `Machine` and `Session`.
namespace salu::api {

/// Makes an error about a call.
inline Error usage(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

/// Loads the selected run of a file, which must be of one wave.
Result<Scenario> load_selected(const std::string& path, const LoadOptions& options, const ScenarioSelection& selection);
/// Returns an error for a scenario of all waves of a grid.
std::optional<Error> find_wave_problem(const Scenario& scenario);
/// Returns a copy of mapped memory.
Result<std::vector<u8>> read_mapped(const Memory& memory, u64 address, std::size_t size_bytes);
/// Returns an error if a range is not completely mapped.
std::optional<Error> find_mapping_problem(const Memory& memory, u64 address, u64 size_bytes);

}  // namespace salu::api
