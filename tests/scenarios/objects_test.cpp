#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tool.hpp"
#include "unit/llvm_tools.hpp"

// Listings and messages about compiled objects contain symbols and source lines.
namespace salu::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view source = R"(
.globl f
.type f,@function
f:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, table@rel32@lo+4
  s_addc_u32 s1, s1, table@rel32@hi+12
  s_load_dword s2, s[0:1], 0x4
  s_load_dword s3, s[0:1], 0x4000
  s_endpgm
.size f, . - f
.globl g
.type g,@function
g:
  s_mov_b32 s0, other@gotpcrel32@lo
  s_endpgm
.size g, . - g
.section .rodata,"a",@progbits
table: .long 1, 2
)";

TEST(Objects, ListingsNameSymbolsAndLines) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  SALU_NEEDS(SALU_LLD, "lld-19");
  const LlvmTools llvm;
  (void)llvm.assemble("f.o", source, "gfx900", "-g");
  const ToolRun object = run_tool({"dis", llvm.folder().path("f.o")});
  EXPECT_EQ(object.exit_code, 0) << object.err;
  EXPECT_THAT(object.out, testing::StartsWith("f:\n"));
  EXPECT_THAT(object.out, HasSubstr("/f.o.s:5\n  0x000000: be801c00            s_getpc_b64 s[0:1]\n"));
  EXPECT_THAT(object.out, HasSubstr(" // table@rel32@lo+4\n"));
  EXPECT_THAT(object.out, HasSubstr(" // table@rel32@hi+12\n"));
  EXPECT_THAT(object.out, HasSubstr("s_mov_b32 s0, 0 // other@gotpcrel32@lo (not defined here)\n"));

  (void)llvm.link("f.so", "-shared --unresolved-symbols=ignore-all f.o");
  const ToolRun shared = run_tool({"dis", llvm.folder().path("f.so")});
  EXPECT_EQ(shared.exit_code, 0) << shared.err;
  EXPECT_THAT(shared.out, HasSubstr(" // table\n"));
}

TEST(Objects, FaultsNameSymbolAndLine) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const LlvmTools llvm;
  (void)llvm.assemble("f.o", source, "gfx900", "-g");
  const ToolRun run = run_tool({"run", llvm.folder().path("f.o")});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.out, HasSubstr("unmapped_memory at 0x101c (f+0x1c, "));
  EXPECT_THAT(run.out, HasSubstr("/f.o.s:9)"));
  const ToolRun trace = run_tool({"run", "--trace", llvm.folder().path("f.o")});
  EXPECT_THAT(trace.out, HasSubstr("/f.o.s:5\n      1  0x1000: s_getpc_b64 s[0:1]"));
  EXPECT_THAT(trace.out, HasSubstr("/f.o.s:8\n      4  0x1014: s_load_dword s2, s[0:1], 0x4"));
  // The destination of the faulting load is not shown.
  EXPECT_THAT(trace.out, testing::ContainsRegex("0x101c: s_load_dword [^;]*s\\[[0-9:]+\\]=0x[0-9a-f]+\n"));
  const ToolRun missing = run_tool({"run", "--symbol", "g", llvm.folder().path("f.o")});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("refers to `other`"));
}

}  // namespace
}  // namespace salu::test
