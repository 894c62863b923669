#include "fuzz/run_case.hpp"

#include <algorithm>
#include <array>

#include "isa/decode.hpp"
#include "isa/generations.hpp"
#include "isa/operand.hpp"
#include "isa/vector/encode.hpp"
#include "loader/objects/scratch_memory.hpp"

namespace salu::fuzzing {
namespace {

constexpr u64 first_base = 0x1000;
constexpr u64 second_base = 0x2000;
constexpr std::size_t most_words = 96;
constexpr u64 data_base = 0x10000;
constexpr u64 data_bytes = 0x1080;
/// SGPRs with the address of data, and a buffer descriptor, so that many accesses are valid.
constexpr u8 data_pair = 22;
constexpr u8 data_descriptor = 24;
/// Private memory, slightly smaller than the range of all lanes' addresses.
constexpr u64 private_bytes = 0x6000;

class Random {
 public:
  explicit Random(u32 seed) : state_(seed | u64{1} << 40) {}
  u64 next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1d;
  }
  bool one_in(u32 count) { return (next() >> 32) % count == 0; }
  u64 below(u64 count) { return (next() >> 16) % count; }

 private:
  u64 state_;
};

bool is_memory(const isa::InstructionInfo& info) {
  return info.format == isa::Format::smrd || info.format == isa::Format::smem;
}

/// Fields of a memory access: mostly with the registers that contain addresses, and a small offset.
void fill_memory_fields(Bytes& input, Generation generation, const isa::Shape& shape, isa::Instruction& instruction) {
  isa::MemoryFields& fields = instruction.memory;
  const u8 how = input.take8();
  const auto flag = [how](u32 bit) { return (how >> bit & 1) != 0; };
  const isa::OperandSpec* const data = shape.find(isa::Field::sdata);
  const isa::OperandSpec* const base = shape.find(isa::Field::sbase);
  if (data != nullptr) {
    const auto alignment = static_cast<u8>(data->dwords >= 4 ? 4 : std::max<u8>(data->dwords, 1));
    fields.sdata = static_cast<u8>((input.take8() & 127) / alignment * alignment);
  }
  if (base == nullptr) return;
  fields.sbase = base->dwords == 4 ? data_descriptor : data_pair;
  if (flag(0)) fields.sbase = input.take8() & (base->dwords == 4 ? 124 : 126);
  fields.glc = is_gcn1_2_or_later(generation) && flag(1);
  fields.has_immediate = !flag(2);
  fields.has_offset_register = flag(2) || (is_gfx9(generation) && flag(3));
  if (fields.has_offset_register) fields.soffset = flag(4) ? code::m0 : input.take8() & 127;
  if (generation == Generation::gcn1_1 && flag(2) && flag(5)) {
    fields.has_literal = instruction.has_literal = true;
    fields.has_offset_register = false;
  }
  if (!fields.has_immediate) return;
  fields.offset = flag(6) && is_gcn1_2_or_later(generation) ? input.take16() : input.take8();
  if (is_gfx9(generation) && flag(7)) fields.offset = -fields.offset;
}

/// An instruction of the generation with operands from the input; pairs are made even.
void append_instruction(Bytes& input, Generation generation, std::vector<u32>& words) {
  isa::Instruction instruction;
  instruction.encoding = isa::EncodingClass::scalar;
  do {
    instruction.insn = static_cast<isa::Insn>(input.take_below(isa::insn_count));
    if (input.left() == 0) instruction.insn = isa::Insn::s_endpgm;
  } while (isa::info(instruction.insn).opcode(generation) == isa::absent);

  const isa::InstructionInfo& info = isa::info(instruction.insn);
  if (is_memory(info)) {
    fill_memory_fields(input, generation, info.shape, instruction);
  } else {
    for (const isa::OperandSpec& operand : info.shape.span()) {
      const u8 code = input.take8();
      const bool is_constant = code >= code::count;
      const u8 aligned = operand.dwords >= 2 && !is_constant ? code & 0xfe : code;
      if (operand.field == isa::Field::sdst) instruction.sdst = aligned & 127;
      if (operand.field == isa::Field::ssrc0) instruction.ssrc0 = aligned;
      if (operand.field == isa::Field::ssrc1) instruction.ssrc1 = aligned;
      if (operand.field == isa::Field::simm16) {
        instruction.simm16 = operand.kind == isa::OperandKind::branch ? static_cast<u16>(static_cast<i8>(code) / 8)
                                                                      : static_cast<u16>(code | input.take8() << 8);
      }
      const bool source = operand.field == isa::Field::ssrc0 || operand.field == isa::Field::ssrc1;
      const bool literal = source && operand.kind != isa::OperandKind::gpr_idx && code == isa::literal_code;
      if (literal || operand.kind == isa::OperandKind::literal) instruction.has_literal = true;
    }
  }
  if (instruction.has_literal) instruction.literal = input.take32();
  const isa::EncodedWords encoded = isa::encode(generation, instruction);
  words.insert(words.end(), encoded.span().begin(), encoded.span().end());
}

/// VGPRs from 0 on that instructions use: lanes of the first pair contain addresses, those of the next two offsets.
constexpr u32 used_vgprs = 16;

/// Usually a VGPR, otherwise any scalar source.
u16 vector_source(Bytes& input, const isa::vector::Operand& operand) {
  const u8 code = input.take8();
  const u8 aligned = operand.dwords() == 2 ? code & 0xfe : code;
  const bool is_scalar = operand.kind == isa::vector::OperandKind::lane ||
                         operand.kind == isa::vector::OperandKind::scalar_source || code >= code::count;
  if (operand.kind == isa::vector::OperandKind::agpr) return aligned % used_vgprs;
  return is_scalar ? aligned : static_cast<u16>(isa::vector::first_vgpr + aligned % used_vgprs);
}

isa::vector::MemoryOperands vector_memory_operands(Bytes& input, Generation generation, isa::vector::Format format) {
  using isa::vector::Format;
  isa::vector::MemoryOperands memory;
  const u16 how = input.take16();
  const auto flag = [how](u32 bit) { return (how >> bit & 1) != 0; };
  const u8 registers = input.take8();
  memory.data = static_cast<u8>(4 + (registers & 15) / 2 * 2);
  memory.second_data = static_cast<u8>(registers >> 4 & 14);
  memory.address = format == Format::flat || format == Format::global ? u8{0} : u8{2};
  if (flag(0)) memory.address = static_cast<u8>(registers & 14);
  memory.has_address = true;
  memory.glc = flag(1);
  memory.is_accumulator = flag(2) && flag(3) && generation_info(generation).column >= Generation::cdna2;
  memory.offset = input.take8();
  if (format == Format::mubuf || format == Format::mtbuf) {
    if (format == Format::mtbuf) memory.format = input.take8() & 127;
    memory.descriptor = data_descriptor;
    memory.scalar = flag(4) ? u8{128} : input.take8();
    memory.offen = flag(5);
    memory.idxen = flag(6);
    memory.has_address = memory.offen || memory.idxen;
  } else if (format == Format::global || format == Format::scratch) {
    memory.has_scalar = flag(4);
    if (memory.has_scalar) memory.scalar = data_pair;
    if (memory.has_scalar && format == Format::global) memory.address = 2;
    if (memory.has_scalar && format == Format::scratch) memory.has_address = flag(7);
    if (flag(8)) memory.offset = -memory.offset;
  } else if (format == Format::flat && !is_gfx9(generation)) {
    memory.offset = 0;
  }
  if (format == Format::ds) memory.second_offset = input.take8();
  return memory;
}

/// Sets the result of an instruction with data, and clears the fields that a row does not have.
void fit_memory_operands(const isa::vector::InstructionInfo& row, isa::vector::MemoryOperands& memory) {
  const isa::vector::Access& access = row.access;
  if (row.format == isa::vector::Format::ds) {
    memory.glc = false;
    memory.has_address = access.bytes != 0 && access.address == isa::vector::SharedAddress::vgpr;
    if (!memory.has_address) memory.address = 0;
    if (!access.is_double) memory.second_offset = 0;
  }
  if (!access.takes_second_data()) memory.second_data = 0;
  const bool is_buffer = row.is_buffer();
  const bool has_result = access.takes_data() && access.has_result(memory.glc);
  memory.result = static_cast<u8>(!has_result ? 0 : is_buffer ? memory.data : memory.data ^ 4U);
}

/// Removes features that not every instruction has.
void simplify(Generation generation, const isa::vector::InstructionInfo& row, isa::vector::Instruction& instruction) {
  instruction.clamp = false;
  instruction.output_modifier = 0;
  instruction.op_sel = 0;
  for (isa::vector::Source& source : instruction.sources) source.negate = source.absolute = source.sign_extend = false;
  const bool is_packed = row.format == isa::vector::Format::vop3p && row.modifiers != isa::vector::modifier::plain;
  instruction.op_sel_hi = static_cast<u8>(is_packed ? (1U << row.shape.source_count()) - 1 : 0);
  if (!isa::vector::may_be_mask(generation, instruction.mask_source)) instruction.mask_source = code::vcc;
  if (instruction.mask_source == code::exec) instruction.mask_source = code::vcc;
  if (!isa::vector::may_be_mask(generation, instruction.mask_destination)) instruction.mask_destination = code::vcc;
  if (!row.shape.writes_mask) instruction.mask_destination = 0;
  if (!row.shape.reads_mask) instruction.mask_source = 0;
  for (std::size_t i = 0; i < row.shape.source_count(); ++i) {
    const isa::vector::Operand& operand = row.shape.sources[i];
    u16& code = instruction.sources[i].code;
    const bool must_be_vgpr = instruction.form != isa::vector::Form::e64 && i != 0;
    const bool is_fixed =
        operand.kind == isa::vector::OperandKind::agpr || operand.kind == isa::vector::OperandKind::constant;
    const bool is_scalar =
        operand.kind == isa::vector::OperandKind::lane || operand.kind == isa::vector::OperandKind::scalar_source;
    if (is_fixed) continue;
    if (is_scalar) {
      if (!isa::vector::may_be_source(generation, operand, code, false)) code = 130;
    } else if (must_be_vgpr || !isa::vector::may_be_source(generation, operand, code, false)) {
      code = static_cast<u16>(isa::vector::first_vgpr + code % used_vgprs / 2 * 2);
    }
  }
  const bool has_constant = row.shape.sources[1].kind == isa::vector::OperandKind::constant ||
                            row.shape.sources[2].kind == isa::vector::OperandKind::constant;
  if (instruction.form == isa::vector::Form::e32 && !row.is_memory() && !has_constant) {
    instruction.dwords = 1;
    instruction.literal = 0;
  }
  instruction.memory.glc = false;
  if (row.is_memory()) fit_memory_operands(row, instruction.memory);
  if (instruction.memory.descriptor != 0) instruction.memory.scalar = 128;
}

/// Modifiers of the sources and the result, if the instruction has them.
void fill_modifiers(Bytes& input, const isa::vector::InstructionInfo& row, isa::vector::Instruction& instruction) {
  using namespace isa::vector;
  if ((row.modifiers & (modifier::op_sel | modifier::packed)) != 0) {
    const u8 halves = input.take8();
    instruction.op_sel = halves & 7;
    instruction.op_sel_hi = halves >> 3 & 7;
  }
  if ((row.modifiers & modifier::dot) != 0) {
    const bool selects = (row.modifiers & modifier::op_sel) != 0;
    instruction.op_sel &= selects ? 3 : 0;
    instruction.op_sel_hi = static_cast<u8>(selects ? instruction.op_sel_hi | 4 : 7);
  }
  if (instruction.form == Form::e32) return;
  if ((row.modifiers & modifier::truth_table) != 0) instruction.truth_table = input.take8();
  if ((row.modifiers & modifier::exchange) != 0) instruction.op_sel = input.take8() & 3;
  const bool is_float = (row.modifiers & (modifier::sign | modifier::output)) != 0;
  if (!is_float && instruction.form != Form::sdwa) return;
  const u8 signs = input.take8();
  const auto flag = [signs](std::size_t bit) { return (signs >> bit & 1) != 0; };
  for (std::size_t i = 0; i < row.shape.source_count(); ++i) {
    Source& source = instruction.sources[i];
    if ((row.modifiers & modifier::sign) != 0 && row.shape.sources[i].takes_sign) {
      source.negate = flag(i);
      source.absolute = flag(i + 3);
    } else {
      source.sign_extend = flag(i) && instruction.form == Form::sdwa && source.select != Select::dword;
    }
  }
  if ((row.modifiers & modifier::output) != 0) instruction.output_modifier = signs >> 6;
}

/// A vector instruction of the generation in one of its forms; if the decoder rejects it, it is simplified, or
/// sometimes left unchanged.
void append_vector_instruction(Bytes& input, Generation generation, std::vector<u32>& words) {
  using isa::vector::Form;
  isa::vector::Instruction instruction;
  const isa::vector::InstructionInfo* row = nullptr;
  do {
    instruction.insn = static_cast<isa::vector::Insn>(input.take_below(isa::vector::insn_count));
    row = &isa::vector::info(instruction.insn);
    if (input.left() == 0) return;
  } while (row->opcode(generation) == isa::absent && row->vop3_opcode(generation) == isa::absent);
  const u8 how = input.take8();
  const bool has_long = row->vop3_opcode(generation) != isa::absent;
  const bool has_short = row->opcode(generation) != isa::absent;
  const bool has_sdwa = (row->modifiers & isa::vector::modifier::sdwa) != 0 && is_gcn1_2_or_later(generation);
  instruction.dwords = 2;
  instruction.form = !has_short || (has_long && (how & 1) != 0) ? Form::e64 : Form::e32;
  if (has_short && has_sdwa && (how & 6) == 6) instruction.form = Form::sdwa;
  if (row->is_memory()) {
    instruction.memory = vector_memory_operands(input, generation, row->format);
    const bool may_go_to_lds = row->format == isa::vector::Format::mubuf && !row->access.writes_memory();
    instruction.memory.lds = row->access.goes_to_lds || (may_go_to_lds && (how & 6) == 6);
    if (instruction.memory.lds) instruction.memory.is_accumulator = false;
    fit_memory_operands(*row, instruction.memory);
  } else {
    const isa::vector::Shape& shape = row->shape;
    const u8 destination = input.take8();
    instruction.destination = shape.destination.dwords() == 2 ? destination & 14 : destination % used_vgprs;
    if (shape.destination.kind == isa::vector::OperandKind::scalar) instruction.destination = destination & 127;
    instruction.mask_destination = instruction.mask_source = code::vcc;
    if (instruction.form == Form::e64 && shape.writes_mask) instruction.mask_destination = input.take8() & 126;
    if (instruction.form == Form::e64 && shape.reads_mask) instruction.mask_source = input.take8() & 126;
    for (std::size_t i = 0; i < shape.source_count(); ++i) {
      instruction.sources[i].code = vector_source(input, shape.sources[i]);
      if (instruction.form == Form::sdwa)
        instruction.sources[i].select = static_cast<isa::vector::Select>(input.take8() % 7);
    }
    if (instruction.form == Form::sdwa) {
      instruction.destination_select = static_cast<isa::vector::Select>(input.take8() % 7);
      instruction.destination_unused = static_cast<isa::vector::Unused>(input.take8() % 3);
    } else if (instruction.form == Form::e32) {
      const bool has_constant = shape.sources[1].kind == isa::vector::OperandKind::constant ||
                                shape.sources[2].kind == isa::vector::OperandKind::constant;
      const bool has_literal = has_constant || instruction.sources[0].code == isa::literal_code;
      instruction.dwords = has_literal ? 2 : 1;
      if (has_literal) instruction.literal = input.take32();
    }
    instruction.clamp = (how & 0x18) == 0x18;
    fill_modifiers(input, *row, instruction);
  }
  const auto is_valid = [&] {
    return isa::vector::decode(generation, isa::vector::encode(generation, instruction).span()) == instruction;
  };
  if (!is_valid() && (how & 0xe0) != 0) simplify(generation, *row, instruction);
  const isa::EncodedWords encoded = isa::vector::encode(generation, instruction);
  if (is_valid() || (how & 0xe0) == 0) words.insert(words.end(), encoded.span().begin(), encoded.span().end());
}

/// `shaped`: instructions rather than random words, and with `vectors` most of them vector instructions.
std::vector<u32> make_words(Bytes& input, Generation generation, bool shaped, bool vectors) {
  if (!shaped) return input.take_words(most_words);
  std::vector<u32> words;
  while (input.left() != 0 && words.size() < most_words) {
    if (vectors && input.take8() % 16 != 0) {
      append_vector_instruction(input, generation, words);
    } else {
      append_instruction(input, generation, words);
    }
  }
  return words;
}

u64 some_code_address(Random& random, u64 code_words) {
  return (random.one_in(3) ? second_base : first_base) + random.below(code_words + 1) * 4;
}

/// In the data or slightly beyond it, aligned or not; sometimes in the code.
u64 some_data_address(Random& random, u64 code_words) {
  if (random.one_in(8)) return some_code_address(random, code_words);
  return data_base + random.below(data_bytes + 0x40);
}

/// Registers with small, extreme or random values, and pairs with addresses.
void fill_registers(WaveState& state, Generation generation, Random& random, u64 code_words) {
  for (u32 code = 0; code < code::count; code += 2) {
    const bool no_register = isa::register_name(generation, code, 1).empty();
    const bool beside_the_file = !is_gfx9(generation) && code >= code::tba && code < code::tma + 2;
    if (no_register || beside_the_file) continue;
    switch (random.below(8)) {
      case 0:
        break;
      case 1:
        state.write64(code, ~u64{0});
        break;
      case 2:
      case 3:
        state.write64(code, random.next() & 0x0000'003f'0000'003f);
        break;
      case 4:
        state.write64(code, some_code_address(random, code_words));
        break;
      default:
        state.write64(code, random.next());
    }
    if (random.one_in(2)) state.defined.set(code).set(code + 1);
  }
  state.write64(data_pair, some_data_address(random, code_words));
  state.write64(data_descriptor, some_data_address(random, code_words) | random.below(3) * 8 << 48);
  state.file[data_descriptor + 2] = static_cast<u32>(random.below(0x200));
  if (!random.one_in(8)) state.file[data_descriptor + 3] = 0x00027000;
  if (isa::register_name(generation, code::m0 + 1, 1).empty()) state.file[code::m0 + 1] = 0;
  if (random.one_in(2)) state.file[code::m0] &= 0x3f;
  state.tba = random.one_in(4) ? 0 : some_code_address(random, code_words);
  state.tma = random.next() & pc_mask(generation);
}

/// Sets the registers of private memory, sometimes including the descriptor.
void fill_private_memory(WaveState& state, Generation generation, Random& random) {
  const GenerationInfo& info = generation_info(generation);
  const u64 offset = random.below(8) * 0x100;
  if (info.has_flat)
    state.write64(info.flat_scratch, info.flat_scratch_init_is_address ? hidden_private_base + offset
                                                                       : offset << 24 | random.below(0x1000));
  if (!random.one_in(4)) return;
  const std::array<u32, 4> words =
      loader::scratch_descriptor(generation, hidden_private_base + offset, random.below(2 * private_bytes));
  std::ranges::copy(words, &state.file[data_descriptor]);
}

/// The base of lanes' addresses: in the data, or in the apertures of shared or private memory.
u64 some_lane_address(Generation generation, Random& random, u64 code_words) {
  const GenerationInfo& info = generation_info(generation);
  switch (random.below(8)) {
    case 0:
      return some_data_address(random, code_words);
    case 1:
      return u64{info.shared_aperture} << 32 | random.below(0x300) * 4;
    case 2:
    case 3:
      return u64{info.private_aperture} << 32 | random.below(0x80);
    default:
      return data_base + random.below(0x300) * 4;
  }
}

void fill_vectors(WaveState& state, Generation generation, Random& random, u64 code_words) {
  const u64 base = some_lane_address(generation, random, code_words);
  const u64 stride = random.below(3) * 4;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    const u64 address = base + lane * stride;
    state.vectors.write(0, lane, static_cast<u32>(address));
    state.vectors.write(1, lane, static_cast<u32>(address >> 32));
    state.vectors.write(2, lane, static_cast<u32>(random.below(0x80) * 4));
    if (random.one_in(8)) continue;
    for (u32 number = 3; number < used_vgprs; ++number)
      state.vectors.write(number, lane, static_cast<u32>(random.one_in(2) ? random.next() : random.below(64)));
  }
}

/// Writable data, read-only data after it, and for most runs the code itself.
Memory make_memory(const Program& program, Random& random) {
  Memory memory;
  const std::array<MemoryRegion, 2> regions = {{{data_base, data_bytes - 0x80, Access::read_write},
                                                {data_base + data_bytes - 0x80, 0x80 - random.below(8), Access::read}}};
  for (const MemoryRegion& region : regions) {
    require(memory.add_region(region), "the data is added");
    for (u64 offset = 0; offset < 0x80; offset += 4)
      memory.write_dword(region.base + offset, static_cast<u32>(random.next()));
  }
  if (!random.one_in(16)) require(place_code(program, memory), "the code is added");
  require(memory.add_region({shared_memory_base, 0x1000, Access::read_write}), "shared memory is added");
  require(memory.add_region({hidden_private_base, private_bytes, Access::read_write}), "private memory is added");
  return memory;
}

}  // namespace

