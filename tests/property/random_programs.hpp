#pragma once

#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "isa/decode.hpp"
#include "isa/instruction.hpp"
#include "isa/operand.hpp"

/// Random programs and states that make progress: most operands are legal, most branches stay inside, loops and traps
/// occur, and sometimes arbitrary words.
namespace salu::test {

struct RandomRun {
  Program program;
  WaveState initial;
  Memory memory;
  OnVector on_vector = OnVector::stop;
};

class RandomRuns {
 public:
  explicit RandomRuns(u64 seed) : random_(seed) {}

  RandomRun make(Generation generation) {
    generation_ = generation;
    RandomRun run;
    run.program.target = find_target(generation_name(generation));
    run.program.code = {{main_base, words(40)}, {handler_base, words(10)}};
    // Sometimes a third block begins where the first one ends.
    if (chance(30)) {
      const u64 end = run.program.code[0].end();
      run.program.code.insert(run.program.code.begin() + 1, {end, words(8)});
    }
    run.program.entry = main_base;
    if (chance(30)) run.program.function_end = main_base + 4 * below(50);
    if (chance(30)) run.program.return_address = main_base + 4 * below(50);
    if (run.program.return_address && *run.program.return_address / 4 % 2 == 0)
      run.program.kernel_end = KernelEnd{"k", 2 * main_base + 0xc0 - *run.program.return_address};
    run.initial = state();
    run.memory = memory();
    if (chance(10)) run.program.code[0].access = Access::read;
    place(run);
    run.on_vector = chance(50) ? OnVector::skip : OnVector::stop;
    return run;
  }

  /// Code that consists of random words.
  RandomRun make_garbage(Generation generation) {
    RandomRun run = make(generation);
    for (CodeBlock& block : run.program.code) {
      for (u32& word : block.words) {
        word = static_cast<u32>(random_());
        // Three quarters of all words would be vector instructions.
        if (chance(70)) word = 0x80000000 | (word & 0x3fffffff);
      }
    }
    run.memory = memory();
    place(run);
    return run;
  }

 private:
  static constexpr u64 main_base = 0x1000;
  static constexpr u64 handler_base = 0x8000;
  static constexpr u32 first_address_pair = 16;  ///< s[16:21] contain addresses in the code
  static constexpr u32 address_pairs = 3;
  static constexpr u64 data_base = 0x20000;
  static constexpr u64 data_bytes = 0x2000;   ///< writable; the following bytes are read-only
  static constexpr u32 data_pair = 22;        ///< s[22:23] contain an address of data
  static constexpr u32 data_descriptor = 24;  ///< s[24:27] contain a buffer descriptor

  u64 below(u64 limit) { return random_() % limit; }
  bool chance(u32 percent) { return below(100) < percent; }

  // ---- the state ----

  u64 value() {
    switch (below(6)) {
      case 0:
        return below(70);
      case 1:
        return ~below(70);
      case 2:
        return random_() & random_() & random_() & random_();  // a mask of few lanes
      case 3:
        return u64{1} << below(64);
      case 4:
        return below(2) << 63 | below(2) << 31;
      default:
        return random_();
    }
  }

  WaveState state() {
    WaveState state = initial_state(generation_);
    state.sgprs = chance(50) ? sgpr_limit(generation_) : static_cast<u32>(1 + below(sgpr_limit(generation_)));
    for (u32 i = 0; i < code::count; i += 2) {
      const bool there = is_gfx9(generation_) || i < code::tba || i >= code::tma + 2;
      if (there) state.write64(i, value());
    }
    for (u32 i = 0; i < address_pairs; ++i) {
      state.write64(first_address_pair + 2 * i, chance(80) ? main_base + below(160) : handler_base + below(40));
    }
    state.write64(data_pair, data_address());
    state.write64(data_descriptor, data_address() | (chance(50) ? 0 : below(64) << 48));
    state.file[data_descriptor + 2] = static_cast<u32>(chance(80) ? below(0x400) : value());
    state.file[code::m0 + 1] = 0;
    state.file[code::m0] = static_cast<u32>(chance(70) ? below(24) : value());
    if (chance(70)) state.write64(code::exec, value());
    state.pc = main_base;
    state.tba = chance(80) ? handler_base : value();
    state.tma = value();
    state.mode = static_cast<u32>(below(4) << mode_bit::csp | below(0x400));
    if (chance(20)) state.mode |= 1U << mode_bit::vskip;
    if (chance(50)) state.status |= 1U << status_bit::trap_en;
    if (chance(25)) state.status |= 1U << status_bit::priv;
    if (chance(5)) state.status |= 1U << status_bit::halt;
    state.status |= static_cast<u32>(below(4)) << status_bit::cond_dbg_user;
    state.scc = chance(50);
    for (const u32 id : {3U, 5U, 7U, 15U}) state.hwregs[id] = static_cast<u32>(value());
    for (u32 i = 0; i < state_index::defined_count; ++i) state.defined.set(i, chance(50));
    state.defined.set(code::exec).set(code::exec + 1);
    return state;
  }

