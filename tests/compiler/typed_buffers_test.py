"""LLVM's intrinsics for typed buffers: `llvm.amdgcn.*.tbuffer.*` names the format, `llvm.amdgcn.*.buffer.*.format` has it
in the descriptor."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
IN, OUT = 0x200000000, 0x200010000
PROCESSORS = ["gfx700", "gfx803", "gfx900", "gfx90a", "gfx942"]

for tool in ("llc-19", "ld.lld-19"):
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed (scripts/test installs it)")
        sys.exit(77)

DATA_8_8_8_8, DATA_16_16, DATA_2_10_10_10, DATA_32_32 = 10, 5, 9, 11
UNORM, SNORM, SINT, FLOAT = 0, 1, 5, 7
XYZW = 4 | 5 << 3 | 6 << 6 | 7 << 9


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


# The type of LLVM, the format, the input, and the components that are loaded from it.
LOADS = [
    ("<4 x float>", DATA_8_8_8_8, UNORM, bytes([0, 255, 51, 1]), [0.0, 1.0, single(51 / 255), single(1 / 255)]),
    ("<2 x float>", DATA_16_16, SNORM, struct.pack("<hh", -32768, 16384), [-1.0, single(16384 / 32767)]),
    ("<4 x float>", DATA_16_16, FLOAT, struct.pack("<ee", 1.5, -0.25), [1.5, -0.25, 0.0, 1.0]),
    ("<4 x i32>", DATA_2_10_10_10, SINT, struct.pack("<I", 1 << 30 | 0x200 << 20 | 0x1FF << 10 | 0x3FF), [-1, 511, -512, 1]),
    ("<2 x i32>", DATA_32_32, SINT, struct.pack("<ii", -7, 9), [-7, 9]),
]


def packed(values):
    return [struct.unpack("<I", struct.pack("<f" if isinstance(value, float) else "<i", value))[0] for value in values]


def descriptor(data_format, number_format):
    """A buffer of 64 bytes."""
    return [IN & 0xFFFFFFFF, IN >> 32, 64, data_format << 15 | number_format << 12 | XYZW]


def kernel(kind, data_format, number_format, is_typed, is_store):
    words = ", ".join(f"i32 {word}" for word in descriptor(data_format, number_format))
    name = kind.replace("<", "").replace(" x ", "").replace(">", "").replace("float", "f32")
    name = f"v{name}"
    field = f", i32 {data_format | number_format << 4}" if is_typed else ""
    operation = "store" if is_store else "load"
    intrinsic = f"llvm.amdgcn.raw.tbuffer.{operation}.{name}" if is_typed else f"llvm.amdgcn.raw.buffer.{operation}.format.{name}"
    resource = f"<4 x i32> <{words}>, i32 0, i32 0{field}, i32 0"
    types = f"<4 x i32>, i32, i32{', i32' if is_typed else ''}, i32"
    if is_store:
        body = f"""  %value = load {kind}, ptr addrspace(1) %out
  call void @{intrinsic}({kind} %value, {resource})"""
        declaration = f"declare void @{intrinsic}({kind}, {types})"
    else:
        body = f"""  %value = call {kind} @{intrinsic}({resource})
  store {kind} %value, ptr addrspace(1) %out"""
        declaration = f"declare {kind} @{intrinsic}({types})"
    return f"""
define amdgpu_kernel void @kernel(ptr addrspace(1) %out, ptr addrspace(1) %in) {{
{body}
  ret void
}}
{declaration}
"""


class TypedBuffers(unittest.TestCase):
    def check(self, processor, text, instruction, buffers, expected):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "kernel.ll").write_text(text)
            llc = ["llc-19", "-mtriple=amdgcn-amd-amdhsa", "-O2", f"-mcpu={processor}", "kernel.ll"]
            assembly = subprocess.run([*llc, "-o", "-"], cwd=path, check=True, capture_output=True, text=True).stdout
            self.assertRegex(assembly, rf"\b{instruction}")
            subprocess.run([*llc, "-filetype=obj", "-o", "kernel.o"], cwd=path, check=True)
            subprocess.run(["ld.lld-19", "-shared", "kernel.o", "-o", "kernel"], cwd=path, check=True)
            arguments = []
            for address, words in buffers:
                words = [*words, *[0] * (16 - len(words))]
                (path / f"{address:x}.bin").write_bytes(struct.pack("<16I", *words))
                arguments.append(f"{{file: {address:x}.bin, at: {address:#x}}}")
            address, words = expected
            (path / "run.yaml").write_text(f"""
name: kernel
target: {processor}
code: {{file: kernel}}
kernel: {{name: kernel, workgroup_size: [1, 1, 1], grid_size: [1, 1, 1], args: [{", ".join(arguments)}]}}
expect:
  memory: [{{at: {address:#x}, words: [{", ".join(hex(word) for word in words)}]}}]
""")
            done = subprocess.run([SALU, "test", "run.yaml"], cwd=path, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_loads_and_stores(self):
        for processor in PROCESSORS:
            for kind, data_format, number_format, element, values in LOADS:
                words = struct.unpack(f"<{len(element) // 4}I", element)
                # LLVM lacks an intrinsic for integers in a format of the descriptor.
                for is_typed in (True, False) if "float" in kind else (True,):
                    prefix = "tbuffer" if is_typed else "buffer"
                    with self.subTest(processor=processor, kind=kind, format=(data_format, number_format), typed=is_typed):
                        text = kernel(kind, data_format, number_format, is_typed, False)
                        self.check(processor, text, f"{prefix}_load_format_x", [(OUT, []), (IN, words)], (OUT, packed(values)))
                        # -1 is stored as the least number but one.
                        stored = words
                        if number_format == SNORM:
                            stored = struct.unpack("<I", struct.pack("<hh", -32767, 16384))
                        text = kernel(kind, data_format, number_format, is_typed, True)
                        self.check(processor, text, f"{prefix}_store_format_x", [(OUT, packed(values)), (IN, [])], (IN, stored))


if __name__ == "__main__":
    unittest.main()
