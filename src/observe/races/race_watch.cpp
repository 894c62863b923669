#include "observe/races/race_watch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "core/memory_access.hpp"
#include "core/vector/lane_addresses.hpp"
#include "exec/memory_step.hpp"
#include "isa/memory_table.hpp"
#include "isa/symbolic.hpp"
#include "isa/vector/semantics/conversions.hpp"
#include "isa/vector/table.hpp"

namespace salu::observe::races {
namespace {

namespace vector = isa::vector;
using vector::Format;

/// The domain of `LaneMemoryStep` that supplies the data of a store.
class StoredData {
 public:
  using Dword = u32;

  StoredData(const vector::Instruction& instruction, const core::LaneAddresses& addresses, const core::VectorFile& file)
      : instruction_(instruction), addresses_(addresses), file_(file) {}

  [[nodiscard]] const vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] const vector::Access& access() const { return vector::row(instruction_.insn).access; }
  [[nodiscard]] u32 pieces_of_place() const { return addresses_.pieces_of_place(); }
  [[nodiscard]] u32 data(u32 number, u32 lane) const { return file_.lanes(number)[lane]; }
  static u32 zero() { return 0; }
  [[nodiscard]] vector::ElementDwords element_of_registers(const vector::ElementDwords& registers) const {
    return vector::element_of_registers(access(), addresses_.buffer_format(), registers);
  }
  static u32 slice(u32 dword, u32 first, u32 bits) { return dword >> first & ((1U << bits) - 1); }

 private:
  const vector::Instruction& instruction_;
  const core::LaneAddresses& addresses_;
  const core::VectorFile& file_;
};

bool is_waitcnt(const isa::Instruction& instruction) {
  const isa::OperandSpec* const immediate = isa::info(instruction.insn).shape.find(isa::Field::simm16);
  return immediate != nullptr && immediate->kind == isa::OperandKind::waitcnt;
}

bool accesses_memory(const isa::Instruction& instruction) {
  using Kind = isa::MemoryOperation::Kind;
  if (!isa::is_scalar_memory(instruction.insn)) return false;
  const Kind kind = isa::memory_operation(instruction.insn).kind;
  return kind == Kind::load || kind == Kind::store || kind == Kind::atomic;
}

/// Bytes that a lane stores.
struct StoredBytes {
  u64 address = 0;
  u32 bytes = 0;
  u32 lane = 0;
  u32 value = 0;

  [[nodiscard]] u64 end() const { return address + bytes; }
};

/// The first bytes that two lanes store with different values; empty if none exist. `earlier` is not after `later`.
MemoryRegion differing_bytes(const StoredBytes& earlier, const StoredBytes& later) {
  MemoryRegion result;
  for (u64 at = later.address; at < std::min(earlier.end(), later.end()); ++at) {
    const bool differs =
        ((earlier.value >> (8 * (at - earlier.address)) ^ later.value >> (8 * (at - later.address))) & 0xff) != 0;
    if (differs && result.size_bytes == 0) result.base = at;
    if (differs) ++result.size_bytes;
    if (!differs && result.size_bytes != 0) break;
  }
  return result;
}

/// The accesses of the active lanes of an instruction.
class LaneAccesses {
 public:
  /// `races`: null for a wave that runs alone.
  LaneAccesses(core::Machine& machine, std::span<const NamedMemory> names, WaveRaces* races, u64 pc,
               const vector::Instruction& instruction, const core::VectorFile& file)
      : machine_(machine),
        names_(names),
        races_(races),
        wave_(machine.wave()),
        pc_(pc),
        instruction_(instruction),
        row_(vector::row(instruction.insn)),
        exec_(wave_.pair(state_index::exec)),
        addresses_(wave_, file, instruction, scalar()),
        data_(instruction, addresses_, file) {}

  void watch() {
    if (exec_ == 0) return;
    if (!watch_rows()) {
      for_lanes([&](u32 lane) { watch_lane(lane); });
      if (row_.access.is_store) find_overlaps();
    }
    if (instruction_.memory.lds) watch_stored_lds();
    for (const std::optional<Operation>& operation : operations_) {
      if (operation) races_->end(*operation);
    }
  }

 private:
  template <class Visit>
  void for_lanes(const Visit& visit) const {
    for (u64 lanes = exec_; lanes != 0; lanes &= lanes - 1) visit(static_cast<u32>(std::countr_zero(lanes)));
  }

  [[nodiscard]] u64 scalar() const {
    const u32 dwords = core::scalar_dwords(instruction_);
    return dwords == 0 ? 0 : wave_.source(instruction_.memory.scalar, dwords, 0);
  }

