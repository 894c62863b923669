#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "output/fidelity_report.hpp"
#include "output/formats.hpp"
#include "output/state_list.hpp"
#include "support/numbers.hpp"

// Written without an emitter: the layout keeps a dump readable, and only quoted texts need escapes.
namespace salu::output {
namespace {

/// The fields of a data race or of a barrier divergence.
std::string race_text(const Race& race) {
  std::string text =
      fmt::format(", other_pc: {}, wave: {}, other_wave: {}", support::hex(race.other_pc), race.wave, race.other_wave);
  if (!race.place) return text;
  const Race::Place& place = *race.place;
  if (place.lane) text += fmt::format(", lane: {}", *place.lane);
  if (place.other_lane) text += fmt::format(", other_lane: {}", *place.other_lane);
  text += fmt::format(", space: {}, address: {}, size_bytes: {}", memory_space_name(place.space),
                      support::hex(place.address), place.size_bytes);
  if (!place.name.empty()) text += ", name: " + quote(place.name);
  return text;
}

/// The fields of a hazard warning.
std::string hazard_text(const Hazard& hazard) {
  std::string text = fmt::format(", hazard: {}, severity: {}, producer_pc: {}", hazard.id,
                                 hazard.is_info ? "info" : "warning", support::hex(hazard.producer_pc));
  if (hazard.needed) text += fmt::format(", needed: {}", *hazard.needed);
  if (hazard.found) text += fmt::format(", found: {}", *hazard.found);
  if (!hazard.insert.empty()) text += ", insert: " + quote(hazard.insert);
  return text;
}

constexpr std::size_t most_bytes_as_words = 4096;
// Long lines slow YAML parsers down.
constexpr std::size_t words_bytes_per_line = 32;
constexpr std::size_t bytes_per_line = 48;

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text.append(text.empty() ? "" : ", ").append(item);
  return text;
}

/// `registers:` lists defined registers: others count as undefined when the state is loaded.
void add_registers(const Scenario& scenario, const WaveState& state, const std::vector<ListedRegister>& list,
                   std::string& text) {
  for (const ListedRegister& listed : list) {
    if (listed.definition == Definition::some) {
      add_registers(scenario, state, halves_of(scenario, state, listed), text);
    } else if (listed.definition != Definition::none || listed.value != 0) {
      // Part of `mode`.
      if (listed.name != "csp") text += fmt::format("  {}: {}\n", listed.name, value_text(listed));
    }
  }
}

/// The value of a vector register. `indent`: of further lines.
std::string lanes_text(const ListedVector& vector, std::string_view indent) {
  constexpr u32 lanes_per_line = 8;
  // `undefined:` lists undefined lanes; a listed value replaces that of the scenario.
  const auto is_first = [&](u32 lane) { return lane == vector.lanes[0]; };
  if (vector.is_uniform() || (vector.defined == 0 && std::ranges::all_of(vector.lanes, is_first)))
    return support::hex(vector.lanes[0], 8);
  // Lanes after the last defined one count as undefined.
  const u32 count = state_index::lanes - static_cast<u32>(std::countl_zero(vector.defined));
  std::string text = "[";
  for (u32 lane = 0; lane < count; ++lane) {
    if (lane != 0) text += lane % lanes_per_line == 0 ? fmt::format(",\n{}", indent) : ", ";
    text += support::hex(vector.lanes[lane], 8);
  }
  return text + "]";
}

std::string contents(const MemoryPiece& piece) {
  if (piece.bytes.empty()) return {};
  const std::size_t whole = (piece.bytes.size() + 3) / 4 * 4;
  std::string text;
  if (whole <= piece.region.size_bytes && whole <= most_bytes_as_words) {
    for (std::size_t i = 0; i < whole; i += 4) {
      if (i != 0 && i % words_bytes_per_line == 0) text += ",\n     ";
      u32 word = 0;
      for (std::size_t k = i; k < i + 4 && k < piece.bytes.size(); ++k) word |= u32{piece.bytes[k]} << (8 * (k - i));
      text += (i == 0 ? "" : i % words_bytes_per_line == 0 ? " " : ", ") + support::hex(word);
    }
    return ", words: [" + text + "]";
  }
  for (std::size_t i = 0; i < piece.bytes.size(); ++i) {
    if (i % bytes_per_line == 0) text += "\n      ";
    text += support::hex(piece.bytes[i], 2).substr(2);
  }
  return ", bytes: \"" + text + "\"";
}

std::string mismatch_text(const Mismatch& mismatch) {
  return fmt::format("  - {{what: {}, expected: {}, actual: {}}}\n", quote(mismatch.what), quote(mismatch.expected),
                     quote(mismatch.actual));
}

/// The undefined operand and its origin.
std::string undefined_yaml(const UndefinedRead& undefined) {
  std::string origin = "what: " + undefined.origin;
  if (undefined.origin_pc) origin += ", pc: " + support::hex(*undefined.origin_pc);
  std::string text = fmt::format(", operand: {}, bits: {}, origin: {{{}}}", quote(undefined.operand),
                                 support::hex(undefined.bits, 8), origin);
  std::string way;
  for (const u64 pc : undefined.way) way += (way.empty() ? "" : ", ") + support::hex(pc);
  if (!way.empty()) text += ", way: [" + way + "]";
  std::string memory;
  for (const UndefinedOutput& output : undefined.memory) {
    memory += fmt::format("{}{{at: {}, size: {}{}}}", memory.empty() ? "" : ", ", support::hex(output.address),
                          output.size_bytes, output.name.empty() ? "" : ", name: " + quote(output.name));
  }
  return memory.empty() ? text : text + ", memory: [" + memory + "]";
}

}  // namespace

