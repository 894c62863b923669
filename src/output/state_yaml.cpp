#include "output/formats.hpp"
#include "output/state_list.hpp"
#include "support/numbers.hpp"

// Written by hand rather than through an emitter: the layout is part of what makes a dump readable, and all that can
// need an escape are the texts, which go in quotes.
namespace salu::output {
namespace {

constexpr std::size_t most_bytes_as_words = 4096;
// Long lines cost a reader of YAML a lot.
constexpr std::size_t words_bytes_per_line = 32;
constexpr std::size_t bytes_per_line = 48;

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text.append(text.empty() ? "" : ", ").append(item);
  return text;
}

/// Under `registers:` stands what has a value: what is not named there counts as undefined when it is loaded.
void add_registers(const Scenario& scenario, const WaveState& state, const std::vector<ListedRegister>& list,
                   std::string& text) {
  for (const ListedRegister& listed : list) {
    if (listed.definition == Definition::some) {
      add_registers(scenario, state, halves_of(scenario, state, listed), text);
    } else if (listed.definition != Definition::none || listed.value != 0) {
      // Part of `mode`.
      if (listed.name != "csp") text += "  " + listed.name + ": " + value_text(listed) + "\n";
    }
  }
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
  return "  - {what: " + quote(mismatch.what) + ", expected: " + quote(mismatch.expected) +
         ", actual: " + quote(mismatch.actual) + "}\n";
}

}  // namespace

std::string registers_yaml(const Scenario& scenario, const WaveState& state) {
  std::string text = "sgprs: " + std::to_string(state.sgprs) + "\nregisters:\n";
  add_registers(scenario, state, list_sgprs(scenario, state), text);
  add_registers(scenario, state, list_specials(scenario, state), text);
  add_registers(scenario, state, list_ttmps(scenario, state), text);
  std::vector<std::string> hwregs;
  for (const ListedRegister& listed : list_hwregs(scenario, state))
    hwregs.push_back(listed.name + ": " + value_text(listed));
  return text + "hwregs: {" + joined(hwregs) + "}\n";
}

std::string memory_yaml(const Scenario& scenario, const Memory& memory) {
  const std::vector<MemoryPiece> pieces = memory_to_dump(scenario, memory);
  std::string text = pieces.empty() ? "memory: []\n" : "memory:\n";
  for (const MemoryPiece& piece : pieces) {
    text += "  - {at: " + support::hex(piece.region.base) + ", size: " + std::to_string(piece.region.size_bytes) +
            ", access: " + (piece.region.access == Access::read ? "r" : "rw") + contents(piece) + "}\n";
  }
  return text;
}

std::string yaml_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  const WaveState& state = outcome.state;
  const Stop& stop = outcome.stop;
  std::string text = "---\nschema: salu-state-v1\nname: " + quote(scenario.name) +
                     "\ntarget: " + std::string(scenario.program.target->name) +
                     "\nstop: {reason: " + std::string(stop.reason_name()) + ", pc: " + support::hex(stop.pc) +
                     ", instruction: " + quote(stop.instruction) + ", detail: " + quote(stop.detail) +
                     "}\nsteps: " + std::to_string(outcome.steps) + "\n";
  if (outcome.skipped_vector != 0) text += "skipped_vector: " + std::to_string(outcome.skipped_vector) + "\n";
  text += outcome.warnings.empty() ? "warnings: []\n" : "warnings:\n";
  for (const Warning& warning : outcome.warnings) {
    text += "  - {kind: " + std::string(warning_kind_name(warning.kind)) + ", pc: " + support::hex(warning.pc) +
            ", instruction: " + quote(warning.instruction) + ", detail: " + quote(warning.detail);
    if (warning.culprit_pc) text += ", culprit_pc: " + support::hex(*warning.culprit_pc);
    if (warning.victim_pc) text += ", victim_pc: " + support::hex(*warning.victim_pc);
    text += "}\n";
  }
  if (mismatches != nullptr) {
    text += mismatches->empty() ? "mismatches: []\n" : "mismatches:\n";
    for (const Mismatch& mismatch : *mismatches) text += mismatch_text(mismatch);
  }
  text += registers_yaml(scenario, state);
  text += "undefined: [" + joined(list_undefined(scenario, state)) + "]\n";
  text += memory_yaml(scenario, outcome.memory);
  return text;
}

}  // namespace salu::output
