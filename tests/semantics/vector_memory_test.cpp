#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>

#include "generation_names.hpp"
#include "repetitions.hpp"
#include "semantics/code.hpp"
#include "semantics/vector_cases.hpp"

// The vector memory instructions: every row on every generation in every address mode, against an independent model of
// addresses. `BufferDescriptor` is a second model of the words of a descriptor.
namespace salu::test {
namespace {

namespace vec = isa::vector;
using vec::Format;

constexpr u32 lane_count = state_index::lanes;
constexpr u64 data_base = 0x100000;
constexpr u64 data_bytes = 0x200000;
constexpr u64 read_only_base = 0x400000;
constexpr u64 scratch_bytes = 0x80000;
constexpr u64 shared_bytes = 0x10000;
/// The value of FLAT_SCRATCH_HI if it is not an address.
constexpr u32 scratch_page = 0x300;

u64 scratch_base_of(Generation generation) {
  return is_gfx9(generation) ? 0x900000 : hidden_private_base + u64{scratch_page} * 256;
}

/// A dword that is a float of interest, two of them, or the upper half of one: zeros, limits, infinities, NaNs, and
/// numbers near 1, so that sums are rounded.
u32 float_dword(Random& random) {
  static constexpr std::array<u32, 24> values = {
      0,          1,          0x007fffff, 0x00800000, 0x00800001, 0x3f800000, 0x3f800001, 0x7f7fffff,
      0x7f800000, 0x7f800001, 0x7fc00000, 0x3c003c00, 0x00013555, 0x7bff0400, 0x3f803f80, 0x00400080,
      0x3ff00000, 0x7fefffff, 0x7ff00000, 0x7ff80000, 0x00080000, 0x000fffff, 0x00100000, 0x7c007e01};
  const auto sign = static_cast<u32>(random()) & 0x80000000;
  if (random() % 3 == 0) return sign | (0x3c000000 + static_cast<u32>(random() % 0x08000000));
  return sign | values[random() % values.size()];
}

/// Memory for data, private memory and shared memory, with random bytes, or with floats, in the areas of lanes.
Memory make_memory(Generation generation, bool has_floats = false) {
  Memory memory;
  Random random(5);
  const auto fill = [&](u64 base, u64 bytes) {
    std::vector<u8> values(bytes);
    for (u64 i = 0; i < bytes; i += 4) {
      const u32 dword = has_floats ? float_dword(random) : static_cast<u32>(random());
      std::memcpy(values.data() + i, &dword, sizeof(dword));
    }
    memory.write(base, values);
  };
  const std::array<MemoryRegion, 4> regions = {{
      {data_base, data_bytes, Access::read_write},
      {read_only_base, 0x1000, Access::read},
      {scratch_base_of(generation), scratch_bytes, Access::read_write},
      {shared_memory_base, shared_bytes, Access::read_write},
  }};
  for (const MemoryRegion& region : regions) {
    EXPECT_TRUE(memory.add_region(region));
    fill(region.base, region.size_bytes);
  }
  return memory;
}

/// DS_APPEND and DS_CONSUME.
bool is_of_wave(const vec::Access& access) { return access.address == vec::SharedAddress::wave; }

u32 bit_at(bool value, u32 position) { return (value ? 1U : 0U) << position; }

// ---- words ----

/// The fields DATA and VDST.
u32 data_fields(const vec::Access& access, const vec::MemoryOperands& memory) {
  const bool takes_data = access.is_store || access.is_atomic() || access.moves_lanes();
  const bool is_only_result = !takes_data || access.move == vec::LaneMove::swizzle || is_of_wave(access);
  return is_only_result ? u32{memory.data} << 24 : u32{memory.data} << 8 | u32{memory.result} << 24;
}

std::vector<u32> encode_memory(Generation generation, const vec::Instruction& instruction) {
  const vec::InstructionInfo& row = vec::info(instruction.insn);
  const vec::MemoryOperands& memory = instruction.memory;
  const auto opcode = static_cast<u32>(row.opcode(generation));
  const bool is_old = generation_info(generation).gfx <= 7;
  u32 low = opcode << 18;
  u32 high = memory.address;
  if (row.format == Format::mubuf) {
    low |= 0xe0000000 | static_cast<u32>(memory.offset) | bit_at(memory.offen, 12) | bit_at(memory.idxen, 13) |
           bit_at(memory.glc, 14) | bit_at(memory.addr64 || memory.sc1, 15) | bit_at(memory.lds, 16) |
           bit_at(memory.slc && !is_old, 17);
    high |= u32{memory.data} << 8 | u32{memory.descriptor} / 4 << 16 | bit_at(memory.slc && is_old, 22) |
            bit_at(memory.is_accumulator, 23) | u32{memory.scalar} << 24;
    return {low, high};
  }
  if (row.format == Format::mtbuf) {
    low = 0xe8000000 | static_cast<u32>(memory.offset) | bit_at(memory.offen, 12) | bit_at(memory.idxen, 13) |
          bit_at(memory.glc, 14) | bit_at(memory.addr64, 15) | opcode << (is_old ? 16 : 15) | u32{memory.format} << 19;
    high |= u32{memory.data} << 8 | u32{memory.descriptor} / 4 << 16 | bit_at(memory.sc1, 21) | bit_at(memory.slc, 22) |
            bit_at(memory.is_accumulator, 23) | u32{memory.scalar} << 24;
    return {low, high};
  }
  if (row.format == Format::ds) {
    low = 0xd8000000 | opcode << (is_old ? 18 : 17) | static_cast<u32>(memory.offset) | u32{memory.second_offset} << 8 |
          bit_at(memory.is_accumulator, 25);
    high |= data_fields(row.access, memory) | u32{memory.second_data} << 16;
    return {low, high};
  }
  const u32 segment = row.format == Format::flat ? 0 : row.format == Format::scratch ? 1 : 2;
  const bool names_address = row.format == Format::scratch && generation >= Generation::cdna3;
  low |= 0xdc000000 | segment << 14 | (static_cast<u32>(memory.offset) & (segment == 0 ? 0xfffU : 0x1fffU)) |
         bit_at((names_address && memory.has_address) || (memory.lds && generation < Generation::cdna3), 13) |
         bit_at(memory.glc, 16) | bit_at(memory.slc, 17) | bit_at(memory.sc1, 25);
  const u32 saddr = segment == 0 ? 0 : memory.has_scalar ? memory.scalar : 0x7f;
  high |= data_fields(row.access, memory) | saddr << 16 | bit_at(memory.is_accumulator, 23);
  return {low, high};
}

// ---- addresses ----

/// A buffer descriptor by its fields.
struct BufferDescriptor {
  u64 base = 0;
  u32 stride = 0;  ///< 14 bits
  u32 records = 0;
  u32 data_format = 4;
  u32 number_format = 0;
  std::array<u32, 4> selects{};
  u32 element_size = 0;
  u32 index_stride = 0;
  bool is_swizzled = false;
  bool adds_lane = false;

  [[nodiscard]] std::array<u32, 4> words() const {
    return {static_cast<u32>(base), static_cast<u32>(base >> 32) | stride << 16 | bit_at(is_swizzled, 31), records,
            selects[0] | selects[1] << 3 | selects[2] << 6 | selects[3] << 9 | number_format << 12 | data_format << 15 |
                element_size << 19 | index_stride << 21 | bit_at(adds_lane, 23)};
  }
};

/// The names of DATA_FORMAT, which list the components from the highest bit on (8.1.4 of the Vega ISA manual).
constexpr std::array<std::string_view, 15> data_formats = {
    "",           "8",          "16",      "8_8",   "32",          "16_16",    "10_11_11",   "11_11_10",
    "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32"};

/// The bits of each component, from the lowest one on.
std::vector<u32> component_bits(u32 data_format) {
  std::vector<u32> bits;
  std::istringstream name{std::string(data_formats.at(data_format))};
  for (std::string each; std::getline(name, each, '_');) bits.insert(bits.begin(), static_cast<u32>(std::stoul(each)));
  return bits;
}

u32 element_bytes(u32 data_format) {
  u32 sum = 0;
  for (const u32 bits : component_bits(data_format)) sum += bits;
  return sum / 8;
}

/// UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT of a format.
std::vector<u32> number_formats(u32 data_format) {
  const std::vector<u32> bits = component_bits(data_format);
  if (bits[0] == 32) return {4, 5, 7};
  if (std::ranges::count(bits, 8U) != 0 || std::ranges::count(bits, 2U) != 0) return {0, 1, 2, 3, 4, 5};
  return {0, 1, 2, 3, 4, 5, 7};
}

/// A part of a lane's access: at most a dword.
struct Part {
  std::array<u64, 4> addresses{};  ///< of each byte
  u32 bytes = 4;
  u32 number = 0;        ///< number of the register
  bool is_there = true;  ///< beyond the end of a buffer, loads return zero and stores are dropped
};

/// A memory instruction with the values of its operands, ready to run.
struct MemoryCase {
  Generation generation{};
  vec::Instruction instruction;
  WaveState state;
  BufferDescriptor buffer;  ///< MUBUF and MTBUF
  std::string what;         ///< for messages