  [[nodiscard]] Queue queue_of(u64 address) const {
    const bool is_lds = row_.format == Format::ds || (row_.format == Format::flat && address >= shared_memory_base);
    return is_lds ? Queue::lds : Queue::vector;
  }

  [[nodiscard]] AccessKind kind_of(Queue queue, u64 address) const {
    const vector::MemoryOperands& operands = instruction_.memory;
    if (row_.access.is_atomic()) return AccessKind::atomic;
    if (!row_.access.is_store)
      return row_.format != Format::ds && (operands.glc || operands.sc1) ? AccessKind::coherent_load : AccessKind::load;
    const u32 bytes = row_.access.bytes;
    const bool is_one = std::has_single_bit(exec_) && !row_.access.is_double;
    const bool may_be_atomic = is_one && (bytes == 4 || bytes == 8) && address % bytes == 0;
    return may_be_atomic && races_->may_release(queue) ? AccessKind::release_store : AccessKind::store;
  }

  /// The operation on the memory of an address. FLAT can access both LDS and other memory.
  const Operation& operation_at(u64 address) {
    const Queue queue = queue_of(address);
    std::optional<Operation>& operation = operations_[static_cast<std::size_t>(queue)];
    if (!operation) {
      operation = races_->begin(pc_, queue, kind_of(queue, address));
      operation->acquires = operation->kind == AccessKind::coherent_load ||
                            (operation->kind == AccessKind::atomic && vector::has_result(instruction_));
    }
    return *operation;
  }

  [[nodiscard]] u32 stored(u32 lane, u32 number) {
    return row_.access.is_store ? exec::LaneMemoryStep<StoredData>::stored(data_, lane, number) : 0;
  }

  /// Records contiguous dwords, which do not overlap. False if the pieces are not contiguous.
  bool watch_rows() {
    std::array<u64, most_pieces> rows{};
    for (u32 number = 0; number < addresses_.pieces(); ++number) {
      const std::optional<u64> row = addresses_.row(number);
      if (!row) return false;
      rows[number] = *row;
    }
    if (races_ == nullptr) return true;
    const u32 bytes = std::min<u32>(row_.access.bytes, 4);
    for (u32 number = 0; number < addresses_.pieces(); ++number) {
      const Operation& operation = operation_at(rows[number]);
      for_lanes([&](u32 lane) {
        races_->access(operation, rows[number] + u64{4} * lane, bytes, static_cast<u8>(lane), stored(lane, number));
      });
    }
    return true;
  }

  void watch_lane(u32 lane) {
    for (u32 number = 0; number < addresses_.pieces(); ++number) {
      const core::LanePiece piece = addresses_.piece(lane, number);
      if (!piece.is_there || piece.is_private) continue;
      const u32 value = stored(lane, number);
      addresses_.for_parts(lane, number, piece, [&](const core::LanePiece& part, u32 first) {
        const StoredBytes bytes{part.address, part.bytes, lane, value >> (8 * first)};
        if (races_ != nullptr)
          races_->access(operation_at(part.address), part.address, part.bytes, static_cast<u8>(lane), bytes.value);
        ascends_ = ascends_ && (stored_.empty() || stored_.back().end() <= bytes.address);
        if (row_.access.is_store) stored_.push_back(bytes);
        return true;
      });
    }
  }

  /// The dwords of LDS that a load to LDS writes when its data arrive.
  void watch_stored_lds() {
    if (races_ == nullptr) return;
    Operation operation = races_->begin(pc_, Queue::vector, AccessKind::store);
    operation.knows_value = false;
    for_lanes([&](u32 lane) {
      for (u32 number = 0; number < addresses_.pieces(); ++number)
        races_->access(operation, addresses_.lds_piece(lane, number).address, 4, static_cast<u8>(lane), 0);
    });
    races_->end(operation);
  }

  /// Reports lanes that store different values to the same bytes.
  void find_overlaps() {
    if (ascends_) return;
    std::ranges::sort(stored_, {}, [](const StoredBytes& each) { return std::pair(each.address, each.lane); });
    for (auto later = stored_.begin(); later != stored_.end(); ++later) {
      // Pieces have at most four bytes.
      for (auto earlier = later; earlier != stored_.begin() && std::prev(earlier)->address + 4 > later->address;) {
        --earlier;
        if (earlier->lane == later->lane) continue;
        const MemoryRegion bytes = differing_bytes(*earlier, *later);
        if (bytes.size_bytes != 0) return report(earlier->lane, later->lane, bytes);
        // An equal piece has been compared with the earlier ones.
        if (earlier->address == later->address && earlier->bytes == later->bytes) break;
      }
    }
  }

