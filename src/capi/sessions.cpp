#include "capi/objects.hpp"
#include "debug/why_place.hpp"

#include <salu/session.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

namespace salu::capi {
namespace {

static_assert(SALU_PAUSE_INTERRUPTED == static_cast<int>(PauseReason::interrupted));
static_assert(SALU_PAUSE_WARNING == static_cast<int>(PauseReason::warning));
static_assert(SALU_WAVE_ENDED == static_cast<int>(WaveStatus::ended));

/// A session, which is locked during each call.
struct SessionObject {
  static constexpr Kind kind = Kind::session;
  static constexpr const char* name = "session";
  using Handle = salu_session;

  explicit SessionObject(std::shared_ptr<const Scenario> of) : session(value_of(Session::open(std::move(of)))) {}

  std::mutex mutex;
  Session session;
  bool is_torn = false;  ///< an exception interrupted a call: the state of the run is unknown
};

void tell(const SessionObject& object, salu_pause* pause) {
  if (pause == nullptr) return;
  pause->position = object.session.position();
  pause->pc = object.session.pc();
  pause->reason = static_cast<uint32_t>(object.session.where().reason);
  pause->breakpoint = object.session.where().hit();
}

/// Calls `work` with a locked session.
template <class Work>
salu_status with(salu_session* session, const Work& work) {
  return guarded([&] {
    const std::shared_ptr<SessionObject> object = object_of<SessionObject>(session);
    const std::lock_guard lock(object->mutex);
    if (object->is_torn)
      throw Failure(SALU_NO_MEMORY,
                    "an earlier call ran out of memory and left this session unusable: open another one");
    try {
      work(*object);
    } catch (const std::bad_alloc&) {
      object->is_torn = true;
      throw;
    }
  });
}

/// Returns a value, or fails with the message of the error without a place: it is about an argument, not a file.
template <class T>
T found(Result<T> result, salu_status status) {
  if (!result) throw Failure(status, result.error().message);
  return std::move(result).value();
}

/// Moves a session and fills `pause`.
template <class Move>
salu_status moved(salu_session* session, salu_pause* pause, const Move& move) {
  return with(session, [&](SessionObject& object) {
    if (pause != nullptr) sized(pause, "pause");
    move(object.session);
    tell(object, pause);
  });
}

WhyAnswer why_of(Session& session, const char* place, u64 most_links) {
  found(debug::read_why_place(needed_text(place, "place")), SALU_BAD_USAGE);
  constexpr u64 default_links = 32;
  const u64 most = most_links == 0 ? default_links : std::min<u64>(most_links, 1'000'000);
  Result<WhyAnswer> answer = session.why(place, static_cast<std::size_t>(most));
  if (!answer && session.was_interrupted()) throw Failure(SALU_CANCELLED, "cancelled by the caller");
  return found(std::move(answer), SALU_NOT_FOUND);
}

}  // namespace

extern "C" {

salu_status salu_session_open(const salu_scenario* scenario, salu_session** session) {
  return guarded([&] {
    needed(session, "session");
    *session = make_handle<SessionObject>(scenario_of(scenario));
  });
}

salu_status salu_session_free(salu_session* session) {
  if (session != nullptr) salu_session_interrupt(session);
  return free_handle<SessionObject>(session);
}

salu_status salu_session_step(salu_session* session, uint64_t count, salu_pause* pause) {
  return moved(session, pause, [&](Session& there) { there.step(count); });
}

salu_status salu_session_step_back(salu_session* session, uint64_t count, salu_pause* pause) {
  return moved(session, pause, [&](Session& there) { there.reverse_step(count); });
}

salu_status salu_session_run(salu_session* session, salu_pause* pause) {
  return moved(session, pause, [&](Session& there) { there.continue_(); });
}

salu_status salu_session_run_back(salu_session* session, salu_pause* pause) {
  return moved(session, pause, [&](Session& there) { there.reverse_continue(); });
}

salu_status salu_session_run_to(salu_session* session, const char* place, salu_pause* pause) {
  return moved(session, pause,
               [&](Session& there) { found(there.run_to(needed_text(place, "place")), SALU_NOT_FOUND); });
}

salu_status salu_session_run_back_to(salu_session* session, const char* place, salu_pause* pause) {
  return moved(session, pause,
               [&](Session& there) { found(there.reverse_run_to(needed_text(place, "place")), SALU_NOT_FOUND); });
}

salu_status salu_session_go_to(salu_session* session, uint64_t position, salu_pause* pause) {
  return moved(session, pause, [&](Session& there) { there.go_to(position); });
}

salu_status salu_session_where(salu_session* session, salu_pause* pause) {
  return with(session, [&](SessionObject& object) {
    sized(pause, "pause");
    tell(object, pause);
  });
}

salu_status salu_session_interrupt(salu_session* session) {
  return guarded([&] { object_of<SessionObject>(session)->session.interrupt(); });
}

salu_status salu_session_wave(salu_session* session, uint64_t* wave) {
  return with(session, [&](SessionObject& object) { needed(wave, "wave") = object.session.wave(); });
}

salu_status salu_session_select_wave(salu_session* session, uint64_t wave) {
  return with(session, [&](SessionObject& object) { found(object.session.select_wave(wave), SALU_NOT_FOUND); });
}

salu_status salu_session_wave_at(salu_session* session, uint64_t index, salu_wave* wave, salu_text** name) {
  return with(session, [&](SessionObject& object) {
    salu_wave& there = sized(wave, "wave");
    const std::vector<SessionWave> waves = object.session.waves();
    if (index >= waves.size()) throw Failure(SALU_NOT_FOUND, "no wave has this index");
    const SessionWave& found = waves[static_cast<std::size_t>(index)];
    if (name != nullptr) *name = make_text(found.name);
    there = {sizeof(salu_wave), found.number, found.pc, static_cast<uint32_t>(found.status), 0};
  });
}

salu_status salu_session_break(salu_session* session, const char* place, const char* condition, uint32_t* id) {
  return with(session, [&](SessionObject& object) {
    needed(id, "id");
    const char* const when = condition == nullptr ? "" : condition;
    *id = found(object.session.break_at(needed_text(place, "place"), when), SALU_NOT_FOUND);
  });
}

salu_status salu_session_watch(salu_session* session, const char* expression, const char* condition, uint32_t* id) {
  return with(session, [&](SessionObject& object) {
    needed(id, "id");
    const char* const when = condition == nullptr ? "" : condition;
    *id = found(object.session.watch(needed_text(expression, "expression"), WatchKind::change, when), SALU_BAD_USAGE);
  });
}

salu_status salu_session_remove(salu_session* session, uint32_t id) {
  return with(session, [&](SessionObject& object) {
    if (!object.session.remove(id)) throw Failure(SALU_NOT_FOUND, "no breakpoint or watchpoint has this number");
  });
}

salu_status salu_session_instruction(salu_session* session, salu_text** text) {
  return with(session, [&](SessionObject& object) {
    needed(text, "text");
    *text = make_text(object.session.instruction());
  });
}

salu_status salu_session_get(salu_session* session, const char* expression, uint64_t* value) {
  return with(session, [&](SessionObject& object) {
    needed(value, "value");
    *value = found(object.session.evaluate(needed_text(expression, "expression")), SALU_NOT_FOUND);
  });
}

salu_status salu_session_set(salu_session* session, const char* place, const char* expression) {
  return with(session, [&](SessionObject& object) {
    needed_text(place, "place");
    found(object.session.set(place, needed_text(expression, "expression")), SALU_BAD_USAGE);
  });
}

salu_status salu_session_lanes(salu_session* session, uint32_t number, uint32_t* lanes, uint64_t* defined) {
  return with(session,
              [&](SessionObject& object) { read_lanes(object.session.state().vectors, number, lanes, defined); });
}

salu_status salu_session_read(salu_session* session, uint64_t address, void* bytes, size_t size) {
  return with(session, [&](SessionObject& object) { read_memory(object.session.memory(), address, bytes, size); });
}

salu_status salu_session_why(salu_session* session, const char* place, uint64_t most_links, salu_why_callback* callback,
                             void* user, salu_text** text) {
  std::optional<WhyAnswer> answer;
  const salu_status status =
      with(session, [&](SessionObject& object) { answer = why_of(object.session, place, most_links); });
  if (status != SALU_OK) return status;
  // Not locked here, because the callback may use the session again.
  return guarded([&] {
    for (const WhyStep& step : answer->steps) {
      const salu_why_link told = {step.step, step.pc, step.depth, step.text.c_str()};
      if (callback == nullptr || call_back(callback, user, &told) != 0) break;
    }
    if (text != nullptr) *text = make_text(std::move(answer->text));
  });
}

salu_status salu_session_command(salu_session* session, const char* line, salu_text** text) {
  return with(session, [&](SessionObject& object) {
    needed(text, "text");
    *text = make_text(found(object.session.command(needed_text(line, "line")), SALU_BAD_USAGE));
  });
}
}

}  // namespace salu::capi
