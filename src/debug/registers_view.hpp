#pragma once

#include <string>

namespace salu::debug {

struct ConsoleContext;

/// A value that is another than at the last stop stands out.
std::string marked_value(const ConsoleContext& console, const std::string& value, bool has_changed);
/// The SGPRs that have a value, and all other scalar registers.
void show_registers(const ConsoleContext& console);

}  // namespace salu::debug
