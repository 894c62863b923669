#pragma once

#include <salu/scenario.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "page/recording.hpp"
#include "page/waves_recording.hpp"

namespace salu::page {

/// A recording and the outcome of the run, as one JSON object (`salu-page-v1`, docs/how-to/report.md).
std::string page_data(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// The same for several waves.
std::string page_data(const WavesRecording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// Inserts style sheet, script and data into the template. `has_waves`: the data is that of several waves.
std::string assemble_page(std::string_view title, std::string_view data, bool has_waves = false);

/// Escapes a text for HTML.
std::string escape_html(std::string_view text);

/// Escapes JSON for a script element: the same values without `<`, `>` and `&`.
std::string escape_json(std::string_view json);

/// The scripts of web/page/ in the order of their dependencies.
std::string page_script(bool has_waves = false);

}  // namespace salu::page
