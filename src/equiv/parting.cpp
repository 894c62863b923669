#include "equiv/parting.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "equiv/trace.hpp"
#include "isa/control_flow.hpp"
#include "observe/accesses.hpp"
#include "support/numbers.hpp"

namespace salu::equiv {
namespace {

using support::hex;

constexpr std::size_t most_steps_kept = 200'000;

/// The place `f+0x8, f.c:12`, as far as known.
std::string place_of(const Program& program, u64 address) {
  std::string text = program.describe_address(address);
  const auto line = std::ranges::lower_bound(program.lines, address, {}, &LineEntry::address);
  if (line != program.lines.end() && line->address == address) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", program.files[line->file], line->line);
  }
  return text;
}

/// A side with the trace of its run.
struct Traced {
  const Side& side;
  std::vector<TracedStep> steps;
  std::unordered_set<u32> values;  ///< all values that it computed or started with

  explicit Traced(const Side& traced, observe::LastWriters& writers)
      : side(traced), steps(trace_last_run(traced, most_steps_kept, &writers)) {
    for (const TracedStep& step : steps) {
      for (const auto* list : {&step.written, &step.read}) {
        for (const LocationValue& value : *list) values.insert(value.values().begin(), value.values().end());
      }
      for (const VectorResult& result : step.vectors_written) values.insert(result.values.begin(), result.values.end());
    }
  }

  [[nodiscard]] bool is_whole() const { return steps.size() < most_steps_kept; }
  [[nodiscard]] PartingLine line(const TracedStep& step) const {
    return {side.index() == 1, step.pc,      place_of(side.scenario().program, step.pc),
            step.instruction,  step.effects, side.wave_name(step.wave)};
  }
  [[nodiscard]] PartingLine sentence(std::string text) const {
    return {side.index() == 1, 0, {}, {}, std::move(text), {}};
  }
};

/// A cell of state in the trace of several waves: each wave has its own registers, and all waves share memory.
class CellsOfWaves {
 public:
  /// Adds the cell; false if it was added before.
  bool insert(u64 wave, Cell cell) { return cells_[wave_of(wave, cell)].insert(cell).second; }
  bool erase(u64 wave, Cell cell) { return cells_[wave_of(wave, cell)].erase(cell) != 0; }
  [[nodiscard]] bool contains(u64 wave, Cell cell) { return cells_[wave_of(wave, cell)].contains(cell); }

