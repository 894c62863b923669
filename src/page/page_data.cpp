#include "page/page_data.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "page/findings.hpp"
#include "page/json_parts.hpp"
#include "page/wave_data.hpp"
#include "page/waves_data.hpp"
#include "page/windows.hpp"

namespace salu::page {
namespace {

/// Invalid UTF-8 in external texts is replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string page_data(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  const Scenario& scenario = recording.scenario();
  WaveData wave(recording, outcome);
  Json json = run_json(scenario);
  wave.add_end(json);
  wave.add_run(json);
  add_verdict(json, scenario, outcome, mismatches);
  wave.add_findings(json, list_findings(recording, outcome, mismatches),
                    [&](const FindingLink& link) { return wave.line_at(link.pc); });
  if (const std::vector<StepRange> ranges = wave.choose_windows(); !ranges.empty())
    wave.add_windows(json, record_windows(scenario, wave.counts(), recording.whole_waves(), ranges));
  wave.add_sources(json);
  json["summarised"] = wave.summarised();
  return text_of(json);
}

std::string page_data(const WavesRecording& recording, const Outcome& outcome,
                      const std::vector<Mismatch>* mismatches) {
  return text_of(waves_json(recording, outcome, mismatches));
}

}  // namespace salu::page
