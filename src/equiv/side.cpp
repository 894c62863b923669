#include "equiv/side.hpp"

#include <algorithm>

namespace salu::equiv {
namespace {

/// So that a multiple of it is still a number of steps.
constexpr u64 most_steps = u64{1} << 48;

}  // namespace

Side::Side(const Scenario& scenario, std::size_t index, u64 max_steps)
    : scenario_(scenario),
      index_(index),
      max_steps_(std::min({max_steps, scenario.options.max_steps, most_steps})),
      machine_(scenario.program, scenario.options.dispatch),
      start_(scenario.initial),
      before_(scenario.memory) {
  machine_.set_on_vector(scenario.options.on_vector);
  machine_.set_clock(scenario.options.clock);
  machine_.set_memory(before_);
}

RunOptions Side::options(u64 patience) const {
  RunOptions options = scenario_.options;
  options.max_steps = max_steps_ * patience;
  return options;
}

void Side::set_inputs(std::span<const Input> inputs, std::span<const u64> values) {
  const Generation generation = scenario_.program.generation();
  bool memory_given = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Place& place = inputs[i].place;
    if (!place.is_memory) {
      write_register(start_, generation, place.registers[index_], values[i]);
      continue;
    }
    if (!memory_given) before_ = scenario_.memory;
    memory_given = true;
    std::array<u8, 8> bytes{};
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<u8>(values[i] >> (8 * k));
    before_.write(place.addresses[index_], std::span(bytes).first(static_cast<std::size_t>(place.size_bytes)));
  }
}

void Side::run(std::span<const Input> inputs, std::span<const u64> values, u64 patience) {
  set_inputs(inputs, values);
  // Pages are shared as long as nobody writes them.
  if (!Memory::differing_pages(before_, machine_.memory_now()).empty()) machine_.set_memory(before_);
  machine_.set_state(start_);
  machine_.run(max_steps_ * patience);
  reason_ = machine_.stopped() ? machine_.stop_reason() : StopReason::step_limit;
  if (scenario_.options.on_vector == OnVector::skip) {
    outcome_ = salu::run(scenario_.program, start_, before_, options(patience));
  }
}

Stop Side::stop() const {
  if (outcome_) return outcome_->stop;
  if (machine_.stopped()) return machine_.stop();
  const u64 pc = machine_.pc();
  return {StopReason::step_limit, std::nullopt, pc, machine_.text_at(pc), {}};
}

u64 Side::read(const RegisterName& name) const {
  if (outcome_) return read_register(outcome_->state, name);
  if (name.kind == RegisterName::Kind::scc) return machine_.peek_scc() ? 1 : 0;
  if (name.kind != RegisterName::Kind::file) return read_register(machine_.state(), name);
  const u64 low = machine_.slots[name.first];
  return name.width == 64 ? low | u64{machine_.slots[name.first + 1U]} << 32 : low;
}

bool Side::is_lost(const RegisterName& name) const { return outcome_ && salu::is_lost(*outcome_, name); }

}  // namespace salu::equiv
