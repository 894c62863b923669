#include "semantics/code.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace salu::test {
namespace {

std::optional<u32> either(const Operand& first, const Operand& second) {
  if (first.literal && second.literal && *first.literal != *second.literal) {
    throw std::runtime_error("one instruction has one literal");
  }
  return first.literal ? first.literal : second.literal;
}

}  // namespace

Code& Code::add(u32 word, std::optional<u32> second) {
  words_.push_back(word);
  if (second) words_.push_back(*second);
  return *this;
}

Code& Code::sop2(std::string_view mnemonic, Operand sdst, Operand ssrc0, Operand ssrc1) {
  const auto opcode = static_cast<u32>(opcode_row(generation_, mnemonic).opcode(generation_));
  return add(0x80000000 | opcode << 23 | sdst.code << 16 | ssrc1.code << 8 | ssrc0.code, either(ssrc0, ssrc1));
}

Code& Code::sop1(std::string_view mnemonic, Operand sdst, Operand ssrc0) {
  const auto opcode = static_cast<u32>(opcode_row(generation_, mnemonic).opcode(generation_));
  return add(0xbe800000 | sdst.code << 16 | opcode << 8 | ssrc0.code, ssrc0.literal);
}

Code& Code::sopc(std::string_view mnemonic, Operand ssrc0, Operand ssrc1) {
  const auto opcode = static_cast<u32>(opcode_row(generation_, mnemonic).opcode(generation_));
  return add(0xbf000000 | opcode << 16 | ssrc1.code << 8 | ssrc0.code, either(ssrc0, ssrc1));
}

Code& Code::sopk(std::string_view mnemonic, Operand sdst, i64 simm16, std::optional<u32> second) {
  const auto opcode = static_cast<u32>(opcode_row(generation_, mnemonic).opcode(generation_));
  return add(0xb0000000 | opcode << 23 | sdst.code << 16 | static_cast<u16>(simm16), second);
}

Code& Code::sopp(std::string_view mnemonic, i64 simm16) {
  const auto opcode = static_cast<u32>(opcode_row(generation_, mnemonic).opcode(generation_));
  return add(0xbf800000 | opcode << 16 | static_cast<u16>(simm16), {});
}

Code& Code::memory(std::string_view mnemonic, const MemoryFields& fields) {
  const OpcodeRow& row = opcode_row(generation_, mnemonic);
  const auto opcode = static_cast<u32>(row.opcode(generation_));
  const u32 sbase = fields.sbase.code / 2;
  const auto offset = static_cast<u32>(fields.offset.value_or(0));
  const u32 offset_register = fields.offset_register.value_or(Operand{}).code;
  const u32 imm = fields.offset ? 1 : 0;
  if (row.format == "SMRD") {
    const u32 low = fields.literal ? 255 : imm != 0 ? offset & 0xff : offset_register;
    return add(0xc0000000 | opcode << 22 | fields.sdata.code << 15 | sbase << 9 | imm << 8 | low, fields.literal);
  }
  const u32 soe = fields.soffset ? 1 : 0;
  const u32 glc = fields.glc ? 1 : 0;
  const u32 low = imm != 0 ? offset & 0x1fffff : offset_register;
  const u32 first = 0xc0000000 | opcode << 18 | imm << 17 | glc << 16 | soe << 14 | fields.sdata.code << 6 | sbase;
  return add(first, low | fields.soffset.value_or(Operand{}).code << 25);
}

Code& Code::word(u32 value) { return add(value, {}); }

Code& Code::nops(u32 count) {
  for (u32 i = 0; i < count; ++i) sopp("s_nop");
  return *this;
}

void Code::aim(u64 address, u64 target) {
  u32& word = words_.at((address - base_) / 4);
  const i64 distance = static_cast<i64>(target - (address + 4)) / 4;
  word = (word & 0xffff0000) | static_cast<u16>(distance);
}

const Target& target_of(Generation generation) { return *find_target(generation_name(generation)); }

Program program_of(const std::vector<const Code*>& pieces) {
  Program program;
  program.target = &target_of(pieces.at(0)->generation());
  program.entry = pieces[0]->base();
  for (const Code* piece : pieces) program.code.push_back(piece->block());
  std::sort(program.code.begin(), program.code.end(),
            [](const CodeBlock& left, const CodeBlock& right) { return left.base < right.base; });
  return program;
}

Outcome run_code(const Code& code, WaveState state, const RunOptions& options) {
  return run_code(std::vector<const Code*>{&code}, std::move(state), options);
}

Outcome run_code(const std::vector<const Code*>& pieces, WaveState state, const RunOptions& options) {
  const Program program = program_of(pieces);
  state.pc = program.entry;
  return run(program, state, Memory{}, options);
}

std::string difference(const WaveState& expected, const WaveState& actual) {
  if (expected == actual) return {};
  std::ostringstream text;
  text << std::hex;
  const auto compare = [&](const std::string& name, u64 left, u64 right) {
    if (left != right) text << "  " << name << ": expected 0x" << left << ", is 0x" << right << '\n';
  };
  for (u32 i = 0; i < code::count; ++i) {
    compare("operand code " + std::to_string(i), expected.file[i], actual.file[i]);
  }
  compare("pc", expected.pc, actual.pc);
  compare("tba", expected.tba, actual.tba);
  compare("tma", expected.tma, actual.tma);
  compare("mode", expected.mode, actual.mode);
  compare("status", expected.status, actual.status);
  compare("scc", expected.scc ? 1 : 0, actual.scc ? 1 : 0);
  for (u32 i = 0; i < 64; ++i) compare("hwreg " + std::to_string(i), expected.hwregs[i], actual.hwregs[i]);
  compare("sgprs", expected.sgprs, actual.sgprs);
  for (u32 i = 0; i < state_index::defined_count; ++i) {
    compare("defined[" + std::to_string(i) + "]", expected.defined[i] ? 1 : 0, actual.defined[i] ? 1 : 0);
  }
  return text.str();
}

std::string warning_names(const Outcome& outcome) {
  std::string names;
  for (const Warning& warning : outcome.warnings) {
    if (!names.empty()) names += ' ';
    names += warning_kind_name(warning.kind);
  }
  return names;
}

std::vector<Generation> generations(Generation first, Generation last) {
  std::vector<Generation> result;
  for (const Generation each : all_generations()) {
    if (each >= first && each <= last) result.push_back(each);
  }
  return result;
}

}  // namespace salu::test
