"""The generator: a seed determines a text, LLVM accepts it, and all intended features occur."""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "scripts" / "lib"
sys.path.insert(0, str(LIBRARY))
sys.dont_write_bytecode = True
import generated_code as code  # noqa: E402
import ir_generator  # noqa: E402
from ir_operations import OPERATIONS  # noqa: E402
from ir_random import Draw, signed  # noqa: E402

LLVM = int(os.environ.get("SALU_TEST_LLVM", code.LLVM))
SEEDS = range(80)
# Each is in at least this many of 800 functions.
LEAST = 4
PATTERNS = {
    **{name: rf"= {name} (nuw |nsw |exact |disjoint )*i\d+" for name in
       "add sub mul and or xor shl lshr ashr udiv sdiv urem srem select phi freeze".split()},
    "icmp": r"= icmp \w+ i\d+",
    **{name: rf"= {name} i\d+ .* to i\d+" for name in "zext sext trunc".split()},
    **{name: rf"@llvm\.{re.escape(name)}\.i\d+\(" for name in
       "ctpop ctlz cttz bswap bitreverse abs smin smax umin umax sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat "
       "fshl fshr".split()},
    **{f"{name}.with.overflow": rf"@llvm\.{name}\.with\.overflow\.i\d+\(" for name in "sadd uadd ssub usub smul umul".split()},
    **{name: rf"@llvm\.{name}\.i\d+\.i\d+\(" for name in ("scmp", "ucmp")},
    "flags that hold": r"(add|sub) (nuw |nsw )+i\d+", "zext nneg": r"zext nneg", "or disjoint": r"or disjoint",
    "branch": r"br i1", "switch": r"switch i\d+", "loop": r"loop\d+:", "loop left early": r"= and i1 %\S+, %\S+\n  br i1",
    "load": r"load i\d+, ptr addrspace\(4\)", "load of 64 bits": r"load i64", "load of a pointer": r"load ptr",
    "constant of the module": r"= internal addrspace\(4\) constant \[\d+ x i\d+\]", "struct": r"getelementptr \{",
    "array": r"getelementptr \[4 x i(32|64)\], ptr addrspace\(4\) %", "far offset": r"i64 -?\d{5,}\n.*\n?.*= load",
    "call": r"call amdgpu_gfx void @", "inlined call": r"call i\d+ @f\d+\.helper",
    "pointer passed on": r"call amdgpu_gfx void @.*ptr addrspace\(4\) inreg %",
}


