#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "conformance/assembled.hpp"
#include "conformance/llvm.hpp"

// The syntax of operands, against llvm-mc: accepted or not, and the words.
namespace salu::conformance {
namespace {

/// Compares line by line; returns the lines that differ.
std::set<std::string> differing(Generation generation, std::string_view processor,
                                const std::vector<std::string>& lines, std::size_t* accepted = nullptr) {
  std::set<std::string> result;
  const auto llvm = llvm_assemble(processor, lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto salu = assemble_line(generation, lines[i]);
    const bool same = salu.has_value() == llvm[i].has_value() &&
                      (!salu || (salu->count == llvm[i]->count && salu->words == llvm[i]->words));
    if (!same) result.insert(lines[i] + " => llvm-mc: " + show(llvm[i]) + ", salu: " + show(salu));
    if (accepted != nullptr && llvm[i]) ++*accepted;
  }
  return result;
}

/// `s[2:3]`
std::string indexed(std::string name, const std::string& index) { return name.append("[").append(index).append("]"); }
/// `[s2,s3]`
std::string pair_of(const std::string& low, const std::string& high) {
  return std::string("[").append(low).append(",").append(high).append("]");
}

class Syntax : public testing::TestWithParam<Generation> {};

TEST_P(Syntax, RegistersAndConstants) {
  SALU_NEEDS_LLVM;
  std::vector<std::string> operands;
  for (int i = 0; i <= 110; ++i) operands.push_back("s" + std::to_string(i));
  for (int i = 0; i <= 17; ++i) operands.push_back("ttmp" + std::to_string(i));
  for (const std::string name : {"s", "ttmp"}) {
    for (int first = 0; first <= 108; ++first) {
      if (name == "ttmp" && first > 17) break;
      for (const int dwords : {1, 2, 4, 8, 16}) {
        operands.push_back(indexed(name, std::to_string(first) + ":" + std::to_string(first + dwords - 1)));
      }
      operands.push_back(indexed(name, std::to_string(first)));
      operands.push_back(pair_of(name + std::to_string(first), name + std::to_string(first + 1)));
    }
  }
  for (const std::string name : {"vcc", "exec", "flat_scratch", "xnack_mask", "tba", "tma"}) {
    for (const std::string half : {"", "_lo", "_hi"}) operands.push_back(name + half);
    operands.push_back(pair_of(name + "_lo", name + "_hi"));
    operands.push_back(pair_of(name + "_hi", name + "_lo"));
  }
  for (const std::string name : {"m0",
                                 "src_scc",
                                 "scc",
                                 "src_vccz",
                                 "vccz",
                                 "src_execz",
                                 "execz",
                                 "src_shared_base",
                                 "shared_base",
                                 "src_shared_limit",
                                 "src_private_base",
                                 "private_limit",
                                 "src_private_limit",
                                 "src_pops_exiting_wave_id",
                                 "pops_exiting_wave_id",
                                 "null",
                                 "v0",
                                 "a0",
                                 "lds_direct",
                                 "src_lds_direct",
                                 "[s0,s2]",
                                 "[s0,[s1]]",
                                 "[s0,1]",
                                 "s[1:0]",
                                 "s[0:1:2]",
                                 "s[0:1",
                                 "s0:1",
                                 "s[-1:0]",
                                 "s[0,1]",
                                 "s[0x2:0x3]",
                                 "s[1+1:3]",
                                 "[s[4],s[5]]",
                                 "[s[4:4],s5]",
                                 "[s4]",
                                 "[s4,s5,s6,s7]",
                                 "[ttmp4,ttmp5]",
                                 "[vcc_lo,exec_hi]",
                                 "[s101,flat_scratch_lo]"}) {
    operands.push_back(name);
  }
  std::vector<std::string> lines;
  for (const std::string& operand : operands) {
    lines.push_back("s_mov_b32 s0, " + operand);
    lines.push_back("s_mov_b32 " + operand + ", s0");
    lines.push_back("s_mov_b64 s[0:1], " + operand);
    lines.push_back("s_not_b64 " + operand + ", s[2:3]");
    lines.push_back("s_setpc_b64 " + operand);
    lines.push_back("s_cmp_eq_u32 " + operand + ", s1");
    lines.push_back("s_movk_i32 " + operand + ", 0x1");
    lines.push_back("s_load_dword " + operand + ", s[2:3], 0x4");
    lines.push_back("s_load_dwordx4 " + operand + ", s[2:3], 0x4");
    lines.push_back("s_load_dwordx16 " + operand + ", s[2:3], 0x4");
    lines.push_back("s_load_dword s0, " + operand + ", 0x4");
    lines.push_back("s_buffer_load_dword s0, " + operand + ", 0x4");
    lines.push_back("s_load_dword s0, s[2:3], " + operand);
    lines.push_back("s_movrels_b32 s0, " + operand);
    lines.push_back("s_cbranch_join " + operand);
    lines.push_back("s_cbranch_g_fork " + operand + ", s[2:3]");
    lines.push_back("s_setreg_b32 hwreg(1, 0, 4), " + operand);
  }
  std::size_t accepted = 0;
  std::set<std::string> differences = differing(GetParam(), main_processor(GetParam()), lines, &accepted);
  // docs/reference/llvm-differences.md, special-source-as-register: LLVM accepts these as registers, even if their code
  // does not fit.
  const std::size_t excused = std::erase_if(differences, [](const std::string& line) {
    constexpr std::array<std::string_view, 4> with_sources = {"s_mov_b32 s0, ", "s_mov_b64 s[0:1], ", "s_cmp_eq_u32 ",
                                                              "s_cbranch_g_fork "};
    constexpr std::array<std::string_view, 10> names = {
        "scc",          "vccz",           "execz",         "shared_base",
        "shared_limit", "private_base",   "private_limit", "pops_exiting_wave_id",
        "src_",         "exiting_wave_id"};
    const bool is_source = std::ranges::any_of(with_sources, [&](auto prefix) { return line.starts_with(prefix); });
    const bool is_special = std::ranges::any_of(names, [&](auto name) { return line.find(name) != std::string::npos; });
    return is_special && !is_source && line.ends_with("salu: an error");
  });
  EXPECT_EQ(differences, std::set<std::string>{});
  EXPECT_GT(accepted, 1'500U);
  EXPECT_GT(excused, 20U);
}

TEST_P(Syntax, Literals) {
  SALU_NEEDS_LLVM;
  std::vector<std::string> values;
  for (int i = -40; i <= 80; ++i) values.push_back(std::to_string(i));
  for (int bit = 5; bit < 64; ++bit) {
    const u64 power = u64{1} << bit;
    for (const u64 value : {power - 1, power, power + 1}) values.push_back(std::to_string(value));
    if (bit < 63) values.push_back("-" + std::to_string(power));
    if (bit < 63) values.push_back("-" + std::to_string(power + 1));
  }
  for (const std::string value : {"0x0",
                                  "0xffffffff",
                                  "0xfffffff0",
                                  "0xffffffef",
                                  "0xffffffffffffffff",
                                  "0xfffffffffffffff0",
                                  "0x3f800000",
                                  "0x3ff0000000000000",
                                  "0xbfe0000000000000",
                                  "0x3e22f983",
                                  "0x3fc45f306dc9c882",
                                  "0x4010000000000000",
                                  "0b1011",
                                  "017",
                                  "0X1F",
                                  "0B11",
                                  "'a'",
                                  "1.0",
                                  "-1.0",
                                  "0.5",
                                  "-0.5",
                                  "2.0",
                                  "-2.0",
                                  "4.0",
                                  "-4.0",
                                  "0.0",
                                  "-0.0",
                                  "1.5",
                                  "0.1",
                                  "0.15915494",
                                  "-0.15915494",
                                  "0.15915494309189532",
                                  "1e10",
                                  "1e-10",
                                  "1e40",
                                  "1e-50",
                                  "3.4e38",
                                  "3.5e38",
                                  "1.0e0",
                                  "100.0",
                                  "0x1p3",
                                  "0x1.8p1",
                                  "1.",
                                  ".5",
                                  "-.5",
                                  "~0",
                                  "!0",
                                  "!5",
                                  "(1)",
                                  "((1+2))*3",
                                  "1<<31",
                                  "1<<32",
                                  "-1>>1",
                                  "0x80000000>>31",
                                  "7/2",
                                  "-7/2",
                                  "7%4",
                                  "-7%4",
                                  "1==1",
                                  "1!=1",
                                  "1<2",
                                  "2<=1",
                                  "3>2",
                                  "3>=4",
                                  "3&&4",
                                  "0||0",
                                  "1|2^3&6",
                                  "1+2*3-4",
                                  "1-2-3",
                                  "2*3%4",
                                  "- -5",
                                  "+5",
                                  "-(-5)",
                                  "1 + 2",
                                  "1<>2",
                                  "0xfffffffff",
                                  "18446744073709551615",
                                  "18446744073709551616"}) {
    values.push_back(value);
  }
  std::vector<std::string> lines;
  for (const std::string& value : values) {
    lines.push_back("s_mov_b32 s0, " + value);
    lines.push_back("s_mov_b64 s[0:1], " + value);
    lines.push_back("s_ashr_i64 s[0:1], " + value + ", s2");
    lines.push_back("s_lshl_b64 s[0:1], s[2:3], " + value);
    lines.push_back("s_add_u32 s0, 0x12345, " + value);
    lines.push_back("s_cbranch_g_fork " + value + ", s[2:3]");
    lines.push_back("s_movk_i32 s0, " + value);
    lines.push_back("s_cmpk_eq_u32 s0, " + value);
    lines.push_back("s_branch " + value);
  }
  std::size_t accepted = 0;
  std::set<std::string> differences = differing(GetParam(), main_processor(GetParam()), lines, &accepted);
  // docs/reference/llvm-differences.md, float-zero: the only float that LLVM accepts for a 16-bit immediate is 0.0.
  const std::size_t excused = std::erase_if(differences, [](const std::string& line) {
    const bool is_source = line.starts_with("s_mov_") || line.starts_with("s_ashr_") || line.starts_with("s_lshl_");
    return line.find("0.0 =>") != std::string::npos && !is_source && line.ends_with("salu: an error");
  });
  EXPECT_EQ(differences, std::set<std::string>{});
  EXPECT_GT(accepted, 1'000U);
  EXPECT_EQ(excused, 4U);
}

INSTANTIATE_TEST_SUITE_P(Llvm, Syntax, testing::ValuesIn(selected(generations())),
                         [](const auto& each) { return test_name(generation_name(each.param)); });

/// A random expression with an arbitrary value.
std::string random_expression(std::mt19937& random, int depth) {
  const auto below = [&](u32 limit) { return static_cast<u32>(random() % limit); };
  if (depth == 0 || below(4) == 0) {
    switch (below(4)) {
      case 0:
        return std::to_string(below(100));
      case 1:
        return std::to_string(static_cast<u32>(random()));
      case 2:
        return "0x7f";
      default:
        return "0xfffffffffffffff0";
    }
  }
  if (below(5) == 0) {
    static const std::vector<std::string> signs = {"-", "~", "!", "+"};
    return signs[below(4)] + "(" + random_expression(random, depth - 1) + ")";
  }
  if (below(4) == 0) return "(" + random_expression(random, depth - 1) + ")";
  static const std::vector<std::string> operators = {
      "+", "-", "*", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "/", "%"};
  const std::string& op = operators[below(static_cast<u32>(operators.size()))];
  std::string right = random_expression(random, depth - 1);
  // Shifts by the width or more and divisions by zero are excluded.
  if (op == "<<" || op == ">>") right = std::to_string(below(64));
  if (op == "/" || op == "%") right = std::to_string(1 + below(1000));
  return random_expression(random, depth - 1) + " " + op + " " + right;
}

/// Operators and their precedence: the low 32 bits of many expressions.
TEST(Expressions, SameAsLlvm) {
  SALU_NEEDS_LLVM;
  std::mt19937 random(7);
  std::vector<std::string> lines;
  for (int i = 0; i < 5'000; ++i) {
    // Six bits would be an inline constant; the shift by a literal keeps eight bytes.
    lines.push_back("s_mov_b32 s0, ((" + random_expression(random, 4) + ") & 0xffff) + 0x10000");
  }
  std::size_t accepted = 0;
  EXPECT_EQ(differing(Generation::gcn1_4, "gfx900", lines, &accepted), std::set<std::string>{});
  EXPECT_GT(accepted, 4'900U);
}

}  // namespace
}  // namespace salu::conformance
