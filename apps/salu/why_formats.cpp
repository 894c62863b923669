#include "why_formats.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "observe/why/bits_text.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::app {
namespace {

using Json = nlohmann::ordered_json;
using observe::BitRun;
using observe::WhyGraph;
using observe::WhyLink;
using observe::WhySource;
using support::hex;

constexpr u32 address_digits = 16;

std::string_view role_name(WhySource::Role role) {
  switch (role) {
    case WhySource::Role::address:
      return "address";
    case WhySource::Role::lane:
      return "lane";
    case WhySource::Role::asked:
    case WhySource::Role::value:
      break;
  }
  return "value";
}

std::string_view origin_name(WhySource::Origin origin) {
  switch (origin) {
    case WhySource::Origin::link:
      return "link";
    case WhySource::Origin::start:
      return "start";
    case WhySource::Origin::nothing:
      return "undefined";
    case WhySource::Origin::not_followed:
      return "not_followed";
    case WhySource::Origin::limit:
      break;
  }
  return "limit";
}

/// `place`: the register or the dword of memory; `bits`: its relevant bits; `value`: its whole value.
Json run_json(const BitRun& run, Generation generation) {
  const u32 digits = run.place.dwords * 8;
  return {
      {"name", run.name(generation)}, {"bits", hex(run.mask, digits)}, {"value", hex(run.value & run.mask, digits)}};
}

Json source_json(const BitRun& run, const WhySource& source, Generation generation) {
  Json json = run_json(run, generation);
  if (source.role != WhySource::Role::asked) json["role"] = role_name(source.role);
  json["origin"] = origin_name(source.origin);
  if (source.origin == WhySource::Origin::link) json["link"] = source.link;
  return json;
}

Json sources_json(std::span<const WhySource> sources, Generation generation) {
  Json list = Json::array();
  for (const BitRun& run : observe::runs_of(sources)) list.push_back(source_json(run, sources[run.number], generation));
  return list;
}

Json link_json(const WhyGraph& graph, std::size_t number, const Program& program) {
  const WhyLink& link = graph.links[number];
  Json json = {{"link", number}};
  if (graph.has_several_waves) json["wave"] = link.wave;
  if (link.is_edit) {
    json["position"] = link.position;
  } else {
    json["step"] = link.step();
    json["pc"] = hex(link.pc, address_digits);
    json["instruction"] = link.text;
  }
  if (const std::string label = program.describe_address(link.pc); !label.empty()) json["label"] = label;
  if (const LineEntry* const line = program.find_line(link.pc))
    json["source"] = {{"file", program.files[line->file]}, {"line", line->line}};
  json["depth"] = link.depth;
  json["writes"] = Json::array();
  for (const BitRun& run : observe::runs_of(link)) json["writes"].push_back(run_json(run, program.generation()));
  json["inputs"] = sources_json(link.sources, program.generation());
  if (link.went_to) json["went_to"] = hex(*link.went_to, address_digits);
  if (link.decided_by) json["decided_by"] = *link.decided_by;
  if (link.overwritten) {
    Json entry = {{"entry", link.overwritten->entry},
                  {"fork_pc", hex(link.overwritten->pc, address_digits)},
                  {"fork", link.overwritten->text}};
    if (link.overwritten->position) entry["fork_step"] = *link.overwritten->position + 1;
    json["overwrote"] = std::move(entry);
  }
  return json;
}

std::string line_of(const Json& json) {
  return support::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + '"';
}

}  // namespace

std::string why_json(const WhyGraph& graph, const Program& program, std::string_view place) {
  Json head = {{"schema", "salu-why-v1"}, {"place", place}, {"position", graph.position}};
  if (graph.has_several_waves) head["wave"] = graph.wave;
  head["asked"] = sources_json(graph.asked, program.generation());
  std::string text = line_of(head);
  for (std::size_t i = 0; i < graph.links.size(); ++i) text += line_of(link_json(graph, i, program));
  return text + line_of({{"links", graph.links.size()}, {"cut", graph.is_cut}});
}

std::string why_dot(const WhyGraph& graph, const Program& program) {
  const Generation generation = program.generation();
  std::string text = "digraph why {\n  node [shape=box, fontname=monospace];\n";
  std::size_t leaves = 0;
  const auto add_edges = [&](const std::string& to, std::span<const WhySource> sources) {
    for (const BitRun& run : observe::runs_of(sources)) {
      const WhySource& source = sources[run.number];
      const std::string value = run.name(generation) + " = " + run.value_text();
      const std::string_view style = source.role == WhySource::Role::value   ? ""
                                     : source.role == WhySource::Role::asked ? ""
                                                                             : ", style=dashed";
      std::string from = fmt::format("link{}", source.link);
      if (source.origin != WhySource::Origin::link) {
        from = fmt::format("leaf{}", leaves++);
        text += fmt::format("  {} [shape=plaintext, label={}];\n", from, dot_text(origin_name(source.origin)));
      }
      text += fmt::format("  {} -> {} [label={}{}];\n", from, to, dot_text(value), style);
    }
  };
  text += fmt::format("  asked [shape=ellipse, label={}];\n", dot_text(fmt::format("position {}", graph.position)));
  add_edges("asked", graph.asked);
  for (std::size_t i = 0; i < graph.links.size(); ++i) {
    const WhyLink& link = graph.links[i];
    const std::string wave = graph.has_several_waves ? fmt::format(" of wave {}", link.wave) : std::string();
    std::string label = link.is_edit ? fmt::format("position {}\nset from outside", link.position)
                                     : fmt::format("step {}{}\n{}", link.step(), wave, link.text);
    if (const LineEntry* const line = program.find_line(link.pc); line != nullptr && !link.is_edit)
      label += fmt::format("\n{}:{}", program.files[line->file], line->line);
    if (link.overwritten) label += fmt::format("\noverwrites entry {} of the control stack", link.overwritten->entry);
    text += fmt::format("  link{} [label={}{}];\n", i, dot_text(label), link.overwritten ? ", color=red" : "");
    add_edges(fmt::format("link{}", i), link.sources);
    if (link.decided_by) text += fmt::format("  link{} -> link{} [style=dotted];\n", *link.decided_by, i);
  }
  return text + "}\n";
}

}  // namespace salu::app
