#include "page/warning_links.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "output/warning_json.hpp"
#include "support/numbers.hpp"

namespace salu::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view suffix = "_pc";

bool names_instruction(std::string_view key) { return key == "pc" || key.ends_with(suffix); }

/// The name of a key without `_pc`; a plain `pc` has the name of its object.
std::string link_name(std::string_view key, std::string_view owner) {
  return std::string(key == "pc" ? owner : key.substr(0, key.size() - suffix.size()));
}

void add_links(const Json& json, std::string_view owner, std::vector<WarningLink>& links) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) add_links(value, key, links);
    if (!value.is_string() || !names_instruction(key)) continue;
    if (const auto pc = support::parse_unsigned(value.get<std::string>()))
      links.push_back({link_name(key, owner), *pc});
  }
}

void add_facts(const Json& json, std::string_view owner, std::vector<std::pair<std::string, std::string>>& facts) {
  constexpr std::array<std::string_view, 3> shown_elsewhere = {"kind", "instruction", "detail"};
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) {
      add_facts(value, key, facts);
    } else if (!names_instruction(key) && std::ranges::find(shown_elsewhere, key) == shown_elsewhere.end()) {
      facts.emplace_back(owner.empty() ? key : std::string(owner) + " " + key,
                         value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

}  // namespace

std::vector<WarningLink> links_of(const Warning& warning) {
  std::vector<WarningLink> links;
  add_links(output::warning_json(warning), "at", links);
  return links;
}

std::vector<std::pair<std::string, std::string>> facts_of(const Warning& warning) {
  std::vector<std::pair<std::string, std::string>> facts;
  add_facts(output::warning_json(warning), {}, facts);
  return facts;
}

}  // namespace salu::page
