#include "page/waves_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "page/findings.hpp"
#include "page/wave_data.hpp"
#include "support/numbers.hpp"

namespace salu::page {
namespace {

/// Names the wave of the links of a finding.
Finding of_wave(Finding finding, const RecordedWave& wave) {
  for (FindingLink& link : finding.links) link.wave = wave.number;
  return finding;
}

class WavesData {
 public:
  WavesData(const WavesRecording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches)
      : recording_(recording), scenario_(recording.scenario()), outcome_(outcome), mismatches_(mismatches) {
    for (const auto& wave : recording.waves())
      data_.emplace(wave->number, std::make_unique<WaveData>(wave->recording, wave->outcome));
  }

  Json write() {
    Json json = run_json(scenario_);
    json["steps"] = outcome_.steps;
    json["skipped_vector"] = outcome_.skipped_vector;
    json["stop"] = stop_json(scenario_.program, outcome_.stop);
    add_verdict(json, scenario_, outcome_, mismatches_);
    std::vector<std::string> summarised;
    json["memory"] = memory_json(
        scenario_, outcome_.memory, [this](const Location& place) { return recording_.last_write(place); }, summarised);
    data_.at(recording_.shown().number)->add_sources(json);
    const u64 left_out = recording_.count() - recording_.waves().size();
    if (left_out != 0) {
      summarised.push_back(
          fmt::format("The run has {} waves, of which {} are recorded: `--wave N` shows wave N (0 to {}) and those of "
                      "its work-group.",
                      recording_.count(), recording_.waves().size(), recording_.count() - 1));
    }
    json["summarised"] = std::move(summarised);
    json["wave_count"] = recording_.count();
    json["shown"] = recording_.shown().number;
    list_findings();
    Json list = Json::array();
    for (const auto& wave : recording_.waves()) list.push_back(wave_json(*wave));
    add_windows(list);
    for (Json& wave : list) wave["summarised"] = summary_of(*recording_.find(wave["number"].get<u64>()));
    json["waves"] = std::move(list);
    return json;
  }

 private:
  // ---- findings ----

  /// The instructions at which the waves wait for each other.
  Finding deadlock_finding() const {
    Finding finding = fault_finding(recording_.shown().recording, outcome_);
    finding.links.clear();
    for (const auto& wave : recording_.waves()) {
      if (wave->is_over) continue;
      if (recording_.waits(wave->number) && !wave->barriers.empty()) {
        const u64 step = wave->recording.steps();
        finding.links.push_back({"waits", wave->recording.last_pc(), step, wave->number});
      } else {
        finding.links.push_back(
            {"repeats", wave->outcome.stop.pc, wave->recording.step_at_end(wave->outcome.stop), wave->number});
      }
    }
    return finding;
  }

  Finding stop_finding() const {
    if (outcome_.stop.reason == StopReason::deadlock) return deadlock_finding();
    const RecordedWave* const wave = recording_.find(recording_.stopped().value_or(recording_.reported()));
    if (wave != nullptr) return of_wave(fault_finding(wave->recording, outcome_), *wave);
    Finding finding = fault_finding(recording_.shown().recording, outcome_);
    finding.links.front().step = 0;
    finding.links.front().wave = recording_.stopped();
    return finding;
  }

  /// The recorded wave with a warning of the run.
  const RecordedWave* wave_with(const Warning& warning) const {
    const auto has = [&](const auto& wave) {
      return std::ranges::any_of(wave->outcome.warnings,
                                 [&](const Warning& other) { return identity_of(other) == identity_of(warning); });
    };
    const auto found = std::ranges::find_if(recording_.waves(), has);
    return found == recording_.waves().end() ? nullptr : found->get();
  }

  Finding mismatch_finding(const Mismatch& mismatch, const Warning* found) const {
    const RecordedWave* wave = recording_.find(recording_.reported());
    if (found != nullptr) {
      wave = wave_with(*found);
      if (wave != nullptr) return finding_of(*wave, *found, mismatch);
    } else if (mismatch.location && mismatch.location->is_memory()) {
      const LastWrite last = recording_.last_write(*mismatch.location);
      if (last.wave) wave = recording_.find(*last.wave);
    }
    if (wave != nullptr) return of_wave(expectation_finding(wave->recording, wave->outcome, mismatch, found), *wave);
    Finding finding = expectation_finding(recording_.shown().recording, outcome_, mismatch, found);
    finding.links.clear();
    finding.detail = "the wave is not recorded; select it with --wave";
    return finding;
  }

  /// An unexpected finding of a check.
  Finding finding_of(const RecordedWave& wave, const Warning& warning, const Mismatch& mismatch) const {
    Finding finding = expectation_finding(wave.recording, wave.outcome, mismatch, &warning);
    finding.links = of_warning(wave, warning).links;
    return finding;
  }

  Finding of_warning(const RecordedWave& wave, const Warning& warning) const {
    Finding finding = of_wave(warning_finding(wave.recording, warning), wave);
    finding.wave = wave.number;
    if (!warning.race) return finding;
    for (FindingLink& link : finding.links) {
      if (link.name != "other") continue;
      link.wave = warning.race->other_wave;
      const auto step =
          std::ranges::find(wave.other_steps, identity_of(warning), &decltype(wave.other_steps)::value_type::first);
      link.step = step == wave.other_steps.end() ? 0 : step->second;
    }
    return finding;
  }