  // ---- the memory ----

  u64 data_address() {
    if (chance(5)) return value();
    if (chance(5)) return main_base + below(80);
    return data_base + below(data_bytes + 0x100);
  }

  /// Writable data, read-only data next to it, and a region that ends within a page and a dword.
  Memory memory() {
    Memory memory;
    const std::array<MemoryRegion, 3> regions = {{{data_base, data_bytes, Access::read_write},
                                                  {data_base + data_bytes, 0x800, Access::read},
                                                  {0x30000, 1 + below(0x1ffe), Access::read_write}}};
    for (const MemoryRegion& region : regions) {
      if (!memory.add_region(region)) continue;
      for (int i = 0; i < 64; ++i) memory.write_dword(region.base + below(region.size_bytes) / 4 * 4, dword());
    }
    return memory;
  }
  u32 dword() { return static_cast<u32>(value()); }

  /// The code is also in memory, except in a few runs.
  void place(RandomRun& run) {
    if (chance(95) && !place_code(run.program, run.memory)) run.memory = Memory();
  }

  isa::MemoryFields memory_fields(const isa::Shape& shape) {
    isa::MemoryFields fields;
    const isa::OperandSpec* const data = shape.find(isa::Field::sdata);
    const isa::OperandSpec* const base = shape.find(isa::Field::sbase);
    if (data != nullptr) {
      fields.sdata = data->dwords == 0 ? static_cast<u8>(below(128)) : operand(data->kind, data->dwords) & 127;
    }
    if (base == nullptr) return fields;
    fields.sbase = static_cast<u8>(base->dwords == 4 ? data_descriptor : data_pair);
    if (chance(10)) fields.sbase = operand(base->kind, base->dwords) & 126;
    fields.glc = is_gcn1_2_or_later(generation_) && chance(50);
    fields.has_immediate = chance(70);
    fields.has_offset_register = !fields.has_immediate || (is_gfx9(generation_) && chance(30));
    if (fields.has_offset_register) fields.soffset = chance(50) ? code::m0 : static_cast<u8>(below(100));
    if (generation_ == Generation::gcn1_1 && !fields.has_immediate && chance(40)) {
      fields.has_literal = true;
      fields.has_offset_register = false;
    }
    if (!fields.has_immediate) return fields;
    fields.offset = static_cast<i32>(below(256));
    if (is_gcn1_2_or_later(generation_) && chance(10)) fields.offset = static_cast<i32>(below(0x100000));
    if (is_gfx9(generation_) && chance(30)) fields.offset = -fields.offset;
    return fields;
  }

  // ---- the code ----

  std::vector<u32> words(u32 instructions) {
    std::vector<u32> result;
    for (u32 i = 0; i < instructions; ++i) {
      if (chance(1)) {
        result.push_back(static_cast<u32>(random_()));
      } else if (chance(3)) {
        result.push_back(chance(50) ? 0x7e000000 : 0xd8000000);
      } else {
        isa::EncodedWords encoded = isa::encode(generation_, instruction(instructions));
        // The same register, in SOFFSET instead of OFFSET.
        const bool smem = encoded.words[0] >> 26 == 0b110000 && is_gfx9(generation_);
        if (smem && (encoded.words[0] >> 17 & 1) == 0 && chance(50)) {
          encoded.words[0] |= 1U << 14;
          encoded.words[1] = encoded.words[1] << 25 | static_cast<u32>(below(0x200000));
        }
        result.insert(result.end(), encoded.span().begin(), encoded.span().end());
      }
    }
    return result;
  }

