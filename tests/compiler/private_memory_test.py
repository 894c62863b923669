"""Shaders find their private memory by the method of each operating system, at -O0 and optimised, on every generation;
functions find it as the calling convention specifies."""

import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
PROCESSORS = ["tahiti", "bonaire", "tonga", "gfx900", "gfx908", "gfx90a", "gfx942"]
# The index of the first argument that the shader uses.
SYSTEMS = {"": 1, "mesa3d": 3, "amdpal": 1}

# The first argument belongs to amdpal. The others select one of 16 products.
SHADER = """
define amdgpu_ps i32 @shader(i32 inreg %unused, i32 inreg %factor, i32 inreg %which) {
entry:
  %array = alloca [16 x i32], align 4, addrspace(5)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr [16 x i32], ptr addrspace(5) %array, i32 0, i32 %i
  %product = mul i32 %i, %factor
  store volatile i32 %product, ptr addrspace(5) %to
  %next = add i32 %i, 1
  %is_last = icmp eq i32 %next, 16
  br i1 %is_last, label %done, label %loop
done:
  %from = getelementptr [16 x i32], ptr addrspace(5) %array, i32 0, i32 %which
  %value = load volatile i32, ptr addrspace(5) %from
  %result = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %value)
  ret i32 %result
}
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
"""

# Variables on the stack, and a function that is called.
FUNCTIONS = """
unsigned sum(unsigned a, unsigned b) {
  unsigned values[8];
  for (unsigned i = 0; i < 8; ++i) values[i] = a * i + b;
  unsigned total = 0;
  for (unsigned i = 0; i < 8; ++i) total += values[(i * 3) & 7];
  return total;
}
static __attribute__((noinline)) unsigned square(unsigned x) {
  unsigned y[2] = {x, x + 1};
  return y[x & 1] * x;
}
unsigned calls(unsigned a, unsigned b) { return square(a) + square(a + 3) * b; }
"""


def square(x):
    return (x + (x & 1)) * x


EXPECTED = {"sum": lambda a, b: 28 * a + 8 * b, "calls": lambda a, b: square(a) + square(a + 3) * b}

for tool in ("llc-19", "clang-19"):
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed (scripts/test installs it)")
        sys.exit(77)


