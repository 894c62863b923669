#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/code_view.hpp"
#include "debug/console_host.hpp"
#include "debug/console_output.hpp"
#include "debug/displays.hpp"
#include "debug/end_reports.hpp"
#include "debug/layout.hpp"
#include "debug/memory_view.hpp"
#include "debug/misuse_reports.hpp"
#include "debug/session.hpp"
#include "debug/stop_view.hpp"
#include "debug/warning_reports.hpp"

namespace salu::debug {

/// The lines of `commands`, up to its `end`.
struct CommandList {
  std::vector<u32> breakpoints;
  std::vector<std::string> lines;
  u32 depth = 0;  ///< nesting depth of lists within this one
};

/// The state of a console: the run, the output, and values kept between commands.
struct ConsoleContext {
  ConsoleContext(Session& run, std::function<void(std::string_view)> print, bool colour, ConsoleHost lent)
      : session(run), host(std::move(lent)), out(std::move(print), colour, host.screen), stops(run.machine().state()) {
    stops.wave = run.wave().number;
  }

  Session& session;
  ConsoleHost host;
  ConsoleOutput out;
  std::atomic<bool> is_interrupted = false;  ///< since the start of the command
  bool is_repeated = false;                  ///< the command is repeated by an empty line
  bool quits = false;
  /// Executes a line of a script, and the commands of breakpoints at which it stops.
  std::function<bool(std::string_view line)> follow;
  u32 script_depth = 0;  ///< nesting depth of the scripts being executed
  std::optional<CommandList> collecting;

  SeenStops stops;
  Displays displays;
  ExaminedMemory examined;
  ListedSource listing;
  Layout layout;
  MisuseReports misuse;
  WarningReports warnings;
  std::optional<EndReport> end;  ///< of the last move that reached the end of the run
};

/// Reports an interrupted search. Returns true.
bool end_search(const ConsoleContext& console);

}  // namespace salu::debug
