#include "observe/races/report.hpp"

#include <string>

#include "observe/argument_memory.hpp"
#include "support/numbers.hpp"

namespace salu::observe::races {
namespace {

std::string verb(AccessKind kind) {
  if (is_load(kind)) return " loads ";
  return is_store(kind) ? " stores " : " atomically modifies ";
}

/// `lane 3 of wave 1 of work-group [2, 0, 0]`. `wave`: its name.
std::string actor(const RacingAccess& access, const std::string& wave) {
  return access.lane ? "lane " + std::to_string(*access.lane) + " of " + wave : wave;
}

/// `wave 1`, of a name with the work-group.
std::string name_in_group(std::string_view name) { return std::string(name.substr(0, name.find(" of "))); }

/// `` `s_barrier` at 0x1010 (k+0x10) ``
std::string instruction_at(const core::Machine& machine, u64 pc) {
  return "`" + machine.code().text_at(pc) + "` at " + machine.code().program().describe_place(pc);
}

/// `4 bytes at LDS 0x10`, `1 byte at 0x200000040 (out+0x40)`
std::string bytes_text(const Race::Place& place) {
  const std::string bytes = support::counted(place.size_bytes, "byte") + " at ";
  if (place.space == Race::Space::lds) return bytes + "LDS " + support::hex(place.address);
  return bytes + support::hex(place.address) + (place.name.empty() ? "" : " (" + place.name + ")");
}

std::string lanes_text(const RacingAccess& access, const RacingAccess& other, const Race::Place& place) {
  return "lanes " + std::to_string(*access.lane) + " and " + std::to_string(*other.lane) +
         (access.name.empty() ? "" : " of " + std::string(access.name)) + " store different values to " +
         bytes_text(place) + ", in an undefined order; store from one lane only";
}

std::string race_text(const core::Machine& machine, const RacingAccess& access, const RacingAccess& other,
                      Relation relation, const Race::Place& place) {
  const bool is_same_group = relation == Relation::waves;
  const std::string other_wave = is_same_group ? name_in_group(other.name) + " of the same work-group"
                                               : std::string(other.name) + " (another work-group)";
  return actor(access, std::string(access.name)) + verb(access.kind) + bytes_text(place) + ", which " +
         actor(other, other_wave) + verb(other.kind) + "by " + instruction_at(machine, other.pc) +
         " without synchronisation; " +
         (is_same_group ? "insert s_barrier between the two, or order them by atomics"
                        : "order the work-groups by atomics, or separate their memory");
}

}  // namespace

void report_race(core::Machine& machine, std::span<const NamedMemory> names, const RacingAccess& access,
                 const RacingAccess& other, Relation relation, const MemoryRegion& bytes) {
  Race::Place place;
  if (bytes.base >= shared_memory_base) {
    place.space = Race::Space::lds;
    place.address = bytes.base - shared_memory_base;
  } else {
    place.space = Race::Space::global;
    place.address = bytes.base;
    place.name = memory_name(bytes.base, machine.code().program(), names);
  }
  place.size_bytes = bytes.size_bytes;
  place.lane = access.lane;
  place.other_lane = other.lane;
  const Race race{other.pc, access.number, other.number, place};
  machine.warn(WarningKind::data_race, race, access.pc, [&] {
    return relation == Relation::lanes ? lanes_text(access, other, place)
                                       : race_text(machine, access, other, relation, place);
  });
}

void report_divergence(core::Machine& machine, const RacingWave& wave, const RacingWave& other, bool other_has_ended) {
  const Race race{other.pc, wave.number, other.number, std::nullopt};
  machine.warn(WarningKind::barrier_divergence, race, wave.pc, [&] {
    return std::string(wave.name) + " passes this barrier, but " + name_in_group(other.name) +
           (other_has_ended ? " has ended at " : " passes ") + instruction_at(machine, other.pc) +
           "; all waves of a work-group must execute the same barriers";
  });
}

}  // namespace salu::observe::races