  [[nodiscard]] const vec::InstructionInfo& row() const { return vec::info(instruction.insn); }
  [[nodiscard]] u32 data_format() const {
    return row().format == Format::mtbuf ? instruction.memory.format % 16 : buffer.data_format;
  }
  [[nodiscard]] u32 number_format() const {
    return row().format == Format::mtbuf ? instruction.memory.format / 16U : buffer.number_format;
  }
  /// The size of a lane's access in memory.
  [[nodiscard]] u32 bytes() const {
    if (!row().access.is_typed()) return row().access.bytes;
    return data_format() == 0 ? 4 : element_bytes(data_format());
  }
};

class AddressModel {
 public:
  AddressModel(const MemoryCase& memory_case, const WaveState& state)
      : case_(memory_case),
        state_(state),
        row_(vec::info(memory_case.instruction.insn)),
        memory_(memory_case.instruction.memory) {}

  [[nodiscard]] std::vector<Part> parts(u32 lane) const {
    const vec::Access& access = row_.access;
    std::vector<Part> parts;
    const u32 places = access.is_double ? 2 : 1;
    const u32 bank = memory_.is_accumulator ? VectorRegisters::vgprs : 0;
    for (u32 place = 0; place < places; ++place) {
      for (u32 done = 0; done < case_.bytes(); done += 4) {
        Part part;
        part.bytes = std::min<u32>(case_.bytes() - done, 4);
        const bool is_second_store = place == 1 && access.is_store;
        const u32 dwords_before = place == 1 && !access.is_store ? access.bytes / 4U : 0;
        part.number = bank + (is_second_store ? memory_.second_data : memory_.data) + dwords_before + done / 4;
        for (u32 i = 0; i < part.bytes; ++i) part.addresses[i] = address_of(lane, place, done + i);
        // "Setting both offsets to the same value ... uses only the first DATA0" (10.3.3 of the Vega ISA manual).
        const bool is_same = is_second_store && static_cast<u32>(memory_.offset) == memory_.second_offset;
        part.is_there = !is_same && is_there(lane) && is_within_m0(part) && is_within_private(lane, done, part.bytes);
        parts.push_back(part);
      }
    }
    return parts;
  }

 private:
  [[nodiscard]] u32 vgpr(u32 number, u32 lane) const { return state_.vectors.lanes(number)[lane]; }
  [[nodiscard]] u64 pair(u32 number, u32 lane) const { return vgpr(number, lane) | u64{vgpr(number + 1, lane)} << 32; }
  [[nodiscard]] u64 private_address(u32 offset, u32 lane) const {
    return scratch_base_of(case_.generation) + u64{offset / 4} * 4 * lane_count + u64{lane} * 4 + offset % 4;
  }

  [[nodiscard]] u64 address_of(u32 lane, u32 place, u32 byte) const {
    const auto offset = static_cast<u64>(i64{memory_.offset});
    switch (row_.format) {
      case Format::ds: {
        const u32 unit = row_.access.is_double ? row_.access.bytes * (row_.access.is_far ? 64U : 1U) : 1U;
        const u32 places = (place == 0 ? static_cast<u32>(memory_.offset) : memory_.second_offset) * unit;
        return shared_memory_base + aligned_lds(base_in_lds(lane) + places) + byte;
      }
      case Format::scratch: {
        const u32 scalar = memory_.has_scalar ? state_.file[memory_.scalar] : 0;
        const u32 vector = memory_.has_address ? vgpr(memory_.address, lane) : 0;
        return private_address(scalar + vector + static_cast<u32>(offset) + byte, lane);
      }
      case Format::global: {
        const u64 base = memory_.has_scalar ? state_.read64(memory_.scalar) + vgpr(memory_.address, lane)
                                            : pair(memory_.address, lane);
        return cut_address(case_.generation, aligned_atomic(base + offset) + byte);
      }
      case Format::flat: {
        const u64 address = pair(memory_.address, lane) + offset + byte;
        if (address >> 32 == generation_info(case_.generation).private_aperture)
          return private_address(static_cast<u32>(aligned_atomic(address - byte) + byte), lane);
        if (address >> 32 == generation_info(case_.generation).shared_aperture)
          return shared_memory_base + aligned_lds(static_cast<u32>(address - byte)) + byte;
        return cut_address(case_.generation, aligned_atomic(address - byte) + byte);
      }
      default:
        if (row_.access.is_atomic() && !case_.buffer.is_swizzled)
          return cut_address(case_.generation, aligned_atomic(address_in_buffer(lane, 0)) + byte);
        // Two low bits of a dword's address are ignored on GCN 1.0 (8.1.7 of the Vega ISA manual).
        if ((case_.generation == Generation::gcn1_0 && case_.bytes() >= 4) || row_.access.is_atomic())
          return cut_address(case_.generation, (address_in_buffer(lane, byte / 4 * 4) & ~u64{3}) + byte % 4);
        return cut_address(case_.generation, address_in_buffer(lane, byte));
    }
  }

  /// LLVM emits only aligned accesses of LDS before GCN 1.4: low bits are ignored there.
  [[nodiscard]] u32 aligned_lds(u32 address) const {
    u32 size = 1;
    while (size < row_.access.bytes) size *= 2;
    return is_gfx9(case_.generation) && !row_.access.is_atomic() ? address : address - address % size;
  }
  /// Atomics need addresses that are multiples of their size.
  [[nodiscard]] u64 aligned_atomic(u64 address) const {
    return row_.access.is_atomic() ? address - address % row_.access.bytes : address;
  }
  /// DS_READ_ADDTID_B32: M0[15:0] and 4 times the lane. DS_APPEND: M0[15:0], as LLVM uses it.
  [[nodiscard]] u32 base_in_lds(u32 lane) const {
    const u32 m0 = state_.file[code::m0] % 0x10000;
    if (is_of_wave(row_.access)) return m0;
    return row_.access.address == vec::SharedAddress::lane ? m0 + 4 * lane : vgpr(memory_.address, lane);
  }
  /// AMDGPUUsage: FLAT_SCRATCH_LO is the size of a lane's private memory on GCN 1.1 and 1.2.
  [[nodiscard]] bool is_within_private(u32 lane, u32 first, u32 bytes) const {
    if (row_.format != Format::flat || is_gfx9(case_.generation)) return true;
    const u64 address = aligned_atomic(pair(memory_.address, lane) + static_cast<u64>(i64{memory_.offset})) + first;
    if (address >> 32 != generation_info(case_.generation).private_aperture) return true;
    return (address & 0xffffffffU) + bytes <= state_.file[generation_info(case_.generation).flat_scratch];
  }
  /// Before GCN 1.4, LDS accesses are in range from 0 to the lesser of M0 and the size of LDS (LLVM AMDGPUUsage, M0).
  [[nodiscard]] bool is_within_m0(const Part& part) const {
    const bool is_shared = row_.format == Format::ds || row_.format == Format::flat;
    if (!is_shared || is_gfx9(case_.generation) || part.addresses[0] < shared_memory_base) return true;
    if (is_of_wave(row_.access)) return true;
    return part.addresses[part.bytes - 1] - shared_memory_base < state_.file[code::m0];
  }

  // ---- buffers ----

  [[nodiscard]] u64 soffset() const {
    return memory_.scalar < 128 ? state_.file[memory_.scalar] : memory_.scalar - 128U;
  }
  /// DATA_FORMAT is part of the stride if hardware adds the lane.
  [[nodiscard]] bool format_is_stride() const {
    return generation_info(case_.generation).data_format_extends_stride && case_.buffer.adds_lane;
  }
  /// AMD's emulator, measured on gfx950: an index replaces the lane in a linear buffer.
  [[nodiscard]] bool adds_lane() const {
    const bool is_replaced = case_.generation >= Generation::cdna1 && memory_.idxen && !case_.buffer.is_swizzled;
    return case_.buffer.adds_lane && !is_replaced;
  }
  [[nodiscard]] u64 stride() const {
    return case_.buffer.stride | (format_is_stride() && adds_lane() ? u64{case_.buffer.data_format} << 14 : 0);
  }
  [[nodiscard]] u64 index(u32 lane) const {
    return u64{memory_.idxen ? vgpr(memory_.address, lane) : 0} + (adds_lane() ? u64{lane} : u64{0});
  }
  /// VGPR and instruction: a 32-bit sum on GFX9, where LLVM allows a negative VGPR.
  [[nodiscard]] u64 offset(u32 lane) const {
    const u64 in_register = memory_.offen ? vgpr(memory_.address + (memory_.idxen ? 1U : 0U), lane) : 0;
    const u64 sum = in_register + static_cast<u64>(memory_.offset);
    return is_gfx9(case_.generation) ? sum & 0xffffffffU : sum;
  }

