#include <salu/state.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"

namespace salu {
namespace {

constexpr RegisterName make(u32 index, u32 width, u32 low_bit = 0) {
  return {index, static_cast<u16>(width), static_cast<u8>(low_bit)};
}

std::string in_backquotes(std::string_view text) { return "`" + std::string(text) + "`"; }

/// Accepts `tba`, `tma_hi` and the like on all generations; they are separate fields of the state.
std::optional<RegisterName> parse_trap_address(std::string_view name) {
  for (const auto& [base, index] :
       {std::pair<std::string_view, u32>{"tba", state_index::tba}, {"tma", state_index::tma}}) {
    if (!name.starts_with(base)) continue;
    const std::string_view half = name.substr(base.size());
    if (half.empty()) return make(index, 64);
    if (half == "_lo") return make(index, 32);
    if (half == "_hi") return make(index + 1, 32);
  }
  return std::nullopt;
}

std::optional<RegisterName> parse_field(Generation generation, std::string_view name) {
  if (const auto* field = isa::find_hwreg_field(generation, isa::hwreg_id::mode, name)) {
    return make(state_index::mode, field->width(), field->low_bit);
  }
  const auto* field = isa::find_hwreg_field(generation, isa::hwreg_id::status, name);
  if (field == nullptr) return std::nullopt;
  return make(state_index::status, field->width(), field->low_bit);
}

std::optional<RegisterName> parse_hwreg(Generation generation, std::string_view name) {
  const isa::HwregInfo* info = isa::find_hwreg(generation, name);
  if (info == nullptr) return std::nullopt;
  if (info->id == isa::hwreg_id::mode) return make(state_index::mode, 32);
  if (info->id == isa::hwreg_id::status) return make(state_index::status, 32);
  return make(state_index::hwregs + info->id, 32);
}

/// An error text if a run of registers is misaligned; otherwise empty.
std::string misalignment(std::string_view text, isa::RegisterSpan span, u32 first_of_class) {
  const u32 number = span.code - first_of_class;
  if (span.dwords == 2 && number % 2 != 0) {
    return in_backquotes(text) + " is an odd register pair: 64-bit values start at an even register";
  }
  if (span.dwords > 2 && number % 4 != 0) {
    return in_backquotes(text) + " is misaligned: runs of more than two registers start at a multiple of four";
  }
  return {};
}

/// The error for a text that is not a register name.
std::string explain_unknown(Generation generation, std::string_view text) {
  const std::string where = " on " + std::string(generation_name(generation));
  for (const Generation other : all_generations()) {
    if (other != generation && isa::parse_register(other, text))
      return "unknown register " + in_backquotes(text) + where;
  }
  std::string message = "unknown register " + in_backquotes(text) + where;
  const std::vector<std::string> near = nearest_register_names(generation, text);
  for (std::size_t i = 0; i < near.size(); ++i) {
    message.append(i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ").append(in_backquotes(near[i]));
  }
  return near.empty() ? message : message + "?";
}

u32 half(u64 value, u32 number) { return static_cast<u32>(value >> (32 * number)); }

u64 with_half(u64 old, u32 number, u32 value) {
  return (old & ~(u64{0xffffffff} << (32 * number))) | u64{value} << (32 * number);
}

/// Removes a number of up to three digits from the start of a text and returns it.
std::optional<u32> take_number(std::string_view& text) {
  u32 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || length > 3 || (length > 1 && text.front() == '0')) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Parses `v3`, `v[3:4]`, `a0[7]`; nothing if it is not such a name. `why` is set if the register does not exist.
std::optional<RegisterName> parse_vector(Generation generation, std::string_view name, std::string& why) {
  if (name.size() < 2 || (name[0] != 'v' && name[0] != 'a')) return std::nullopt;
  const bool is_accumulator = name[0] == 'a';
  std::string_view rest = name.substr(1);
  const bool is_run = take(rest, '[');
  const std::optional<u32> first = take_number(rest);
  if (!first) return std::nullopt;
  u32 last = *first;
  if (is_run) {
    if (take(rest, ':')) last = take_number(rest).value_or(0);
    if (!take(rest, ']') || last < *first) return std::nullopt;
  }
  std::optional<u32> lane;
  if (take(rest, '[')) {
    lane = take_number(rest);
    if (!lane || !take(rest, ']')) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  constexpr u32 most_registers = 16;
  if (is_accumulator && !generation_info(generation).has_accumulators) {
    why = std::string(generation_name(generation)) + " does not have accumulation registers (a0)";
  } else if (last >= VectorRegisters::vgprs) {
    why = in_backquotes(name) + " does not exist: registers are numbered from 0 to " +
          std::to_string(VectorRegisters::vgprs - 1);
  } else if (last - *first >= most_registers) {
    why = in_backquotes(name) + " has too many registers: the limit is " + std::to_string(most_registers);
  } else if (lane && *lane >= state_index::lanes) {
    why = in_backquotes(name) + ": lanes are 0 to " + std::to_string(state_index::lanes - 1);
  } else if (lane && last != *first) {
    why = in_backquotes(name) + ": a lane belongs to one register, as in " + name[0] + std::to_string(*first) + "[" +
          std::to_string(*lane) + "]";
  }
  const u32 number = *first + (is_accumulator ? VectorRegisters::vgprs : 0);
  return lane ? RegisterName::in_lane(number, *lane) : RegisterName::in_vectors(number, last - *first + 1);
}

u32 read_dword(const WaveState& state, u32 index) {
  if (index < state_index::tba) return state.file[index];
  if (index < state_index::tma) return half(state.tba, index - state_index::tba);
  if (index < state_index::scc) return half(state.tma, index - state_index::tma);
  if (state_index::is_lane(index))
    return state.vectors.lanes(state_index::vector_of(index))[state_index::lane_of(index)];
  if (index >= state_index::hwregs) return state.hwregs[index - state_index::hwregs];
  switch (index) {
    case state_index::scc:
      return state.scc ? 1 : 0;
    case state_index::mode:
      return state.mode;
    case state_index::status:
      return state.full_status();
    case state_index::pc:
    case state_index::pc + 1:
      return half(state.pc, index - state_index::pc);
    default:
      return 0;  // no register has this number
  }
}

void write_dword(WaveState& state, Generation generation, u32 index, u32 value) {
  if (index < state_index::tba)
    state.file[index] = value;
  else if (index < state_index::tma)
    state.tba = with_half(state.tba, index - state_index::tba, value);
  else if (index < state_index::scc)
    state.tma = with_half(state.tma, index - state_index::tma, value);
  else if (index == state_index::scc)
    state.scc = (value & 1) != 0;
  else if (index == state_index::mode)
    state.mode = value;
  else if (index == state_index::status)
    state.status = value & ~status_live_bits;
  else if (state_index::is_lane(index))
    state.vectors.write(state_index::vector_of(index), state_index::lane_of(index), value);
  else if (index >= state_index::hwregs)
    state.hwregs[index - state_index::hwregs] = value;
  else if (index - state_index::pc < 2)
    state.pc = with_half(state.pc, index - state_index::pc, value) & pc_mask(generation);
  if (index < state_index::defined_count) state.defined.set(index);
}

void mark_defined(WaveState& state, u32 first, u32 count) {
  for (u32 i = 0; i < count; ++i) state.defined.set(first + i);
}

}  // namespace

WaveState initial_state(Generation generation) {
  WaveState state;
  state.wave_size = wave_size(generation);
  state.write64(state_index::exec, lane_mask(state.wave_size));
  mark_defined(state, state_index::exec, 2);
  state.sgprs = sgpr_limit(generation);
  if (isa::find_hwreg(generation, isa::hwreg_id::sh_mem_bases) != nullptr) {
    const GenerationInfo& info = generation_info(generation);
    state.hwregs[isa::hwreg_id::sh_mem_bases] = info.shared_aperture >> 16 << 16 | info.private_aperture >> 16;
  }
  return state;
}

bool is_defined(const WaveState& state, u32 index) {
  if (index < state_index::defined_count) return state.defined.test(index);
  return !state_index::is_lane(index) ||
         (state.vectors.defined(state_index::vector_of(index)) >> state_index::lane_of(index) & 1) != 0;
}

std::optional<RegisterName> parse_register_name(Generation generation, std::string_view text,
                                                std::string* what_is_wrong) {
  const auto fail = [&](std::string why) -> std::optional<RegisterName> {
    if (what_is_wrong != nullptr) *what_is_wrong = std::move(why);
    return std::nullopt;
  };
  const std::string name = support::lower_case(text);
  if (name == "pc") return make(state_index::pc, 64);
  if (name == "scc") return make(state_index::scc, 1);
  if (name == "vccz" || name == "execz") {
    return fail(in_backquotes(name) + " follows the value of " + name.substr(0, name.size() - 1) +
                " and cannot be named");
  }
  if (const auto address = parse_trap_address(name)) return address;
  if (const auto span = isa::parse_register(generation, name)) {
    const bool is_ttmp = isa::operand_class(generation, span->code) == isa::OperandClass::ttmp;
    std::string why = misalignment(text, *span, is_ttmp ? ttmp_code(generation) : 0);
    if (!why.empty()) return fail(std::move(why));
    return make(register_index(generation, span->code), span->dwords * 32U);
  }
  std::string why;
  if (const auto vector = parse_vector(generation, name, why)) {
    if (!why.empty()) return fail(std::move(why));
    return vector;
  }
  if (const auto field = parse_field(generation, name)) return field;
  if (const auto hwreg = parse_hwreg(generation, name)) return hwreg;
  return fail(explain_unknown(generation, text));
}

std::vector<std::string> nearest_register_names(Generation generation, std::string_view text) {
  std::vector<std::string> names = {"pc", "scc", "tba", "tba_lo", "tba_hi", "tma", "tma_lo", "tma_hi"};
  for (u32 i = 0; i < code::count; ++i) {
    for (const u32 dwords : {1U, 2U}) {
      if (dwords == 2 && i % 2 != 0) continue;
      std::string name = isa::register_name(generation, i, dwords);
      if (!name.empty()) names.push_back(std::move(name));
    }
  }
  for (const isa::HwregInfo& info : isa::hwregs()) {
    if (isa::contains(info.generations, generation)) names.push_back(support::lower_case(info.name));
  }
  for (const u32 id : {isa::hwreg_id::mode, isa::hwreg_id::status}) {
    for (const isa::HwregField* field : isa::hwreg_fields(generation, id)) {
      // Fields that are parts of other state are not listed separately.
      if (std::string name = support::lower_case(field->name); parse_field(generation, name))
        names.push_back(std::move(name));
    }
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::vector<std::string_view> near = support::nearest_names(text, candidates);
  return {near.begin(), near.end()};
}

u64 read_register(const WaveState& state, const RegisterName& name) {
  const u32 low = read_dword(state, name.index);
  if (name.width == 64) return low | u64{read_dword(state, name.index + 1)} << 32;
  return name.width < 32 ? low >> name.low_bit & ((1U << name.width) - 1) : low;
}

void write_register(WaveState& state, Generation generation, const RegisterName& name, u64 value) {
  auto low = static_cast<u32>(value);
  if (name.width < 32) {
    const u32 mask = ((1U << name.width) - 1) << name.low_bit;
    low = (read_dword(state, name.index) & ~mask) | (low << name.low_bit & mask);
  }
  write_dword(state, generation, name.index, low);
  if (name.width == 64) write_dword(state, generation, name.index + 1, static_cast<u32>(value >> 32));
}

}  // namespace salu
