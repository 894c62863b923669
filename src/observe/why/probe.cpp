#include "observe/why/probe.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "observe/vector_accesses.hpp"

namespace salu::observe {
namespace {

constexpr u32 all_bits = ~u32{0};
/// With more lanes, inputs that are lanes are not examined bit by bit.
constexpr std::size_t most_exact_lanes = 4;

constexpr bool is_exec(const Location& place) {
  return place.index == state_index::exec || place.index == state_index::exec + 1;
}

constexpr u32 valid_bits(const Location& place) { return place.index == state_index::scc ? 1 : all_bits; }

Location dword_of(const Location& location, u32 i) {
  return location.is_memory() ? Location::in_memory((location.address & ~u64{3}) + u64{i} * 4)
                              : Location{location.index + i};
}

bool holds(const std::vector<Location>& list, const Location& place) {
  return std::ranges::any_of(list, [&](const Location& each) { return overlap(each, place); });
}

bool holds(const std::vector<Accesses::Lanes>& list, const Accesses::Lanes& lanes) {
  return std::ranges::any_of(list, [&](const Accesses::Lanes& each) {
    return each.number == lanes.number && (lanes.lanes & ~each.lanes) == 0;
  });
}

/// True if the first list contains everything in the second.
template <class List>
bool covers(const List& all, const List& some) {
  return std::ranges::all_of(some, [&](const auto& each) { return holds(all, each); });
}

}  // namespace

Accesses find_all_next_accesses(const core::Machine& machine) {
  const auto instruction = machine.code().instruction_at(machine.pc());
  if (!instruction) return {};
  const bool is_skipped = instruction->encoding == isa::EncodingClass::vector && machine.wave().vskip();
  const Assumption* const assumed = is_skipped ? nullptr : machine.code().program().find_assumption(machine.pc());
  if (assumed == nullptr) return find_next_accesses(machine);
  Accesses accesses;
  find_accesses(machine, *assumed, accesses);
  return accesses;
}

Probe::Probe(core::Machine& machine)
    : machine_(machine),
      start_(machine.snapshot()),
      accesses_(find_all_next_accesses(machine)),
      changes_memory_(
          std::ranges::any_of(accesses_.writes, [](const Location& location) { return location.is_memory(); })) {
  const auto instruction = machine.code().instruction_at(machine.pc());
  is_vector_ = instruction && instruction->encoding == isa::EncodingClass::vector;
}

void Probe::add_input(const Location& place, bool is_named, u64 asked_lanes) {
  const Cell cell = cell_of(place, 0);
  if (std::ranges::any_of(inputs_, [cell](const Input& each) { return cell_of(each.place, 0) == cell; })) return;
  const bool is_lane = state_index::is_lane(place.index);
  const bool is_far = is_lane && (asked_lanes >> state_index::lane_of(place.index) & 1) == 0;
  inputs_.push_back({place, value_at(machine_, place).dwords[0], 0, is_far, is_named});
}

void Probe::collect_inputs(const std::vector<Bits>& asked) {
  u64 lanes = 0;
  for (const Bits& bits : asked) {
    if (state_index::is_lane(bits.place.index))
      lanes |= u64{1} << state_index::lane_of(bits.place.index);
    else if (is_vector_ && bits.place.is_in_file() && bits.place.index % 2 == 0)
      lanes |= bits.mask;
    else if (is_vector_ && bits.place.is_in_file())
      lanes |= u64{bits.mask} << 32;
  }
  for (const Location& location : accesses_.reads) {
    for (u32 i = 0; i < location.dwords; ++i) {
      const std::size_t count = inputs_.size();
      add_input(dword_of(location, i), true, lanes);
      if (inputs_.size() != count) inputs_.back().follows = i != 0;
    }
  }
  for (const Accesses::Lanes& vector : accesses_.vectors_read) {
    const u32 first = RegisterName::in_vectors(vector.number).index;
    for (u64 left = vector.lanes; left != 0; left &= left - 1)
      add_input({first + static_cast<u32>(std::countr_zero(left))}, true, lanes);
  }
  // The previous value counts as an input if the place is only partly written.
  for (const Bits& bits : asked) {
    if (bits.place.is_memory() || bits.place.index - state_index::pc >= 2) add_input(bits.place, false, lanes);
  }
}

void Probe::set(const Location& place, u32 value) {
  if (place.is_memory())
    start_.memory.write_dword(place.address, value);
  else
    write_register(start_.state, machine_.generation(), {place.index}, value);
}

Probe::Ran Probe::run() {
  if (changes_memory_)
    machine_.restore(start_);
  else
    machine_.restore_registers(start_);
  const u64 pc = machine_.pc();
  if (machine_.run_exactly(1) == 0) return Ran::no;
  return machine_.stopped() && is_fault(machine_.stop_reason()) && machine_.pc() == pc ? Ran::faulted : Ran::yes;
}

bool Probe::is_same(const std::vector<u32>& values) const {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (((value_at(machine_, asked_[i].place).dwords[0] ^ values[i]) & asked_[i].mask) != 0) return false;
  }
  return true;
}

