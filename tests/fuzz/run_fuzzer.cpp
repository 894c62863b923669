#include <salu/run.hpp>

#include <algorithm>
#include <set>

#include "core/machine.hpp"
#include "fuzz/fuzzing.hpp"
#include "fuzz/run_case.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"
#include "observe/accesses.hpp"
#include "observe/vector_accesses.hpp"

/// Input: a program with its state (run_case.hpp). All ways of running it have the same result, and only the declared
/// effects of instructions occur.
namespace salu::fuzzing {
namespace {

using core::Machine;

// ---- comparing runs ----

bool same(const Warning& left, const Warning& right) {
  return left.kind == right.kind && left.pc == right.pc && left.instruction == right.instruction &&
         left.detail == right.detail;
}

std::string describe(const Outcome& outcome) {
  return std::string(outcome.stop.reason_name()) + " at " + std::to_string(outcome.stop.pc) + " (" +
         outcome.stop.instruction + "): " + outcome.stop.detail + ", steps " + std::to_string(outcome.steps) + ", " +
         std::to_string(outcome.warnings.size()) + " warnings";
}

std::string difference(const WaveState& left, const WaveState& right) {
  std::string text;
  for (u32 code = 0; code < code::count; ++code) {
    if (left.file[code] != right.file[code]) {
      text += " " + std::to_string(code) + ": " + hex_words({&left.file[code], 1}) + " " +
              hex_words({&right.file[code], 1});
    }
  }
  for (u32 i = 0; i < state_index::defined_count; ++i) {
    if (left.defined.test(i) != right.defined.test(i)) text += " defined " + std::to_string(i);
  }
  if (left.pc != right.pc) text += " pc " + std::to_string(left.pc) + " " + std::to_string(right.pc);
  if (left.mode != right.mode) text += " mode";
  if (left.status != right.status) text += " status";
  if (left.scc != right.scc) text += " scc";
  return text;
}

void require_same(const Case& made, const Outcome& expected, const Outcome& actual, std::string_view how) {
  const auto detail = [&] {
    return describe(made) + "\n" + describe(expected) + "\n" + std::string(how) + ": " + describe(actual) +
           difference(expected.state, actual.state);
  };
  require(expected.stop.reason == actual.stop.reason && expected.stop.warning == actual.stop.warning &&
              expected.stop.pc == actual.stop.pc && expected.stop.instruction == actual.stop.instruction &&
              expected.stop.detail == actual.stop.detail,
          "the run ends in the same way", detail);
  require(expected.steps == actual.steps && expected.skipped_vector == actual.skipped_vector, "it takes as many steps",
          detail);
  require(std::ranges::equal(expected.warnings, actual.warnings, same), "it warns of the same", detail);
  require(expected.state == actual.state && expected.lost == actual.lost, "it leaves the same state", detail);
  require(expected.memory == actual.memory, "it leaves the same memory", detail);
}

Outcome run_case(const Case& made, const RunOptions& options) {
  return run(made.program, made.initial, made.memory, options);
}

// ---- the machine itself, in pieces ----

Outcome outcome_of(Machine& machine, u64 steps) {
  Outcome outcome;
  if (machine.stopped()) {
    outcome.stop = machine.stop();
  } else {
    outcome.stop = {StopReason::step_limit, std::nullopt, machine.pc(), machine.code().text_at(machine.pc()), {}};
  }
  outcome.steps = steps;
  outcome.skipped_vector = machine.skipped_vector();
  outcome.warnings = machine.warnings();
  outcome.state = machine.state();
  outcome.memory = machine.memory();
  return outcome;
}

void prepare(Machine& machine, const Case& made) {
  machine.set_strict(made.options.strict);
  machine.set_on_vector(made.options.on_vector);
  machine.set_clock(made.options.clock);
  machine.set_memory(made.memory);
  machine.set_state(made.initial);
}

/// In one piece. Unlike `run`, it does not track the undefined results of skipped vector instructions.
Outcome run_in_machine(const Case& made, Dispatch dispatch) {
  Machine machine(made.program, dispatch);
  prepare(machine, made);
  return outcome_of(machine, machine.run(made.options.max_steps));
}

/// In two pieces, then again from the start with the same machine.
void check_pieces(const Case& made, Dispatch dispatch, const Outcome& expected) {
  Machine machine(made.program, dispatch);
  prepare(machine, made);
  const u64 limit = made.options.max_steps;
  const u64 first = machine.run(std::min(made.split, limit));
  const u64 steps = first + machine.run(limit - first);
  require_same(made, expected, outcome_of(machine, steps), "in two pieces");

  WaveState other = made.initial;
  other.sgprs = sgpr_limit(made.program.generation());
  machine.set_state(other);
  machine.run(made.split);
  machine.set_memory(made.memory);
  machine.set_state(made.initial);
  const u64 again = machine.run(limit);
  require_same(made, expected, outcome_of(machine, again), "with a machine that was used before");
}

// ---- allowed effects of an instruction ----

void mark(core::DefinedSet& set, const Location& location) {
  for (const u32 index : observe::defined_indices(location)) set.set(index);
}

bool covers(const std::vector<Location>& writes, u32 index) {
  return std::ranges::any_of(writes, [&](const Location& location) { return location.holds(index); });
}

bool covers_hwreg(const std::vector<Location>& writes) {
  return std::ranges::any_of(writes, [](const Location& location) {
    return location.index >= state_index::hwregs && location.index < state_index::scalar_count;
  });
}

template <class Detail>
void check_changes(const WaveState& before, const WaveState& after, const observe::Accesses& accesses,
                   const Detail& detail) {
  for (u32 code = 0; code < code::count; ++code) {
    require(before.file[code] == after.file[code] || covers(accesses.writes, code), "only declared registers change",
            detail);
  }
  require(before.scc == after.scc || covers(accesses.writes, state_index::scc) || covers_hwreg(accesses.writes),
          "SCC changes only where it is declared", detail);
}

/// Lanes that an instruction has changed, or made defined, must be declared.
template <class Detail>
void check_lanes(const VectorRegisters& before, const VectorRegisters& after, const observe::Accesses& accesses,
                 const Detail& detail) {
  if (before == after) return;
  for (u32 number = 0; number < VectorRegisters::count; ++number) {
    u64 declared = 0;
    for (const observe::Accesses::Lanes& written : accesses.vectors_written) {
      if (written.number == number) declared |= written.lanes;
    }
    u64 changed = before.defined(number) ^ after.defined(number);
    for (u32 lane = 0; lane < state_index::lanes; ++lane)
      changed |= u64{before.lanes(number)[lane] != after.lanes(number)[lane]} << lane;
    require((changed & ~declared) == 0, "only declared lanes change",
            [&] { return detail() + " v" + std::to_string(number); });
  }
}

template <class Detail>
void check_stores(Generation generation, const Memory& before, const Memory& after, const observe::Accesses& accesses,
                  const Detail& detail) {
  std::set<u64> declared;
  for (const Location& location : accesses.writes) {
    if (!location.is_memory()) continue;
    // Shared memory is above the range of scalar addresses.
    const u64 mask = location.address >= shared_memory_base ? ~u64{0} : pc_mask(generation);
    for (u64 i = 0; i < location.dwords; ++i) declared.insert((location.address + 4 * i) & mask);
  }
  for (const u64 page : Memory::differing_pages(before, after)) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      require(before.read_dword(address) == after.read_dword(address) || declared.contains(address),
              "only declared memory changes", detail);
    }
  }
}