  /// Lists the findings of each wave: those of the run, its own, and those of others that name one of its instructions.
  void list_findings() {
    std::vector<Finding> all;
    if (is_fault(outcome_.stop.reason)) all.push_back(stop_finding());
    if (mismatches_ != nullptr) {
      const std::vector<const Warning*> found = warnings_of(*mismatches_, outcome_.warnings);
      for (std::size_t i = 0; i < mismatches_->size(); ++i)
        all.push_back(mismatch_finding((*mismatches_)[i], found[i]));
    }
    for (const UnrecordedWarning& other : recording_.unrecorded_warnings()) {
      if (wave_with(other.warning) != nullptr) continue;
      Finding finding = warning_finding(recording_.shown().recording, other.warning);
      for (FindingLink& link : finding.links) link = {link.name, link.pc, 0, other.wave};
      if (other.warning.race) finding.links.back().wave = other.warning.race->other_wave;
      all.push_back(std::move(finding));
    }
    for (const auto& wave : recording_.waves()) {
      for (const Warning& warning : wave->outcome.warnings) all.push_back(of_warning(*wave, warning));
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &Finding::is_bad);
    for (const auto& wave : recording_.waves()) {
      const auto concerns = [&](const Finding& finding) {
        return !finding.wave || *finding.wave == wave->number ||
               std::ranges::find(finding.links, wave->number, &FindingLink::wave) != finding.links.end();
      };
      std::ranges::copy_if(all, std::back_inserter(findings_[wave->number]), concerns);
    }
  }

  // ---- waves ----

  Json wave_json(const RecordedWave& wave) {
    WaveData& data = *data_.at(wave.number);
    Json json = {{"number", wave.number}, {"name", wave.name}, {"group", wave.group.first}};
    data.add_end(json);
    if (!wave.is_over) add_unfinished(json, wave);
    data.add_run(json);
    Json barriers = Json::array();
    for (const BarrierWait& barrier : wave.barriers) barriers.push_back(barrier_json(barrier));
    json["barriers"] = std::move(barriers);
    data.add_findings(json, findings_[wave.number], [this](const FindingLink& link) {
      const auto found = data_.find(link.wave.value_or(0));
      return found == data_.end() ? -1 : found->second->line_at(link.pc);
    });
    return json;
  }

  /// A wave that had not ended when the run did.
  void add_unfinished(Json& json, const RecordedWave& wave) const {
    const StopReason reason = outcome_.stop.reason;
    const bool is_limit = reason == StopReason::step_limit || reason == StopReason::time_limit;
    json["stop"]["kind"] = reason == StopReason::deadlock ? "fault" : "stop";
    json["stop"]["detail"] = "";
    json["stop"]["reason"] = wave.recording.steps() == 0                  ? "not_started"
                             : recording_.waits(wave.number)              ? "waits_at_barrier"
                             : is_limit || reason == StopReason::deadlock ? outcome_.stop.reason_name()
                                                                          : "unfinished";
  }

  std::vector<std::string> summary_of(const RecordedWave& wave) const {
    std::vector<std::string> sentences = data_.at(wave.number)->summarised();
    if (wave.more_barriers != 0) {
      sentences.push_back(fmt::format("The first {} barriers at which the wave waits are marked; it waits at {} more.",
                                      wave.barriers.size(), wave.more_barriers));
    }
    return sentences;
  }

  static Json barrier_json(const BarrierWait& barrier) {
    Json json = {{"step", barrier.step}, {"others", barrier.others}, {"passed", barrier.passed}};
    if (barrier.continues != 0) json["continues"] = barrier.continues;
    json["ran"] = barrier.ran;
    if (barrier.unnamed != 0) json["unnamed"] = barrier.unnamed;
    return json;
  }

  /// Records the single steps of long waves in another run.
  void add_windows(Json& list) {
    std::map<u64, WindowRecorder> recorders;
    for (const auto& wave : recording_.waves()) {
      const WaveData& data = *data_.at(wave->number);
      std::vector<StepRange> ranges = data.choose_windows();
      if (ranges.empty()) continue;
      recorders.emplace(wave->number, WindowRecorder(wave->scenario.initial, data.counts(),
                                                     wave->recording.whole_waves(), std::move(ranges)));
    }
    if (recorders.empty()) return;
    recording_.run_again([&](const TraceEvent& event, u64 others) {
      if (const auto found = recorders.find(event.wave); found != recorders.end()) found->second.add(event, others);
    });
    for (Json& wave : list) {
      const u64 number = wave["number"].get<u64>();
      if (const auto found = recorders.find(number); found != recorders.end())
        data_.at(number)->add_windows(wave, found->second.windows());
    }
  }

  const WavesRecording& recording_;
  const Scenario& scenario_;
  const Outcome& outcome_;
  const std::vector<Mismatch>* mismatches_;
  std::map<u64, std::unique_ptr<WaveData>> data_;
  std::map<u64, std::vector<Finding>> findings_;
};

}  // namespace

Json waves_json(const WavesRecording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  return WavesData(recording, outcome, mismatches).write();
}

}  // namespace salu::page
