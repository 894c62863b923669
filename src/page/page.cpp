#include <salu/page.hpp>

#include <fmt/core.h>

#include <array>
#include <utility>

#include "page/page_data.hpp"
#include "page/page_files.hpp"
#include "page/recording.hpp"
#include "support/printable.hpp"

namespace salu {

struct PageRecorder::Parts {
  page::Recording recording;
};

PageRecorder::PageRecorder(const Scenario& scenario, const PageOptions& options)
    : parts_(std::make_unique<Parts>(Parts{page::Recording(scenario, options)})) {}
PageRecorder::~PageRecorder() = default;
PageRecorder::PageRecorder(PageRecorder&&) noexcept = default;
PageRecorder& PageRecorder::operator=(PageRecorder&&) noexcept = default;

void PageRecorder::add(const TraceEvent& event) { parts_->recording.add(event); }

std::string PageRecorder::data(const Outcome& outcome, const std::vector<Mismatch>* mismatches) const {
  return page::page_data(parts_->recording, outcome, mismatches);
}

std::string PageRecorder::page(const Outcome& outcome, const std::vector<Mismatch>* mismatches) const {
  return page::assemble_page(parts_->recording.scenario().name, data(outcome, mismatches));
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

std::string page_script() {
  return fmt::format("{}\n{}\n{}\n{}\n{}", page_model_script(), page_paths_script(), page_timelines_script(),
                     page_views_script(), page_control_script());
}

std::string assemble_page(std::string_view title, std::string_view data) {
  const std::array<std::pair<std::string_view, std::string>, 4> places = {{
      {"<!-- salu:title -->", escape_html(support::printable(title))},
      {"/* salu:style */", std::string(page_style())},
      {"<!-- salu:data -->", escape_json(data)},
      {"/* salu:script */", page_script()},
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
