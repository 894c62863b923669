#include "dap/views.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "dap/threads.hpp"
#include "debug/fork_log.hpp"
#include "debug/lane_text.hpp"
#include "debug/place_text.hpp"
#include "debug/saved_masks.hpp"
#include "debug/value_format.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::dap {
namespace {

using debug::address_text;
using debug::lanes_do;
using debug::lanes_picture;
using debug::lanes_text;
using debug::pair_name;
using debug::value_text;
using support::hex;

// References of groups: scopes, registers with fields, entries of the control stack, vector registers, regions of
// memory.
enum Group : u64 {
  sgprs = 1,
  special_registers,
  control_stack,
  lanes,
  trap_temporaries,
  arguments,
  regions,
  mode_fields,
  status_fields,
  vectors
};
constexpr u64 first_entry = 0x100;
constexpr u64 entry_count = 8;
constexpr u64 first_vector = 0x200;
constexpr u64 first_region = 0x1000;
static_assert(first_vector + VectorRegisters::count <= first_region);

Error no_variables(u64 reference) { return refusal(fmt::format("no variables with the reference {}", reference)); }

/// A register or field by its expression; nothing if the generation does not have it.
std::optional<Variable> make_register(const Debuggee& debuggee, const std::string& name, std::string expression = "") {
  if (expression.empty()) expression = name;
  const Result<expr::Expression> parsed = debuggee.session.parse(expression);
  if (!parsed || !parsed->is_register()) return std::nullopt;
  const core::Machine& machine = debuggee.session.machine();
  const expr::Value value = parsed->evaluate(machine);
  Variable variable{.name = name, .value = value_text(value, parsed->width()), .expression = std::move(expression)};
  variable.type = bits_text(parsed->width());
  const RegisterName& which = parsed->register_name();
  if (which.is_in_file() && !debuggee.session.machine().state().defined.test(which.index))
    variable.type += ", never written";
  return variable;
}

std::vector<Variable> list_registers(const Debuggee& debuggee, std::string_view prefix, u32 count) {
  std::vector<Variable> list;
  for (u32 i = 0; i < count; ++i) {
    std::optional<Variable> variable = make_register(debuggee, fmt::format("{}{}", prefix, i));
    if (!variable) break;
    list.push_back(*std::move(variable));
  }
  return list;
}

// ---- vector registers ----

Variable make_lane(const WaveState& state, u32 number, u32 lane) {
  const RegisterName name = RegisterName::in_lane(number, lane);
  Variable variable{.name = fmt::format("[{}]", lane), .value = hex(state.vectors.lanes(number)[lane], 8)};
  variable.type = bits_text(32);
  if (!is_defined(state, name.index)) variable.type += ", never written";
  variable.expression = isa::vector_register_name(name.index, 1);
  return variable;
}

/// The first lanes, or the selected one.
Variable make_vector(const WaveState& state, u32 number, std::optional<u32> lane) {
  constexpr u32 lanes_shown = 4;
  const std::string name = isa::vector_register_name(RegisterName::in_vectors(number).index, state_index::lanes);
  Variable variable{.name = name};
  if (lane) {
    variable = make_lane(state, number, *lane);
    variable.name = name;
    variable.type += fmt::format(" of lane {}", *lane);
  } else {
    const VectorRegisters::Lanes& lanes = state.vectors.lanes(number);
    for (u32 i = 0; i < lanes_shown; ++i) variable.value += hex(lanes[i], 8) + ", ";
    variable.value += "...";
    variable.type = fmt::format("{} lanes of {}", state.wave_size, bits_text(32));
  }
  variable.reference = first_vector + number;
  variable.indexed = state.wave_size;
  return variable;
}

std::vector<Variable> list_vectors(const Debuggee& debuggee) {
  const WaveState state = debuggee.session.machine().state();
  std::vector<Variable> list;
  for (u32 number = 0; state.vectors.has_any() && number < VectorRegisters::count; ++number) {
    if (state.vectors.is_touched(number)) list.push_back(make_vector(state, number, debuggee.session.lane()));
  }
  return list;
}

std::vector<Variable> list_lanes_of(const Debuggee& debuggee, u32 number) {
  const WaveState state = debuggee.session.machine().state();
  std::vector<Variable> list;
  for (u32 lane = 0; lane < state.wave_size; ++lane) list.push_back(make_lane(state, number, lane));
  return list;
}

std::vector<Variable> list_special(const Debuggee& debuggee) {
  std::vector<Variable> list;
  for (const char* name :
       {"pc", "exec", "vcc", "scc", "m0", "mode", "status", "flat_scratch", "xnack_mask", "trapsts", "tba", "tma"}) {
    std::optional<Variable> variable = make_register(debuggee, name);
    if (!variable) continue;
    const std::string_view which = name;
    if (which == "mode") variable->reference = mode_fields;
    if (which == "status") variable->reference = status_fields;
    if (which == "pc") {
      variable->memory = debuggee.session.machine().pc();
      variable->value = address_text(debuggee.scenario.program, *variable->memory);
    }
    list.push_back(*std::move(variable));
  }
  return list;
}

std::vector<Variable> list_fields(const Debuggee& debuggee, u32 id, const std::string& owner) {
  std::vector<Variable> list;
  for (const isa::HwregField* field : isa::hwreg_fields(debuggee.session.machine().generation(), id)) {
    const std::string name = support::lower_case(field->name);
    std::optional<Variable> variable = make_register(debuggee, name, owner + "." + name);
    if (variable) {
      list.push_back(*std::move(variable));
      continue;
    }
    // Fields without an expression.
    const Result<expr::Value> whole = debuggee.session.evaluate(owner);
    const u64 bits = (whole->bits & field->mask()) >> field->low_bit;
    list.push_back(
        {.name = name, .value = value_text({bits, false}, field->width()), .type = bits_text(field->width())});
  }
  return list;
}

std::vector<Variable> list_stack(const Debuggee& debuggee) {
  std::vector<Variable> list;
  for (const debug::StackEntry& entry : debug::control_stack(debuggee.session.machine())) {
    Variable variable{.name = std::to_string(entry.index)};
    variable.value =
        lanes_do(entry.lanes, "wait") + ", to continue at " + address_text(debuggee.scenario.program, entry.pc);
    variable.type = fmt::format("s[{}:{}]", entry.first_sgpr, entry.first_sgpr + 3);
    variable.memory = entry.pc;
    variable.reference = first_entry + entry.index;
    list.push_back(std::move(variable));
  }
  return list;
}

Result<std::vector<Variable>> list_entry(const Debuggee& debuggee, u64 index) {
  for (const debug::StackEntry& entry : debug::control_stack(debuggee.session.machine())) {
    if (entry.index != index) continue;
    Variable mask{.name = "lanes", .value = hex(entry.lanes, 16), .type = pair_name(entry.first_sgpr)};
    mask.expression = mask.type;
    Variable pc{.name = "pc", .value = hex(entry.pc, 16), .type = pair_name(entry.first_sgpr + 2)};
    pc.expression = pc.type;
    pc.memory = entry.pc;
    return std::vector<Variable>{std::move(mask), std::move(pc)};
  }
  return refusal(fmt::format("no entry {} on the control stack here", index));
}

std::vector<Variable> list_lanes(Debuggee& debuggee) {
  const WaveState state = debuggee.session.machine().state();
  std::vector<Variable> list;
  const auto add = [&](std::string name, u64 mask, std::string expression) {
    list.push_back({.name = std::move(name),
                    .value = lanes_picture(mask, state.wave_size),
                    .type = lanes_text(mask),
                    .expression = std::move(expression)});
  };
  add("exec", state.exec(), "exec");
  add("vcc", state.vcc(), "vcc");
  for (const debug::StackEntry& entry : debug::control_stack(debuggee.session.machine()))
    add(fmt::format("waiting {}", entry.index), entry.lanes, pair_name(entry.first_sgpr));
  // Masks in SGPRs are found by a replay of the run, which must be short.
  constexpr u64 most_instructions = 100'000;
  if (debuggee.session.run().position() > most_instructions) return list;
  for (const debug::SavedMask& saved : debug::list_saved_masks(debuggee.session))
    add("in " + pair_name(saved.first_sgpr), saved.lanes, pair_name(saved.first_sgpr));
  return list;
}

std::vector<Variable> list_arguments(const Debuggee& debuggee) {
  std::vector<Variable> list;
  const Memory& memory = debuggee.session.machine().memory_now();
  for (const KernelArgumentPlace& place : debuggee.scenario.arguments) {
    Variable variable{.name = place.name, .type = fmt::format("{} bytes", place.size_bytes)};
    variable.memory = place.address;
    const bool is_value =
        place.size_bytes == 1 || place.size_bytes == 2 || place.size_bytes == 4 || place.size_bytes == 8;
    if (is_value) {
      u64 bits = 0;
      for (u64 i = 0; i < place.size_bytes; ++i) {
        u8 byte = 0;
        memory.read(place.address + i, std::span(&byte, 1));
        bits |= u64{byte} << (8 * i);
      }
      variable.value = hex(bits, static_cast<u32>(place.size_bytes * 2));
      variable.expression = fmt::format("[{}:{}]", hex(place.address), place.size_bytes);
      if (!place.by_value && memory.is_mapped(bits, 1)) variable.memory = bits;
    } else {
      variable.value = variable.type + " at " + hex(place.address);
    }
    list.push_back(std::move(variable));
  }
  return list;
}

std::vector<Variable> list_regions(const Debuggee& debuggee) {
  std::vector<Variable> list;
  for (const MemoryRegion& region : debuggee.session.machine().memory_now().regions()) {
    if (list.size() == most_variables) break;
    Variable variable{.name = support::range_text(region.base, region.end())};
    variable.value =
        fmt::format("{} bytes, {}", region.size_bytes, region.access == Access::read ? "read" : "read and write");
    variable.memory = region.base;
    variable.reference = first_region + list.size();
    // The protocol uses numbers of 31 bits.
    constexpr u64 most_indexed = 0x7fff'ffff;
    variable.indexed = std::min(region.size_bytes / 4, most_indexed);
    list.push_back(std::move(variable));
  }
  return list;
}

Variable make_dword(const Debuggee& debuggee, u64 address) {
  Variable variable{.name = hex(address), .value = hex(debuggee.session.machine().memory_now().read_dword(address), 8)};
  variable.type = bits_text(32);
  variable.expression = "[" + variable.name + "]";
  variable.memory = address;
  return variable;
}

const MemoryRegion* find_region(const Debuggee& debuggee, u64 reference) {
  const auto all = debuggee.session.machine().memory_now().regions();
  const std::size_t listed = std::min<std::size_t>(all.size(), most_variables);
  if (reference < first_region || reference - first_region >= listed) return nullptr;
  return &all[static_cast<std::size_t>(reference - first_region)];
}

std::vector<Variable> list_dwords(const Debuggee& debuggee, const MemoryRegion& region, const Window& window) {
  std::vector<Variable> list;
  const u64 all = region.size_bytes / 4;
  const u64 first = std::min(window.start, all);
  const u64 wanted = window.count == 0 ? all : window.count;
  const u64 count = std::min({wanted, all - first, most_variables});
  for (u64 i = 0; i < count; ++i) list.push_back(make_dword(debuggee, region.base + (first + i) * 4));
  return list;
}

Result<std::vector<Variable>> list_group(Debuggee& debuggee, u64 reference) {
  const core::Machine& machine = debuggee.session.machine();
  switch (reference) {
    case sgprs:
      return list_registers(debuggee, "s", machine.wave().sgprs);
    case special_registers:
      return list_special(debuggee);
    case control_stack:
      return list_stack(debuggee);
    case lanes:
      return list_lanes(debuggee);
    case trap_temporaries:
      return list_registers(debuggee, "ttmp", ttmp_count(machine.generation()));
    case arguments:
      return list_arguments(debuggee);
    case regions:
      return list_regions(debuggee);
    case mode_fields:
      return list_fields(debuggee, isa::hwreg_id::mode, "mode");
    case status_fields:
      return list_fields(debuggee, isa::hwreg_id::status, "status");
    case vectors:
      return list_vectors(debuggee);
    default:
      if (reference >= first_vector && reference < first_vector + VectorRegisters::count)
        return list_lanes_of(debuggee, static_cast<u32>(reference - first_vector));
      if (reference >= first_entry && reference < first_entry + entry_count)
        return list_entry(debuggee, reference - first_entry);
      return no_variables(reference);
  }
}

/// The members of a group of the selected wave, with references within the wave.
Result<std::vector<Variable>> list_own(Debuggee& debuggee, u64 reference, const Window& window) {
  if (const MemoryRegion* const region = find_region(debuggee, reference))
    return list_dwords(debuggee, *region, window);
  Result<std::vector<Variable>> all = list_group(debuggee, reference);
  if (!all || (window.start == 0 && window.count == 0)) return all;
  const std::size_t first = std::min<std::size_t>(window.start, all->size());
  const std::size_t count = window.count == 0 ? all->size() : std::min<std::size_t>(window.count, all->size());
  const std::size_t end = std::min(first + count, all->size());
  return std::vector<Variable>(all->begin() + static_cast<std::ptrdiff_t>(first),
                               all->begin() + static_cast<std::ptrdiff_t>(end));
}

Result<Variable> find_own(Debuggee& debuggee, u64 reference, const std::string& name) {
  if (const MemoryRegion* const region = find_region(debuggee, reference)) {
    const auto address = support::parse_unsigned(name);
    const bool is_inside = address && *address >= region->base && *address < region->end() && *address % 4 == 0;
    if (!is_inside) return refusal("no dword `" + name + "` in this region");
    return make_dword(debuggee, *address);
  }
  Result<std::vector<Variable>> all = list_group(debuggee, reference);
  if (!all) return std::move(all).error();
  const auto found = std::ranges::find(*all, name, &Variable::name);
  if (found == all->end()) return refusal("no variable `" + name + "` here");
  return std::move(*found);
}

/// Makes the reference of a variable of the selected wave unique among all waves.
void complete(const debug::Session& session, Variable& variable) {
  if (variable.reference != 0) variable.reference += first_id(session);
}

}  // namespace

