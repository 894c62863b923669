// Input and output files: input is never lost, and failed writes are reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/tool.hpp"
#include "unit/llvm_tools.hpp"

namespace salu::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view plain_scenario =
    "target: gfx900\n"
    "code: {asm: \"s_mov_b32 s0, 1\\ns_endpgm\"}\n"
    "expect: {registers: {s0: 1}}\n";

class Files : public testing::Test {
 protected:
  Files() {
    (void)workspace_.write("a.yaml", plain_scenario);
    (void)workspace_.write("b.yaml", plain_scenario);
    (void)workspace_.write("a.s", "s_mov_b32 s0, 1\ns_endpgm\n");
    (void)workspace_.write("b.s", "s_mov_b32 s0, 2\ns_endpgm\n");
    (void)workspace_.write("data", "data");
    (void)workspace_.write("names.yaml", "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x1000, file: data}]\n");
    (void)workspace_.write("rows.csv", "s0,expect.s0\n1,1\n");
    (void)workspace_.write("table.yaml", std::string(plain_scenario) + "cases: {file: rows.csv}\n");
    std::filesystem::create_symlink("a.yaml", workspace_.path("link.yaml"));
    std::filesystem::create_hard_link(workspace_.path("a.yaml"), workspace_.path("hard.yaml"));
    std::filesystem::create_directory(workspace_.path("folder"));
  }

  [[nodiscard]] ToolRun shell(const std::string& line) const { return run_shell(line, workspace_.path("")); }
  [[nodiscard]] std::string read(const std::string& name) const { return read_text(workspace_.path(name)); }

  Workspace workspace_;
};

TEST_F(Files, NoOutputTakesThePlaceOfAnInput) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::vector<std::string> lines = {
      "salu run a.yaml --trace-file a.yaml",
      "salu run a.yaml --trace-file ./folder/../a.yaml",
      "salu run a.yaml --trace-file link.yaml",
      "salu run a.yaml --trace-file hard.yaml",
      "salu run b.yaml a.yaml --trace-file a.yaml",
      "salu run b.yaml --state a.yaml --trace-file a.yaml",
      "salu run - --trace-file a.yaml <a.yaml",
      "salu run names.yaml --trace-file data",
      "salu run b.yaml names.yaml --trace-file data",
      "salu report a.yaml -o a.yaml",
      "salu report link.yaml -o hard.yaml",
      "salu report names.yaml -o data",
      "salu test a.yaml --junit a.yaml",
      "salu test . --junit ./a.yaml",
      "salu test a.yaml --coverage link.yaml",
      "salu asm --mcpu gfx900 a.s -o a.s",
      "salu asm --mcpu gfx900 - -o a.s <a.s",
      "salu equiv a.yaml b.s -o a.yaml",
      "salu equiv a.s b.s --mcpu gfx900 --outputs s0 -o b.s",
      "salu test a.yaml --junit x.xml --coverage ./x.xml",
      "salu test a.yaml --junit folder/x.xml --coverage folder/../folder/x.xml",
      "ln -sf x.xml dangling; salu test a.yaml --junit x.xml --coverage dangling",
      "salu asm --mcpu gfx900 including.s -o part.s",
      "salu asm --mcpu gfx900 including.s -o data",
      "salu asm --mcpu gfx900 --assembler llvm including.s -o part.s",
      "salu asm --mcpu gfx900 --assembler llvm including.s -o data",
      "salu info --mcpu gfx900 including.s -o part.s",
      "salu run --mcpu gfx900 --assembler llvm including.s --trace-file part.s",
      "salu report --mcpu gfx900 --assembler llvm including.s -o part.s",
  };
  (void)workspace_.write("including.s", ".include \"between.s\"\ns_endpgm\n");
  (void)workspace_.write("between.s", "  .include  \"part.s\"\n.incbin \"data\"\n");
  (void)workspace_.write("part.s", "s_nop 0\n");
  for (const std::string& line : lines) {
    const ToolRun refused = shell(line);
    EXPECT_EQ(refused.exit_code, 2) << line << "\n" << refused.err;
    EXPECT_THAT(refused.err, testing::AnyOf(HasSubstr("would overwrite"), HasSubstr("be overwritten by the output"),
                                            HasSubstr("name the same file")))
        << line;
    EXPECT_EQ(read("a.yaml"), plain_scenario) << line;
    EXPECT_EQ(read("b.yaml"), plain_scenario) << line;
    EXPECT_THAT(read("a.s"), StartsWith("s_mov")) << line;
    EXPECT_THAT(read("b.s"), StartsWith("s_mov")) << line;
    EXPECT_EQ(read("data"), "data") << line;
    EXPECT_EQ(read("part.s"), "s_nop 0\n") << line;
  }
  // In a suite, it is one scenario that cannot be loaded.
  const ToolRun suite = shell("salu test a.yaml table.yaml names.yaml --junit data --coverage rows.csv");
  EXPECT_EQ(suite.exit_code, 2);
  EXPECT_EQ(read("rows.csv"), "s0,expect.s0\n1,1\n");
  EXPECT_EQ(read("data"), "data");
}

