#include <salu/machine.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "api/opening.hpp"
#include "core/executed.hpp"
#include "core/machine.hpp"
#include "core/time_limit.hpp"
#include "expr/machine_registers.hpp"
#include "observe/fidelity.hpp"
#include "observe/final_state.hpp"
#include "observe/observed_run.hpp"
#include "observe/run_end.hpp"
#include "observe/stack_misuse.hpp"
#include "observe/trace.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu {
namespace {

/// Finds a register of at most 64 bits by its name.
Result<RegisterName> find_register(Generation generation, std::string_view name) {
  std::string problem;
  const std::optional<RegisterName> found = parse_register_name(generation, name, &problem);
  if (!found) return api::usage(std::move(problem));
  if (found->vector_registers() != 0)
    return api::usage(support::quote(name) + " has " + std::to_string(wave_size(generation)) +
                      " lanes: name one of them, as in `v3[5]`");
  if (found->width > 64) {
    return api::usage(support::quote(name) + " has " + std::to_string(found->width) +
                      " bits; at most 64 are supported");
  }
  return *found;
}

WaveState start_of(const Program& program) {
  WaveState state = initial_state(program.generation());
  state.pc = program.entry;
  return state;
}

Memory code_of(const Program& program) {
  Memory memory;
  (void)place_code(program, memory);
  return memory;
}

}  // namespace

struct Machine::Implementation {
  Implementation(Program of, const WaveState& initial, const Memory& memory, RunOptions with)
      : program(std::move(of)), options(std::move(with)), machine(program, options.dispatch) {
    observe::prepare(machine, options);
    machine.set_memory(memory);
    start(initial);
  }

  void start(const WaveState& state) {
    machine.set_state(state);
    observed.emplace(machine, make_observers(state));
    watch();
    bases.assign(1, machine.snapshot());
    is_finished = false;
    at_end = {};
    executed_before.clear();
    fidelity_before.reset();
    arrive();
  }

  observe::Observers make_observers(const WaveState& state) {
    RunOptions run = options;
    run.trace = nullptr;
    run.fidelity = FidelityReport::of_inexact;
    observe::Observers list = observe::make_observers(machine, run, state, [this] { explain_misuse(); });
    if (options.fidelity == FidelityReport::followed) {
      auto follower = std::make_unique<observe::InexactFollower>(machine);
      inexact = follower.get();
      list.push_back(std::move(follower));
    }
    auto traces = std::make_unique<observe::Tracer>(machine);
    tracer = traces.get();
    list.push_back(std::move(traces));
    return list;
  }

  /// Updates the tracer for the current observers.
  void watch() {
    if (observers.empty()) {
      tracer->set_before({});
      tracer->set_trace(options.trace);
      return;
    }
    tracer->set_before([this](const InstructionInputs& inputs) {
      is_observing = true;
      for (Observer* const each : observers) each->before(inputs);
      is_observing = false;
    });
    tracer->set_trace([this](const TraceEvent& event) {
      is_observing = true;
      if (options.trace) options.trace(event);
      for (Observer* const each : observers) each->after(event);
      is_observing = false;
    });
  }

  [[nodiscard]] bool is_observed() const {
    return observe::asks_for_observers(options) || !observers.empty() || observed->missing().any();
  }

  void explain_misuse() {
    observe::explain_misuse(machine, [this](u64 push) {
      const auto after = std::ranges::find_if(std::next(bases.begin()), bases.end(),
                                              [push](const auto& base) { return base.pushed.pushes() >= push; });
      return observe::repeat_run(program, *std::prev(after), options, machine.steps(), push);
    });
  }

  /// Ends the run once the machine has stopped.
  void arrive() {
    // At the end of a function or of the code the run ends without another instruction.
    if (!machine.stopped()) machine.run_exactly(0);
    explain_misuse();
    if (!machine.stopped() || is_finished) return;
    is_finished = true;
    observe::end_run(machine, &*observed, options, at_end);
  }

  void step() {
    if (is_observed() || options.on_vector == OnVector::skip) {
      observed->step();
    } else {
      machine.run_exactly(1);
    }
    arrive();
  }

  /// Returns how many instructions were executed.
  u64 run(u64 max_steps, const core::TimeLimit& limit) {
    const u64 before = machine.steps();
    if (!is_observed()) limit.run(max_steps, core::fast_slice_steps, [this](u64 steps) { return machine.run(steps); });
    if (is_observed() || options.on_vector == OnVector::skip)
      observed->run_on(max_steps - (machine.steps() - before), limit);
    arrive();
    return machine.steps() - before;
  }