  [[nodiscard]] bool is_there(u32 lane) const {
    if (!row_.is_buffer()) return true;
    const BufferDescriptor& buffer = case_.buffer;
    const GenerationInfo& info = generation_info(case_.generation);
    // 8.1.4 of the Vega ISA manual: INVALID is an unbound resource.
    if (buffer.data_format == 0 && !format_is_stride()) return false;
    if (memory_.addr64) return true;
    if (info.gfx == 9) {
      // 8.1.5 of the Vega ISA manual, 9.1.5 of CDNA's: private, structured, raw.
      if (buffer.adds_lane && !memory_.idxen) return true;
      if (memory_.idxen && stride() != 0) return index(lane) < buffer.records;
      return offset(lane) < buffer.records;
    }
    // The unit of the number of records depends on the generation (according to Mesa).
    const bool has_records = stride() != 0 && (info.gfx <= 7 || buffer.is_swizzled);
    if (has_records)
      return index(lane) < buffer.records && !((memory_.idxen || buffer.adds_lane) && offset(lane) >= stride());
    return offset(lane) + (buffer.is_swizzled ? 0 : index(lane) * stride()) + soffset() < buffer.records;
  }

  [[nodiscard]] u64 address_in_buffer(u32 lane, u32 byte) const {
    const BufferDescriptor& buffer = case_.buffer;
    if (memory_.addr64) {
      return buffer.base + pair(memory_.address, lane) + soffset() + static_cast<u64>(memory_.offset) + byte;
    }
    const u64 record = index(lane);
    const u64 place = offset(lane) + byte;
    if (!buffer.is_swizzled) return buffer.base + soffset() + record * stride() + place;
    const u64 lanes = u64{8} << buffer.index_stride;
    const u64 element = generation_info(case_.generation).gfx == 9 ? 4 : u64{2} << buffer.element_size;
    return buffer.base + soffset() + (record / lanes * stride() + place / element * element) * lanes +
           record % lanes * element + place % element;
  }

  const MemoryCase& case_;
  const WaveState& state_;
  const vec::InstructionInfo& row_;
  const vec::MemoryOperands& memory_;
};

/// The LDS address of a dword of a load to LDS: M0, the offset, and the lane number times 4, or times 16 for three and
/// four dwords (9.1.9 and 10.3 of the CDNA 4 ISA manual).
u64 place_in_lds(const MemoryCase& memory_case, u32 lane, u32 dword) {
  const vec::InstructionInfo& row = vec::info(memory_case.instruction.insn);
  const bool is_buffer = row.format == Format::mubuf;
  const bool has_18_bits = memory_case.generation >= (is_buffer ? Generation::cdna4 : Generation::cdna3);
  u32 base = memory_case.state.file[code::m0] % (has_18_bits ? 0x40000 : 0x10000);
  if (!is_buffer && has_18_bits) base = base / 4 * 4;
  const auto place = static_cast<u32>(static_cast<i32>(base) + memory_case.instruction.memory.offset) +
                     lane * (row.access.bytes >= 12 ? 16 : 4) + 4 * dword;
  return shared_memory_base + place / 4 * 4;
}

/// The data of 16 lanes are a matrix with rows of 16 elements, in row order; each lane gets a column (as the tests of
/// AMD's rocRoller expect of gfx950).
void transpose(const MemoryCase& memory_case, WaveState& state) {
  const vec::Instruction& instruction = memory_case.instruction;
  const vec::Access& access = vec::info(instruction.insn).access;
  const u32 first = instruction.memory.data + (instruction.memory.is_accumulator ? VectorRegisters::vgprs : 0);
  const u32 bits_of_lane = access.bytes * 8U;
  for (u32 group = 0; group < lane_count; group += 16) {
    std::vector<bool> matrix;
    for (u32 lane = group; lane < group + 16; ++lane) {
      for (u32 bit = 0; bit < bits_of_lane; ++bit)
        matrix.push_back((state.vectors.lanes(first + bit / 32)[lane] >> bit % 32 & 1) != 0);
    }
    for (u32 column = 0; column < 16; ++column) {
      std::array<u32, 3> dwords{};
      u32 bit = 0;
      for (u32 row = 0; row < bits_of_lane / access.element_bits; ++row) {
        for (u32 i = 0; i < access.element_bits; ++i, ++bit) {
          if (matrix[(16 * row + column) * access.element_bits + i]) dwords[bit / 32] |= 1U << bit % 32;
        }
      }
      for (u32 i = 0; i < bits_of_lane / 32; ++i) state.vectors.write(first + i, group + column, dwords[i]);
    }
  }
}

// ---- atomics ----

/// The operation in the name of an instruction: `min_i`, `cmpswap`.
std::string operation_name(std::string name) {
  for (const std::string_view part :
       {"buffer_atomic_", "flat_atomic_", "global_atomic_", "ds_", "_x2", "rtn_", "2st64", "32", "64", "_u", "_b"}) {
    const std::size_t found = name.find(part);
    if (found != std::string::npos) name.erase(found, part.size());
  }
  while (name.ends_with('_') || name.ends_with('2')) name.pop_back();
  return name;
}

/// A format of floats, as a model over the host's `double` and integers.
struct FloatFormat {
  u32 fraction_bits;
  u32 exponent_bits;

  [[nodiscard]] u32 bits() const { return 1 + exponent_bits + fraction_bits; }
  [[nodiscard]] i32 bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] u64 sign() const { return u64{1} << (bits() - 1); }
  [[nodiscard]] u64 infinity() const { return ((u64{1} << exponent_bits) - 1) << fraction_bits; }
  [[nodiscard]] u64 quiet() const { return u64{1} << (fraction_bits - 1); }
  [[nodiscard]] u64 magnitude(u64 value) const { return value & (sign() - 1); }
  [[nodiscard]] bool is_nan(u64 value) const { return magnitude(value) > infinity(); }
  [[nodiscard]] bool is_denormal(u64 value) const {
    return magnitude(value) != 0 && magnitude(value) < u64{1} << fraction_bits;
  }
  [[nodiscard]] u64 flushed(u64 value) const { return is_denormal(value) ? value & sign() : value; }
  /// The exact value of a number or an infinity.
  [[nodiscard]] double number(u64 value) const {
    const u64 all = magnitude(value);
    const auto field = static_cast<i32>(all >> fraction_bits);
    const auto fraction = static_cast<double>(all & ((u64{1} << fraction_bits) - 1));
    const double one = std::ldexp(1.0, static_cast<i32>(fraction_bits));
    const double size = all == infinity() ? std::numeric_limits<double>::infinity()
                                          : std::ldexp(field == 0 ? fraction : one + fraction,
                                                       std::max(field, 1) - bias() - static_cast<i32>(fraction_bits));
    return (value & sign()) != 0 ? -size : size;
  }
  /// The nearest float of a double that has more bits than the format, or is one of its numbers.
  [[nodiscard]] u64 nearest(double value) const {
    const u64 negative = std::signbit(value) ? sign() : 0;
    const double size = std::fabs(value);
    if (size == 0) return negative;
    const i32 exponent = std::isinf(size) ? bias() + 1 : std::max(std::ilogb(size), 1 - bias());
    if (exponent > bias()) return negative | infinity();
    // In units of the last place, where the host rounds to the nearest even.
    const auto units = static_cast<u64>(std::nearbyint(std::ldexp(size, static_cast<i32>(fraction_bits) - exponent)));
    return negative | ((static_cast<u64>(exponent + bias() - 1) << fraction_bits) + units);
  }
  [[nodiscard]] u64 sum(u64 left, u64 right) const {
    if (is_nan(left)) return left | quiet();
    if (is_nan(right)) return right | quiet();
    const double a = number(left);
    const double b = number(right);
    if (std::isinf(a) && a == -b) return infinity() | quiet();
    const double rounded = a + b;
    if (std::isinf(rounded) || fraction_bits == 52) return nearest(rounded);
    // Rounds to an odd double if the sum is not exact, so that the second rounding sees that something is missing.
    const double part = rounded - a;
    const double error = (a - (rounded - part)) + (b - part);
    const bool is_odd = (std::bit_cast<u64>(rounded) & 1) != 0;
    const double beyond = std::copysign(std::numeric_limits<double>::infinity(), error);
    return nearest(error != 0 && !is_odd ? std::nextafter(rounded, beyond) : rounded);
  }
};
constexpr FloatFormat half_format{10, 5};
constexpr FloatFormat brain_format{7, 8};
constexpr FloatFormat single_format{23, 8};
constexpr FloatFormat double_format{52, 11};

/// True if the instruction flushes denormal numbers: those of memory with 32 bits before CDNA 3, and those of DS as
/// MODE says, except sums of 64 bits and bfloat16 (LLVM's rules for `atomicrmw fadd`).
bool flushes(const std::string& name, Generation generation, u32 mode, bool is_result) {
  const bool is_shared = name.starts_with("ds_");
  if (!is_shared) return name.ends_with("add_f32") && generation < Generation::cdna3;
  if (name.ends_with("bf16") || (name.ends_with("f64") && name.find("add") != std::string::npos)) return false;
  const u32 bit = name.ends_with("f32") ? 4 : 6;
  return (mode >> (bit + (is_result ? 1U : 0U)) & 1) == 0;
}

/// The value that an atomic on floats leaves in memory, or nothing for another one.
std::optional<u64> model_of_float_atomic(const std::string& name, const MemoryCase& memory_case, u64 old, u64 data,
                                         u64 second) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const bool is_float = has("_f32") || has("_f64") || has("_f16") || has("_bf16") || has("_fm") || has("_fcmp");
  if (!is_float) return std::nullopt;
  const u32 mode = memory_case.state.mode;
  const bool flushes_inputs = flushes(name, memory_case.generation, mode, false);
  const bool flushes_results = flushes(name, memory_case.generation, mode, true);
  const bool is_wide = has("f64") || has("_x2");
  const FloatFormat& format = has("_bf16")  ? brain_format
                              : has("_f16") ? half_format
                              : is_wide     ? double_format
                                            : single_format;
  const auto input = [&](u64 value) { return flushes_inputs ? format.flushed(value) : value; };
  const auto output = [&](u64 value) { return flushes_results ? format.flushed(value) : value; };
  if (has("add")) {
    u64 sums = 0;
    for (u32 first = 0; first < (is_wide ? 64U : 32U); first += format.bits()) {
      const u64 all = format.bits() == 64 ? ~u64{0} : (u64{1} << format.bits()) - 1;
      sums |= output(format.sum(input(old >> first & all), input(data >> first & all))) << first;
    }
    return sums;
  }
  // Comparisons with <, > and ==, which are false for a NaN.
  const auto number = [&](u64 value) {
    return format.is_nan(value) ? std::numeric_limits<double>::quiet_NaN() : format.number(input(value));
  };
  if (has("fcmpswap")) return number(old) == number(second) ? data : old;
  if (has("cmpst")) return number(old) == number(data) ? second : old;
  const bool takes_data = has("min") ? number(data) < number(old) : number(data) > number(old);
  return output(input(takes_data ? data : old));
}

