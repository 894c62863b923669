#include "equiv/run_pair.hpp"

namespace salu::equiv {
namespace {

/// The factor of the step limit for a program that reaches the limit alone.
constexpr u64 second_patience = 10;

}  // namespace

void RunPair::use(std::vector<Input> inputs) {
  inputs_ = std::move(inputs);
  for (Side& side : sides_) side.reset();
}

bool RunPair::run(std::span<const u64> values, const Deadline& deadline) {
  patience_ = 1;
  for (Side& side : sides_) {
    if (!side.run(inputs_, values, patience_, deadline)) return false;
  }
  const bool a_limited = sides_[0].reason() == StopReason::step_limit;
  const bool b_limited = sides_[1].reason() == StopReason::step_limit;
  if (a_limited == b_limited) return true;
  patience_ = second_patience;
  return sides_[a_limited ? 0 : 1].run(inputs_, values, patience_, deadline);
}

bool RunPair::run_a(std::span<const u64> values, const Deadline& deadline) {
  patience_ = 1;
  return sides_[0].run(inputs_, values, patience_, deadline);
}

bool RunPair::mark_executed() {
  bool any = false;
  for (const std::size_t side : both_sides) {
    sides_[side].visit_executed([&](u64 address) { any = maps_[side].mark(address) || any; });
  }
  return any;
}

}  // namespace salu::equiv
