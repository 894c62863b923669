#include "debug/warning_reports.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>

#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

std::span<const WarningKind> all_warning_kinds() {
  static constexpr auto all = [] {
    std::array<WarningKind, static_cast<std::size_t>(WarningKind::barrier_divergence) + 1> kinds{};
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<WarningKind>(i);
    return kinds;
  }();
  return all;
}

std::string warning_text(const Session& session, const Warning& warning) {
  return fmt::format("{}{} at {}: {}", warning_kind_name(warning.kind), warning.is_info() ? " (info)" : "",
                     address_text(session.program(), warning.pc), warning.detail);
}

void WarningReports::forget_all_but(const std::vector<Warning>& warnings) {
  std::set<WarningIdentity> left;
  for (const Warning& warning : warnings) left.insert(identity_of(warning));
  std::erase_if(told_, [&](const WarningIdentity& each) { return !left.contains(each); });
}

void report_warnings(ConsoleContext& console) {
  constexpr u64 most_lines = 8;
  const Session& session = console.session;
  const std::vector<Warning> warnings = session.run().warnings();
  console.warnings.forget_all_but(warnings);
  u64 count = 0;
  for (const Warning& warning : warnings) {
    const bool is_wanted =
        session.run().checked_kinds().contains(warning.kind) || session.caught_kinds().contains(warning.kind);
    if (!is_wanted || warning.is_info() || !console.warnings.is_new(warning)) continue;
    if (++count > most_lines) continue;
    console.out.wrapped(console.out.styled("Warning: " + warning_text(session, warning), style::yellow), 4);
  }
  if (count > most_lines)
    console.out.line(
        fmt::format("Warning: {} more; `info warnings` lists all.", support::counted(count - most_lines, "warning")));
}

}  // namespace salu::debug
