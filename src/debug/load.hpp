#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <string_view>

namespace salu::debug {

/// The one scenario of a file. Where it has a table of cases, `row` says which of them, by number or name.
Result<Scenario> load_one(const std::string& file, std::string_view row, const LoadOptions& options);

}  // namespace salu::debug