std::vector<u32> Probe::results() const {
  std::vector<u32> values;
  for (const Bits& bits : asked_) values.push_back(value_at(machine_, bits.place).dwords[0]);
  return values;
}

/// True if the results differ with another value of a place.
bool Probe::differs(const Location& place, u32 value, u32 before) {
  const bool kept_memory = changes_memory_;
  changes_memory_ = kept_memory || place.is_memory();
  set(place, value);
  const Ran ran = run();
  const bool result = ran == Ran::faulted || (ran == Ran::yes && !is_same(expected_));
  set(place, before);
  if (place.is_memory() && !kept_memory) machine_.set_memory(start_.memory);
  changes_memory_ = kept_memory;
  return result;
}

u32 Probe::find_bits(Input& input) {
  u32 mask = 0;
  for (u32 left = valid_bits(input.place); left != 0; left &= left - 1) {
    const u32 bit = left & (~left + 1);
    if (differs(input.place, input.value ^ bit, input.value)) mask |= bit;
  }
  return mask;
}

bool Probe::changes_as_a_whole(const Input& input) {
  const std::array<u32, 5> others = {~input.value, 0, all_bits, next_random(), next_random()};
  return std::ranges::any_of(others, [&](u32 value) {
    return (value & valid_bits(input.place)) != input.value &&
           differs(input.place, value & valid_bits(input.place), input.value);
  });
}

/// Finds bits that matter with some other values of the inputs, if none does with the actual ones.
void Probe::find_possible() {
  const std::vector<u32> expected = expected_;
  const auto may_matter = [](const Input& input) { return input.is_named && !input.is_far; };
  constexpr u32 contexts = 8;
  for (u32 context = 0; context < contexts; ++context) {
    const bool is_equal = context % 2 == 1;
    const u32 common = next_random();
    std::vector<u32> values;
    for (const Input& input : inputs_) {
      const bool changes = may_matter(input) && !input.place.is_memory() && !is_exec(input.place);
      values.push_back(!changes ? input.value : (is_equal ? common : next_random()) & valid_bits(input.place));
      set(input.place, values.back());
    }
    if (run() == Ran::yes) {
      expected_ = results();
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (!may_matter(inputs_[i])) continue;
        Input trial{inputs_[i].place, values[i], 0, false, true};
        inputs_[i].mask |= find_bits(trial);
      }
    }
    for (const Input& input : inputs_) set(input.place, input.value);
  }
  expected_ = expected;
}