TEST_F(Files, AnOutputHasAName) {
  for (const std::string line :
       {"salu run a.yaml --trace-file ''", "salu report a.yaml -o ''", "salu test a.yaml --junit ''",
        "salu test a.yaml --coverage ''", "salu asm --mcpu gfx900 a.s -o ''", "salu equiv a.yaml b.s -o ''"}) {
    const ToolRun refused = shell(line);
    EXPECT_EQ(refused.exit_code, 2) << line;
    EXPECT_THAT(refused.err, HasSubstr("expected a file name, found ``")) << line;
  }
}

TEST_F(Files, UnwritableFilesAreReportedFirst) {
  const ToolRun folder = shell("salu report a.yaml -o folder");
  EXPECT_EQ(folder.exit_code, 3);
  EXPECT_EQ(folder.err, "--output: error: cannot write folder: it is a folder\n");
  std::filesystem::permissions(workspace_.path("data"), std::filesystem::perms{0444});
  EXPECT_EQ(shell("salu report a.yaml -o data").exit_code, 3);
  EXPECT_EQ(read("data"), "data");
}

// ---- streams ----

TEST_F(Files, AClosedStandardOutputIsAnError) {
  for (const std::string command : {"salu run a.yaml", "salu test a.yaml", "salu targets", "salu run a.yaml --trace",
                                    "salu report a.yaml -o -", "salu asm --mcpu gfx900 a.s", "salu --help"}) {
    const ToolRun closed = shell(command + " >&-");
    EXPECT_EQ(closed.exit_code, 3) << command;
    EXPECT_EQ(closed.err, "error: cannot write to standard output: Bad file descriptor\n") << command;
    const ToolRun full = shell(command + " >/dev/full");
    EXPECT_EQ(full.exit_code, 3) << command;
    EXPECT_EQ(full.err, "error: cannot write to standard output: No space left on device\n") << command;
  }
}

TEST_F(Files, NoFileTakesTheNumberOfAClosedStream) {
  // The report was written to the descriptor of the trace.
  (void)shell("salu run a.yaml --trace-file trace >&-");
  EXPECT_THAT(read("trace"), testing::Not(HasSubstr("end_program")));
  const ToolRun no_input = shell("salu run - <&-");
  EXPECT_EQ(no_input.exit_code, 3);
  EXPECT_THAT(no_input.err, HasSubstr("<stdin>: error: cannot read the file: Bad file descriptor"));
  EXPECT_EQ(shell("salu test a.yaml --junit report.xml 2>&-").exit_code, 0);
  EXPECT_THAT(read("report.xml"), StartsWith("<?xml"));
}

