#pragma once

#include <salu/scenario.hpp>

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

#include "debug/console.hpp"
#include "debug/session.hpp"

/// What the page asks, each question and each answer one JSON object.
namespace salu::playground {

// In an order that does not depend on the names.
using Json = nlohmann::ordered_json;

/// What is wrong with a question. The page shows it.
struct Refusal {
  std::string message;
};

/// The scenario that a question names: `file`, and where they are given `target`, `document`, `case`, `set`.
Scenario load_scenario(const Json& question);
LoadOptions load_options(const Json& question);

/// An error or a warning of the loader with its place, for the editor's gutter.
Json place_json(const SourcePlace& where, const std::string& message, const char* severity);

/// A run that is walked both ways: the debugger with what the page shows of it.
class Walk {
 public:
  explicit Walk(Scenario scenario);

  /// Executes a line of the console. The answer holds what it printed, and the state.
  Json execute(const std::string& line);
  /// Why a place (`s4[7:0]`) has the value that it has behind a step; where the run stands without one.
  Json why(const std::string& place, std::optional<u64> step);
  /// Where the run stands, all registers that have a value, and which of them are others than when this was last asked.
  Json state();
  /// Words that may end a line of the console.
  [[nodiscard]] std::vector<std::string> complete(const std::string& line) const { return console_.complete(line); }

 private:
  Scenario scenario_;
  std::string printed_;
  debug::Session session_;
  debug::Console console_;
  WaveState shown_;
};

}  // namespace salu::playground
