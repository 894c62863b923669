#pragma once

#include <salu/error.hpp>
#include <salu/machine.hpp>
#include <salu/scenario.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

/// Parts that `Machine` and `Session` share.
namespace salu::api {

/// An error in a call, with its message.
inline Error usage(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

/// The selected run of a file, which is of one wave.
Result<Scenario> load_selected(const std::string& path, const LoadOptions& options, const ScenarioSelection& selection);
/// The error for a scenario of all waves of a grid; nothing for others.
std::optional<Error> find_wave_problem(const Scenario& scenario);
/// Copies mapped memory out.
Result<std::vector<u8>> read_mapped(const Memory& memory, u64 address, std::size_t size_bytes);
/// The error for a range that is not mapped as a whole; nothing for others.
std::optional<Error> find_mapping_problem(const Memory& memory, u64 address, u64 size_bytes);

}  // namespace salu::api
