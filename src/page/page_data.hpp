#pragma once

#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "page/recording.hpp"

namespace salu::page {

/// A recording and how the run ended, as one JSON object (`salu-page-v1`, docs/how-to/report.md).
std::string page_data(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// The page: the template with style sheet, script and data in their places.
std::string assemble_page(std::string_view title, std::string_view data);

/// A text as it may stand between the tags of an HTML document.
std::string escape_html(std::string_view text);

/// JSON as it may stand in a script element: the same values without `<`, `>` and `&`.
std::string escape_json(std::string_view json);

/// The five scripts of web/page/ in the order in which they depend on each other.
std::string page_script();

}  // namespace salu::page
