#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "help_formatter.hpp"
#include "output.hpp"

namespace salu::app {

void add_help(Command& app, const CommandLine& line) {
  Command command = app.add("help", "print help about salu or one of its commands");
  const auto name = std::make_shared<std::string>();
  command.argument("COMMAND", *name, "command to print help about (default: an overview)", Command::Need::optional);
  command.suggest(command_names(line.app));
  command.epilogue({.notes = {},
                    .examples = {"salu help", "salu help run"},
                    .exit_codes = {{exit_code::good, "printed"}, {exit_code::usage, "wrong usage"}}});
  command.action([name, &line] {
    const CLI::App* asked = &line.app;
    std::string full_name = line.app.get_name();
    if (!name->empty()) {
      const auto found = line.app.get_subcommands([&](const CLI::App* each) { return each->get_name() == *name; });
      if (found.empty()) {
        spdlog::error("error: {}", unknown_command(*name, line.app));
        return exit_code::usage;
      }
      asked = found.front();
      full_name += " " + *name;
    }
    print_help(HelpFormatter().make_help(asked, full_name, CLI::AppFormatMode::Normal));
    return exit_code::good;
  });
}

void add_version(Command& app) {
  Command command = app.add("version", "print the version");
  command.epilogue({.notes = {},
                    .examples = {"salu version"},
                    .exit_codes = {{exit_code::good, "printed"}, {exit_code::usage, "wrong usage"}}});
  command.action([] {
    print("salu " SALU_VERSION "\n");
    return exit_code::good;
  });
}

}  // namespace salu::app