TEST_F(Files, ATraceThatCannotBeWrittenEndsTheRun) {
  (void)workspace_.write("forever.yaml",
                         "target: gfx900\ncode: {asm: \"x: s_branch x\"}\nlimits: {steps: 1000000000000}\n");
  for (const std::string where : {"--trace-file /dev/full", "--trace >/dev/full", "--trace | head -n 1 >/dev/null"}) {
    const ToolRun ended = shell("timeout 60 salu run forever.yaml " + where);
    EXPECT_NE(ended.exit_code, 124) << where;
  }
  EXPECT_EQ(shell("timeout 60 salu run forever.yaml --trace-file /dev/full").exit_code, 3);
  EXPECT_EQ(shell("timeout 60 salu run forever.yaml --trace --format json 2>/dev/full").exit_code, 3);
  // A run that ends otherwise has a different exit code.
  EXPECT_EQ(shell("salu run forever.yaml --max-steps 10 --trace-file /dev/full").exit_code, 3);
}

// ---- --update ----

class UpdateOfFiles : public Files {
 protected:
  UpdateOfFiles() {
    for (int i = 0; i < tests; ++i) {
      const std::string number = std::to_string(i);
      text_ += (i == 0 ? "" : "---\n") + ("name: t" + number) + "\ntarget: gfx900\ncode: {asm: \"s_mov_b32 s0, " +
               number + "\\ns_endpgm\"}\nexpect: {registers: {s0: 1000}}\n";
    }
    (void)workspace_.write("many.yaml", text_);
  }
  static constexpr int tests = 40;
  std::string text_;
};

// Each of two updates changes its own half: the second one keeps the change of the first, or fails.
TEST_F(UpdateOfFiles, TwoAtOnceLoseNothing) {
  for (int round = 0; round < 10; ++round) {
    (void)workspace_.write("many.yaml", text_);
    const ToolRun both = shell(
        "salu test --update -k 't1' many.yaml >1.out 2>&1 & first=$!\n"
        "salu test --update -k 't2' many.yaml >2.out 2>&1; second=$?\n"
        "wait $first; echo $? $second");
    const std::string now = read("many.yaml");
    const bool first = now.find("s_mov_b32 s0, 1\\ns_endpgm\"}\nexpect: {registers: {s0: 1}}") != std::string::npos;
    const bool second = now.find("s_mov_b32 s0, 2\\ns_endpgm\"}\nexpect: {registers: {s0: 2}}") != std::string::npos;
    EXPECT_EQ(both.out, std::string(first ? "0 " : "3 ") + (second ? "0\n" : "3\n")) << read("1.out") << read("2.out");
    EXPECT_EQ(read("1.out").find("it has changed since it was read") == std::string::npos, first);
    EXPECT_EQ(read("2.out").find("it has changed since it was read") == std::string::npos, second);
    EXPECT_TRUE(first || second);
  }
}

TEST_F(UpdateOfFiles, AReadOnlyFileStays) {
  std::filesystem::permissions(workspace_.path("many.yaml"), std::filesystem::perms{0444});
  const ToolRun refused = shell("salu test --update many.yaml");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("many.yaml: error: cannot write the file: "));
  EXPECT_THAT(refused.out, testing::Not(HasSubstr("What is expected now")));
  EXPECT_EQ(read("many.yaml"), text_);
}

TEST_F(UpdateOfFiles, LinksStay) {
  std::filesystem::create_hard_link(workspace_.path("many.yaml"), workspace_.path("same.yaml"));
  EXPECT_EQ(shell("salu test --update same.yaml").exit_code, 0);
  EXPECT_EQ(read("many.yaml"), read("same.yaml"));
  EXPECT_NE(read("many.yaml"), text_);
}

// ---- terminals ----

