#include "debug/memory_view.hpp"

#include <array>
#include <bit>
#include <span>
#include <string>

#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

u64 values_in_row(const ValueFormat& format) {
  if (format.letter == 't' || format.letter == 'a' || format.size_bytes == 8) return 2;
  return format.size_bytes == 4 ? 4 : 8;
}

}  // namespace

bool examine_memory(ConsoleContext& console, u64 address, const ValueFormat& format) {
  const Program& program = console.session.program();
  const Memory& memory = console.session.machine().memory_now();
  std::string row;
  for (u64 i = 0; i < format.count; ++i) {
    const u64 at = address + i * format.size_bytes;
    // The address space has ended.
    const bool is_there = at >= address && memory.is_mapped(at, format.size_bytes);
    const bool begins_row = i % values_in_row(format) == 0;
    if ((begins_row || !is_there) && !row.empty()) {
      console.out.line(row);
      row.clear();
    }
    if (!is_there) return console.out.fail("the memory at " + support::hex(at) + " is not mapped");
    if (begins_row) row = address_text(program, at) + ":";
    std::array<u8, 8> bytes{};
    memory.read(at, std::span(bytes).first(format.size_bytes));
    const auto value = std::bit_cast<u64>(bytes);
    const u32 width = format.size_bytes * 8;
    const char letter = format.letter == 'x' ? 'z' : format.letter;
    std::string text = letter == 'a' ? address_text(program, value) : format_value(value, width, letter);
    if (letter == 't') text.insert(0, width - text.size(), '0');
    row += " " + text;
    console.examined.last = {at + format.size_bytes, format};
  }
  console.out.line(row);
  return true;
}

bool examine_instructions(ConsoleContext& console, u64 address, u64 count) {
  for (u64 i = 0; i < count; ++i) {
    const CodeBlock* const block = console.session.program().find_block(address);
    const auto instruction = console.session.machine().code().instruction_at(address);
    if (block == nullptr || !instruction || address % 4 != 0)
      return console.out.fail("no instruction at " + support::hex(address));
    print_instruction(console, address);
    address += u64{instruction->dwords} * 4;
    console.examined.last = {address, {count, 'i', 4}};
  }
  return true;
}

}  // namespace salu::debug
