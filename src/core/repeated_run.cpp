#include "core/repeated_run.hpp"

#include <array>
#include <span>

#include "core/time_limit.hpp"

namespace salu::core {

RepeatedRun::RepeatedRun(const Program& program, const WaveState& initial, const Memory& memory,
                         const RunOptions& options)
    : initial_(initial),
      memory_(memory),
      machine_(program, options.dispatch),
      max_seconds_(options.max_seconds),
      start_(initial),
      before_(memory) {
  machine_.set_options(options);
  machine_.set_memory(before_);
}

void RepeatedRun::reset() {
  start_ = initial_;
  reset_memory();
}

void RepeatedRun::reset_memory() {
  if (!memory_is_set_) return;
  before_ = memory_;
  memory_is_set_ = false;
  memory_is_new_ = true;
}

void RepeatedRun::set_memory(u64 address, u64 value, u64 size_bytes) {
  std::array<u8, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(value >> (8 * i));
  before_.write(address, std::span(bytes).first(static_cast<std::size_t>(size_bytes)));
  memory_is_set_ = true;
  memory_is_new_ = true;
}

void RepeatedRun::begin() {
  // Pages are shared until they are written, so a run without writes is detected at once. A run that wrote zeros to an
  // unused page has enlarged memory.
  const Memory& now = machine_.memory_now();
  const bool is_changed = now.held_pages() != before_.held_pages() || !Memory::differing_pages(before_, now).empty();
  if (memory_is_new_ || is_changed) machine_.set_memory(before_);
  memory_is_new_ = false;
  machine_.set_state(start_);
  limit_ = StopReason::step_limit;
}

u64 RepeatedRun::run(u64 max_steps) {
  begin();
  return machine_.run(max_steps);
}

u64 RepeatedRun::run_for_a_time(u64 max_steps) {
  if (!max_seconds_) return run(max_steps);
  begin();
  const TimeLimit limit(max_seconds_);
  const u64 steps = limit.run(max_steps, fast_slice_steps, [this](u64 slice) { return machine_.run(slice); });
  if (steps < max_steps) limit_ = StopReason::time_limit;
  return steps;
}

StopReason RepeatedRun::reason() const { return machine_.stopped() ? machine_.stop_reason() : limit_; }

Stop RepeatedRun::stop() const {
  if (machine_.stopped()) return machine_.stop();
  const u64 pc = machine_.pc();
  return {limit_, std::nullopt, pc, machine_.code().text_at(pc), {}};
}

u64 RepeatedRun::read(const RegisterName& name) const {
  if (name.is_scc()) return machine_.wave().scc;
  if (name.is_vector()) return machine_.lane(name.index);
  if (!name.is_in_file()) return read_register(machine_.state(), name);
  return name.width <= 32 ? machine_.wave().slots[name.index] : machine_.wave().pair(name.index);
}

}  // namespace salu::core
