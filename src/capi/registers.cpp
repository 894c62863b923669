#include <algorithm>
#include <array>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "capi/objects.hpp"

namespace salu::capi {
namespace {

/// The registers that were looked up. Every `salu_register` argument is validated with this table.
class KnownRegisters {
 public:
  struct Entry {
    Generation generation{};
    RegisterName name;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// A mark in the upper bits of every number, so that other numbers are rejected.
  static constexpr u64 mark = u64{0x5a12} << 48;

  static KnownRegisters& all() {
    static auto& registers = *new KnownRegisters;
    return registers;
  }
  u64 add(const Entry& entry) {
    const std::unique_lock lock(mutex_);
    auto found = std::ranges::find(entries_, entry);
    if (found == entries_.end()) found = entries_.insert(found, entry);
    return mark | static_cast<u64>(found - entries_.begin());
  }
  [[nodiscard]] std::optional<Entry> find(u64 number) const {
    const std::shared_lock lock(mutex_);
    const u64 index = number ^ mark;
    if (index >= entries_.size()) return std::nullopt;
    return entries_[static_cast<std::size_t>(index)];
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace

RegisterName register_of(salu_register found, Generation generation) {
  const auto entry = KnownRegisters::all().find(found);
  if (!entry) throw Failure(SALU_INVALID_ARGUMENT, "invalid register number: it is not from salu_register_find()");
  if (entry->generation != generation)
    throw Failure(SALU_INVALID_ARGUMENT, "the register belongs to another generation than the program");
  return entry->name;
}

RegisterName named_register(Generation generation, const char* name) {
  std::string problem;
  const auto parsed = parse_register_name(generation, needed_text(name, "name"), &problem);
  if (!parsed) throw Failure(SALU_NOT_FOUND, problem);
  if (parsed->vector_registers() != 0)
    throw Failure(SALU_INVALID_ARGUMENT, std::string(name) + " has " + std::to_string(wave_size(generation)) +
                                             " lanes: name one of them, as in v0[3]");
  if (parsed->width > 64)
    throw Failure(SALU_INVALID_ARGUMENT,
                  std::string(name) + " has " + std::to_string(parsed->width) + " bits; at most 64 are supported");
  return *parsed;
}

std::vector<std::string> strings_of(const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> strings;
  if (count != 0) needed(texts, name);
  for (std::size_t i = 0; i < count; ++i) strings.emplace_back(needed_text(texts[i], name));
  return strings;
}

void read_lanes(const VectorRegisters& vectors, u32 number, u32* lanes, u64* defined) {
  needed(lanes, "lanes");
  if (number >= VectorRegisters::count) {
    throw Failure(SALU_INVALID_ARGUMENT, "no vector register " + std::to_string(number) + ": the last one is number " +
                                             std::to_string(VectorRegisters::count - 1));
  }
  std::ranges::copy(vectors.lanes(number), lanes);
  if (defined != nullptr) *defined = vectors.defined(number);
}

void read_memory(const Memory& memory, u64 address, void* bytes, std::size_t size) {
  if (size == 0) return;
  needed_bytes(bytes, "bytes");
  if (size > Memory::end_address || address > Memory::end_address - size || !memory.is_mapped(address, size))
    throw Failure(SALU_NOT_FOUND, "some of this memory does not exist");
  memory.read(address, {static_cast<u8*>(bytes), size});
}

extern "C" {

salu_status salu_register_find(const salu_scenario* scenario, const char* name, salu_register* found) {
  return guarded([&] {
    needed(found, "found");
    const Generation generation = scenario_of(scenario)->program.generation();
    *found = KnownRegisters::all().add({generation, named_register(generation, name)});
  });
}

uint32_t salu_register_bits(salu_register name) {
  const auto entry = KnownRegisters::all().find(name);
  return entry ? entry->name.width : 0;
}
}

}  // namespace salu::capi