i64 signed_number(u64 value, u32 bits) {
  const u32 unused = 64 - bits;
  return static_cast<i64>(value << unused) >> unused;
}

/// The value that an atomic leaves in memory, by its name, from the pseudo-code of the ISA manuals (12.12 and 12.15 of
/// CDNA 4's). `second`: DATA1 of DS, and the second half of the data of others.
u64 model_of_atomic(const std::string& name, u32 bits, u64 old, u64 data, u64 second) {
  const bool is_shared = name.starts_with("ds_");
  const std::string operation = operation_name(name);
  const bool is_less_signed = signed_number(data, bits) < signed_number(old, bits);
  if (operation == "swap" || operation == "wrxchg") return data;
  if (operation == "cmpswap") return old == second ? data : old;
  if (operation == "cmpst") return old == data ? second : old;
  if (operation == "add" || operation == "append") return old + data;
  if (operation == "sub" || operation == "consume") return old - data;
  if (operation == "rsub") return data - old;
  if (operation == "smin" || operation == "min_i") return is_less_signed ? data : old;
  if (operation == "smax" || operation == "max_i") return is_less_signed ? old : data;
  if (operation == "umin" || (is_shared && operation == "min")) return std::min(old, data);
  if (operation == "umax" || (is_shared && operation == "max")) return std::max(old, data);
  if (operation == "and") return old & data;
  if (operation == "or") return old | data;
  if (operation == "xor") return (old | data) - (old & data);
  if (operation == "inc") return old < data ? old + 1 : 0;
  if (operation == "dec") return old != 0 && old <= data ? old - 1 : data;
  if (operation == "mskor") return second | (old - (old & data));
  if (operation == "wrap") return old < data ? old + second : old - data;
  if (operation == "condxchg") {
    u64 result = 0;
    for (const u32 half : {0U, 32U}) {
      const u64 given = data >> half & 0xffffffff;
      result |= (given >= 0x80000000 ? given - 0x80000000 : old >> half & 0xffffffff) << half;
    }
    return result;
  }
  ADD_FAILURE() << "no model of " << name << ": " << operation;
  return 0;
}

/// One access: the value in memory, and its replacement.
struct ModelAccess {
  std::vector<Part> parts;
  u64 old = 0;

  [[nodiscard]] bool is_there() const { return std::ranges::all_of(parts, &Part::is_there); }
  void read(const Memory& memory) {
    for (u32 i = 0; is_there() && i < 4 * parts.size(); ++i) {
      std::array<u8, 1> byte{};
      memory.read(parts[i / 4].addresses[i % 4], byte);
      old |= u64{byte[0]} << (8 * i);
    }
  }
  void write(Memory& memory, u64 value) const {
    for (u32 i = 0; is_there() && i < 4 * parts.size(); ++i) {
      const std::array<u8, 1> byte = {static_cast<u8>(value >> (8 * i))};
      memory.write(parts[i / 4].addresses[i % 4], byte);
    }
  }
};

/// Serves the lanes in ascending order.
void execute_atomic(const MemoryCase& memory_case, WaveState& state, Memory& memory) {
  const vec::InstructionInfo& row = vec::info(memory_case.instruction.insn);
  const vec::MemoryOperands& operands = memory_case.instruction.memory;
  const std::string name(row.names[2]);
  const WaveState before = state;
  const AddressModel model(memory_case, before);
  const u32 bank = operands.is_accumulator ? VectorRegisters::vgprs : 0;
  const u32 dwords = row.access.bytes / 4U;
  const auto value = [&](u32 number, u32 lane) {
    u64 result = 0;
    // Only operations with two operands have registers of a second one.
    const bool exists = bank + number + dwords <= VectorRegisters::count;
    for (u32 i = 0; exists && i < dwords; ++i) result |= u64{before.vectors.lanes(bank + number + i)[lane]} << (32 * i);
    return result;
  };
  const bool is_shared = row.format == Format::ds;
  const bool returns = is_shared ? name.find("_rtn") != std::string::npos || is_of_wave(row.access) : operands.glc;
  const u32 result = bank + (row.format == Format::mubuf || is_of_wave(row.access) ? operands.data : operands.result);
  std::optional<u64> of_wave;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    if ((before.exec() >> lane & 1) == 0) continue;
    std::vector<ModelAccess> accesses(row.access.is_double ? 2 : 1);
    const std::vector<Part> parts = model.parts(lane);
    for (u32 i = 0; i < parts.size(); ++i) accesses[i / dwords].parts.push_back(parts[i]);
    for (ModelAccess& access : accesses) access.read(memory);
    if (!of_wave) {
      for (u32 place = 0; place < accesses.size(); ++place) {
        const u64 data = is_of_wave(row.access) ? static_cast<u64>(std::popcount(before.exec()))
                                                : value(place == 0 ? operands.data : operands.second_data, lane);
        const u64 second = is_shared ? value(operands.second_data, lane) : value(operands.data + dwords, lane);
        const u64 old = accesses[place].old;
        const auto of_floats = model_of_float_atomic(name, memory_case, old, data, second);
        accesses[place].write(memory,
                              of_floats ? *of_floats : model_of_atomic(name, 8U * row.access.bytes, old, data, second));
      }
    }
    if (is_of_wave(row.access) && !of_wave) of_wave = accesses[0].old;
    for (u32 i = 0; returns && i < parts.size(); ++i) {
      const u64 old = of_wave.value_or(accesses[i / dwords].old);
      state.vectors.write(result + i, lane, static_cast<u32>(old >> (32 * (i % dwords))));
    }
  }
}

// ---- moves between lanes ----

/// The number of the lane that DS_SWIZZLE_B32 reads, by its tables of bits (12.12 of the CDNA 4 ISA manual).
u32 model_of_swizzle(Generation generation, u32 pattern, u32 lane) {
  const u32 half = lane / 32 * 32;
  const u32 number = lane % 32;
  const u32 low = pattern % 32;
  if (is_gfx9(generation) && pattern >= 0xe000) {
    std::vector<u32> bits;
    for (u32 bit = 5; bit-- > 0;) bits.push_back(number >> bit & 1);
    u32 reversed = 0;
    for (u32 i = 0; i < 5; ++i) reversed += bits[i] << i;
    for (u32 i = 0; i < 5; ++i) {
      if ((low >> i & 1) != 0) reversed /= 2;
    }
    return half + (reversed | (number & low));
  }
  if (is_gfx9(generation) && pattern >= 0xc000) {
    const u32 distance = pattern / 32 % 32;
    const u32 turned = (pattern & 0x400) != 0 ? number + 32 - distance : number + distance;
    return half + ((number & low) | (turned % 32 & (31 - low)));
  }
  if (pattern >= 0x8000) return lane / 4 * 4 + (pattern >> (lane % 4 * 2)) % 4;
  return half + (((number & low) | pattern / 32 % 32) ^ pattern / 1024 % 32);
}

