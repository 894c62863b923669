#include <algorithm>
#include <utility>

#include "semantics/documents.hpp"
#include "semantics/reference_wave.hpp"

// Scalar memory of the reference (semantics.md 9).
namespace salu::test {
namespace {

constexpr u32 m0_code = 124;

/// The last code of the kind of register that a code belongs to.
u32 last_of_kind(Generation generation, u32 code) {
  const u32 sgprs = generation <= Generation::gcn1_1 ? 104 : 102;
  if (code < sgprs) return sgprs - 1;
  const bool is_trap = code >= (is_gfx9(generation) ? 108U : 112U) && code <= 123;
  if (is_trap) return 123;
  return code % 2 == 0 ? code + 1 : code;  // the other registers are pairs
}

u64 joined(const std::vector<u32>& dwords, std::size_t first) {
  return dwords.at(first) | u64{dwords.at(first + 1)} << 32;
}

/// The name of an operation without prefix and width: `s_buffer_atomic_add_x2` is `add`.
std::string atomic_name(std::string mnemonic) {
  if (mnemonic.ends_with("_x2")) mnemonic.resize(mnemonic.size() - 3);
  return mnemonic.substr(mnemonic.rfind('_') + 1);
}

/// True if one number of `bits` bits is less than another in signed comparison.
bool is_less(u64 left, u64 right, u32 bits) {
  const u64 sign = u64{1} << (bits - 1);
  return (left ^ sign) < (right ^ sign);
}

u64 atomic_result(const std::string& name, u64 old, u64 data, u64 compare, u32 bits) {
  if (name == "swap") return data;
  if (name == "cmpswap") return old == compare ? data : old;
  if (name == "add") return old + data;
  if (name == "sub") return old - data;
  if (name == "smin") return is_less(old, data, bits) ? old : data;
  if (name == "smax") return is_less(old, data, bits) ? data : old;
  if (name == "umin") return std::min(old, data);
  if (name == "umax") return std::max(old, data);
  if (name == "and") return old & data;
  if (name == "or") return old | data;
  if (name == "xor") return old ^ data;
  if (name == "inc") return old < data ? old + 1 : 0;
  return old != 0 && old <= data ? old - 1 : data;
}

}  // namespace

ReferenceMemory::ReferenceMemory(const Memory& memory) {
  for (const MemoryRegion& region : memory.regions()) {
    Row row{region.base, std::vector<u8>(region.size_bytes), region.access == salu::Access::read_write};
    memory.read(row.base, row.bytes);
    rows.push_back(std::move(row));
  }
}

u8* ReferenceMemory::find(u64 address, bool to_write) {
  for (Row& row : rows) {
    if (address < row.base || address - row.base >= row.bytes.size()) continue;
    return to_write && !row.writable ? nullptr : &row.bytes[address - row.base];
  }
  return nullptr;
}

bool ReferenceMemory::has(u64 address, u32 size_bytes, bool to_write) {
  for (u32 i = 0; i < size_bytes; ++i) {
    if (find(address + i, to_write) == nullptr) return false;
  }
  return true;
}

u32 ReferenceMemory::load(u64 address) {
  u32 value = 0;
  for (u32 i = 0; i < 4; ++i) value |= u32{*find(address + i, false)} << 8 * i;
  return value;
}

void ReferenceMemory::store(u64 address, u32 value) {
  for (u32 i = 0; i < 4; ++i) *find(address + i, true) = static_cast<u8>(value >> 8 * i);
}

bool ReferenceMemory::equals(const Memory& memory) const {
  return std::ranges::all_of(rows, [&](const Row& row) {
    std::vector<u8> bytes(row.bytes.size());
    memory.read(row.base, bytes);
    return bytes == row.bytes;
  });
}

bool ReferenceWave::decode_memory(Fields& fields, u32 word, std::optional<u32> second) {
  const bool has_address = fields.s0_dwords != 0;
  if (fields.format == "SMRD") {
    fields.sdst = word >> 15 & 127;
    fields.ssrc0 = (word >> 9 & 63) * 2;
    const u32 offset = word & 255;
    if ((word >> 8 & 1) != 0) {
      fields.offset = i64{offset} * 4;
    } else if (has_address && generation_ == Generation::gcn1_1 && offset == 255) {
      fields.size = 8;
      fields.offset = i64{second.value_or(0)} * 4;
    } else {
      fields.offset_register = offset;
    }
  } else {
    const u32 high = second.value_or(0);
    const bool soe = is_gfx9(generation_) && (word >> 14 & 1) != 0;
    fields.size = 8;
    fields.sdst = word >> 6 & 127;
    fields.ssrc0 = (word & 63) * 2;
    fields.glc = (word >> 16 & 1) != 0;
    if (soe) fields.offset_register = high >> 25;
    if ((word >> 17 & 1) == 0) {
      if (!soe) fields.offset_register = high & 127;
    } else if (is_gfx9(generation_)) {
      fields.offset = i64{high & 0xfffff} - ((high & 0x100000) != 0 ? 0x100000 : 0);
    } else {
      fields.offset = high & 0xfffff;
    }
  }
  if (fields.size == 8 && !second) {
    end("pc_outside_code");
    return false;
  }
  const u32 data_dwords = std::max(fields.d_dwords, fields.s1_dwords);
  if (data_dwords != 0 && !check_memory_register(fields.sdst, data_dwords, true)) return false;
  if (!has_address) return true;
  if (!check_memory_register(fields.ssrc0, fields.s0_dwords, false)) return false;
  const bool legal = !fields.offset_register || is_destination_code(generation_, *fields.offset_register);
  if (!legal) end("illegal_operand");
  return legal;
}

bool ReferenceWave::check_memory_register(u32 code, u32 dwords, bool is_data) {
  const bool is_there =
      is_destination_code(generation_, code) && !(is_data && code >= m0_code) && !(dwords > 1 && code == m0_code);
  if (!is_there) {
    end("illegal_operand");
  } else if (code % std::min(dwords, 4U) != 0) {
    end("misaligned_register");
  } else if (code + dwords - 1 > last_of_kind(generation_, code)) {
    end("illegal_operand");
  }
  return stop == "step_limit";
}

std::vector<u32> ReferenceWave::read_run(u32 code, u32 dwords) {
  if (is_beyond(code, dwords)) {
    warn("register_out_of_range");
    code = 0;
  }
  std::vector<u32> values;
  if (hides_ttmps() && code >= 108 && code <= 123) return std::vector<u32>(dwords, 0);
  for (u32 i = code; i < code + dwords; ++i) {
    const bool is_address = !is_gfx9(generation_) && i >= 108 && i <= 111;
    const u64 address = i < 110 ? state.tba : state.tma;
    values.push_back(is_address ? static_cast<u32>(address >> i % 2 * 32) : state.file[i]);
  }
  return values;
}

void ReferenceWave::write_run(u32 code, const std::vector<u32>& values) {
  if (is_beyond(code, static_cast<u32>(values.size()))) return warn("register_out_of_range");
  const u32 first = code;
  for (const u32 value : values) write(code++, 1, value);
  if (first <= 106 && code >= 108) vccz_is_stale_ = false;
}

ReferenceWave::Access ReferenceWave::find_access(const Fields& fields) {
  const std::vector<u32> base = read_run(fields.ssrc0, fields.s0_dwords);
  Access access;
  access.offset = fields.offset / 4 * 4;
  if (fields.offset < access.offset) access.offset -= 4;
  if (fields.offset_register) {
    const u32 value = read_run(*fields.offset_register, 1)[0];
    access.offset += fields.mnemonic.starts_with("s_scratch") ? i64{value} * 64 : i64{value / 4 * 4};
  }
  access.dwords = fields.d_dwords != 0 ? fields.d_dwords : fields.s1_dwords;
  access.address = joined(base, 0);
  access.in_range = access.dwords;
  if (base.size() == 4) {
    access.address %= u64{1} << 48;
    const u64 stride = base[1] / 0x10000 % 0x4000;
    const u64 size = std::max<u64>(stride, 1) * base[2];
    access.in_range = 0;
    while (access.in_range < access.dwords && static_cast<u64>(access.offset) + u64{access.in_range} * 4 < size) {
      ++access.in_range;
    }
  }
  access.address = access.address / 4 * 4 + static_cast<u64>(access.offset);
  return access;
}

bool ReferenceWave::can_access(const Access& access, bool to_write) {
  for (u32 i = 0; i < access.in_range; ++i) {
    const u64 address = (access.address + u64{i} * 4) & address_mask();
    if (memory.has(address, 4, to_write)) continue;
    // The first missing byte determines the stop.
    u64 byte = address;
    while (memory.has(byte, 1, to_write)) ++byte;
    end(memory.has(byte, 1, false) ? "write_protected" : "unmapped_memory");
    return false;
  }
  return true;
}

void ReferenceWave::execute_memory(const Fields& fields) {
  const std::string& name = fields.mnemonic;
  if (name.starts_with("s_dcache") || name.starts_with("s_atc")) return;
  if (name == "s_memtime" || name == "s_memrealtime") {
    const u64 before = steps - 1;
    write_run(fields.sdst, {static_cast<u32>(before), static_cast<u32>(before >> 32)});
    return warn("no_functional_effect");
  }
  const bool is_load = name.find("load") != std::string::npos;
  const bool is_atomic = name.find("atomic") != std::string::npos;
  const Access access = find_access(fields);
  if ((is_load || fields.glc) && (is_load || is_atomic) && is_beyond(fields.sdst, access.dwords)) {
    return warn("register_out_of_range");
  }
  const bool must_be_positive = fields.offset_register || fields.s0_dwords == 4;
  if (access.offset < 0 && must_be_positive) return end("illegal_operand");
  if (!can_access(access, !is_load)) return;
  if (is_atomic) return execute_atomic(fields, access);
  if (is_load) {
    std::vector<u32> values(access.dwords);
    for (u32 i = 0; i < access.in_range; ++i) values[i] = memory.load((access.address + u64{i} * 4) & address_mask());
    return write_run(fields.sdst, values);
  }
  const std::vector<u32> data = read_run(fields.sdst, fields.s1_dwords);
  for (u32 i = 0; i < access.in_range; ++i) memory.store((access.address + u64{i} * 4) & address_mask(), data[i]);
}

void ReferenceWave::execute_atomic(const Fields& fields, const Access& access) {
  const bool wide = access.dwords == 2;
  if (wide && access.in_range != 0 && (access.address & address_mask()) % 8 != 0) warn("unspecified_result");
  std::vector<u32> data = read_run(fields.sdst, fields.s1_dwords);
  data.resize(4);
  std::vector<u32> old(2);
  const auto address = [&](u32 i) { return (access.address + u64{i} * 4) & address_mask(); };
  for (u32 i = 0; i < access.in_range; ++i) old[i] = memory.load(address(i));
  const u64 given = wide ? joined(data, 0) : data[0];
  const u64 compare = wide ? joined(data, 2) : data[1];
  const u64 result = atomic_result(atomic_name(fields.mnemonic), joined(old, 0), given, compare, wide ? 64 : 32);
  for (u32 i = 0; i < access.in_range; ++i) memory.store(address(i), static_cast<u32>(result >> 32 * i));
  old.resize(access.dwords);
  if (fields.glc) write_run(fields.sdst, old);
}

}  // namespace salu::test
