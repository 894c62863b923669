#pragma once

#include <salu/program.hpp>
#include <salu/state.hpp>

#include <array>
#include <random>
#include <vector>

#include "batch/role.hpp"
#include "isa/decode.hpp"
#include "isa/instruction.hpp"
#include "isa/operand.hpp"

/// Random programs that batches support for the most part: arithmetic, loops and branches that depend on values, loads,
/// and sometimes operations that only the scalar machine supports.
namespace salu::test {

struct RowProgram {
  Program program;
  WaveState initial;
  Memory memory;
};

class RowPrograms {
 public:
  explicit RowPrograms(u64 seed) : random_(seed) {}

  static constexpr u32 registers = 16;  ///< s0 on
  static constexpr u32 vectors = 4;     ///< v0 on
  static constexpr u64 code_base = 0x1000;
  static constexpr u64 data_base = 0x20000;
  static constexpr u64 data_bytes = 0x1800;
  static constexpr u64 far_page = 0x40000;

  RowProgram make(Generation generation) {
    generation_ = generation;
    RowProgram result;
    result.program.target = find_target(generation_name(generation));
    const auto count = static_cast<u32>(4 + below(28));
    std::vector<u32> words;
    for (u32 i = 0; i < count; ++i) {
      if (chance(12)) {
        for (const u32 word : lane_move()) words.push_back(word);
        continue;
      }
      const isa::EncodedWords encoded = isa::encode(generation, instruction(count));
      words.insert(words.end(), encoded.span().begin(), encoded.span().end());
    }
    // A function may end at the end of its code, and other code may follow it.
    if (chance(30)) result.program.function_end = code_base + words.size() * 4;
    if (!result.program.function_end || chance(50)) words.push_back(0xbf810000);  // s_endpgm
    result.program.code = {{code_base, std::move(words)}};
    result.program.entry = code_base;
    result.initial = initial_state(generation);
    result.initial.pc = code_base;
    for (u32 i = 0; i < registers; ++i) result.initial.file[i] = static_cast<u32>(value());
    // A base address, a descriptor, and an address to jump to.
    result.initial.write64(20, data_base + below(64) * 4);
    result.initial.write64(24, data_base);
    result.initial.file[26] = 0x400;
    result.initial.write64(28, code_base + 4 * below(count));
    result.initial.write64(code::vcc, value());
    result.initial.file[code::m0] = static_cast<u32>(value());
    if (chance(30)) result.initial.write64(code::exec, value());
    result.initial.scc = chance(50);
    for (u32 number = 0; number < vectors; ++number) {
      const auto shared = static_cast<u32>(value());
      const u32 odd_lane = chance(20) ? static_cast<u32>(below(64)) : 64;
      for (u32 lane = 0; lane < 64 && number != 0; ++lane)
        result.initial.vectors.write(number, lane, lane == odd_lane ? static_cast<u32>(value()) : shared);
    }
    for (const u64 base : {data_base, far_page}) {
      if (!result.memory.add_region({base, data_bytes, Access::read})) continue;
      for (u64 at = 0; at < data_bytes; at += 4) result.memory.write_dword(base + at, static_cast<u32>(value()));
    }
    return result;
  }

  u64 value() {
    switch (below(7)) {
      case 0:
        return below(70);
      case 1:
        return ~below(70);
      case 2:
        return u64{1} << below(64);
      case 3:
        return (u64{1} << below(64)) - 1;
      case 4:
        return random_() & random_() & random_();
      case 5:
        return below(2) * 0xffffffffU << 32 | random_() >> 32;
      default:
        return random_();
    }
  }
  u64 below(u64 limit) { return random_() % limit; }
  bool chance(u32 percent) { return below(100) < percent; }

