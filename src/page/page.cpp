#include <salu/page.hpp>

#include <fmt/core.h>

#include <array>
#include <optional>
#include <utility>

#include "page/page_data.hpp"
#include "page/page_files.hpp"
#include "page/recording.hpp"
#include "page/waves_recording.hpp"
#include "support/printable.hpp"

namespace salu {

struct PageRecorder::Parts {
  Parts(const Scenario& scenario, const PageOptions& options) : recording(scenario, options) {
    if (scenario.wave_count() > 1) several.emplace(scenario, options);
  }

  /// True if `run` recorded several waves.
  [[nodiscard]] bool has_several() const { return several && !several->waves().empty(); }

  page::Recording recording;                      ///< of a run of one wave
  std::optional<page::WavesRecording> several{};  ///< of a run of several
};

PageRecorder::PageRecorder(const Scenario& scenario, const PageOptions& options)
    : parts_(std::make_unique<Parts>(scenario, options)) {}
PageRecorder::~PageRecorder() = default;
PageRecorder::PageRecorder(PageRecorder&&) noexcept = default;
PageRecorder& PageRecorder::operator=(PageRecorder&&) noexcept = default;

Outcome PageRecorder::run(const RunOptions& options) {
  if (parts_->several) return parts_->several->run(options);
  RunOptions traced = options;
  traced.trace = [this](const TraceEvent& event) { add(event); };
  return salu::run(parts_->recording.scenario(), traced);
}

void PageRecorder::add(const TraceEvent& event) { parts_->recording.add(event); }

u64 PageRecorder::steps() const {
  return (parts_->has_several() ? parts_->several->shown().recording : parts_->recording).steps();
}

std::string PageRecorder::data(const Outcome& outcome, const std::vector<Mismatch>* mismatches) const {
  if (parts_->has_several()) return page::page_data(*parts_->several, outcome, mismatches);
  return page::page_data(parts_->recording, outcome, mismatches);
}

std::string PageRecorder::page(const Outcome& outcome, const std::vector<Mismatch>* mismatches) const {
  return page::assemble_page(parts_->recording.scenario().name, data(outcome, mismatches), parts_->has_several());
}

namespace page {
namespace {

struct Escape {
  char character;
  std::string_view text;
};

std::string escape(std::string_view text, std::span<const Escape> escapes) {
  std::string escaped;
  for (const char c : text) {
    std::string_view written(&c, 1);
    for (const Escape& rule : escapes) {
      if (rule.character == c) written = rule.text;
    }
    escaped += written;
  }
  return escaped;
}

}  // namespace

std::string escape_html(std::string_view text) {
  static constexpr std::array<Escape, 5> escapes = {
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};
  return escape(text, escapes);
}

std::string escape_json(std::string_view json) {
  static constexpr std::array<Escape, 3> escapes = {{{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}}};
  return escape(json, escapes);
}

std::string page_script(bool has_waves) {
  return fmt::format("{}\n{}{}\n{}\n{}\n{}", page_model_script(), has_waves ? page_waves_script() : "",
                     page_paths_script(), page_timelines_script(), page_views_script(), page_control_script());
}

std::string assemble_page(std::string_view title, std::string_view data, bool has_waves) {
  const std::array<std::pair<std::string_view, std::string>, 4> places = {{
      {"<!-- salu:title -->", escape_html(support::printable(title))},
      {"/* salu:style */", std::string(page_style()) + std::string(has_waves ? page_waves_style() : "")},
      {"<!-- salu:data -->", escape_json(data)},
      {"/* salu:script */", page_script(has_waves)},
  }};
  // One pass over the template: inserted text is not searched again.
  std::string page;
  std::string_view rest = page_template();
  for (const auto& [mark, contents] : places) {
    const std::size_t place = rest.find(mark);
    page += rest.substr(0, place);
    page += contents;
    rest = rest.substr(place + mark.size());
  }
  page += rest;
  return page;
}

}  // namespace page
}  // namespace salu
