#include "capi/objects.hpp"
#include "capi/threads.hpp"

#include <salu/sweep.hpp>

#include <algorithm>
#include <array>
#include <thread>

namespace salu::capi {
namespace {

/// Fewer states are run by one thread, because starting threads would take longer.
constexpr u64 few_states = 4096;

SweepOptions sweep_options_of(const salu_sweep_options& given, Scenario& scenario) {
  if (given.max_steps != 0) scenario.options.max_steps = given.max_steps;
  SweepOptions options;
  options.statistics = false;
  if (given.scalar != 0) options.engine = Engine::scalar;
  const volatile int32_t* const cancel = given.cancel;
  if (cancel != nullptr) options.is_cancelled = [cancel] { return is_set(cancel); };
  return options;
}

SweepArray array_of(const salu_column& column) {
  return {column.size_bytes, column.is_signed != 0, column.stride_bytes};
}

}  // namespace

extern "C" {

salu_status salu_sweep(const salu_scenario* scenario, const salu_column* inputs, size_t input_count,
                       const salu_column* outputs, size_t output_count, uint64_t count,
                       const salu_sweep_options* options, uint64_t* states) {
  return guarded([&] {
    if (states != nullptr) *states = 0;
    Scenario there = *scenario_of(scenario);
    const salu_sweep_options given = options_of(options);
    if (input_count == 0) throw Failure(SALU_INVALID_ARGUMENT, "no inputs: all states would be the same");
    if (output_count == 0) throw Failure(SALU_INVALID_ARGUMENT, "no outputs");
    needed(inputs, "inputs");
    needed(outputs, "outputs");
    SweepOptions wanted = sweep_options_of(given, there);
    wanted.input_rows = count;
    for (std::size_t i = 0; i < input_count; ++i)
      wanted.inputs.push_back({needed_text(inputs[i].name, "inputs.name"), inputs[i].data, array_of(inputs[i])});
    for (std::size_t i = 0; i < output_count; ++i) {
      if (outputs[i].stride_bytes == 0)
        throw Failure(SALU_INVALID_ARGUMENT,
                      "outputs: stride_bytes is 0, so all numbers of an output would overwrite each other");
      wanted.results.push_back({needed_text(outputs[i].name, "outputs.name"), outputs[i].data, array_of(outputs[i])});
    }
    if (count == 0) return;
    Threads threads(count <= few_states ? 1 : given.threads, nullptr);
    wanted.for_each = threads.for_each();
    const SweepReport report = value_of(sweep(there, wanted));
    if (states != nullptr) *states = report.states;
    if (report.cancelled) throw Cancelled();
  });
}

salu_status salu_sweep_ranges(const salu_scenario* scenario, const char* const* ranges, size_t range_count,
                              const char* const* outputs, size_t output_count, const salu_sweep_options* options,
                              salu_text** json) {
  return guarded([&] {
    needed(json, "json");
    Scenario there = *scenario_of(scenario);
    const salu_sweep_options given = options_of(options);
    SweepOptions wanted = sweep_options_of(given, there);
    wanted.statistics = true;
    wanted.vary = strings_of(ranges, range_count, "ranges");
    wanted.outputs = strings_of(outputs, output_count, "outputs");
    Threads threads(given.threads, nullptr);
    wanted.for_each = threads.for_each();
    const SweepReport report = value_of(sweep(there, wanted));
    if (report.cancelled) throw Cancelled();
    *json = make_text(sweep_json(report));
  });
}

const char* salu_stop_code_name(uint32_t code) {
  struct Names {
    std::array<std::string, 256> of;
  };
  const char* name = nullptr;
  guarded([&] {
    static const Names& names = []() -> Names& {
      auto& all = *new Names;
      for (u32 i = 0; i < all.of.size(); ++i) {
        if ((i & 0x3f) > static_cast<u32>(StopReason::warning)) continue;
        all.of[i] = stop_reason_name(static_cast<StopReason>(i & 0x3f));
        if ((i & 0x80) != 0) all.of[i] += "+warned";
        if ((i & 0x40) != 0) all.of[i] += "+skipped_vector";
      }
      return all;
    }();
    if (code < names.of.size() && !names.of[code].empty()) name = names.of[code].c_str();
  });
  return name;
}
}

}  // namespace salu::capi