/// True if the next instruction now accesses other places than with its actual inputs, or no memory any more: places
/// that do not exist are not accessed.
bool Probe::leads_elsewhere() {
  const Accesses now = find_all_next_accesses(machine_);
  const auto has_memory = [](const Accesses& accesses) {
    const auto is_memory = [](const Location& place) { return place.is_memory(); };
    return std::ranges::any_of(accesses.reads, is_memory) || std::ranges::any_of(accesses.writes, is_memory);
  };
  if (has_memory(accesses_) && !has_memory(now)) return true;
  return !covers(accesses_.reads, now.reads) || !covers(accesses_.writes, now.writes) ||
         !covers(accesses_.vectors_read, now.vectors_read) || !covers(accesses_.vectors_written, now.vectors_written);
}

WhySource::Role Probe::role_of(const Input& input, const std::vector<Bits>& asked) {
  using Role = WhySource::Role;
  const bool are_lanes = std::ranges::all_of(
      asked, [](const Bits& bits) { return state_index::is_lane(bits.place.index) || bits.place.is_memory(); });
  if (is_vector_ && is_exec(input.place)) return are_lanes ? Role::lane : Role::value;
  if (input.place.is_memory()) return Role::value;
  const auto moves = [&](u32 value) {
    set(input.place, value);
    machine_.restore_registers(start_);
    const bool result = leads_elsewhere();
    set(input.place, input.value);
    return result;
  };
  for (u32 left = input.mask; left != 0; left &= left - 1) {
    if (moves(input.value ^ (left & (~left + 1)))) return Role::address;
  }
  return Role::value;
}

u32 Probe::next_random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return static_cast<u32>(random_ >> 16);
}

bool Probe::changes(const std::vector<Bits>& asked, std::vector<u32>& values) {
  asked_ = asked;
  const std::vector<u32> before = results();
  run();
  values = results();
  const bool result = !is_same(before);
  machine_.restore(start_);
  return result;
}

std::vector<WhySource> Probe::find(const std::vector<Bits>& asked, std::vector<u32>& values) {
  asked_ = asked;
  collect_inputs(asked);
  run();
  expected_ = results();
  values = expected_;
  const bool is_wide = static_cast<std::size_t>(std::ranges::count_if(inputs_, [](const Input& input) {
                         return !input.is_far && state_index::is_lane(input.place.index);
                       })) > most_exact_lanes * 4;
  const auto in_memory = std::ranges::count_if(inputs_, [](const Input& input) { return input.place.is_memory(); });
  const bool loads_lanes = static_cast<std::size_t>(in_memory) > most_exact_lanes * 4;
  for (Input& input : inputs_) {
    // Most of memory belongs to other lanes.
    if (loads_lanes && input.place.is_memory() && !changes_as_a_whole(input)) continue;
    const bool is_lane = state_index::is_lane(input.place.index);
    if (input.is_far || (is_lane && is_wide)) {
      if (changes_as_a_whole(input)) input.mask = is_wide ? all_bits : find_bits(input);
    } else {
      input.mask = find_bits(input);
    }
    // No single bit of the input matters.
    if (input.mask == 0 && !input.is_far && changes_as_a_whole(input)) input.mask = valid_bits(input.place);
  }
  const auto matters = [](const Input& input) { return input.mask != 0; };
  if (std::ranges::none_of(inputs_, matters)) find_possible();
  // A comparison with a number that no tried value has hit. Other instructions have a constant result.
  const bool compares = std::ranges::any_of(asked, [this](const Bits& bits) {
    return bits.place.index == state_index::scc || (is_vector_ && bits.place.is_in_file());
  });
  if (compares && std::ranges::none_of(inputs_, matters)) {
    for (Input& input : inputs_) input.mask = input.is_named && !input.is_far ? valid_bits(input.place) : 0;
  }
  std::vector<WhySource> sources;
  for (const Input& input : inputs_) {
    if (input.mask == 0) continue;
    sources.push_back({{input.place, input.mask}, input.value, role_of(input, asked)});
    sources.back().follows = input.follows;
  }
  return sources;
}

}  // namespace salu::observe
