#include "observe/races/clocks.hpp"

#include <algorithm>

namespace salu::observe::races {
namespace {

void raise(Epochs& epochs, const Epochs& other) {
  for (std::size_t i = 0; i < queue_count; ++i) epochs[i] = std::max(epochs[i], other[i]);
}

}  // namespace

const Clock::Entry* Clock::find(WaveId wave) const {
  if (entries_.empty()) return nullptr;
  // The waves of a work-group have consecutive numbers.
  const std::size_t guess = wave - entries_.front().wave;
  if (guess < entries_.size() && entries_[guess].wave == wave) return &entries_[guess];
  const auto found = std::ranges::lower_bound(entries_, wave, {}, &Entry::wave);
  return found == entries_.end() || found->wave != wave ? nullptr : &*found;
}

void Clock::advance(WaveId wave, const Epochs& epochs) {
  auto place = std::ranges::lower_bound(entries_, wave, {}, &Entry::wave);
  if (place == entries_.end() || place->wave != wave) place = entries_.insert(place, {wave, {}});
  raise(place->epochs, epochs);
}

bool Clock::covers(const Clock& other) const {
  auto mine = entries_.begin();
  for (const Entry& theirs : other.entries_) {
    mine = std::find_if(mine, entries_.end(), [&](const Entry& entry) { return entry.wave >= theirs.wave; });
    if (mine == entries_.end() || mine->wave != theirs.wave) return false;
    for (std::size_t i = 0; i < queue_count; ++i) {
      if (mine->epochs[i] < theirs.epochs[i]) return false;
    }
  }
  return true;
}

void Clock::join(const Clock& other) {
  std::vector<Entry> joined;
  joined.reserve(std::max(entries_.size(), other.entries_.size()));
  auto mine = entries_.begin();
  for (const Entry& theirs : other.entries_) {
    while (mine != entries_.end() && mine->wave < theirs.wave) joined.push_back(*mine++);
    joined.push_back(theirs);
    if (mine != entries_.end() && mine->wave == theirs.wave) raise(joined.back().epochs, (mine++)->epochs);
  }
  joined.insert(joined.end(), mine, entries_.end());
  entries_ = std::move(joined);
}

Epochs OwnEpochs::end_all() {
  Epochs last{};
  for (const Queue queue : {Queue::lds, Queue::vector, Queue::scalar}) {
    end(queue);
    last[place(queue)] = now_[place(queue)] - 1;
  }
  return last;
}

}  // namespace salu::observe::races
