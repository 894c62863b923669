#include "dap/request.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace salu::dap {
namespace {

constexpr std::array request_groups = {lifecycle_requests,  breakpoint_requests, moving_requests, state_requests,
                                       expression_requests, memory_requests,     source_requests};

}  // namespace

const Request* find_request(std::string_view name) {
  for (const auto group : request_groups) {
    const std::span<const Request> requests = group();
    const auto found = std::ranges::find(requests, name, &Request::name);
    if (found != requests.end()) return &*found;
  }
  return nullptr;
}

std::optional<Error> thread_problem(Arguments& arguments) {
  const u64 thread = arguments.count("threadId", 1);
  if (arguments.problem()) return arguments.problem();
  if (thread == 1) return std::nullopt;
  return refusal(fmt::format("no thread {}: the wave is thread 1", thread));
}

std::optional<Error> frame_problem(Adapter& adapter, Arguments& arguments) {
  const u64 frame = arguments.count("frameId", 1);
  if (arguments.problem()) return arguments.problem();
  // 0 means no frame.
  if (frame <= adapter.session().calls().depth() + 1) return std::nullopt;
  return refusal(fmt::format("no stack frame {}", frame));
}

}  // namespace salu::dap
