#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cstdlib>
#include <ctime>
#include <memory>

#include "commands.hpp"
#include "declarations.hpp"
#include "exit_codes.hpp"
#include "manual_page.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

/// The date of today, or of SOURCE_DATE_EPOCH for reproducible builds.
std::string date_of_build() {
  const char* const given = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = given != nullptr ? static_cast<std::time_t>(std::atoll(given)) : std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

int write_pages(const CommandDeclaration& program, const std::string& folder) {
  const ManualEdition edition{SALU_VERSION, date_of_build()};
  const std::string start = folder + "/" + program.name;
  bool is_written = write_file(start + ".1", manual_page(program, edition));
  for (const CommandDeclaration& command : program.commands)
    is_written = write_file(start + "-" + command.name + ".1", manual_page(program, command, edition)) && is_written;
  return is_written ? exit_code::good : exit_code::bad_input;
}

}  // namespace

void add_manual(Command& app, const CommandLine& line) {
  Command command = app.add_hidden("manual", "write the manual pages to a directory");
  const auto folder = std::make_shared<std::string>();
  command.argument("DIR", *folder, "directory for the pages");
  command.action([folder, &line] { return write_pages(declarations_of(line), *folder); });
}

}  // namespace salu::app
