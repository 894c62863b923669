#include "core/memory_access.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/interpreter.hpp"
#include "isa/generations.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

/// The general path of scalar memory: any operand, any operation, all checks.
namespace salu::core {
namespace {

using isa::Field;
using isa::Instruction;
using isa::MemoryOperation;
using isa::OperandClass;

using Dwords = std::array<u32, 16>;

/// Dword `i` of an access; addresses wrap as on the generation.
u64 dword_address(const Wave& wave, u64 address, u32 i) { return wave.data_address(address + u64{i} * 4); }

template <class T>
T combine(std::span<const u32> dwords) {
  u64 value = dwords[0];
  if constexpr (sizeof(T) == 8) value |= u64{dwords[1]} << 32;
  return static_cast<T>(value);
}

/// The new contents of memory: `data` is SDATA, `old` what memory holds.
template <class T>
void apply_atomic(const MemoryOperation& operation, std::span<const u32> data, std::span<u32> memory) {
  constexpr std::size_t half = sizeof(T) / 4;
  const T compare = operation.compares ? combine<T>(data.subspan(half)) : T{0};
  const T result = isa::semantics::atomic_result(operation.atomic, combine<T>(memory), combine<T>(data), compare);
  memory[0] = static_cast<u32>(result);
  if constexpr (half == 2) memory[1] = static_cast<u32>(result >> 32);
}

}  // namespace

i64 immediate_bytes(Generation generation, const Instruction& instruction) {
  if (instruction.memory.has_literal) return i64{instruction.literal} * 4;
  return isa::is_smrd(generation) ? i64{instruction.memory.offset} * 4 : i64{instruction.memory.offset};
}

MemoryRequest find_memory_request(const Wave& wave, const Instruction& instruction) {
  namespace semantics = isa::semantics;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  const isa::OperandSpec* const base_operand = info.shape.find(Field::sbase);
  const isa::OperandSpec* const data = info.shape.find(Field::sdata);
  const MemoryOperation& operation = isa::memory_operation(instruction.insn);
  MemoryRequest request;
  if (base_operand == nullptr || data == nullptr || data->dwords == 0) return request;

  const auto& fields = instruction.memory;
  semantics::MemoryOffset offset{immediate_bytes(wave.generation, instruction)};
  offset.has_register = fields.has_offset_register;
  if (offset.has_register) offset.offset_register = wave.source_dword(fields.soffset, 1, 0);
  request.offset = operation.scratch ? semantics::scratch_offset(offset) : semantics::byte_offset(offset);

  std::array<u32, 4> base{};
  for (u32 i = 0; i < base_operand->dwords; ++i) base[i] = wave.source_dword(fields.sbase, base_operand->dwords, i);
  // A compare-and-swap accesses memory of half the width of SDATA.
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
  request.address = wave.data_address(request.address);
  return request;
}

bool is_suppressed(const Wave& wave, const Instruction& instruction, const MemoryRequest& request) {
  const MemoryOperation::Kind kind = isa::memory_operation(instruction.insn).kind;
  const bool returns =
      kind == MemoryOperation::Kind::load || (kind == MemoryOperation::Kind::atomic && instruction.memory.glc);
  const u32 sdata = instruction.memory.sdata;
  return returns && isa::operand_class(wave.generation, static_cast<u8>(sdata)) == OperandClass::sgpr &&
         !wave.in_allocation(sdata, request.dwords);
}

std::optional<u32> find_barred_dword(const Wave& wave, const Memory& memory, const MemoryRequest& request,
                                     bool writes) {
  const auto is_accessible = [&](u64 address, u64 size_bytes) {
    return writes ? memory.is_writable(address, size_bytes) : memory.is_mapped(address, size_bytes);
  };
  if (is_accessible(request.address, u64{request.in_bounds} * 4)) return std::nullopt;
  for (u32 i = 0; i < request.in_bounds; ++i) {
    if (!is_accessible(dword_address(wave, request.address, i), 4)) return i;
  }
  return std::nullopt;
}

void Interpreter::check_source(const MicroOp* op, u32 code, u32 dwords) {
  if (!wave.is_beyond_allocation(code, dwords)) return;
  warn(WarningKind::register_out_of_range, op, [&] {
    return isa::register_name(wave.generation, code, dwords) + " is beyond the " + std::to_string(wave.sgprs) +
           " allocated SGPRs: " + isa::register_name(wave.generation, 0, dwords) + " is read instead";
  });
}

/// The stop for the first dword of an access that is not possible, or null. `writes`: it must be writable too.
const MicroOp* Interpreter::check_mapped(const MicroOp* op, const MemoryRequest& request, bool writes) {
  const std::optional<u32> barred = find_barred_dword(wave, port->memory(), request, writes);
  if (!barred) return nullptr;
  const Memory& memory = port->memory();
  // The byte that is missing: a region can begin or end within a dword.
  u64 byte = dword_address(wave, request.address, *barred);
  const MemoryRegion* region = memory.find_region(byte);
  while (region != nullptr && (!writes || region->access == Access::read_write)) region = memory.find_region(++byte);
  std::string what = support::hex(byte);
  if (byte != request.address)
    what += " (dword " + std::to_string(*barred) + " of the access at " + support::hex(request.address) + ")";
  return stop_at_barred(op, byte, what);
}

const MicroOp* Interpreter::stop_at_barred(const MicroOp* op, u64 byte, const std::string& what) {
  const Memory& memory = port->memory();
  if (const MemoryRegion* const region = memory.find_region(byte)) {
    return stop_at(op, StopReason::write_protected,
                   what + " is in the read-only memory at " + support::range_text(region->base, region->end()));
  }
  // The address of an undefined symbol has at most eight bytes.
  const u64 before = std::min<u64>(byte, 7);
  if (const Unresolved* missing = cache.program().find_unresolved(byte - before, before + 1)) {
    return stop_at(op, StopReason::unmapped_memory,
                   what + " would hold the address of `" + missing->symbol +
                       "`, which this object does not define; link the object first");
  }
  const MemoryRegion* const nearest = memory.nearest_region(byte);
  if (nearest == nullptr) return stop_at(op, StopReason::unmapped_memory, what + " is not mapped; no memory is mapped");
  const bool above = nearest->base > byte;
  const u64 distance = above ? nearest->base - byte : byte - (nearest->end() - 1);
  return stop_at(op, StopReason::unmapped_memory,
                 what + " is not mapped; the nearest memory is " + support::range_text(nearest->base, nearest->end()) +
                     ", " + std::to_string(distance) + (distance == 1 ? " byte " : " bytes ") +
                     (above ? "above" : "below"));
}

/// True if memory may grow by the missing pages of a range of at most a page in size.
bool Interpreter::has_room(u64 address, u64 size_bytes) const {
  const Memory& memory = port->memory();
  const u64 most_pages = max_memory_bytes / Memory::page_bytes;
  if (memory.held_pages() + 2 <= most_pages) return true;
  const u64 last = address + size_bytes - 1;
  const bool spans_two = address / Memory::page_bytes != last / Memory::page_bytes;
  const u64 missing = u64{!memory.holds_page(address)} + u64{spans_two && !memory.holds_page(last)};
  return missing == 0 || memory.held_pages() + missing <= most_pages;
}

/// The stop for a store that would exceed the memory limit, or null.
const MicroOp* Interpreter::check_room(const MicroOp* op, u64 address, u64 size_bytes) {
  if (size_bytes == 0 || has_room(address, size_bytes)) return nullptr;
  stop_at(op, StopReason::memory_limit,
          "with the page of " + support::hex(address) + " memory would hold more than " +
              std::to_string(max_memory_bytes) + " bytes (`limits: {max_memory: ...}`, --max-memory)");
  control.stopped_before_effect = true;
  return cache.leave();
}

void Interpreter::load_dwords(const MemoryRequest& request, std::span<u32> dwords) const {
  for (u32 i = 0; i < request.dwords; ++i) {
    dwords[i] = i < request.in_bounds ? port->memory().read_dword(dword_address(wave, request.address, i)) : 0;
  }
}

void Interpreter::store_dword(u64 address, u32 value) {
  if (u8* const host = port->writing(address, 4)) {
    std::memcpy(host, &value, 4);
    return;
  }
  port->write(address, value);
  if (!cache.has_code_on_page(address)) {
    port->allow_writing(address);
  } else if (cache.write_word(address, value)) {
    // All decoded blocks have run to their end: this instruction is the end of the last one.
    cache.end_last_block();
    decode_again();
  }
}

void Interpreter::store_dwords(const MemoryRequest& request, std::span<const u32> dwords) {
  for (u32 i = 0; i < request.in_bounds; ++i) store_dword(dword_address(wave, request.address, i), dwords[i]);
}

u8* Interpreter::open_for_store(u64 address, u32 size_bytes) {
  if (port->allows_writing_again(address)) return port->writing(address, size_bytes);
  if (cache.has_code_on_page(address) || !has_room(address, size_bytes)) return nullptr;
  port->allow_writing(address);
  return port->writing(address, size_bytes);
}

void Interpreter::write_run(const MicroOp* op, u32 code, std::span<const u32> dwords) {
  const isa::OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  if (!may_write(op, operand, code, static_cast<u32>(dwords.size()))) return;
  for (u32 i = 0; i < dwords.size(); ++i) write_general32(op, code + i, dwords[i]);
  note_vcc_write(op, code, static_cast<u32>(dwords.size()));
}

const MicroOp* Interpreter::read_clock(const MicroOp* op, const MicroOp* next, u32 sdata, u64 start, i64 budget) {
  const u64 steps_before = steps + static_cast<u64>(granted - budget) - op->cost;
  const u64 now = start + clock.per_step * steps_before;
  write_run(op, sdata, std::array{static_cast<u32>(now), static_cast<u32>(now >> 32)});
  warn(WarningKind::no_functional_effect, op,
       [] { return std::string("the clock counts the instructions of this run, not time"); });
  return after_warning(op, next);
}

const MicroOp* Interpreter::access_memory(const MicroOp* op, i64 budget) {
  const Instruction instruction = isa::decode(wave.generation, cache.words_from(op));
  const MicroOp* const next = op + instruction.dwords;
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  const MemoryOperation& operation = isa::memory_operation(instruction.insn);
  const u32 sdata = instruction.memory.sdata;
  switch (operation.kind) {
    case MemoryOperation::Kind::cache_control:
      return next;
    case MemoryOperation::Kind::memtime:
      return read_clock(op, next, sdata, clock.memtime, budget);
    case MemoryOperation::Kind::memrealtime:
      return read_clock(op, next, sdata, clock.memrealtime, budget);
    default:
      break;
  }

  const isa::OperandSpec& data_operand = *shape.find(Field::sdata);
  check_source(op, instruction.memory.sbase, shape.find(Field::sbase)->dwords);
  if (instruction.memory.has_offset_register) check_source(op, instruction.memory.soffset, 1);
  const MemoryRequest request = find_memory_request(wave, instruction);
  if (is_suppressed(wave, instruction, request)) {
    may_write(op, OperandClass::sgpr, sdata, request.dwords);  // called for its warning
    return after_warning(op, next);
  }
  if (request.negative_offset) {
    return after_warning(op, stop_at(op, StopReason::illegal_operand,
                                     "the offset is " + std::to_string(request.offset) +
                                         " bytes; it must not be negative with an offset register or a buffer"));
  }
  const bool writes = operation.kind != MemoryOperation::Kind::load;
  const MicroOp* barred = check_mapped(op, request, writes);
  if (barred == nullptr && writes) barred = check_room(op, request.address, u64{request.in_bounds} * 4);
  if (barred != nullptr) return after_warning(op, barred);
  const bool is_wide_atomic = operation.kind == MemoryOperation::Kind::atomic && request.dwords == 2;
  if (is_wide_atomic && request.in_bounds != 0 && request.address % 8 != 0) {
    warn(WarningKind::unspecified_result, op,
         [&] { return "the 64-bit atomic at " + support::hex(request.address) + " is not aligned to 8 bytes"; });
  }

  Dwords held{};
  const std::span<u32> memory = std::span(held).first(request.dwords);
  if (operation.kind != MemoryOperation::Kind::store) load_dwords(request, memory);
  if (operation.kind == MemoryOperation::Kind::load) {
    write_run(op, sdata, memory);
    return after_warning(op, next);
  }

  check_source(op, sdata, data_operand.dwords);
  Dwords given{};
  for (u32 i = 0; i < data_operand.dwords; ++i) given[i] = wave.source_dword(sdata, data_operand.dwords, i);
  const auto data = std::span<const u32>(given).first(data_operand.dwords);
  if (operation.kind == MemoryOperation::Kind::store) {
    store_dwords(request, data);
    return after_warning(op, next);
  }
  const Dwords old = held;
  if (request.dwords == 1)
    apply_atomic<u32>(operation, data, memory);
  else
    apply_atomic<u64>(operation, data, memory);
  store_dwords(request, memory);
  if (instruction.memory.glc) write_run(op, sdata, std::span(old).first(request.dwords));
  return after_warning(op, next);
}

}  // namespace salu::core