std::string bits_text(u32 width) { return support::counted(width, "bit"); }

u32 place_width(const expr::Expression& expression) {
  return expression.is_register() || expression.is_memory() ? expression.width() : 0;
}

u32 place_width(const debug::Session& session, const std::string& expression) {
  const Result<expr::Expression> parsed = session.parse(expression);
  return parsed ? place_width(*parsed) : 0;
}

Json Variable::to_json() const {
  Json json = {{"name", name}, {"value", value}, {"variablesReference", reference}};
  if (!type.empty()) json["type"] = type;
  if (!expression.empty()) json["evaluateName"] = expression;
  if (expression.empty() && reference == 0) json["presentationHint"] = {{"attributes", {"readOnly"}}};
  if (memory) json["memoryReference"] = hex(*memory);
  if (indexed != 0) json["indexedVariables"] = indexed;
  return json;
}

Json list_scopes(const Debuggee& debuggee) {
  Json scopes = Json::array();
  const u64 first = first_id(debuggee.session);
  const auto add = [&](const char* name, u64 reference, bool are_registers, bool is_expensive) {
    scopes.push_back({{"name", name}, {"variablesReference", first + reference}, {"expensive", is_expensive}});
    if (are_registers) scopes.back()["presentationHint"] = "registers";
  };
  add("SGPRs", sgprs, true, false);
  add("Special registers", special_registers, true, false);
  if (debuggee.session.machine().state().vectors.has_any()) add("Vector registers", vectors, true, false);
  add("Control stack", control_stack, false, false);
  add("Lanes", lanes, false, false);
  if (!debuggee.scenario.arguments.empty()) add("Kernel arguments", arguments, false, false);
  add("Trap temporaries", trap_temporaries, true, true);
  if (!debuggee.session.machine().memory_now().regions().empty()) add("Memory", regions, false, true);
  return scopes;
}

Result<u64> wave_of_variables(const Debuggee& debuggee, u64 reference) {
  const std::optional<WaveId> id = split_id(debuggee.session, reference);
  return id ? Result<u64>(id->wave) : no_variables(reference);
}

Result<std::vector<Variable>> list_variables(Debuggee& debuggee, u64 reference, const Window& window) {
  const std::optional<WaveId> id = split_id(debuggee.session, reference);
  if (!id) return no_variables(reference);
  const SelectedWave selected(debuggee.session, id->wave);
  Result<std::vector<Variable>> all = list_own(debuggee, id->id, window);
  if (!all) return all;
  for (Variable& variable : *all) complete(debuggee.session, variable);
  return all;
}

Result<Variable> find_variable(Debuggee& debuggee, u64 reference, const std::string& name) {
  const std::optional<WaveId> id = split_id(debuggee.session, reference);
  if (!id) return no_variables(reference);
  const SelectedWave selected(debuggee.session, id->wave);
  Result<Variable> variable = find_own(debuggee, id->id, name);
  if (variable) complete(debuggee.session, *variable);
  return variable;
}

}  // namespace salu::dap