class PrivateMemory(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "shader.ll").write_text(SHADER)

    def compiled(self, system, processor, level):
        path = self.folder / f"{system}-{processor}-{level}.o"
        triple = f"amdgcn--{system}" if system else "amdgcn"
        subprocess.run(["llc-19", f"-mtriple={triple}", f"-mcpu={processor}", level, "-filetype=obj", "shader.ll", "-o", path],
                       check=True, cwd=self.folder)
        return path

    def run_shader(self, path, first, *settings, options=()):
        values = [f"s{first}=7", f"s{first + 1}=5", *settings]
        sets = [word for value in values for word in ("--set", value)]
        result = subprocess.run([SALU, "run", path, "--symbol", "shader", "--format", "json", *sets, *options], capture_output=True, text=True)
        self.assertIn(result.returncode, (0, 4), f"{path}: {result.stderr}")
        return json.loads(result.stdout)

    def test_every_system_says_where_it_is(self):
        for system, processor, level in itertools.product(SYSTEMS, PROCESSORS, ("-O0", "-O2")):
            with self.subTest(system=system, processor=processor, level=level):
                outcome = self.run_shader(self.compiled(system, processor, level), SYSTEMS[system], options=["--check-undefined"])
                self.assertEqual(outcome["stop"]["reason"], "returned", outcome["stop"])
                self.assertEqual(outcome["registers"]["s0"], "0x00000023")
                self.assertEqual(outcome.get("warnings", []), [])

    def test_a_register_that_is_given_is_the_users(self):
        path = self.compiled("mesa3d", "gfx900", "-O0")
        outcome = self.run_shader(path, 3, "s[0:1]=0x4000000")
        self.assertEqual(outcome["stop"]["reason"], "unmapped_memory")
        self.assertIn("0x4000000", outcome["stop"]["detail"])

    def test_code_that_uses_none_gets_none(self):
        (self.folder / "shader.ll").write_text("define amdgpu_ps i32 @shader(i32 inreg %a, i32 inreg %other, i32 inreg %third) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n")
        for system, processor in itertools.product(SYSTEMS, ("gfx900", "gfx942")):
            outcome = self.run_shader(self.compiled(system, processor, "-O2"), 5)
            self.assertIn("flat_scratch", outcome["undefined"], system)
            self.assertIn("s2", outcome["undefined"], system)

    def compiled_functions(self, processor, level, *options):
        (self.folder / "functions.c").write_text(FUNCTIONS)
        path = self.folder / "functions.o"
        subprocess.run(["clang-19", "-target", "amdgcn-amd-amdhsa", f"-mcpu={processor}", "-nogpulib", "-fPIC", level, *options,
                        "-c", "functions.c", "-o", path], check=True, cwd=self.folder)
        return path

    def run_function(self, path, symbol, more=""):
        scenario = self.folder / "function.yaml"
        scenario.write_text(f"code: {{file: {path}, symbol: {symbol}}}\nregisters: {{v0: {{lane_ids: true}}, v1: 5}}\n{more}")
        result = subprocess.run([SALU, "run", scenario, "--format", "json"], capture_output=True, text=True)
        self.assertIn(result.returncode, (0, 4), f"{path}: {result.stderr}")
        return json.loads(result.stdout)

    def expect_returns(self, path, more=""):
        for symbol, expected in EXPECTED.items():
            outcome = self.run_function(path, symbol, more)
            self.assertEqual(outcome["stop"]["reason"], "returned", outcome["stop"])
            lanes = [int(lane, 16) for lane in outcome["vector"]["v0"]]
            self.assertEqual(lanes, [expected(lane, 5) for lane in range(64)], symbol)

    def test_functions_have_a_stack(self):
        # OpenCL C declares the address spaces of its pointers; C determines them at run time.
        for processor, level in itertools.product(PROCESSORS, ("-O0", "-O1")):
            with self.subTest(processor=processor, level=level):
                self.expect_returns(self.compiled_functions(processor, level, "-x", "cl", "-cl-std=CL1.2"))

    def test_functions_in_c_reach_their_stack_by_any_address(self):
        for processor, level in itertools.product(("gfx906", "gfx90a", "gfx942"), ("-O0", "-O2")):
            with self.subTest(processor=processor, level=level):
                self.expect_returns(self.compiled_functions(processor, level))
        # LLVM 19 loads the aperture of private memory from 0xc0 there, instead of the implicit arguments.
        for processor in ("bonaire", "gfx803"):
            with self.subTest(processor=processor):
                self.expect_returns(self.compiled_functions(processor, "-O0"), "memory: [{at: 0xc0, words: [0x20000001]}]\n")

    def test_registers_of_a_function_are_the_users(self):
        path = self.compiled_functions("gfx906", "-O0")
        outcome = self.run_function(path, "sum", "sgprs: 102\n")
        self.assertEqual(outcome["registers"]["s32"], "0x00000000")
        with open(self.folder / "function.yaml", "a") as scenario:
            scenario.write("limits: {steps: 0}\n")
        result = subprocess.run([SALU, "run", self.folder / "function.yaml", "--format", "json", "--set", "s32=0x4000", "--set", "s0=1"],
                                capture_output=True, text=True)
        registers = json.loads(result.stdout)["registers"]
        self.assertEqual((registers["s0"], registers["s32"]), ("0x00000001", "0x00004000"))
        # A similar scalar function is not changed.
        (self.folder / "scalar.ll").write_text("define i32 @f(i32 inreg %a) {\n  ret i32 %a\n}\n")
        subprocess.run(["llc-19", "-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx906", "-filetype=obj", "scalar.ll", "-o", "scalar.o"],
                       check=True, cwd=self.folder)
        self.assertIn("s32", self.run_function(self.folder / "scalar.o", "f")["undefined"])


if __name__ == "__main__":
    unittest.main()
