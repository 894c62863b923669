#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "debug/code_view.hpp"
#include "debug/console_output.hpp"
#include "debug/displays.hpp"
#include "debug/memory_view.hpp"
#include "debug/misuse_reports.hpp"
#include "debug/session.hpp"
#include "debug/stop_view.hpp"

namespace salu::debug {

/// What the verbs of a console work on: the run, what is printed, and what is remembered from one command to the next.
struct ConsoleContext {
  ConsoleContext(Session& run, std::function<void(std::string_view)> print, bool colour)
      : session(run), out(std::move(print), colour), stops(run.machine().state()) {}

  Session& session;
  ConsoleOutput out;
  std::atomic<bool> is_interrupted = false;  ///< since the command began
  bool is_repeated = false;                  ///< an empty line does the last command again
  bool quits = false;

  SeenStops stops;
  Displays displays;
  ExaminedMemory examined;
  ListedSource listing;
  MisuseReports misuse;
};

/// What a search says last; true.
bool end_search(const ConsoleContext& console);

}  // namespace salu::debug
