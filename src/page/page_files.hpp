#pragma once

#include <string_view>

namespace salu::page {

/// The files of web/page/.
std::string_view page_template();
std::string_view page_style();
std::string_view page_model_script();
std::string_view page_paths_script();
std::string_view page_timelines_script();
std::string_view page_views_script();
std::string_view page_control_script();
/// Only on pages about several waves.
std::string_view page_waves_script();
std::string_view page_waves_style();

}  // namespace salu::page
