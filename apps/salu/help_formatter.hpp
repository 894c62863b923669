#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace salu::app {

/// The layout of help, which would otherwise depend on the version of CLI11.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

/// Adds terminal colours to the headings, option names and command names of a help text.
std::string coloured_help(const std::string& text);

/// Prints a help text, in colour on a terminal.
void print_help(const std::string& text);

}  // namespace salu::app
