#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "isa/decode.hpp"
#include "isa/instruction.hpp"
#include "isa/operand.hpp"

/// Loops of instructions that are fused once the loop is hot, on few registers, so that they depend on each other in
/// every possible way.
namespace salu::test {

inline constexpr u64 loop_base = 0x1000;
inline constexpr u64 loop_data = 0x20000;
inline constexpr u64 loop_data_bytes = 0x2000;

/// A fused sequence, from the table of the handlers.
struct FusedSequence {
  std::array<isa::Insn, 3> insns{};
  std::size_t count = 0;
};
inline const std::vector<FusedSequence>& fused_sequences() {
  using isa::Insn;
  static const std::vector<FusedSequence> sequences = {
#define SALU_FUSED2(forward, behind, first, second) {{Insn::first, Insn::second}, 2},
#define SALU_FUSED3(forward, behind, first, second, third) {{Insn::first, Insn::second, Insn::third}, 3},
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
  };
  return sequences;
}

class FusedPrograms {
 public:
  explicit FusedPrograms(u64 seed) : random_(seed) {}

  /// A loop of `pieces` sequences with other instructions between them. Ends by its counter, s20, or by a load beyond
  /// its memory. `is_straight`: without branches except the one that closes the loop.
  Program make(Generation generation, std::size_t pieces, bool is_straight = false) {
    generation_ = generation;
    is_straight_ = is_straight;
    words_.clear();
    for (std::size_t i = 0; i < pieces; ++i) {
      if (chance(40)) add_single();
      add(fused_sequences()[below(fused_sequences().size())]);
    }
    if (chance(30)) {
      isa::Instruction load = instruction(isa::Insn::s_load_dword);
      load.memory = {.sdata = reg(1), .sbase = walking_pair, .has_immediate = true};
      put(load);
      put_binary(isa::Insn::s_add_u32, walking_pair, walking_pair, 128 + 60);
    }
    if (chance(50)) add_single();
    put_binary(isa::Insn::s_sub_u32, counter, counter, 129);
    put_binary(isa::Insn::s_cmp_lg_u32, 0, counter, 128);
    isa::Instruction branch = instruction(isa::Insn::s_cbranch_scc1);
    branch.simm16 = static_cast<u16>(-static_cast<i32>(words_.size()) - 1);
    put(branch);
    put(instruction(isa::Insn::s_endpgm));
    Program program;
    program.target = find_target(generation_name(generation));
    program.code = {{loop_base, words_}};
    program.entry = loop_base;
    return program;
  }

  WaveState state(Generation generation) {
    WaveState state = initial_state(generation);
    for (u32 i = 0; i < 8; ++i) state.file[i] = value();
    state.file[counter] = static_cast<u32>(10 + below(60));
    state.file[walking_pair] = loop_data + static_cast<u32>(below(loop_data_bytes)) / 4 * 4;
    state.file[walking_pair + 1] = 0;
    state.write64(code::exec, value() | 1);
    state.write64(code::vcc, chance(50) ? 0 : value());
    state.scc = chance(50);
    state.pc = loop_base;
    return state;
  }

  static Memory memory(const Program& program) {
    Memory memory;
    const bool is_made = memory.add_region({loop_data, loop_data_bytes}) && place_code(program, memory);
    for (u32 i = 0; is_made && i < loop_data_bytes / 4; ++i) memory.write_dword(loop_data + u64{4} * i, i * 0x9e3779b9);
    return memory;
  }

  u64 below(u64 limit) { return random_() % limit; }
  bool chance(u32 percent) { return below(100) < percent; }

 private:
  static constexpr u8 counter = 20;
  static constexpr u8 walking_pair = 22;

  u32 value() {
    switch (below(4)) {
      case 0:
        return static_cast<u32>(below(40));
      case 1:
        return ~static_cast<u32>(below(40));
      default:
        return static_cast<u32>(random_());
    }
  }

