#include <salu/state.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"

namespace salu {
namespace {

using Kind = RegisterName::Kind;

constexpr RegisterName make(Kind kind, u32 first, u32 width) {
  return {kind, static_cast<u8>(first), static_cast<u16>(width)};
}

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

/// `tba`, `tma_hi` and the like, which are fields of their own here whatever the generation calls them.
std::optional<RegisterName> parse_trap_address(std::string_view name) {
  for (const auto& [base, kind] : {std::pair<std::string_view, Kind>{"tba", Kind::tba}, {"tma", Kind::tma}}) {
    if (!name.starts_with(base)) continue;
    const std::string_view half = name.substr(base.size());
    if (half.empty()) return make(kind, 0, 64);
    if (half == "_lo") return make(kind, 0, 32);
    if (half == "_hi") return make(kind, 1, 32);
  }
  return std::nullopt;
}

std::optional<RegisterName> parse_field(Generation generation, std::string_view name) {
  if (const auto* field = isa::find_hwreg_field(generation, isa::hwreg_id::mode, name)) {
    return make(Kind::mode_field, field->low_bit, field->width());
  }
  const auto* field = isa::find_hwreg_field(generation, isa::hwreg_id::status, name);
  if (field == nullptr) return std::nullopt;
  return make(Kind::status_field, field->low_bit, field->width());
}

std::optional<RegisterName> parse_hwreg(Generation generation, std::string_view name) {
  const isa::HwregInfo* info = isa::find_hwreg(generation, name);
  if (info == nullptr) return std::nullopt;
  if (info->id == isa::hwreg_id::mode) return make(Kind::mode, 0, 32);
  if (info->id == isa::hwreg_id::status) return make(Kind::status, 0, 32);
  return make(Kind::hwreg, info->id, 32);
}

/// What is odd about a run of registers; empty when nothing is.
std::string misalignment(std::string_view text, isa::RegisterSpan span, u32 first_of_class) {
  const u32 number = span.code - first_of_class;
  if (span.dwords == 2 && number % 2 != 0) {
    return quoted(text) + " is an odd register pair: 64-bit values start at an even register";
  }
  if (span.dwords > 2 && number % 4 != 0) {
    return quoted(text) + " is misaligned: runs of more than two registers start at a multiple of four";
  }
  return {};
}

/// Why a text is no register name.
std::string explain_unknown(Generation generation, std::string_view text) {
  const std::string where = " on " + std::string(generation_name(generation));
  for (const Generation other : all_generations()) {
    if (other != generation && isa::parse_register(other, text)) return "there is no register " + quoted(text) + where;
  }
  std::string message = "there is no register " + quoted(text) + where;
  const std::vector<std::string> near = nearest_register_names(generation, text);
  for (std::size_t i = 0; i < near.size(); ++i) {
    message.append(i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ").append(quoted(near[i]));
  }
  return near.empty() ? message : message + "?";
}

u64 half(u64 value, u32 index) { return value >> (32 * index) & 0xffffffff; }

u64 with_half(u64 old, u32 index, u64 value) {
  const u64 mask = u64{0xffffffff} << (32 * index);
  return (old & ~mask) | (value << (32 * index) & mask);
}

u64 read_trap_address(u64 address, const RegisterName& name) {
  return name.width == 64 ? address : half(address, name.first);
}

void write_trap_address(u64& address, const RegisterName& name, u64 value) {
  address = name.width == 64 ? value : with_half(address, name.first, value);
}

u32 field_mask(const RegisterName& name) { return (0xffffffffU >> (32 - name.width)) << name.first; }

void mark_defined(WaveState& state, u32 first, u32 count) {
  for (u32 i = 0; i < count; ++i) state.defined.set(first + i);
}

}  // namespace

WaveState initial_state(Generation generation) {
  WaveState state;
  state.write64(code::exec, ~u64{0});
  mark_defined(state, code::exec, 2);
  state.sgprs = sgpr_limit(generation);
  if (isa::find_hwreg(generation, isa::hwreg_id::sh_mem_bases) != nullptr) {
    const GenerationInfo& info = generation_info(generation);
    state.hwregs[isa::hwreg_id::sh_mem_bases] = info.shared_aperture >> 16 << 16 | info.private_aperture >> 16;
  }
  return state;
}

std::optional<RegisterName> parse_register_name(Generation generation, std::string_view text,
                                                std::string* what_is_wrong) {
  const auto fail = [&](std::string why) -> std::optional<RegisterName> {
    if (what_is_wrong != nullptr) *what_is_wrong = std::move(why);
    return std::nullopt;
  };
  const std::string name = support::lower_case(text);
  if (name == "pc") return make(Kind::pc, 0, 64);
  if (name == "scc") return make(Kind::scc, 0, 1);
  if (name == "vccz" || name == "execz") {
    return fail(quoted(name) + " follows the value of " + name.substr(0, name.size() - 1) + " and cannot be named");
  }
  if (const auto address = parse_trap_address(name)) return address;
  if (const auto span = isa::parse_register(generation, name)) {
    const bool is_ttmp = isa::operand_class(generation, span->code) == isa::OperandClass::ttmp;
    std::string why = misalignment(text, *span, is_ttmp ? ttmp_code(generation) : 0);
    if (!why.empty()) return fail(std::move(why));
    return make(Kind::file, span->code, span->dwords * 32U);
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
    for (const isa::HwregField* field : isa::hwreg_fields(generation, id))
      names.push_back(support::lower_case(field->name));
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::vector<std::string_view> near = support::nearest_names(text, candidates);
  return {near.begin(), near.end()};
}

u64 read_register(const WaveState& state, const RegisterName& name) {
  switch (name.kind) {
    case Kind::file:
      return name.width == 64 ? state.read64(name.first) : state.file[name.first];
    case Kind::pc:
      return state.pc;
    case Kind::tba:
      return read_trap_address(state.tba, name);
    case Kind::tma:
      return read_trap_address(state.tma, name);
    case Kind::scc:
      return state.scc ? 1 : 0;
    case Kind::mode:
      return state.mode;
    case Kind::mode_field:
      return (state.mode & field_mask(name)) >> name.first;
    case Kind::status:
      return state.full_status();
    case Kind::status_field:
      return (state.full_status() & field_mask(name)) >> name.first;
    case Kind::hwreg:
      return state.hwregs[name.first];
  }
  return 0;
}

void write_register(WaveState& state, Generation generation, const RegisterName& name, u64 value) {
  const auto low = static_cast<u32>(value);
  switch (name.kind) {
    case Kind::file:
      state.file[name.first] = low;
      if (name.width == 64) state.file[name.first + 1U] = static_cast<u32>(value >> 32);
      mark_defined(state, name.first, name.width / 32U);
      break;
    case Kind::pc:
      state.pc = value & pc_mask(generation);
      break;
    case Kind::tba:
      write_trap_address(state.tba, name, value);
      mark_defined(state, defined_index::tba + name.first, name.width / 32U);
      break;
    case Kind::tma:
      write_trap_address(state.tma, name, value);
      mark_defined(state, defined_index::tma + name.first, name.width / 32U);
      break;
    case Kind::scc:
      state.scc = (value & 1) != 0;
      mark_defined(state, defined_index::scc, 1);
      break;
    case Kind::mode:
      state.mode = low;
      break;
    case Kind::mode_field:
      state.mode = (state.mode & ~field_mask(name)) | (low << name.first & field_mask(name));
      break;
    case Kind::status:
      state.status = low & ~status_live_bits;
      break;
    case Kind::status_field:
      state.status = ((state.status & ~field_mask(name)) | (low << name.first & field_mask(name))) & ~status_live_bits;
      break;
    case Kind::hwreg:
      state.hwregs[name.first] = low;
      break;
  }
}

}  // namespace salu
