#include <algorithm>
#include <array>
#include <map>

#include "semantics/documents.hpp"
#include "semantics/reference_wave.hpp"

// The instructions of the reference; reference_wave.cpp fetches them and their operands.
namespace salu::test {
namespace {

int lanes(u64 mask) {
  int count = 0;
  for (; mask != 0; mask /= 2) count += static_cast<int>(mask % 2);
  return count;
}

i64 sign_extended(u32 simm16) { return simm16 < 0x8000 ? i64{simm16} : i64{simm16} - 0x10000; }

}  // namespace

void ReferenceWave::execute(const Fields& fields) {
  if (is_one_of(fields.mnemonic, {"s_mov_regrd_b32", "s_getreg_regrd_b32"})) return end("unsupported_instruction");
  if (fields.format == "SMRD" || fields.format == "SMEM") return execute_memory(fields);
  if (execute_alu(fields)) return;
  if (fields.format == "SOP1") execute_sop1(fields);
  if (fields.format == "SOPC") execute_sopc(fields);
  if (fields.format == "SOPK") execute_sopk(fields);
  if (fields.format == "SOPP") execute_sopp(fields);
  if (fields.mnemonic == "s_cbranch_g_fork") {
    const u64 mask = read(fields, fields.ssrc0, 2, false);
    fork(mask, read(fields, fields.ssrc1, 2, false));
  }
  if (fields.mnemonic == "s_rfe_restore_b64") {
    const u64 target = read(fields, fields.ssrc0, 2, false);
    const u64 second = read(fields, fields.ssrc1, 1, false);
    return_from_exception(target);
    if (generation_ == Generation::gcn1_2) set_status(status_bit::inst_atc, second % 2 == 1);
  }
}

bool ReferenceWave::execute_alu(const Fields& fields) {
  const AluModel* const model = find_alu_model(generation_, fields.mnemonic);
  if (model == nullptr) return false;
  AluInputs in;
  in.scc = state.scc;
  in.exec = state.exec();
  const bool sopk = fields.format == "SOPK";
  if (!sopk) {
    in.s0 = read(fields, fields.ssrc0, fields.s0_dwords, sign_extends_literal(fields.mnemonic));
    if (fields.s1_dwords != 0) in.s1 = read(fields, fields.ssrc1, fields.s1_dwords, false);
  } else {
    in.s1 = fields.simm16;
  }
  if (reads_destination(fields.mnemonic)) {
    in.old = read(fields, fields.sdst, std::max(fields.d_dwords, fields.s0_dwords * (sopk ? 1 : 0)), false);
  }
  const AluResult out = (*model)(in);
  if (out.unspecified) warn("unspecified_result");
  if (out.exec) state.write64(code::exec, *out.exec);
  if (out.d) write(fields.sdst, fields.d_dwords, *out.d);
  if (out.exec && fields.sdst == code::exec && *out.d != *out.exec) warn("unspecified_result");
  if (out.scc) {
    state.scc = *out.scc;
    define(state_index::scc, 1);
  }
  return true;
}

void ReferenceWave::execute_sop1(const Fields& fields) {
  const std::string& name = fields.mnemonic;
  if (name.starts_with("s_movrel")) return move_relative(fields);
  if (name == "s_getpc_b64") return write(fields.sdst, 2, pc_ + 4);
  const u64 s0 = read(fields, fields.ssrc0, fields.s0_dwords, false);
  if (name == "s_swappc_b64") write(fields.sdst, 2, pc_ + 4);
  if (name == "s_setpc_b64" || name == "s_swappc_b64") next_ = s0;
  if (name == "s_rfe_b64") return_from_exception(s0);
  if (name == "s_cbranch_join") join(static_cast<u32>(s0));
  if (name == "s_set_gpr_idx_idx") {
    state.file[code::m0] = state.file[code::m0] / 256 * 256 + static_cast<u32>(s0 % 256);
    define(code::m0, 1);
  }
}

void ReferenceWave::move_relative(const Fields& fields) {
  const bool is_source = fields.mnemonic.starts_with("s_movrels");
  const u32 dwords = fields.d_dwords;
  const u64 value = is_source ? 0 : read(fields, fields.ssrc0, dwords, false);
  const u64 index = u64{is_source ? fields.ssrc0 : fields.sdst} + state.file[code::m0];
  if (dwords == 2 && index % 2 == 1) return end("misaligned_register");
  const bool beyond = index + dwords > state.sgprs;
  if (beyond) warn("register_out_of_range");
  if (is_source) {
    const u32 from = beyond ? 0 : static_cast<u32>(index);
    write(fields.sdst, dwords, dwords == 2 ? state.read64(from) : state.file[from]);
  } else if (!beyond) {
    write(static_cast<u32>(index), dwords, value);
  }
}

void ReferenceWave::execute_sopc(const Fields& fields) {
  const u64 s0 = read(fields, fields.ssrc0, 1, false);
  if (fields.mnemonic == "s_setvskip") {
    const u64 place = read(fields, fields.ssrc1, 1, false) % 32;
    const bool skip = s0 / (u64{1} << place) % 2 == 1;
    state.mode = (state.mode & 0xefffffff) + (skip ? 0x10000000 : 0);
  } else {  // S_SET_GPR_IDX_ON
    state.mode |= 0x08000000;
    const u32 old = state.file[code::m0];
    state.file[code::m0] = (old & 0xffff0f00) + static_cast<u32>(s0 % 256) + fields.ssrc1 % 16 * 4096;
    define(code::m0, 1);
  }
}

void ReferenceWave::execute_sopk(const Fields& fields) {
  const std::string& name = fields.mnemonic;
  const u64 target = pc_ + 4 + static_cast<u64>(4 * sign_extended(fields.simm16));
  if (name == "s_cbranch_i_fork") {
    fork(read(fields, fields.sdst, 2, false), target);
  } else if (name == "s_call_b64") {
    write(fields.sdst, 2, pc_ + 4);
    next_ = target;
  } else if (name == "s_getreg_b32") {
    const u64 whole = read_hwreg(fields.simm16 % 64);
    const u64 size = fields.simm16 / 2048 + 1;
    write(fields.sdst, 1, (whole >> fields.simm16 / 64 % 32) % (u64{1} << size));
  } else if (name == "s_setreg_b32") {
    write_hwreg(fields, static_cast<u32>(read(fields, fields.sdst, 1, false)));
  } else {
    write_hwreg(fields, *fields.literal);
  }
}

u32 ReferenceWave::read_hwreg(u32 id) {
  if (!has_hwreg(generation_, id)) {
    warn("unspecified_result");
    return 0;
  }
  if (id >= 8 && id <= 11) {
    warn("unspecified_result");
    const auto second = word_at(pc_ + 4);
    bool same_block = false;
    for (const CodeBlock& block : program_.code) same_block |= block.contains(pc_) && block.contains(pc_ + 4);
    const std::array<u32, 4> debug = {static_cast<u32>(pc_), static_cast<u32>(pc_ >> 32), *word_at(pc_),
                                      same_block ? *second : 0};
    return debug[id - 8];
  }
  if (id == 1) return state.mode;
  if (id == 2) return state.full_status();
  if (id >= 16 && id <= 19) return static_cast<u32>((id <= 17 ? state.tba : state.tma) >> (id % 2 == 0 ? 8 : 40));
  return state.hwregs[id];
}

void ReferenceWave::write_hwreg(const Fields& fields, u32 value) {
  const u32 id = fields.simm16 % 64;
  const u32 offset = fields.simm16 / 64 % 32;
  const u32 size = fields.simm16 / 2048 + 1;
  u32 writable = 0;
  if (id == 1) writable = hwreg_field_bits(generation_, 1);
  if (id == 2 && priv()) writable = hwreg_field_bits(generation_, 2) & ~u32{1U << 5 | 1U << 9 | 1U << 10};
  if (id == 3) writable = hwreg_field_bits(generation_, 3, priv() ? "" : "EXCP");
  if (id == 3 && is_gfx9(generation_)) writable |= 1U << 10;
  if (id == 7 && priv() && is_gfx9(generation_)) writable = hwreg_field_bits(generation_, 7);
  const bool known = has_hwreg(generation_, id);
  u32 old = state.hwregs[id];
  if (id == 1) old = state.mode;
  if (id == 2) old = state.full_status();
  if (id >= 16 && id <= 19) {
    old = known ? static_cast<u32>((id <= 17 ? state.tba : state.tma) >> (id % 2 == 0 ? 8 : 40)) : 0;
  }
  u32 result = old;
  bool dropped = false;
  for (u32 i = 0; i < size && offset + i < 32; ++i) {
    const u32 bit = 1U << (offset + i);
    const bool wanted = (value >> i & 1) != 0;
    if (((old & bit) != 0) == wanted) {
      if ((writable & bit) != 0 && id == 2 && offset + i == 0) define(state_index::scc, 1);
      continue;
    }
    if ((writable & bit) == 0) {
      dropped = true;
      continue;
    }
    result ^= bit;
    if (id == 2 && offset + i == 0) define(state_index::scc, 1);
  }
  if (dropped) warn("dropped_write");
  if (id == 1) {
    set_csp(state.csp(), result >> 29);
    state.mode = result;
  } else if (id == 2) {
    state.scc = result % 2 == 1;
    state.status = result & ~status_live_bits;
  } else if (id < 16 || id > 19) {
    asks_for_save_ = id == 3 && is_gfx9(generation_) && (result & 1U << 10) != 0;
    state.hwregs[id] = result;
  }
}

// ---- control ----

bool ReferenceWave::branch_condition(const std::string& mnemonic) const {
  const bool user = state.status_flag(status_bit::cond_dbg_user);
  const bool sys = state.status_flag(status_bit::cond_dbg_sys);
  const std::map<std::string, bool> conditions = {
      {"s_branch", true},
      {"s_cbranch_scc0", !state.scc},
      {"s_cbranch_scc1", state.scc},
      {"s_cbranch_vccz", state.vcc() == 0},
      {"s_cbranch_vccnz", state.vcc() != 0},
      {"s_cbranch_execz", state.exec() == 0},
      {"s_cbranch_execnz", state.exec() != 0},
      {"s_cbranch_cdbgsys", sys},
      {"s_cbranch_cdbguser", user},
      {"s_cbranch_cdbgsys_or_user", sys || user},
      {"s_cbranch_cdbgsys_and_user", sys && user},
  };
  return conditions.at(mnemonic);
}

void ReferenceWave::set_status(u32 bit, bool value) {
  state.status = (state.status & ~(1U << bit)) | (value ? 1U << bit : 0);
}

void ReferenceWave::execute_sopp(const Fields& fields) {
  const std::string& name = fields.mnemonic;
  const bool odd = fields.simm16 % 2 == 1;
  if (name == "s_branch" || name.starts_with("s_cbranch")) {
    if (vccz_is_stale_ && name.starts_with("s_cbranch_vcc")) warn("stale_vccz");
    if (branch_condition(name)) next_ = pc_ + 4 + static_cast<u64>(4 * sign_extended(fields.simm16));
  } else if (name.starts_with("s_endpgm")) {
    end_with_lanes("end_program", pc_);
  } else if (name == "s_setkill") {
    if (odd) end("killed");
  } else if (name == "s_sethalt") {
    set_status(status_bit::halt, odd);
  } else if (name == "s_setprio") {
    set_status(3, odd);
    set_status(4, fields.simm16 / 2 % 2 == 1);
  } else if (name == "s_trap") {
    trap(fields.simm16 % 256);
  } else if (name == "s_set_gpr_idx_off") {
    state.mode &= 0xf7ffffff;
  } else if (name == "s_set_gpr_idx_mode") {
    state.file[code::m0] = (state.file[code::m0] & 0xffff0fff) + fields.simm16 % 16 * 4096;
    define(code::m0, 1);
  } else if (is_one_of(name, {"s_sendmsg", "s_sendmsghalt", "s_incperflevel", "s_decperflevel", "s_ttracedata"})) {
    warn("no_functional_effect");
    if (name == "s_sendmsghalt") set_status(status_bit::halt, true);
  }
}

void ReferenceWave::fork(u64 mask, u64 target) {
  const u64 all = state.exec();
  const u64 pass = mask & all;
  const u64 fail = all - pass;
  const auto push = [&](u64 lanes_waiting, u64 pc) {
    const u32 entry = state.csp();
    if (entry >= 6) warn("control_stack_overflow");
    if (4 * entry + 4 > state.sgprs) {
      warn("register_out_of_range");
    } else {
      state.write64(4 * entry, lanes_waiting);
      state.write64(4 * entry + 2, pc);
      define(4 * entry, 4);
    }
    waiting_.push_back({entry, lanes_waiting, pc, 4 * entry + 4 <= state.sgprs, true, false});
    state.mode = (state.mode & 0x1fffffff) | (entry + 1) % 8 << 29;
  };
  if (pass == all) {
    next_ = target;
  } else if (pass == 0) {
    next_ = pc_ + 4;
  } else if (lanes(fail) < lanes(pass)) {
    state.write64(code::exec, fail);
    push(pass, target);
  } else {
    state.write64(code::exec, pass);
    push(fail, pc_ + 4);
    next_ = target;
  }
}

void ReferenceWave::join(u32 wanted) {
  const u32 csp = state.csp();
  if (csp == wanted) return;
  if (csp == 0) warn("control_stack_underflow");
  const u32 entry = csp == 0 ? 7 : csp - 1;
  const u32 first = 4 * entry;
  // Each pair of SGPRs beyond the allocation reads as s[0:1].
  const bool beyond = first + 4 > state.sgprs;
  if (beyond) warn("register_out_of_range");
  state.mode = (state.mode & 0x1fffffff) | entry << 29;
  const u64 popped = state.read64(beyond ? 0 : first);
  next_ = state.read64(beyond ? 0 : first + 2);
  pop_entry(entry, popped, next_);
  state.write64(code::exec, popped);
}

void ReferenceWave::pop_entry(u32 entry, u64 mask, u64 pc) {
  std::size_t found = waiting_.size();
  bool loses_lanes = false;
  while (found > 0 && waiting_[found - 1].entry != entry) loses_lanes |= waiting_[--found].by_fork;
  if (found == 0) return warn("control_stack_misuse");
  const Waiting popped = waiting_[--found];
  waiting_.resize(found);
  bool all_written = true;
  for (u32 i = 0; i < 4; ++i) all_written &= 4 * entry + 4 > state.sgprs || state.defined[4 * entry + i];
  const bool differs = popped.is_known && (popped.mask != mask || popped.pc != pc);
  if ((popped.by_setreg && !all_written) || differs || loses_lanes) warn("control_stack_misuse");
}

void ReferenceWave::set_csp(u32 before, u32 after) {
  for (u32 entry = before; entry < after; ++entry) {
    const auto is_there = [entry](const Waiting& each) { return each.entry == entry; };
    if (std::ranges::none_of(waiting_, is_there)) waiting_.push_back({entry, 0, 0, false, false, true});
  }
}

void ReferenceWave::end_with_lanes(const std::string& reason, u64 pc) {
  end(reason);
  if (std::ranges::none_of(waiting_, [](const Waiting& each) { return each.by_fork; })) return;
  pc_ = pc;
  warn("control_stack_misuse");
}

void ReferenceWave::trap(u32 id) {
  if (!state.status_flag(status_bit::trap_en)) return warn("trap_ignored");
  const u64 handler = state.tba & address_mask();
  if (!word_at(handler)) return end("trap");
  if (id == 0) warn("unspecified_result");
  const u32 ttmp0 = is_gfx9(generation_) ? 108 : 112;
  state.write64(ttmp0, u64{id} << 48 | pc_);
  define(ttmp0, 2);
  set_status(status_bit::priv, true);
  next_ = handler;
}

void ReferenceWave::return_from_exception(u64 target) {
  if (!priv()) warn("unspecified_result");
  set_status(status_bit::priv, false);
  next_ = target;
  // The handler is entered again as long as SAVECTX is set.
  asks_for_save_ = is_gfx9(generation_) && state.hwregs[3] / 1024 % 2 == 1;
}

}  // namespace salu::test