  /// Changes a snapshot and continues from it.
  template <class Change>
  void change(const Change& change_snapshot) {
    if (machine.steps() != bases.back().steps) keep_executed();
    core::Machine::Snapshot snapshot = machine.snapshot();
    const u32 csp = snapshot.state.csp();
    change_snapshot(snapshot);
    if (snapshot.state.csp() != csp) snapshot.pushed.set_csp(csp, snapshot.state.csp(), std::nullopt);
    machine.restore(snapshot);
    // A base with the same number of pushes replaces the previous one: repetitions would always use the later one.
    if (bases.back().pushed.pushes() == snapshot.pushed.pushes()) bases.pop_back();
    bases.push_back(std::move(snapshot));
    arrive();
  }

  /// Keeps the list of executed instructions, which the machine clears when it goes to a snapshot.
  void keep_executed() {
    observe::merge(fidelity_before, observe::find_fidelity(machine, FidelityReport::always));
    if (!options.coverage) return;
    std::vector<u64> executed;
    std::vector<u64> all;
    core::list_executed(machine, executed);
    std::ranges::set_union(executed_before, executed, std::back_inserter(all));
    executed_before = std::move(all);
  }

  Outcome outcome() {
    Outcome result;
    result.undefined_bits = at_end.undefined_bits;
    result.undefined_memory = at_end.undefined_memory;
    // A run that has not ended reports the place from which it can continue.
    const std::string next = machine.code().text_at(machine.pc());
    result.stop = is_finished ? at_end.stop : Stop{StopReason::step_limit, std::nullopt, machine.pc(), next, {}};
    result.steps = machine.steps();
    std::optional<Fidelity> fidelity = fidelity_before;
    observe::merge(fidelity, observe::find_fidelity(machine, FidelityReport::always));
    if (fidelity && observe::is_told(*fidelity, options.fidelity)) result.fidelity = std::move(fidelity);
    if (result.fidelity && inexact != nullptr) result.fidelity->affected = inexact->affected();
    observe::take_final_state(machine, observed->missing(), result);
    if (options.coverage) {
      std::vector<u64> executed;
      core::list_executed(machine, executed);
      std::ranges::set_union(executed_before, executed, std::back_inserter(result.executed));
    }
    return result;
  }

  [[nodiscard]] std::optional<Error> find_change_problem() const {
    if (!is_observing) return std::nullopt;
    return api::usage("an observer cannot change the machine that calls it");
  }

  Program program;
  RunOptions options;
  core::Machine machine;
  std::optional<observe::ObservedRun> observed;
  observe::Tracer* tracer = nullptr;            ///< one of the observers of `observed`
  observe::InexactFollower* inexact = nullptr;  ///< an observer of `observed` with `FidelityReport::followed`
  std::vector<Observer*> observers;
  /// Starting points for repetitions of the run: its start, and each change from outside.
  std::vector<core::Machine::Snapshot> bases;
  bool is_observing = false;
  bool is_finished = false;
  Outcome at_end;                           ///< the stop and the undefined bits, once it is finished
  std::optional<Fidelity> fidelity_before;  ///< fidelity before the last change from outside
  /// Addresses that were executed before the last change from outside.
  std::vector<u64> executed_before;
};

Machine::Machine(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}

Machine::Machine(Program program, const WaveState& initial, const Memory& memory, RunOptions options)
    : Machine(std::make_unique<Implementation>(std::move(program), initial, memory, std::move(options))) {}

Machine::Machine(Program program, RunOptions options)
    : Machine([&] {
        const WaveState initial = start_of(program);
        const Memory memory = code_of(program);
        return std::make_unique<Implementation>(std::move(program), initial, memory, std::move(options));
      }()) {}

Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

Result<Machine> Machine::open(Scenario scenario) {
  if (std::optional<Error> problem = api::find_wave_problem(scenario)) return *std::move(problem);
  RunOptions options = observe::complete_options(scenario, scenario.options);
  return Machine(std::make_unique<Implementation>(std::move(scenario.program), scenario.initial, scenario.memory,
                                                  std::move(options)));
}

Result<Machine> Machine::load(const std::string& path, const LoadOptions& options, const ScenarioSelection& selection) {
  Result<Scenario> scenario = api::load_selected(path, options, selection);
  if (!scenario) return scenario.error();
  return open(*std::move(scenario));
}

// ---- moving ----

bool Machine::step() {
  const u64 before = steps();
  if (!ended()) implementation_->step();
  return steps() != before;
}

