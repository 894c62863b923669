#include "core/literal_pool.hpp"

#include "core/slot_tables.hpp"

namespace salu::core {
namespace {

constexpr u16 slot_of_literal(std::size_t number) { return static_cast<u16>(literal_slots + 2 * number); }
static_assert((slot_of_literal(most_literals - 1) & no_slot_bit) == 0);

}  // namespace

u16 LiteralPool::find_or_add(u64 value) {
  u16& bucket = buckets_[(value ^ value >> 6 ^ value >> 12) % bucket_count];
  for (u16 each = bucket; each != 0; each = next_[each - 1U]) {
    const u16 slot = slot_of_literal(each - 1U);
    if (wave_.pair(slot) == value) return slot;
  }
  const std::size_t number = next_.size();
  if (number == most_literals) return no_slot;
  next_.push_back(bucket);
  bucket = static_cast<u16>(number + 1);
  wave_.set_pair(slot_of_literal(number), value);
  return slot_of_literal(number);
}

void LiteralPool::clear() {
  if (next_.empty()) return;
  next_.clear();
  buckets_.fill(0);
}

}  // namespace salu::core
