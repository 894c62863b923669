#include "debug/console.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "debug/console_text.hpp"
#include "isa/operand.hpp"

namespace salu::debug {

using core::hex;

bool Console::info(std::string_view arguments) {
  const std::string_view what = take_word(arguments);
  const auto is = [what](std::string_view name) { return !what.empty() && name.starts_with(what); };
  if (is("breakpoints")) return info_breakpoints();
  if (is("registers")) return info_registers(arguments);
  if (is("stack")) return info_stack();
  if (is("symbols")) return info_symbols();
  if (is("warnings")) return info_warnings();
  if (is("program")) return info_program();
  return fail("expected breakpoints, registers, stack, symbols, warnings or program, found `" + std::string(what) +
              "`");
}

bool Console::info_registers(std::string_view names) {
  const core::Machine& machine = session_.machine();
  const Generation generation = machine.generation();
  if (!names.empty()) {
    while (!names.empty()) {
      const std::string word(take_word(names));
      const Result<Expression> expression = session_.parse(word);
      if (!expression) return fail(expression.error());
      line(word + "=" + value_text(expression->evaluate(machine), expression->width()));
    }
    return true;
  }
  const WaveState state = machine.state();
  std::string row;
  u32 in_row = 0;
  for (u32 first = 0; first < std::min(state.sgprs, code::flat_scratch); ++first) {
    if (!state.defined.test(first) && state.file[first] == 0) continue;
    std::string name = isa::register_name(generation, first, 1);
    name.resize(std::max<std::size_t>(name.size(), 4), ' ');
    row += (row.empty() ? "  " : "   ") + name + hex(state.file[first], 8);
    if (++in_row % 4 == 0) {
      line(row);
      row.clear();
    }
  }
  if (!row.empty()) line(row);
  line("  exec " + hex(state.exec(), 16) + "   vcc " + hex(state.vcc(), 16) + "   scc " + (state.scc ? "1" : "0") +
       "   m0 " + hex(state.file[code::m0], 8));
  line("  pc " + hex(state.pc) + "   mode " + hex(state.mode, 8) + " (csp " + std::to_string(state.csp()) + ", vskip " +
       std::to_string(state.mode >> mode_bit::vskip & 1) + ")   status " + hex(state.full_status(), 8));
  return true;
}

bool Console::info_symbols() {
  if (session_.program().symbols.empty()) line("The program has no labels and no symbols.");
  for (const Symbol& symbol : session_.program().symbols) line(hex(symbol.address) + "  " + symbol.name);
  return true;
}

bool Console::info_warnings() {
  if (session_.machine().warnings().empty()) line("There is no warning so far.");
  for (const Warning& warning : session_.machine().warnings())
    line(std::string(warning_kind_name(warning.kind)) + " at " + place_text(warning.pc) + ": " + warning.detail);
  return true;
}

bool Console::info_program() {
  const Timeline& timeline = session_.timeline();
  line(timeline.scenario().name + " on " + std::string(session_.program().target->name) + ", " +
       counted(timeline.position(), "instruction") + " executed, " + std::to_string(timeline.furthest()) +
       " at most so far");
  line("history: " + counted(timeline.checkpoint_count(), "checkpoint") + ", " +
       std::to_string((timeline.history_bytes() + 1023) / 1024) + " KiB");
  show_place();
  return true;
}

bool Console::print_value(std::string_view arguments) {
  const Result<Expression> expression = session_.parse(arguments);
  if (!expression) {
    const Error& error = expression.error();
    return fail(error.message +
                (error.where.column == 0 ? "" : " (column " + std::to_string(error.where.column) + ")"));
  }
  const Value value = expression->evaluate(session_.machine());
  std::string text =
      value_text(value, expression->width() == 64 && !expression->is_register() ? 0 : expression->width());
  if (!value.is_signed && value.bits > 9) text += " (" + std::to_string(value.bits) + ")";
  const std::string symbol = session_.program().describe_address(value.bits);
  if (!symbol.empty()) text += " <" + symbol + ">";
  line(std::string(trim(arguments)) + " = " + text);
  return true;
}

bool Console::examine(std::string_view arguments) {
  u64 count = 1;
  if (arguments.starts_with('/')) {
    const std::string_view word = take_word(arguments).substr(1);
    const auto number = parse_count(word);
    constexpr u64 most = 4096;
    if (!number || *number == 0 || *number > most)
      return fail("expected /1 to /" + std::to_string(most) + " dwords, found `/" + std::string(word) + "`");
    count = *number;
  }
  const Result<Value> address = session_.evaluate(arguments);
  if (!address) return fail(address.error());
  const Memory& memory = session_.machine().memory_now();
  std::string row;
  for (u64 i = 0; i < count; ++i) {
    const u64 at = address->bits + i * 4;
    if (i % 4 == 0 && i != 0) line(row);
    if (i % 4 == 0) row = hex(at) + ":";
    row += memory.is_mapped(at, 4) ? " " + hex(memory.read_dword(at), 8) : " (not mapped)";
  }
  line(row);
  return true;
}

bool Console::set(std::string_view arguments) {
  const std::size_t equals = arguments.find('=');
  if (equals == std::string_view::npos) return fail("expected PLACE = VALUE, as in `set s0 = 7`");
  const u64 forgotten = session_.timeline().furthest() - session_.timeline().position();
  const Result<Value> value = session_.set(trim(arguments.substr(0, equals)), trim(arguments.substr(equals + 1)));
  if (!value) return fail(value.error());
  if (forgotten != 0) line("The " + counted(forgotten, "instruction") + " that came behind this are forgotten.");
  show_changes();
  return true;
}

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
  u64 start = session_.timeline().ended() ? machine.stop().pc : machine.pc();
  u64 count = 11;
  const bool is_around = arguments.empty();
  if (!is_around) {
    const Result<std::vector<u64>> place = session_.find_place(take_word(arguments));
    if (!place) return fail(place.error());
    start = place->front();
    if (!arguments.empty()) {
      const auto number = parse_count(arguments);
      if (!number || *number == 0) return fail("expected a count from 1 on, found `" + std::string(arguments) + "`");
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
  for (std::size_t i = first; i < std::min<std::size_t>(first + count, addresses.size()); ++i)
    print_instruction(addresses[i]);
  return true;
}

bool Console::backtrace(std::string_view) {
  const u64 pc = session_.timeline().ended() ? session_.machine().stop().pc : session_.machine().pc();
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

}  // namespace salu::debug
