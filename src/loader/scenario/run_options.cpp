#include "loader/scenario/run_options.hpp"

#include <fmt/core.h>

#include <array>
#include <span>

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 4> limit_keys = {"max_steps", "max_memory", "steps", "memory"};
constexpr std::array<std::string_view, 4> schedule_keys = {"order", "seed", "slice", "groups"};
constexpr std::array<std::string_view, 3> clock_keys = {"memtime", "memrealtime", "per_step"};

/// Reads `checks:`, a list of `hazards`, `races` and either `undefined` or `undefined: reads`.
void read_checks(const Document& document, const Node& node, RunOptions& options) {
  constexpr std::array<std::string_view, 3> names = {"hazards", "races", "undefined"};
  expect_sequence(document, node, "`checks:`");
  for (const Node* const item : node.children) {
    if (item->is_map()) {
      const MapReader map(document, *item, "a check", std::span(names).last(1));
      const Node& what = map.require("undefined");
      if (read_text(document, what, "`undefined:`") != "reads") document.fail(what, "`undefined:` must be `reads`");
      options.check_undefined = CheckUndefined::reads;
      continue;
    }
    const std::string& name = read_text(document, *item, "a check");
    if (name == "hazards") {
      options.check_hazards = true;
    } else if (name == "races") {
      options.check_races = true;
    } else if (name == "undefined") {
      options.check_undefined = CheckUndefined::bits;
    } else {
      document.fail(
          *item, fmt::format("unknown check `{}`{}; expected {}", name, did_you_mean(name, names), name_list(names)));
    }
  }
}

bool read_xnack(const Document& document, const Node& node) {
  const std::string& text = read_text(document, node, "`xnack:`");
  if (text != "true" && text != "false") document.fail(node, "`xnack:` must be `true` or `false`");
  return text == "true";
}

OnVector read_on_vector(const Document& document, const Node& node) {
  const std::string& text = read_text(document, node, "`on_vector:`");
  if (text == "stop") return OnVector::stop;
  if (text == "skip") return OnVector::skip;
  if (text == "run") return OnVector::run;
  document.fail(node, "`on_vector:` must be `run`, `stop` or `skip`");
}

Clock read_clock(const Document& document, const Node& node) {
  const MapReader map(document, node, "`clock:`", clock_keys);
  Clock clock;
  const auto read = [&](std::string_view key, u64& value) {
    if (const Node* found = map.find(key)) value = read_unsigned(document, *found, "`" + std::string(key) + ":`", 64);
  };
  read("memtime", clock.memtime);
  read("memrealtime", clock.memrealtime);
  read("per_step", clock.per_step);
  return clock;
}

Approximations read_approximations(const Document& document, const Node& node) {
  const auto approximations = parse_approximations(read_text(document, node, "`approximations:`"));
  if (!approximations) document.fail(node, "`approximations:` must be `nearest`, `low`, `high` or `seed N`");
  return *approximations;
}

Schedule read_schedule(const Document& document, const Node& node) {
  const MapReader map(document, node, "`schedule:`", schedule_keys);
  Schedule schedule;
  if (const Node* const order = map.find("order"); order != nullptr) {
    if (read_text(document, *order, "`order:`") != "ids")
      document.fail(*order, "`order:` must be `ids`; use `seed:` for a random order");
    if (map.find("seed") != nullptr) document.fail(*order, "`order: ids` contradicts `seed:`; omit one of them");
  }
  if (const Node* const seed = map.find("seed")) schedule.seed = read_unsigned(document, *seed, "`seed:`", 64);
  if (const Node* const slice = map.find("slice")) {
    schedule.slice = read_unsigned(document, *slice, "`slice:`", 63);
    if (schedule.slice == 0) document.fail(*slice, "`slice:` must be at least 1");
  }
  if (const Node* const groups = map.find("groups")) {
    const std::string& text = read_text(document, *groups, "`groups:`");
    if (text != "in_turn" && text != "concurrent")
      document.fail(*groups, "`groups:` must be `in_turn` or `concurrent`");
    schedule.concurrent_groups = text == "concurrent";
  }
  return schedule;
}

/// `limits:`. `steps` and `memory` are the former names of `max_steps` and `max_memory`.
void read_limits(const Document& document, const Node& node, RunOptions& options) {
  const MapReader map(document, node, "`limits:`", limit_keys);
  const auto find = [&](std::string& name, const std::string& former) {
    const Node* const found = map.find(name);
    const Node* const old = map.find(former);
    if (found != nullptr && old != nullptr)
      document.fail(*old, fmt::format("`{}:` is the former name of `{}:`; omit one of them", former, name));
    if (found == nullptr) name = former;
    return found == nullptr ? old : found;
  };
  std::string steps_name = "max_steps";
  if (const Node* const steps = find(steps_name, "steps"))
    options.max_steps = read_unsigned(document, *steps, "`" + steps_name + ":`", 63);
  std::string memory_name = "max_memory";
  if (const Node* const memory = find(memory_name, "memory"))
    options.max_memory_bytes = read_size(document, *memory, "`" + memory_name + ":`");
}

}  // namespace

void read_run_options(const Document& document, const MapReader& map, RunOptions& options) {
  if (const Node* limits = map.find("limits")) read_limits(document, *limits, options);
  if (const Node* clock = map.find("clock")) options.clock = read_clock(document, *clock);
  if (const Node* approximations = map.find("approximations"))
    options.approximations = read_approximations(document, *approximations);
  if (const Node* schedule = map.find("schedule")) options.schedule = read_schedule(document, *schedule);
  if (const Node* on_vector = map.find("on_vector")) options.on_vector = read_on_vector(document, *on_vector);
  if (const Node* checks = map.find("checks")) read_checks(document, *checks, options);
  if (const Node* xnack = map.find("xnack")) options.xnack = read_xnack(document, *xnack);
}

}  // namespace salu::loader
