#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/assembled.hpp"
#include "conformance/llvm.hpp"
#include "conformance/vector_samples.hpp"
#include "isa/vector/disassemble.hpp"

// The syntax of operands and modifiers of vector instructions, against llvm-mc: accepted or not, and the words.
namespace salu::conformance::vector {
namespace {

/// The parts of a line: mnemonic without suffix, operands, and the rest.
struct Line {
  std::string name;
  std::vector<std::string> operands;
  std::string rest;
};

Line parts_of(const std::string& text) {
  Line line{name_of(text), {}, {}};
  std::size_t at = text.find(' ');
  while (at != std::string::npos) {
    const std::size_t start = at + 1;
    const std::size_t comma = text.find(", ", start);
    // A modifier follows a blank without a comma.
    const std::size_t end = std::min({comma, text.find(' ', start), text.size()});
    line.operands.push_back(text.substr(start, end - start));
    if (end != comma) {
      line.rest = text.substr(end);
      break;
    }
    at = comma + 1;
  }
  return line;
}

std::string joined(const Line& line, const std::string& suffix) {
  std::string text = line.name + suffix;
  for (std::size_t i = 0; i < line.operands.size(); ++i) text += (i == 0 ? " " : ", ") + line.operands[i];
  return text + line.rest;
}

constexpr std::array<std::string_view, 5> suffixes = {"", "_e32", "_e64", "_sdwa", "_dpp"};

constexpr std::array<std::string_view, 60> operands = {
    "v4",         "v[4]",         "v[4:4]",   "[v4]",       "v255",        "v256",     "v[4:5]",
    "v[5:6]",     "[v4,v5]",      "v[4:7]",   "v[254:257]", "a4",          "a[4:5]",   "s4",
    "s[4:5]",     "s[5:6]",       "s[4:7]",   "s[6:9]",     "vcc",         "vcc_lo",   "exec",
    "exec_hi",    "m0",           "ttmp4",    "src_scc",    "src_vccz",    "0",        "64",
    "65",         "-16",          "-17",      "0x12345678", "1.0",         "-1.0",     "3.0",
    "0.15915494", "0x3f800000",   "lit(1)",   "0xfffffff0", "0x123456789", "1+3",      "off",
    "null",       "-v4",          "neg(v4)",  "abs(v4)",    "|v4|",        "-|v4|",    "neg(|v4|)",
    "-abs(v4)",   "neg(abs(v4))", "sext(v4)", "-s4",        "|s4|",        "neg(1.0)", "|1.0|",
    "v4 v5",      "neg(1)",       "|-1|",     "-3.0",
};

constexpr std::array<std::string_view, 100> modifiers = {
    "clamp",
    "mul:2",
    "mul:4",
    "mul:1",
    "mul:3",
    "div:2",
    "div:4",
    "mul:2 div:2",
    "clamp clamp",
    "op_sel:[1,0]",
    "op_sel:[0,1,0]",
    "op_sel:[0,0,1]",
    "op_sel:[1,0,0,1]",
    "op_sel:[0,0,0,0]",
    "op_sel:[2,0]",
    "op_sel_hi:[0,0]",
    "op_sel_hi:[1,0,1]",
    "neg_lo:[1,0]",
    "neg_lo:[0,1,0]",
    "neg_hi:[0,1]",
    "op_sel:[1,1] op_sel_hi:[0,0] neg_lo:[1,1] neg_hi:[1,1]",
    "dst_sel:BYTE_1",
    "dst_sel:DWORD",
    "dst_sel:BYTE_4",
    "dst_unused:UNUSED_SEXT",
    "dst_unused:UNUSED_PRESERVE",
    "src0_sel:WORD_1",
    "src1_sel:BYTE_2",
    "dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
    "clamp dst_sel:WORD_1",
    "offset:0",
    "offset:4",
    "offset:4095",
    "offset:4096",
    "offset:-4",
    "offset:-4096",
    "offset:-4097",
    "offset:65535",
    "offset:65536",
    "offset0:1 offset1:255",
    "offset1:256",
    "glc",
    "slc",
    "glc slc",
    "slc glc",
    "scc",
    "sc0",
    "sc1 nt",
    "sc0 sc1",
    "tfe",
    "lds",
    "gds",
    "idxen",
    "addr64",
    "nonsense",
    "offset:swizzle(SWAP,16)",
    "offset:swizzle(SWAP,3)",
    "offset:swizzle(REVERSE,4)",
    "offset:swizzle(REVERSE,1)",
    "offset:swizzle(BROADCAST,8,7)",
    "offset:swizzle(BROADCAST,8,8)",
    "offset:swizzle(QUAD_PERM,3,1,2,0)",
    "offset:swizzle(QUAD_PERM,4,1,2,0)",
    "offset:swizzle(BITMASK_PERM,\"01pip\")",
    "offset:swizzle(BITMASK_PERM,\"01p\")",
    "offset:swizzle(swap,16)",
    "quad_perm:[0,1,2,3]",
    "quad_perm:[3,2,1,0] row_mask:0x5 bank_mask:0xa bound_ctrl:0",
    "quad_perm:[0,1,2]",
    "quad_perm:[0,1,2,4]",
    "quad_perm:[0,1,2,3,0]",
    "row_shl:1",
    "row_shl:0",
    "row_shl:16",
    "row_shr:15 bound_ctrl:1",
    "row_ror:1 row_mask:0x10",
    "row_ror:1 row_mask:15 bank_mask:-1",
    "wave_shl:1",
    "wave_shl:2",
    "wave_rol:1",
    "wave_shr:1 bank_mask:0x3",
    "wave_ror:1",
    "row_mirror",
    "row_mirror:1",
    "row_half_mirror bound_ctrl:2",
    "row_bcast:15 row_mask:0xa",
    "row_bcast:31",
    "row_bcast:16",
    "row_newbcast:0",
    "row_newbcast:15 row_mask:0x0",
    "row_newbcast:16",
    "row_share:1",
    "row_mask:0xf",
    "bound_ctrl:0",
    "row_shl:1 clamp",
    "row_shl:1 mul:2",
    "row_shl:1 src0_sel:WORD_1",
    "row_shl:1 fi:1",
    "row_shl:1 row_shr:1",
    "row_shl:1 row_mask:0x1 row_mask:0x1",
};

/// One row of each kind: rows that differ only in their opcodes have the same syntax.
std::vector<Line> lines_of(Generation generation) {
  std::vector<Line> lines;
  std::set<std::vector<u32>> seen;
  for (const EncodedForm& form : all_forms(generation)) {
    const isa::vector::InstructionInfo& row = isa::vector::info(form.insn);
    std::vector<u32> kind = {static_cast<u32>(row.format),
                             row.modifiers,
                             form.returns,
                             row.access.keeps_half,
                             row.shape.writes_mask,
                             row.shape.reads_mask,
                             row.vop3_opcode(generation) != isa::absent,
                             row.opcode(generation) != isa::absent,
                             static_cast<u32>(row.shape.destination.kind),
                             row.shape.destination.bits};
    for (const isa::vector::Operand& operand : row.shape.sources) {
      kind.push_back(static_cast<u32>(operand.kind));
      kind.push_back(operand.bits);
    }
    for (const u32 part : operands_of(row.access)) kind.push_back(part);
    if (!seen.insert(kind).second) continue;
    const auto text = text_of(generation, plain_words(generation, form));
    if (text) lines.push_back(parts_of(*text));
  }
  return lines;
}

/// Text that only one of the two accepts, or that they assemble to different words; docs/reference/llvm-differences.md
/// explains each under its name.
struct Excuse {
  std::string_view name;
  Generation first;  ///< the generations with the difference
  Generation last;
  bool of_llvm;  ///< LLVM accepts it
  bool (*explains)(const std::string& text);
  Versions versions = {};  ///< of LLVM with the difference
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
bool begins_with_any(const std::string& text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return text.starts_with(each); });
}

using enum Generation;
constexpr auto newest = static_cast<Generation>(generation_count - 1);

constexpr std::array<Excuse, 23> excuses = {{
    {"lit(...)", gcn1_0, newest, true, [](const std::string& text) { return has(text, "lit("); }},
    {"lit(...)", gcn1_0, newest, false,
     [](const std::string& text) { return has(text, "lit(") && begins_with_any(text, {"buffer_", "tbuffer_"}); },
     since_22},
    {"Negative literals of 16 bits", gcn1_2, newest, true,
     [](const std::string& text) {
       return has(text, "16") && (has(text, "-17") || (text.starts_with("v_mad") && has(text, "-16")));
     },
     since_22},
    {"Results of lanes in M0", gcn1_0, newest, false,
     [](const std::string& text) {
       return begins_with_any(text, {"v_readlane_b32", "v_readfirstlane_b32"}) && has(text, " m0,");
     },
     since_22},
    {"off", gcn1_0, newest, true, [](const std::string& text) { return has(text, " off") && text.starts_with("v_"); }},
    {"special-source-as-register", gcn1_0, newest, true,
     [](const std::string& text) { return has(text, "src_scc") || has(text, "src_vccz"); }},
    {"modifier-without-meaning", gcn1_0, newest, true,
     [](const std::string& text) {
       return begins_with_any(text, {"v_nop_sdwa", "v_nop_dpp", "v_nop ", "v_pk_mov_b32", "buffer_wbl2"}) ||
              has(text, " clamp") ||
              (begins_with_any(text, {"v_cvt_", "v_frexp_exp_"}) && (has(text, "mul:") || has(text, "div:")));
     }},
    {"sext-in-vop3", gcn1_0, newest, true,
     [](const std::string& text) {
       return begins_with_any(text, {"v_ldexp_", "v_trig_preop_f64", "v_cvt_pk_u8_f32"}) && has(text, "sext(");
     },
     until_19},
    {"Absolute values of v_div_scale", gcn1_0, newest, true,
     [](const std::string& text) { return text.starts_with("v_div_scale_") && (has(text, "|") || has(text, "abs(")); }},
    {"dpp-of-pairs", gcn1_2, cdna1, true,
     [](const std::string& text) {
       const bool is_dpp = has(text, "quad_perm:") || has(text, " row_") || has(text, " wave_");
       return is_dpp && has(text, "64") && has(text, "v[");
     },
     since_22},
    {"Masks of DPP", gcn1_2, newest, true,
     [](const std::string& text) { return has(text, "row_mask:0x10") || has(text, "bank_mask:-1"); }},
    {"mac-sdwa", gcn1_2, gcn1_2, true,
     [](const std::string& text) { return begins_with_any(text, {"v_mac_f32", "v_mac_f16"}); }},
    {"Parts of op_sel", gcn1_4, newest, true,
     [](const std::string& text) { return has(text, "op_sel") || has(text, "neg_lo"); }},
    {"Floating-point numbers of 16 bits", gcn1_2, newest, true,
     [](const std::string& text) { return has(text, "16") && has(text, "3.0"); }},
    {"Floating-point numbers of 64 bits", gcn1_0, newest, true,
     [](const std::string& text) { return has(text, "f64") && has(text, "0.1591"); }},
    {"EXEC as a mask that is read", gcn1_0, newest, true,
     [](const std::string& text) { return text.ends_with(", exec"); }},
    {"Offsets of atomics", gcn1_2, newest, false,
     [](const std::string& text) {
       return has(text, "_atomic_") && (has(text, " glc offset:") || has(text, " sc0 offset:"));
     }},
    {"Suffixes of lane instructions", gcn1_0, newest, false,
     [](const std::string& text) { return begins_with_any(text, {"v_readlane_b32_e", "v_writelane_b32_e"}); }},
    {"Negated integers of v_cndmask_b32", gcn1_0, newest, false,
     [](const std::string& text) { return text.starts_with("v_cndmask_b32 v8, "); }},
    {"Constants of v_cvt_f32_f16 in VOP3", gcn1_0, gcn1_1, false,
     [](const std::string& text) { return text.starts_with("v_cvt_f32_f16_e64 v8, "); }},
    {"Order of op_sel and op_sel_hi", cdna1, newest, false,
     [](const std::string& text) { return text.starts_with("v_fma_mix") && has(text, "op_sel_hi:[1,1,1] op_sel:["); }},
    {"Constants of v_cmp_class_f16 with SDWA", gcn1_4, newest, true,
     [](const std::string& text) { return text.starts_with("v_cmp_class_f16_sdwa") && has(text, "0x3f800000"); }},
    {"1/(2*PI) of 16 bits", gcn1_4, newest, false,
     [](const std::string& text) { return has(text, "16_sdwa") && has(text, "0.1591"); }},
}};

class VectorSyntax : public testing::TestWithParam<Generation> {};

TEST_P(VectorSyntax, OperandsAndModifiers) {
  SALU_NEEDS_LLVM;
  const Generation generation = GetParam();
  std::vector<std::string> texts;
  for (const Line& line : lines_of(generation)) {
    const bool is_memory = !line.name.starts_with("v_");
    for (const std::string_view suffix : std::span(suffixes).first(is_memory ? 1 : suffixes.size())) {
      texts.push_back(joined(line, std::string(suffix)));
      for (std::size_t i = 0; i < line.operands.size(); ++i) {
        Line other = line;
        for (const std::string_view operand : operands) {
          other.operands[i] = operand;
          texts.push_back(joined(other, std::string(suffix)));
        }
      }
      for (const std::string_view modifier : modifiers) {
        Line other = line;
        other.rest += " " + std::string(modifier);
        texts.push_back(joined(other, std::string(suffix)));
        other.rest = " " + std::string(modifier);
        texts.push_back(joined(other, std::string(suffix)));
      }
    }
  }
  const std::string_view processor = generation == Generation::gcn1_4 ? "gfx906" : main_processor(generation);
  const auto llvm = llvm_assemble(processor, texts);
  const int version = conformance::llvm().version;
  std::map<std::string_view, std::size_t> seen;
  std::size_t accepted = 0;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::optional<Words> salu = assemble_line(generation, texts[i]);
    accepted += llvm[i].has_value() ? 1 : 0;
    if (llvm[i] ? same(salu, llvm[i]) : !salu.has_value()) continue;
    const auto* const excuse = std::ranges::find_if(excuses, [&](const Excuse& each) {
      return each.of_llvm == llvm[i].has_value() && each.versions.has(version) && each.explains(texts[i]);
    });
    if (excuse != excuses.end()) {
      ++seen[excuse->name];
      continue;
    }
    if (++shown <= 20)
      ADD_FAILURE() << texts[i] << ": llvm-mc makes " << show(llvm[i]) << ", salu makes " << show(salu);
  }
  for (const Excuse& excuse : excuses) {
    if (!excuse.versions.has(version)) continue;
    EXPECT_EQ(seen.contains(excuse.name), excuse.first <= generation && generation <= excuse.last) << excuse.name;
  }
  RecordProperty("lines", static_cast<int>(texts.size()));
  EXPECT_GT(accepted, 1'000U);
  EXPECT_GT(texts.size() - accepted, 10'000U);
}

// The other generations have the syntax of one of these.
INSTANTIATE_TEST_SUITE_P(Llvm, VectorSyntax,
                         testing::ValuesIn(selected(known_generations({Generation::gcn1_0, Generation::gcn1_2,
                                                                       Generation::gcn1_4, Generation::cdna2,
                                                                       Generation::cdna3, Generation::cdna4}))),
                         [](const auto& each) { return test_name(generation_name(each.param)); });

}  // namespace
}  // namespace salu::conformance::vector
