#include "semantics/reference_wave.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "isa/decode.hpp"
#include "semantics/documents.hpp"
#include "semantics/placements.hpp"

namespace salu::test {
namespace {

using Rows = std::map<std::pair<std::string, u32>, const OpcodeRow*>;

const OpcodeRow* find_row(Generation generation, const std::string& format, u32 opcode) {
  static const std::array<Rows, generation_count> tables = [] {
    std::array<Rows, generation_count> all;
    for (const OpcodeRow& row : opcode_rows()) {
      for (const Generation each : all_generations()) {
        if (!row.exists_on(each)) continue;
        all[static_cast<std::size_t>(each)][{row.format, static_cast<u32>(row.opcode(each))}] = &row;
      }
    }
    return all;
  }();
  const Rows& rows = tables[static_cast<std::size_t>(generation)];
  const auto found = rows.find({format, opcode});
  return found == rows.end() ? nullptr : found->second;
}

}  // namespace

ReferenceWave::ReferenceWave(const Program& program, const WaveState& initial, const Memory& initial_memory,
                             bool skip_vector)
    : state(initial),
      memory(initial_memory),
      program_(program),
      generation_(program.target->generation),
      skip_vector_(skip_vector) {
  for (u32 entry = 0; entry < initial.csp(); ++entry) {
    bool is_known = 4 * entry + 4 <= initial.sgprs;
    for (u32 i = 0; i < 4; ++i) is_known &= initial.defined[4 * entry + i];
    waiting_.push_back({entry, initial.read64(4 * entry), initial.read64(4 * entry + 2), is_known, false, false});
  }
}

void ReferenceWave::run(u64 max_steps) {
  while (stop == "step_limit") {
    const bool is_code = word_at(state.pc).has_value();
    const bool is_kernel_end = program_.kernel_end && program_.kernel_end->address == state.pc;
    if (!is_code && is_kernel_end) {
      end("past_kernel_end");
    } else if (!is_code && (state.pc == program_.function_end || state.pc == program_.return_address)) {
      end_with_lanes("returned", state.pc);
    } else if (!is_code) {
      end("pc_outside_code");
    } else if (state.status_flag(status_bit::halt) && !priv()) {
      end("halt");
    } else if (is_kernel_end) {
      end("past_kernel_end");
    } else if (program_.function_end == state.pc) {
      end_with_lanes("returned", state.pc);
    } else if (steps == max_steps) {
      return;
    } else {
      ++steps;
      step();
    }
  }
}

void ReferenceWave::step() {
  pc_ = state.pc;
  next_ = pc_ + 4;
  const std::optional<Fields> fields = decode();
  if (!fields) return;
  next_ = pc_ + fields->size;
  const bool traps_each = state.mode / 2048 % 2 == 1 && takes_traps();
  asks_for_save_ = false;
  execute(*fields);
  if (stop != "step_limit") return;
  state.pc = next_ & address_mask();
  if (takes_traps() && (traps_each || asks_for_save_)) trap_after();
}

bool ReferenceWave::takes_traps() const { return state.status_flag(status_bit::trap_en) && !priv(); }

/// MODE.DEBUG_EN and TRAPSTS.SAVECTX.
void ReferenceWave::trap_after() {
  if (!asks_for_save_ && generation_ >= Generation::cdna3) state.hwregs[3] |= 1U << 25;
  const u64 handler = state.tba & address_mask();
  if (!word_at(handler)) {
    pc_ = state.pc;
    return end("trap");
  }
  const u32 ttmp0 = is_gfx9(generation_) ? 108 : 112;
  state.write64(ttmp0, state.pc);
  define(ttmp0, 2);
  set_status(status_bit::priv, true);
  state.pc = handler;
}

void ReferenceWave::warn(const std::string& kind) {
  const std::pair<std::string, u64> warning{kind, pc_};
  for (const auto& known : warnings) {
    if (known == warning) return;
  }
  warnings.push_back(warning);
}

std::optional<u32> ReferenceWave::word_at(u64 address) {
  for (const CodeBlock& block : program_.code) {
    if (address >= block.base && (address - block.base) / 4 < block.words.size()) {
      if (memory.has(address, 4, false)) return memory.load(address);
      return block.words[(address - block.base) / 4];
    }
  }
  return std::nullopt;
}

std::optional<ReferenceWave::Fields> ReferenceWave::decode() {
  const u32 word = *word_at(pc_);
  // The second dword must be in the same block: an instruction that exceeds its block is invalid.
  const auto second = [&]() -> std::optional<u32> {
    for (const CodeBlock& block : program_.code) {
      if (block.contains(pc_) && block.contains(pc_ + 4)) return word_at(pc_ + 4);
    }
    return std::nullopt;
  };
  Fields fields;
  const bool smrd = generation_ <= Generation::gcn1_1 && word >> 27 == 0b11000;
  const bool smem = generation_ >= Generation::gcn1_2 && word >> 26 == 0b110000;
  u32 opcode = 0;
  if (smrd || smem) {
    fields.format = smrd ? "SMRD" : "SMEM";
    opcode = smrd ? word >> 22 & 31 : word >> 18 & 255;
  } else if (word >> 30 != 0b10) {
    const u32 dwords = vector_dwords(generation_, word);
    if (dwords == 0) {
      end("illegal_instruction");
    } else if (dwords == 2 && !second()) {
      end("pc_outside_code");
    } else if (skip_vector_ || (state.mode >> mode_bit::vskip & 1) != 0) {
      ++skipped_vector;
      if ((state.mode >> mode_bit::vskip & 1) == 0) {
        const std::array<u32, 2> words = {word, second().value_or(0)};
        for (const isa::RegisterSpan& span : isa::vector_scalar_results(generation_, words)) {
          if (span.code == 106 && span.dwords == 2) vccz_is_stale_ = false;
        }
      }
      state.pc = pc_ + 4 * u64{dwords};
    } else {
      end("vector_instruction");
    }
    return std::nullopt;
  } else if (word >> 23 == 0b101111111) {
    fields.format = "SOPP";
    opcode = word >> 16 & 127;
  } else if (word >> 23 == 0b101111110) {
    fields.format = "SOPC";
    opcode = word >> 16 & 127;
  } else if (word >> 23 == 0b101111101) {
    fields.format = "SOP1";
    opcode = word >> 8 & 255;
  } else if (word >> 28 == 0b1011) {
    fields.format = "SOPK";
    opcode = word >> 23 & 31;
  } else {
    fields.format = "SOP2";
    opcode = word >> 23 & 127;
  }
  const OpcodeRow* const row = find_row(generation_, fields.format, opcode);
  if (row == nullptr) {
    end("illegal_instruction");
    return std::nullopt;
  }
  fields.mnemonic = row->mnemonic;
  fields.d_dwords = row->dst_dwords;
  fields.s0_dwords = row->src0_dwords;
  fields.s1_dwords = row->src1_dwords;
  if (smrd || smem) {
    if (!decode_memory(fields, word, second())) return std::nullopt;
    return fields;
  }
  fields.sdst = word >> 16 & 127;
  fields.ssrc0 = word & 255;
  fields.ssrc1 = word >> 8 & 255;
  fields.simm16 = word & 0xffff;
  const bool two_sources = fields.format == "SOP2" || fields.format == "SOPC";
  const bool asks = (fields.format == "SOP1" && fields.s0_dwords != 0 && fields.ssrc0 == 255) ||
                    (two_sources && fields.ssrc0 == 255) ||
                    (two_sources && fields.s1_dwords != 0 && fields.ssrc1 == 255) ||
                    fields.mnemonic == "s_setreg_imm32_b32";
  if (asks) {
    fields.literal = second();
    fields.size = 8;
    if (!fields.literal) {
      end("pc_outside_code");
      return std::nullopt;
    }
  }
  if (!operands_are_legal(fields)) return std::nullopt;
  return fields;
}

bool ReferenceWave::check_register(u32 code, u32 dwords) {
  if (!is_destination_code(generation_, code) || (dwords == 2 && code == 124)) {
    end("illegal_operand");
  } else if (dwords == 2 && code % 2 == 1) {
    end("misaligned_register");
  }
  return stop == "step_limit";
}

bool ReferenceWave::operands_are_legal(const Fields& fields) {
  const auto check_source = [&](u32 code, u32 dwords, bool register_only, bool no_literal) {
    if (code < 128) return check_register(code, dwords);
    const bool illegal = register_only || !is_source_code(generation_, code) || (no_literal && code == 255);
    if (illegal) end("illegal_operand");
    return !illegal;
  };
  if (fields.format == "SOPP") return true;
  if (fields.format == "SOPK") {
    const u32 dwords = std::max(fields.d_dwords, fields.s0_dwords);
    return dwords == 0 || check_register(fields.sdst, dwords);
  }
  const bool register_only = is_one_of(fields.mnemonic, {"s_setpc_b64", "s_swappc_b64", "s_rfe_b64", "s_movrels_b32",
                                                         "s_movrels_b64", "s_cbranch_join", "s_rfe_restore_b64"});
  const bool no_literal = is_one_of(fields.mnemonic, {"s_cbranch_g_fork", "s_rfe_restore_b64"});
  if (fields.d_dwords != 0 && !check_register(fields.sdst, fields.d_dwords)) return false;
  if (fields.s0_dwords != 0 && !check_source(fields.ssrc0, fields.s0_dwords, register_only, no_literal)) return false;
  return fields.s1_dwords == 0 || check_source(fields.ssrc1, fields.s1_dwords, false, no_literal);
}

// ---- operands ----

u64 ReferenceWave::read(const Fields& fields, u32 code, u32 dwords, bool sign_extend) {
  const auto cut = [&](u64 value) { return dwords == 1 ? value & 0xffffffff : value; };
  const bool gfx9 = is_gfx9(generation_);
  if (code == 255) {
    return sign_extend ? cut(static_cast<u64>(i64{static_cast<i32>(*fields.literal)})) : u64{*fields.literal};
  }
  if (code == 251) {
    if (vccz_is_stale_) warn("stale_vccz");
    return state.vcc() == 0 ? 1 : 0;
  }
  if (code == 252) return state.exec() == 0 ? 1 : 0;
  if (code == 253) return state.scc ? 1 : 0;
  if (code == 239) {
    warn("no_functional_effect");
    return 0;
  }
  if (code >= 235 && code <= 238) {
    if (dwords == 1) warn("unspecified_result");
    const u32 bases = state.hwregs[15];
    const u64 base = u64{code <= 236 ? bases / 65536 : bases % 65536} << 48;
    return cut(code % 2 == 0 ? base + 0xffffffff : base);
  }
  if (code >= 128) return inline_constant(code, dwords);
  if (hides_ttmps() && code >= 108 && code <= 123) return 0;
  if (is_beyond(code, dwords)) {
    warn("register_out_of_range");
    code = 0;
  }
  if (!gfx9 && code >= 108 && code <= 111) return cut((code < 110 ? state.tba : state.tma) >> (code % 2 * 32));
  return dwords == 2 ? state.read64(code) : state.file[code];
}

// AMD's CDNA 3 ISA manual, 3.10; LLVM derives the same rule from it.
bool ReferenceWave::hides_ttmps() const { return generation_ >= Generation::cdna3 && !priv(); }

bool ReferenceWave::is_beyond(u32 code, u32 dwords) const {
  const u32 user_sgprs = generation_ <= Generation::gcn1_1 ? 104 : 102;
  return code < user_sgprs && code + dwords > state.sgprs;
}

void ReferenceWave::define(u32 first, u32 count) {
  for (u32 i = 0; i < count; ++i) state.defined.set(first + i);
}

void ReferenceWave::write(u32 code, u32 dwords, u64 value) {
  if (is_beyond(code, dwords)) return warn("register_out_of_range");
  if (code >= 108 && code <= 123 && !priv()) return warn("dropped_write");
  if (!is_gfx9(generation_) && code >= 108 && code <= 111) {
    u64& address = code < 110 ? state.tba : state.tma;
    const u32 low = code % 2 == 0 ? static_cast<u32>(value) : static_cast<u32>(address);
    const u32 high = code % 2 == 1 ? static_cast<u32>(value) : static_cast<u32>((dwords == 2 ? value : address) >> 32);
    address = u64{high} << 32 | low;
    return define((code < 110 ? state_index::tba : state_index::tma) + code % 2, dwords);
  }
  state.file[code] = static_cast<u32>(value);
  if (dwords == 2) state.file[code + 1] = static_cast<u32>(value >> 32);
  if (code == 106 || code == 107) vccz_is_stale_ = dwords == 1;
  define(code, dwords);
}

}  // namespace salu::test
