#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "columns.hpp"
#include "conformance/tsv.hpp"
#include "isa/decode.hpp"
#include "isa/hwreg.hpp"
#include "isa/instruction.hpp"
#include "isa/operand.hpp"

// The instruction, operand and hardware register tables against the facts in tests/data/isa, in both directions:
// nothing missing, nothing extra.
namespace salu::conformance {

std::vector<std::map<std::string, std::string>> read_tsv(std::string_view name) {
  std::ifstream stream(std::string(SALU_TEST_DATA_DIR "/isa/") + std::string(name));
  if (!stream) throw std::runtime_error("cannot read " + std::string(name));
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    return cells;
  };
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> header = split(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line);
    if (cells.size() != header.size()) throw std::runtime_error("a row of another width: " + line);
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[header[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

namespace {

using isa::Field;
using isa::InstructionInfo;
using isa::OperandKind;
using isa::OperandSpec;

using Row = std::map<std::string, std::string>;

std::string name(Generation generation) { return std::string(generation_name(generation)); }
/// The column of the tables for a generation.
std::string column(Generation generation) { return name(test::column_of(generation)); }

/// Rows of the code by format and mnemonic; there can be several if generations behave differently.
std::multimap<std::pair<std::string, std::string>, const InstructionInfo*> rows_by_name() {
  std::multimap<std::pair<std::string, std::string>, const InstructionInfo*> result;
  for (const InstructionInfo& info : isa::all_instructions()) {
    result.emplace(std::pair{std::string(isa::format_name(info.format)), std::string(info.mnemonic)}, &info);
  }
  return result;
}

TEST(OpcodeTable, SameNumbersOnEveryGeneration) {
  using Entry = std::tuple<std::string, std::string, std::string, int>;  // format, mnemonic, generation, opcode
  std::set<Entry> expected;
  for (const Row& row : read_tsv("opcodes.tsv")) {
    for (const Generation generation : all_generations()) {
      const std::string& number = row.at(column(generation));
      if (number != "-") expected.emplace(row.at("format"), row.at("mnemonic"), name(generation), std::stoi(number));
    }
  }
  std::set<Entry> actual;
  std::size_t count = 0;
  for (const InstructionInfo& info : isa::all_instructions()) {
    for (const Generation generation : all_generations()) {
      if (info.opcode(generation) == isa::absent) continue;
      actual.emplace(isa::format_name(info.format), info.mnemonic, name(generation), info.opcode(generation));
      ++count;
    }
  }
  EXPECT_GT(expected.size(), 1'400U);
  EXPECT_EQ(count, actual.size()) << "two rows with one mnemonic on one generation";
  EXPECT_EQ(actual, expected);
}

/// The values that the opcode table has for dst, src0, src1 and the kind of immediate, from the shape of a row.
struct Columns {
  int dst = 0;
  int src0 = 0;
  int src1 = 0;
  std::string immediate = "none";
  bool reads_destination = false;
  friend bool operator==(const Columns&, const Columns&) = default;
};

std::ostream& operator<<(std::ostream& out, const Columns& columns) {
  return out << "dst " << columns.dst << ", src0 " << columns.src0 << ", src1 " << columns.src1 << ", "
             << columns.immediate << (columns.reads_destination ? ", reads its destination" : "");
}

std::string immediate_name(const OperandSpec& operand, isa::Format format) {
  switch (operand.kind) {
    case OperandKind::simm16:
      return "simm16 signed";
    case OperandKind::uimm16:
      return "simm16 unsigned";
    case OperandKind::branch:
      return "branch";
    case OperandKind::hwreg:
      return "hwreg";
    case OperandKind::waitcnt:
      return "waitcnt";
    case OperandKind::sendmsg:
      return "sendmsg";
    case OperandKind::gpr_idx:
      return operand.field == Field::ssrc1 ? "raw SSRC1 field, 4 enable bits" : "simm16 unsigned (4 enable bits)";
    case OperandKind::memory_offset:
      return format == isa::Format::smrd ? "dword offset8 | sgpr (GCN1.1: | literal dwords)"
                                         : "byte offset20u | sgpr (GFX9: offset21s, sgpr, or both)";
    default:
      return {};
  }
}

Columns columns_of(const InstructionInfo& info) {
  Columns columns;
  const bool is_compare_and_swap = info.mnemonic.find("cmpswap") != std::string_view::npos;
  for (const OperandSpec& operand : info.shape.span()) {
    switch (operand.field) {
      case Field::sdst:
        if (operand.writes) columns.dst = operand.dwords;
        if (operand.reads) columns.src0 = operand.dwords;
        columns.reads_destination = operand.reads && operand.writes;
        break;
      case Field::ssrc0:
        columns.src0 = operand.dwords;
        break;
      case Field::ssrc1:
        columns.src1 = operand.dwords;
        break;
      case Field::sbase:
        columns.src0 = operand.dwords;
        break;
      case Field::sdata:
        if (operand.writes) columns.dst = is_compare_and_swap ? operand.dwords / 2 : operand.dwords;
        if (operand.reads) columns.src1 = operand.dwords;
        break;
      default:
        break;
    }
    if (operand.field == Field::literal) columns.immediate += " + mandatory 32-bit literal dword";
    const std::string name = immediate_name(operand, info.format);
    if (!name.empty()) columns.immediate = name;
  }
  // The table counts the old value of a one-source instruction as an implicit read.
  if (columns.reads_destination && info.shape.find(Field::ssrc0) != nullptr) {
    columns.src0 = info.shape.find(Field::ssrc0)->dwords;
  }
  return columns;
}

TEST(OpcodeTable, SameOperands) {
  const auto rows = rows_by_name();
  std::size_t compared = 0;
  for (const Row& row : read_tsv("opcodes.tsv")) {
    const auto [begin, end] = rows.equal_range({row.at("format"), row.at("mnemonic")});
    EXPECT_NE(begin, end) << row.at("mnemonic");
    for (auto each = begin; each != end; ++each, ++compared) {
      const InstructionInfo& info = *each->second;
      const bool old_value = row.at("implicit_reads") == "SDST(old value)";
      const bool is_addk = info.format == isa::Format::sopk && row.at("dst_dw") != "0" && row.at("src0_dw") != "0";
      const Columns expected{std::stoi(row.at("dst_dw")), std::stoi(row.at("src0_dw")), std::stoi(row.at("src1_dw")),
                             row.at("imm_kind"), old_value || is_addk};
      EXPECT_EQ(columns_of(info), expected) << row.at("mnemonic");
    }
  }
  EXPECT_EQ(compared, isa::insn_count);
}

isa::EffectSet effects_of(const std::string& text) {
  namespace effect = isa::effect;
  const std::map<std::string, isa::EffectSet> known = {
      {"-", effect::none},
      {"EXEC", effect::exec},
      {"EXECZ", effect::exec},
      {"VCCZ", effect::vcc},
      {"PC", effect::pc},
      {"M0", effect::m0},
      {"M0[7:0]", effect::m0},
      {"M0[15:12]", effect::m0},
      {"CSP", effect::csp},
      {"SGPR[CSP*4..+3]", effect::stack},
      {"HWREG", effect::hwreg},
      {"TBA", effect::tba},
      {"TTMP0", effect::ttmp01},
      {"TTMP1", effect::ttmp01},
      {"STATUS.TRAP_EN", effect::trap_en},
      {"STATUS.PRIV", effect::priv},
      {"STATUS.HALT", effect::halt},
      {"STATUS.USER_PRIO", effect::user_prio},
      {"STATUS.COND_DBG_*", effect::cond_dbg},
      {"MODE.VSKIP", effect::vskip},
      {"MODE.GPR_IDX_EN", effect::gpr_idx_en},
      {"KILL", effect::end},
      {"wave ends", effect::end},
      {"SDST(old value)", effect::none},  // part of the shape
  };
  isa::EffectSet set = effect::none;
  std::istringstream stream(text);
  for (std::string name; std::getline(stream, name, ',');) set |= known.at(name);
  return set;
}

TEST(OpcodeTable, SameEffects) {
  namespace effect = isa::effect;
  // The table does not list the accesses of memory instructions and MOVREL through addresses and indices; its notes
  // describe them.
  constexpr isa::EffectSet not_in_table = effect::memory | effect::relative | effect::inst_atc;
  const auto rows = rows_by_name();
  std::size_t compared = 0;
  for (const Row& row : read_tsv("opcodes.tsv")) {
    const auto [begin, end] = rows.equal_range({row.at("format"), row.at("mnemonic")});
    for (auto each = begin; each != end; ++each, ++compared) {
      isa::EffectSet reads = effects_of(row.at("implicit_reads"));
      isa::EffectSet writes = effects_of(row.at("implicit_writes"));
      if (row.at("reads_scc") == "1") reads |= effect::scc;
      // Whether a return from a trap handler is allowed depends on STATUS.PRIV (semantics.md 8); the table does not
      // count that.
      if (row.at("mnemonic").starts_with("s_rfe_")) reads |= effect::priv;
      if (row.at("writes_scc") == "1") writes |= effect::scc;
      EXPECT_EQ(each->second->reads & ~not_in_table, reads) << row.at("mnemonic") << " reads";
      EXPECT_EQ(each->second->writes & ~not_in_table, writes) << row.at("mnemonic") << " writes";
    }
  }
  EXPECT_EQ(compared, isa::insn_count);
}

TEST(OpcodeTable, SameAliases) {
  std::set<std::pair<std::string, std::string>> expected;
  for (const Row& row : read_tsv("opcodes.tsv")) {
    if (row.at("clrx_aliases") != "-") expected.emplace(row.at("clrx_aliases"), row.at("mnemonic"));
  }
  std::set<std::pair<std::string, std::string>> actual;
  for (const isa::MnemonicAlias& alias : isa::mnemonic_aliases()) actual.emplace(alias.alias, alias.mnemonic);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(actual, expected);
}

std::optional<isa::OperandClass> class_of(const std::string& name) {
  using isa::OperandClass;
  const std::vector<std::pair<std::string, OperandClass>> prefixes = {
      {"SGPR", OperandClass::sgpr},
      {"FLAT_SCRATCH", OperandClass::flat_scratch},
      {"XNACK_MASK", OperandClass::xnack_mask},
      {"VCCZ", OperandClass::vccz},
      {"VCC_", OperandClass::vcc},
      {"TBA_", OperandClass::tba},
      {"TMA_", OperandClass::tma},
      {"TTMP", OperandClass::ttmp},
      {"M0", OperandClass::m0},
      {"EXECZ", OperandClass::execz},
      {"EXEC_", OperandClass::exec},
      {"SRC_", OperandClass::aperture},
      {"POPS", OperandClass::pops_exiting_wave_id},
      {"1/(2*PI)", OperandClass::floating},
      {"SCC", OperandClass::scc},
      {"LITERAL", OperandClass::literal},
      {"reserved", OperandClass::reserved},
      // Sources of the vector unit are not operands of the scalar unit.
      {"SDWA", OperandClass::reserved},
      {"DPP", OperandClass::reserved},
      {"LDS_DIRECT", OperandClass::reserved},
  };
  for (const auto& [prefix, operand] : prefixes) {
    if (name.starts_with(prefix)) return operand;
  }
  if (name.find(".0") != std::string::npos || name.find(".5") != std::string::npos) return OperandClass::floating;
  if (name.find_first_not_of("-.0123456789") == std::string::npos) return OperandClass::integer;
  return std::nullopt;
}

TEST(OperandTable, EveryCodeOnEveryGeneration) {
  std::size_t compared = 0;
  for (const Generation generation : all_generations()) {
    // A code that the table does not list for a generation is reserved there.
    std::map<int, isa::OperandClass> expected;
    for (const Row& row : read_tsv("operands.tsv")) {
      if (row.at(column(generation)) != "yes") continue;
      const auto operand = class_of(row.at("name"));
      ASSERT_TRUE(operand) << row.at("name");
      for (int code = std::stoi(row.at("code_first")); code <= std::stoi(row.at("code_last")); ++code) {
        EXPECT_TRUE(expected.emplace(code, *operand).second) << name(generation) << " has code " << code << " twice";
      }
    }
    for (int code = 0; code < 256; ++code, ++compared) {
      const auto found = expected.find(code);
      const isa::OperandClass wanted = found == expected.end() ? isa::OperandClass::reserved : found->second;
      EXPECT_EQ(isa::operand_class(generation, static_cast<u8>(code)), wanted) << name(generation) << " code " << code;
    }
  }
  EXPECT_EQ(compared, generation_count * 256);
}

TEST(OperandTable, ValuesOfInlineConstants) {
  std::size_t compared = 0;
  for (const Row& row : read_tsv("operands.tsv")) {
    const auto operand = class_of(row.at("name"));
    if (operand != isa::OperandClass::integer && operand != isa::OperandClass::floating) continue;
    for (int code = std::stoi(row.at("code_first")); code <= std::stoi(row.at("code_last")); ++code, ++compared) {
      u32 expected32 = 0;
      u64 expected64 = 0;
      if (operand == isa::OperandClass::floating || code == 128) {
        expected32 = static_cast<u32>(std::stoul(row.at("value_32bit_operand"), nullptr, 16));
        expected64 = std::stoull(row.at("value_64bit_operand"), nullptr, 16);
      } else if (row.at("value_32bit_operand") == "code-128") {
        expected32 = static_cast<u32>(code - 128);
        expected64 = expected32;
      } else {
        ASSERT_TRUE(row.at("value_32bit_operand").starts_with("192-code")) << row.at("value_32bit_operand");
        expected32 = static_cast<u32>(192 - code);
        expected64 = static_cast<u64>(i64{192} - code);
      }
      EXPECT_EQ(isa::inline_constant32(static_cast<u8>(code)), expected32) << code;
      EXPECT_EQ(isa::inline_constant64(static_cast<u8>(code)), expected64) << code;
    }
  }
  EXPECT_EQ(compared, 81U + 9U);
}

/// Names of registers as in the table: `s0..s101`, `flat_scratch_lo/_hi`, `m0`.
TEST(OperandTable, RegisterNames) {
  std::size_t compared = 0;
  for (const Row& row : read_tsv("operands.tsv")) {
    const auto operand = class_of(row.at("name"));
    if (!operand || !isa::is_register(*operand)) continue;
    const int first = std::stoi(row.at("code_first"));
    const int last = std::stoi(row.at("code_last"));
    std::string stem = row.at("asm_name");
    stem = stem.substr(0, stem.find_first_of("./,"));
    for (const Generation generation : all_generations()) {
      if (row.at(column(generation)) != "yes") continue;
      for (int code = first; code <= last; ++code, ++compared) {
        std::string expected = stem;
        if (*operand == isa::OperandClass::sgpr) expected = "s" + std::to_string(code);
        if (*operand == isa::OperandClass::ttmp) expected = "ttmp" + std::to_string(code - first);
        if (stem.ends_with("_lo")) expected = stem.substr(0, stem.size() - 2) + (code == first ? "lo" : "hi");
        EXPECT_EQ(isa::register_name(generation, static_cast<u32>(code), 1), expected);
        const auto parsed = isa::parse_register(generation, expected);
        ASSERT_TRUE(parsed) << expected;
        EXPECT_EQ(*parsed, (isa::RegisterSpan{static_cast<u8>(code), 1}));
      }
    }
  }
  EXPECT_GT(compared, generation_count * 120);
}

TEST(HwregTable, SameRegistersAndFields) {
  using Entry =
      std::tuple<int, std::string, std::string, int, int>;  // id, name of register or field, generation, low, high
  std::set<Entry> expected;
  for (const Row& row : read_tsv("hwregs.tsv")) {
    for (const Generation generation : all_generations()) {
      if (row.at(column(generation)) != "yes") continue;
      if (row.at("kind") == "reg") {
        expected.emplace(std::stoi(row.at("id")), row.at("register"), name(generation), -1, -1);
      } else {
        const std::string field = row.at("field").substr(0, row.at("field").find(' '));
        expected.emplace(std::stoi(row.at("id")), field, name(generation), std::stoi(row.at("bit_lo")),
                         std::stoi(row.at("bit_hi")));
      }
    }
  }
  std::set<Entry> actual;
  for (const Generation generation : all_generations()) {
    for (const isa::HwregInfo& hwreg : isa::hwregs()) {
      if (!isa::contains(hwreg.generations, generation)) continue;
      actual.emplace(hwreg.id, hwreg.name, name(generation), -1, -1);
    }
    for (const isa::HwregField& field : isa::hwreg_fields()) {
      if (!isa::contains(field.generations, generation)) continue;
      actual.emplace(field.id, field.name, name(generation), field.low_bit, field.high_bit);
    }
  }
  EXPECT_GT(expected.size(), 500U);
  EXPECT_EQ(actual, expected);
}

}  // namespace
}  // namespace salu::conformance
