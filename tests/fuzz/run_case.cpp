#include "fuzz/run_case.hpp"

#include <algorithm>
#include <array>

#include "isa/decode.hpp"
#include "isa/operand.hpp"

namespace salu::fuzzing {
namespace {

constexpr u64 first_base = 0x1000;
constexpr u64 second_base = 0x2000;
constexpr std::size_t most_words = 96;
constexpr u64 data_base = 0x10000;
constexpr u64 data_bytes = 0x1080;
/// SGPRs that hold the address of data, and a buffer's descriptor, so that many an access comes to something.
constexpr u8 data_pair = 22;
constexpr u8 data_descriptor = 24;

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

/// Fields of a memory access: mostly from the registers that hold addresses, by a small offset.
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

/// Some instruction of the generation with operands from the input, pairs made even.
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

std::vector<u32> make_words(Bytes& input, Generation generation, bool shaped) {
  if (!shaped) return input.take_words(most_words);
  std::vector<u32> words;
  while (input.left() != 0 && words.size() < most_words) append_instruction(input, generation, words);
  return words;
}

u64 some_code_address(Random& random, u64 code_words) {
  return (random.one_in(3) ? second_base : first_base) + random.below(code_words + 1) * 4;
}

/// In the data or a little behind it, aligned or not; in the code now and then.
u64 some_data_address(Random& random, u64 code_words) {
  if (random.one_in(8)) return some_code_address(random, code_words);
  return data_base + random.below(data_bytes + 0x40);
}

/// Registers that are small, extreme or random, and pairs that hold addresses.
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
  if (isa::register_name(generation, code::m0 + 1, 1).empty()) state.file[code::m0 + 1] = 0;
  if (random.one_in(2)) state.file[code::m0] &= 0x3f;
  state.tba = random.one_in(4) ? 0 : some_code_address(random, code_words);
  state.tma = random.next() & pc_mask(generation);
}

/// Data that can be written, data behind it that cannot, and the code itself for most runs.
Memory make_memory(const Program& program, Random& random) {
  Memory memory;
  const std::array<MemoryRegion, 2> regions = {{{data_base, data_bytes - 0x80, Access::read_write},
                                                {data_base + data_bytes - 0x80, 0x80 - random.below(8), Access::read}}};
  for (const MemoryRegion& region : regions) {
    require(memory.add_region(region), "there is room for the data");
    for (u64 offset = 0; offset < 0x80; offset += 4)
      memory.write_dword(region.base + offset, static_cast<u32>(random.next()));
  }
  if (!random.one_in(16)) require(place_code(program, memory), "there is room for the code");
  return memory;
}

}  // namespace

Case make_case(Bytes& input) {
  Case made;
  const Generation generation = input.take_generation();
  const u8 flags = input.take8();
  const auto flag = [flags](u32 bit) { return (flags >> bit & 1) != 0; };
  made.options.strict = flag(0);
  made.options.on_vector = flag(1) ? OnVector::skip : OnVector::stop;
  const bool shaped = flag(2);
  const bool two_blocks = flag(3);
  const u32 sgprs = flag(4) ? sgpr_limit(generation) : 1 + input.take_below(sgpr_limit(generation));
  const u8 status = input.take8();
  made.options.max_steps = input.take8();
  made.split = input.take8();
  Random random(input.take32());

  std::vector<u32> words = make_words(input, generation, shaped);
  if (words.empty()) words.push_back(0xbf810000);
  made.program.target = find_target(generation_name(generation));
  made.program.entry = first_base;
  if (flag(5)) made.program.function_end = first_base + random.below(words.size() + 1) * 4;
  if (flag(6)) made.program.return_address = second_base - 4;
  if (flag(5) && flag(6)) made.program.kernel_end = KernelEnd{"k", first_base + words.size() * 4};
  made.initial = initial_state(generation);
  made.initial.sgprs = sgprs;
  fill_registers(made.initial, generation, random, words.size());
  if (two_blocks) {
    // Behind the first block at once or after a gap.
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
