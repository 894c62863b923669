#pragma once

#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "page/recording.hpp"

namespace salu::page {

/// A recording and the outcome of the run, as one JSON object (`salu-page-v1`, docs/how-to/report.md).
std::string page_data(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// Inserts style sheet, script and data into the template.
std::string assemble_page(std::string_view title, std::string_view data);

/// Escapes a text for HTML.
std::string escape_html(std::string_view text);

/// Escapes JSON for a script element: the same values without `<`, `>` and `&`.
std::string escape_json(std::string_view json);

/// The five scripts of web/page/ in the order of their dependencies.
std::string page_script();

}  // namespace salu::page
