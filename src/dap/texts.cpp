#include "dap/texts.hpp"

#include "support/numbers.hpp"

namespace salu::dap {

std::string explained(const debug::Expression& expression, const debug::Value& value, const Program& program) {
  const bool has_width = expression.is_register() || expression.is_memory();
  std::string text = value_text(value, has_width ? expression.width() : 0);
  if (!value.is_signed && value.bits > 9) text += " (" + std::to_string(value.bits) + ")";
  const std::string symbol = program.describe_address(value.bits);
  return symbol.empty() ? text : text + " <" + symbol + ">";
}

std::string stop_text(const Stop& stop, u64 position, const Program& program) {
  std::string text = std::string(stop.reason_name()) + " at " + address_text(program, stop.pc) + " after " +
                     support::counted(position, "instruction");
  if (!stop.instruction.empty()) text += ": " + stop.instruction;
  return stop.detail.empty() ? text : text + ": " + stop.detail;
}

}  // namespace salu::dap
