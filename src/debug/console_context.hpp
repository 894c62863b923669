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

/// What `commands` takes line by line, up to its `end`.
struct CommandList {
  std::vector<u32> breakpoints;
  std::vector<std::string> lines;
  u32 depth = 0;  ///< of other lists in this one
};

/// What the verbs of a console work on: the run, what is printed, and what is remembered from one command to the next.
struct ConsoleContext {
  ConsoleContext(Session& run, std::function<void(std::string_view)> print, bool colour, ConsoleHost lent)
      : session(run), host(std::move(lent)), out(std::move(print), colour, host.screen), stops(run.machine().state()) {}

  Session& session;
  ConsoleHost host;
  ConsoleOutput out;
  std::atomic<bool> is_interrupted = false;  ///< since the command began
  bool is_repeated = false;                  ///< an empty line does the last command again
  bool quits = false;
  /// Executes a line of a script, and what breakpoints say is to be done then.
  std::function<bool(std::string_view line)> follow;
  u32 script_depth = 0;  ///< scripts that are being executed, one called by the other
  std::optional<CommandList> collecting;

  SeenStops stops;
  Displays displays;
  ExaminedMemory examined;
  ListedSource listing;
  Layout layout;
  MisuseReports misuse;
  WarningReports warnings;
  std::optional<EndReport> end;  ///< of the last time that a move came to the end of the run
};

/// What a search says last; true.
bool end_search(const ConsoleContext& console);

}  // namespace salu::debug
