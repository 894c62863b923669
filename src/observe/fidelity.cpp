#include "observe/fidelity.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "isa/memory_table.hpp"
#include "isa/vector/decode.hpp"
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

Addresses executed_by(const core::Machine& machine) {
  Addresses executed;
  machine.visit_executed([&](u64 address) { executed.push_back(address); });
  std::ranges::sort(executed);
  const auto repeated = std::ranges::unique(executed);
  executed.erase(repeated.begin(), repeated.end());
  return executed;
}

void add(Addresses& all, const Addresses& others) {
  Addresses both;
  std::ranges::set_union(all, others, std::back_inserter(both));
  all = std::move(both);
}

}  // namespace

bool is_told(const Fidelity& fidelity, FidelityReport asked) {
  return asked != FidelityReport::of_inexact || !fidelity.is_exact();
}

bool has_approximate_results(Generation generation, const isa::Instruction& instruction, std::span<const u32> words) {
  if (instruction.encoding == isa::EncodingClass::scalar) {
    using Kind = isa::MemoryOperation::Kind;
    if (!isa::is_scalar_memory(instruction.insn)) return false;
    const Kind kind = isa::memory_operation(instruction.insn).kind;
    return kind == Kind::memtime || kind == Kind::memrealtime;
  }
  if (instruction.encoding != isa::EncodingClass::vector) return false;
  const auto vector = isa::vector::decode(generation, words);
  return vector && isa::vector::row(vector->insn).shape.is_approximate;
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
  for (const u64 address : executed_by(machine)) {
    const auto instruction = machine.code().instruction_at(address);
    const bool is_vector = instruction && instruction->encoding == isa::EncodingClass::vector;
    if (std::ranges::binary_search(fidelity.assumed, address)) continue;
    if (is_vector && machine.has_lost_vectors()) {
      fidelity.skipped.push_back(address);
    } else if (std::ranges::binary_search(noted, address) ||
               (instruction &&
                has_approximate_results(machine.generation(), *instruction, machine.code().words_at(address)))) {
      fidelity.approximate.push_back(address);
    } else {
      fidelity.exact.push_back(address);
    }
  }
  return is_told(fidelity, asked) ? std::optional(std::move(fidelity)) : std::nullopt;
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
  if (!later->affected) return;
  if (!all->affected) all->affected.emplace();
  all->affected->control_flow |= later->affected->control_flow;
  all->affected->address |= later->affected->address;
  // The state at the end is that of the wave that ran last.
  all->affected->results = std::move(later->affected->results);
}

}  // namespace salu::observe
