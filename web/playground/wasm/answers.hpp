#pragma once

#include <salu/scenario.hpp>

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

#include "debug/console.hpp"
#include "debug/session.hpp"

/// Requests of the page. Each request and each answer is one JSON object.
namespace salu::playground {

// Keeps the order of insertion, independently of the names.
using Json = nlohmann::ordered_json;

/// The exception for an invalid request. The page shows its message.
struct Refusal {
  std::string message;
};

/// Loads the scenario of a request: `file`, and optionally `target`, `document`, `case`, `set`.
Scenario load_scenario(const Json& question);
LoadOptions load_options(const Json& question);

/// Converts an error or warning of the loader with its place, for the editor's gutter.
Json place_json(const SourcePlace& where, const std::string& message, const char* severity);

/// A run that moves forwards and backwards: the debugger, with the data that the page shows.
class Walk {
 public:
  explicit Walk(Scenario scenario);

  /// Executes a console command. The answer has its output and the state.
  Json execute(const std::string& line);
  /// Explains the value of a place (`s4[7:0]`) after a step; without a step at the current position.
  Json why(const std::string& place, std::optional<u64> step);
  /// Returns the position, all registers with a value, and which of them have changed since the last call.
  Json state();
  /// Returns completions for a console command.
  [[nodiscard]] std::vector<std::string> complete(const std::string& line) const { return console_.complete(line); }

 private:
  Scenario scenario_;
  std::string printed_;
  debug::Session session_;
  debug::Console console_;
  WaveState shown_;
};

}  // namespace salu::playground
