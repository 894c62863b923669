#include "equiv/many_pairs.hpp"

#include <algorithm>

namespace salu::equiv {
namespace {

/// At one go: what that takes stays in the cache.
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
    std::vector<lanes::Part> in;
    std::vector<lanes::Part> out;
    for (const Input& input : inputs) {
      const Place& place = input.place;
      in.push_back({place.is_memory, place.registers[side], place.addresses[side], static_cast<u32>(place.size_bytes)});
    }
    for (const Output& output : set.outputs) {
      // Nothing is stored here, and what is in memory that was stored to before differs or does not in all states.
      if (output.place.is_memory) return nullptr;
      out.push_back({false, output.place.registers[side]});
    }
    const Scenario& scenario = *programs[side];
    many->prepared_[side] = lanes::PreparedTable::make(scenario.program, scenario.initial, scenario.memory,
                                                       scenario.options.on_vector, in, out);
    if (!many->prepared_[side]) return nullptr;
  }
  return many;
}

void ManyPairs::run(const Combinations& combinations, u64 first, std::size_t count, const ForEach& for_each) {
  const auto fill = [&](lanes::TableRuns& runs, std::size_t from, std::size_t states) {
    fill_combinations(combinations, runs, first + from, states);
  };
  run_parts(count, fill, for_each);
}

void ManyPairs::run(std::span<const u64> values, std::size_t count, const ForEach& for_each) {
  const auto fill = [&](lanes::TableRuns& runs, std::size_t from, std::size_t states) {
    for (std::size_t state = 0; state < states; ++state) {
      for (std::size_t input = 0; input < inputs_.size(); ++input)
        runs.set(input, state, values[(from + state) * inputs_.size() + input]);
    }
  };
  run_parts(count, fill, for_each);
}

void ManyPairs::run_parts(std::size_t count, const Fill& fill, const ForEach& for_each) {
  const std::size_t parts = (count + states_of_part - 1) / states_of_part;
  if (parts_.size() < parts) parts_.resize(parts);
  for (Part& part : parts_) part.equal.clear();
  next_part_ = 0;
  next_in_part_ = 0;
  for_each(parts, [&](std::size_t index) {
    Part& part = parts_[index];
    const std::size_t first = index * states_of_part;
    const std::size_t end = std::min(count, first + states_of_part);
    part.equal.assign(1, {});
    for (std::size_t from = first; from < end; from += states_at_once) {
      const std::size_t states = std::min(states_at_once, end - from);
      for (const std::size_t side : both_sides) {
        if (!part.runs[side]) {
          part.runs[side] = std::make_unique<lanes::TableRuns>(*prepared_[side]);
          part.runs[side]->sample_new_code();
        }
        lanes::TableRuns& runs = *part.runs[side];
        runs.begin(states);
        fill(runs, from, states);
        runs.run(max_steps_);
      }
      compare(part, states);
    }
    return true;
  });
}

void ManyPairs::compare(Part& part, std::size_t states) const {
  const lanes::TableRuns& a = *part.runs[0];
  const lanes::TableRuns& b = *part.runs[1];
  std::array<u32, states_at_once> differs{};
  struct Compared {
    const u32* left;
    const u32* right;
    u64 mask;
    bool operator==(const Compared&) const = default;
  };
  std::vector<Compared> compared;
  for (std::size_t i = 0; i < set_.outputs.size(); ++i) {
    const std::span<const u32> left = a.results(i);
    const std::span<const u32> right = b.results(i);
    const u64 mask = set_.outputs[i].mask;
    // The lanes of a vector register are often one and the same.
    const Compared both{left.data(), right.data(), mask};
    if (!left.empty() && std::ranges::find(compared, both) != compared.end()) continue;
    compared.push_back(both);
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

/// Adds what some states have come to.
void ManyPairs::note(Part& part, std::size_t states, std::span<const u32> differs) const {
  const std::span<const lanes::Ending> a = part.runs[0]->endings();
  const std::span<const lanes::Ending> b = part.runs[1]->endings();
  u32 any = 0;
  for (std::size_t state = 0; state < states; ++state) {
    // Left ones are not equal, nor are those that ended otherwise than the first.
    any |= differs[state] | static_cast<u32>(a[state] != a[0]) | static_cast<u32>(b[state] != a[0]);
  }
  if (any == 0 && a[0] != lanes::Ending::left) {
    Equal& equal = part.equal.back();
    equal.states += states;
    for (const std::size_t side : both_sides) equal.endings[side][static_cast<std::size_t>(a[0])] += states;
    return;
  }
  for (std::size_t state = 0; state < states; ++state) {
    if (differs[state] != 0 || a[state] == lanes::Ending::left || a[state] != b[state]) {
      part.equal.emplace_back();
      continue;
    }
    ++part.equal.back().states;
    ++part.equal.back().endings[0][static_cast<std::size_t>(a[state])];
    ++part.equal.back().endings[1][static_cast<std::size_t>(b[state])];
  }
}

void ManyPairs::fill_combinations(const Combinations& combinations, lanes::TableRuns& runs, u64 first,
                                  std::size_t count) const {
  for (std::size_t input = 0; input < inputs_.size(); ++input) {
    const std::span<u32> row = runs.values(input);
    if (!row.empty()) {
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
