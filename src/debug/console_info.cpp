#include <algorithm>
#include <array>

#include "debug/console.hpp"
#include "debug/console_text.hpp"
#include "debug/texts.hpp"
#include "isa/name_text.hpp"
#include "isa/operand.hpp"

// The topics of `info`.
namespace salu::debug {

std::span<const Console::InfoTopic> Console::info_topics() {
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"breakpoints", "", &Console::info_breakpoints},
      {"display", "", &Console::info_display},
      {"line", "[PLACE]", &Console::info_line},
      {"program", "", &Console::info_program},
      {"registers", "[NAME...]", &Console::info_registers},
      {"stack", "", &Console::info_stack},
      {"symbols", "", &Console::info_symbols},
      {"warnings", "", &Console::info_warnings},
      {"watchpoints", "", &Console::info_watchpoints},
  });
  return topics;
}

bool Console::info(std::string_view arguments) {
  const std::string_view what = take_word(arguments);
  for (const InfoTopic& topic : info_topics()) {
    if (what.empty() || !topic.name.starts_with(what)) continue;
    if (topic.arguments.empty() && !arguments.empty())
      return fail("`info " + std::string(topic.name) + "` takes nothing, found " + isa::quote(arguments));
    return (this->*topic.run)(arguments);
  }
  std::vector<std::string_view> names;
  for (const InfoTopic& topic : info_topics()) names.push_back(topic.name);
  return fail("`info` shows " + isa::name_list(names) + ", found " + isa::quote(what));
}

/// A value that is another than at the last stop stands out.
std::string Console::marked(const std::string& value, bool has_changed) const {
  return has_changed ? styled(value + "*", green) : value;
}

bool Console::info_registers(std::string_view names) {
  if (names.empty()) return print_all_registers();
  while (!names.empty()) {
    const std::string word(take_word(names));
    const Result<Expression> expression = session_.parse(word);
    if (!expression) return fail(expression.error());
    bool has_changed = false;
    for (const RegisterName& name : expression->registers())
      has_changed = has_changed || read_register(session_.machine().state(), name) != read_register(before_, name);
    line(word + "=" + marked(value_text(expression->evaluate(session_.machine()), expression->width()), has_changed));
  }
  return true;
}

bool Console::print_all_registers() {
  const Generation generation = session_.machine().generation();
  const WaveState state = session_.machine().state();
  constexpr u32 columns = 4;
  std::string row;
  u32 in_row = 0;
  for (u32 first = 0; first < state.sgprs; ++first) {
    if (!state.defined.test(first) && state.file[first] == 0) continue;
    std::string name = isa::register_name(generation, first, 1);
    name.resize(std::max<std::size_t>(name.size(), 4), ' ');
    const bool has_changed = state.file[first] != before_.file[first];
    row += "  " + name + marked(hex(state.file[first], 8), has_changed);
    if (++in_row % columns == 0) {
      line(row);
      row.clear();
    } else if (!has_changed) {
      row += ' ';
    }
  }
  if (!row.empty()) line(row.substr(0, row.find_last_not_of(' ') + 1));
  const auto all = [this](const std::string& value, bool has_changed) { return marked(value, has_changed); };
  line("  exec " + all(hex(state.exec(), 16), state.exec() != before_.exec()) + "   vcc " +
       all(hex(state.vcc(), 16), state.vcc() != before_.vcc()) + "   scc " +
       all(state.scc ? "1" : "0", state.scc != before_.scc) + "   m0 " +
       all(hex(state.file[code::m0], 8), state.file[code::m0] != before_.file[code::m0]));
  line("  pc " + hex(state.pc) + "   mode " + all(hex(state.mode, 8), state.mode != before_.mode) + " (csp " +
       std::to_string(state.csp()) + ", vskip " + std::to_string(state.mode >> mode_bit::vskip & 1) + ")   status " +
       all(hex(state.full_status(), 8), state.full_status() != before_.full_status()));
  return true;
}

bool Console::info_line(std::string_view arguments) {
  u64 address = here();
  if (!arguments.empty()) {
    const Result<std::vector<u64>> place = session_.find_place(arguments);
    if (!place) return fail(place.error());
    address = place->front();
  }
  const Program& program = session_.program();
  const LineEntry* const entry = program.find_line(address);
  if (entry == nullptr) return fail("no source line is known for " + place_text(address));
  // Of the instructions in a row that this line has, the first and what comes behind the last.
  const std::span<const LineEntry> lines = program.lines;
  const auto is_same = [&](const LineEntry& other) { return other.file == entry->file && other.line == entry->line; };
  auto first = static_cast<std::size_t>(entry - lines.data());
  while (first != 0 && is_same(lines[first - 1])) --first;
  auto last = static_cast<std::size_t>(entry - lines.data());
  while (last + 1 < lines.size() && is_same(lines[last + 1])) ++last;
  const CodeBlock* const block = program.find_block(address);
  u64 end = block == nullptr ? lines[last].address : block->end();
  if (last + 1 < lines.size()) end = std::min(end, lines[last + 1].address);
  line("Line " + std::to_string(entry->line) + " of " + program.files[entry->file] + " starts at " +
       place_text(lines[first].address) + " and ends before " + place_text(end));
  return true;
}

bool Console::info_symbols(std::string_view) {
  if (session_.program().symbols.empty()) line("The program has no labels and no symbols.");
  for (const Symbol& symbol : session_.program().symbols) line(hex(symbol.address) + "  " + symbol.name);
  return true;
}

bool Console::info_warnings(std::string_view) {
  if (session_.machine().warnings().empty()) line("There is no warning so far.");
  for (const Warning& warning : session_.machine().warnings())
    line(std::string(warning_kind_name(warning.kind)) + " at " + place_text(warning.pc) + ": " + warning.detail);
  return true;
}

bool Console::info_program(std::string_view) {
  const Timeline& timeline = session_.timeline();
  line(timeline.scenario().name + " on " + std::string(session_.program().target->name) + ", " +
       counted(timeline.position(), "instruction") + " executed, " + std::to_string(timeline.furthest()) +
       " at most so far");
  line("history: " + counted(timeline.checkpoint_count(), "checkpoint") + ", " +
       std::to_string((timeline.history_bytes() + 1023) / 1024) + " KiB");
  show_place();
  return true;
}

}  // namespace salu::debug
