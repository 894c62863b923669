#include "observe/undefined/stretch.hpp"

#include <algorithm>
#include <utility>

#include "isa/operand.hpp"

namespace salu::observe::undefined {
namespace {

template <class Visit>
void for_dwords(const ScalarSet& set, const Visit& visit) {
  constexpr u32 part = 64;
  for (u32 first = 0; first < state_index::scalar_count; first += part) {
    const u64 bits = ((set >> first) & ScalarSet(~u64{0})).to_ullong();
    for_lanes(bits, [&](u32 bit) { visit(first + bit); });
  }
}

/// Whether `value_of` knows it.
bool has_value(Generation generation, u32 index) {
  if (index == state_index::scc) return true;
  if (index >= state_index::tba) return false;
  const isa::OperandClass operand = isa::operand_class(generation, static_cast<u8>(index));
  using enum isa::OperandClass;
  return operand == sgpr || operand == vcc || operand == exec || operand == m0;
}
u32 value_of(const core::Wave& wave, u32 index) { return index == state_index::scc ? wave.scc : wave.slots[index]; }

}  // namespace

bool Stretch::fits(const Shadow& shadow, const core::Wave& wave) const {
  if ((shadow.touched() & read_) != touched_) return false;
  return std::ranges::all_of(found_, [&](const Found& found) {
    return (found.mask.bits == 0 || shadow.has(found.index, found.mask)) &&
           (found.looked_at == 0 || (value_of(wave, found.index) & found.looked_at) == found.value);
  });
}

void Stretch::apply(Shadow& shadow, u64 executed) const {
  if (executed == steps_) {
    shadow.define_but(written_, undefined_);
    for (const Made& made : left_) shadow.set_mask(made.index, made.mask);
    return;
  }
  for (const Made& made : made_) {
    if (made.step < executed) shadow.set_scalar(made.index, made.mask);
  }
}

ScalarSet StretchRecorder::sources_of(u32 index) const {
  return stretch_.written_.test(index) ? sources_[index] : ScalarSet().set(index);
}

bool StretchRecorder::begin(const KnownInstruction& known, const Shadow& shadow, const core::Wave& wave) {
  if (known.may_be_unspecified()) return false;
  ScalarSet sources;
  for_dwords(known.touches(), [&](u32 index) { sources |= sources_of(index); });
  const bool reads_undefined = (known.touches() & shadow.touched()).any();
  if (reads_undefined) {
    bool has_values = true;
    for_dwords(sources, [&](u32 index) { has_values = has_values && has_value(known.generation(), index); });
    if (!has_values) return false;
    valued_ |= sources;
  }
  for_dwords(known.touches() & ~stretch_.written_ & ~stretch_.read_, [&](u32 index) {
    stretch_.read_.set(index);
    const bool is_known = has_value(known.generation(), index);
    stretch_.found_.push_back({index, shadow.scalar(index), 0, is_known ? value_of(wave, index) : 0});
  });
  for_dwords(known.writes(), [&](u32 index) { sources_[index] = sources; });
  return true;
}

void StretchRecorder::end(const KnownInstruction& known, const Shadow& shadow) {
  for_dwords(known.writes(),
             [&](u32 index) { stretch_.made_.push_back({stretch_.steps_, index, shadow.scalar(index)}); });
  stretch_.written_ |= known.writes();
  ++stretch_.steps_;
}

Stretch StretchRecorder::finish() {
  for (Stretch::Found& found : stretch_.found_) {
    if (found.mask.bits != 0) stretch_.touched_.set(found.index);
    const u32 width = found.index == state_index::scc ? 1U : ~u32{0};
    if (valued_.test(found.index)) found.looked_at = width & ~static_cast<u32>(found.mask.bits);
    found.value &= found.looked_at;
  }
  // Of the others it is enough that nothing of them is undefined.
  std::erase_if(stretch_.found_,
                [](const Stretch::Found& found) { return found.mask.bits == 0 && found.looked_at == 0; });
  // Not what the shadow says now: an instruction that is no part of this may have been executed since.
  for (auto made = stretch_.made_.rbegin(); made != stretch_.made_.rend(); ++made) {
    const bool is_last = std::ranges::find(stretch_.made_.rbegin(), made, made->index, &Stretch::Made::index) == made;
    if (!is_last || made->mask.bits == 0) continue;
    stretch_.undefined_.set(made->index);
    stretch_.left_.push_back(*made);
  }
  return std::move(stretch_);
}

const Stretch* Stretches::find(const Shadow& shadow, const core::Wave& wave) {
  const auto fitting = std::ranges::find_if(kept_, [&](const Stretch& stretch) { return stretch.fits(shadow, wave); });
  if (fitting == kept_.end()) return nullptr;
  ++found_;
  if (fitting != kept_.begin()) std::swap(*fitting, kept_.front());
  return &kept_.front();
}

void Stretches::add(Stretch stretch) {
  ++added_;
  if (kept_.size() >= most_kept || !is_worth_it()) kept_.clear();
  kept_.insert(kept_.begin(), std::move(stretch));
}

}  // namespace salu::observe::undefined
