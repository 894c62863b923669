#include "core/memory_access.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "isa/generations.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

/// Scalar memory as it is executed when the fast handlers are not enough: any operand, any operation, every check.
namespace salu::core {
namespace {

using isa::Field;
using isa::Instruction;
using isa::MemoryOperation;
using isa::OperandClass;

using Dwords = std::array<u32, 16>;

/// Dword `i` of an access, on addresses that wrap where the generation's do.
u64 dword_address(const Machine& machine, u64 address, u32 i) { return machine.data_address(address + u64{i} * 4); }

template <class T>
T combine(std::span<const u32> dwords) {
  u64 value = dwords[0];
  if constexpr (sizeof(T) == 8) value |= u64{dwords[1]} << 32;
  return static_cast<T>(value);
}

/// The new contents of memory: `data` is SDATA, `old` what memory holds.
template <class T>
void apply_atomic(MemoryOperation::Atomic<T> atomic, bool compares, std::span<const u32> data, std::span<u32> memory) {
  constexpr std::size_t half = sizeof(T) / 4;
  const T result = atomic(combine<T>(memory), combine<T>(data), compares ? combine<T>(data.subspan(half)) : T{0});
  memory[0] = static_cast<u32>(result);
  if constexpr (half == 2) memory[1] = static_cast<u32>(result >> 32);
}

}  // namespace

i64 immediate_bytes(Generation generation, const Instruction& instruction) {
  if (instruction.memory.has_literal) return i64{instruction.literal} * 4;
  return isa::is_smrd(generation) ? i64{instruction.memory.offset} * 4 : i64{instruction.memory.offset};
}

MemoryRequest find_memory_request(const Machine& machine, const Instruction& instruction) {
  namespace semantics = isa::semantics;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  const isa::OperandSpec* const base_operand = info.shape.find(Field::sbase);
  const isa::OperandSpec* const data = info.shape.find(Field::sdata);
  const MemoryOperation& operation = isa::memory_operation(instruction.insn);
  MemoryRequest request;
  if (base_operand == nullptr || data == nullptr || data->dwords == 0) return request;

  const auto& fields = instruction.memory;
  semantics::MemoryOffset offset{immediate_bytes(machine.generation(), instruction)};
  offset.has_register = fields.has_offset_register;
  if (offset.has_register) offset.offset_register = machine.peek_source(fields.soffset, 1, 0);
  request.offset = operation.scratch ? semantics::scratch_offset(offset) : semantics::byte_offset(offset);

  std::array<u32, 4> base{};
  for (u32 i = 0; i < base_operand->dwords; ++i) base[i] = machine.peek_source(fields.sbase, base_operand->dwords, i);
  // A compare-and-swap accesses half of what its SDATA is wide.
  request.dwords = request.in_bounds = operation.compares ? data->dwords / 2U : data->dwords;
  if (base_operand->dwords == 4) {
    const semantics::Buffer buffer = semantics::buffer(base);
    request.negative_offset = request.offset < 0;
    request.address = semantics::dword_aligned(buffer.base) + static_cast<u64>(request.offset);
    request.in_bounds = semantics::dwords_in_buffer(buffer, static_cast<u64>(request.offset), request.dwords);
  } else {
    request.negative_offset = request.offset < 0 && offset.has_register;
    request.address = semantics::dword_aligned(base[0] | u64{base[1]} << 32) + static_cast<u64>(request.offset);
  }
  request.address = machine.data_address(request.address);
  return request;
}

bool is_suppressed(const Machine& machine, const Instruction& instruction, const MemoryRequest& request) {
  const MemoryOperation::Kind kind = isa::memory_operation(instruction.insn).kind;
  const bool returns =
      kind == MemoryOperation::Kind::load || (kind == MemoryOperation::Kind::atomic && instruction.memory.glc);
  const u32 sdata = instruction.memory.sdata;
  return returns && isa::operand_class(machine.generation(), static_cast<u8>(sdata)) == OperandClass::sgpr &&
         sdata + request.dwords > machine.allocated_sgprs();
}

std::optional<u32> find_barred_dword(const Machine& machine, const MemoryRequest& request, bool writes) {
  if (machine.is_accessible(request.address, u64{request.in_bounds} * 4, writes)) return std::nullopt;
  for (u32 i = 0; i < request.in_bounds; ++i) {
    if (!machine.is_accessible(dword_address(machine, request.address, i), 4, writes)) return i;
  }
  return std::nullopt;
}

u32 Machine::peek_source(u32 code, u32 dwords, u32 i) const {
  const OperandClass operand = isa::operand_class(generation_, static_cast<u8>(code));
  if (operand == OperandClass::ttmp && hides_ttmps()) return 0;
  const bool beyond = operand == OperandClass::sgpr && !in_allocation(code, dwords);
  return peek((beyond ? 0 : code) + i);
}

void Machine::check_source(const MicroOp* op, u32 code, u32 dwords) {
  if (isa::operand_class(generation_, static_cast<u8>(code)) != OperandClass::sgpr || in_allocation(code, dwords))
    return;
  warn(WarningKind::register_out_of_range, address_of(op), [&] {
    return isa::register_name(generation_, code, dwords) + " is beyond the " + std::to_string(sgprs_) +
           " allocated SGPRs: " + isa::register_name(generation_, 0, dwords) + " is read instead";
  });
}

/// The stop for the first dword of an access that cannot be made, or null. `writes`: it has to be writable too.
const MicroOp* Machine::check_mapped(const MicroOp* op, const MemoryRequest& request, bool writes) {
  const std::optional<u32> barred = find_barred_dword(*this, request, writes);
  if (!barred) return nullptr;
  const Memory& memory = port_.memory();
  // The byte that is missing: a region may begin or end within a dword.
  u64 byte = dword_address(*this, request.address, *barred);
  const MemoryRegion* region = memory.find_region(byte);
  while (region != nullptr && (!writes || region->access == Access::read_write)) region = memory.find_region(++byte);
  std::string what = support::hex(byte);
  if (byte != request.address)
    what += " (dword " + std::to_string(*barred) + " of the access at " + support::hex(request.address) + ")";
  if (region != nullptr) {
    return stop_at(op, StopReason::write_protected,
                   what + " is in the read-only memory at " + support::range_text(region->base, region->end()));
  }
  // At most eight bytes wait for the address of a symbol.
  const u64 before = std::min<u64>(byte, 7);
  if (const Unresolved* missing = program_.find_unresolved(byte - before, before + 1)) {
    return stop_at(op, StopReason::unmapped_memory,
                   what + " would hold the address of `" + missing->symbol +
                       "`, which this object does not define: link it first");
  }
  const MemoryRegion* const nearest = memory.nearest_region(byte);
  if (nearest == nullptr) return stop_at(op, StopReason::unmapped_memory, what + " is not mapped: no memory is");
  const bool above = nearest->base > byte;
  const u64 distance = above ? nearest->base - byte : byte - (nearest->end() - 1);
  return stop_at(op, StopReason::unmapped_memory,
                 what + " is not mapped; the nearest memory is " + support::range_text(nearest->base, nearest->end()) +
                     ", " + std::to_string(distance) + (distance == 1 ? " byte " : " bytes ") +
                     (above ? "above" : "below"));
}

void Machine::load_dwords(const MemoryRequest& request, std::span<u32> dwords) const {
  for (u32 i = 0; i < request.dwords; ++i) {
    dwords[i] = i < request.in_bounds ? port_.memory().read_dword(dword_address(*this, request.address, i)) : 0;
  }
}

void Machine::store_dwords(const MemoryRequest& request, std::span<const u32> dwords) {
  for (u32 i = 0; i < request.in_bounds; ++i) {
    const u64 address = dword_address(*this, request.address, i);
    if (u8* const host = port_.writing(address, 4)) {
      std::memcpy(host, &dwords[i], 4);
      continue;
    }
    port_.write(address, dwords[i]);
    if (has_code_on_page(address)) {
      write_code(address, dwords[i]);
    } else {
      port_.allow_writing(address);
    }
  }
}

bool Machine::has_code_on_page(u64 address) const {
  const u64 page = address / Memory::page_bytes * Memory::page_bytes;
  return std::ranges::any_of(areas_, [page](const CodeArea& area) {
    return area.base < page + Memory::page_bytes && area.base + area.size_bytes > page;
  });
}

u8* Machine::open_for_store(u64 address, u32 size_bytes) {
  if (has_code_on_page(address)) return nullptr;
  port_.allow_writing(address);
  return port_.writing(address, size_bytes);
}

/// Keeps the code that is run in step with what is written to memory.
void Machine::write_code(u64 address, u32 value) {
  for (CodeArea& area : areas_) {
    const u64 offset = address - area.base;
    if (offset >= area.size_bytes || area.words[offset / 4] == value) continue;
    if (area.written.empty()) area.written.assign(area.words.begin(), area.words.end());
    area.written[offset / 4] = value;
    area.words = area.written;
    // Every block that was decoded was run to its end: this instruction is the end of the last one.
    last_decoded_.block = decoded_count_;
    defined_dynamic_ |= defined();
    for (const MicroOp* const op : decoded_and_run(0)) executed_before_.insert(address_in_any_area(op));
    forget_code();
  }
}

void Machine::write_run(const MicroOp* op, u32 code, std::span<const u32> dwords) {
  if (!may_write(op, code, static_cast<u32>(dwords.size()))) return;
  for (u32 i = 0; i < dwords.size(); ++i) write_general32(op, code + i, dwords[i]);
  note_vcc_write(code, static_cast<u32>(dwords.size()));
}

const MicroOp* Machine::read_clock(const MicroOp* op, const MicroOp* next, u32 sdata, u64 start, i64 budget) {
  const u64 steps = steps_ + static_cast<u64>(granted_ - budget) - op->cost;
  const u64 now = start + clock_.per_step * steps;
  write_run(op, sdata, std::array{static_cast<u32>(now), static_cast<u32>(now >> 32)});
  warn(WarningKind::no_functional_effect, address_of(op),
       [] { return std::string("the clock counts the instructions of this run, not time"); });
  return after_warning(op, next);
}

const MicroOp* Machine::access_memory(const MicroOp* op, i64 budget) {
  const auto index = static_cast<std::size_t>(op - area_->ops.get());
  const Instruction instruction = isa::decode(generation_, area_->words.subspan(index));
  const MicroOp* const next = op + instruction.dwords;
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  const MemoryOperation& operation = isa::memory_operation(instruction.insn);
  const u32 sdata = instruction.memory.sdata;
  switch (operation.kind) {
    case MemoryOperation::Kind::cache_control:
      return next;
    case MemoryOperation::Kind::memtime:
      return read_clock(op, next, sdata, clock_.memtime, budget);
    case MemoryOperation::Kind::memrealtime:
      return read_clock(op, next, sdata, clock_.memrealtime, budget);
    default:
      break;
  }

  const isa::OperandSpec& data_operand = *shape.find(Field::sdata);
  check_source(op, instruction.memory.sbase, shape.find(Field::sbase)->dwords);
  if (instruction.memory.has_offset_register) check_source(op, instruction.memory.soffset, 1);
  const MemoryRequest request = find_memory_request(*this, instruction);
  if (is_suppressed(*this, instruction, request)) {
    may_write(op, sdata, request.dwords);  // for its warning
    return after_warning(op, next);
  }
  if (request.negative_offset) {
    return after_warning(op, stop_at(op, StopReason::illegal_operand,
                                     "the offset comes to " + std::to_string(request.offset) +
                                         " bytes; with an offset register, or into a buffer, it may not be negative"));
  }
  const bool writes = operation.kind != MemoryOperation::Kind::load;
  if (const MicroOp* const stopped = check_mapped(op, request, writes)) return after_warning(op, stopped);

  Dwords held{};
  const std::span<u32> memory = std::span(held).first(request.dwords);
  if (operation.kind != MemoryOperation::Kind::store) load_dwords(request, memory);
  if (operation.kind == MemoryOperation::Kind::load) {
    write_run(op, sdata, memory);
    return after_warning(op, next);
  }

  check_source(op, sdata, data_operand.dwords);
  Dwords given{};
  for (u32 i = 0; i < data_operand.dwords; ++i) given[i] = peek_source(sdata, data_operand.dwords, i);
  const auto data = std::span<const u32>(given).first(data_operand.dwords);
  if (operation.kind == MemoryOperation::Kind::store) {
    store_dwords(request, data);
    return after_warning(op, next);
  }
  const Dwords old = held;
  if (request.dwords == 1)
    apply_atomic<u32>(operation.atomic32, operation.compares, data, memory);
  else
    apply_atomic<u64>(operation.atomic64, operation.compares, data, memory);
  store_dwords(request, memory);
  if (instruction.memory.glc) write_run(op, sdata, std::span(old).first(request.dwords));
  return after_warning(op, next);
}

}  // namespace salu::core
