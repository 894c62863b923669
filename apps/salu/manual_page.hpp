#pragma once

#include <string>

#include "declarations.hpp"

namespace salu::app {

/// The header and footer of a manual page.
struct ManualEdition {
  std::string version;
  std::string date;  ///< 2026-01-31
};

/// The page of the program, for troff with the macros of man(7): salu.1.
std::string manual_page(const CommandDeclaration& program, const ManualEdition& edition);

/// The page of one of its commands: salu-run.1. It contains the whole help text.
std::string manual_page(const CommandDeclaration& program, const CommandDeclaration& command,
                        const ManualEdition& edition);

}  // namespace salu::app