Case make_case(Bytes& input) {
  Case made;
  const Generation generation = input.take_generation();
  const u8 flags = input.take8();
  const auto flag = [flags](u32 bit) { return (flags >> bit & 1) != 0; };
  made.options.strict = flag(0);
  const bool shaped = flag(2);
  const bool two_blocks = flag(3);
  const u32 sgprs = flag(4) ? sgpr_limit(generation) : 1 + input.take_below(sgpr_limit(generation));
  const u8 status = input.take8();
  made.options.max_steps = input.take8();
  made.split = input.take8();
  Random random(input.take32());

  made.options.on_vector = flag(1) ? OnVector::skip : random.one_in(4) ? OnVector::stop : OnVector::run;
  const bool vectors = made.options.on_vector == OnVector::run && !random.one_in(4);
  std::vector<u32> words = make_words(input, generation, shaped, vectors);
  if (words.empty()) words.push_back(0xbf810000);
  made.program.target = find_target(generation_name(generation));
  made.program.entry = first_base;
  if (flag(5)) made.program.function_end = first_base + random.below(words.size() + 1) * 4;
  if (flag(6)) made.program.return_address = second_base - 4;
  if (flag(5) && flag(6)) made.program.kernel_end = KernelEnd{"k", first_base + words.size() * 4};
  made.initial = initial_state(generation);
  made.initial.sgprs = sgprs;
  fill_registers(made.initial, generation, random, words.size());
  if (vectors || random.one_in(8)) {
    fill_vectors(made.initial, generation, random, words.size());
    fill_private_memory(made.initial, generation, random);
  }
  if (two_blocks) {
    // Directly after the first block or after a gap.
    const u64 base = flag(7) ? first_base + words.size() * 4 : second_base;
    made.program.code.push_back({base, {words.rbegin(), words.rend()}});
  }
  made.program.code.insert(made.program.code.begin(), {first_base, std::move(words)});
  if (random.one_in(4)) made.program.code[0].access = Access::read;
  made.memory = make_memory(made.program, random);
  made.options.clock = {random.next(), random.next(), random.below(3)};
  made.initial.pc = first_base;
  made.initial.scc = (status & 1) != 0;
  made.initial.mode = static_cast<u32>(random.next()) & ~(random.one_in(2) ? 0 : 7U << mode_bit::csp);
  if (!random.one_in(4)) made.initial.mode &= ~(1U << mode_bit::vskip);
  made.initial.status = status & (1U << status_bit::priv | 1U << status_bit::trap_en);
  if (random.one_in(16)) made.initial.status |= 1U << status_bit::halt;
  return made;
}

std::string describe(const Case& made) {
  std::string text = std::string(generation_name(made.program.generation())) + " sgprs " +
                     std::to_string(made.initial.sgprs) + (made.options.strict ? " strict" : "") + " limit " +
                     std::to_string(made.options.max_steps);
  for (const CodeBlock& block : made.program.code) text += "\n" + hex_words(block.words);
  return text;
}

}  // namespace salu::fuzzing