// A name, a label, a source line and a file name with characters that move the cursor, ring the bell, hide text or
// reverse it.
TEST_F(Files, NothingFromOutsideActsOnATerminal) {
  const std::string evil =
      "\x1b[2J\a\x7f\xc2\x9b"
      "31m\xe2\x80\xae";
  const std::string name = "evil\x1b[8m\xe2\x80\xae.yaml";
  (void)workspace_.write(name,
                         "name: \"\\e[2J\\a\\x7f\\x9b31m\\u202e\\nPASS: all\"\ntarget: gfx900\n"
                         "code: {asm: \"x: s_branch x\"}\nlimits: {steps: 10}\nexpect: {registers: {s0: 1}}\n");
  (void)workspace_.write("wrong" + name, "target: gfx900\ncode: {asm: s_endpgm}\n" + evil.substr(8) + ": 1\n");
  (void)workspace_.write("evil.s",
                         "s_mov_b32 s0, \xe2\x80\xae"
                         "1\ns_bogus \xe2\x80\xae\n");
  for (const std::string command :
       {"run", "run --trace", "run --check", "run --color always", "run --strict --check-undefined", "test", "test -v",
        "test --color always", "test --list", "equiv a.yaml", "report -o x.html", "run --format nothing",
        "run --symbol nothing", "asm --mcpu gfx900", "dis --mcpu gfx900"}) {
    for (const std::string& file :
         {"'" + name + "'", "'wrong" + name + "'", std::string("evil.s --mcpu gfx900"), "'" + evil + "'"}) {
      const ToolRun run = shell("salu " + command + " " + file);
      const std::string all = run.out + run.err;
      for (const std::string bad : {"\x1b[2J", "\x1b[8m", "\a", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\nPASS: all"})
        EXPECT_EQ(all.find(bad), std::string::npos) << command << ' ' << file << ": " << all;
    }
  }
}

// ---- limits ----

TEST_F(Files, StoresDoNotFillTheMachine) {
  // A dword on each of a million pages.
  (void)workspace_.write("greedy.yaml", R"(target: gfx900
code:
  asm: |
    s_mov_b32 s2, 0x100000
    s_mov_b32 s3, 0
    s_mov_b32 s1, 1
    loop:
    s_store_dword s1, s[2:3], 0x0
    s_add_u32 s2, s2, 0x1000
    s_addc_u32 s3, s3, 0
    s_branch loop
memory: [{at: 0x100000, size: 0x1000000000}]
limits: {memory: 1 MiB}
expect: {stop: memory_limit, registers: {s2: 0x1ff000}}
)");
  const ToolRun checked = shell("salu run --check greedy.yaml");
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("more than 1048576 bytes (`limits: {max_memory: ...}`, --max-memory)"));
  EXPECT_EQ(shell("salu run greedy.yaml").exit_code, 5);
  EXPECT_EQ(shell("salu test greedy.yaml").exit_code, 0);
  const ToolRun less = shell("salu run --check --max-memory 128KiB greedy.yaml");
  EXPECT_EQ(less.exit_code, 1);
  EXPECT_THAT(less.out, HasSubstr("more than 131072 bytes"));
  EXPECT_EQ(shell("salu test --max-memory '2 MiB' greedy.yaml").exit_code, 1);
  for (const std::string size : {"-1", "1TiB", "x", "9000000000000GiB"}) {
    const ToolRun refused = shell("salu run --max-memory=" + size + " greedy.yaml");
    EXPECT_EQ(refused.exit_code, 2) << size;
    EXPECT_THAT(refused.err, HasSubstr("bytes, KiB, MiB or GiB below 2^63")) << size;
  }
  for (const std::string size : {"-1", "1 TiB", "x", "9000000000000 GiB", "[]"}) {
    (void)workspace_.write("wrong.yaml", std::string(plain_scenario) + "limits: {memory: " + size + "}\n");
    EXPECT_EQ(shell("salu run wrong.yaml").exit_code, 3) << size;
  }
}

TEST_F(Files, ARunEndsWhenItsTimeIsUp) {
  (void)workspace_.write("forever.yaml",
                         "target: gfx900\ncode: {asm: \"x: s_branch x\"}\nlimits: {steps: 1000000000000}\n");
  for (const std::string command : {"run", "run --check-undefined", "run --trace-file /dev/null --trace-limit 0"}) {
    const ToolRun ended = shell("timeout 100 salu " + command + " --max-time 0.2 forever.yaml");
    EXPECT_EQ(ended.exit_code, 5) << command;
    EXPECT_THAT(ended.out, HasSubstr("time_limit")) << command;
  }
  const ToolRun tested = shell("timeout 100 salu test --max-time 0.2 forever.yaml a.yaml");
  EXPECT_EQ(tested.exit_code, 1);
  EXPECT_THAT(tested.out, HasSubstr("time_limit"));
  (void)workspace_.write("rows.yaml",
                         "target: gfx900\ncode: {asm: \"x: s_branch x\"}\nlimits: {steps: 1000000000000}\n"
                         "cases: [{s0: 1, expect: {s0: 1, stop: time_limit}}]\n");
  EXPECT_EQ(shell("timeout 100 salu test --max-time 0.2 rows.yaml").exit_code, 0);
  for (const std::string time : {"0", "-1", "nan", "inf", "x"}) {
    const ToolRun refused = shell("timeout 100 salu test --max-time " + time + " rows.yaml");
    EXPECT_EQ(refused.exit_code, 2) << time;
    EXPECT_THAT(refused.err, HasSubstr("--max-time: expected a number above 0, found " + time));
  }
}

// The source files of an object are known only after it was read.
TEST_F(Files, SourceFilesOfObjectsAreGuardedLikeOthers) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::string source = "f:\n  s_mov_b32 s0, 7\n  s_endpgm\n.size f, .-f\n.type f,@function\n";
  (void)workspace_.write("line.s", source);
  (void)workspace_.write("folder/line.yaml", "code: {file: line.o, symbol: f}\n");
  const std::string compile = std::string(SALU_LLVM_MC) + " -triple=amdgcn -mcpu=gfx900 -filetype=obj -g ";
  ASSERT_EQ(shell(compile + "line.s -o folder/line.o").exit_code, 0);
  (void)workspace_.write("list", "list 1,3\n");
  EXPECT_THAT(shell("salu debug folder/line.yaml --command list").out, HasSubstr("s_mov_b32 s0, 7\n"));
  const ToolRun refused = shell("salu debug --root folder folder/line.yaml --command list");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.out + refused.err, HasSubstr("line.s` is outside of folder"));
  EXPECT_THAT(refused.out, testing::Not(HasSubstr("s_endpgm")));
  EXPECT_EQ(shell("cp line.s folder && cd folder && " + compile + "line.s -o line.o").exit_code, 0);
  EXPECT_EQ(shell("salu debug --root folder folder/line.yaml --command list").exit_code, 0);

  for (const std::string option : {"--coverage", "--junit"}) {
    const ToolRun over = shell("salu test folder/line.yaml --coverage lines.info " + option + " folder/line.s");
    EXPECT_EQ(over.exit_code, 2) << option;
    EXPECT_EQ(read("folder/line.s"), source) << option;
  }
}

