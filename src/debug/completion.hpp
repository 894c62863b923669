#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "debug/displays.hpp"
#include "debug/session.hpp"

namespace salu::debug {

/// The completions of the last word of a line, sorted. `commands`: first words in addition to the verbs.
std::vector<std::string> completions(const Session& session, const Displays& displays, std::string_view text,
                                     std::vector<std::string> commands);

}  // namespace salu::debug
