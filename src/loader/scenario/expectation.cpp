#include "loader/scenario/expectation.hpp"

#include <fmt/core.h>

#include <array>

#include "loader/scenario/registers.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 5> expectation_keys = {"stop", "registers", "memory", "warnings", "max_steps"};

std::vector<std::string_view> warning_names() {
  std::vector<std::string_view> names;
  for (u8 i = 0; i <= static_cast<u8>(WarningKind::dropped_access); ++i)
    names.push_back(warning_kind_name(static_cast<WarningKind>(i)));
  return names;
}

[[noreturn]] void fail_unknown(const Document& document, const Node& node, std::string_view what,
                               std::span<const std::string_view> names) {
  const std::string hint = did_you_mean(node.text, names);
  document.fail(node, fmt::format("unknown {} `{}`{}", what, node.text,
                                  hint.empty() ? "; expected one of " + name_list(names) : hint));
}

std::vector<WarningKind> read_warnings(const Document& document, const Node& node) {
  expect_sequence(document, node, "`warnings:`");
  std::vector<WarningKind> kinds;
  for (const Node* child : node.children) {
    const auto kind = find_warning_kind(read_text(document, *child, "a warning"));
    if (!kind) fail_unknown(document, *child, "warning", warning_names());
    kinds.push_back(*kind);
  }
  return kinds;
}

}  // namespace

ExpectedStop read_stop(const Document& document, const Node& node) {
  const std::string& name = read_text(document, node, "`stop:`");
  if (const auto reason = find_stop_reason(name)) return {*reason, {}};
  if (const auto warning = find_warning_kind(name)) return {StopReason::warning, warning};
  std::vector<std::string_view> names;
  for (u8 i = 0; i < static_cast<u8>(StopReason::warning); ++i)
    names.push_back(stop_reason_name(static_cast<StopReason>(i)));
  const std::vector<std::string_view> warnings = warning_names();
  names.insert(names.end(), warnings.begin(), warnings.end());
  fail_unknown(document, node, "stop reason", names);
}

Expectation read_expectation(const Document& document, const Node& node, const Scenario& scenario,
                             const SymbolIndex& symbols, MemoryReader& memory) {
  const MapReader map(document, node, "`expect:`", expectation_keys);
  Expectation expectation;
  expectation.where = document.source->place(node);
  if (const Node* stop = map.find("stop")) {
    expectation.where = document.source->place(*stop);
    const ExpectedStop expected = read_stop(document, *stop);
    expectation.stop = expected.reason;
    expectation.stop_warning = expected.warning;
  }
  if (const Node* registers = map.find("registers")) {
    expectation.registers = read_register_expectations(document, *registers, scenario.program.generation(), symbols);
  }
  if (const Node* blocks = map.find("memory")) expectation.memory = memory.read_expectations(*blocks, scenario.memory);
  if (const Node* warnings = map.find("warnings")) {
    expectation.warnings = read_warnings(document, *warnings);
    expectation.where_warnings = document.source->place(*warnings);
  }
  if (const Node* steps = map.find("max_steps")) {
    expectation.max_steps = read_unsigned(document, *steps, "`max_steps:`", 63);
    expectation.where_steps = document.source->place(*steps);
  }
  return expectation;
}

}  // namespace salu::loader