  isa::Insn pick() {
    using isa::Insn;
    while (true) {
      const auto insn = static_cast<Insn>(below(isa::insn_count));
      const isa::InstructionInfo& info = isa::info(insn);
      if (info.opcode(generation_) == isa::absent) continue;
      const bool memory = info.format == isa::Format::smrd || info.format == isa::Format::smem;
      const bool ends = info.writes_any(isa::effect::end) || insn == Insn::s_mov_regrd_b32 ||
                        insn == Insn::s_getreg_regrd_b32 || insn == Insn::s_sethalt || insn == Insn::s_sendmsghalt;
      if ((memory && !chance(25)) || (ends && !chance(5))) continue;
      return insn;
    }
  }

  u8 aligned_sgpr(u32 dwords) { return static_cast<u8>(below(36) / dwords * dwords); }

  u8 operand(isa::OperandKind kind, u8 dwords) {
    const u64 dice = below(100);
    if (dice < 2) return static_cast<u8>(below(256));
    if (dice < 60) return aligned_sgpr(dwords);
    while (true) {
      const auto code = static_cast<u8>(dice < 75 ? 96 + below(32) : below(256));
      if (isa::judge_operand(generation_, kind, dwords, code) == isa::OperandVerdict::legal) return code;
      if (dice < 75 && chance(20)) return aligned_sgpr(dwords);
    }
  }

  u16 immediate(isa::OperandKind kind, u32 instructions) {
    if (kind == isa::OperandKind::branch && chance(95)) {
      return static_cast<u16>(below(instructions / 2) - instructions / 4);
    }
    if (kind == isa::OperandKind::hwreg) {
      static constexpr std::array<u64, 10> ids = {1, 1, 1, 2, 2, 3, 7, 15, 16, 19};
      const u64 id = chance(90) ? ids[below(ids.size())] : below(64);
      return static_cast<u16>(id | below(32) << 6 | below(32) << 11);
    }
    return static_cast<u16>(value());
  }

  isa::Instruction instruction(u32 instructions) {
    isa::Instruction result;
    result.encoding = isa::EncodingClass::scalar;
    result.insn = pick();
    const isa::InstructionInfo& info = isa::info(result.insn);
    for (const isa::OperandSpec& spec : info.shape.span()) {
      switch (spec.field) {
        case isa::Field::sdst:
          result.sdst = operand(spec.kind, spec.dwords) & 127;
          break;
        case isa::Field::ssrc0:
          result.ssrc0 = operand(spec.kind, spec.dwords);
          // Most jumps go to code.
          if (spec.kind == isa::OperandKind::register_source && spec.dwords == 2 && chance(90)) {
            result.ssrc0 = static_cast<u8>(first_address_pair + 2 * below(address_pairs));
          }
          break;
        case isa::Field::ssrc1:
          result.ssrc1 = spec.dwords == 0 ? static_cast<u8>(below(256)) : operand(spec.kind, spec.dwords);
          if (result.insn == isa::Insn::s_cbranch_g_fork && chance(90)) result.ssrc1 = first_address_pair;
          break;
        case isa::Field::simm16:
          result.simm16 = immediate(spec.kind, instructions);
          break;
        case isa::Field::literal:
        case isa::Field::sdata:
        case isa::Field::sbase:
        case isa::Field::offset:
          break;
      }
    }
    // The encoding has a literal if a field names it, whether the instruction accepts one or not.
    result.has_literal = result.ssrc0 == isa::literal_code || result.ssrc1 == isa::literal_code ||
                         result.insn == isa::Insn::s_setreg_imm32_b32;
    result.literal = static_cast<u32>(value());
    if (info.format == isa::Format::smrd || info.format == isa::Format::smem) {
      result.memory = memory_fields(info.shape);
      result.has_literal = result.memory.has_literal;
      if (chance(80)) result.literal &= 0xff;
    }
    return result;
  }

  std::mt19937_64 random_;
  Generation generation_{};
};

}  // namespace salu::test
