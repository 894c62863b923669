#pragma once

#include <salu/suite.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace salu::suite {

/// True when a pattern, in which `*` stands for any text and `?` for any character, matches somewhere in a text.
bool matches(std::string_view text, std::string_view pattern);

/// Whether a test is to be run, by its id and name.
bool is_selected(const std::vector<std::string>& filters, std::string_view id, std::string_view name);

}  // namespace salu::suite