// Each symbol of an object takes one line, whatever its name is.
TEST_F(Files, SymbolsDoNotBreakLines) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  (void)workspace_.write("names.s", "f:\n  s_endpgm\n.type f,@function\n");
  const std::string assemble = std::string(SALU_LLVM_MC) + " -triple=amdgcn -mcpu=gfx900 -filetype=obj names.s -o ";
  const std::string rename = R"~(llvm-objcopy-19 --redefine-sym f="$(printf 'a\nforged: passed')" f.o names.o)~";
  ASSERT_EQ(shell(assemble + "f.o && " + rename).exit_code, 0);
  const ToolRun listing = shell("salu dis names.o");
  EXPECT_EQ(listing.exit_code, 0) << listing.err;
  EXPECT_THAT(listing.out, testing::StartsWith(R"(a\x0aforged: passed:)"));
}

TEST_F(Files, WordsAreAnInstructionALine) {
  (void)workspace_.write("words.s", "s_load_dword s0, s[2:3], 0\n.long 5\n.long 6\ns_nop 0\ns_mov_b32 s0, 0x1234\n");
  EXPECT_EQ(shell("salu asm --mcpu gfx900 words.s").out,
            "0xc0020001 0x00000000\n0x00000005\n0x00000006\n0xbf800000\n0xbe8000ff 0x00001234\n");
}

