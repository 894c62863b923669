#include <string>

#include "benchmarks.hpp"
#include "stopwatch.hpp"
#include "workloads.hpp"
#include "yardstick.hpp"

namespace salu::bench {
namespace {

/// A prepared workload with its expected result.
struct Prepared {
  explicit Prepared(const Workload& workload)
      : work(workload),
        program(assemble_program(workload.assembly)),
        initial(make_state(program, workload.inputs)),
        memory(make_memory(program)) {}

  [[nodiscard]] Outcome run_salu(Dispatch dispatch) const {
    RunOptions options;
    options.max_steps = ~u64{0};
    options.dispatch = dispatch;
    return run(program, initial, memory, options);
  }
  u32 run_native() const {
    Inputs inputs = work.inputs;
    // Hides the inputs from the compiler, which could compute the result otherwise.
    benchmark::DoNotOptimize(inputs);
    u32 result = work.native(inputs);
    benchmark::DoNotOptimize(result);
    return result;
  }
  u32 run_yardstick(Yardstick& yardstick) const {
    yardstick.set_registers(work.inputs);
    yardstick.run();
    return yardstick.read(work.result);
  }
  [[nodiscard]] bool make_ready(Yardstick& yardstick) const {
    const std::span<const u32> data = workload_data();
    yardstick.set_memory(data_address, {reinterpret_cast<const u8*>(data.data()), data.size_bytes()});
    return yardstick.decode(program.code.front().words);
  }

  const Workload& work;
  Program program;
  WaveState initial;
  Memory memory;
};

/// Reports guest instructions per second.
void count_instructions(benchmark::State& state, u64 steps) {
  state.SetItemsProcessed(static_cast<i64>(steps) * state.iterations());
}

void native(benchmark::State& state, const Workload& work) {
  const Prepared prepared(work);
  const u64 steps = prepared.run_salu(Dispatch::best).steps;
  for ([[maybe_unused]] const auto round : state) {
    state.SetIterationTime(time_of([&] { prepared.run_native(); }));
  }
  count_instructions(state, steps);
}

void yardstick(benchmark::State& state, const Workload& work, YardstickLoop loop) {
  const Prepared prepared(work);
  const u64 steps = prepared.run_salu(Dispatch::best).steps;
  Yardstick yardstick(loop);
  if (!prepared.make_ready(yardstick)) return fail(state, "the yardstick does not know an instruction");
  const u32 expected = prepared.run_native();
  for ([[maybe_unused]] const auto round : state) {
    u32 result = 0;
    state.SetIterationTime(time_of([&] { result = prepared.run_yardstick(yardstick); }));
    if (result != expected) return fail(state, "the yardstick and native code disagree");
  }
  count_instructions(state, steps);
}

/// Runs the references alternately with salu, so that other load on the machine affects all of them equally.
void throughput(benchmark::State& state, const Workload& work, Dispatch dispatch) {
  const Prepared prepared(work);
  const u32 expected = prepared.run_native();
  u64 steps = 0;
  double salu_seconds = 0;
  double native_seconds = 0;
  double goto_seconds = 0;
  double tail_seconds = 0;
  Yardstick by_goto(YardstickLoop::direct_goto);
  Yardstick by_tail(YardstickLoop::tail_calls);
  const bool with_yardstick = work.yardstick && prepared.make_ready(by_goto) && prepared.make_ready(by_tail);
  const bool with_tail = with_yardstick && has_yardstick(YardstickLoop::tail_calls);

  for ([[maybe_unused]] const auto round : state) {
    Outcome outcome;
    const double seconds = time_of([&] { outcome = prepared.run_salu(dispatch); });
    state.SetIterationTime(seconds);
    if (outcome.stop.reason != StopReason::end_program) return fail(state, "the program did not reach its end");
    if (outcome.state.file[work.result] != expected) return fail(state, "salu and native code disagree");
    steps = outcome.steps;
    salu_seconds += seconds;
    native_seconds += time_of([&] { prepared.run_native(); });
    if (with_yardstick) goto_seconds += time_of([&] { prepared.run_yardstick(by_goto); });
    if (with_tail) tail_seconds += time_of([&] { prepared.run_yardstick(by_tail); });
  }
  count_instructions(state, steps);
  state.counters["native_to_salu"] = salu_seconds / native_seconds;
  if (with_yardstick) state.counters["salu_to_goto"] = goto_seconds / salu_seconds;
  if (with_tail) state.counters["salu_to_tail"] = tail_seconds / salu_seconds;
}

void add(const std::string& name, auto function, auto... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->UseManualTime()->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_throughput() {
  for (const Workload& work : workloads()) {
    const std::string prefix = std::string(work.name) + '/';
    for (const auto& [dispatch, name] : dispatches) {
      add(prefix + std::string(name), throughput, std::cref(work), dispatch);
    }
    add(prefix + "native", native, std::cref(work));
    if (!work.yardstick) continue;
    add(prefix + "yardstick_goto", yardstick, std::cref(work), YardstickLoop::direct_goto);
    if (has_yardstick(YardstickLoop::tail_calls)) {
      add(prefix + "yardstick_tail", yardstick, std::cref(work), YardstickLoop::tail_calls);
    }
  }
}

}  // namespace salu::bench