void execute_move(const MemoryCase& memory_case, WaveState& state) {
  const vec::Instruction& instruction = memory_case.instruction;
  const vec::MemoryOperands& operands = instruction.memory;
  const std::string_view name = vec::info(instruction.insn).names[2];
  const WaveState before = state;
  const u32 bank = operands.is_accumulator ? VectorRegisters::vgprs : 0;
  const auto is_on = [&](u32 lane) { return (before.exec() >> lane & 1) != 0; };
  const auto& index = before.vectors.lanes(operands.address);
  const auto& data = before.vectors.lanes(bank + operands.data);
  const auto selected = [&](u32 lane) {
    return static_cast<u32>((u64{index[lane]} + static_cast<u32>(operands.offset)) / 4 % 64);
  };
  std::array<u32, lane_count> moved{};
  for (u32 lane = 0; lane < lane_count; ++lane) {
    if (name == "ds_permute_b32") {
      if (is_on(lane)) moved.at(selected(lane)) = data[lane];
      continue;
    }
    const bool is_swizzle = name == "ds_swizzle_b32";
    const u32 source =
        is_swizzle ? model_of_swizzle(memory_case.generation, static_cast<u32>(operands.offset), lane) : selected(lane);
    if (is_on(source)) moved.at(lane) = is_swizzle ? index[source] : data[source];
  }
  const u32 result = bank + (name == "ds_swizzle_b32" ? operands.data : operands.result);
  for (u32 lane = 0; lane < lane_count; ++lane) {
    if (is_on(lane)) state.vectors.write(result, lane, moved.at(lane));
  }
}

// ---- typed accesses ----

/// The float of another format: a NaN keeps the highest bits of its fraction.
u64 converted(const FloatFormat& from, const FloatFormat& to, u64 value) {
  if (!from.is_nan(value)) return to.nearest(from.number(value));
  const u64 fraction = (value | from.quiet()) & ((u64{1} << from.fraction_bits) - 1);
  const u64 moved = from.fraction_bits > to.fraction_bits ? fraction >> (from.fraction_bits - to.fraction_bits)
                                                          : fraction << (to.fraction_bits - from.fraction_bits);
  return ((value & from.sign()) != 0 ? to.sign() : 0) | to.infinity() | moved;
}

/// A float of a component; those of 11 and 10 bits are unsigned.
FloatFormat format_of_component(u32 bits) {
  if (bits == 32) return single_format;
  return bits == 16 ? half_format : FloatFormat{bits - 5, 5};
}

enum : u32 { unorm, snorm, uscaled, sscaled, uint_format, sint_format, float_format = 7 };

bool is_signed_number(u32 format) { return format == snorm || format == sscaled || format == sint_format; }

u64 model_of_loaded(const FloatFormat& to, u32 format, u64 raw, u32 bits) {
  const i64 number = is_signed_number(format) ? signed_number(raw, bits) : static_cast<i64>(raw);
  const auto value = static_cast<double>(number);
  switch (format) {
    case unorm:
      return to.nearest(value / static_cast<double>((u64{1} << bits) - 1));
    case snorm:
      return to.nearest(std::max(value / static_cast<double>((u64{1} << (bits - 1)) - 1), -1.0));
    case uscaled:
    case sscaled:
      return to.nearest(value);
    case float_format:
      return bits == to.bits() ? raw : converted(format_of_component(bits), to, raw);
    default:
      return static_cast<u64>(number) & (to.bits() == 16 ? 0xffffU : 0xffffffffU);
  }
}

u64 model_of_stored(const FloatFormat& from, u32 format, u64 held, u32 bits) {
  const u64 all = (u64{1} << bits) - 1;
  const i64 most = static_cast<i64>(is_signed_number(format) ? all / 2 : all);
  const i64 least = is_signed_number(format) ? -most - 1 : 0;
  if (format == uint_format || format == sint_format) {
    const i64 number = format == sint_format ? signed_number(held, from.bits()) : static_cast<i64>(held);
    return static_cast<u64>(std::clamp(number, least, most)) & all;
  }
  if (format == float_format) {
    if (bits >= 16) return bits == from.bits() ? held : converted(from, format_of_component(bits), held);
    const FloatFormat to = format_of_component(bits);
    if (from.is_nan(held)) return to.infinity() | to.quiet();
    return (held & from.sign()) != 0 ? 0 : to.nearest(from.number(held));
  }
  if (from.is_nan(held)) return 0;
  const double value = from.number(held);
  const auto greatest = static_cast<double>(most);
  const double integer = format <= snorm ? std::clamp(std::nearbyint(std::clamp(value, -1.0, 1.0) * greatest),
                                                      is_signed_number(format) ? -greatest : 0.0, greatest)
                                         : std::clamp(std::trunc(value), static_cast<double>(least), greatest);
  return static_cast<u64>(static_cast<i64>(integer)) & all;
}

/// The bytes of a lane's element, as bits.
class Element {
 public:
  [[nodiscard]] u64 bits(u32 first, u32 count) const {
    u64 value = 0;
    for (u32 i = 0; i < count; ++i) value |= u64{bytes_.at((first + i) / 8) >> ((first + i) % 8) & 1U} << i;
    return value;
  }
  void set(u32 first, u32 count, u64 value) {
    for (u32 i = 0; i < count; ++i) {
      u8& byte = bytes_.at((first + i) / 8);
      byte = static_cast<u8>(byte | (value >> i & 1) << ((first + i) % 8));
    }
  }
  [[nodiscard]] std::span<u8> byte(u32 number) { return std::span(bytes_).subspan(number, 1); }

 private:
  std::array<u8, 16> bytes_{};
};

void execute_typed(const MemoryCase& memory_case, WaveState& state, Memory& memory) {
  const vec::Access& access = memory_case.row().access;
  const vec::MemoryOperands& operands = memory_case.instruction.memory;
  const WaveState before = state;
  const AddressModel model(memory_case, before);
  const FloatFormat& format = access.is_d16 ? half_format : single_format;
  const u32 first_register = operands.data + (operands.is_accumulator ? VectorRegisters::vgprs : 0U);
  const std::vector<u32> sizes = component_bits(memory_case.data_format());
  const bool is_mtbuf = memory_case.row().format == Format::mtbuf;
  const auto select = [&](u32 i) { return is_mtbuf ? 4 + i : memory_case.buffer.selects.at(i); };
  // D16 of GCN 1.2 has a register for each component, later ones have two components in each.
  const bool is_packed = access.is_d16 && is_gfx9(memory_case.generation);
  const auto place = [&](u32 i) { return first_register + (is_packed ? i / 2 : i); };
  const auto shift = [&](u32 i) { return access.is_high_half || (is_packed && i % 2 != 0) ? 16U : 0U; };
  for (u32 lane = 0; lane < lane_count; ++lane) {
    if ((before.exec() >> lane & 1) == 0) continue;
    const std::vector<Part> parts = model.parts(lane);
    const bool is_there = std::ranges::all_of(parts, &Part::is_there);
    const auto address = [&](u32 byte) { return parts.at(byte / 4).addresses.at(byte % 4); };
    Element element;
    if (access.is_store) {
      u32 first = 0;
      for (u32 number = 0; number < sizes.size(); first += sizes[number], ++number) {
        for (u32 i = 0; i < access.components; ++i) {
          if (select(i) != 4 + number) continue;
          const u64 held = before.vectors.lanes(place(i))[lane] >> shift(i);
          element.set(first, sizes[number],
                      model_of_stored(format, memory_case.number_format(), access.is_d16 ? held & 0xffff : held,
                                      sizes[number]));
          break;
        }
      }
      for (u32 i = 0; is_there && i < memory_case.bytes(); ++i) memory.write(address(i), element.byte(i));
      continue;
    }
    for (u32 i = 0; is_there && i < memory_case.bytes(); ++i) memory.read(address(i), element.byte(i));
    for (u32 i = 0; i < access.components; ++i) {
      const bool is_integer = memory_case.number_format() == uint_format || memory_case.number_format() == sint_format;
      u64 value = 0;
      if (select(i) >= 4 && select(i) - 4 < sizes.size()) {
        u32 first = 0;
        for (u32 number = 0; number < select(i) - 4; ++number) first += sizes[number];
        const u32 size = sizes[select(i) - 4];
        value = model_of_loaded(format, memory_case.number_format(), element.bits(first, size), size);
      } else if (select(i) == 1 || select(i) == 7) {
        value = is_integer ? 1 : format.nearest(1.0);
      }
      if (!is_there) value = 0;
      // A single half leaves the other one, or with SRAM-ECC zeros it.
      const bool keeps = is_packed && access.components == 1 && memory_case.generation < Generation::cdna1;
      u32 held = i % 2 == 1 && is_packed ? state.vectors.lanes(place(i))[lane] : 0;
      if (keeps) held = before.vectors.lanes(place(i))[lane];
      const u64 mask = access.is_d16 ? u64{0xffff} << shift(i) : 0xffffffff;
      state.vectors.write(place(i), lane, static_cast<u32>((held & ~mask) | value << shift(i)));
    }
  }
}

