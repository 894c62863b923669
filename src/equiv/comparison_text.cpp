#include "equiv/comparison_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "equiv/vector_names.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu {
namespace {

using support::hex;

constexpr std::size_t label_width = 14;

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

/// Parses the number in an SGPR's name.
std::optional<u32> sgpr_number(const std::string& name) {
  u32 number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool is_sgpr = name.starts_with('s') && error == std::errc{} && end == name.data() + name.size();
  return is_sgpr ? std::optional(number) : std::nullopt;
}

/// Joins names, with `s3 to s9` for consecutive registers.
std::string joined_registers(const std::vector<std::string>& all) {
  constexpr std::size_t shortest_run = 4;
  const std::vector<std::string> names = equiv::with_whole_vectors(all);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t end = i + 1;
    const auto first = sgpr_number(names[i]);
    while (first && end < names.size() && sgpr_number(names[end]) == *first + (end - i)) ++end;
    if (end - i >= shortest_run) {
      texts.push_back(names[i] + " to " + names[end - 1]);
    } else {
      texts.insert(texts.end(), names.begin() + static_cast<std::ptrdiff_t>(i),
                   names.begin() + static_cast<std::ptrdiff_t>(end));
    }
    i = end;
  }
  return joined(texts);
}

std::string label(std::string text) {
  text.resize(std::max(text.size() + 1, label_width), ' ');
  return "  " + text;
}

/// Adds a list, one line for each entry.
void add_lines(std::string name, const std::vector<std::string>& lines, std::string& text) {
  for (const std::string& line : lines) {
    text += label(std::move(name)) + line + "\n";
    name.clear();
  }
}

/// Lists inputs that are not 0; of many only the first ones.
std::string inputs_text(const std::vector<InputValue>& inputs) {
  constexpr std::size_t listed = 128;
  std::string text;
  std::size_t zeros = 0;
  std::size_t others = 0;
  for (const InputValue& input : inputs) {
    if (input.value == 0 && inputs.size() > 1) {
      ++zeros;
      continue;
    }
    if (++others > listed) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", input.name, hex(input.value));
  }
  if (others > listed) text += fmt::format(" and {} more", others - listed);
  if (zeros == 0) return text;
  return text + (text.empty() ? "all inputs 0" : ", all others 0");
}

/// Returns `, 3 of them rows of `cases:``, or an empty text.
std::string rows_of(const EquivalenceReport& report) {
  return report.rows == 0 ? std::string() : fmt::format(", {} of them rows of `cases:`", report.rows);
}

/// The verdict line of an exhaustive comparison.
std::string headline_of_all(const EquivalenceReport& report, const std::string& seed) {
  const std::string drawn = report.draws_others ? " with drawn values of the other inputs, " + seed : std::string();
  if (report.verdict == Verdict::equal) {
    return fmt::format("equal on {}{}: every combination{}", support::counted(report.states, "state"), rows_of(report),
                       drawn.empty() ? "" : ", once each" + drawn);
  }
  return fmt::format("not known to be equal: {} of {} could not be compared; the others are equal{}",
                     report.combinations - report.combinations_compared,
                     support::counted(report.combinations, "combination"), drawn.empty() ? "" : "," + drawn);
}

std::string headline(const EquivalenceReport& report) {
  const std::string seed = fmt::format("seed {}", report.seed);
  switch (report.verdict) {
    case Verdict::equal:
    case Verdict::incomplete: {
      if (report.combinations != 0) return headline_of_all(report, seed);
      const std::string tried = support::counted(report.states, "state");
      return fmt::format("equal on {}{}{} ({})",
                         report.compared == report.states ? "" : fmt::format("{} of ", report.compared), tried,
                         rows_of(report), seed);
    }
    case Verdict::different:
      if (!report.difference->row.empty()) return "different: " + report.difference->row + " of `cases:`";
      return fmt::format("different: state {} ({})", report.difference->state, seed);
    case Verdict::nothing_compared:
      break;
  }
  return fmt::format("nothing could be compared in {} ({})", support::counted(report.states, "state"), seed);
}

void add_difference(const Difference& difference, std::string& text) {
  if (!difference.shrunk.empty()) {
    text += label("inputs") + inputs_text(difference.shrunk) + "\n";
    const std::string found = inputs_text(difference.found);
    if (found != inputs_text(difference.shrunk)) {
      text += fmt::format("{}(found with {}; shrunk in {}{})\n", label(""), found,
                          support::counted(difference.shrink_runs, "run"),
                          difference.shrinking_ended_early ? ", ended early by --max-time" : "");
    }
  }
  for (const DifferingOutput& output : difference.outputs) {
    if (output.a.empty()) {
      text += label(output.name) + "\n";
    } else {
      const std::string name = output.name + (output.object.empty() ? "" : " (" + output.object + ")");
      text += fmt::format("{}expected {} (A), got {} (B)\n", label(name), output.a, output.b);
    }
  }
  if (!difference.hint.empty()) text += "\n" + difference.hint + "\n";
  for (const PartingNote& note : difference.parting) {
    text += "\n" + note.what + "\n";
    for (const PartingLine& line : note.lines) {
      text += line.in_b ? "  B " : "  A ";
      if (!line.wave.empty()) text += line.wave + ": ";
      if (line.pc != 0) text += hex(line.pc) + (line.place.empty() ? "" : " (" + line.place + ")");
      if (!line.instruction.empty()) text += ": " + line.instruction;
      if (!line.effects.empty()) text += (line.pc == 0 ? "" : "    ") + line.effects;
      text += "\n";
    }
  }
  if (!difference.reproducer_problem.empty()) {
    text += "\nthe reproducer does not show the difference: " + difference.reproducer_problem + "\n";
  }
}

void add_program(const ProgramReport& program, char letter, bool verbose, std::string& text) {
  std::string line = fmt::format("{} on {}: ", support::printable(program.name), program.target);
  if (program.waves != 1) line += support::counted(program.waves, "wave") + ", ";
  line += fmt::format("{} of {} executed", program.executed, support::counted(program.reachable, "instruction"));
  for (const auto& [reason, count] : program.stops) line += fmt::format(", {} {}", reason, count);
  text += label(std::string(1, letter)) + line + "\n";
  if (!verbose) return;
  for (const AddressRange& range : program.never_executed) {
    text += fmt::format("{}never executed: {} to {}\n", label(""), hex(range.first), hex(range.last));
  }
}

}  // namespace

std::string equiv::details_text(const EquivalenceReport& report, bool verbose) {
  std::string text;
  if (report.difference) {
    add_difference(*report.difference, text);
    text += "\n";
  }
  add_program(report.programs[0], 'A', verbose, text);
  add_program(report.programs[1], 'B', verbose, text);
  add_lines("varied", {report.varied.empty() ? "nothing: all runs are the same" : joined_registers(report.varied)},
            text);
  add_lines("not varied", report.not_varied, text);
  add_lines("compared", {joined_registers(report.outputs)}, text);
  add_lines("not compared", report.not_compared, text);
  for (const auto& [why, count] : report.skipped) {
    text += fmt::format("{}{}: {}\n", label("skipped"), support::counted(count, "state"), why);
  }
  if (report.out_of_time) text += label("ended early") + "by --max-time\n";
  return text;
}

std::string equivalence_text(const EquivalenceReport& report, bool verbose) {
  return headline(report) + "\n\n" + equiv::details_text(report, verbose);
}

}  // namespace salu