observe::Accesses accesses_of(const Machine& machine, const std::optional<isa::Instruction>& instruction) {
  if (!instruction) return {};
  const bool is_vector = instruction->encoding == isa::EncodingClass::vector && machine.executes_vectors();
  const auto vector = is_vector ? isa::vector::decode(machine.generation(), instruction->vector_words) : std::nullopt;
  if (!vector) return observe::find_accesses(machine, *instruction);
  observe::Accesses accesses;
  observe::find_accesses(machine, *vector, accesses);
  return accesses;
}

/// One instruction at a time, with checks after each.
void check_steps(const Case& made, Dispatch dispatch, const Outcome& expected) {
  Machine machine(made.program, dispatch);
  prepare(machine, made);
  const Generation generation = made.program.generation();
  u64 steps = 0;
  while (steps < made.options.max_steps && !machine.stopped()) {
    const auto instruction = machine.code().instruction_at(machine.pc());
    const observe::Accesses accesses = accesses_of(machine, instruction);
    WaveState before = machine.state();
    const Memory memory_before = machine.memory();
    const u64 pc = machine.pc();
    const std::string text = machine.code().text_at(pc);
    const u64 traps = machine.traps_entered();
    const u64 executed = machine.run_exactly(1);
    const WaveState after = machine.state();
    // Exceptions of float instructions accumulate in TRAPSTS, which is not among their accesses.
    const bool is_vector = instruction && instruction->encoding == isa::EncodingClass::vector;
    if (is_vector) before.hwregs[isa::hwreg_id::trapsts] = after.hwregs[isa::hwreg_id::trapsts];
    const auto detail = [&] {
      return describe(made) + "\nat " + std::to_string(pc) + ": " + text + difference(before, after);
    };
    steps += executed;
    // The entry into the trap handler after an instruction is not an access either.
    if (executed != 0 && machine.traps_entered() != traps) continue;
    check_changes(before, after, accesses, detail);
    // A skipped instruction makes lanes undefined.
    if (made.options.on_vector != OnVector::skip) check_lanes(before.vectors, after.vectors, accesses, detail);
    check_stores(generation, memory_before, machine.memory(), accesses, detail);
    if (executed == 0) break;
    // Defined registers stay defined, and only written ones become defined.
    core::DefinedSet allowed = before.defined;
    for (const Location& location : accesses.writes) mark(allowed, location);
    require((before.defined & ~after.defined).none() && (after.defined & ~allowed).none(),
            "what becomes defined was written", detail);
  }
  machine.run_exactly(0);
  require_same(made, expected, outcome_of(machine, steps), "step by step");
}

