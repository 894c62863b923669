#include "debug/why_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

#include "debug/place_text.hpp"
#include "observe/why/bits_text.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

using observe::BitRun;
using observe::WhyGraph;
using observe::WhyLink;
using observe::WhySource;
using Origin = WhySource::Origin;
using Role = WhySource::Role;

/// `step 12`; of another wave than the question's, `step 12 of wave 3`.
std::string link_moment(const WhyGraph& graph, const WhyLink& link) {
  const std::string moment = moment_text(link.position, link.is_edit);
  return link.wave == graph.wave ? moment : fmt::format("{} of wave {}", moment, link.wave);
}

std::string origin_text(const WhyGraph& graph, const WhySource& source) {
  switch (source.origin) {
    case Origin::link:
      return link_moment(graph, graph.links[source.link]);
    case Origin::start:
      return "given at the start";
    case Origin::nothing:
      return "never written";
    case Origin::limit:
      return "not shown";
    case Origin::not_followed:
      break;
  }
  return {};
}

std::string_view role_text(Role role) {
  switch (role) {
    case Role::address:
      return "chosen by ";
    case Role::lane:
      return "let by ";
    case Role::asked:
    case Role::value:
      break;
  }
  return "from ";
}

/// A limit, because many sources of one kind, such as lanes, would fill screens.
constexpr std::size_t most_runs = 8;
constexpr std::size_t most_written = 3;

void append_sources(std::string& text, const WhyGraph& graph, const WhyLink& link, Generation generation) {
  const std::vector<BitRun> runs = observe::runs_of(link.sources);
  for (const BitRun& run : runs | std::views::take(most_runs)) {
    const WhySource& source = link.sources[run.number];
    const std::string origin = origin_text(graph, source);
    text += fmt::format("    {}{} = {}{}\n", role_text(source.role), run.name(generation), run.value_text(),
                        origin.empty() ? "" : ": " + origin);
  }
  if (runs.size() > most_runs) text += fmt::format("    and {} more\n", runs.size() - most_runs);
  if (runs.empty() && !link.is_edit) text += "    from the instruction alone\n";
}

std::string written_text(std::span<const BitRun> runs, Generation generation) {
  std::string text;
  for (const BitRun& run : runs | std::views::take(most_written))
    text += (text.empty() ? "" : ", ") + run.name(generation) + " = " + run.value_text();
  if (runs.size() > most_written) text += fmt::format(" and {} more", runs.size() - most_written);
  return text;
}

/// `0x1008 <start+0x8>, gcd.s:12`.
std::string place_text(const Program& program, u64 address) {
  const LineEntry* const entry = program.find_line(address);
  return address_text(program, address) +
         (entry == nullptr ? "" : fmt::format(", {}:{}", program.files[entry->file], entry->line));
}

std::string head_text(const WhyGraph& graph, const WhyLink& link, const Program& program) {
  if (link.is_edit) return link_moment(graph, link) + ": set from outside the program";
  return fmt::format("{}: {}\n    at {}", link_moment(graph, link), link.text, place_text(program, link.pc));
}

}  // namespace

std::string why_text(const WhyGraph& graph, const Program& program, std::string_view more) {
  const Generation generation = program.generation();
  std::string text;
  const std::vector<BitRun> asked = observe::runs_of(graph.asked);
  for (const BitRun& run : asked | std::views::take(most_runs)) {
    const std::string origin = origin_text(graph, graph.asked[run.number]);
    text += fmt::format("{} = {} at position {}{}\n", run.name(generation), run.value_text(), graph.position,
                        origin.empty() ? "" : ": " + origin);
  }
  if (asked.size() > most_runs) text += fmt::format("and {} more\n", asked.size() - most_runs);
  for (const WhyLink& link : graph.links) {
    text += "\n" + head_text(graph, link, program) + "\n";
    if (!link.written.empty()) text += "  " + written_text(observe::runs_of(link), generation) + "\n";
    if (link.went_to) text += "  continued at " + address_text(program, *link.went_to) + "\n";
    append_sources(text, graph, link, generation);
    if (link.decided_by) text += "  It ran because of " + link_moment(graph, graph.links[*link.decided_by]) + "\n";
    if (!link.overwritten) continue;
    const WhyLink::Overwritten& entry = *link.overwritten;
    text += fmt::format("  Lanes waited there: entry {} of the control stack, pushed {}by\n    {}\n    at {}\n",
                        entry.entry, entry.position ? "at " + step_text(*entry.position) + " " : "", entry.text,
                        place_text(program, entry.pc));
  }
  if (graph.is_cut) text += fmt::format("\nThere is more; {}.\n", more);
  return text;
}

std::string slice_text(const WhyGraph& graph, const Program& program) {
  std::string text;
  const std::size_t width = graph.links.empty() ? 0 : std::to_string(graph.links.front().step()).size();
  for (const WhyLink& link : graph.links | std::views::reverse) {
    if (graph.has_several_waves) text += fmt::format("w{} ", link.wave);
    text += link.is_edit ? fmt::format("{:>{}}  set from outside the program: {}\n", link.position, width,
                                       written_text(observe::runs_of(link), program.generation()))
                         : fmt::format("{:>{}}  {}: {}{}\n", link.step(), width, address_text(program, link.pc),
                                       link.text, source_note(program, link.pc));
  }
  return text;
}

}  // namespace salu::debug