 private:
  /// V_MOV_B32, V_READFIRSTLANE_B32, V_READLANE_B32 or V_WRITELANE_B32, as words: LLVM's encodings.
  std::vector<u32> lane_move() {
    const auto vector = static_cast<u32>(below(vectors));
    const auto other = static_cast<u32>(below(vectors));
    const auto scalar = static_cast<u32>(below(registers));
    const auto lane = static_cast<u32>(128 + (chance(70) ? below(3) : below(65)));
    const u32 source = chance(60) ? scalar : chance(50) ? 128 + static_cast<u32>(below(81)) : 106;
    switch (below(5)) {
      case 0:
        return {0x7e000200 | vector << 17 | (chance(40) ? 256 + other : source)};
      case 1:
        return {0x7e000200 | vector << 17 | isa::literal_code, static_cast<u32>(value())};
      case 2:
        return {0x7e000400 | scalar << 17 | (256 + vector)};
      case 3:
        if (!is_gcn1_2_or_later(generation_)) return {0x02000000 | scalar << 17 | lane << 9 | (256 + vector)};
        return {0xd2890000 | scalar, (256 + vector) | lane << 9};
      default:
        if (!is_gcn1_2_or_later(generation_)) return {0x04000000 | vector << 17 | lane << 9 | source};
        return {0xd28a0000 | vector, source | lane << 9};
    }
  }

  isa::Insn pick() {
    while (true) {
      const auto insn = static_cast<isa::Insn>(below(isa::insn_count));
      if (isa::info(insn).opcode(generation_) == isa::absent) continue;
      const batch::Role role = batch::role_of(insn);
      const bool is_load =
          isa::info(insn).mnemonic.starts_with("s_load_") || isa::info(insn).mnemonic.starts_with("s_buffer_load_");
      if (is_load && chance(30)) return insn;
      if (role == batch::Role::branch && chance(60)) return insn;
      if (role == batch::Role::row_loop) return insn;
      if (role == batch::Role::nothing && chance(20)) return insn;
      if (role == batch::Role::jump && chance(10)) return insn;
      if (role == batch::Role::end && chance(10)) return insn;
      if (!is_load && role == batch::Role::other && chance(1)) return insn;
    }
  }

  u8 operand(isa::OperandKind kind, u8 dwords) {
    if (dwords <= 2 && chance(65)) return static_cast<u8>(below(registers / dwords) * dwords);
    while (true) {
      const u8 code = chance(70) ? static_cast<u8>(104 + below(153)) : static_cast<u8>(below(256));
      if (isa::judge_operand(generation_, kind, dwords, code) == isa::OperandVerdict::legal) return code;
    }
  }

  isa::Instruction instruction(u32 count) {
    isa::Instruction result;
    result.encoding = isa::EncodingClass::scalar;
    result.insn = pick();
    const isa::InstructionInfo& info = isa::info(result.insn);
    for (const isa::OperandSpec& spec : info.shape.span()) {
      if (spec.field == isa::Field::sdst) result.sdst = operand(spec.kind, spec.dwords) & 127;
      if (spec.field == isa::Field::ssrc0) result.ssrc0 = operand(spec.kind, spec.dwords);
      if (spec.field == isa::Field::ssrc1)
        result.ssrc1 = spec.dwords == 0 ? static_cast<u8>(below(256)) : operand(spec.kind, spec.dwords);
      if (spec.field == isa::Field::simm16) {
        result.simm16 = static_cast<u16>(value());
        if (spec.kind == isa::OperandKind::branch) result.simm16 = static_cast<u16>(below(count) - below(count) / 2);
      }
    }
    if (batch::role_of(result.insn) == batch::Role::jump) result.ssrc0 = 28;
    result.has_literal = result.ssrc0 == isa::literal_code || result.ssrc1 == isa::literal_code ||
                         result.insn == isa::Insn::s_setreg_imm32_b32;
    result.literal = static_cast<u32>(value());
    if (info.format == isa::Format::smrd || info.format == isa::Format::smem) {
      const u32 base_dwords =
          info.shape.find(isa::Field::sbase) == nullptr ? 2 : info.shape.find(isa::Field::sbase)->dwords;
      result.has_literal = false;
      result.memory.sdata = static_cast<u8>(below(4) * 4 / 4 * 4);
      result.memory.sbase = static_cast<u8>(base_dwords == 4 ? 24 : 20);
      result.memory.has_immediate = chance(50);
      result.memory.has_offset_register = !result.memory.has_immediate;
      if (result.memory.has_offset_register) result.memory.soffset = static_cast<u8>(below(registers));
      if (result.memory.has_immediate) result.memory.offset = static_cast<i32>(below(64));
    }
    return result;
  }

  std::mt19937_64 random_;
  Generation generation_{};
};

}  // namespace salu::test
