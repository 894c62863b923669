#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace salu::app {

/// The layout of help, which would otherwise depend on the version of CLI11.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace salu::app
