#pragma once

#include <salu/outcome.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dap/arguments.hpp"
#include "dap/sources.hpp"
#include "debug/console.hpp"
#include "debug/session.hpp"
#include "loader/scenario/one_scenario.hpp"

namespace salu::dap {

/// The arguments of `launch`: the options of `salu debug`.
struct Launch {
  std::string program;
  /// `document` and `case`.
  loader::ScenarioChoice choice{.document_option = "`document`", .row_option = "`case`"};
  std::optional<u64> wave;  ///< with `waves: all`
  LoadOptions load;
  debug::HistoryOptions history;
  bool stop_on_entry = true;
  bool no_debug = false;
};

/// Reads the arguments of `launch`. Missing arguments are taken from `defaults`.
Result<Launch> read_launch(Arguments& arguments, const Launch& defaults);

/// A program that was launched, and the session that runs it.
struct Debuggee {
  explicit Debuggee(Scenario loaded, const debug::HistoryOptions& history)
      : scenario(std::move(loaded)),
        session(scenario, history),
        console(
            session, [this](std::string_view text) { printed += text; }, false),
        sources(scenario, session.machine()) {}
  Debuggee(const Debuggee&) = delete;
  Debuggee& operator=(const Debuggee&) = delete;
  ~Debuggee() = default;

  Scenario scenario;
  debug::Session session;
  debug::Console console;
  std::string printed;  ///< the output of the console
  Sources sources;
  /// The reported warnings: kind, address, and the other address of a hazard.
  std::set<std::tuple<WarningKind, u64, u64>> told_warnings;
  bool has_told_expectations = false;  ///< the failed ones were reported at the current end of the run
  std::vector<u64> goto_addresses;     ///< by target of `goto`
};

}  // namespace salu::dap
