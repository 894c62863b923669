#include "debug/why_place.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

Error usage(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

/// `7`, `7:0`, `31:28,7`: a mask of `width` bits.
std::optional<u64> read_ranges(std::string_view text, u32 width) {
  u64 mask = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view range = support::trim(text.substr(0, comma));
    const std::size_t colon = range.find(':');
    const auto high = support::parse_unsigned(support::trim(range.substr(0, colon)));
    const auto low =
        colon == std::string_view::npos ? high : support::parse_unsigned(support::trim(range.substr(colon + 1)));
    if (!high || !low || *low > *high || *high >= width) return std::nullopt;
    mask |= (*high - *low == 63 ? ~u64{0} : ((u64{1} << (*high - *low + 1)) - 1)) << *low;
    if (comma == std::string_view::npos) return mask;
    text.remove_prefix(comma + 1);
  }
}

/// All bits of a register.
std::vector<observe::Bits> register_bits(const RegisterName& name) {
  std::vector<observe::Bits> bits = observe::whole_bits(name.location());
  if (name.width < 32) bits.front().mask = ((1U << name.width) - 1) << name.low_bit;
  return bits;
}

Result<std::vector<observe::Bits>> find_whole(const Session& session, std::string_view place) {
  const auto name = parse_register_name(session.program().generation(), place);
  if (name && name->is_vector()) return register_bits(*name);
  const Result<expr::Expression> expression = session.parse(place);
  if (!expression) return expression.error();
  if (expression->is_register()) {
    if (expression->register_name().is_pc())
      return usage("every instruction writes the PC; ask about a register, a field, a lane or memory");
    return register_bits(expression->register_name());
  }
  if (!expression->is_memory()) return usage(support::quote(place) + " is not a register, field, lane or memory");
  const u64 address = expression->memory_address(session.machine());
  const u32 bytes = expression->memory_bytes();
  if (expression->find_problem(session.machine()))
    return usage(fmt::format("{}: nothing is mapped at {}", support::quote(place), support::hex(address)));
  std::vector<observe::Bits> bits =
      observe::whole_bits(Location::in_memory(address, (static_cast<u32>(address % 4) + bytes + 3) / 4));
  for (u64 byte = 0; byte < bits.size() * 4; ++byte) {
    const u64 at = (address & ~u64{3}) + byte;
    if (at < address || at >= address + bytes) bits[byte / 4].mask &= ~(u32{0xff} << (byte % 4 * 8));
  }
  return bits;
}

/// The position of the bracket that the last character closes; npos if it closes none.
std::size_t find_last_bracket(std::string_view place) {
  std::size_t depth = 0;
  for (std::size_t i = place.size(); i-- > 0;) {
    if (place[i] == ']') ++depth;
    if (place[i] == '[' && depth-- == 1) return i;
    if (depth == 0) break;
  }
  return std::string_view::npos;
}

}  // namespace

Result<WhyPlace> read_why_place(std::string_view text) {
  text = support::trim(text);
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return WhyPlace{std::string(text), std::nullopt};
  const auto step = support::parse_unsigned(support::trim(text.substr(at + 1)));
  if (!step) return usage(support::quote(text) + ": expected the number of a step after `@`, as in `s0@12`");
  return WhyPlace{std::string(support::trim(text.substr(0, at))), step};
}

Result<std::vector<observe::Bits>> find_why_bits(const Session& session, std::string_view place) {
  if (place.empty()) return usage("expected a register, a field, a lane or memory, as `s4[7:0]` or `exec[7]`");
  Result<std::vector<observe::Bits>> whole = find_whole(session, place);
  const std::size_t bracket = find_last_bracket(place);
  if (whole || bracket == std::string_view::npos || bracket == 0) return whole;
  const Result<std::vector<observe::Bits>> base = find_whole(session, support::trim(place.substr(0, bracket)));
  if (!base) return base.error();
  constexpr std::size_t most_dwords = 2;
  if (base->size() > most_dwords) return whole;
  const u32 width = static_cast<u32>(base->size()) * 32;
  const auto mask = read_ranges(place.substr(bracket + 1, place.size() - bracket - 2), width);
  if (!mask)
    return usage(
        fmt::format("{}: expected bits 0 to {} in brackets, as `[7]` or `[7:0]`", support::quote(place), width - 1));
  std::vector<observe::Bits> bits;
  for (std::size_t i = 0; i < base->size(); ++i) {
    observe::Bits each = (*base)[i];
    each.mask &= static_cast<u32>(*mask >> (32 * i));
    if (each.mask != 0) bits.push_back(each);
  }
  if (bits.empty()) return usage(support::quote(place) + " does not have these bits");
  return bits;
}

Result<std::vector<observe::Bits>> find_why_bits(Session& session, const WhyPlace& place) {
  if (!place.step) return find_why_bits(session, place.text);
  // The address of `[s4]` is evaluated there.
  Result<std::vector<observe::Bits>> bits = usage("interrupted");
  session.look_at(*place.step, [&] { bits = find_why_bits(session, place.text); });
  return bits;
}

}  // namespace salu::debug
