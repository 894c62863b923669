#pragma once

#include <string>

namespace salu::debug {

struct ConsoleContext;

/// Marks a value that has changed since the last stop.
std::string marked_value(const ConsoleContext& console, const std::string& value, bool has_changed);
/// Prints the written SGPRs and all other scalar registers.
void show_registers(const ConsoleContext& console);

}  // namespace salu::debug
