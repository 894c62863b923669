#include <salu/target.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct TargetsArguments {
  bool as_json = false;
};

/// One row per processor, with its aliases.
std::string table() {
  constexpr std::size_t processor_width = 16;
  constexpr std::size_t generation_width = 12;
  const auto padded = [](std::string text, std::size_t width) {
    text.append(text.size() < width ? width - text.size() : 1, ' ');
    return text;
  };
  std::string text = padded("PROCESSOR", processor_width) + padded("GENERATION", generation_width) + "ALSO CALLED\n";
  for (const Target& target : targets()) {
    if (target.name != target.processor) continue;
    std::string aliases;
    for (const Target& other : targets()) {
      if (other.processor != target.processor || other.name == target.name) continue;
      aliases.append(aliases.empty() ? "" : ", ").append(other.name);
    }
    std::string row = padded(std::string(target.name), processor_width) +
                      padded(std::string(generation_name(target.generation)), generation_width) + aliases;
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

std::string json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Target& target : targets()) {
    list.push_back({{"name", target.name},
                    {"processor", target.processor},
                    {"generation", generation_name(target.generation)},
                    {"elf_machine", target.elf_machine},
                    {"xnack", target.has_xnack}});
  }
  return list.dump(2) + "\n";
}

}  // namespace

void add_targets(Command& app) {
  Command command = app.add("targets", "list the processors and generations that --mcpu and `target:` accept");
  const auto options = std::make_shared<TargetsArguments>();
  const Choices<bool> formats = {{"text", false}, {"json", true}};
  command.choice("--format", options->as_json, formats, "text (a table) or json (default: text)");
  command.epilogue({.notes = {},
                    .examples = {"salu targets", "salu targets --format json | jq -r '.[].name'"},
                    .exit_codes = {{exit_code::good, "listed"}, {exit_code::usage, "wrong usage"}}});
  command.action([options] {
    print_data(options->as_json ? json() : table());
    return exit_code::good;
  });
}

}  // namespace salu::app
