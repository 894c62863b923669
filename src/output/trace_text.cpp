#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "observe/event_text.hpp"
#include "output/trace_formats.hpp"
#include "support/printable.hpp"

namespace salu::output {
namespace {

/// The step number at the start of a line: right-aligned up to 9,999,999, and two spaces. Incrementing the text is
/// faster than formatting it.
class StepColumn {
 public:
  StepColumn() { text_.fill(' '); }

  /// Valid until the next call.
  std::string_view of(u64 step) {
    const bool follows = step == step_ + 1;
    step_ = step;
    if (!follows || !count_on()) write();
    return std::string_view(text_.data(), text_.size()).substr(first_);
  }

 private:
  /// Returns false if another digit does not fit.
  bool count_on() {
    for (std::size_t i = end_of_digits; i-- > first_;) {
      char& digit = text_[i];
      if (digit != '9') {
        digit = digit == ' ' ? '1' : static_cast<char>(digit + 1);
        return true;
      }
      digit = '0';
    }
    return false;
  }

  void write() {
    std::array<char, end_of_digits> digits{};
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), step_).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    first_ = end_of_digits - std::max(count, width);
    text_.fill(' ');
    std::copy_n(digits.data(), count, text_.data() + end_of_digits - count);
  }

  static constexpr std::size_t width = 7;
  static constexpr std::size_t end_of_digits = 20;

  u64 step_ = 0;
  std::size_t first_ = end_of_digits - width;
  std::array<char, end_of_digits + 2> text_{};
};

class TextTrace : public TraceOutput {
 public:
  TextTrace(support::TextBuffer& text, const TraceOptions& options)
      : text_(text), words_(options.words), titles_(options.titles) {}

  void begin(const Scenario& scenario) override {
    scenario_ = &scenario;
    line_ = nullptr;
    if (!titles_) return;
    if (!first_) text_.append('\n');
    first_ = false;
    text_.append("; ");
    text_.append(support::printable(scenario.name));
    text_.append(" on ");
    text_.append(scenario.program.target->name);
    text_.append('\n');
  }

  /// `      1  0x1000: s_add_u32 s0, s1, s2    s1=0x7 s2=0x3 -> s0=0xa scc=0  ; note`, with the number of the wave,
  /// `w3`, before the address if there are several.
  u64 see(const TraceEvent& event, Shown shown) override {
    if (shown != Shown::all) return 0;
    if (!scenario_->program.lines.empty()) add_source_line(event.pc);
    text_.append(step_column_.of(event.step));
    if (scenario_->waves != nullptr && scenario_->waves->count > 1) add_wave(event.wave);
    const std::size_t start = text_.size();
    text_.append_hex(event.pc);
    text_.append(": ");
    std::size_t column = start + text_column;
    if (words_) {
      const std::size_t end = text_.size() + words_width;
      for (const u32 word : event.words) {
        text_.append_digits(word);
        text_.append(' ');
      }
      text_.pad_to(end);
      column += words_width;
    }
    text_.append(instruction_text(event));
    const std::string note = note_text(event);
    const bool has_writes = observe::EventText::has_writes(event);
    const bool has_reads = observe::EventText::has_reads(event);
    if (has_reads || has_writes || !note.empty()) text_.pad_to(std::max(text_.size() + 2, column));
    event_text_.append_reads(text_, event);
    if (has_writes) {
      text_.append(has_reads ? " -> " : "-> ");
      event_text_.append_writes(text_, event);
    }
    if (!note.empty()) {
      text_.append("  ; ");
      text_.append(note);
    }
    text_.append('\n');
    return 1;
  }

  void end(const Outcome&, const TraceCut& cut) override {
    if (!cut.is_cut()) return;
    text_.append("; ");
    text_.append(cut.to_string());
    text_.append('\n');
  }

 private:
  static constexpr std::size_t text_column = 48;  ///< from the address on
  static constexpr std::size_t words_width = 19;
  static constexpr std::size_t wave_width = 5;

  /// `w3  `, the number of the wave.
  void add_wave(u64 wave) {
    const std::size_t end = text_.size() + wave_width;
    text_.append('w');
    text_.append_number(wave);
    text_.pad_to(std::max(text_.size() + 1, end));
  }

  /// `// dot.c:12`, at changes of the source line. Omitted for assembly in the scenario itself, whose text is the
  /// instruction.
  void add_source_line(u64 address) {
    const Program& program = scenario_->program;
    const LineEntry* const entry = program.find_line(address);
    if (entry == nullptr) return;
    const bool is_new = line_ == nullptr || line_->file != entry->file || line_->line != entry->line;
    line_ = entry;
    if (!is_new || program.files[entry->file] == scenario_->file) return;
    text_.append("// ");
    text_.append(support::printable(program.files[entry->file]));
    text_.append(':');
    text_.append_number(entry->line);
    text_.append('\n');
  }

  support::TextBuffer& text_;
  observe::EventText event_text_;
  StepColumn step_column_;
  bool words_;
  bool titles_;
  bool first_ = true;
  const Scenario* scenario_ = nullptr;
  const LineEntry* line_ = nullptr;  ///< of the line before
};

}  // namespace

std::unique_ptr<TraceOutput> text_trace(support::TextBuffer& text, const TraceOptions& options) {
  return std::make_unique<TextTrace>(text, options);
}

}  // namespace salu::output
