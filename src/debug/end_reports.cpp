#include "debug/end_reports.hpp"

#include <fmt/core.h>

#include "debug/console_context.hpp"

namespace salu::debug {

std::string failure_text(const Mismatch& mismatch) {
  std::string text = "expectation failed: " + mismatch.text();
  if (mismatch.where.line != 0) text += fmt::format(" ({}:{})", mismatch.where.file, mismatch.where.line);
  return text;
}

void check_expectations(ConsoleContext& console) {
  Session& session = console.session;
  if (!session.run().ended()) return;
  console.end = EndReport{session.run().stop(), session.failed_expectations()};
}

void report_expectations(const ConsoleContext& console) {
  if (!console.session.run().ended() || !console.end) return;
  for (const Mismatch& mismatch : console.end->failed) {
    std::string text = failure_text(mismatch);
    text.front() = 'E';
    console.out.wrapped(console.out.styled(text, style::red), 4);
  }
}

void show_expectations(ConsoleContext& console) {
  if (!console.session.scenario().expect) return console.out.line("The scenario has no `expect:`.");
  if (!console.session.run().ended())
    return console.out.line(
        "Expectations are checked at the end of the program; `continue` or `goto end` moves there.");
  check_expectations(console);
  if (console.end->failed.empty()) return console.out.line("All expectations hold.");
  report_expectations(console);
}

}  // namespace salu::debug