/// Executes the instruction.
void execute_memory(const MemoryCase& memory_case, WaveState& state, Memory& memory) {
  const vec::Access& access = vec::info(memory_case.instruction.insn).access;
  if (access.is_atomic()) return execute_atomic(memory_case, state, memory);
  if (access.moves_lanes()) return execute_move(memory_case, state);
  if (access.is_typed()) return execute_typed(memory_case, state, memory);
  const WaveState before = state;
  const AddressModel model(memory_case, before);
  for (u32 lane = 0; lane < lane_count; ++lane) {
    if ((before.exec() >> lane & 1) == 0) continue;
    u32 dword = 0;
    for (const Part& part : model.parts(lane)) {
      const u32 held = before.vectors.lanes(part.number)[lane];
      std::array<u8, 4> bytes{};
      const std::span<u8> there = std::span(bytes).first(part.bytes);
      if (access.is_store) {
        const u32 value = access.is_high_half ? held >> 16 : held;
        for (u32 i = 0; i < part.bytes; ++i) bytes[i] = static_cast<u8>(value >> (8 * i));
        for (u32 i = 0; part.is_there && i < part.bytes; ++i) memory.write(part.addresses[i], there.subspan(i, 1));
        continue;
      }
      for (u32 i = 0; part.is_there && i < part.bytes; ++i) memory.read(part.addresses[i], there.subspan(i, 1));
      i64 value = 0;
      for (u32 i = 0; i < part.bytes; ++i) value |= i64{bytes[i]} << (8 * i);
      const i64 limit = i64{1} << (8 * part.bytes);
      if (access.is_signed && value >= limit / 2) value -= limit;
      const auto low_half = static_cast<u16>(value);
      // With SRAM-ECC, as on all of CDNA unless the code says otherwise, unused bits are 0 (CDNA ISA manuals, 9.1.6).
      const u32 kept = memory_case.generation >= Generation::cdna1 ? 0 : held;
      const u32 loaded = !access.keeps_half    ? static_cast<u32>(value)
                         : access.is_high_half ? (kept & 0xffffU) | u32{low_half} << 16
                                               : (kept & 0xffff0000U) | low_half;
      if (memory_case.instruction.memory.lds) {
        for (u32 i = 0; i < 4; ++i) bytes[i] = static_cast<u8>(loaded >> (8 * i));
        memory.write(place_in_lds(memory_case, lane, dword++), bytes);
      } else {
        state.vectors.write(part.number, lane, loaded);
      }
    }
  }
  if (access.element_bits != 0) transpose(memory_case, state);
}

// ---- cases ----

/// Creates cases of an instruction: operands, and registers with addresses of existing memory.
class CaseMaker {
 public:
  CaseMaker(Generation generation, vec::Insn insn, const WaveState& state, Random& random)
      : row_(vec::info(insn)), random_(random) {
    case_.generation = generation;
    case_.instruction.insn = insn;
    case_.instruction.dwords = 2;
    case_.state = state;
    for (u32 i = 0; i < lane_count; ++i) places_[i] = i;
    std::shuffle(places_.begin(), places_.end(), random_);
  }

  MemoryCase make() {
    WaveState& state = case_.state;
    state.write64(code::exec, random_mask(random_));
    // All of LDS, as compilers set it, or a part of it; no effect on GCN 1.4 and CDNA.
    state.file[code::m0] = chance(2) ? ~0U : below(shared_bytes);
    state.scc = chance(2);
    const GenerationInfo& info = generation_info(case_.generation);
    if (info.flat_scratch != 0) {
      const u64 base = scratch_base_of(case_.generation);
      state.write64(info.flat_scratch,
                    is_gfx9(case_.generation) ? base : u64{scratch_page} << 32 | (chance(2) ? 0x10000 : below(1500)));
      state.defined.set(info.flat_scratch).set(info.flat_scratch + 1U);
    }
    memory_.is_accumulator = case_.generation >= Generation::cdna2 && row_.access.bytes != 0 && chance(3);
    if (row_.format != Format::ds) {
      memory_.glc = chance(4) && !row_.access.never_returns;
      memory_.slc = chance(4);
    }
    make_lds();
    // All lanes must be active.
    if (row_.access.element_bits != 0) state.write64(code::exec, ~u64{0});
    const u32 dwords = row_.access.dwords();
    if (row_.access.is_atomic() && chance(2)) {
      // Lanes at the same addresses.
      for (u32& place : places_) place %= 8;
    }
    memory_.data = memory_.lds ? 0 : register_of(dwords);
    if (row_.access.element_bits == 6) memory_.data = static_cast<u8>(below(254));
    if (row_.access.takes_second_data()) memory_.second_data = register_of(dwords);
    if (row_.access.takes_data() && row_.access.has_result(memory_.glc)) {
      memory_.result = row_.format == Format::mubuf ? memory_.data : register_of(row_.access.result_dwords());
    }
    if (isa::traits_of(row_.access.atomic).is_float || row_.access.is_typed()) make_floats();
    switch (row_.format) {
      case Format::ds:
        make_shared();
        break;
      case Format::scratch:
        make_scratch();
        break;
      case Format::mubuf:
      case Format::mtbuf:
        make_buffer();
        break;
      default:
        make_far();
        break;
    }
    return case_;
  }

 private:
  bool chance(u32 one_in) { return random_() % one_in == 0; }
  u32 below(u32 limit) { return static_cast<u32>(random_() % limit); }

  /// Loads to LDS, if the instruction supports them: always, or half of the time.
  void make_lds() {
    const vec::Access& access = row_.access;
    const bool is_wide = row_.format == Format::mubuf && access.bytes >= 12 && case_.generation == Generation::cdna4;
    const bool has_bit =
        row_.format == Format::mubuf ||
        ((row_.format == Format::global || row_.format == Format::scratch) && case_.generation < Generation::cdna3);
    const bool can = has_bit && !access.is_typed() && !access.writes_memory() && !access.keeps_half &&
                     access.bytes != 0 && (access.bytes <= 4 || is_wide);
    memory_.lds = access.goes_to_lds || (can && chance(2));
    if (!memory_.lds) return;
    memory_.is_accumulator = false;
    // The offset may be negative. Bits that are not part of the base are set.
    case_.state.file[code::m0] = 0xfffc0000 | (0x1000 + 4 * below(0x2000));
    const bool has_16_bits = case_.generation < (row_.format == Format::mubuf ? Generation::cdna4 : Generation::cdna3);
    if (has_16_bits) case_.state.file[code::m0] |= 0x30000;
    if (chance(4)) case_.state.file[code::m0] += below(4);
  }

  /// Data of interest, unless the address replaces it.
  void make_floats() {
    const u32 bank = memory_.is_accumulator ? VectorRegisters::vgprs : 0;
    for (u32 lane = 0; lane < lane_count; ++lane) {
      for (u32 i = 0; i < row_.access.data_dwords(); ++i) {
        set(bank + memory_.data + i, lane, float_dword(random_));
        if (row_.access.takes_second_data()) set(bank + memory_.second_data + i, lane, float_dword(random_));
      }
    }
  }

  u8 register_of(u32 dwords) {
    u32 number = below(257 - dwords);
    if (case_.generation >= Generation::cdna2 && dwords > 1) number &= ~1U;
    return static_cast<u8>(number);
  }
  u8 pair_of_sgprs() { return static_cast<u8>(2 * (26 + below(24))); }

  void set(u32 number, u32 lane, u32 value) { case_.state.vectors.write(number, lane, value); }

  /// The address may be in the registers that are loaded.
  u8 address_register(u32 dwords) {
    const bool is_shared_register = !row_.access.is_store && !memory_.is_accumulator && chance(4);
    u8 number = is_shared_register ? memory_.data : register_of(dwords);
    // Not in the stored registers: their values would not be random.
    if (number + dwords > 256) number = 254;
    if (case_.generation >= Generation::cdna2 && dwords > 1) number &= 0xfe;
    return number;
  }

