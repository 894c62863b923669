#include <algorithm>
#include <charconv>

#include "suite/scenario_runner.hpp"

/// Why an expectation did not hold: the instruction that wrote the wrong value.
namespace salu::suite {
namespace {

/// A run that is longer than this is not repeated to look for an instruction.
constexpr u64 most_traced_steps = 2'000'000;
constexpr std::string_view memory_prefix = "memory 0x";

/// The part of the state that a mismatch is about; nothing for the stop reason, steps and warnings.
std::optional<Location> location_of(Generation generation, const Mismatch& mismatch) {
  Location location;
  if (mismatch.what.starts_with(memory_prefix)) {
    const std::string_view digits = std::string_view(mismatch.what).substr(memory_prefix.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), location.address, 16);
    location.kind = Location::Kind::memory;
    return location;
  }
  const auto name = parse_register_name(generation, mismatch.what);
  if (!name) return std::nullopt;
  switch (name->kind) {
    case RegisterName::Kind::file:
      return Location{Location::Kind::registers, name->first, static_cast<u8>(name->width / 32)};
    case RegisterName::Kind::scc:
      return Location{Location::Kind::scc};
    case RegisterName::Kind::mode:
    case RegisterName::Kind::mode_field:
      return Location{Location::Kind::mode};
    case RegisterName::Kind::status:
    case RegisterName::Kind::status_field:
      return Location{Location::Kind::status};
    case RegisterName::Kind::hwreg:
      return Location{Location::Kind::hwreg, name->first};
    case RegisterName::Kind::pc:
    case RegisterName::Kind::tba:
    case RegisterName::Kind::tma:
      break;
  }
  return std::nullopt;
}

bool overlap(const Location& left, const Location& right) {
  if (left.kind != right.kind) return false;
  switch (left.kind) {
    case Location::Kind::registers:
      return left.first < u32{right.first} + right.dwords && right.first < u32{left.first} + left.dwords;
    case Location::Kind::memory:
      return left.address < right.address + u64{right.dwords} * 4 &&
             right.address < left.address + u64{left.dwords} * 4;
    case Location::Kind::hwreg:
      return left.first == right.first;
    default:
      return true;
  }
}

/// The text of an instruction of a run, and where it stands.
struct Writer {
  std::string instruction;
  u64 pc = 0;
};

}  // namespace

std::vector<Failure> explain(const Scenario& scenario, const SuiteOptions& options) {
  RunOptions run_options = suite::run_options(scenario, options);
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, run_options);
  std::vector<Failure> failures;
  for (Mismatch& mismatch : check(scenario.expect.value_or(Expectation{}), outcome))
    failures.push_back({{}, {}, std::move(mismatch), {}});

  std::vector<std::optional<Location>> locations;
  for (const Failure& failure : failures)
    locations.push_back(location_of(scenario.program.generation(), failure.mismatch));
  const bool is_short = outcome.steps <= most_traced_steps;
  std::vector<std::optional<Writer>> writers(failures.size());
  const bool wanted = std::ranges::any_of(locations, [](const auto& location) { return location.has_value(); });
  if (wanted && is_short) {
    run_options.trace = [&](const TraceEvent& event) {
      for (std::size_t i = 0; i < locations.size(); ++i) {
        const auto hits = [&](const Location& written) { return locations[i] && overlap(*locations[i], written); };
        if (std::ranges::any_of(event.written_to, hits)) writers[i] = Writer{std::string(event.instruction), event.pc};
      }
    };
    (void)run(scenario.program, scenario.initial, scenario.memory, run_options);
  }
  for (std::size_t i = 0; i < failures.size(); ++i) {
    std::string& text = failures[i].writer;
    if (!locations[i]) {
      // The stop reason, or how far the run went: the place where it ended says most.
      if (failures[i].mismatch.what != "stop") continue;
      const std::string place = scenario.program.describe_place(outcome.stop.pc);
      text = outcome.stop.instruction.empty() ? place : "`" + outcome.stop.instruction + "` at " + place;
    } else if (writers[i]) {
      text = "written last by `" + writers[i]->instruction + "` at " + scenario.program.describe_place(writers[i]->pc);
    } else {
      text = is_short ? "no instruction wrote it" : "";
    }
  }
  return failures;
}

}  // namespace salu::suite
