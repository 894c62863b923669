#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "columns.hpp"
#include "isa/hwreg.hpp"

namespace salu::isa {
namespace {

/// One line of tests/data/isa/hwregs.tsv.
struct Fact {
  std::string kind;
  u32 id = 0;
  std::string reg;
  std::string field;
  u32 low_bit = 0;
  u32 high_bit = 0;
  std::set<Generation> generations;
  std::string access;
};

std::vector<Fact> read_facts() {
  std::ifstream in(std::string(SALU_TEST_DATA_DIR) + "/isa/hwregs.tsv");
  std::vector<Fact> facts;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> columns;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) columns.push_back(cell);
    if (columns.size() < 14) continue;
    Fact fact;
    fact.kind = columns[0];
    fact.id = static_cast<u32>(std::stoul(columns[1]));
    fact.reg = columns[2];
    fact.field = columns[3].substr(0, columns[3].find(' '));
    if (fact.kind == "field") {
      fact.low_bit = static_cast<u32>(std::stoul(columns[4]));
      fact.high_bit = static_cast<u32>(std::stoul(columns[5]));
    }
    for (const Generation each : all_generations()) {
      if (columns[6 + test::column_index(each)] == "yes") fact.generations.insert(each);
    }
    fact.access = columns[13].substr(0, 2);
    facts.push_back(fact);
  }
  return facts;
}

std::set<Generation> members(GenerationSet set) {
  std::set<Generation> list;
  for (const Generation each : all_generations()) {
    if (contains(set, each)) list.insert(each);
  }
  return list;
}

std::string access_text(HwregAccess access) {
  return access == HwregAccess::read_write ? "rw" : access == HwregAccess::read_only ? "ro" : "wo";
}

TEST(Hwreg, RegistersAreThoseOfTheTable) {
  using Row = std::tuple<u32, std::string, std::set<Generation>, std::string>;
  std::multiset<Row> expected;
  for (const Fact& fact : read_facts()) {
    if (fact.kind == "reg") expected.emplace(fact.id, fact.reg, fact.generations, fact.access);
  }
  std::multiset<Row> actual;
  for (const HwregInfo& info : hwregs()) {
    actual.emplace(info.id, std::string(info.name), members(info.generations), access_text(info.access));
  }
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(actual.size(), 24U);
}

TEST(Hwreg, FieldsAreThoseOfTheTable) {
  using Row = std::tuple<u32, std::string, u32, u32, std::set<Generation>>;
  std::multiset<Row> expected;
  for (const Fact& fact : read_facts()) {
    if (fact.kind == "field") expected.emplace(fact.id, fact.field, fact.low_bit, fact.high_bit, fact.generations);
  }
  std::multiset<Row> actual;
  for (const HwregField& field : hwreg_fields()) {
    actual.emplace(field.id, std::string(field.name), field.low_bit, field.high_bit, members(field.generations));
  }
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(actual.size(), 87U);
}

TEST(Hwreg, NoTwoFieldsOfARegisterOverlap) {
  for (const Generation generation : all_generations()) {
    for (u32 id = 0; id < hwreg_id::count; ++id) {
      u32 seen = 0;
      for (const HwregField* field : hwreg_fields(generation, id)) {
        EXPECT_EQ(seen & field->mask(), 0U) << generation_name(generation) << ' ' << field->name;
        seen |= field->mask();
      }
    }
  }
}

TEST(Hwreg, FindsByIdAndName) {
  EXPECT_EQ(find_hwreg(Generation::gcn1_0, 1)->name, "MODE");
  EXPECT_EQ(find_hwreg(Generation::gcn1_0, 15), nullptr);
  EXPECT_EQ(find_hwreg(Generation::gcn1_4, 15)->name, "SH_MEM_BASES");
  EXPECT_EQ(find_hwreg(Generation::cdna2, 20), nullptr);
  EXPECT_EQ(find_hwreg(Generation::cdna3, 20)->name, "XCC_ID");
  EXPECT_EQ(find_hwreg(Generation::gcn1_4, 63), nullptr);
  for (const char* name : {"MODE", "mode", "HW_REG_MODE", "hw_reg_mode"}) {
    ASSERT_NE(find_hwreg(Generation::gcn1_0, name), nullptr) << name;
    EXPECT_EQ(find_hwreg(Generation::gcn1_0, name)->id, 1);
  }
  for (const char* name : {"", "HW_REG_", "MOD", "MODES", "HW_REG_HW_REG_MODE", "tba_lo"}) {
    EXPECT_EQ(find_hwreg(Generation::gcn1_0, name), nullptr) << name;
  }
}

TEST(Hwreg, FieldsMoveBetweenGenerations) {
  EXPECT_EQ(find_hwreg_field(Generation::gcn1_0, hwreg_id::mode, "excp_en")->high_bit, 18);
  EXPECT_EQ(find_hwreg_field(Generation::gcn1_1, hwreg_id::mode, "excp_en")->high_bit, 20);
  EXPECT_EQ(find_hwreg_field(Generation::gcn1_0, hwreg_id::mode, "gpr_idx_en"), nullptr);
  EXPECT_EQ(find_hwreg_field(Generation::cdna2, hwreg_id::status, "COND_DBG_USER"), nullptr);
  const HwregField* csp = find_hwreg_field(Generation::gcn1_0, hwreg_id::mode, "CSP");
  ASSERT_NE(csp, nullptr);
  EXPECT_EQ(csp->width(), 3);
  EXPECT_EQ(csp->mask(), 0xe0000000U);
}

// llvm-mc-19 prints `hwreg(8)` to `hwreg(14)` as numbers, the others by name.
TEST(Hwreg, LlvmKnowsAllButTheDebugRegisters) {
  for (const HwregInfo& info : hwregs()) EXPECT_EQ(info.in_llvm, info.id < 8 || info.id > 14) << info.name;
}

}  // namespace
}  // namespace salu::isa
