#pragma once

#include <salu/scenario.hpp>

#include <vector>

#include "page/json_parts.hpp"
#include "page/waves_recording.hpp"

namespace salu::page {

/// The data of a page about several waves.
Json waves_json(const WavesRecording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

}  // namespace salu::page