  /// An address of M0 instead of a VGPR.
  void make_at_m0() {
    const u32 unaligned = chance(4) ? below(4) : 0;
    case_.state.file[code::m0] = (4 * below(0x2000) + unaligned) | (chance(2) ? 0xffff0000 : 0);
    memory_.offset = static_cast<i32>(4 * below(0x1000) + (chance(4) ? below(4) : 0));
  }
  /// Indices of lanes, and data of a swizzle.
  void make_move() {
    memory_.has_address = true;
    memory_.address = register_of(1);
    memory_.offset = static_cast<i32>(chance(2) ? below(0x10000) : 4 * below(8));
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const u32 number = chance(2) ? below(lane_count) : lane / 2;
      if (row_.access.takes_data()) set(memory_.address, lane, chance(8) ? below(~0U) : 4 * number);
    }
  }

  void make_shared() {
    if (row_.access.moves_lanes()) return make_move();
    if (row_.access.address != vec::SharedAddress::vgpr) return make_at_m0();
    memory_.has_address = true;
    memory_.address = address_register(1);
    // Each lane has its own KiB.
    if (row_.access.is_double) {
      const u32 unit = row_.access.bytes * (row_.access.is_far ? 64U : 1U);
      const u32 offsets = std::min<u32>(1024 / unit, 256);
      memory_.offset = static_cast<i32>(below(offsets));
      memory_.second_offset = static_cast<u8>((static_cast<u32>(memory_.offset) + below(offsets)) % offsets);
      for (u32 lane = 0; lane < lane_count; ++lane) set(memory_.address, lane, places_[lane] * 1024);
      return make_consecutive(below(0x1000) / unit * unit);
    }
    const u32 alignment = std::max<u32>(row_.access.bytes == 12 ? 16 : row_.access.bytes, 1);
    memory_.offset = static_cast<i32>(below(0x4000) / alignment * alignment);
    // Negative offsets wrap, except on GCN 1.0 (LLVM does not use them there).
    const bool is_below = case_.generation != Generation::gcn1_0 && chance(4);
    const u32 below_base = is_below ? static_cast<u32>(memory_.offset) : 0;
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const u32 within = row_.access.is_atomic() ? (chance(8) ? below(8) : 0) : 16 * below(16);
      set(memory_.address, lane, places_[lane] * 512 + within - below_base);
    }
    make_consecutive(below(0x4000) / alignment * alignment - below_base);
  }

  /// In a quarter of the cases, active lanes access consecutive dwords, as in arrays of compiled code.
  void make_consecutive(u32 first) {
    if (row_.access.bytes > 4 || !chance(4)) return;
    const u32 exception = below(2 * lane_count);
    for (u32 lane = 0; lane < lane_count; ++lane) {
      if (is_on(lane) && lane != exception) set(memory_.address, lane, first + 4 * lane);
    }
  }

  void make_scratch() {
    const bool combines = case_.generation >= Generation::cdna3;
    memory_.has_scalar = chance(2);
    memory_.has_address = combines ? chance(2) : !memory_.has_scalar;
    memory_.offset = static_cast<i32>(below(0x2000)) - 0x1000;
    // The registers complete the offset to a position within private memory, aligned or not.
    const auto target = [&] { return below(1500); };
    if (memory_.has_scalar) {
      memory_.scalar = pair_of_sgprs();
      case_.state.file[memory_.scalar] = target() - static_cast<u32>(memory_.offset);
    }
    if (!memory_.has_scalar && !memory_.has_address) memory_.offset = static_cast<i32>(target());
    if (!memory_.has_address) return;
    memory_.address = address_register(1);
    const std::optional<u32> common = common_place(1500);
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const u32 place = common && is_on(lane) ? *common : target();
      set(memory_.address, lane, memory_.has_scalar ? place : place - static_cast<u32>(memory_.offset));
    }
  }

  /// FLAT and GLOBAL.
  void make_far() {
    const bool is_flat = row_.format == Format::flat;
    memory_.has_address = true;
    if (is_gfx9(case_.generation)) {
      memory_.offset = is_flat ? static_cast<i32>(below(0x1000)) : static_cast<i32>(below(0x2000)) - 0x1000;
    }
    memory_.has_scalar = !is_flat && chance(2);
    memory_.address = address_register(memory_.has_scalar ? 1 : 2);
    // Any address of data, aligned or not.
    const auto offset = static_cast<u64>(i64{memory_.offset});
    const u64 base = data_base + 0x10000 + below(0x8000) - offset;
    if (memory_.has_scalar) {
      memory_.scalar = pair_of_sgprs();
      case_.state.write64(memory_.scalar, base);
      for (u32 lane = 0; lane < lane_count; ++lane) set(memory_.address, lane, places_[lane] * 64);
      return make_consecutive(below(64));
    }
    const GenerationInfo& info = generation_info(case_.generation);
    const u32 apart = is_flat ? below(4) : 0;
    const std::optional<u32> common = common_place(1500);
    for (u32 lane = 0; lane < lane_count; ++lane) {
      u64 address = base + u64{places_[lane]} * 64;
      const u64 place = common && is_on(lane) ? *common : below(1500);
      if (apart != 0 && chance(apart)) {
        address = (u64{info.private_aperture} << 32) + place - offset + (offset != 0 ? 0x1000U : 0U);
        if (address + offset < u64{info.private_aperture} << 32) address += 0x1000;
      } else if (apart != 0 && chance(2)) {
        address = (u64{info.shared_aperture} << 32) + 0x1000 + places_[lane] * 64 + (place & 15) - offset;
      }
      set(memory_.address, lane, static_cast<u32>(address));
      set(memory_.address + 1U, lane, static_cast<u32>(address >> 32));
    }
    if (!is_flat) make_consecutive(static_cast<u32>(base));
  }

  /// A format of the instruction, or of the descriptor.
  void make_format() {
    const u32 data_format = 1 + below(14);
    const std::vector<u32> numbers = number_formats(data_format);
    const u32 number_format = numbers[below(static_cast<u32>(numbers.size()))];
    if (row_.format == Format::mtbuf) memory_.format = static_cast<u8>(data_format | number_format << 4);
    case_.buffer.data_format = data_format;
    case_.buffer.number_format = number_format;
    for (u32 i = 0; i < 4; ++i)
      case_.buffer.selects.at(i) = chance(2) ? 4 + i : std::array{0U, 1U, 4U, 5U, 6U, 7U}.at(below(6));
  }

  void make_buffer() {
    if (row_.access.is_typed()) make_format();
    memory_.descriptor = static_cast<u8>(4 * below(13));
    BufferDescriptor& buffer = case_.buffer;
    buffer.base = data_base + 4 * u64{below(0x4000)};
    const bool in_register = chance(2);
    memory_.scalar = static_cast<u8>(in_register ? pair_of_sgprs() : 128 + 4 * below(17));
    const u32 soffset = in_register ? 4 * below(0x1000) : memory_.scalar - 128U;
    if (in_register) case_.state.file[memory_.scalar] = soffset;
    memory_.offset = static_cast<i32>(below(0x1000));
    // With the lane number, the format of a descriptor is a part of the stride.
    const bool needs_format = row_.access.is_typed() && row_.format == Format::mubuf &&
                              generation_info(case_.generation).data_format_extends_stride;
    switch (generation_info(case_.generation).gfx <= 7 ? below(5) : below(needs_format ? 3 : 4)) {
      case 0:
        make_raw(soffset);
        break;
      case 1:
        make_structured(false, soffset);
        break;
      case 2:
        make_structured(true, soffset);
        break;
      case 3:
        make_private_buffer();
        break;
      default:
        make_addr64();
        break;
    }
    if (chance(16)) buffer.data_format = 0;
    const auto words = buffer.words();
    for (u32 i = 0; i < 4; ++i) case_.state.file[memory_.descriptor + i] = words[i];
  }

  [[nodiscard]] bool is_on(u32 lane) const { return (case_.state.exec() >> lane & 1) != 0; }
  /// In half of the cases, a common position for all active lanes, as in private memory of compiled code.
  std::optional<u32> common_place(u32 limit) {
    if (chance(2)) return std::nullopt;
    return below(limit);
  }

  void name_address(u32 dwords) {
    memory_.has_address = dwords != 0;
    if (dwords != 0) memory_.address = address_register(dwords);
  }

  /// Consecutive bytes; some lanes beyond the end.
  void make_raw(u32 soffset) {
    case_.what = "raw";
    memory_.offen = !chance(4);
    name_address(memory_.offen ? 1 : 0);
    const u32 common = below(64);
    if (memory_.offen) {
      for (u32 lane = 0; lane < lane_count; ++lane) set(memory_.address, lane, common + places_[lane] * 64);
    }
    // The end is between two lanes.
    const u32 skipped = is_gfx9(case_.generation) ? 0 : soffset;
    const u32 first = skipped + static_cast<u32>(memory_.offset) + (memory_.offen ? common : 0);
    case_.buffer.records = chance(2) ? ~0U : first + below(66) * 64;
  }

  /// Elements of a stride by their number; some beyond the last one, some offsets beyond the stride.
  void make_structured(bool is_swizzled, u32 soffset) {
    case_.what = is_swizzled ? "swizzled" : "structured";
    BufferDescriptor& buffer = case_.buffer;
    memory_.idxen = true;
    memory_.offen = chance(2);
    name_address(memory_.offen ? 2 : 1);
    buffer.is_swizzled = is_swizzled;
    buffer.element_size = below(4);
    buffer.index_stride = below(4);
    buffer.adds_lane = !is_swizzled && !(row_.access.is_typed() && row_.format == Format::mubuf) && chance(4);
    const GenerationInfo& info = generation_info(case_.generation);
    if (buffer.adds_lane && info.data_format_extends_stride) buffer.data_format = below(2);
    const u32 element = info.gfx == 9 ? 4 : 2U << buffer.element_size;
    // The data of a lane is in one element, because the layout of longer data is not documented.
    buffer.stride = std::max<u32>(32, 32 * below(8));
    const u32 fits = is_swizzled ? std::max<u32>(element, case_.bytes()) : case_.bytes();
    const auto in_stride = [&] { return 16 * below(chance(4) ? 32 : std::max<u32>(1, buffer.stride / 16)); };
    memory_.offset = static_cast<i32>(memory_.offen ? 0 : in_stride());
    buffer.records = 32 + below(64);
    for (u32 lane = 0; lane < lane_count; ++lane) {
      set(memory_.address, lane, places_[lane]);
      if (memory_.offen) set(memory_.address + 1U, lane, in_stride());
    }
    if (is_swizzled && fits > element) buffer.is_swizzled = false;
    // A size in bytes; the end is between two records.
    if (info.gfx == 8 && !buffer.is_swizzled) buffer.records = soffset + 512 + buffer.stride * below(48) / 16 * 16;
  }

  /// The descriptor that compilers use for private memory: 64 lanes with interleaved elements of 4 bytes.
  void make_private_buffer() {
    case_.what = "private";
    BufferDescriptor& buffer = case_.buffer;
    buffer.is_swizzled = true;
    buffer.adds_lane = true;
    buffer.element_size = 1;
    buffer.index_stride = 3;
    buffer.records = is_gfx9(case_.generation) && chance(2) ? below(64) : ~0U;
    if (generation_info(case_.generation).data_format_extends_stride) buffer.data_format = 0;
    memory_.offen = chance(2);
    name_address(memory_.offen ? 1 : 0);
    if (!memory_.offen) return;
    // Negative offsets wrap if they are not checked first.
    const bool is_below = is_gfx9(case_.generation) && chance(2);
    const u32 below_base = is_below ? static_cast<u32>(memory_.offset) : 0;
    const std::optional<u32> common = common_place(0x1000);
    for (u32 lane = 0; lane < lane_count; ++lane) {
      set(memory_.address, lane, (common && is_on(lane) ? *common : below(0x1000)) - below_base);
    }
  }

  void make_addr64() {
    case_.what = "addr64";
    memory_.addr64 = true;
    name_address(2);
    case_.buffer.records = 0;  // ignored
    for (u32 lane = 0; lane < lane_count; ++lane) {
      set(memory_.address, lane, places_[lane] * 64);
      set(memory_.address + 1U, lane, 0);
    }
  }

  const vec::InstructionInfo& row_;
  Random& random_;
  MemoryCase case_;
  vec::MemoryOperands& memory_ = case_.instruction.memory;
  std::array<u32, lane_count> places_{};
};