// The named files must be regular files, not pipes.
TEST_F(Files, NamedFilesAreRegular) {
  for (const char* const name : {"pipe.bin", "pipe.s", "pipe.csv"})
    ASSERT_EQ(mkfifo(workspace_.path(name).c_str(), 0600), 0);
  const std::string head = "target: gfx900\n";
  const std::vector<std::string> texts = {
      "code: {file: pipe.bin}\n",
      "code: {file: pipe.s}\n",
      "code: {file: /dev/zero}\n",
      "code: {asm: s_endpgm}\nmemory: [{at: 0x10000, file: pipe.bin}]\n",
      "code: {asm: s_endpgm}\ncases: {file: pipe.csv}\n",
      "code:\n  asm: |\n    .include \"pipe.s\"\n",
      "code:\n  asm: |\n    .incbin \"pipe.bin\"\n",
  };
  for (const std::string& text : texts) {
    (void)workspace_.write("named.yaml", head + text);
    for (const std::string command : {"run", "test", "debug"}) {
      const ToolRun run = shell("timeout 20 salu " + command + " named.yaml </dev/null");
      EXPECT_NE(run.exit_code, 124) << text;
      EXPECT_THAT(run.out + run.err, HasSubstr("it is not a regular file")) << command << " " << text;
    }
  }
}

TEST_F(Files, NamedFilesLieBelowTheRoot) {
  (void)workspace_.write("folder/inside.yaml",
                         "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0, file: data}]\n");
  (void)workspace_.write("folder/data", "data");
  std::filesystem::create_symlink("../data", workspace_.path("folder/escape"));
  EXPECT_EQ(shell("salu run --root folder folder/inside.yaml").exit_code, 0);
  EXPECT_EQ(shell("cd folder && salu test --root . inside.yaml").exit_code, 0);
  for (const std::string name : {"../data", "escape", "/etc/passwd", "../folder-of-another-name"}) {
    (void)workspace_.write("folder/outside.yaml",
                           "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0, file: " + name + "}]\n");
    const ToolRun refused = shell("salu run --root folder folder/outside.yaml");
    EXPECT_EQ(refused.exit_code, 3) << name;
    EXPECT_THAT(refused.err, HasSubstr("outside of folder")) << name;
  }
  for (const std::string& text :
       {std::string("code: {file: ../a.s}\n"), std::string("code: {asm: s_endpgm}\ncases: {file: ../rows.csv}\n")}) {
    (void)workspace_.write("folder/outside.yaml", "target: gfx900\n" + text);
    EXPECT_THAT(shell("salu run --root folder folder/outside.yaml").err, HasSubstr("outside of folder")) << text;
  }
  for (const std::string root : {"none", "folder/inside.yaml"}) {
    for (const std::string command : {"run", "test", "report -o page.html", "debug", "equiv a.s"}) {
      const ToolRun refused = shell("salu " + command + " --root " + root + " folder/inside.yaml");
      EXPECT_EQ(refused.exit_code, 2) << command << root;
      EXPECT_THAT(refused.err, HasSubstr("is not a readable folder")) << command << root;
    }
  }
}

}  // namespace
}  // namespace salu::test
