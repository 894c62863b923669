#include <salu/scenario.hpp>

#include <fmt/core.h>

#include <algorithm>

#include "support/numbers.hpp"

namespace salu {
namespace {

constexpr std::size_t most_dwords_reported = 8;

/// Formats a value as in reports: whole registers in hexadecimal, flags and fields in decimal.
std::string value_text(u64 value, u32 width) {
  return width < 32 ? std::to_string(value) : support::hex(value, width / 4);
}

void check_stop(const Expectation& expectation, const Stop& stop, std::vector<Mismatch>& mismatches) {
  const bool holds = expectation.stop ? stop.reason == *expectation.stop && stop.warning == expectation.stop_warning
                                      : is_regular_end(stop.reason);
  if (holds) return;
  std::string expected = "end_program, returned or killed";
  if (expectation.stop) expected = stop_reason_name(*expectation.stop);
  if (expectation.stop_warning) expected = warning_kind_name(*expectation.stop_warning);
  std::string actual(stop.reason_name());
  if (!stop.detail.empty()) actual += ": " + stop.detail;
  mismatches.push_back({expectation.where, "stop", std::move(expected), std::move(actual), Mismatch::Kind::stop});
}

void check_warnings(const Expectation& expectation, const std::vector<Warning>& warnings,
                    std::vector<Mismatch>& mismatches) {
  const auto list_of = [](const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text.empty() ? "none" : text;
  };
  // Sorted names, each once: place and number of warnings are not part of the expectation.
  const auto names_of = [](const auto& kinds, const auto& kind_of) {
    std::vector<std::string_view> names;
    for (const auto& kind : kinds) {
      if (const std::optional<WarningKind> one = kind_of(kind)) names.push_back(warning_kind_name(*one));
    }
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    return names;
  };
  const auto expected = names_of(*expectation.warnings, [](WarningKind kind) { return std::optional(kind); });
  const auto actual = names_of(
      warnings, [](const Warning& warning) { return warning.is_info() ? std::nullopt : std::optional(warning.kind); });
  if (expected == actual) return;
  mismatches.push_back(
      {expectation.where_warnings, "warnings", list_of(expected), list_of(actual), Mismatch::Kind::warnings});
}

/// With checks for hazards or races, every finding is a mismatch.
void check_findings(const Expectation& expectation, const std::vector<Warning>& warnings,
                    std::vector<Mismatch>& mismatches) {
  for (const Warning& warning : warnings) {
    if (!warning.is_finding()) continue;
    const std::string kind(warning_kind_name(warning.kind));
    mismatches.push_back({expectation.where, warning.hazard ? fmt::format("{} {}", kind, warning.hazard->id) : kind,
                          "none", warning.detail, Mismatch::Kind::finding});
  }
}

void check_floats(const RegisterExpectation& expected, const Outcome& outcome, std::vector<Mismatch>& mismatches) {
  if (expected.is_high) return;
  const FloatComparison& floats = *expected.floats;
  const u32 width = expected.high ? 64 : expected.name.width;
  const u64 wanted = expected.high ? expected.value | expected.high_value << 32 : expected.value;
  u64 actual = read_register(outcome.state, expected.name);
  if (expected.high) actual |= read_register(outcome.state, *expected.high) << 32;
  const bool lost = is_lost(outcome, expected.name) || (expected.high && is_lost(outcome, *expected.high));
  if (!lost && are_equal(floats, wanted, actual, width)) return;
  const std::string got =
      float_values_text(floats.format, actual, width) + distance_text(floats, wanted, actual, width);
  mismatches.push_back({expected.where, expected.text, float_values_text(floats.format, wanted, width),
                        lost ? "undefined: depends on a skipped vector instruction" : got, Mismatch::Kind::state,
                        expected.name.location(), lost ? ~u64{0} : actual ^ wanted});
}

void check_register(const RegisterExpectation& expected, const Outcome& outcome, std::vector<Mismatch>& mismatches) {
  if (expected.floats) return check_floats(expected, outcome, mismatches);
  const u64 actual = read_register(outcome.state, expected.name);
  const bool lost = is_lost(outcome, expected.name);
  if (!lost && ((actual ^ expected.value) & expected.mask) == 0) return;
  const u32 width = expected.name.width;
  const u64 all = width >= 64 ? ~u64{0} : (u64{1} << width) - 1;
  std::string text = value_text(expected.value, width);
  if ((expected.mask & all) != all) text += " (mask " + value_text(expected.mask, width) + ")";
  mismatches.push_back({expected.where, expected.text, std::move(text),
                        lost ? "undefined: depends on a skipped vector instruction" : value_text(actual, width),
                        Mismatch::Kind::state, expected.name.location(),
                        lost ? ~u64{0} : ((actual ^ expected.value) & expected.mask) << expected.name.low_bit});
}

void check_memory(const MemoryExpectation& expected, const Memory& memory, std::vector<Mismatch>& mismatches) {
  std::vector<u8> actual(expected.bytes.size());
  memory.read(expected.address, actual);
  std::size_t different = 0;
  const std::size_t step = expected.floats ? float_bits(expected.floats->format) / 8 : 4;
  for (std::size_t i = 0; i < actual.size(); i += step) {
    const std::size_t count = std::min<std::size_t>(step, actual.size() - i);
    const auto number_in = [&](const std::vector<u8>& bytes) {
      u64 value = 0;
      for (std::size_t k = 0; k < count; ++k) value |= u64{bytes[i + k]} << (8 * k);
      return value;
    };
    const u64 wanted = number_in(expected.bytes);
    const u64 got = number_in(actual);
    const auto width = static_cast<u32>(8 * count);
    const bool equal = expected.floats ? are_equal(*expected.floats, wanted, got, width) : wanted == got;
    if (equal || ++different > most_dwords_reported) continue;
    const auto text = [&](u64 value) {
      return expected.floats ? float_values_text(expected.floats->format, value, width)
                             : support::hex(value, width / 4);
    };
    const std::string distance = expected.floats ? distance_text(*expected.floats, wanted, got, width) : "";
    mismatches.push_back({expected.where, "memory " + support::hex(expected.address + i), text(wanted),
                          text(got) + distance, Mismatch::Kind::state, Location::in_memory(expected.address + i)});
  }
  if (different > most_dwords_reported) {
    mismatches.back().actual += fmt::format(" (and {} more {} differ)", different - most_dwords_reported,
                                            expected.floats ? "numbers" : "dwords");
  }
}

}  // namespace

std::vector<Mismatch> check(const Expectation& expectation, const Outcome& outcome) {
  std::vector<Mismatch> mismatches;
  check_stop(expectation, outcome.stop, mismatches);
  for (const RegisterExpectation& expected : expectation.registers) check_register(expected, outcome, mismatches);
  for (const MemoryExpectation& expected : expectation.memory) check_memory(expected, outcome.memory, mismatches);
  if (expectation.warnings) {
    check_warnings(expectation, outcome.warnings, mismatches);
  } else {
    check_findings(expectation, outcome.warnings, mismatches);
  }
  if (expectation.max_steps && outcome.steps > *expectation.max_steps) {
    mismatches.push_back({expectation.where_steps, "steps", fmt::format("at most {}", *expectation.max_steps),
                          std::to_string(outcome.steps), Mismatch::Kind::steps});
  }
  return mismatches;
}

}  // namespace salu
