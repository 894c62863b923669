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
    : pc(start.program->entry), terms_(&terms), start_(&start) {
  scalars_.fill(no_value);
  for (const TermId condition : start.assumed) path.add(terms, condition);
}

TermId SymbolicState::initial(u32 index) const {
  if (const auto found = start_->registers.find(index); found != start_->registers.end()) return found->second;
  if (start_->unset && !is_defined(*start_->initial, index)) {
    if (const std::optional<TermId> term = start_->unset(index)) return *term;
  }
  const u64 value = read_register(*start_->initial, {index, 32});
  return terms_->constant(index == state_index::scc ? 1 : 32, value);
}

TermId SymbolicState::full_status() {
  const auto flag = [this](u32 place, TermId bit) {
    return terms_->zero_extend(place == 0 ? bit : terms_->join(bit, terms_->constant(place, 0)), 32);
  };
  const TermId zero = terms_->constant(64, 0);
  // The stored dword contains these bits as they were in the initial state.
  TermId all = terms_->bit_and(read(state_index::status), terms_->constant(32, ~status_live_bits));
  all = terms_->bit_or(all, flag(gcn::status_bit::scc, read(state_index::scc)));
  all = terms_->bit_or(all, flag(gcn::status_bit::execz, terms_->equal(pair(state_index::exec), zero)));
  return terms_->bit_or(all, flag(gcn::status_bit::vccz, terms_->equal(pair(state_index::vcc), zero)));
}

TermId SymbolicState::read(const RegisterName& name) {
  if (name.is_pc()) return terms_->constant(64, pc);
  if (name.index == state_index::scc) return read(name.index);
  if (name.width == 64) return pair(name.index);
  const TermId dword = name.index == state_index::status ? full_status() : read(name.index);
  return name.width < 32 ? terms_->slice(dword, name.low_bit, name.width) : dword;
}

TermId SymbolicState::find(const TermRows& rows, u64 number) {
  const auto row = rows.find(number / row_dwords);
  return row == rows.end() ? no_value : (*row->second)[number % row_dwords];
}

void SymbolicState::put(TermRows& rows, u64 number, TermId term) {
  std::shared_ptr<TermRow>& row = rows[number / row_dwords];
  if (row == nullptr) {
    row = std::make_shared<TermRow>();
    row->fill(no_value);
  } else if (row.use_count() != 1) {
    row = std::make_shared<TermRow>(*row);
  }
  (*row)[number % row_dwords] = term;
}

template <class Visit>
void SymbolicState::for_different(const TermRows& rows, const TermRows& others, const Visit& visit) {
  std::set<u64> numbers;
  for (const auto& [number, row] : rows) numbers.insert(number);
  for (const auto& [number, row] : others) numbers.insert(number);
  for (const u64 number : numbers) {
    const auto mine = rows.find(number);
    const auto theirs = others.find(number);
    if (mine != rows.end() && theirs != others.end() && mine->second == theirs->second) continue;
    for (u32 i = 0; i < row_dwords; ++i) {
      const u64 dword = number * row_dwords + i;
      if (find(rows, dword) != find(others, dword)) visit(dword);
    }
  }
}

TermId SymbolicState::read(u32 index) {
  if (index >= state_index::scalar_count) {
    const u64 number = index - state_index::vgprs;
    TermId term = find(lanes_, number);
    if (term == no_value) put(lanes_, number, term = initial(index));
    return term;
  }
  if (scalars_[index] == no_value) scalars_[index] = initial(index);
  return scalars_[index];
}

void SymbolicState::write(u32 index, TermId term) {
  if (index >= state_index::scalar_count) {
    put(lanes_, index - state_index::vgprs, term);
  } else {
    scalars_[index] = term;
  }
}

void SymbolicState::write_pair(u32 index, TermId term) {
  write(index, terms_->slice(term, 0, 32));
  write(index + 1, terms_->slice(term, 32, 32));
}

TermId SymbolicState::read_dword(u64 address) const {
  if (const TermId term = find(memory_, address / 4); term != no_value) return term;
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

void SymbolicState::write_dword(u64 address, TermId term) { put(memory_, address / 4, term); }

TermId SymbolicState::read_bytes(u64 address, u32 count) const {
  const auto offset = static_cast<u32>(address % 4);
  const u32 here = std::min(count, 4 - offset);
  const TermId low = terms_->slice(read_dword(address - offset), 8 * offset, 8 * here);
  return here == count ? low : terms_->join(read_bytes(address + here, count - here), low);
}

void SymbolicState::write_bytes(u64 address, TermId term) {
  const u32 count = terms_->width(term) / 8;
  const auto offset = static_cast<u32>(address % 4);
  const u32 here = std::min(count, 4 - offset);
  TermId dword = terms_->slice(term, 0, 8 * here);
  if (here != 4) {
    const TermId old = read_dword(address - offset);
    const u32 end = 8 * (offset + here);
    if (offset != 0) dword = terms_->join(dword, terms_->slice(old, 0, 8 * offset));
    if (end != 32) dword = terms_->join(terms_->slice(old, end, 32 - end), dword);
  }
  write_dword(address - offset, dword);
  if (here != count) write_bytes(address + here, terms_->slice(term, 8 * here, 8 * (count - here)));
}

std::vector<u64> SymbolicState::written() const {
  std::vector<u64> addresses;
  for (const auto& [number, row] : memory_) {
    for (u32 i = 0; i < row_dwords; ++i) {
      if ((*row)[i] != no_value) addresses.push_back((number * row_dwords + i) * 4);
    }
  }
  return addresses;
}

bool SymbolicState::may_be_full() const {
  const Memory& memory = *start_->memory;
  std::set<u64> more;
  const auto add = [&](u64 address) {
    if (!memory.holds_page(address)) more.insert(address / Memory::page_bytes);
  };
  for (const u64 address : written()) add(address);
  if (more.empty()) return false;
  // The page of an input byte uses memory unless the input is 0.
  for (const auto& [address, term] : start_->bytes) add(address);
  return memory.held_pages() + more.size() > start_->max_memory_bytes / Memory::page_bytes;
}

void SymbolicState::meet(SymbolicState& other) {
  TermId is_this = 0;
  path = Path::either(*terms_, path, other.path, is_this);
  steps = std::max(steps, other.steps);
  const auto choose = [&](u32 index) {
    const TermId mine = read(index);
    const TermId theirs = other.read(index);
    if (mine != theirs) write(index, terms_->select(is_this, mine, theirs));
  };
  for (u32 index = 0; index < state_index::scalar_count; ++index) {
    if (scalars_[index] != other.scalars_[index]) choose(index);
  }
  // The loop may add rows; only the existing ones are visited.
  const TermRows lanes = lanes_;
  for_different(lanes, other.lanes_, [&](u64 number) { choose(state_index::vgprs + static_cast<u32>(number)); });
  const TermRows memory = memory_;
  for_different(memory, other.memory_, [&](u64 number) {
    write_dword(number * 4, terms_->select(is_this, read_dword(number * 4), other.read_dword(number * 4)));
  });
}

}  // namespace salu::proof
