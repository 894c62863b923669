#include <salu/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string>

#include "unit/llvm_tools.hpp"
#include "unit/loader_helpers.hpp"

// Source lines of compiled code, against those of llvm-objdump.
namespace salu {
namespace {

using test::LlvmTools;

constexpr std::string_view c_source = R"(__attribute__((noinline)) int square(int x) {
  return x * x;
}
__constant int table[4] = {10, 20, 30, 40};
kernel void k(global int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += table[i & 3];
    out[i] = sum;
  }
  if (n > 7) out[n] = square(n);
}
# 1 "include/of_a_folder.h"
__attribute__((noinline)) int triple(int x) {
  return x * 3;
}
)";

/// `file:line` of each instruction's address, from `llvm-objdump -d -l`: a printed line is valid until the next one.
std::map<u64, std::string> lines_of_objdump(const std::string& listing) {
  std::map<u64, std::string> lines;
  std::istringstream stream(listing);
  std::string place;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("; /")) {
      place = line.substr(2);
      continue;
    }
    const std::size_t comment = line.find("// ");
    if (line.empty() || line[0] != '\t' || comment == std::string::npos) {
      if (line.ends_with(">:")) place.clear();
      continue;
    }
    u64 address = 0;
    std::from_chars(line.data() + comment + 3, line.data() + line.size(), address, 16);
    lines[address] = place;
  }
  return lines;
}

/// Without this option, the choice between two functions would be a remark.
const LoadOptions start_at_kernel = [] {
  LoadOptions options;
  options.symbol = "k";
  options.set = {"s0=0"};  // avoids the remark that nothing is set
  return options;
}();

std::string line_at(const Program& program, u64 address) {
  const auto entry = std::ranges::lower_bound(program.lines, address, {}, &LineEntry::address);
  if (entry == program.lines.end() || entry->address != address) return {};
  return program.files.at(entry->file) + ":" + std::to_string(entry->line);
}

class SourceLinesOf : public testing::TestWithParam<std::string> {
 protected:
  LlvmTools llvm_;
};

TEST_P(SourceLinesOf, CompiledCodeAreThoseOfObjdump) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  SALU_NEEDS(SALU_LLVM_OBJDUMP, "llvm-objdump-19");
  // objdump does not distinguish code without a line from code of the line before; so such code must not exist.
  const std::string options = GetParam() + " -mllvm -use-unknown-locations=Disable";
  (void)llvm_.compile("l.o", c_source, "gfx900", options);
  (void)llvm_.link("l.so", "-shared l.o");
  for (const std::string name : {"l.o", "l.so"}) {
    const auto results = load_bytes(llvm_.read(name), name, start_at_kernel);
    ASSERT_TRUE(results.at(0).has_value()) << results[0].error().to_string();
    const Program& program = results[0]->program;
    EXPECT_TRUE(results[0]->remarks.empty());
    // One function per section, or all in one: objdump counts from zero in each section of an object.
    const bool by_section = GetParam().find("-ffunction-sections") != std::string::npos && name == "l.o";
    std::size_t compared = 0;
    for (const CodeBlock& block : program.code) {
      const std::string function = program.describe_address(block.base);
      const std::string section = by_section ? ".text." + function : ".text";
      const auto expected =
          lines_of_objdump(llvm_.run(std::string(SALU_LLVM_OBJDUMP) + " -d -l -j " + section + " " + name));
      for (const auto& [address, place] : expected) {
        const u64 here = name == "l.so" ? 0x1000 + address : block.base + address;
        if (!block.contains(here)) continue;
        const auto holds = [here](const Symbol& symbol) { return here - symbol.address < symbol.size_bytes; };
        // Padding after a function has no line either.
        if (std::ranges::none_of(program.symbols, holds)) continue;
        const std::string own = line_at(program, here);
        EXPECT_EQ(own, place) << name << " " << std::hex << address;
        ++compared;
      }
    }
    EXPECT_GT(compared, 15U) << name;
    // The folder of a header is a subfolder of the unit's folder.
    EXPECT_TRUE(std::ranges::any_of(program.files, [](const std::string& file) {
      return file.starts_with('/') && file.ends_with("/include/of_a_folder.h");
    })) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SourceLinesOf,
                         testing::Values("-g", "-gdwarf-4", "-gdwarf-5 -ffunction-sections", "-gdwarf64 -gdwarf-5",
                                         "-gdwarf64 -gdwarf-4", "-gline-tables-only", "-g -gz=zlib"),
                         [](const auto& information) {
                           std::string name;
                           for (const char c : information.param)
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                           return name;
                         });

