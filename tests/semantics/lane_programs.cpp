#include "semantics/lane_programs.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "isa/control_flow.hpp"
#include "isa/decode.hpp"
#include "isa/memory_table.hpp"
#include "isa/vector/encode.hpp"

namespace salu::test::lane_programs {
namespace {

namespace vec = isa::vector;
using vec::Format;

// v0 to v7 contain 32-bit offsets, v8 to v15 addresses of data, v16 to v19 addresses of private or shared memory.
constexpr u32 first_pair = 8;
constexpr u32 first_aperture_pair = 16;
constexpr u32 first_data = 20;

constexpr u32 first_kept_sgpr = 16;  ///< s[16:35] contain addresses and descriptors
constexpr u32 end_of_kept_sgprs = 36;
constexpr u8 data_pair = 22;
constexpr u8 data_buffer = 28;
constexpr u8 private_buffer = 32;

constexpr u64 data_base = 0x20000;
constexpr u64 data_bytes = 0x2000;
constexpr u64 shared_bytes = 0x1000;
constexpr u64 private_bytes = 0x8000;
constexpr u32 private_page = 0x300;  ///< FLAT_SCRATCH_HI if it is not an address

u64 private_base(Generation generation) {
  return generation_info(generation).flat_scratch_init_is_address ? 0x900000
                                                                  : hidden_private_base + u64{private_page} * 256;
}

std::vector<vec::Insn> insns_of_memory(Generation generation) {
  std::vector<vec::Insn> insns;
  for (const vec::Insn insn : all_vector_insns()) {
    const vec::InstructionInfo& row = vec::info(insn);
    if (row.is_memory() && row.access.bytes != 0 && row.opcode(generation) != isa::absent) insns.push_back(insn);
  }
  return insns;
}

}  // namespace

// ---- the code ----

u8 LanePrograms::data_vector() {
  return static_cast<u8>(chance(88) ? first_data + below(vectors - first_data) : below(vectors));
}

void LanePrograms::add_scalar(std::vector<u32>& words) {
  while (true) {
    if (next_scalar_ >= scalar_words_.size()) {
      scalar_words_ = scalars_.make(generation_).program.code.front().words;
      next_scalar_ = 0;
    }
    const auto rest = std::span(scalar_words_).subspan(next_scalar_);
    const isa::Instruction instruction = isa::decode(generation_, rest);
    const std::size_t dwords = std::min<std::size_t>(instruction.dwords, rest.size());
    next_scalar_ += dwords;
    if (instruction.encoding != isa::EncodingClass::scalar || isa::flow_of(instruction) != isa::Flow::next) continue;
    const isa::InstructionInfo& info = isa::info(instruction.insn);
    const bool is_memory = isa::is_scalar_memory(instruction.insn);
    const u32 destination = is_memory ? instruction.memory.sdata : instruction.sdst;
    const bool changes_place = destination >= first_kept_sgpr && destination < end_of_kept_sgprs;
    const bool changes_mode = info.writes_any(isa::effect::hwreg | isa::effect::gpr_idx_en);
    if ((changes_place || destination >= code::m0 || changes_mode || (is_memory && chance(50))) && !chance(5)) continue;
    words.insert(words.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(dwords));
    return;
  }
}

/// S_MOV_B64 of a constant or of s[40:47] to EXEC.
void LanePrograms::add_exec(std::vector<u32>& words) {
  isa::Instruction move;
  move.encoding = isa::EncodingClass::scalar;
  move.insn = isa::Insn::s_mov_b64;
  move.sdst = code::exec;
  move.ssrc0 = static_cast<u8>(chance(50) ? 193 : chance(50) ? 129 + below(64) : 40 + 2 * below(4));
  const isa::EncodedWords encoded = isa::encode(generation_, move);
  words.insert(words.end(), encoded.span().begin(), encoded.span().end());
}

/// A comparison of a lane, and a branch over the next few dwords.
void LanePrograms::add_branch(std::vector<u32>& words) {
  constexpr u32 s_cbranch_scc0 = 0xbf840000;  // SCC1, VCCZ, VCCNZ, EXECZ and EXECNZ follow it.
  words.push_back(s_cbranch_scc0 | below(6) << 16 | below(6));
}

/// Most registers are replaced by the first ones, so that results are used.
void LanePrograms::take_registers(vec::Instruction& instruction) {
  const vec::Shape& shape = vec::info(instruction.insn).shape;
  const auto near = [&](u32 dwords) { return (first_data + below(vectors - first_data - 1)) & ~(dwords - 1); };
  const vec::Operand& destination = shape.destination;
  if (destination.kind == vec::OperandKind::vgpr) instruction.destination = static_cast<u8>(near(destination.dwords()));
  if (destination.kind == vec::OperandKind::scalar || shape.writes_mask) {
    constexpr std::array<u8, 4> pairs = {code::vcc, 40, 42, 0};
    const u8 pair = pairs[below(4)];
    if (destination.kind == vec::OperandKind::scalar) instruction.destination = pair;
    if (shape.writes_mask && instruction.form != vec::Form::e32 && chance(90)) instruction.mask_destination = pair;
  }
  for (std::size_t i = 0; i < shape.source_count(); ++i) {
    vec::Source& source = instruction.sources[i];
    constexpr u16 sgprs = 102;
    const bool is_scalar = source.code < sgprs && shape.sources[i].kind != vec::OperandKind::agpr;
    if (is_scalar && chance(60)) source.code = static_cast<u16>(below(8) & ~(u32{shape.sources[i].dwords()} - 1));
    if (source.is_vgpr()) source.code = static_cast<u16>(vec::first_vgpr + near(shape.sources[i].dwords()));
    if (shape.sources[i].kind == vec::OperandKind::agpr) source.code = static_cast<u16>(below(8));
  }
  if (destination.kind == vec::OperandKind::agpr) instruction.destination = static_cast<u8>(below(8));
}

bool LanePrograms::add_alu(std::vector<u32>& words) {
  static constexpr std::array<vec::Insn, 6> moves = {vec::Insn::v_mov_b32,       vec::Insn::v_readlane_b32,
                                                     vec::Insn::v_writelane_b32, vec::Insn::v_readfirstlane_b32,
                                                     vec::Insn::v_cndmask_b32,   vec::Insn::v_add_u32};
  const auto insn = chance(30) ? moves[below(moves.size())] : static_cast<vec::Insn>(below(vec::insn_count));
  const vec::InstructionInfo& row = vec::info(insn);
  const std::vector<vec::Form> forms = vector_forms(generation_, insn);
  if (forms.empty() || (row.shape.writes_exec && !chance(20))) return false;
  vec::Instruction instruction =
      random_vector_instruction(generation_, insn, forms[below(static_cast<u32>(forms.size()))], random_);
  take_registers(instruction);
  const isa::EncodedWords encoded = vec::encode(generation_, instruction);
  if (!vec::decode(generation_, encoded.span())) return false;
  words.insert(words.end(), encoded.span().begin(), encoded.span().end());
  return true;
}

bool LanePrograms::add_memory(std::vector<u32>& words) {
  const std::vector<vec::Insn> insns = insns_of_memory(generation_);
  vec::Instruction instruction;
  instruction.insn = insns[below(static_cast<u32>(insns.size()))];
  instruction.dwords = 2;
  const vec::InstructionInfo& row = vec::info(instruction.insn);
  vec::MemoryOperands& memory = instruction.memory;
  const bool is_aligned = generation_ >= Generation::cdna2;
  memory.data = data_vector();
  memory.second_data = data_vector();
  memory.result = data_vector();
  if (is_aligned && (row.access.bytes > 4 || row.access.pairs_operands() || row.access.is_double)) {
    memory.data &= 0xfe;
    memory.second_data &= 0xfe;
    memory.result &= 0xfe;
  }
  memory.address = static_cast<u8>(below(first_pair));
  memory.has_address = true;
  if (row.format != Format::ds) memory.glc = row.access.is_atomic() && !row.access.never_returns && chance(50);
  const bool has_lds_bit = row.format == Format::mubuf && !row.access.writes_memory() && !row.access.is_typed();
  memory.lds = row.access.goes_to_lds || (has_lds_bit && chance(15));
  memory.is_accumulator = is_aligned && !memory.lds && chance(15);
  if (memory.is_accumulator) memory.data &= 6;
  if (memory.is_accumulator) memory.second_data &= 6;
  if (memory.is_accumulator) memory.result &= 6;
  switch (row.format) {
    case Format::ds:
      memory.has_address = row.access.address == vec::SharedAddress::vgpr;
      if (!memory.has_address) memory.address = 0;
      // The data of a swizzle, and indices of lanes.
      if (row.access.moves_lanes() && chance(50)) memory.address = data_vector();
      memory.offset = static_cast<i32>(row.access.is_double || chance(80) ? below(8) : below(0x100));
      if (row.access.moves_lanes()) memory.offset = static_cast<i32>(below(0x10000));
      if (row.access.is_double) memory.second_offset = static_cast<u8>(row.access.is_far ? below(3) : below(8));
      break;
    case Format::mubuf:
    case Format::mtbuf:
      memory.descriptor = row.access.is_typed() || chance(60) ? data_buffer : private_buffer;
      // Legal for all numbers but the reserved one.
      if (row.format == Format::mtbuf) memory.format = static_cast<u8>(2 + 3 * below(2) + 16 * below(6));
      memory.scalar = static_cast<u8>(128 + (chance(80) ? 4 * below(5) : below(9)));
      memory.offen = chance(60);
      memory.idxen = chance(30);
      memory.has_address = memory.offen || memory.idxen;
      if (memory.offen && memory.idxen) memory.address &= 6;
      memory.offset = static_cast<i32>(chance(70) ? 4 * below(16) : below(64));
      memory.tfe = !row.access.writes_memory() && !memory.lds && chance(10);
      break;
    case Format::scratch:
      memory.has_address = chance(50);
      if (!memory.has_address) memory.address = 0;
      memory.offset = static_cast<i32>(chance(70) ? 4 * below(16) : below(64));
      if (!memory.has_address || (generation_ >= Generation::cdna3 && chance(40))) {
        memory.has_scalar = true;
        memory.scalar = 36;
      }
      break;
    case Format::global:
      memory.has_scalar = chance(50);
      memory.scalar = memory.has_scalar ? data_pair : 0;
      if (!memory.has_scalar) memory.address = static_cast<u8>(first_pair + 2 * below(4));
      memory.offset = static_cast<i32>(below(32));
      break;
    default:
      memory.address = static_cast<u8>(chance(60) ? first_pair + 2 * below(4) : first_aperture_pair + 2 * below(2));
      memory.offset = is_gfx9(generation_) ? static_cast<i32>(below(32)) : 0;
      break;
  }
  // The loaded data may overwrite the address.
  if (!row.access.is_store && !memory.is_accumulator && chance(10)) memory.data = memory.address;
  if (!row.access.takes_second_data()) memory.second_data = 0;
  if (!row.access.takes_data() || !row.access.has_result(memory.glc)) memory.result = 0;
  if (row.format == Format::mubuf && memory.result != 0) memory.result = memory.data;
  const isa::EncodedWords encoded = vec::encode(generation_, instruction);
  const auto decoded = vec::decode(generation_, encoded.span());
  if (!decoded || decoded->insn != instruction.insn) return false;
  words.insert(words.end(), encoded.span().begin(), encoded.span().end());
  return true;
}

void LanePrograms::add_words(std::vector<u32>& words) {
  const u32 dice = below(100);
  if (dice < 45) {
    while (!add_memory(words)) {
    }
  } else if (dice < 75) {
    while (!add_alu(words)) {
    }
  } else if (dice < 90) {
    add_scalar(words);
  } else if (dice < 96) {
    add_exec(words);
  } else {
    add_branch(words);
  }
}

// ---- the state ----

u32 LanePrograms::buffer_word3(bool adds_lane) {
  constexpr u32 data_format_32 = 4;
  const bool extends_stride = generation_info(generation_).data_format_extends_stride && adds_lane;
  constexpr u32 integers = 4U << 12 | 0xfac;  // NUM_FORMAT_UINT; DST_SEL selects X, Y, Z and W
  return (extends_stride ? 0 : data_format_32 << 15) | integers | below(4) << 19 | below(4) << 21 |
         (adds_lane ? 1U << 23 : 0);
}

void LanePrograms::fill_addresses(WaveState& state) {
  // Lanes at the same address, consecutive, apart, or in another order.
  static constexpr std::array<i32, 12> strides = {0, 1, 2, 3, 4, 4, 5, 8, 12, 16, -4, -8};
  for (u32 number = 0; number < first_data; ++number) {
    const bool is_pair = number >= first_pair;
    const bool is_aperture = number >= first_aperture_pair;
    if (is_pair && number % 2 != 0) continue;
    const i32 stride = strides[below(strides.size())];
    const i32 start = 1024 + static_cast<i32>(chance(70) ? 4 * below(16) : below(64));
    const u32 turn = chance(30) ? 1 + 2 * below(32) : 1;
    const GenerationInfo& info = generation_info(generation_);
    const u32 high = !is_aperture ? 0 : number == first_aperture_pair ? info.private_aperture : info.shared_aperture;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      const u32 offset = static_cast<u32>(start + stride * static_cast<i32>(lane * turn % state_index::lanes));
      state.vectors.write(number, lane, offset + (is_pair && !is_aperture ? static_cast<u32>(data_base) : 0));
      if (is_pair) state.vectors.write(number + 1, lane, high);
    }
  }
  state.write64(data_pair, data_base + below(16));
  state.file[36] = below(8) * 4;
  // A buffer of data that may be swizzled, and private memory in the layout of compilers.
  static constexpr std::array<u32, 6> buffer_strides = {0, 0, 4, 8, 12, 16};
  const bool adds_lane = chance(30);
  state.write64(data_buffer, data_base + 4 * below(8));
  state.file[data_buffer + 1] = buffer_strides[below(buffer_strides.size())] << 16 | (chance(40) ? 1U << 31 : 0);
  state.file[data_buffer + 2] = chance(70) ? 0x1800 : below(0x800);
  state.file[data_buffer + 3] = buffer_word3(adds_lane);
  state.write64(private_buffer, private_base(generation_));
  state.file[private_buffer + 1] |= 1U << 31;
  state.file[private_buffer + 2] = 0x1800;
  state.file[private_buffer + 3] = (buffer_word3(true) & ~(u32{15} << 19)) | 1U << 19 | 3U << 21;
}

