#include "equiv/many_pairs.hpp"

#include <algorithm>

namespace salu::equiv {
namespace {

/// Limited so that the data of the states stays in the cache.
constexpr std::size_t states_at_once = 4096;

void add(ManyPairs::Equal& sum, const ManyPairs::Equal& more) {
  sum.states += more.states;
  for (const std::size_t side : both_sides) {
    for (std::size_t i = 0; i < sum.endings[side].size(); ++i) sum.endings[side][i] += more.endings[side][i];
  }
}

}  // namespace

std::unique_ptr<ManyPairs> ManyPairs::make(const Programs& programs, const std::vector<Input>& inputs,
                                           const OutputSet& set, u64 max_steps) {
  std::unique_ptr<ManyPairs> many(new ManyPairs(inputs, set, max_steps));
  for (const std::size_t side : both_sides) {
    std::vector<batch::Part> in;
    std::vector<batch::Part> out;
    for (const Input& input : inputs) {
      const Place& place = input.place;
      in.push_back({place.is_memory, place.registers[side], place.addresses[side], static_cast<u32>(place.size_bytes)});
    }
    for (const Output& output : set.outputs) {
      // Memory is not written by the batch, so it is equal or different in all states alike.
      if (output.place.is_memory) return nullptr;
      out.push_back({false, output.place.registers[side]});
    }
    const Scenario& scenario = *programs[side];
    many->prepared_[side] = batch::PreparedTable::make(scenario.program, scenario.initial, scenario.memory,
                                                       scenario.options.on_vector, in, out);
    if (!many->prepared_[side]) return nullptr;
  }
  return many;
}

std::size_t ManyPairs::run(const Combinations& combinations, u64 first, std::size_t count, const ForEach& for_each,
                           const Deadline& deadline) {
  const auto fill = [&](batch::TableRuns& runs, std::size_t from, std::size_t states) {
    fill_combinations(combinations, runs, first + from, states);
  };
  return run_parts(count, fill, for_each, deadline);
}

std::size_t ManyPairs::run(std::span<const u64> values, std::size_t count, const ForEach& for_each,
                           const Deadline& deadline) {
  const auto fill = [&](batch::TableRuns& runs, std::size_t from, std::size_t states) {
    for (std::size_t state = 0; state < states; ++state) {
      for (std::size_t input = 0; input < inputs_.size(); ++input)
        runs.set(input, state, values[(from + state) * inputs_.size() + input]);
    }
  };
  return run_parts(count, fill, for_each, deadline);
}

std::size_t ManyPairs::run_parts(std::size_t count, const Fill& fill, const ForEach& for_each,
                                 const Deadline& deadline) {
  const std::size_t parts = (count + states_of_part - 1) / states_of_part;
  if (parts_.size() < parts) parts_.resize(parts);
  for (Part& part : parts_) {
    part.done = 0;
    part.equal.clear();
  }
  next_part_ = 0;
  next_in_part_ = 0;
  for_each(parts, [&](std::size_t index) {
    Part& part = parts_[index];
    const std::size_t first = index * states_of_part;
    const std::size_t end = std::min(count, first + states_of_part);
    part.equal.assign(1, {});
    for (std::size_t from = first; from < end; from += states_at_once) {
      if (deadline.is_over()) return false;
      const std::size_t states = std::min(states_at_once, end - from);
      for (const std::size_t side : both_sides) {
        if (!part.runs[side]) {
          part.runs[side] = std::make_unique<batch::TableRuns>(*prepared_[side]);
          part.runs[side]->sample_new_code();
        }
        batch::TableRuns& runs = *part.runs[side];
        runs.begin(states);
        fill(runs, from, states);
        runs.run(max_steps_);
      }
      compare(part, states);
      part.done += states;
    }
    return true;
  });
  // States after the first one that has not run are dropped.
  std::size_t done = 0;
  bool is_cut = false;
  for (Part& part : parts_) {
    if (is_cut) {
      part.equal.clear();
    } else {
      done += part.done;
    }
    is_cut = is_cut || part.done < states_of_part;
  }
  return done;
}

/// Lanes of a vector register often share a row.
void ManyPairs::find_compared(Part& part) const {
  const auto is_same = [&](std::size_t i, std::size_t other) {
    const auto row = [&](std::size_t side, std::size_t output) { return part.runs[side]->results(output).data(); };
    return row(0, i) != nullptr && row(0, i) == row(0, other) && row(1, i) == row(1, other) &&
           set_.outputs[i].mask == set_.outputs[other].mask;
  };
  part.compared.clear();
  for (std::size_t i = 0; i < set_.outputs.size(); ++i) {
    const auto is_known = [&](std::size_t other) { return is_same(i, other); };
    if (std::ranges::none_of(part.compared, is_known)) part.compared.push_back(i);
  }
}

void ManyPairs::compare(Part& part, std::size_t states) const {
  const batch::TableRuns& a = *part.runs[0];
  const batch::TableRuns& b = *part.runs[1];
  if (part.compared.empty()) find_compared(part);
  // Usually all states are equal.
  if (are_equal(part, states)) {
    Equal& equal = part.equal.back();
    equal.states += states;
    for (const std::size_t side : both_sides) equal.endings[side][static_cast<std::size_t>(a.ending(0))] += states;
    return;
  }
  std::array<u32, states_at_once> differs{};
  for (const std::size_t i : part.compared) {
    const std::span<const u32> left = a.results(i);
    const std::span<const u32> right = b.results(i);
    const u64 mask = set_.outputs[i].mask;
    if (left.empty() || right.empty()) {
      for (std::size_t state = 0; state < states; ++state)
        differs[state] |= ((a.read(i, state) ^ b.read(i, state)) & mask) != 0 ? 1U : 0U;
    } else {
      for (std::size_t state = 0; state < states; ++state)
        differs[state] |= (left[state] ^ right[state]) & static_cast<u32>(mask);
    }
  }
  note(part, states, differs);
}

/// True if all runs have the same end, and no state differs.
bool ManyPairs::are_equal(const Part& part, std::size_t states) const {
  const batch::TableRuns& a = *part.runs[0];
  const batch::TableRuns& b = *part.runs[1];
  const batch::Ending ending = a.ending(0);
  if (ending == batch::Ending::left || a.count(ending) != states || b.count(ending) != states) return false;
  return std::ranges::all_of(part.compared, [&](std::size_t i) {
    const std::span<const u32> left = a.results(i);
    const std::span<const u32> right = b.results(i);
    const u64 mask = set_.outputs[i].mask;
    if (!left.empty() && !right.empty())
      return (a.loops().difference(left.data(), right.data(), states) & static_cast<u32>(mask)) == 0;
    u64 bits = 0;
    for (std::size_t state = 0; state < states; ++state) bits |= a.read(i, state) ^ b.read(i, state);
    return (bits & mask) == 0;
  });
}

/// Adds the results of some states.
void ManyPairs::note(Part& part, std::size_t states, std::span<const u32> differs) const {
  const std::span<const batch::Ending> a = part.runs[0]->endings();
  const std::span<const batch::Ending> b = part.runs[1]->endings();
  for (std::size_t state = 0; state < states; ++state) {
    if (differs[state] != 0 || a[state] == batch::Ending::left || a[state] != b[state]) {
      part.equal.emplace_back();
      continue;
    }
    ++part.equal.back().states;
    ++part.equal.back().endings[0][static_cast<std::size_t>(a[state])];
    ++part.equal.back().endings[1][static_cast<std::size_t>(b[state])];
  }
}

void ManyPairs::fill_combinations(const Combinations& combinations, batch::TableRuns& runs, u64 first,
                                  std::size_t count) const {
  for (std::size_t input = 0; input < inputs_.size(); ++input) {
    const std::span<u32> row = runs.values(input);
    if (!row.empty() && input + 1 == inputs_.size()) {
      // The last range changes with every state.
      const support::ValueRange range = inputs_[input].range();
      batch::fill_row(row, range, first % (range.last_index + 1), runs.loops());
    } else if (!row.empty()) {
      combinations.fill_column(input, first, row);
    } else {
      for (std::size_t state = 0; state < count; ++state)
        runs.set(input, state, combinations.value(input, first + state));
    }
  }
}

ManyPairs::Equal ManyPairs::next_equal() {
  Equal result;
  for (; next_part_ < parts_.size(); ++next_part_, next_in_part_ = 0) {
    const std::vector<Equal>& equal = parts_[next_part_].equal;
    if (next_in_part_ < equal.size()) add(result, equal[next_in_part_++]);
    if (next_in_part_ < equal.size()) return result;
  }
  return result;
}

}  // namespace salu::equiv