  /// One of eight registers; sometimes VCC, of which a half may be written.
  u8 reg(u32 dwords) {
    if (chance(3)) return static_cast<u8>(code::vcc + (dwords == 1 ? below(2) : 0));
    return static_cast<u8>(below(8) / dwords * dwords);
  }
  u8 source(u32 dwords) { return chance(75) ? reg(dwords) : static_cast<u8>(128 + below(40)); }

  isa::Instruction instruction(isa::Insn insn) {
    isa::Instruction result;
    result.encoding = isa::EncodingClass::scalar;
    result.insn = insn;
    for (const isa::OperandSpec& spec : isa::info(insn).shape.span()) {
      if (spec.field == isa::Field::sdst) result.sdst = reg(spec.dwords);
      if (spec.field == isa::Field::ssrc0) result.ssrc0 = source(spec.dwords);
      if (spec.field == isa::Field::ssrc1) result.ssrc1 = source(spec.dwords);
      if (spec.field == isa::Field::simm16) result.simm16 = static_cast<u16>(below(3));
    }
    return result;
  }
  void put(const isa::Instruction& instruction) {
    const isa::EncodedWords encoded = isa::encode(generation_, instruction);
    words_.insert(words_.end(), encoded.span().begin(), encoded.span().end());
  }
  void put_binary(isa::Insn insn, u8 sdst, u8 ssrc0, u8 ssrc1) {
    isa::Instruction binary = instruction(insn);
    binary.sdst = sdst;
    binary.ssrc0 = ssrc0;
    binary.ssrc1 = ssrc1;
    put(binary);
  }

  void add(const FusedSequence& sequence) {
    for (std::size_t i = 0; i < sequence.count; ++i) {
      if (isa::info(sequence.insns[i]).opcode(generation_) == isa::absent) return;
      if (is_straight_ && isa::info(sequence.insns[i]).format == isa::Format::sopp) return;
    }
    u8 written = 0;
    for (std::size_t i = 0; i < sequence.count; ++i) {
      isa::Instruction next = instruction(sequence.insns[i]);
      // Most of them read the result of the instruction before, by either source.
      if (i != 0 && isa::info(next.insn).shape.find(isa::Field::ssrc0) != nullptr && chance(60)) {
        const u8 even = isa::info(next.insn).shape.find(isa::Field::ssrc0)->dwords == 2 ? written & 126 : written;
        (chance(50) ? next.ssrc0 : next.ssrc1) = even;
      }
      if (isa::find_operand_fault(generation_, next)) next = instruction(sequence.insns[i]);
      written = next.sdst;
      put(next);
    }
  }

  /// Another instruction: one that may warn, reads or writes SCC, has a literal, or reads STATUS.
  void add_single() {
    using isa::Insn;
    static constexpr std::array insns = {
        Insn::s_bfe_u32,       Insn::s_cmov_b32,     Insn::s_mov_b32,     Insn::s_nop,      Insn::s_not_b32,
        Insn::s_bcnt1_i32_b32, Insn::s_cselect_b32,  Insn::s_getreg_b32,  Insn::s_addc_u32, Insn::s_and_b32,
        Insn::s_add_u32,       Insn::s_cbranch_scc0, Insn::s_movrels_b32, Insn::s_xor_b32};
    isa::Instruction next = instruction(insns[below(insns.size())]);
    if (is_straight_ && next.insn == Insn::s_cbranch_scc0) return;
    if (next.insn == Insn::s_getreg_b32) next.simm16 = 2 | 31 << 11;  // all of STATUS
    const bool takes_two = isa::info(next.insn).shape.find(isa::Field::ssrc1) != nullptr;
    if (takes_two && chance(30)) {
      next.ssrc1 = isa::literal_code;
      next.has_literal = true;
      next.literal = value();
    }
    put(next);
  }

  std::mt19937_64 random_;
  Generation generation_{};
  bool is_straight_ = false;
  std::vector<u32> words_;
};

}  // namespace salu::test