// The folder of a DWARF 4 table is in its unit, which refers to the table by an offset.
TEST(SourceLines, OfSeveral64BitTables) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  for (const std::string format : {"-gdwarf64 -gdwarf-4", "-gdwarf64 -gdwarf-5"}) {
    const LlvmTools llvm;
    (void)llvm.compile("a.o", "# 1 \"include/a.h\"\nkernel void k(global int *out) { *out = 1; }\n", "gfx900", format);
    for (const std::string name : {"b", "c"}) {
      const std::string header = "# 1 \"include/" + name + ".h\"\n";
      (void)llvm.compile(name + ".o", header + "kernel void " + name + "(global int *out) { *out = 2; }\n", "gfx900",
                         format);
    }
    const auto results = load_bytes(llvm.link("l.so", "-shared a.o b.o c.o"), "l.so", start_at_kernel);
    ASSERT_TRUE(results.at(0).has_value()) << results[0].error().to_string();
    EXPECT_TRUE(results[0]->remarks.empty());
    const Program& program = results[0]->program;
    for (const auto& [kernel, header] : {std::pair("k", "a.h"), {"b", "b.h"}, {"c", "c.h"}}) {
      const auto symbol = std::ranges::find(program.symbols, kernel, &Symbol::name);
      ASSERT_NE(symbol, program.symbols.end()) << kernel;
      EXPECT_EQ(line_at(program, symbol->address), llvm.folder().path("include/") + header + ":1") << format;
      EXPECT_EQ(line_at(program, symbol->address + symbol->size_bytes - 4),
                llvm.folder().path("include/") + header + ":1")
          << format;
    }
  }
}

TEST(SourceLines, OfAssembly) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const LlvmTools llvm;
  const std::string object = llvm.assemble("a.o",
                                           "f:\n"
                                           "  s_mov_b32 s0, 1\n"
                                           "\n"
                                           "  s_mov_b32 s1, 0x12345\n"
                                           "  s_endpgm\n"
                                           ".type f,@function\n.size f, .-f\n",
                                           "gfx900", "-g");
  const auto results = load_bytes(object, "a.o");
  ASSERT_TRUE(results.at(0).has_value());
  const Program& program = results[0]->program;
  ASSERT_EQ(program.files.size(), 1U);
  EXPECT_TRUE(program.files[0].ends_with("a.o.s"));
  EXPECT_TRUE(line_at(program, 0x1000).ends_with("a.o.s:2"));
  EXPECT_TRUE(line_at(program, 0x1004).ends_with("a.o.s:4"));
  EXPECT_TRUE(line_at(program, 0x100c).ends_with("a.o.s:5"));
  EXPECT_EQ(line_at(program, 0x1010), "");
}

TEST(SourceLines, NeedDebuggingInformation) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const LlvmTools llvm;
  const auto results =
      load_bytes(llvm.assemble("a.o", "f: s_endpgm\n.type f,@function\n.size f, .-f\n", "gfx900"), "a.o");
  ASSERT_TRUE(results.at(0).has_value());
  EXPECT_TRUE(results[0]->program.lines.empty());
  EXPECT_TRUE(results[0]->remarks.empty());
}

// dwz moves parts of the information into a file that the object names; for security, no file is opened because an
// object names it.
TEST(SourceLines, InformationInAnotherFileIsLeftOut) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const LlvmTools llvm;
  const auto results = load_bytes(llvm.assemble("a.o",
                                                "f: s_endpgm\n.type f,@function\n.size f, .-f\n"
                                                ".section .gnu_debugaltlink,\"\",@progbits\n"
                                                ".asciz \"other.debug\"\n.space 20, 0x12\n",
                                                "gfx900", "-g"),
                                  "a.o");
  ASSERT_TRUE(results.at(0).has_value());
  EXPECT_TRUE(results[0]->program.lines.empty());
  ASSERT_EQ(results[0]->remarks.size(), 1U);
  EXPECT_THAT(results[0]->remarks[0].message, testing::HasSubstr("it refers to another file"));
}

TEST(SourceLines, DamagedDebuggingInformationIsLeftOut) {
  SALU_NEEDS(SALU_CLANG, "clang-19");
  const LlvmTools llvm;
  const std::string object = llvm.compile("d.o", c_source, "gfx900", "-g");
  const auto sections = test::sections_of(object);
  const auto& lines = sections.at(".debug_line");
  std::size_t remarks = 0;
  for (std::size_t i = 0; i < lines.header.sh_size; ++i) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = object;
      damaged[lines.header.sh_offset + i] = value;
      const auto results = load_bytes(damaged, "d.o", start_at_kernel);
      ASSERT_TRUE(results.at(0).has_value()) << results[0].error().to_string();
      for (const Remark& remark : results[0]->remarks) {
        EXPECT_THAT(remark.message, testing::HasSubstr("the debugging information cannot be read and is ignored"));
        ++remarks;
      }
      const CodeBlock& block = results[0]->program.code.at(0);
      for (const LineEntry& entry : results[0]->program.lines) ASSERT_TRUE(block.contains(entry.address));
    }
  }
  EXPECT_GT(remarks, 10U);
}

}  // namespace
}  // namespace salu
