"""Shaders find their private memory in the way of each operating system, at -O0 and optimised, on every generation."""

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
# Where the arguments begin that the shader looks at.
SYSTEMS = {"": 1, "mesa3d": 3, "amdpal": 1}

# The first argument is amdpal's own. The rest chooses one of 16 products.
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

if shutil.which("llc-19") is None:
    print("skipped: llc-19 is not installed (scripts/test installs it)")
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

    def run_shader(self, path, first, *settings):
        values = [f"s{first}=7", f"s{first + 1}=5", *settings]
        sets = [word for value in values for word in ("--set", value)]
        result = subprocess.run([SALU, "run", path, "--symbol", "shader", "--format", "json", *sets], capture_output=True, text=True)
        self.assertIn(result.returncode, (0, 4), f"{path}: {result.stderr}")
        return json.loads(result.stdout)

    def test_every_system_says_where_it_is(self):
        for system, processor, level in itertools.product(SYSTEMS, PROCESSORS, ("-O0", "-O2")):
            with self.subTest(system=system, processor=processor, level=level):
                outcome = self.run_shader(self.compiled(system, processor, level), SYSTEMS[system])
                self.assertEqual(outcome["stop"]["reason"], "returned", outcome["stop"])
                self.assertEqual(outcome["registers"]["s0"], "0x00000023")

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


if __name__ == "__main__":
    unittest.main()