void LanePrograms::fill_registers(WaveState& state) {
  for (u32 number = first_data; number < vectors; ++number) {
    for (u32 lane = 0; lane < state_index::lanes; ++lane) state.vectors.write(number, lane, random_dword(random_));
  }
  for (u32 number = 0; generation_info(generation_).has_accumulators && number < 8; ++number) {
    for (u32 lane = 0; lane < state_index::lanes; ++lane)
      state.vectors.write(VectorRegisters::vgprs + number, lane, random_dword(random_));
  }
  fill_addresses(state);
  state.write64(code::exec, chance(40) ? ~u64{0} : random_mask(random_));
  const GenerationInfo& info = generation_info(generation_);
  if (info.flat_scratch_init_is_address) {
    state.write64(info.flat_scratch, private_base(generation_));
  } else if (info.has_flat) {
    state.write64(info.flat_scratch, u64{private_page} << 32 | private_bytes);
  }
  // The limit of LDS before GCN 1.4, and the base of loads to it.
  state.file[code::m0] = is_gfx9(generation_) && chance(70) ? 4 * below(64) : ~u32{0};
}

LaneProgram LanePrograms::make() {
  RandomRun scalar = scalars_.make(generation_);
  LaneProgram result;
  result.program.target = scalar.program.target;
  std::vector<u32> words;
  for (u32 i = 4 + below(24); i > 0; --i) add_words(words);
  constexpr u32 s_endpgm = 0xbf810000;
  // Branches over the last instructions end here, too.
  words.insert(words.end(), 8, s_endpgm);
  result.program.code = {{code_base, std::move(words)}};
  result.program.entry = code_base;
  result.initial = scalar.initial;
  result.initial.sgprs = sgpr_limit(generation_);
  result.initial.status &= ~(1U << status_bit::halt);
  result.initial.mode &= 0x3ff;
  result.initial.defined.set();
  fill_registers(result.initial);
  result.regions = {{data_base, data_bytes, Access::read_write},
                    {private_base(generation_), private_bytes, Access::read_write},
                    {shared_memory_base, shared_bytes, Access::read_write}};
  for (const MemoryRegion& region : result.regions) {
    if (!result.memory.add_region(region)) continue;
    std::vector<u8> bytes(region.size_bytes);
    for (u8& byte : bytes) byte = static_cast<u8>(random_());
    result.memory.write(region.base, bytes);
  }
  return result;
}

}  // namespace salu::test::lane_programs
