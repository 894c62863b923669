#include "observe/event_text.hpp"

#include "observe/accesses.hpp"
#include "observe/known_instruction.hpp"
#include "support/numbers.hpp"

namespace salu::observe {

void EventText::append(support::TextBuffer& text, const TraceEvent& event, std::span<const LocationValue> values) {
  std::string_view separator;
  for (const LocationValue& value : values) {
    text.append(separator);
    append_value(text, names_.of(event.known->generation(), value.location), value);
    separator = " ";
  }
}

void EventText::append_writes(support::TextBuffer& text, const TraceEvent& event) {
  append(text, event, event.written);
  if (event.falls_through()) return;
  text.append(event.written.empty() ? "pc=" : " pc=");
  text.append_hex(event.next_pc);
}

std::string stack_text(const StackStep& step) {
  const std::string exec = "exec=" + support::hex(step.exec_after, 16);
  const auto entry = [&] {
    return "entry " + std::to_string(step.entry()) + " {exec=" + support::hex(step.entry_exec, 16) +
           ", pc=" + support::hex(step.entry_pc) + "}, go on with " + exec;
  };
  switch (step.kind) {
    case StackStep::Kind::none:
      return {};
    case StackStep::Kind::whole:
      return "all lanes on one side, " + exec;
    case StackStep::Kind::push:
      return "push " + entry();
    case StackStep::Kind::pop:
      return "pop " + entry();
    case StackStep::Kind::go_on:
      return "CSP=" + std::to_string(step.csp_after) + " as before the fork, go on";
  }
  return {};
}

std::string warnings_text(std::span<const Warning> warnings) {
  std::string text;
  for (const Warning& warning : warnings) {
    if (!text.empty()) text += "; ";
    text += std::string(warning_kind_name(warning.kind)) + ": " + warning.detail;
  }
  return text;
}

}  // namespace salu::observe

namespace salu {

std::string_view mnemonic_of(const TraceEvent& event) { return event.known->mnemonic(); }

std::string_view instruction_text(const TraceEvent& event) { return event.known->text(); }

namespace {

/// Keeps the names of places from one event to the next: there may be millions.
observe::EventText& event_text() {
  thread_local observe::EventText kept;
  return kept;
}

}  // namespace

std::string reads_text(const TraceEvent& event) {
  support::TextBuffer text;
  event_text().append_reads(text, event);
  return std::string(text.view());
}

std::string writes_text(const TraceEvent& event) {
  support::TextBuffer text;
  event_text().append_writes(text, event);
  return std::string(text.view());
}

std::string note_text(const TraceEvent& event) {
  std::string text;
  if (event.skipped != TraceEvent::Skipped::no)
    text = event.skipped == TraceEvent::Skipped::by_vskip ? "skipped by VSKIP" : "skipped";
  if (event.stack.kind != StackStep::Kind::none)
    text = (event.stack.is_fork() ? "fork: " : "join: ") + observe::stack_text(event.stack);
  const std::string warnings = observe::warnings_text(event.warnings);
  if (!text.empty() && !warnings.empty()) text += "; ";
  return text + warnings;
}

}  // namespace salu
