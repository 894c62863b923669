#include "observe/event_text.hpp"

#include <algorithm>
#include <bit>

#include "isa/operand.hpp"
#include "observe/accesses.hpp"
#include "support/numbers.hpp"
#include "support/per_thread.hpp"

namespace salu::observe {

namespace {

/// `v3=0x00000007` if all accessed lanes have the same value, otherwise the first values:
/// `v3=0x00000000,0x00000001,...`
void append_lanes(support::TextBuffer& text, const VectorValue& vector) {
  constexpr u32 most_values = 4;
  text.append(isa::vector_register_name(vector.location().index, state_index::lanes));
  const u32 first = vector.values[static_cast<u32>(std::countr_zero(vector.lanes))];
  bool is_uniform = true;
  for (u64 left = vector.lanes; left != 0; left &= left - 1)
    is_uniform = is_uniform && vector.values[static_cast<u32>(std::countr_zero(left))] == first;
  std::string_view separator = "=0x";
  u32 count = 0;
  for (u64 left = vector.lanes; left != 0; left &= left - 1) {
    if (count++ == (is_uniform ? 1 : most_values)) {
      if (!is_uniform) text.append(",...");
      break;
    }
    text.append(separator);
    text.append_digits(vector.values[static_cast<u32>(std::countr_zero(left))]);
    separator = ",0x";
  }
}

}  // namespace

void EventText::append(support::TextBuffer& text, Generation generation, std::span<const LocationValue> values,
                       std::span<const VectorValue> vectors) {
  std::string_view separator;
  for (const VectorValue& vector : vectors) {
    text.append(separator);
    append_lanes(text, vector);
    separator = " ";
  }
  // Limit for listed dwords of the memory accesses of lanes.
  constexpr std::size_t most_dwords = 4;
  std::size_t dwords = 0;
  for (const LocationValue& value : values) {
    if (value.location.is_memory() && ++dwords > most_dwords) continue;
    text.append(separator);
    append_value(text, names_.of(generation, value.location), value);
    separator = " ";
  }
  if (dwords > most_dwords) text.append(" [...]");
}

void EventText::append_writes(support::TextBuffer& text, const TraceEvent& event) {
  append(text, event.generation, event.written, event.vectors_written);
  if (event.falls_through()) return;
  text.append(event.written.empty() && event.vectors_written.empty() ? "pc=" : " pc=");
  text.append_hex(event.next_pc);
}

std::string stack_text(const StackStep& step) {
  const std::string exec = "exec=" + support::hex(step.exec_after, 16);
  const auto entry = [&] {
    return "entry " + std::to_string(step.entry()) + " {exec=" + support::hex(step.entry_exec, 16) +
           ", pc=" + support::hex(step.entry_pc) + "}, continue with " + exec;
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
      return "CSP=" + std::to_string(step.csp_after) + " as before the fork, continue";
  }
  return {};
}

std::string warnings_text(std::span<const Warning> warnings) {
  std::string text;
  for (const Warning& warning : warnings) {
    if (!text.empty()) text += "; ";
    text += std::string(warning_kind_name(warning.kind)) + (warning.is_info() ? " (info)" : "") + ": " + warning.detail;
  }
  return text;
}

}  // namespace salu::observe

namespace salu {

bool writes_to(const TraceEvent& event, const Location& place) {
  const auto is_lane_written = [&](const VectorValue& vector) {
    return observe::are_in(vector.number, vector.lanes, place);
  };
  return std::ranges::any_of(event.written,
                             [&](const LocationValue& written) { return overlap(place, written.location); }) ||
         std::ranges::any_of(event.vectors_written, is_lane_written);
}

namespace {

/// Keeps the names of places between events, of which there may be millions.
observe::EventText& event_text() { return support::PerThread<observe::EventText>::get(); }

}  // namespace

std::string reads_text(const InstructionInputs& event) {
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
