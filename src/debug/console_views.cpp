#include <algorithm>

#include "debug/console.hpp"
#include "debug/console_text.hpp"
#include "support/names.hpp"

// The program: instructions, source lines, calls.
namespace salu::debug {

void Console::print_instruction(u64 address) {
  const bool is_next = !session_.timeline().ended() && session_.machine().pc() == address;
  const bool has_breakpoint = std::ranges::any_of(session_.breakpoints(), [&](const Breakpoint& each) {
    return std::ranges::binary_search(each.addresses, address);
  });
  const std::string label = session_.program().describe_address(address);
  if (!label.empty() && label.find('+') == std::string::npos) line(label + ":");
  const std::string text = std::string(is_next ? "=>" : "  ") + (has_breakpoint ? "*" : " ") + " " + hex(address) +
                           "  " + session_.machine().text_at(address) + source_text(address);
  line(is_next ? styled(text, yellow) : text);
}

bool Console::disassemble(std::string_view arguments) {
  const core::Machine& machine = session_.machine();
  u64 start = here();
  u64 count = 11;
  const bool is_around = arguments.empty();
  if (!is_around) {
    const Result<std::vector<u64>> place = session_.find_place(take_word(arguments));
    if (!place) return fail(place.error());
    start = place->front();
    if (!arguments.empty()) {
      const auto number = parse_unsigned(arguments);
      if (!number || *number == 0) return fail("expected a count from 1 on, found " + support::quote(arguments));
      count = *number;
    }
  }
  const CodeBlock* const block = session_.program().find_block(start);
  if (block == nullptr) return fail("there is no code at " + hex(start));
  // What is an instruction and what its second dword is known from the last label on.
  u64 from = block->base;
  for (const Symbol& symbol : session_.program().symbols) {
    if (symbol.address <= start && block->contains(symbol.address)) from = std::max(from, symbol.address);
  }
  if (is_around && start - from < 5 * 4) from = block->base;
  std::vector<u64> addresses;
  for (u64 address = from; address < block->end();) {
    addresses.push_back(address);
    address += u64{machine.instruction_at(address)->dwords} * 4;
  }
  const auto here = std::ranges::lower_bound(addresses, start) - addresses.begin();
  const std::size_t first =
      is_around ? static_cast<std::size_t>(std::max<std::ptrdiff_t>(here - 5, 0)) : static_cast<std::size_t>(here);
  for (std::size_t i = first; i < addresses.size() && i - first < count; ++i) print_instruction(addresses[i]);
  return true;
}

bool Console::backtrace(std::string_view) {
  const u64 pc = here();
  u64 number = 0;
  line("#0  " + place_text(pc) + source_text(pc));
  constexpr u64 most = 100;
  for (const Frame* frame = session_.timeline().calls().top(); frame != nullptr; frame = frame->outer.get()) {
    if (++number == most) {
      line("... and " + std::to_string(frame->depth) + " more");
      break;
    }
    line("#" + std::to_string(number) + "  " + place_text(frame->call_pc) + ", to return to " +
         hex(frame->return_address) + ", called at position " + std::to_string(frame->position) +
         source_text(frame->call_pc));
  }
  return true;
}

bool Console::list_lines(u32 file, u64 first, u64 last) {
  const std::string& name = session_.program().files[file];
  const std::vector<std::string>* const lines = sources_.find(name);
  if (lines == nullptr) return fail("cannot read the source file `" + name + "`; `disassemble` shows the instructions");
  first = std::max<u64>(first, 1);
  if (first > lines->size())
    return fail("`" + name + "` has " + counted(lines->size(), "line") + ": there is no line " + std::to_string(first));
  last = std::min<u64>(last, lines->size());
  const LineEntry* const here =
      session_.timeline().ended() ? nullptr : session_.program().find_line(session_.machine().pc());
  const std::size_t digits = std::to_string(last).size();
  for (u64 number = first; number <= last; ++number) {
    const bool is_next = here != nullptr && here->file == file && here->line == number;
    std::string text = std::to_string(number);
    text.insert(0, digits - text.size(), ' ');
    text = (is_next ? "=> " : "   ") + text + "  " + (*lines)[static_cast<std::size_t>(number - 1)];
    line(is_next ? styled(text, yellow) : text);
  }
  listed_ = Listed{file, first, last};
  return true;
}

/// The lines around a place, or around a line that no instruction comes from.
bool Console::list_at(std::string_view place) {
  constexpr u64 before = 5;
  constexpr u64 after = 4;
  u64 address = here();
  const auto number = place.starts_with("0x") ? std::nullopt : parse_unsigned(place);
  if (!place.empty() && !number) {
    const Result<std::vector<u64>> found = session_.find_place(place);
    if (!found) return fail(found.error());
    address = found->front();
  }
  const LineEntry* const entry = session_.program().find_line(address);
  if (entry == nullptr)
    return fail("no source line is known for " + place_text(address) + "; `disassemble` shows the instructions");
  const u64 middle = number ? *number : entry->line;
  return list_lines(entry->file, middle > before ? middle - before : 1, middle + std::min(after, ~u64{0} - middle));
}

bool Console::list(std::string_view arguments) {
  constexpr u64 count = 10;
  if (arguments == "-") {
    if (!listed_) return fail("nothing has been listed here yet: `list` shows the lines around the PC");
    const u64 first = listed_->first;
    if (first == 1) return fail("line 1 has been listed: there is nothing before it");
    return list_lines(listed_->file, first > count ? first - count : 1, first - 1);
  }
  if (listed_ && (arguments.empty() || is_repeated_))
    return list_lines(listed_->file, listed_->last + 1, listed_->last + count);
  const std::size_t comma = arguments.find(',');
  if (comma == std::string_view::npos) return list_at(arguments);
  const auto first = parse_unsigned(trim(arguments.substr(0, comma)));
  const auto last = parse_unsigned(trim(arguments.substr(comma + 1)));
  if (!first || !last || *first == 0 || *last < *first)
    return fail("expected FIRST,LAST as in `list 5,9`, found " + support::quote(arguments));
  const LineEntry* const entry = session_.program().find_line(here());
  if (entry == nullptr && !listed_) return fail("no source line is known here; `disassemble` shows the instructions");
  return list_lines(listed_ ? listed_->file : entry->file, *first, *last);
}

}  // namespace salu::debug
