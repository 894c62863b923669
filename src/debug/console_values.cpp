#include <algorithm>
#include <array>
#include <bit>

#include "debug/console.hpp"
#include "debug/console_text.hpp"
#include "debug/texts.hpp"
#include "support/names.hpp"

// Expressions and memory.
namespace salu::debug {

namespace {

/// The width to show an expression with; one that was computed has as many digits as it needs.
u32 shown_width(const Expression& expression) {
  return expression.width() == 64 && !expression.is_register() ? 0 : expression.width();
}

}  // namespace

/// The format at the beginning of the arguments, if there is one. An error has been printed when this is nothing.
std::optional<ValueFormat> Console::take_format(std::string_view& arguments) {
  if (!arguments.starts_with('/')) return ValueFormat{};
  std::string problem;
  const std::optional<ValueFormat> format = parse_format(take_word(arguments).substr(1), problem);
  if (!format) fail(problem);
  return format;
}

/// An expression whose memory is there.
Result<Expression> Console::parse_readable(std::string_view text) {
  Result<Expression> expression = session_.parse(text);
  if (!expression) {
    Error error = expression.error();
    if (error.where.column != 0) error.message += " (column " + std::to_string(error.where.column) + ")";
    return error;
  }
  const std::optional<u64> unmapped = expression->find_unmapped(session_.machine());
  if (unmapped) return Error{ErrorCode::usage, {}, "the memory at " + hex(*unmapped) + " is not mapped", {}};
  return expression;
}

std::string Console::formatted(const Value& value, u32 width, const ValueFormat& format) const {
  if (format.letter == 0) {
    std::string text = value_text(value, width);
    if (!value.is_signed && value.bits > 9) text += " (" + std::to_string(value.bits) + ")";
    const std::string symbol = session_.program().describe_address(value.bits);
    return symbol.empty() ? text : text + " <" + symbol + ">";
  }
  if (format.letter == 'a') return place_text(value.bits);
  return format_value(value.bits, width == 0 ? 64 : width, format.letter);
}

bool Console::print_value(std::string_view arguments) {
  const std::optional<ValueFormat> format = take_format(arguments);
  if (!format) return false;
  if (format->count != 1 || format->size_bytes != 0 || format->letter == 'i')
    return fail("`print` takes a letter alone, as in print/x; `x` shows memory and instructions");
  const Result<Expression> expression = parse_readable(arguments);
  if (!expression) return fail(expression.error());
  line(std::string(trim(arguments)) + " = " +
       formatted(expression->evaluate(session_.machine()), shown_width(*expression), *format));
  return true;
}

void Console::show_display(const Display& display) {
  const core::Machine& machine = session_.machine();
  const std::string letter = display.format.letter == 0 ? "" : "/" + std::string(1, display.format.letter) + " ";
  const std::optional<u64> unmapped = display.expression.find_unmapped(machine);
  line(std::to_string(display.id) + ": " + letter + display.expression.text() + " = " +
       (unmapped ? "the memory at " + hex(*unmapped) + " is not mapped"
                 : formatted(display.expression.evaluate(machine), shown_width(display.expression), display.format)));
}

bool Console::display(std::string_view arguments) {
  const std::optional<ValueFormat> format = take_format(arguments);
  if (!format) return false;
  if (arguments.empty()) {
    for (const Display& each : displays_) show_display(each);
    return true;
  }
  if (format->count != 1 || format->size_bytes != 0 || format->letter == 'i')
    return fail("`display` takes a letter alone, as in display/x; `x` shows memory and instructions");
  Result<Expression> expression = session_.parse(arguments);
  if (!expression) return fail(expression.error());
  displays_.push_back({next_display_++, *std::move(expression), *format});
  show_display(displays_.back());
  return true;
}

bool Console::undisplay(std::string_view arguments) {
  if (arguments.empty()) displays_.clear();
  while (!arguments.empty()) {
    const std::string_view word = take_word(arguments);
    const auto id = parse_unsigned(word);
    if (std::erase_if(displays_, [&](const Display& each) { return each.id == id; }) == 0)
      return fail("there is no display " + support::quote(word));
  }
  return true;
}

bool Console::info_display(std::string_view) {
  if (displays_.empty()) line("Nothing is displayed.");
  for (const Display& each : displays_) {
    line(std::to_string(each.id) + ": " +
         (each.format.letter == 0 ? "" : "/" + std::string(1, each.format.letter) + " ") + each.expression.text());
  }
  return true;
}

bool Console::examine(std::string_view arguments) {
  std::optional<ValueFormat> format = take_format(arguments);
  if (!format) return false;
  constexpr u64 most = 4096;
  if (format->count > most)
    return fail("expected a count of at most " + std::to_string(most) + ", found " + std::to_string(format->count));
  const bool goes_on = arguments.empty() || (is_repeated_ && examined_);
  if (goes_on && !examined_) return fail("expected an address, as in `x/4xw 0x1000`");
  u64 address = goes_on ? examined_->next : 0;
  if (goes_on && (is_repeated_ || format->letter == 0)) format->letter = examined_->format.letter;
  if (goes_on && (is_repeated_ || format->size_bytes == 0)) format->size_bytes = examined_->format.size_bytes;
  if (!goes_on) {
    const Result<Expression> expression = parse_readable(arguments);
    if (!expression) return fail(expression.error());
    address = expression->evaluate(session_.machine()).bits;
  }
  if (format->letter == 0) format->letter = 'z';
  if (format->letter == 'i') return examine_instructions(address, format->count);
  if (format->size_bytes == 0) format->size_bytes = format->letter == 'a' ? 8 : format->letter == 'c' ? 1 : 4;
  return examine_memory(address, *format);
}

bool Console::examine_memory(u64 address, const ValueFormat& format) {
  const Memory& memory = session_.machine().memory_now();
  const u64 in_row = format.letter == 't' || format.letter == 'a' || format.size_bytes == 8 ? 2
                     : format.size_bytes == 4                                               ? 4
                                                                                            : 8;
  std::string row;
  for (u64 i = 0; i < format.count; ++i) {
    const u64 at = address + i * format.size_bytes;
    // Nothing lies behind the end of the address space.
    const bool is_there = at >= address && memory.is_mapped(at, format.size_bytes);
    if ((i % in_row == 0 || !is_there) && !row.empty()) {
      line(row);
      row.clear();
    }
    if (!is_there) return fail("the memory at " + hex(at) + " is not mapped");
    if (i % in_row == 0) row = place_text(at) + ":";
    std::array<u8, 8> bytes{};
    memory.read(at, std::span(bytes).first(format.size_bytes));
    const auto value = std::bit_cast<u64>(bytes);
    const u32 width = format.size_bytes * 8;
    const char letter = format.letter == 'x' ? 'z' : format.letter;
    std::string text = letter == 'a' ? place_text(value) : format_value(value, width, letter);
    if (letter == 't') text.insert(0, width - text.size(), '0');
    row += " " + text;
    examined_ = Examined{at + format.size_bytes, format};
  }
  line(row);
  return true;
}

bool Console::examine_instructions(u64 address, u64 count) {
  const core::Machine& machine = session_.machine();
  for (u64 i = 0; i < count; ++i) {
    const CodeBlock* const block = session_.program().find_block(address);
    const auto instruction = machine.instruction_at(address);
    if (block == nullptr || !instruction || address % 4 != 0) return fail("there is no instruction at " + hex(address));
    print_instruction(address);
    address += u64{instruction->dwords} * 4;
    examined_ = Examined{address, {count, 'i', 4}};
  }
  return true;
}

bool Console::set(std::string_view arguments) {
  const std::size_t equals = arguments.find('=');
  if (equals == std::string_view::npos) return fail("expected PLACE = VALUE, as in `set s0 = 7`");
  const u64 forgotten = session_.timeline().furthest() - session_.timeline().position();
  const Result<Value> value = session_.set(trim(arguments.substr(0, equals)), trim(arguments.substr(equals + 1)));
  if (!value) return fail(value.error());
  forget_explained();
  if (forgotten != 0) line("The " + counted(forgotten, "instruction") + " that came behind this are forgotten.");
  show_changes();
  return true;
}

}  // namespace salu::debug
