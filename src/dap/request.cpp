#include "dap/request.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "dap/threads.hpp"

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

Result<u64> read_thread(Adapter& adapter, Arguments& arguments) {
  const debug::Session& session = adapter.session();
  const u64 thread = arguments.count("threadId", thread_of(session));
  if (arguments.problem()) return *arguments.problem();
  return find_wave_of_thread(session, thread);
}

std::optional<Error> select_thread(Adapter& adapter, Arguments& arguments) {
  const Result<u64> wave = read_thread(adapter, arguments);
  return wave ? adapter.session().choose_wave(*wave) : wave.error();
}

Result<u64> read_frame(Adapter& adapter, Arguments& arguments) {
  const debug::Session& session = adapter.session();
  const u64 frame = arguments.count("frameId", 0);
  if (arguments.problem()) return *arguments.problem();
  if (frame == 0) return session.wave().number;
  const std::optional<WaveId> id = split_id(session, frame);
  if (id && id->id != 0 && id->id <= session.run().calls(id->wave).depth() + 1) return id->wave;
  return refusal(fmt::format("no stack frame {}", frame));
}

std::optional<Error> select_frame(Adapter& adapter, Arguments& arguments) {
  const Result<u64> wave = read_frame(adapter, arguments);
  return wave ? adapter.session().choose_wave(*wave) : wave.error();
}

}  // namespace salu::dap
