#include "isa/operand_text.hpp"

#include <array>

#include "isa/operand.hpp"
#include "isa/symbolic.hpp"
#include "support/numbers.hpp"

namespace salu::isa {
namespace {

constexpr std::array<std::string_view, 9> float_names = {"0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                                         "-2.0", "4.0",  "-4.0", "0.15915494"};
constexpr std::string_view inverse_two_pi_64 = "0.15915494309189532";
constexpr u8 first_float_code = 240;
constexpr u8 inverse_two_pi_code = 248;

std::string_view float_name(u8 code, u8 dwords) {
  return code == inverse_two_pi_code && dwords == 2 ? inverse_two_pi_64
                                                    : float_names[code - std::size_t{first_float_code}];
}

std::string_view special_source_name(OperandClass operand, u8 code) {
  constexpr std::array<std::string_view, 4> apertures = {"src_shared_base", "src_shared_limit", "src_private_base",
                                                         "src_private_limit"};
  constexpr u8 first_aperture = 235;
  switch (operand) {
    case OperandClass::aperture:
      return apertures[code - std::size_t{first_aperture}];
    case OperandClass::pops_exiting_wave_id:
      return "src_pops_exiting_wave_id";
    case OperandClass::vccz:
      return "src_vccz";
    case OperandClass::execz:
      return "src_execz";
    case OperandClass::scc:
      return "src_scc";
    default:
      return {};
  }
}

}  // namespace

std::string literal_text(Generation generation, u32 value, u8 dwords) {
  if (dwords == 2) return value <= 64 ? std::to_string(value) : support::hex(value);
  for (u8 code = first_float_code; code <= inverse_two_pi_code; ++code) {
    const bool available = operand_class(generation, code) == OperandClass::floating;
    if (available && inline_constant32(code) == value) return std::string(float_name(code, 1));
  }
  return immediate_text(value);
}

std::string operand_text(Generation generation, u8 code, u8 dwords, u32 literal) {
  const OperandClass operand = operand_class(generation, code);
  if (is_register(operand)) return register_name(generation, code, dwords);
  if (operand == OperandClass::integer) return immediate_text(inline_constant32(code));
  if (operand == OperandClass::floating) return std::string(float_name(code, dwords));
  if (operand == OperandClass::literal) return literal_text(generation, literal, dwords);
  return std::string(special_source_name(operand, code));
}

}  // namespace salu::isa
