#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "capi/objects.hpp"
#include "debug/console.hpp"
#include "debug/place_text.hpp"
#include "debug/session.hpp"
#include "debug/why_place.hpp"
#include "debug/why_text.hpp"

namespace salu::capi {
namespace {

static_assert(SALU_PAUSE_INTERRUPTED == static_cast<int>(debug::Pause::Reason::interrupted));
static_assert(SALU_PAUSE_WARNING == static_cast<int>(debug::Pause::Reason::warning));

/// A session, with all that it needs.
struct SessionObject {
  static constexpr Kind kind = Kind::session;
  static constexpr const char* name = "session";
  using Handle = salu_session;

  explicit SessionObject(std::shared_ptr<const Scenario> of) : scenario(std::move(of)), session(*scenario) {}

  /// The console on it, which is there from the first command on.
  debug::Console& console_there() {
    if (!console)
      console = std::make_unique<debug::Console>(session, [this](std::string_view text) { printed += text; }, false);
    return *console;
  }

  std::mutex mutex;
  std::shared_ptr<const Scenario> scenario;
  debug::Session session;
  std::string printed;
  std::unique_ptr<debug::Console> console;
  bool is_torn = false;  ///< something ended in the middle of it, and nobody knows where the run is
  /// Where it stood still last.
  debug::Pause last{debug::Pause::Reason::start, {}, {}};
};

void tell(SessionObject& object, salu_pause* pause) {
  if (pause == nullptr) return;
  pause->position = object.session.run().position();
  pause->pc = object.session.address();
  pause->reason = static_cast<uint32_t>(object.last.reason);
  pause->breakpoint = 0;
  if (!object.last.breakpoints.empty()) {
    pause->breakpoint = object.last.breakpoints.front();
  } else if (!object.last.watches.empty()) {
    pause->breakpoint = object.last.watches.front().id;
  }
}

/// Does something with a session that nobody else is using then.
template <class Work>
salu_status with(salu_session* session, const Work& work) {
  return guarded([&] {
    const std::shared_ptr<SessionObject> object = object_of<SessionObject>(session);
    const std::lock_guard lock(object->mutex);
    if (object->is_torn)
      throw Failure(SALU_NO_MEMORY, "there was no memory for what this session did before: open another one");
    try {
      work(*object);
    } catch (const std::bad_alloc&) {
      object->is_torn = true;
      throw;
    }
  });
}

/// Moves, and tells where it has come to.
template <class Move>
salu_status moved(salu_session* session, salu_pause* pause, const Move& move) {
  return with(session, [&](SessionObject& object) {
    if (pause != nullptr) sized(pause, "pause");
    object.last = move(object.session);
    tell(object, pause);
  });
}

/// A failure of what somebody has typed in, which is no place in a file.
template <class T>
T found(Result<T> result, salu_status status) {
  if (!result) throw Failure(status, result.error().message);
  return std::move(result).value();
}

std::vector<u64> addresses_of(const debug::Session& session, const char* place) {
  return found(session.find_place(needed_text(place, "place")), SALU_NOT_FOUND);
}

observe::WhyGraph why_of(SessionObject& object, const char* place, u64 most_links) {
  debug::Session& session = object.session;
  const debug::WhyPlace asked = found(debug::read_why_place(needed_text(place, "place")), SALU_BAD_USAGE);
  const u64 here = session.run().position();
  if (asked.step && *asked.step > session.run().furthest()) {
    throw Failure(SALU_NOT_FOUND,
                  "the run has come to step " + std::to_string(session.run().furthest()) + " so far, and no further");
  }
  const auto bits = debug::find_why_bits(session, asked);
  if (asked.step && session.was_interrupted()) throw Failure(SALU_CANCELLED, "cancelled by the caller");
  observe::WhyOptions options;
  if (most_links != 0) options.most_links = static_cast<std::size_t>(std::min<u64>(most_links, 1'000'000));
  return session.why(found(bits, SALU_NOT_FOUND), asked.step.value_or(here), options);
}

}  // namespace

extern "C" {

salu_status salu_session_open(const salu_scenario* scenario, salu_session** session) {
  return guarded([&] {
    needed(session, "session");
    std::shared_ptr<const Scenario> there = scenario_of(scenario);
    if (there->waves != nullptr)
      throw Failure(SALU_BAD_USAGE, "all waves of a grid run; a session is of one, which `wave:` chooses");
    *session = make_handle<SessionObject>(std::move(there));
  });
}

salu_status salu_session_free(salu_session* session) {
  if (session != nullptr) salu_session_interrupt(session);
  return free_handle<SessionObject>(session);
}

salu_status salu_session_step(salu_session* session, uint64_t count, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.step(count); });
}

