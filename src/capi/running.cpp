#include "capi/objects.hpp"
#include "support/numbers.hpp"

#include <salu/report.hpp>

#include <span>
#include <string_view>

namespace salu::capi {
namespace {

/// Sets `value` from a number of an enumeration in <salu.h>; 0 leaves it unchanged.
template <class Value, std::size_t count>
void choose(Value& value, int32_t number, const Value (&values)[count], const char* name) {
  if (number < 0 || static_cast<std::size_t>(number) > count)
    throw Failure(SALU_INVALID_ARGUMENT, std::string("options.") + name + ": invalid value " + std::to_string(number));
  if (number != 0) value = values[number - 1];
}

/// Converts the caller's options.
RunOptions run_options_of(const salu_run_options& given, const Scenario& scenario) {
  RunOptions options = scenario.options;
  if (given.max_steps != 0) options.max_steps = given.max_steps;
  // Written so that NaN is rejected as well.
  if (!(given.max_seconds >= 0)) throw Failure(SALU_INVALID_ARGUMENT, "options.max_seconds is less than 0");
  if (given.max_seconds > 0) options.max_seconds = given.max_seconds;
  choose(options.check_undefined, given.check_undefined, {CheckUndefined::reads, CheckUndefined::bits},
         "check_undefined");
  choose(options.on_vector, given.on_vector, {OnVector::run, OnVector::stop, OnVector::skip}, "on_vector");
  options.check_hazards = options.check_hazards || given.check_hazards != 0;
  options.check_races = options.check_races || given.check_races != 0;
  options.strict = options.strict || given.strict != 0;
  if (given.approximations != nullptr) {
    const auto approximations = parse_approximations(given.approximations);
    if (!approximations) {
      throw Failure(SALU_INVALID_ARGUMENT, std::string("options.approximations: `") + given.approximations +
                                               "`; expected `nearest`, `low`, `high` or `seed N`");
    }
    options.approximations = *approximations;
  }
  return options;
}

/// Calls the trace callback. Returns true if it ends the run.
bool tell(const TraceEvent& event, salu_trace_callback* callback, void* user) {
  const std::string mnemonic(mnemonic_of(event));
  const std::string instruction(instruction_text(event));
  const std::string reads = reads_text(event);
  const std::string writes = writes_text(event);
  const std::string note = note_text(event);
  const salu_trace_event told = {
      event.step,         event.pc,         event.next_pc,       static_cast<uint32_t>(event.words.size()),
      event.words.data(), mnemonic.c_str(), instruction.c_str(), reads.c_str(),
      writes.c_str(),     note.c_str()};
  return call_back(callback, user, &told) != 0;
}

/// Runs a scenario. `is_cancelled` becomes true if the caller cancelled the run; the outcome then has the state so far.
Outcome run_with(const std::shared_ptr<const Scenario>& scenario, const salu_run_options& given, bool& is_cancelled) {
  RunOptions options = run_options_of(given, *scenario);
  // Exceptions must not pass through a run: `is_cancelled` is checked afterwards.
  const auto is_over = [&] {
    is_cancelled = is_cancelled || is_set(given.cancel);
    return is_cancelled;
  };
  if (given.trace != nullptr) {
    options.trace = [&](const TraceEvent& event) {
      if (!is_over()) is_cancelled = tell(event, given.trace, given.user);
    };
  }
  if (given.cancel != nullptr || given.trace != nullptr) options.is_cancelled = is_over;
  if (given.register_count == 0) return run(*scenario, options);
  needed(given.registers, "options.registers");
  needed(given.values, "options.values");
  if (scenario->waves != nullptr)
    throw Failure(SALU_INVALID_ARGUMENT, "registers cannot be set for a scenario that runs all waves of a grid");
  const Generation generation = scenario->program.generation();
  WaveState state = scenario->initial;
  for (std::size_t i = 0; i < given.register_count; ++i) {
    const RegisterName name = register_of(given.registers[i], generation);
    if ((given.values[i] & ~support::ones(name.width)) != 0) {
      throw Failure(SALU_INVALID_ARGUMENT, support::hex(given.values[i]) + " does not fit into the " +
                                               std::to_string(name.width) + " bits of register number " +
                                               std::to_string(i));
    }
    write_register(state, generation, name, given.values[i]);
  }
  return run(*scenario, state, options);
}

ReportFormat format_of(std::string_view name) {
  if (name == "text") return ReportFormat::text;
  if (name == "yaml") return ReportFormat::yaml;
  if (name == "json") return ReportFormat::json;
  throw Failure(SALU_INVALID_ARGUMENT, "unknown format `" + std::string(name) + "`: use `text`, `yaml` or `json`");
}

std::vector<Mismatch> mismatches_of(const OutcomeObject& object) {
  if (!object.scenario->expect) return {};
  return check(*object.scenario->expect, object.outcome);
}

const OutcomeObject::Texts& texts_of(OutcomeObject& object) {
  const std::lock_guard lock(object.mutex);
  if (object.texts) return *object.texts;
  OutcomeObject::Texts texts;
  texts.reason = object.outcome.stop.reason_name();
  texts.place = object.scenario->program.describe_place(object.outcome.stop.pc);
  for (const Warning& warning : object.outcome.warnings) texts.kinds.emplace_back(warning_kind_name(warning.kind));
  return object.texts.emplace(std::move(texts));
}

}  // namespace

extern "C" {

salu_status salu_run(const salu_scenario* scenario, const salu_run_options* options, salu_outcome** outcome) {
  return guarded([&] {
    needed(outcome, "outcome");
    std::shared_ptr<const Scenario> there = scenario_of(scenario);
    auto object = std::make_shared<OutcomeObject>();
    bool is_cancelled = false;
    object->outcome = run_with(there, options_of(options), is_cancelled);
    object->scenario = std::move(there);
    *outcome = Handles::all().add<salu_outcome>(Kind::outcome, std::move(object));
    if (is_cancelled) throw Cancelled();
  });
}

salu_status salu_outcome_free(salu_outcome* outcome) { return free_handle<OutcomeObject>(outcome); }

salu_status salu_outcome_stop(const salu_outcome* outcome, salu_stop* stop) {
  return guarded([&] {
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    salu_stop& told = sized(stop, "stop");
    const OutcomeObject::Texts& texts = texts_of(*object);
    const Stop& known = object->outcome.stop;
    told.reason = texts.reason.c_str();
    told.instruction = known.instruction.c_str();
    told.detail = known.detail.c_str();
    told.place = texts.place.c_str();
    told.pc = known.pc;
    told.steps = object->outcome.steps;
    told.warnings = object->outcome.warnings.size();
    told.is_regular = is_regular_end(known.reason) ? 1 : 0;
    told.is_fault = is_fault(known.reason) ? 1 : 0;
  });
}

salu_status salu_outcome_warning(const salu_outcome* outcome, uint64_t index, salu_warning* warning) {
  return guarded([&] {
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    salu_warning& told = sized(warning, "warning");
    const std::vector<Warning>& warnings = object->outcome.warnings;
    if (index >= warnings.size()) throw Failure(SALU_NOT_FOUND, "no warning with this index");
    const Warning& known = warnings[static_cast<std::size_t>(index)];
    told.kind = texts_of(*object).kinds[static_cast<std::size_t>(index)].c_str();
    told.instruction = known.instruction.c_str();
    told.detail = known.detail.c_str();
    told.pc = known.pc;
  });
}

salu_status salu_outcome_get(const salu_outcome* outcome, const char* name, uint64_t* value) {
  return guarded([&] {
    needed(value, "value");
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    *value = read_register(object->outcome.state, named_register(object->scenario->program.generation(), name));
  });
}

salu_status salu_outcome_read_register(const salu_outcome* outcome, salu_register name, uint64_t* value) {
  return guarded([&] {
    needed(value, "value");
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    *value = read_register(object->outcome.state, register_of(name, object->scenario->program.generation()));
  });
}

salu_status salu_outcome_is_defined(const salu_outcome* outcome, const char* name, int32_t* defined) {
  return guarded([&] {
    needed(defined, "defined");
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    const RegisterName found = named_register(object->scenario->program.generation(), name);
    bool is_all = true;
    for (u32 i = 0; i < found.dwords(); ++i) is_all = is_all && is_defined(object->outcome.state, found.index + i);
    *defined = is_all ? 1 : 0;
  });
}

salu_status salu_outcome_lanes(const salu_outcome* outcome, uint32_t number, uint32_t* lanes, uint64_t* defined) {
  return guarded([&] { read_lanes(object_of<OutcomeObject>(outcome)->outcome.state.vectors, number, lanes, defined); });
}

salu_status salu_outcome_read(const salu_outcome* outcome, uint64_t address, void* bytes, size_t size) {
  return guarded([&] { read_memory(object_of<OutcomeObject>(outcome)->outcome.memory, address, bytes, size); });
}

salu_status salu_outcome_report(const salu_outcome* outcome, const char* format, salu_text** text) {
  return guarded([&] {
    needed(text, "text");
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    const ReportFormat wanted = format_of(needed_text(format, "format"));
    const std::vector<Mismatch> mismatches = mismatches_of(*object);
    *text = make_text(
        report_outcome(*object->scenario, object->outcome, wanted, object->scenario->expect ? &mismatches : nullptr));
  });
}

salu_status salu_outcome_check(const salu_outcome* outcome, uint64_t* mismatches, salu_text** text) {
  return guarded([&] {
    needed(mismatches, "mismatches");
    const std::shared_ptr<OutcomeObject> object = object_of<OutcomeObject>(outcome);
    std::string lines;
    const std::vector<Mismatch> found = mismatches_of(*object);
    for (const Mismatch& mismatch : found) {
      lines += mismatch.where.file + ":" + std::to_string(mismatch.where.line) + ": " + mismatch.text() + "\n";
    }
    if (text != nullptr) *text = make_text(std::move(lines));
    *mismatches = found.size();
  });
}
}

}  // namespace salu::capi
