#include "dap/threads.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace salu::dap {

using Wave = debug::RunHistory::Wave;

u64 thread_of(const debug::Session& session) { return session.wave().number + 1; }

Json list_threads(const debug::Session& session, const std::string& program) {
  Json threads = Json::array();
  for (const Wave* const wave : session.run().waves()) {
    const std::string name = session.has_several_waves() ? wave->name : "wave: " + program;
    threads.push_back({{"id", wave->number + 1}, {"name", name}});
  }
  return threads;
}

Result<u64> find_wave_of_thread(const debug::Session& session, u64 thread) {
  const std::vector<Wave*>& waves = session.run().waves();
  const auto is_meant = [thread](const Wave* wave) { return wave->number + 1 == thread; };
  if (std::ranges::any_of(waves, is_meant)) return thread - 1;
  if (!session.has_several_waves()) return refusal(fmt::format("no thread {}: the wave is thread 1", thread));
  const u64 first = waves.front()->number + 1;
  const u64 last = waves.back()->number + 1;
  return refusal(
      fmt::format("no thread {} here: the work-group that runs has {}", thread,
                  first == last ? fmt::format("thread {}", first) : fmt::format("the threads {} to {}", first, last)));
}

std::optional<WaveId> split_id(const debug::Session& session, u64 id) {
  const std::vector<Wave*>& waves = session.run().waves();
  if (waves.size() == 1) return WaveId{waves.front()->number, id};
  const u64 index = id / ids_per_wave;
  if (index >= waves.size()) return std::nullopt;
  return WaveId{waves[static_cast<std::size_t>(index)]->number, id % ids_per_wave};
}

u64 first_id(const debug::Session& session) {
  const std::vector<Wave*>& waves = session.run().waves();
  const auto selected = std::ranges::find(waves, session.wave().number, &Wave::number);
  return static_cast<u64>(selected - waves.begin()) * ids_per_wave;
}

}  // namespace salu::dap
