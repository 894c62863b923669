#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "output/fidelity_report.hpp"
#include "output/formats.hpp"
#include "output/state_list.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::output {
namespace {

constexpr std::size_t sgprs_per_row = 4;
constexpr std::size_t words_per_row = 4;
constexpr std::size_t most_memory_rows = 64;
constexpr std::size_t label_width = 14;

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

class TextReport {
 public:
  TextReport(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches,
             const ReportOptions& options)
      : scenario_(scenario), outcome_(outcome), mismatches_(mismatches), options_(options) {}

  std::string write() {
    add_stop();
    add_warnings();
    text_ += '\n';
    add_rows("s", list_sgprs(scenario_, outcome_.state));
    add_specials();
    add_rows("ttmp", list_ttmps(scenario_, outcome_.state));
    for (const ListedRegister& listed : list_hwregs(scenario_, outcome_.state)) {
      if (options_.all_registers || listed.changed) add_special(listed);
    }
    add_vectors();
    add_memory();
    if (any_changed_) text_ += "\n  * changed by the program\n";
    add_expectations();
    return std::move(text_);
  }

 private:
  enum class Style : u8 { good, bad, notice, changed, faint };

  [[nodiscard]] std::string styled(Style style, const std::string& text) const {
    namespace style_code = support::style;
    static constexpr std::array<std::string_view, 5> codes = {
        style_code::bold_green, style_code::bold_red, style_code::bold_yellow, style_code::bold, style_code::faint};
    if (!options_.colour) return text;
    return std::string(codes[static_cast<std::size_t>(style)]) + text + std::string(support::style::plain);
  }

  void add_stop() {
    const Stop& stop = outcome_.stop;
    const Style style = is_regular_end(stop.reason) ? Style::good : is_fault(stop.reason) ? Style::bad : Style::notice;
    text_ += fmt::format("{} on {}: {} at ", support::printable(scenario_.name), scenario_.program.target->name,
                         styled(style, std::string(stop.reason_name())));
    // The code after a function may be unrelated.
    const bool is_inside = stop.reason != StopReason::returned;
    text_ += is_inside ? scenario_.program.describe_place(stop.pc) : support::hex(stop.pc);
    text_ += " after " + support::counted(outcome_.steps, "step");
    if (is_inside && !stop.instruction.empty()) text_ += ": " + stop.instruction;
    text_ += '\n';
    if (!stop.detail.empty()) text_ += "  " + stop.detail + "\n";
    if (outcome_.skipped_vector != 0) {
      text_ += fmt::format("  {} skipped\n", support::counted(outcome_.skipped_vector, "vector instruction"));
    }
    if (outcome_.fidelity) text_ += fidelity_text(scenario_.program, *outcome_.fidelity);
  }

  void add_warnings() {
    for (const Warning& warning : outcome_.warnings) {
      const std::string name = warning.hazard
                                   ? fmt::format("{} {}", warning_kind_name(warning.kind), warning.hazard->id)
                                   : std::string(warning_kind_name(warning.kind));
      text_ += fmt::format("{}: {} at {}", styled(Style::notice, warning.is_info() ? "info" : "warning"), name,
                           scenario_.program.describe_place(warning.pc));
      if (!warning.instruction.empty()) text_ += ": " + warning.instruction;
      text_ += '\n';
      if (!warning.detail.empty()) text_ += "  " + warning.detail + "\n";
    }
  }

  /// A value, with a mark if the program changed it; a dash if it was never written.
  std::string cell(const ListedRegister& listed, std::size_t width) {
    any_changed_ = any_changed_ || listed.changed;
    if (listed.definition == Definition::none && listed.value == 0) return styled(Style::faint, padded("-", width));
    const std::string text = padded(value_text(listed) + (listed.changed ? "*" : ""), width);
    return listed.changed ? styled(Style::changed, text) : text;
  }

  void end_line() {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    text_ += '\n';
  }

  /// Rows of numbered registers, without rows of unwritten ones.
  void add_rows(const std::string& prefix, const std::vector<ListedRegister>& list) {
    constexpr std::size_t cell_width = 13;
    for (std::size_t row = 0; row < list.size(); row += sgprs_per_row) {
      const std::size_t count = std::min(sgprs_per_row, list.size() - row);
      const auto first = list.begin() + static_cast<std::ptrdiff_t>(row);
      const bool any = std::any_of(first, first + static_cast<std::ptrdiff_t>(count),
                                   [](const ListedRegister& listed) { return listed.is_touched(); });
      if (!any && !options_.all_registers) continue;
      const std::string label = fmt::format("{}[{}:{}]", prefix, row, row + count - 1);
      text_ += "  " + padded(label, label_width);
      for (std::size_t i = 0; i < count; ++i) text_ += cell(list[row + i], cell_width);
      end_line();
    }
  }