std::string registers_yaml(const Scenario& scenario, const WaveState& state) {
  std::string text = fmt::format("sgprs: {}\n", state.sgprs);
  if (state.vgprs != VectorRegisters::vgprs) text += fmt::format("vgprs: {}\n", state.vgprs);
  if (state.agprs != VectorRegisters::vgprs) text += fmt::format("agprs: {}\n", state.agprs);
  text += "registers:\n";
  add_registers(scenario, state, list_sgprs(scenario, state), text);
  add_registers(scenario, state, list_specials(scenario, state), text);
  add_registers(scenario, state, list_ttmps(scenario, state), text);
  for (const ListedVector& vector : list_vectors(scenario, state))
    text += fmt::format("  {}: {}\n", vector.name, lanes_text(vector, "    "));
  std::vector<std::string> hwregs;
  for (const ListedRegister& listed : list_hwregs(scenario, state))
    hwregs.push_back(listed.name + ": " + value_text(listed));
  text += fmt::format("hwregs: {{{}}}\n", joined(hwregs));
  return text;
}

std::string differing_registers_yaml(const Scenario& scenario, const WaveState& state, const WaveState& other) {
  constexpr std::string_view indent = "      ";
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : fmt::format(",\n{}", indent), name, value);
  };
  for (const auto& list : {list_sgprs, list_specials, list_ttmps}) {
    for (const ListedRegister& listed : list(scenario, state)) {
      // CSP is part of `mode`.
      if (listed.value != read_register(other, listed.where) && listed.name != "csp")
        add(listed.name, value_text(listed));
    }
  }
  for (const ListedVector& vector : list_vectors(scenario, state)) {
    const u32 number = state_index::vector_of(vector.where.index);
    if (vector.lanes != other.vectors.lanes(number) || vector.defined != other.vectors.defined(number))
      add(vector.name, lanes_text(vector, indent));
  }
  return "{" + text + "}";
}

std::string memory_yaml(const Scenario& scenario, const Memory& memory) {
  const std::vector<MemoryPiece> pieces = memory_to_dump(scenario, memory);
  std::string text = pieces.empty() ? "memory: []\n" : "memory:\n";
  for (const MemoryPiece& piece : pieces) {
    text += fmt::format("  - {{at: {}, size: {}, access: {}{}}}\n", support::hex(piece.region.base),
                        piece.region.size_bytes, piece.region.access == Access::read ? "r" : "rw", contents(piece));
  }
  return text;
}

std::string yaml_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  const WaveState& state = outcome.state;
  const Stop& stop = outcome.stop;
  std::string text = fmt::format(
      "---\nschema: salu-state-v1\nname: {}\ntarget: {}\nstop: {{reason: {}, pc: {}, instruction: {}, detail: "
      "{}}}\nsteps: {}\n",
      quote(scenario.name), scenario.program.target->name, stop.reason_name(), support::hex(stop.pc),
      quote(stop.instruction), quote(stop.detail), outcome.steps);
  if (outcome.skipped_vector != 0) text += fmt::format("skipped_vector: {}\n", outcome.skipped_vector);
  if (outcome.fidelity) text += fidelity_yaml(scenario.program, *outcome.fidelity);
  text += outcome.warnings.empty() ? "warnings: []\n" : "warnings:\n";
  for (const Warning& warning : outcome.warnings) {
    text += fmt::format("  - {{kind: {}, pc: {}, instruction: {}, detail: {}", warning_kind_name(warning.kind),
                        support::hex(warning.pc), quote(warning.instruction), quote(warning.detail));
    if (warning.culprit_pc) text += fmt::format(", culprit_pc: {}", support::hex(*warning.culprit_pc));
    if (warning.victim_pc) text += fmt::format(", victim_pc: {}", support::hex(*warning.victim_pc));
    if (warning.producer_pc) text += fmt::format(", producer_pc: {}", support::hex(*warning.producer_pc));
    if (warning.hazard) text += hazard_text(*warning.hazard);
    if (warning.undefined) text += undefined_yaml(*warning.undefined);
    if (warning.race) text += race_text(*warning.race);
    text += "}\n";
  }
  if (mismatches != nullptr) {
    text += mismatches->empty() ? "mismatches: []\n" : "mismatches:\n";
    for (const Mismatch& mismatch : *mismatches) text += mismatch_text(mismatch);
  }
  text += registers_yaml(scenario, state);
  std::vector<std::string> undefined = list_undefined(scenario, state);
  for (std::string& name : undefined) {
    if (name.find('[') != std::string::npos) name = quote(name);
  }
  text += "undefined: [" + joined(undefined) + "]\n";
  text += memory_yaml(scenario, outcome.memory);
  return text;
}

}  // namespace salu::output
