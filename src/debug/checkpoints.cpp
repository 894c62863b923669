#include "debug/checkpoints.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/vector/vector_file.hpp"

namespace salu::debug {
namespace {

constexpr std::size_t most_checkpoints = 4096;
/// Temporary checkpoints: their number, their distance while the run goes forward, and the least distance near its
/// goal.
constexpr std::size_t most_near = 16;
constexpr u64 near_interval = 262'144;
constexpr u64 nearest = 1024;

using observe::WorkGroups;

/// The memory of a checkpoint that is not shared with the one before, which may be null: waves, observers, and pages
/// with the nodes of the tree above them.
u64 bytes_of(const Checkpoint& checkpoint, const Checkpoint* before) {
  constexpr u64 bytes_a_page = Memory::page_bytes + 2048;
  u64 bytes = sizeof(Checkpoint);
  for (const WorkGroups::Kept::OneGroup& group : checkpoint.kept->groups) {
    for (const WorkGroups::Kept::OneWave& wave : group.waves) {
      const WorkGroups::Kept::OneWave* const same = before == nullptr ? nullptr : before->kept->find(wave.number);
      const VectorRegisters none;
      bytes += sizeof(wave) + core::VectorFile::bytes_beside(wave.state.state.vectors,
                                                             same == nullptr ? none : same->state.state.vectors);
      for (const observe::Observer::Kept& observer : wave.observers) bytes += observer.bytes;
    }
  }
  if (before == nullptr) return bytes;
  return bytes + Memory::differing_pages(before->kept->memory, checkpoint.kept->memory).size() * bytes_a_page;
}

}  // namespace

const Checkpoint& Checkpoints::find(u64 position) const {
  const auto behind = std::ranges::upper_bound(whole_, position, {}, &Checkpoint::position);
  const auto near_behind = std::ranges::upper_bound(near_, position, {}, &Checkpoint::position);
  const Checkpoint& found = *std::prev(behind);
  if (near_behind == near_.begin()) return found;
  const Checkpoint& near = *std::prev(near_behind);
  return near.position() > found.position() ? near : found;
}

u64 Checkpoints::next_due(u64 here) const {
  if (are_off()) return never;
  u64 due = whole_.back().position() + interval_;
  // In a part of the run that has its checkpoints.
  if (here >= due) due = here + interval_;
  return std::min(due, std::max(near_due_, here + 1));
}

void Checkpoints::take_due(u64 here, const std::function<Checkpoint()>& make) {
  if (are_off()) return;
  if (here >= whole_.back().position() + interval_) add(make());
  if (here < near_due_) return;
  drop_near_from(here);
  if (find(here).position() != here) add_near(make());
  plan(here, goal_);
}

void Checkpoints::add(Checkpoint checkpoint) {
  const u64 here = checkpoint.position();
  whole_.push_back(std::move(checkpoint));
  measure(whole_.size() - 1);
  if (lack_room()) thin_out();
  plan(here, goal_);
}

void Checkpoints::add_near(Checkpoint checkpoint) {
  checkpoint.bytes = bytes_of(checkpoint, &find(checkpoint.position()));
  near_bytes_ += checkpoint.bytes;
  near_.push_back(std::move(checkpoint));
  while (near_.size() > most_near || near_bytes_ > most_bytes_ / 2) {
    near_bytes_ -= near_.front().bytes;
    near_.pop_front();
  }
  if (lack_room()) thin_out();
}

void Checkpoints::plan(u64 here, u64 goal) {
  goal_ = goal;
  // After three quarters of the way to the goal, and at a regular distance.
  const u64 quarter = goal_ > here ? (goal_ - here) / 4 : 0;
  near_due_ = quarter >= nearest ? goal_ - quarter : never;
  if (are_off() || interval_ <= near_interval) return;
  u64 due = find(here).position() + near_interval;
  // Those far from the goal would have been replaced before the goal is reached.
  const u64 kept = near_interval * near_count();
  if (goal_ > here && goal_ - here > kept) due = std::max(due, goal_ - kept);
  near_due_ = std::min(near_due_, due);
}

void Checkpoints::drop_from(u64 position) {
  while (!whole_.empty() && whole_.back().position() >= position) {
    whole_bytes_ -= whole_.back().bytes;
    whole_.pop_back();
  }
  drop_near_from(position);
}

/// The number of temporary checkpoints that fit into memory.
std::size_t Checkpoints::near_count() const {
  const u64 bytes = near_.empty() ? whole_.back().bytes : near_bytes_ / near_.size();
  return std::clamp<std::size_t>(most_bytes_ / 2 / std::max<u64>(bytes, 1), 1, most_near);
}

void Checkpoints::drop_near_from(u64 position) {
  while (!near_.empty() && near_.back().position() >= position) {
    near_bytes_ -= near_.back().bytes;
    near_.pop_back();
  }
}

bool Checkpoints::lack_room() const { return bytes() > most_bytes_ || whole_.size() > most_checkpoints; }

/// Drops every second checkpoint of the whole run until the others fit into memory.
void Checkpoints::thin_out() {
  while (whole_.size() > 2 && lack_room()) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < whole_.size(); i += 2, ++kept) {
      if (kept != i) whole_[kept] = std::move(whole_[i]);
    }
    whole_.resize(kept);
    if (!are_off()) interval_ *= 2;
    whole_bytes_ = 0;
    for (std::size_t i = 0; i < kept; ++i) measure(i);
  }
}

void Checkpoints::measure(std::size_t index) {
  whole_[index].bytes = bytes_of(whole_[index], index == 0 ? nullptr : &whole_[index - 1]);
  whole_bytes_ += whole_[index].bytes;
}

}  // namespace salu::debug