salu_status salu_session_step_back(salu_session* session, uint64_t count, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.step_back(count); });
}

salu_status salu_session_run(salu_session* session, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.go_on(); });
}

salu_status salu_session_run_back(salu_session* session, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.go_back(); });
}

salu_status salu_session_run_to(salu_session* session, const char* place, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.run_to(addresses_of(there, place)); });
}

salu_status salu_session_run_back_to(salu_session* session, const char* place, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.run_back_to(addresses_of(there, place)); });
}

salu_status salu_session_go_to(salu_session* session, uint64_t position, salu_pause* pause) {
  return moved(session, pause, [&](debug::Session& there) { return there.go_to(position); });
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
    *id = found(object.session.watch(needed_text(expression, "expression"), debug::WatchKind::change, when),
                SALU_BAD_USAGE);
  });
}

salu_status salu_session_remove(salu_session* session, uint32_t id) {
  return with(session, [&](SessionObject& object) {
    if (!object.session.remove_breakpoint(id)) throw Failure(SALU_NOT_FOUND, "there is no breakpoint of that number");
  });
}

salu_status salu_session_instruction(salu_session* session, salu_text** text) {
  return with(session, [&](SessionObject& object) {
    needed(text, "text");
    const u64 address = object.session.address();
    *text = make_text(debug::instruction_text(object.session, address) +
                      debug::source_note(object.session.program(), address));
  });
}

salu_status salu_session_get(salu_session* session, const char* expression, uint64_t* value) {
  return with(session, [&](SessionObject& object) {
    needed(value, "value");
    const expr::Expression parsed = found(object.session.parse(needed_text(expression, "expression")), SALU_NOT_FOUND);
    if (const auto problem = parsed.find_problem(object.session.machine())) throw Failure(SALU_NOT_FOUND, *problem);
    *value = parsed.evaluate(object.session.machine()).bits;
  });
}

salu_status salu_session_set(salu_session* session, const char* place, const char* expression) {
  return with(session, [&](SessionObject& object) {
    needed_text(place, "place");
    found(object.session.set(place, needed_text(expression, "expression")), SALU_BAD_USAGE);
  });
}

salu_status salu_session_lanes(salu_session* session, uint32_t number, uint32_t* lanes, uint64_t* defined) {
  return with(session, [&](SessionObject& object) {
    read_lanes(object.session.machine().state().vectors, number, lanes, defined);
  });
}

salu_status salu_session_read(salu_session* session, uint64_t address, void* bytes, size_t size) {
  return with(session,
              [&](SessionObject& object) { read_memory(object.session.machine().memory_now(), address, bytes, size); });
}

salu_status salu_session_why(salu_session* session, const char* place, uint64_t most_links, salu_why_callback* callback,
                             void* user, salu_text** text) {
  std::optional<observe::WhyGraph> graph;
  std::shared_ptr<const Scenario> scenario;
  const salu_status status = with(session, [&](SessionObject& object) {
    graph = why_of(object, place, most_links);
    scenario = object.scenario;
  });
  if (status != SALU_OK) return status;
  // The callback may use the session again.
  return guarded([&] {
    for (const observe::WhyLink& link : graph->links) {
      const salu_why_link told = {link.is_edit ? 0 : link.step(), link.pc, link.depth, link.text.c_str()};
      if (callback == nullptr || call_back(callback, user, &told) != 0) break;
    }
    if (text != nullptr) *text = make_text(debug::why_text(*graph, scenario->program, "a greater number of links"));
  });
}

salu_status salu_session_command(salu_session* session, const char* line, salu_text** text) {
  return with(session, [&](SessionObject& object) {
    needed(text, "text");
    object.printed.clear();
    debug::Console& console = object.console_there();
    const u64 stops = console.stop_count();
    const bool is_done = console.execute(needed_text(line, "line"));
    if (console.stop_count() != stops) object.last = console.last_stop();
    if (!is_done) {
      // Messages say themselves that they are errors.
      constexpr std::string_view prefix = "error: ";
      const bool says_so = object.printed.starts_with(prefix);
      throw Failure(SALU_BAD_USAGE, object.printed.substr(says_so ? prefix.size() : 0));
    }
    *text = make_text(object.printed);
  });
}
}

}  // namespace salu::capi
