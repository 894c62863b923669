#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "dap/adapter.hpp"
#include "dap/arguments.hpp"

namespace salu::dap {

/// A request of the protocol: the states in which it is allowed, and its action.
struct Request {
  std::string_view name;
  States states = states::still;  ///< in which it is allowed
  bool is_urgent = false;         ///< stops the running program
  bool shows_user = false;        ///< a refusal is about an action of the user
  /// Receives the arguments and returns the body of the answer.
  Result<Json> (*handle)(Adapter& adapter, Arguments& arguments);
};

std::span<const Request> lifecycle_requests();
std::span<const Request> breakpoint_requests();
std::span<const Request> moving_requests();
std::span<const Request> state_requests();
std::span<const Request> expression_requests();
std::span<const Request> memory_requests();
std::span<const Request> source_requests();

/// Finds a request by name, or returns null.
const Request* find_request(std::string_view name);

/// Returns the wave of `threadId`; without one, the selected wave.
Result<u64> read_thread(Adapter& adapter, Arguments& arguments);
/// Selects it.
std::optional<Error> select_thread(Adapter& adapter, Arguments& arguments);
/// Returns the wave of `frameId`; without one or if it is 0, the selected wave.
Result<u64> read_frame(Adapter& adapter, Arguments& arguments);
/// Selects it.
std::optional<Error> select_frame(Adapter& adapter, Arguments& arguments);

}  // namespace salu::dap