 private:
  static u64 wave_of(u64 wave, Cell cell) { return cell < state_index::memory ? wave : 0; }
  std::unordered_map<u64, std::unordered_set<Cell>> cells_;  ///< by wave
};

PartingLine end_of(const Traced& traced) {
  const Stop stop = traced.side.stop();
  // The detail names the wave.
  PartingLine line{
      traced.side.index() == 1,        stop.pc, place_of(traced.side.scenario().program, stop.pc), stop.instruction,
      std::string(stop.reason_name()), {}};
  // The instruction after the end of a function may belong to another function.
  if (stop.reason == StopReason::returned) line.instruction.clear();
  if (!stop.detail.empty()) line.effects += ": " + stop.detail;
  return line;
}

bool has_same_shape(const Side& a, const Side& b, const CodeMap& map_a, const CodeMap& map_b) {
  const Program& left = a.scenario().program;
  const Program& right = b.scenario().program;
  return left.generation() == right.generation() && left.entry == right.entry && map_a.addresses() == map_b.addresses();
}

/// The indices of the steps of each wave.
std::unordered_map<u64, std::vector<std::size_t>> steps_of_waves(const Traced& traced) {
  std::unordered_map<u64, std::vector<std::size_t>> waves;
  for (std::size_t i = 0; i < traced.steps.size(); ++i) waves[traced.steps[i].wave].push_back(i);
  return waves;
}

/// Finds the first step that writes other values, or branches to another address; the instruction itself may be the
/// same. Each wave is compared with the same wave of the other program: its turns may begin at other times there.
void compare_side_by_side(const Traced& a, const Traced& b, std::vector<PartingNote>& notes) {
  auto waves = steps_of_waves(b);
  std::unordered_map<u64, std::size_t> counts;
  for (const TracedStep& left : a.steps) {
    const std::vector<std::size_t>& others = waves[left.wave];
    const std::size_t number = counts[left.wave]++;
    if (number >= others.size()) continue;
    const TracedStep& right = b.steps[others[number]];
    if (left.does_the_same_as(right)) continue;
    const std::string of_wave = a.side.runs_several_waves() ? " of the wave" : "";
    notes.push_back({fmt::format("the first instruction with another effect, step {}{} of both:", number + 1, of_wave),
                     {a.line(left), b.line(right)}});
    return;
  }
}

/// Returns the steps on which the last value of a place depends, in order: those that computed it, and branches before
/// them. `wave`: the wave whose register it is.
std::vector<std::size_t> slice(const std::vector<TracedStep>& steps, const Location& place, u64 wave) {
  std::vector<std::size_t> found;
  CellsOfWaves needed;
  for (u32 k = 0; k < place.dwords; ++k) needed.insert(wave, cell_of(place, k));
  for (std::size_t i = steps.size(); i-- > 0;) {
    const TracedStep& step = steps[i];
    bool counts = step.is_branch();
    for (const LocationValue& value : step.written) {
      for (u32 k = 0; k < value.location.dwords; ++k) {
        counts = needed.erase(step.wave, cell_of(value.location, k)) || counts;
      }
    }
    // The first lane represents all lanes; a step that does not write all of them leaves needed lanes.
    for (const VectorResult& result : step.vectors_written) {
      const Cell cell = cell_of(result.location, 0);
      counts = needed.contains(step.wave, cell) || counts;
      if (~result.lanes == 0) needed.erase(step.wave, cell);
    }
    if (!counts) continue;
    found.push_back(i);
    for (const LocationValue& value : step.read) {
      for (u32 k = 0; k < value.location.dwords; ++k) needed.insert(step.wave, cell_of(value.location, k));
    }
    for (const VectorRead& read : step.vectors_read) needed.insert(step.wave, cell_of(read.location, 0));
  }
  std::ranges::reverse(found);
  return found;
}

/// Returns the first step before a place's last write whose result the other program never computes.
const TracedStep* first_result_of_its_own(const Traced& traced, const Traced& other, const Location& place) {
  for (const std::size_t i : slice(traced.steps, place, traced.side.read_wave())) {
    const TracedStep& step = traced.steps[i];
    // Constants may be written by one program and be part of an instruction in the other.
    if (!step.reads_anything()) continue;
    const auto is_own = [&](u32 dword) { return !other.values.contains(dword); };
    for (const LocationValue& value : step.written) {
      const bool is_data = value.location.is_in_file() || value.location.is_memory();
      if (is_data && std::ranges::any_of(value.values(), is_own)) return &step;
    }
    for (const VectorResult& result : step.vectors_written) {
      if (std::ranges::any_of(result.values, is_own)) return &step;
    }
  }
  return nullptr;
}

/// Returns the location of a differing output in one program; for memory that of the first difference. Nothing for
/// outputs that traces do not have.
std::optional<Location> place_in(const Output& output, const Side& a, const Side& b, std::size_t side) {
  if (!output.place.is_memory) return output.place.registers[side].location();
  const std::vector<DifferingMemory> differing = differing_memory(a, b, output);
  if (differing.empty()) return std::nullopt;
  return Location::in_memory(differing.front().addresses[side]);
}

/// The first output that differs, with its location.
struct FirstDifference {
  std::string name;
  std::array<std::optional<Location>, 2> places;