// ---- with observers ----

/// A state without the results of skipped vector instructions, and without values that depend on them.
WaveState without(WaveState state, const core::DefinedSet& lost) {
  for (u32 code = 0; code < code::count; ++code) {
    if (lost.test(code)) state.file[code] = 0;
  }
  if (lost.test(state_index::scc)) state.scc = false;
  state.defined &= ~lost;
  return state;
}

void check_observed(const Case& made, const Outcome& expected) {
  RunOptions options = made.options;
  u64 events = 0;
  options.trace = [&](const TraceEvent& event) {
    ++events;
    require(event.step == events && !instruction_text(event).empty(),
            "a trace numbers its lines and names each instruction", [&] { return describe(made); });
  };
  require_same(made, expected, run_case(made, options), "traced");
  require(events == expected.steps, "a trace has a line for every step", [&] { return describe(made); });

  options.trace = nullptr;
  options.check_undefined = CheckUndefined::bits;
  options.strict = false;
  const Outcome checked = run_case(made, options);
  // Undefined results are then tracked by bits, and through memory, not by registers.
  const core::DefinedSet lost = expected.lost | checked.lost;
  require(made.options.strict || without(checked.state, lost) == without(expected.state, lost),
          "looking for undefined reads changes nothing",
          [&] { return describe(made) + difference(expected.state, checked.state); });
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  fuzzing::Bytes input(data, size);
  fuzzing::Case made = fuzzing::make_case(input);
  made.options.dispatch = Dispatch::switched;
  const Outcome expected = fuzzing::run_case(made, made.options);
  RunOptions options = made.options;
  options.dispatch = Dispatch::direct_goto;
  fuzzing::require_same(made, expected, fuzzing::run_case(made, options), "another dispatch loop");
  const Outcome plain = fuzzing::run_in_machine(made, Dispatch::switched);
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::best}) {
    fuzzing::check_pieces(made, dispatch, plain);
    fuzzing::check_steps(made, dispatch, plain);
  }
  fuzzing::check_observed(made, expected);
  return 0;
}
