#include "debug/verb.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "support/names.hpp"

namespace salu::debug {
namespace {

/// In the order of help.
constexpr std::array verb_groups = {moving_verbs,  breakpoint_verbs, info_verbs, value_verbs,
                                    state_verbs,   program_verbs,    lane_verbs, wave_verbs,
                                    history_verbs, script_verbs,     help_verbs};

Error no_verb(std::string message) { return {ErrorCode::usage, {}, std::move(message), {}}; }

}  // namespace

std::span<const Verb> all_verbs() {
  static const auto& all = *new const std::vector<Verb>([] {
    std::vector<Verb> verbs;
    for (const auto group : verb_groups) std::ranges::copy(group().verbs, std::back_inserter(verbs));
    return verbs;
  }());
  return all;
}

std::span<const HelpGroup> help_groups() {
  static const auto& all = *new const std::vector<HelpGroup>([] {
    std::vector<HelpGroup> groups;
    for (const auto each : verb_groups) {
      const VerbGroup group = each();
      auto found = std::ranges::find(groups, group.name, &HelpGroup::name);
      if (found == groups.end()) found = groups.insert(groups.end(), {group.name, group.title, {}});
      for (const Verb& verb : group.verbs) found->verbs.push_back(&verb);
    }
    return groups;
  }());
  return all;
}

std::span<const InfoTopic> all_topics() {
  static const auto& all = *new const std::vector<InfoTopic>([] {
    std::vector<InfoTopic> topics;
    for (const auto group : verb_groups) std::ranges::copy(group().topics, std::back_inserter(topics));
    std::ranges::sort(topics, {}, &InfoTopic::name);
    return topics;
  }());
  return all;
}

Result<const Verb*> find_verb(std::string_view word) {
  if (word.empty()) return no_verb("expected a command; `help` lists them");
  std::vector<const Verb*> found;
  std::vector<std::string_view> names;
  std::vector<std::string_view> all_names;
  for (const Verb& verb : all_verbs()) {
    if (word == verb.name || (!verb.short_name.empty() && word == verb.short_name)) return &verb;
    all_names.push_back(verb.name);
    if (!verb.name.starts_with(word)) continue;
    found.push_back(&verb);
    names.push_back(verb.name);
  }
  if (found.size() == 1) return found.front();
  if (!found.empty()) return no_verb(support::quote(word) + " may be " + support::name_list(names));
  const std::string nearest = support::did_you_mean(word, all_names);
  return no_verb("unknown command " + support::quote(word) + (nearest.empty() ? "; `help` lists them" : nearest));
}

}  // namespace salu::debug
