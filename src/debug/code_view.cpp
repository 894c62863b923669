#include "debug/code_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "loader/yaml/named_file.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

/// The addresses of instructions in a code block, from some instructions before `address` on. Decoding starts at the
/// last label, to distinguish instructions from second dwords.
std::vector<u64> find_instructions(const Session& session, const CodeBlock& block, u64 address, u64 in_front) {
  u64 from = block.base;
  for (const Symbol& symbol : session.program().symbols) {
    if (symbol.address <= address && block.contains(symbol.address)) from = std::max(from, symbol.address);
  }
  if (address - from < in_front * 4) from = block.base;
  std::vector<u64> addresses;
  for (u64 at = from; at < block.end(); at += u64{session.machine().code().instruction_at(at)->dwords} * 4)
    addresses.push_back(at);
  return addresses;
}

}  // namespace

bool list_lines(ConsoleContext& console, u32 file, u64 first, u64 last, std::optional<u64> wanted) {
  const Session& session = console.session;
  const std::string& name = session.program().files[file];
  const Scenario& scenario = session.scenario();
  if (scenario.root && name != scenario.file && !loader::lies_in(name, *scenario.root))
    return console.out.fail(fmt::format("the source file `{}` is outside of {}", name, *scenario.root));
  const std::vector<std::string>* const lines = console.listing.files.find(name);
  if (lines == nullptr)
    return console.out.fail("cannot read the source file `" + name + "`; `disassemble` shows the instructions");
  first = std::max<u64>(first, 1);
  if (first > lines->size()) {
    return console.out.fail(
        fmt::format("`{}` has {}: no line {}", name, support::counted(lines->size(), "line"), wanted.value_or(first)));
  }
  last = std::min<u64>(last, lines->size());
  const LineEntry* const here = session.wave_ended() ? nullptr : session.program().find_line(session.address());
  const std::size_t digits = std::to_string(last).size();
  for (u64 number = first; number <= last; ++number) {
    const bool is_next = here != nullptr && here->file == file && here->line == number;
    std::string text = std::to_string(number);
    text.insert(0, digits - text.size(), ' ');
    text = fmt::format("{}{}  {}", is_next ? "=> " : "   ", text, (*lines)[static_cast<std::size_t>(number - 1)]);
    console.out.line(is_next ? console.out.styled(text, style::yellow) : text);
  }
  console.listing.lines = {file, first, last};
  return true;
}

bool list_around(ConsoleContext& console, std::string_view place) {
  constexpr u64 before = 5;
  constexpr u64 after = 4;
  const Session& session = console.session;
  u64 address = session.address();
  const auto number = place.starts_with("0x") ? std::nullopt : support::parse_unsigned(place);
  if (!place.empty() && !number) {
    const Result<std::vector<u64>> found = session.find_place(place);
    if (!found) return console.out.fail(found.error());
    address = found->front();
  }
  const LineEntry* const entry = session.program().find_line(address);
  if (entry == nullptr) {
    return console.out.fail("no source line is known for " + address_text(session.program(), address) +
                            "; `disassemble` shows the instructions");
  }
  const u64 middle = number ? *number : entry->line;
  return list_lines(console, entry->file, middle > before ? middle - before : 1,
                    middle + std::min(after, ~u64{0} - middle), number);
}

void print_instruction(const ConsoleContext& console, u64 address) {
  const Session& session = console.session;
  const bool is_next = !session.wave_ended() && session.address() == address;
  const bool has_breakpoint = std::ranges::any_of(session.breakpoints(), [&](const Breakpoint& each) {
    return std::ranges::binary_search(each.addresses, address);
  });
  const std::string label = session.program().describe_address(address);
  if (!label.empty() && label.find('+') == std::string::npos) console.out.line(label + ":");
  const std::string text =
      fmt::format("{}{} {}  {}{}", is_next ? "=>" : "  ", has_breakpoint ? "*" : " ", support::hex(address),
                  session.machine().code().text_at(address), source_note(session.program(), address));
  console.out.line(is_next ? console.out.styled(text, style::yellow) : text);
}

bool disassemble(const ConsoleContext& console, u64 address, u64 in_front, u64 count) {
  const Session& session = console.session;
  const CodeBlock* const block = session.program().find_block(address);
  if (block == nullptr) return console.out.fail("no code at " + support::hex(address));
  const std::vector<u64> addresses = find_instructions(session, *block, address, in_front);
  const auto found = static_cast<std::size_t>(std::ranges::lower_bound(addresses, address) - addresses.begin());
  const std::size_t first = found - std::min<std::size_t>(found, in_front);
  for (std::size_t i = first; i < addresses.size() && i - first < count; ++i) print_instruction(console, addresses[i]);
  return true;
}

}  // namespace salu::debug
