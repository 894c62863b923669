#include "equiv/symbolic_pair.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "core/program_words.hpp"
#include "equiv/assumptions.hpp"
#include "equiv/discovery.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "observe/accesses.hpp"
#include "support/numbers.hpp"

namespace salu::equiv {

using proof::Ending;
using proof::TermId;

namespace {

/// Returns the place of an unset dword, if both programs have it.
std::optional<Place> find_place(const Programs& programs, std::size_t side, u32 index) {
  if (index == state_index::scc) return Place{"scc", false, {RegisterName{index, 1}, RegisterName{index, 1}}};
  if (index < code::count) {
    const Generation generation = programs[side]->program.generation();
    return file_place(programs, side, register_code(generation, index), 1);
  }
  if (!state_index::is_lane(index)) return std::nullopt;
  std::vector<Place> lanes =
      lane_places(programs, state_index::vector_of(index), u64{1} << state_index::lane_of(index));
  return lanes.empty() ? std::nullopt : std::optional(std::move(lanes.front()));
}

}  // namespace

ProofObstacle describe_ending(const Program& program, const Ending& ending) {
  const u64 pc = ending.state.pc;
  ProofObstacle obstacle{program.describe_place(pc), {}, ending.why};
  const Generation generation = program.generation();
  if (const std::span<const u32> words = core::words_at(program, pc); !words.empty())
    obstacle.instruction = isa::disassemble(generation, isa::decode(generation, words));
  return obstacle;
}

SymbolicPair::SymbolicPair(const ComparedPrograms& compared, proof::Terms& terms, Questions& questions)
    : compared_(compared), terms_(terms), questions_(questions) {
  for (const std::size_t side : both_sides) {
    proof::SymbolicStart& start = starts_[side];
    start.program = &scenario(side).program;
    start.initial = &scenario(side).initial;
    start.memory = &scenario(side).memory;
    const RunOptions options = compared_.pair.sides()[side].options();
    start.runs_vector = options.on_vector == OnVector::run;
    start.max_steps = options.max_steps;
    start.max_memory_bytes = options.max_memory_bytes;
    start.unset = [this, side](u32 index) { return unset(side, index); };
  }
  for (std::size_t i = 0; i < compared_.inputs.size(); ++i) add_input(i);
}

/// Adds the symbol of an input to the initial states.
void SymbolicPair::add_input(std::size_t number) {
  const Input& input = compared_.inputs[number];
  const TermId symbol = terms_.input(input.bits, static_cast<u32>(number));
  if (!input.is_whole()) {
    const TermId distance = terms_.subtract(symbol, terms_.constant(input.bits, input.first));
    const TermId is_outside = terms_.below(terms_.constant(input.bits, input.span), distance);
    assume(terms_.bit_not(is_outside));
  }
  for (const std::size_t side : both_sides) {
    if (input.place.is_memory) {
      for (u32 byte = 0; byte < input.place.size_bytes; ++byte) {
        const TermId part = 8 * byte < input.bits ? terms_.slice(symbol, 8 * byte, 8) : terms_.constant(8, 0);
        starts_[side].bytes[input.place.addresses[side] + byte] = part;
      }
    } else {
      put(starts_[side], input.place.registers[side], symbol);
    }
  }
}

void SymbolicPair::assume(TermId condition) {
  questions_.assume(condition);
  for (proof::SymbolicStart& start : starts_) start.assumed.push_back(condition);
}

void SymbolicPair::put(proof::SymbolicStart& start, const RegisterName& name, TermId symbol) {
  if (name.index == state_index::scc) {
    start.registers[name.index] = terms_.slice(symbol, 0, 1);
    return;
  }
  const TermId word = terms_.zero_extend(symbol, std::max<u32>(name.width, terms_.width(symbol)));
  if (name.width < 32) {
    const u64 before = read_register(*start.initial, {name.index, 32});
    const u32 end = name.low_bit + u32{name.width};
    TermId dword = word;
    if (end < 32) dword = terms_.join(terms_.constant(32 - end, before >> end), dword);
    if (name.low_bit != 0) dword = terms_.join(dword, terms_.constant(name.low_bit, before));
    start.registers[name.index] = dword;
    return;
  }
  for (u32 i = 0; i < name.width / 32U; ++i) start.registers[name.index + i] = terms_.slice(word, 32 * i, 32);
}

/// Adds an input for an unset register that no run has read.
std::optional<TermId> SymbolicPair::unset(std::size_t side, u32 index) {
  if (const auto known = unset_[side].find(index); known != unset_[side].end()) return known->second;
  std::optional<Place> place = find_place({&scenario(0), &scenario(1)}, side, index);
  if (!place) {
    if (index < state_index::defined_count) fixed_.insert({side, index});
    return std::nullopt;
  }
  const auto number = static_cast<u32>(compared_.inputs.size());
  Input input = whole_input(std::move(*place));
  const TermId symbol = terms_.input(input.bits, number);
  for (const std::size_t each : both_sides) unset_[each][input.place.registers[each].index] = symbol;
  compared_.inputs.push_back(std::move(input));
  return symbol;
}

std::vector<std::string> SymbolicPair::fixed_registers() const {
  std::vector<std::string> names;
  for (const auto& [side, index] : fixed_)
    names.push_back(observe::location_name(scenario(side).program.generation(), {index}));
  return names;
}

std::optional<std::string> SymbolicPair::assume(const expr::Expression& expression) {
  proof::SymbolicState start(terms_, starts_[0]);
  const Assumed assumed = term_of(expression, terms_, start);
  if (!assumed.problem.empty()) return assumed.problem;
  assume(assumed.condition);
  return std::nullopt;
}

std::vector<std::string> SymbolicPair::assumptions() const {
  std::vector<std::string> all;
  for (const Input& input : compared_.inputs) {
    if (!input.is_whole()) all.push_back(input.describe());
  }
  all.emplace_back("everything that is not an input has its initial value: EXEC, MODE, registers with values");
  all.emplace_back("memory that is not an input has its initial contents");
  const bool is_function = std::ranges::any_of(
      both_sides, [this](std::size_t side) { return entry_kind(scenario(side).program) == EntryKind::function; });
  if (is_function && !compared_.outputs.is_named)
    all.emplace_back("the registers that are compared are all results of the function (--outputs names them)");
  return all;
}

// ---- results ----

void SymbolicPair::follow(const proof::ExecutionLimits& limits) {
  for (const std::size_t side : both_sides) paths_[side] = follow(side, limits);
}

proof::Paths SymbolicPair::follow(std::size_t side, const proof::ExecutionLimits& limits) {
  return proof::execute(terms_, starts_[side], limits,
                        [this](TermId condition) { return questions_.is_feasible(condition); });
}

TermId SymbolicPair::left_out(Ending::Kind kind) {
  TermId any = terms_.no();
  for (const proof::Paths& paths : paths_) {
    for (const Ending& ending : paths.endings) {
      if (ending.kind == kind) any = terms_.bit_or(any, ending.condition);
    }
  }
  return any;
}

bool SymbolicPair::both_end() const {
  return std::ranges::all_of(paths_, [](const proof::Paths& paths) {
    return std::ranges::any_of(paths.endings, [](const Ending& ending) { return ending.kind == Ending::Kind::end; });
  });
}

/// Returns a result of a side as a term that selects by path.
template <class Value>
TermId SymbolicPair::chosen(std::size_t side, const Value& value) {
  std::optional<TermId> term;
  for (Ending& ending : paths_[side].endings) {
    if (ending.kind != Ending::Kind::end) continue;
    const TermId here = value(ending);
    term = term ? terms_.select(ending.condition, here, *term) : here;
  }
  return term.value_or(terms_.no());
}

/// Returns the same number for all stop reasons that count as equal.
u64 SymbolicPair::number_of(StopReason reason) const {
  const bool is_same = can_return(scenario(0).program) != can_return(scenario(1).program);
  return is_same && reason == StopReason::returned ? static_cast<u64>(StopReason::end_program)
                                                   : static_cast<u64>(reason);
}
template <class Value>
TermId SymbolicPair::differs(const Value& value) {
  return terms_.bit_not(terms_.equal(chosen(0, [&](Ending& ending) { return value(ending, std::size_t{0}); }),
                                     chosen(1, [&](Ending& ending) { return value(ending, std::size_t{1}); })));
}

TermId SymbolicPair::difference() {
  TermId any = differs([&](Ending& ending, std::size_t) { return terms_.constant(8, number_of(ending.reason)); });
  for (const Output& output : compared_.outputs.outputs) {
    if (!output.may_be_temporary) any = terms_.bit_or(any, difference_of(output));
  }
  if (compared_.outputs.all_memory) any = terms_.bit_or(any, difference_of_memory());
  return any;
}

std::vector<UncomparedPlace> SymbolicPair::uncompared() {
  std::vector<UncomparedPlace> places;
  TermId temporaries = terms_.no();
  for (const Output& output : compared_.outputs.outputs) {
    if (output.may_be_temporary) temporaries = terms_.bit_or(temporaries, difference_of(output));
  }
  places.push_back({std::string(result_or_temporary), temporaries});
  if (compared_.outputs.is_named) return places;
  for (const u64 address : written_addresses()) {
    const bool is_passing = std::ranges::any_of(
        compared_.pair.sides(), [address](const Side& side) { return is_passing_memory(side, address); });
    if (is_passing || is_result(address)) continue;
    places.push_back(
        {"memory at " + support::hex(address) + " is code, or only one of the programs has it: not compared",
         changes([address](Ending& ending) { return ending.state.read_dword(address); },
                 [address](const proof::SymbolicState& start) { return start.read_dword(address); })});
  }
  // Hardware registers of a kernel do not outlive it.
  if (entry_kind(scenario(0).program) == EntryKind::ends_itself) return places;
  for (u32 index = state_index::mode; index < state_index::scalar_count; ++index) {
    if (index >= state_index::pc && index < state_index::hwregs) continue;
    places.push_back({fmt::format("{} may differ, and is not compared (--outputs names it)",
                                  observe::location_name(scenario(0).program.generation(), {index})),
                      differs([index](Ending& ending, std::size_t) { return ending.state.read(index); })});
  }
  return places;
}
/// The condition under which the final value differs from the initial one.
template <class Final, class First>
TermId SymbolicPair::changes(const Final& final_value, const First& first_value) {
  TermId any = terms_.no();
  for (const std::size_t side : both_sides) {
    const TermId first = first_value(proof::SymbolicState(terms_, starts_[side]));
    any = terms_.bit_or(any, terms_.bit_not(terms_.equal(first, chosen(side, final_value))));
  }
  return any;
}

TermId SymbolicPair::difference_of(const Output& output) {
  const Place& place = output.place;
  if (place.is_memory) {
    TermId any = terms_.no();
    for (u64 byte = 0; byte < place.size_bytes; ++byte) {
      any = terms_.bit_or(any, differs([&](Ending& ending, std::size_t side) {
                            const u64 address = place.addresses[side] + byte;
                            const TermId dword = ending.state.read_dword(address & ~u64{3});
                            return terms_.slice(dword, static_cast<u32>(8 * (address & 3)), 8);
                          }));
    }
    return any;
  }
  return differs([&](Ending& ending, std::size_t side) {
    const TermId word = ending.state.read(place.registers[side]);
    return terms_.bit_and(word, terms_.constant(terms_.width(word), output.mask));
  });
}
/// Returns the addresses of dwords that either program may have written, ascending.
std::vector<u64> SymbolicPair::written_addresses() const {
  std::vector<u64> addresses;
  for (const std::size_t side : both_sides) {
    for (const Ending& ending : paths_[side].endings) {
      const std::vector<u64> written = ending.state.written();
      addresses.insert(addresses.end(), written.begin(), written.end());
    }
  }
  std::ranges::sort(addresses);
  const auto rest = std::ranges::unique(addresses);
  addresses.erase(rest.begin(), rest.end());
  return addresses;
}

TermId SymbolicPair::difference_of_memory() {
  TermId any = terms_.no();
  for (const u64 address : written_addresses()) {
    if (!is_result(address)) continue;
    any = terms_.bit_or(any, differs([&](Ending& ending, std::size_t) { return ending.state.read_dword(address); }));
  }
  return any;
}
bool SymbolicPair::is_result(u64 address) const {
  return std::ranges::all_of(compared_.pair.sides(), [&](const Side& side) {
    return !is_passing_memory(side, address) && side.scenario().memory.find_region(address) != nullptr &&
           side.scenario().program.find_block(address) == nullptr;
  });
}

}  // namespace salu::equiv