class Generator(unittest.TestCase):
    def test_a_seed_is_a_text_whatever_the_process(self):
        program = "import ir_generator as g\nfor s in range(5): print(g.module_text(g.generate_module(s)))"
        texts = {subprocess.run([sys.executable, "-B", "-c", program], cwd=LIBRARY, check=True, capture_output=True,
                                env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")}
        self.assertEqual(len(texts), 1)
        self.assertNotEqual(ir_generator.generate_function(1, 0).text, ir_generator.generate_function(2, 0).text)

    def test_a_function_does_not_depend_on_its_neighbours(self):
        self.assertEqual(ir_generator.generate_module(3, 4)[2], ir_generator.generate_module(3, 9)[2])

    def test_the_numbers_are_those_of_the_published_generator(self):
        # The first two of SplitMix64 from 1234567, as its author's reference code prints them.
        draw = Draw()
        draw.state = 1234567
        self.assertEqual([draw.next(), draw.next()], [6457827717110365317, 3203168211198807973])

    def test_constants_fit_their_width(self):
        draw = Draw(1)
        for width in range(1, 65):
            for _ in range(50):
                value = draw.constant(width)
                self.assertEqual(value, signed(value, width))
                self.assertTrue(-(1 << (width - 1)) <= value < 1 << width)

    def test_everything_comes_up(self):
        texts = [function.text for seed in SEEDS for function in ir_generator.generate_module(seed)]
        for name, pattern in PATTERNS.items():
            with self.subTest(name):
                self.assertGreaterEqual(sum(1 for text in texts if re.search(pattern, text)), LEAST)
        widths = {int(width) for text in texts for width in re.findall(r"\bi(\d+)\b", text)}
        self.assertEqual(widths, set(range(1, 65)))

    def test_integers_of_every_width_are_computed_with(self):
        """Integers of each width are not only copied: they are results of arithmetic or logic in 2,000 functions."""
        operation = re.compile(r"= (?:add|sub|mul|and|or|xor|shl|lshr|ashr)(?: nuw| nsw| disjoint)* i(\d+) ")
        widths = collections.Counter(width for seed in range(200) for function in ir_generator.generate_module(seed)
                                     for width in set(operation.findall(function.text)))
        self.assertEqual({int(width) for width, count in widths.items() if count >= 2}, set(range(1, 65)))

    def test_operations_have_narrow_and_wide_integers(self):
        names = ("ctpop ctlz cttz bitreverse sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat fshl fshr sadd.with.overflow "
                 "uadd.with.overflow ssub.with.overflow usub.with.overflow smul.with.overflow umul.with.overflow").split()
        text = "".join(function.text for seed in range(200) for function in ir_generator.generate_module(seed))
        for name in names:
            widths = {int(width) for width in re.findall(rf"@llvm\.{re.escape(name)}\.i(\d+)\(", text)}
            with self.subTest(name):
                self.assertTrue(min(widths) < 32 and 32 in widths and 64 in widths, widths)
                self.assertTrue(any(width not in (1, 8, 16, 32, 64) for width in widths), widths)

    def test_every_operation_is_defined_for_every_width_that_it_is_for(self):
        """Compiles natively and passes LLVM's verifier: one module with all operations at all widths."""
        shape = dict.fromkeys(ir_generator.FEATURES, False)
        texts = []
        for number, (_, operation, _, is_for) in enumerate(OPERATIONS):
            for width in filter(is_for, range(1, 65)):
                name = f"op{number}w{width}"
                arguments = [(f"i{width}", "a0"), (f"i{width}", "a1")]
                body = ir_generator.make_body(Draw(number, width), name, shape, [], arguments)
                operation(body, width)
                body.line("ret void")
                texts.append(ir_generator.finish(body, f"define amdgpu_ps void @{name}({ir_generator.signature(arguments)})"))
        self.verify("\n".join(texts))

    def test_llvm_takes_it(self):
        for seed in SEEDS[:20]:
            text = ir_generator.module_text(ir_generator.generate_module(seed))
            self.verify(text)
            self.verify(code.gpu_module(text))
            self.verify(code.native_module(text))

    def verify(self, text):
        opt = f"opt-{LLVM}"
        if shutil.which(opt) is None:
            self.skipTest(f"{opt} is not installed (scripts/test installs it)")
        result = subprocess.run([opt, "-passes=verify", "-disable-output"], input=text, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr[:2000])

    def test_configurations_are_all_targets_both_selectors_and_all_levels(self):
        listed = subprocess.run([os.environ["SALU_EXECUTABLE"], "targets"], capture_output=True, text=True, check=True).stdout
        generation_of = {}
        for processor, generation, *others in map(str.split, listed.splitlines()[1:]):
            generation_of |= {name.rstrip(","): generation for name in (processor, *others)}
        unknown = {"cdna4"} if LLVM < 20 else set()
        self.assertEqual({generation_of[processor] for processor in code.processors(LLVM)}, set(generation_of.values()) - unknown)
        self.assertEqual({name: "-global-isel" in options for name, options in code.SELECTORS.items()},
                         {"sdag": False, "gisel": True})
        # (level of opt, level of llc)
        levels = {("".join(passes[:1]), options[0]) for passes, options in code.LEVELS.values()}
        self.assertEqual(levels, {("", f"-O{level}") for level in range(4)}
                         | {(f"-passes=default<O{level}>", f"-O{level}") for level in range(1, 4)})

    def test_neighbouring_seeds_go_through_all_configurations(self):
        everything = set(code.all_configurations(LLVM))
        self.assertEqual(len(everything), len(code.processors(LLVM)) * len(code.SELECTORS) * len(code.LEVELS))
        for count in (1, 8, 10):
            seeds = range(1000, 1000 - -len(everything) // count)
            seen = {row for seed in seeds for row in code.configurations_for(seed, count, LLVM)}
            seen |= set(code.configurations_for(seeds.stop, count, LLVM))
            self.assertEqual(seen, everything, count)


if __name__ == "__main__":
    unittest.main()
