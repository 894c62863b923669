#include "equiv/discovery.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "equiv/outputs.hpp"
#include "equiv/vector_names.hpp"
#include "isa/operand.hpp"
#include "observe/accesses.hpp"

namespace salu::equiv {
namespace {

/// The limit of analysed steps of a run.
constexpr std::size_t most_steps_watched = 20'000;

/// True if a step stores lanes to private memory, or moves them to an AGPR. At -O0 SGPRs are spilled in this way: to
/// single lanes of a register, which is stored as a whole, with unset lanes.
bool spills(const Side& side, const TracedStep& step) {
  const auto is_agpr = [](const VectorResult& result) {
    return result.location.index >= state_index::agprs && result.location.index < state_index::memory;
  };
  return std::ranges::any_of(step.vectors_written, is_agpr) ||
         std::ranges::any_of(step.written, [&](const LocationValue& value) {
           return value.location.is_memory() && is_passing_memory(side, value.location.address);
         });
}

Input input_of(Place place, u32 bits) {
  Input input;
  input.place = std::move(place);
  input.bits = bits;
  input.span = low_bits(bits);
  return input;
}

}  // namespace

/// See LLVM's SIRegisterInfo, and AMDGPUUsage "Function ABI".
bool is_stack_register(const Program& program, u32 code) {
  constexpr u32 stack_pointer = 32;
  constexpr u32 base_pointer = 34;
  return program.return_address && code >= stack_pointer && code <= base_pointer;
}

bool can_vary(Generation generation, u32 code) {
  using isa::OperandClass;
  const OperandClass operand = isa::operand_class(generation, static_cast<u8>(code));
  return operand == OperandClass::sgpr || operand == OperandClass::flat_scratch ||
         operand == OperandClass::xnack_mask || operand == OperandClass::vcc || operand == OperandClass::m0 ||
         operand == OperandClass::ttmp;
}

EntryKind entry_kind(const Program& program) {
  if (program.function_end || program.return_address) return EntryKind::function;
  const bool is_compiled = std::ranges::any_of(
      program.symbols, [&](const Symbol& symbol) { return symbol.address == program.entry && symbol.size_bytes != 0; });
  return is_compiled ? EntryKind::ends_itself : EntryKind::plain;
}

Discovery::Discovery(const Programs& programs) : programs_(programs) {
  for (const std::size_t side : both_sides) {
    const Scenario& scenario = *programs[side];
    flows_[side] = observe::find_register_flow(scenario.program, scenario.initial, scenario.options.on_vector);
  }
}

bool Discovery::is_varied(const std::vector<Input>& inputs, std::size_t side, u32 code) const {
  return std::ranges::any_of(inputs, [&](const Input& input) {
    const RegisterName& name = input.place.registers[side];
    return !input.place.is_memory && name.location().holds(code);
  });
}

void Discovery::note_not_varied(const std::string& name, std::string_view reason) {
  auto group = std::ranges::find(not_varied_, reason, [](const auto& entry) { return entry.first; });
  if (group == not_varied_.end()) group = not_varied_.insert(not_varied_.end(), {reason, {}});
  if (std::ranges::find(group->second, name) == group->second.end()) group->second.push_back(name);
}

std::vector<std::string> Discovery::not_varied() const {
  std::vector<std::string> texts;
  for (const auto& [reason, names] : not_varied_) {
    std::string text;
    for (const std::string& name : with_whole_vectors(names)) text += (text.empty() ? "" : ", ") + name;
    texts.push_back(text + ": " + std::string(reason));
  }
  return texts;
}

std::vector<Input> Discovery::watch(const Side& side, const std::vector<Input>& inputs) {
  std::vector<TracedStep> steps = trace_last_run(side, most_steps_watched);
  note_results(side, steps);
  std::vector<Input> all = inputs;
  if (side.runs_several_waves()) {
    std::map<u64, std::vector<TracedStep>> waves;
    for (TracedStep& step : steps) waves[step.wave].push_back(std::move(step));
    for (const auto& [wave, own] : waves) watch_wave(side, side.wave_start(wave), own, all);
  } else {
    watch_wave(side, side.scenario().initial, steps, all);
  }
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
  return all;
}

void Discovery::watch_wave(const Side& side, const WaveState& initial, const std::vector<TracedStep>& steps,
                           std::vector<Input>& inputs) {
  const Program& program = side.scenario().program;
  const Generation generation = program.generation();
  std::unordered_set<Cell> written;
  const auto is_new = [&](u32 code) {
    if (written.contains(code) || !can_vary(generation, code)) return false;
    const bool is_given = initial.defined.test(code);
    const bool is_stack = is_stack_register(program, code);
    const bool is_sgpr = isa::operand_class(generation, static_cast<u8>(code)) == isa::OperandClass::sgpr;
    takes_scalars_ = takes_scalars_ || (is_sgpr && !is_given && !is_stack);
    if (is_varied(inputs, side.index(), code)) return false;
    const std::string name = isa::register_name(generation, register_code(generation, code), 1);
    if (is_given) {
      note_not_varied(name, "the scenario or the loader gives a value");
    } else if (is_stack) {
      note_not_varied(name, "a function's stack pointer, set to 0");
    } else if (!file_place(programs_, side.index(), code, 1)) {
      note_not_varied(name, "only one of the programs can have it");
    } else {
      return true;
    }
    return false;
  };
  for (const TracedStep& step : steps) {
    for (const LocationValue& value : step.read) {
      if (value.location.index == state_index::scc && !written.contains(state_index::scc) &&
          !initial.defined.test(state_index::scc)) {
        const auto is_scc = [](const Input& input) { return input.place.registers[0].is_scc(); };
        if (std::ranges::any_of(inputs, is_scc)) continue;
        const RegisterName scc{state_index::scc, 1};
        inputs.push_back(input_of({"scc", false, {scc, scc}, {}, 0}, 1));
      }
      if (!value.location.is_in_file()) continue;
      const u32 end = value.location.index + value.location.dwords;
      for (u32 code = value.location.index; code < end; ++code) {
        if (!is_new(code)) continue;
        // A pair that is read as a 64-bit value is varied as one input.
        const bool is_pair = code % 2 == 0 && code + 1 < end && is_new(code + 1);
        auto place = file_place(programs_, side.index(), code, is_pair ? 2 : 1);
        if (place) inputs.push_back(input_of(std::move(*place), is_pair ? 64 : 32));
      }
    }
    for (const LocationValue& value : step.written) {
      for (u32 i = 0; i < value.location.dwords; ++i) written.insert(cell_of(value.location, i));
    }
  }
  watch_vectors(side, initial, steps, inputs);
}

void Discovery::watch_vectors(const Side& side, const WaveState& initial, const std::vector<TracedStep>& steps,
                              std::vector<Input>& inputs) {
  const bool is_function = entry_kind(side.scenario().program) == EntryKind::function;
  std::array<u64, VectorRegisters::count> written{};
  for (const TracedStep& step : steps) {
    const bool is_spill = !step.vectors_read.empty() && spills(side, step);
    for (const VectorRead& read : step.vectors_read) {
      const u32 number = state_index::vector_of(read.location.index);
      if (is_spill && written[number] != 0) continue;
      const u64 given = initial.vectors.defined(number);
      const std::string name = isa::vector_register_name(read.location.index, state_index::lanes);
      if ((read.lanes & ~written[number] & given) != 0)
        note_not_varied(name, "the scenario or the loader gives a value");
      if ((read.lanes & ~written[number] & ~given) == 0) continue;
      // All unset lanes of the register, because the active lanes may depend on the inputs.
      if (is_function && number >= most_results) {
        note_not_varied(name, "not an argument register, set to 0");
        continue;
      }
      uses_[side.index()].takes_v0 |= number == 0;
      uses_[side.index()].takes_vectors = true;
      if (is_varied(inputs, side.index(), read.location.index)) continue;
      const std::vector<Place> places = lane_places(programs_, number, ~given);
      if (places.empty()) note_not_varied(name, "only one of the programs can have it");
      for (const Place& place : places) inputs.push_back(input_of(place, 32));
    }
    for (const VectorResult& result : step.vectors_written)
      written[state_index::vector_of(result.location.index)] |= result.lanes;
  }
}

void Discovery::note_results(const Side& side, const std::vector<TracedStep>& steps) {
  for (const TracedStep& step : steps) {
    for (const LocationValue& value : step.written) {
      for (const u32 index : observe::defined_indices(value.location)) uses_[side.index()].written.set(index);
    }
    for (const VectorResult& result : step.vectors_written)
      uses_[side.index()].vectors_written.set(state_index::vector_of(result.location.index));
  }
  if (!is_regular_end(side.reason()) || steps.size() >= most_steps_watched) return;
  std::bitset<most_results> written;
  std::bitset<most_results> read;
  for (const TracedStep& step : steps) {
    for (const LocationValue& value : step.read) {
      for (u32 i = 0; i < value.location.dwords; ++i) {
        if (const Cell read_cell = cell_of(value.location, i); read_cell < most_results) read.set(read_cell);
      }
    }
    for (const LocationValue& value : step.written) {
      for (u32 i = 0; i < value.location.dwords; ++i) {
        const Cell written_cell = cell_of(value.location, i);
        if (written_cell >= most_results) continue;
        written.set(written_cell);
        read.reset(written_cell);
      }
    }
  }
  Use& use = uses_[side.index()];
  note_vector_results(use, steps);
  use.written_always = use.regular_runs == 0 ? written : use.written_always & written;
  use.read_after_last_write |= read & written;
  ++use.regular_runs;
}

void Discovery::note_vector_results(Use& use, const std::vector<TracedStep>& steps) {
  std::bitset<most_results> all_written;
  std::array<u64, most_results> read{};
  for (const TracedStep& step : steps) {
    for (const VectorRead& each : step.vectors_read) {
      const u32 number = state_index::vector_of(each.location.index);
      if (number < most_results) read[number] |= each.lanes;
    }
    for (const VectorResult& each : step.vectors_written) {
      const u32 number = state_index::vector_of(each.location.index);
      if (number >= most_results) continue;
      all_written.set(number);
      read[number] &= ~each.lanes;
    }
  }
  use.vectors_written_always = use.regular_runs == 0 ? all_written : use.vectors_written_always & all_written;
  for (u32 number = 0; number < most_results; ++number) {
    if (read[number] != 0 && all_written.test(number)) use.vectors_read_after_last_write.set(number);
  }
}

namespace {

/// True if both programs write a register, or one writes it and the other may return an argument in it.
template <class Registers>
bool may_both_leave(const std::array<observe::RegisterFlow, 2>& flows, u32 number, const Registers& registers) {
  const auto is_in = [&](const observe::WaveRegisters& set) { return registers(set).test(number); };
  const bool is_argument = is_in(flows[0].live) || is_in(flows[1].live);
  const bool a = is_in(flows[0].writes);
  const bool b = is_in(flows[1].writes);
  return (a && b) || ((a || b) && is_argument);
}

}  // namespace

bool Discovery::may_be_result(u32 sgpr) const {
  return may_both_leave(flows_, sgpr, [](const observe::WaveRegisters& set) { return set.scalars; });
}

bool Discovery::may_be_vector_result(u32 vgpr) const {
  return may_both_leave(flows_, vgpr, [](const observe::WaveRegisters& set) { return set.vectors; });
}

bool Discovery::is_vector_written_always(u32 vgpr) const {
  return uses_[0].vectors_written_always.test(vgpr) && uses_[1].vectors_written_always.test(vgpr);
}

bool Discovery::is_vector_left_behind(u32 vgpr) const {
  return !uses_[0].vectors_read_after_last_write.test(vgpr) && !uses_[1].vectors_read_after_last_write.test(vgpr);
}

bool Discovery::is_written_always(u32 sgpr) const {
  return uses_[0].written_always.test(sgpr) && uses_[1].written_always.test(sgpr);
}

bool Discovery::is_written(u32 sgpr) const { return uses_[0].written.test(sgpr) || uses_[1].written.test(sgpr); }

bool Discovery::is_left_behind(u32 sgpr) const {
  return !uses_[0].read_after_last_write.test(sgpr) && !uses_[1].read_after_last_write.test(sgpr);
}

}  // namespace salu::equiv
