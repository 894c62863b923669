#pragma once

#include <salu/outcome.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dap/arguments.hpp"
#include "dap/breakpoints.hpp"
#include "dap/launch.hpp"

namespace salu::dap {

/// A debug adapter: takes the messages of one client and answers them. It does no input and output of its own.
///
/// `receive` answers at once; a request that lets the program run only notes that, and `work` runs it. Whoever feeds
/// the server calls both from one thread: `receive` for every message that is there, then `work` while `is_running`.
/// `interrupt` may be called from any thread, and makes `work` return soon so that a message can be received.
class Server {
 public:
  struct Options {
    std::function<void(const std::string& message)> send;  ///< gets JSON on one line, without a header
    std::function<int(const Stop& stop)> exit_code_of;     ///< for `exited`
    Launch defaults{};                                     ///< what `launch` need not say
  };
  explicit Server(Options options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() = default;

  /// Answers a message, whatever is in it.
  void receive(std::string_view message);
  /// Runs the program until it stands still, which the client is told, or until `interrupt`.
  void work();
  [[nodiscard]] bool is_running() const { return state_ == State::running; }
  /// The client has said goodbye.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// A message waits. One that is urgent stops what runs; another one lets it go on after the answer. The effect may be
  /// lost while `work` is just starting: call it again as long as the message waits.
  void interrupt(bool is_urgent);
  /// Whether a message asks for the end of what runs.
  static bool is_urgent(std::string_view message);

 private:
  /// One bit each, so that a request can name those in which it is allowed.
  enum class State : u8 {
    fresh = 1,        ///< before `initialize`
    initialized = 2,  ///< no program yet
    loaded = 4,       ///< a program, which `configurationDone` starts
    stopped = 8,
    running = 16,
    over = 32,  ///< the program has ended, and the client knows
  };

  struct Request {
    std::string_view name;
    Result<Json> (Server::*handle)(Arguments& arguments);
    u8 states;
    bool is_urgent = false;   ///< ends what runs
    bool shows_user = false;  ///< a refusal is about something that the user has just done
  };
  static std::span<const Request> requests();
  static const Request* find_request(std::string_view name);

  /// What a client wants the session to do.
  struct Move {
    std::function<Result<debug::Pause>()> start{};
    std::function<Result<debug::Pause>()> resume{};  ///< behind an interrupt; none: it starts again
    bool is_backward = false;
    bool leaves_end = false;  ///< at the end of the program it ends the session
    u64 from = 0;
    u64 limit = 0;  ///< the position up to which it may go forwards
    bool was_interrupted = false;
  };

  // ---- requests; each gets its arguments and returns the body of its answer ----
  Result<Json> initialize(Arguments& arguments);
  Result<Json> launch(Arguments& arguments);
  Result<Json> attach(Arguments& arguments);
  Result<Json> configuration_done(Arguments& arguments);
  Result<Json> restart(Arguments& arguments);
  Result<Json> terminate(Arguments& arguments);
  Result<Json> disconnect(Arguments& arguments);

  Result<Json> set_breakpoints(Arguments& arguments);
  Result<Json> set_function_breakpoints(Arguments& arguments);
  Result<Json> set_instruction_breakpoints(Arguments& arguments);
  Result<Json> set_data_breakpoints(Arguments& arguments);
  Result<Json> set_exception_breakpoints(Arguments& arguments);
  Result<Json> data_breakpoint_info(Arguments& arguments);
  Result<Json> breakpoint_locations(Arguments& arguments);

  Result<Json> go_on(Arguments& arguments);
  Result<Json> next(Arguments& arguments);
  Result<Json> step_in(Arguments& arguments);
  Result<Json> step_out(Arguments& arguments);
  Result<Json> step_back(Arguments& arguments);
  Result<Json> reverse_continue(Arguments& arguments);
  Result<Json> pause(Arguments& arguments);
  Result<Json> goto_targets(Arguments& arguments);
  Result<Json> go_to(Arguments& arguments);

  Result<Json> threads(Arguments& arguments);
  Result<Json> stack_trace(Arguments& arguments);
  Result<Json> scopes(Arguments& arguments);
  Result<Json> variables(Arguments& arguments);
  Result<Json> set_variable(Arguments& arguments);
  Result<Json> set_expression(Arguments& arguments);
  Result<Json> evaluate(Arguments& arguments);
  Result<Json> completions(Arguments& arguments);
  Result<Json> exception_info(Arguments& arguments);

  Result<Json> read_memory(Arguments& arguments);
  Result<Json> write_memory(Arguments& arguments);
  Result<Json> disassemble(Arguments& arguments);
  Result<Json> loaded_sources(Arguments& arguments);
  Result<Json> source(Arguments& arguments);

  // ---- messages ----
  void handle(const Json& message, const std::string& name);
  /// Why a request is refused in this state; nothing when it is not.
  [[nodiscard]] std::optional<std::string> find_obstacle(const Request& request) const;
  void answer(const Json& message, const std::string& name, const Result<Json>& result, bool shows_user);
  void send(Json message);
  /// Sends an event, behind the answer to the request that is being handled.
  void tell(const char* name, Json body);
  void print(std::string_view text, const char* category = "console");

  // ---- running ----
  Result<Json> start(Move move);
  Result<debug::Pause> advance();
  /// What breakpoints say while the server moves becomes output; a command of the console prints it itself.
  void print_log();
  Result<Json> start_step(Arguments& arguments, bool into_calls);
  void stand_still(const debug::Pause& pause);
  void stand_at_end();
  void say_stopped(const char* reason, const std::string& description, const std::string& text = "",
                   const std::vector<u32>& ids = {});
  /// At breakpoints or watchpoints.
  void say_hit(const debug::Pause& pause);
  [[nodiscard]] std::string describe_hits(const debug::Pause& pause) const;
  void end_program();
  void begin();

  // ---- the rest ----
  Result<Json> load(const Launch& launch);
  void replace_debuggee(std::unique_ptr<Debuggee> debuggee);
  void tell_warnings();
  /// What the user set has changed something.
  void tell_changed(std::optional<u64> address = std::nullopt, u64 count = 0);
  Result<Json> run_command(const std::string& text);
  void tell_moved(const std::string& text);
  void tell_set(const std::string& place);
  Result<Json> replace_breakpoints(Arguments& arguments, BreakpointKind kind);
  [[nodiscard]] Result<Json> evaluated(const std::string& text) const;
  Result<std::vector<BreakpointWish>> read_wishes(Arguments& arguments, BreakpointKind kind) const;
  Result<u64> read_address(Arguments& arguments) const;
  [[nodiscard]] std::optional<Error> check_thread(Arguments& arguments) const;
  [[nodiscard]] std::optional<Error> check_frame(Arguments& arguments) const;
  [[nodiscard]] u64 here() const;
  [[nodiscard]] Json frame_at(u64 id, u64 address) const;
  [[nodiscard]] u32 line_from_client(u64 line) const;
  [[nodiscard]] u64 line_to_client(u32 line) const { return lines_start_at_1_ ? line : line - 1; }
  /// Lines in an object that was made for lines from 1.
  void adjust_lines(Json& json) const;

  Options options_;
  State state_ = State::fresh;
  bool has_ended_ = false;
  u64 next_seq_ = 1;
  bool is_handling_ = false;
  std::vector<std::pair<const char*, Json>> events_;  ///< to be sent behind the answer

  // What the client is like, and wants.
  bool lines_start_at_1_ = true;
  bool columns_start_at_1_ = true;
  bool takes_invalidated_ = false;
  bool takes_memory_ = false;
  bool is_configured_ = false;
  bool stops_at_faults_ = true;
  bool stops_at_end_ = true;

  Launch launch_;
  std::mutex debuggee_mutex_;  ///< for `interrupt`
  std::unique_ptr<Debuggee> debuggee_;
  Breakpoints breakpoints_;
  std::optional<Move> move_;
  bool wants_pause_ = false;
  std::atomic<bool> has_message_ = false;
  std::atomic<bool> is_resumable_ = false;
  std::vector<u64> goto_addresses_;  ///< by target
  std::set<std::pair<WarningKind, u64>> told_warnings_;
};

}  // namespace salu::dap