std::string describe(const MemoryCase& memory_case) {
  const vec::MemoryOperands& memory = memory_case.instruction.memory;
  const BufferDescriptor& buffer = memory_case.buffer;
  std::ostringstream text;
  text << vec::info(memory_case.instruction.insn).names[2] << ' ' << memory_case.what << " of "
       << generation_name(memory_case.generation) << ": v" << u32{memory.address} << " data " << u32{memory.data} << ' '
       << u32{memory.second_data} << " scalar " << u32{memory.scalar} << " offset " << memory.offset << " offen "
       << memory.offen << " idxen " << memory.idxen << " acc " << memory.is_accumulator << " saddr "
       << memory.has_scalar << std::hex << " base 0x" << buffer.base << " stride 0x" << buffer.stride << " records 0x"
       << buffer.records << " swizzle " << buffer.is_swizzled << " lane " << buffer.adds_lane << " sizes "
       << buffer.element_size << ' ' << buffer.index_stride << " exec 0x" << memory_case.state.exec();
  return text.str();
}

std::string memory_difference(const Memory& expected, const Memory& actual) {
  std::ostringstream text;
  u32 lines = 0;
  for (const u64 page : Memory::differing_pages(expected, actual)) {
    for (u64 i = 0; i < Memory::page_bytes && lines < 8; ++i) {
      const u8 left = expected.page_for_reading(page)[i];
      const u8 right = actual.page_for_reading(page)[i];
      if (left == right) continue;
      text << std::hex << "  memory 0x" << page + i << ": expected 0x" << u32{left} << ", is 0x" << u32{right} << '\n';
      ++lines;
    }
  }
  return text.str();
}

struct MemoryRun {
  Outcome outcome;
  Memory before;  ///< including the code
};

MemoryRun run_memory(const MemoryCase& memory_case, const Memory& memory) {
  Code code(memory_case.generation);
  for (const u32 word : encode_memory(memory_case.generation, memory_case.instruction)) code.word(word);
  code.end();
  const Program program = program_of({&code});
  WaveState state = memory_case.state;
  state.pc = program.entry;
  RunOptions options;
  options.on_vector = OnVector::run;
  MemoryRun result;
  result.before = memory;
  EXPECT_TRUE(place_code(program, result.before));
  result.outcome = run(program, state, result.before, options);
  return result;
}

std::string check(const MemoryCase& memory_case, const Memory& memory) {
  const auto words = encode_memory(memory_case.generation, memory_case.instruction);
  const auto decoded = vec::decode(memory_case.generation, words);
  if (!decoded) return "  is not decoded";
  if (*decoded != memory_case.instruction) return "  is decoded as another one";
  const MemoryRun result = run_memory(memory_case, memory);
  if (result.outcome.stop.reason != StopReason::end_program) return "  stops: " + result.outcome.stop.detail;
  WaveState expected = memory_case.state;
  Memory expected_memory = result.before;
  execute_memory(memory_case, expected, expected_memory);
  expected.pc = result.outcome.state.pc;
  std::string problem;
  if (expected != result.outcome.state) {
    problem = difference(expected, result.outcome.state) + vector_difference(expected, result.outcome.state) + "\n";
  }
  if (expected_memory != result.outcome.memory) problem += memory_difference(expected_memory, result.outcome.memory);
  return problem;
}

class VectorMemory : public testing::TestWithParam<Generation> {};

TEST_P(VectorMemory, AgreesWithTheReferenceModel) {
  const Generation generation = GetParam();
  const Memory random_memory = make_memory(generation);
  const Memory memory_of_floats = make_memory(generation, true);
  Random state_random(11);
  const WaveState state = random_wave(generation, state_random);
  for (const vec::Insn insn : all_vector_insns()) {
    const vec::InstructionInfo& row = vec::info(insn);
    if (!row.is_memory() || row.access.bytes == 0 || row.opcode(generation) == isa::absent) continue;
    const bool is_float = isa::traits_of(row.access.atomic).is_float;
    const Memory& memory = is_float ? memory_of_floats : random_memory;
    Random random(static_cast<u64>(insn));
    u32 failures = 0;
    for (int i = 0; i < repetitions(row.access.is_typed() ? 200 : 60) && failures < 3; ++i) {
      const MemoryCase memory_case = CaseMaker(generation, insn, state, random).make();
      const std::string problem = check(memory_case, memory);
      if (problem.empty()) continue;
      ++failures;
      ADD_FAILURE() << describe(memory_case) << '\n' << problem;
    }
  }
}

// LLVM's operand of a load of a half with TFE has two registers, and the second one is the status: a dword
// (SIInstrInfo, buffer_load_short_d16 with tfe).
TEST(VectorMemoryStatus, IsAWholeDwordForLoadsOfHalves) {
  constexpr u32 tfe = 1U << 23;
  const Generation generation = Generation::gcn1_4;
  vec::Instruction instruction;
  instruction.insn = vec::Insn::buffer_load_short_d16;
  instruction.memory.scalar = 128;
  Code code(generation);
  const std::vector<u32> words = encode_memory(generation, instruction);
  code.word(words[0]).word(words[1] | tfe).end();
  WaveState state = initial_state(generation);
  const BufferDescriptor buffer{.base = data_base, .records = 64, .data_format = 4};
  std::ranges::copy(buffer.words(), state.file.begin());
  for (u32 number = 0; number < 2; ++number) {
    for (u32 lane = 0; lane < lane_count; ++lane) state.vectors.write(number, lane, 0xdeadbeef);
  }
  const Program program = program_of({&code});
  state.pc = program.entry;
  const Outcome outcome = run(program, state, make_memory(generation));
  ASSERT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
  EXPECT_EQ(outcome.state.vectors.lanes(0)[5] >> 16, 0xdeadU);
  EXPECT_EQ(outcome.state.vectors.lanes(1)[5], 0U);
}

INSTANTIATE_TEST_SUITE_P(Generations, VectorMemory,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
