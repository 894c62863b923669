#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "dap/adapter.hpp"
#include "dap/arguments.hpp"

namespace salu::dap {

/// A request of the protocol: when it is allowed, and what it does.
struct Request {
  std::string_view name;
  States states = states::still;  ///< in which it is allowed
  bool is_urgent = false;         ///< ends what runs
  bool shows_user = false;        ///< a refusal is about something that the user has just done
  /// Gets its arguments and returns the body of its answer.
  Result<Json> (*handle)(Adapter& adapter, Arguments& arguments);
};

std::span<const Request> lifecycle_requests();
std::span<const Request> breakpoint_requests();
std::span<const Request> moving_requests();
std::span<const Request> state_requests();
std::span<const Request> expression_requests();
std::span<const Request> memory_requests();
std::span<const Request> source_requests();

/// The request of a name, or null.
const Request* find_request(std::string_view name);

/// What is wrong with `threadId`: the wave is thread 1.
std::optional<Error> thread_problem(Arguments& arguments);
/// What is wrong with `frameId`.
std::optional<Error> frame_problem(Adapter& adapter, Arguments& arguments);

}  // namespace salu::dap