Stop Machine::run(const RunLimits& limits) {
  const RunOptions& options = implementation_->options;
  const u64 max_steps = limits.max_steps.value_or(options.max_steps);
  const std::function<bool()>& is_cancelled = limits.is_cancelled ? limits.is_cancelled : options.is_cancelled;
  const core::TimeLimit limit(limits.max_seconds ? limits.max_seconds : options.max_seconds, is_cancelled);
  const u64 executed = ended() ? 0 : implementation_->run(max_steps, limit);
  if (ended()) return implementation_->at_end.stop;
  return observe::stop_at_limit(implementation_->machine, executed, max_steps, is_cancelled);
}

bool Machine::ended() const { return implementation_->is_finished; }

std::optional<Stop> Machine::stop() const {
  return ended() ? std::optional(implementation_->at_end.stop) : std::nullopt;
}

Outcome Machine::outcome() { return implementation_->outcome(); }

// ---- looking ----

u64 Machine::pc() const { return ended() ? implementation_->at_end.stop.pc : implementation_->machine.pc(); }

std::string Machine::instruction() const {
  return ended() ? std::string() : implementation_->machine.code().text_at(pc());
}

u64 Machine::steps() const { return implementation_->machine.steps(); }

const std::vector<Warning>& Machine::warnings() const { return implementation_->machine.warnings(); }

const Program& Machine::program() const { return implementation_->program; }

Result<u64> Machine::get(std::string_view name) const {
  const core::Machine& machine = implementation_->machine;
  const Result<RegisterName> found = find_register(machine.generation(), name);
  if (!found) return found.error();
  return expr::read_register(machine, *found);
}

WaveState Machine::state() const { return implementation_->machine.state(); }

Memory Machine::memory() { return implementation_->machine.memory(); }

Result<std::vector<u8>> Machine::read(u64 address, std::size_t size_bytes) const {
  return api::read_mapped(implementation_->machine.memory_now(), address, size_bytes);
}

// ---- changing ----

Result<u64> Machine::set(std::string_view name, u64 value) {
  Implementation& parts = *implementation_;
  if (std::optional<Error> problem = parts.find_change_problem()) return *std::move(problem);
  const Generation generation = parts.machine.generation();
  const Result<RegisterName> found = find_register(generation, name);
  if (!found) return found.error();
  if (ended()) return api::usage("the program has ended; `set_state` restarts it");
  const std::string quoted = support::quote(name);
  if ((value & ~support::ones(found->width)) != 0) {
    return api::usage(support::hex(value) + " does not fit in the " + std::to_string(found->width) + " bits of " +
                      quoted);
  }
  if (std::optional<std::string> problem = expr::find_write_problem(parts.machine, *found, value, quoted))
    return api::usage(*std::move(problem));
  parts.change([&](core::Machine::Snapshot& snapshot) { write_register(snapshot.state, generation, *found, value); });
  parts.observed->define_from_outside(found->location());
  return value;
}

Result<u64> Machine::write(u64 address, std::span<const u8> bytes) {
  Implementation& parts = *implementation_;
  if (std::optional<Error> problem = parts.find_change_problem()) return *std::move(problem);
  if (std::optional<Error> problem = api::find_mapping_problem(parts.machine.memory_now(), address, bytes.size()))
    return *std::move(problem);
  if (bytes.empty()) return u64{0};
  Memory memory = parts.machine.memory();
  memory.write(address, bytes);
  if (Result<u64> replaced = set_memory(memory); !replaced) return replaced;
  parts.observed->define_from_outside(address, bytes.size());
  return u64{bytes.size()};
}

Result<u64> Machine::set_memory(const Memory& memory) {
  Implementation& parts = *implementation_;
  if (std::optional<Error> problem = parts.find_change_problem()) return *std::move(problem);
  if (ended()) {
    parts.machine.set_memory(memory);
  } else {
    parts.change([&](core::Machine::Snapshot& snapshot) { snapshot.memory = memory; });
  }
  return u64{memory.regions().size()};
}

Result<u64> Machine::set_state(const WaveState& state) {
  if (std::optional<Error> problem = implementation_->find_change_problem()) return *std::move(problem);
  implementation_->start(state);
  return pc();
}

// ---- observing ----

void Machine::add_observer(Observer& observer) {
  implementation_->observers.push_back(&observer);
  implementation_->watch();
}

bool Machine::remove_observer(Observer& observer) {
  const bool was_there = std::erase(implementation_->observers, &observer) != 0;
  implementation_->watch();
  return was_there;
}

}  // namespace salu
