#include "debug/place_text.hpp"

#include <fmt/core.h>

#include "debug/value_format.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

std::string address_text(const Program& program, u64 address) {
  const std::string label = program.describe_address(address);
  return support::hex(address) + (label.empty() ? "" : " <" + label + ">");
}

std::string instruction_text(const Session& session, u64 address) {
  return address_text(session.program(), address) + ": " + session.machine().code().text_at(address);
}

std::string step_text(u64 position_before) { return fmt::format("step {}", position_before + 1); }

std::string moment_text(u64 position, bool is_edit) {
  return is_edit ? fmt::format("position {}", position) : step_text(position);
}

std::string source_note(const Program& program, u64 address) {
  const LineEntry* const entry = program.find_line(address);
  return entry == nullptr ? "" : fmt::format("    // {}:{}", program.files[entry->file], entry->line);
}

std::string watch_text(const Session& session, const Breakpoint& breakpoint, const WatchHit& hit) {
  const u32 width = breakpoint.watched->width();
  std::string text = breakpoint.what + ": ";
  if (hit.before.bits != hit.after.bits) {
    text += value_text(hit.before, width) + " -> " + value_text(hit.after, width);
  } else {
    text += value_text(hit.after, width) + (hit.read && hit.written ? " read and written"
                                            : hit.read              ? " read"
                                                                    : " written");
  }
  text += " by " + instruction_text(session, hit.pc);
  return session.has_several_waves() ? text + fmt::format(", wave {}", hit.wave) : text;
}

}  // namespace salu::debug
