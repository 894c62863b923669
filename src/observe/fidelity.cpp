#include "observe/fidelity.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "core/executed.hpp"
#include "isa/memory_table.hpp"
#include "isa/vector/table.hpp"

namespace salu::observe {
namespace {

using Addresses = std::vector<u64>;

bool is_approximation(const Warning& warning) {
  return warning.kind == WarningKind::unspecified_result || warning.kind == WarningKind::no_functional_effect;
}

bool may_be_inexact(const core::Machine& machine) {
  return machine.has_lost_vectors() || machine.may_have_approximated() || !machine.assumed().empty() ||
         std::ranges::any_of(machine.warnings(), is_approximation);
}

void add(Addresses& all, const Addresses& others) {
  Addresses both;
  std::ranges::set_union(all, others, std::back_inserter(both));
  all = std::move(both);
}
void remove(Addresses& all, const Addresses& others) {
  Addresses rest;
  std::ranges::set_difference(all, others, std::back_inserter(rest));
  all = std::move(rest);
}

bool is_approximate(Generation generation, const isa::Instruction& instruction, std::span<const u32> words) {
  if (instruction.encoding != isa::EncodingClass::vector) return has_approximate_results(instruction);
  const auto vector = isa::vector::decode(generation, words);
  return vector && has_approximate_results(*vector);
}

}  // namespace

bool is_told(const Fidelity& fidelity, FidelityReport asked) {
  return asked != FidelityReport::of_inexact || !fidelity.is_exact();
}

bool has_approximate_results(const isa::Instruction& instruction) {
  using Kind = isa::MemoryOperation::Kind;
  if (instruction.encoding != isa::EncodingClass::scalar || !isa::is_scalar_memory(instruction.insn)) return false;
  const Kind kind = isa::memory_operation(instruction.insn).kind;
  return kind == Kind::memtime || kind == Kind::memrealtime;
}

bool has_approximate_results(const isa::vector::Instruction& instruction) {
  return isa::vector::is_approximate(instruction);
}

std::optional<Fidelity> find_fidelity(const core::Machine& machine, FidelityReport asked) {
  if (asked == FidelityReport::of_inexact && !may_be_inexact(machine)) return std::nullopt;
  Addresses noted;
  for (const Warning& warning : machine.warnings()) {
    if (is_approximation(warning)) noted.push_back(warning.pc);
  }
  std::ranges::sort(noted);
  Fidelity fidelity;
  fidelity.assumed = machine.assumed();
  std::ranges::sort(fidelity.assumed);
  Addresses executed;
  core::list_executed(machine, executed);
  for (const u64 address : executed) {
    if (std::ranges::binary_search(fidelity.assumed, address)) continue;
    const std::span<const u32> words = machine.code().words_at(address);
    const isa::Instruction instruction = isa::decode(machine.generation(), words);
    if (instruction.encoding == isa::EncodingClass::vector && machine.has_lost_vectors()) {
      fidelity.skipped.push_back(address);
    } else if (std::ranges::binary_search(noted, address) || is_approximate(machine.generation(), instruction, words)) {
      fidelity.approximate.push_back(address);
    } else {
      fidelity.exact.push_back(address);
    }
  }
  return is_told(fidelity, asked) ? std::optional(std::move(fidelity)) : std::nullopt;
}

Affected InexactFollower::affected() const {
  const undefined::State& inexact = state();
  return {inexact.affects_control_flow, inexact.affects_address, undefined::followed_places(inexact, machine())};
}

void InexactFollower::end(const RunOptions& /*options*/, Outcome& outcome) {
  if (outcome.fidelity) outcome.fidelity->affected = affected();
}

void merge(std::optional<Fidelity>& all, std::optional<Fidelity>&& later) {
  if (!all || !later) {
    if (!all) all = std::move(later);
    return;
  }
  add(all->exact, later->exact);
  add(all->approximate, later->approximate);
  add(all->skipped, later->skipped);
  add(all->assumed, later->assumed);
  // An instruction that was exact in one run may be inexact in another run with different operands.
  remove(all->exact, all->approximate);
  remove(all->exact, all->skipped);
  if (!later->affected) return;
  if (!all->affected) all->affected.emplace();
  all->affected->control_flow |= later->affected->control_flow;
  all->affected->address |= later->affected->address;
  // The final state is that of the wave that ran last.
  all->affected->results = std::move(later->affected->results);
}

}  // namespace salu::observe