  [[nodiscard]] std::vector<Location> watched(std::size_t side) const {
    return places[side] ? std::vector{*places[side]} : std::vector<Location>{};
  }
};

std::optional<FirstDifference> first_difference(const Side& a, const Side& b, const OutputSet& set) {
  for (const Output& output : set.outputs) {
    if (output.may_be_temporary) continue;
    OutputSet alone;
    alone.outputs.push_back(output);
    const auto differences = list_differences(a, b, alone);
    if (differences.empty()) continue;
    return FirstDifference{differences.front().name, {place_in(output, a, b, 0), place_in(output, a, b, 1)}};
  }
  if (!set.all_memory) return std::nullopt;
  const std::vector<DifferingMemory> differing = differing_memory(a, b, set.memory_floats);
  if (differing.empty()) return std::nullopt;
  const u64 address = differing.front().addresses[0];
  return FirstDifference{"memory " + hex(address), {Location::in_memory(address), Location::in_memory(address)}};
}

void follow_output(const Traced& a, const Traced& b, const std::array<observe::LastWriters, 2>& writers,
                   const FirstDifference& difference, std::vector<PartingNote>& notes) {
  PartingNote own{"before that, the first result that the other program never computes:", {}};
  PartingNote last{"the last write of " + difference.name + ":", {}};
  for (const std::size_t side : both_sides) {
    if (!difference.places[side]) return;
    const Traced& traced = side == 0 ? a : b;
    const Traced& other = side == 0 ? b : a;
    const auto& writer = writers[side].of(0);
    const TracedStep* const last_step = writer ? &traced.steps[static_cast<std::size_t>(writer->step - 1)] : nullptr;
    last.lines.push_back(last_step == nullptr ? traced.sentence("not written: it has its initial value")
                                              : traced.line(*last_step));
    const TracedStep* const step = first_result_of_its_own(traced, other, *difference.places[side]);
    if (step != nullptr && step != last_step) own.lines.push_back(traced.line(*step));
  }
  notes.push_back(std::move(last));
  if (!own.lines.empty()) notes.push_back(std::move(own));
}

/// The steps that write memory with possible results, in order.
class MemoryWrites {
 public:
  MemoryWrites(const Side& side, const Traced& traced) {
    for (const TracedStep& step : traced.steps) {
      const auto is_memory = [&](const LocationValue& value) {
        return value.location.is_memory() && !is_passing_memory(side, value.location.address);
      };
      if (!std::ranges::any_of(step.written, is_memory)) continue;
      all_.push_back(&step);
      waves_[step.wave].push_back(&step);
    }
  }

  [[nodiscard]] const std::vector<const TracedStep*>& all() const { return all_; }
  /// Returns one of the writes of a wave; null if there are fewer.
  [[nodiscard]] const TracedStep* of_wave(u64 wave, std::size_t number) const {
    const auto writes = waves_.find(wave);
    return writes == waves_.end() || number >= writes->second.size() ? nullptr : writes->second[number];
  }

 private:
  std::vector<const TracedStep*> all_;
  std::unordered_map<u64, std::vector<const TracedStep*>> waves_;
};

/// Finds the first write to memory that differs. The writes of each wave are compared with those of the same wave.
void compare_memory_writes(const Traced& a, const Traced& b, std::vector<PartingNote>& notes) {
  const std::array<MemoryWrites, 2> writes = {MemoryWrites(a.side, a), MemoryWrites(b.side, b)};
  for (const std::size_t side : both_sides) {
    std::unordered_map<u64, std::size_t> counts;
    for (const TracedStep* const step : writes[side].all()) {
      const std::size_t number = counts[step->wave]++;
      const TracedStep* const other = writes[1 - side].of_wave(step->wave, number);
      if (other != nullptr && other->written == step->written) continue;
      const auto line = [&](const Traced& traced, const TracedStep* found) {
        return found != nullptr ? traced.line(*found) : traced.sentence("no such write");
      };
      const std::string of_wave = a.side.runs_several_waves() ? " of the wave" : "";
      notes.push_back({fmt::format("the first write to memory that differs, number {}{}:", number + 1, of_wave),
                       {line(a, side == 0 ? step : other), line(b, side == 0 ? other : step)}});
      return;
    }
  }
}

}  // namespace

std::vector<PartingNote> find_parting(const Side& a, const Side& b, const CodeMap& map_a, const CodeMap& map_b,
                                      const OutputSet& set) {
  const std::optional<FirstDifference> difference = first_difference(a, b, set);
  std::array<observe::LastWriters, 2> writers = {
      observe::LastWriters(difference ? difference->watched(0) : std::vector<Location>{}),
      observe::LastWriters(difference ? difference->watched(1) : std::vector<Location>{})};
  const Traced left(a, writers[0]);
  const Traced right(b, writers[1]);
  std::vector<PartingNote> notes;
  const bool side_by_side = has_same_shape(a, b, map_a, map_b);
  if (side_by_side) compare_side_by_side(left, right, notes);
  if (judge(a, b, set).kind == Judgement::Kind::stop_differs) {
    notes.push_back({"the ends of the runs:", {end_of(left), end_of(right)}});
    return notes;
  }
  if (!left.is_whole() || !right.is_whole()) {
    if (notes.empty()) notes.push_back({"the runs are too long to look back from their ends", {}});
    return notes;
  }
  const bool has_waves = a.runs_several_waves() || b.runs_several_waves();
  if (difference && (notes.empty() || has_waves)) follow_output(left, right, writers, *difference, notes);
  if (notes.empty() || !side_by_side) compare_memory_writes(left, right, notes);
  return notes;
}

}  // namespace salu::equiv
