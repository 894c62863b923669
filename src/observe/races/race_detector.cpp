#include "observe/races/race_detector.hpp"

#include <algorithm>
#include <bit>

#include "observe/races/report.hpp"

namespace salu::observe::races {
namespace {

/// Limit for the accesses to a dword that are kept in addition to two: the earliest of more are forgotten.
constexpr std::size_t most_accesses = 24;

bool publishes(AccessKind kind) { return kind == AccessKind::atomic || kind == AccessKind::release_store; }

}  // namespace

std::unique_ptr<GroupRaces> RaceDetector::add_group() { return std::make_unique<GroupRaces>(*this, groups_++); }

RacingAccess RaceDetector::describe(const MemoryAccess& access) const {
  const WaveInfo& info = waves_[access.wave];
  RacingAccess result{{sites_[access.site], info.number, info.name}, access.kind, std::nullopt};
  if (access.lane != MemoryAccess::no_lane) result.lane = access.lane;
  return result;
}

WaveId RaceDetector::add_wave(WaveInfo info) {
  waves_.push_back(std::move(info));
  return static_cast<WaveId>(waves_.size() - 1);
}

u32 RaceDetector::site_of(u64 pc) {
  const auto [place, is_new] = site_numbers_.try_emplace(pc, static_cast<u32>(sites_.size()));
  if (is_new) sites_.push_back(pc);
  return place->second;
}

bool RaceDetector::is_new(WarningKind kind, u64 pc, u64 other_pc) {
  return reported_.insert({kind, std::minmax(pc, other_pc)}).second;
}

// ---- waves ----

void WaveRaces::drain(Queue queue) {
  own_.drain(queue);
  drained_ |= 1U << static_cast<u32>(queue);
}

Operation WaveRaces::begin(u64 pc, Queue queue, AccessKind kind) {
  Operation operation{.site = detector_.site_of(pc), .kind = kind, .queue = queue};
  operation.epoch = own_.issue(queue);
  operation.published = own_.drained();
  // Operations of LDS complete in order.
  if (queue == Queue::lds) operation.published[static_cast<std::size_t>(queue)] = operation.epoch;
  return operation;
}

void WaveRaces::end(const Operation& operation) {
  drained_ = 0;
  if (publishes(operation.kind) && operation.queue == Queue::lds) own_.end(operation.queue);
}

void WaveRaces::access(const Operation& operation, u64 address, u32 bytes, u8 lane, u32 value) {
  Shadow& shadow = address >= shared_memory_base ? group_.lds() : detector_.global();
  while (bytes != 0) {
    const auto first = static_cast<u32>(address % 4);
    const u32 count = std::min(bytes, 4 - first);
    const auto mask = static_cast<u8>(((1U << count) - 1) << first);
    if (Shadow::Block* const block = shadow.block_at(address)) {
      Cell& cell = (*block)[address % Shadow::block_bytes / 4];
      const MemoryAccess access{id_, operation.epoch, operation.site, lane, operation.kind, operation.queue, mask};
      if (!pass_fast(cell, access)) access_dword(cell, access, operation, {address - first, value << (8 * first)});
    }
    value = count == 4 ? 0 : value >> (8 * count);
    address += count;
    bytes -= count;
  }
}

void WaveRaces::access_dword(Cell& cell, const MemoryAccess& access, const Operation& operation, const Dword& dword) {
  check(cell.store, access, operation, dword);
  check(cell.load, access, operation, dword);
  if (cell.more != nullptr) {
    for (const MemoryAccess& each : cell.more->accesses) check(each, access, operation, dword);
    if (cell.more->sync != nullptr && conflict(AccessKind::atomic, access.kind)) {
      for (const MemoryAccess& each : cell.more->sync->atomics) check(each, access, operation, dword);
    }
  }
  if (publishes(access.kind)) {
    if (cell.more == nullptr) cell.more = std::make_unique<Cell::More>();
    if (cell.more->sync == nullptr) cell.more->sync = std::make_unique<SyncPlace>();
  }
  if (cell.more != nullptr && cell.more->sync != nullptr) synchronise(cell, access, operation);
  if (access.kind != AccessKind::atomic) record(cell, access);
}

/// Records an access to a whole dword if all earlier ones happened before it. False in all other cases.
bool WaveRaces::pass_fast(Cell& cell, const MemoryAccess& access) const {
  constexpr u8 all_bytes = 0xf;
  if (access.bytes != all_bytes) return false;
  if (cell.more != nullptr) return access.kind == AccessKind::load && repeat_load(cell, access);
  if (access.kind == AccessKind::load) {
    if (!is_ordered(cell.store) || !is_ordered(cell.load)) return false;
    cell.load = access;
    return true;
  }
  if (access.kind != AccessKind::store || !is_ordered(cell.store) || !is_ordered(cell.load)) return false;
  cell.store = access;
  return true;
}

/// Records a load of a dword that the wave has loaded before. False in all other cases.
bool WaveRaces::repeat_load(Cell& cell, const MemoryAccess& access) const {
  if (cell.more->sync != nullptr || !is_ordered(cell.store)) return false;
  MemoryAccess* own = cell.load.wave == id_ && cell.load.bytes == access.bytes ? &cell.load : nullptr;
  for (MemoryAccess& each : cell.more->accesses) {
    if (is_store(each.kind) && !is_ordered(each)) return false;
    if (each.wave == id_ && is_load(each.kind) && each.bytes == access.bytes) own = &each;
  }
  if (own != nullptr) *own = access;
  return own != nullptr;
}

void WaveRaces::check(const MemoryAccess& earlier, const MemoryAccess& access, const Operation& operation,
                      const Dword& dword) {
  auto common = static_cast<u8>(earlier.bytes & access.bytes);
  if (common == 0 || !conflict(earlier.kind, access.kind) || is_ordered(earlier)) return;
  if (is_store(earlier.kind) && is_store(access.kind) && operation.knows_value) {
    // Bytes that do not change can be stored in any order.
    const u32 changed = machine_.memory_now().read_dword(dword.address) ^ dword.value;
    for (u32 i = 0; i < 4; ++i) {
      if ((changed >> (8 * i) & 0xff) == 0) common = static_cast<u8>(common & ~(1U << i));
    }
    if (common == 0) return;
  }
  report(earlier, access, dword.address, common);
}

/// Replaces accesses that happened before this one.
void WaveRaces::record(Cell& cell, const MemoryAccess& access) const {
  const auto replace = [&](MemoryAccess& earlier) {
    if (earlier.bytes != 0 && replaces(access.kind, earlier.kind) && is_ordered(earlier))
      earlier.bytes = static_cast<u8>(earlier.bytes & ~access.bytes);
  };
  replace(cell.store);
  replace(cell.load);
  MemoryAccess& first = is_store(access.kind) ? cell.store : cell.load;
  if (cell.more != nullptr) {
    std::vector<MemoryAccess>& others = cell.more->accesses;
    std::ranges::for_each(others, replace);
    std::erase_if(others, [](const MemoryAccess& each) { return each.bytes == 0; });
  }
  if (first.bytes == 0) {
    first = access;
    return;
  }
  if (cell.more == nullptr) cell.more = std::make_unique<Cell::More>();
  std::vector<MemoryAccess>& others = cell.more->accesses;
  if (others.size() >= most_accesses) others.erase(others.begin());
  others.push_back(access);
}

void WaveRaces::synchronise(Cell& cell, const MemoryAccess& access, const Operation& operation) {
  SyncPlace& place = *cell.more->sync;
  const auto is_latest = [&] { return place.publisher == id_ && place.publisher_version == version_; };
  if (operation.acquires && !is_latest()) {
    acquire(place.published);
    // The value that is read is not older than these writes of other waves, even if they published less than
    // themselves.
    const auto is_read = [this](const MemoryAccess& each) { return each.wave != id_ && publishes(each.kind); };
    std::erase_if(place.atomics, is_read);
    std::erase_if(cell.more->accesses, is_read);
    if (is_read(cell.store)) cell.store.bytes = 0;
  }
  if (!publishes(access.kind)) return;
  if (!is_latest()) {
    if (!place.published.covers(*clock_)) place.published.join(*clock_);
    place.publisher = id_;
    place.publisher_version = version_;
  }
  place.published.advance(id_, operation.published);
  if (access.kind != AccessKind::atomic) return;
  std::vector<MemoryAccess>& atomics = place.atomics;
  auto own = atomics.empty() || atomics.back().wave < id_
                 ? atomics.end()
                 : std::ranges::lower_bound(atomics, id_, {}, &MemoryAccess::wave);
  if (own == atomics.end() || own->wave != id_) own = atomics.insert(own, access);
  const u8 bytes = own->bytes;
  *own = access;
  own->bytes = static_cast<u8>(own->bytes | bytes);
}

void WaveRaces::acquire(const Clock& published) {
  if (clock_->covers(published)) return;
  if (clock_.use_count() > 1) clock_ = std::make_shared<Clock>(*clock_);
  clock_->join(published);
  ++version_;
}

void WaveRaces::report(const MemoryAccess& earlier, const MemoryAccess& access, u64 address, u8 bytes) {
  const RacingAccess mine = detector_.describe(access);
  const RacingAccess other = detector_.describe(earlier);
  if (!detector_.is_new(WarningKind::data_race, mine.pc, other.pc)) return;
  const bool is_same_group = info().group == detector_.wave(earlier.wave).group;
  // The contiguous bytes from the first one on.
  const auto first = static_cast<u32>(std::countr_zero(bytes));
  const auto size = static_cast<u32>(std::countr_one(static_cast<u8>(bytes >> first)));
  report_race(machine_, detector_.named_memory(), mine, other, is_same_group ? Relation::waves : Relation::groups,
              {address + first, size});
}

void WaveRaces::report_lanes(const Operation& operation, u32 lane, u32 other_lane, const MemoryRegion& bytes) {
  const RacingAccess mine{{detector_.pc_of(operation.site), info().number, info().name}, operation.kind, lane};
  if (!detector_.is_new(WarningKind::data_race, mine.pc, mine.pc)) return;
  RacingAccess other = mine;
  other.lane = other_lane;
  report_race(machine_, detector_.named_memory(), mine, other, Relation::lanes, bytes);
}

// ---- work-groups ----

WaveRaces& GroupRaces::add_wave(u64 number, std::string name, core::Machine& machine) {
  const WaveId id = detector_.add_wave({number, std::move(name), number_});
  waves_.push_back(std::make_unique<WaveRaces>(detector_, *this, id, machine));
  return *waves_.back();
}

void GroupRaces::pass_barrier() {
  find_divergence();
  auto clock = std::make_shared<Clock>(*waves_.front()->clock_);
  for (const auto& wave : waves_) {
    if (wave->clock_ != waves_.front()->clock_) clock->join(*wave->clock_);
    clock->advance(wave->id_, wave->own_.end_all());
  }
  for (const auto& wave : waves_) {
    wave->clock_ = clock;
    ++wave->version_;
  }
}

/// Reports waves that wait at different barriers, or have ended.
void GroupRaces::find_divergence() {
  const auto waits = [](const std::unique_ptr<WaveRaces>& wave) { return wave->machine_.waits(); };
  const WaveRaces& first = **std::ranges::find_if(waves_, waits);
  for (const auto& wave : waves_) {
    const bool has_ended = !waits(wave);
    const u64 pc = has_ended ? wave->machine_.pc() : wave->barrier_pc_;
    if (pc == first.barrier_pc_ || !detector_.is_new(WarningKind::barrier_divergence, first.barrier_pc_, pc)) continue;
    report_divergence(first.machine_, {first.barrier_pc_, first.info().number, first.info().name},
                      {pc, wave->info().number, wave->info().name}, has_ended);
  }
}

}  // namespace salu::observe::races