  void add_special(const ListedRegister& listed) {
    text_ += "  " + padded(listed.name, label_width) + cell(listed, 0);
    end_line();
  }

  void add_specials() {
    // The live bits of STATUS repeat SCC, EXEC and VCC.
    const bool status_is_plain = outcome_.state.status == 0 && scenario_.initial.status == 0;
    for (ListedRegister listed : list_specials(scenario_, outcome_.state)) {
      if (listed.name == "pc") listed.changed = false;
      if (listed.name == "status" && status_is_plain && !options_.all_registers) continue;
      static constexpr std::array<std::string_view, 4> always_shown = {"exec", "vcc", "scc", "pc"};
      const bool shown = std::ranges::find(always_shown, listed.name) != always_shown.end();
      if (options_.all_registers || shown || listed.is_touched()) add_special(listed);
    }
  }

  /// One line each, or all lanes with --all.
  void add_vectors() {
    constexpr u32 cell_width = 13;
    constexpr auto lanes_per_row = static_cast<u32>(sgprs_per_row);
    for (const ListedVector& vector : list_vectors(scenario_, outcome_.state)) {
      const auto lane = [&](u32 number, u32 width) {
        const bool is_defined = (vector.defined >> number & 1) != 0;
        ListedRegister listed{{},
                              RegisterName::in_lane(0, number),
                              vector.lanes[number],
                              is_defined ? Definition::all : Definition::none,
                              vector.changed};
        return cell(listed, width);
      };
      if (!options_.all_registers) {
        text_ += "  " + padded(vector.name, label_width);
        if (vector.is_uniform()) {
          text_ += lane(0, 0) + " in all lanes";
        } else {
          for (u32 i = 0; i < lanes_per_row; ++i) text_ += lane(i, cell_width);
          text_ += "...";
        }
        end_line();
        continue;
      }
      for (u32 row = 0; row < outcome_.state.wave_size; row += lanes_per_row) {
        text_ += "  " + padded(fmt::format("{}[{}:{}]", vector.name, row, row + lanes_per_row - 1), label_width);
        for (u32 i = 0; i < lanes_per_row; ++i) text_ += lane(row + i, cell_width);
        end_line();
      }
    }
  }

  void add_memory() {
    const std::vector<MemoryRun> runs = changed_memory(scenario_.memory, outcome_.memory);
    if (runs.empty()) return;
    text_ += "\nmemory written:\n";
    // Addresses of shared memory and apertures are long.
    const std::size_t width = std::max(label_width, support::hex(runs.back().address).size() + 2);
    std::size_t rows = 0;
    for (const MemoryRun& run : runs) {
      for (std::size_t i = 0; i < run.words.size(); i += words_per_row) {
        if (++rows > most_memory_rows) {
          text_ += "  ... and more\n";
          return;
        }
        text_ += "  " + padded(support::hex(run.address + i * 4), width);
        for (std::size_t k = i; k < std::min(i + words_per_row, run.words.size()); ++k) {
          text_ += padded(support::hex(run.words[k], 8), 12);
        }
        end_line();
      }
    }
  }

  void add_expectations() {
    if (mismatches_ == nullptr || !scenario_.expect) return;
    if (mismatches_->empty()) {
      text_ += styled(Style::good, "expectations hold") + "\n";
      return;
    }
    for (const Mismatch& mismatch : *mismatches_) {
      text_ += styled(Style::bad, "expectation failed") + ": " + mismatch.text();
      if (mismatch.where.line != 0) text_ += fmt::format(" ({}:{})", mismatch.where.file, mismatch.where.line);
      text_ += '\n';
    }
  }

  const Scenario& scenario_;
  const Outcome& outcome_;
  const std::vector<Mismatch>* mismatches_;
  const ReportOptions& options_;
  std::string text_;
  bool any_changed_ = false;
};

}  // namespace

std::string text_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches,
                        const ReportOptions& options) {
  return TextReport(scenario, outcome, mismatches, options).write();
}

}  // namespace salu::output