  void report(u32 lane, u32 other_lane, const MemoryRegion& bytes) {
    if (races_ != nullptr) return races_->report_lanes(operation_at(bytes.base), lane, other_lane, bytes);
    const RacingAccess access{{pc_, 0, {}}, AccessKind::store, lane};
    RacingAccess other = access;
    other.lane = other_lane;
    report_race(machine_, names_, access, other, Relation::lanes, bytes);
  }

  static constexpr std::size_t most_pieces = 8;

  core::Machine& machine_;
  std::span<const NamedMemory> names_;
  WaveRaces* races_;
  const core::Wave& wave_;
  u64 pc_;
  const vector::Instruction& instruction_;
  const vector::InstructionInfo& row_;
  u64 exec_;
  core::LaneAddresses addresses_;
  StoredData data_;
  std::array<std::optional<Operation>, queue_count> operations_;
  std::vector<StoredBytes> stored_;
  bool ascends_ = true;  ///< the stored bytes do not overlap
};

}  // namespace

bool RaceWatch::wants(u64 /*address*/, const KnownInstruction& known) {
  if (const vector::Instruction* const instruction = known.vector()) {
    const vector::InstructionInfo& row = vector::row(instruction->insn);
    const bool accesses = row.is_memory() && (row.access.reads_memory() || row.access.writes_memory());
    return accesses && (wave_ != nullptr || row.access.is_store);
  }
  const isa::Instruction& instruction = known.instruction();
  if (wave_ == nullptr || instruction.encoding != isa::EncodingClass::scalar || known.has_operand_fault()) return false;
  return isa::info(instruction.insn).is_barrier || is_waitcnt(instruction) || accesses_memory(instruction);
}

void RaceWatch::before(ObservedStep& step) {
  if (step.assumed != nullptr) return;
  if (const vector::Instruction* const instruction = step.known.vector()) {
    if (!step.runs_vector || !wants(step.pc, step.known)) return;
    const auto watch = [&](const core::VectorFile& file) {
      LaneAccesses(machine_, names_, wave_, step.pc, *instruction, file).watch();
    };
    machine_.vectors() != nullptr ? watch(*machine_.vectors()) : watch(core::VectorFile(VectorRegisters()));
  } else if (wants(step.pc, step.known)) {
    watch_scalar(step.pc, step.known.instruction());
  }
}

void RaceWatch::watch_scalar(u64 pc, const isa::Instruction& instruction) {
  if (isa::info(instruction.insn).is_barrier) return wave_->arrive(pc);
  if (accesses_memory(instruction)) return watch_scalar_memory(pc, instruction);
  const isa::WaitCounters counters = isa::decode_waitcnt(machine_.generation(), instruction.simm16);
  if (counters.vmcnt == 0) wave_->drain(Queue::vector);
  if (counters.lgkmcnt != 0) return;
  wave_->drain(Queue::lds);
  wave_->drain(Queue::scalar);
}

void RaceWatch::watch_scalar_memory(u64 pc, const isa::Instruction& instruction) {
  using Kind = isa::MemoryOperation::Kind;
  constexpr u32 most_atomic_dwords = 2;
  const core::Wave& wave = machine_.wave();
  const core::MemoryRequest request = core::find_memory_request(wave, instruction);
  if (request.negative_offset || core::is_suppressed(wave, instruction, request)) return;
  const Kind operation_kind = isa::memory_operation(instruction.insn).kind;
  const bool is_coherent = instruction.memory.glc;
  AccessKind kind = is_coherent ? AccessKind::coherent_load : AccessKind::load;
  if (operation_kind == Kind::atomic) kind = AccessKind::atomic;
  if (operation_kind == Kind::store) {
    const bool releases = request.dwords <= most_atomic_dwords && wave_->may_release(Queue::scalar);
    kind = releases ? AccessKind::release_store : AccessKind::store;
  }
  Operation operation = wave_->begin(pc, Queue::scalar, kind);
  operation.acquires = is_coherent && (kind == AccessKind::coherent_load || kind == AccessKind::atomic);
  for (u32 i = 0; i < request.in_bounds; ++i) {
    const u32 value = is_store(kind) ? wave.source_dword(instruction.memory.sdata, request.dwords, i) : 0;
    wave_->access(operation, wave.data_address(request.address + u64{4} * i), 4, MemoryAccess::no_lane, value);
  }
  wave_->end(operation);
}

}  // namespace salu::observe::races
