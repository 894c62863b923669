#include "proof/symbolic_state.hpp"

#include <algorithm>
#include <set>

namespace salu::proof {

void Path::add(const Terms& terms, TermId condition) {
  if (!terms.is_constant(condition, 1)) conditions_.push_back(condition);
}

TermId Path::condition(Terms& terms) const {
  TermId all = terms.yes();
  for (const TermId each : conditions_) all = terms.bit_and(all, each);
  return all;
}

Path Path::either(Terms& terms, const Path& left, const Path& right, TermId& is_this) {
  const auto [a, b] = std::ranges::mismatch(left.conditions_, right.conditions_);
  const auto rest_of = [&terms](auto first, auto last) {
    TermId all = terms.yes();
    for (; first != last; ++first) all = terms.bit_and(all, *first);
    return all;
  };
  is_this = rest_of(a, left.conditions_.end());
  Path both;
  both.conditions_.assign(left.conditions_.begin(), a);
  both.add(terms, terms.bit_or(is_this, rest_of(b, right.conditions_.end())));
  return both;
}

SymbolicState::SymbolicState(Terms& terms, const SymbolicStart& start)
    : pc(start.program->entry), terms_(&terms), start_(&start), memory_(std::make_shared<std::map<u64, TermId>>()) {
  scalars_.fill(no_value);
}

TermId SymbolicState::initial(u32 index) const {
  if (const auto found = start_->registers.find(index); found != start_->registers.end()) return found->second;
  if (start_->unset && !is_defined(*start_->initial, index)) {
    if (const std::optional<TermId> term = start_->unset(index)) return *term;
  }
  const u64 value = read_register(*start_->initial, {index, 32});
  return terms_->constant(index == state_index::scc ? 1 : 32, value);
}

TermId SymbolicState::read(u32 index) {
  if (index >= state_index::scalar_count) {
    const auto [found, is_new] = lanes_.try_emplace(index);
    if (is_new) found->second = initial(index);
    return found->second;
  }
  if (scalars_[index] == no_value) scalars_[index] = initial(index);
  return scalars_[index];
}

void SymbolicState::write(u32 index, TermId term) {
  if (index >= state_index::scalar_count) {
    lanes_[index] = term;
  } else {
    scalars_[index] = term;
  }
}

void SymbolicState::write_pair(u32 index, TermId term) {
  write(index, terms_->slice(term, 0, 32));
  write(index + 1, terms_->slice(term, 32, 32));
}

TermId SymbolicState::read_dword(u64 address) const {
  if (const auto found = memory_->find(address); found != memory_->end()) return found->second;
  const u32 value = start_->memory->read_dword(address);
  const auto first = start_->bytes.lower_bound(address);
  if (first == start_->bytes.end() || first->first >= address + 4) return terms_->constant(32, value);
  TermId word = 0;
  for (u32 i = 0; i < 4; ++i) {
    const auto found = start_->bytes.find(address + i);
    const TermId byte = found != start_->bytes.end() ? found->second : terms_->constant(8, value >> (8 * i) & 0xff);
    word = i == 0 ? byte : terms_->join(byte, word);
  }
  return word;
}

void SymbolicState::write_dword(u64 address, TermId term) {
  // States share what they have stored until one of them stores more.
  if (memory_.use_count() != 1) memory_ = std::make_shared<std::map<u64, TermId>>(*memory_);
  (*memory_)[address] = term;
}

void SymbolicState::meet(SymbolicState& other) {
  TermId is_this = 0;
  path = Path::either(*terms_, path, other.path, is_this);
  const auto choose = [&](u32 index) {
    const TermId mine = read(index);
    const TermId theirs = other.read(index);
    if (mine != theirs) write(index, terms_->select(is_this, mine, theirs));
  };
  for (u32 index = 0; index < state_index::scalar_count; ++index) {
    if (scalars_[index] != other.scalars_[index]) choose(index);
  }
  std::set<u32> lanes;
  for (const auto& [index, term] : lanes_) lanes.insert(index);
  for (const auto& [index, term] : other.lanes_) lanes.insert(index);
  for (const u32 index : lanes) choose(index);
  if (memory_ == other.memory_) return;
  std::set<u64> addresses;
  for (const auto& [address, term] : *memory_) addresses.insert(address);
  for (const auto& [address, term] : *other.memory_) addresses.insert(address);
  for (const u64 address : addresses)
    write_dword(address, terms_->select(is_this, read_dword(address), other.read_dword(address)));
}

}  // namespace salu::proof
