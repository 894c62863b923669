"""`atomicrmw` on floats in global and in shared memory, with the instructions that LLVM selects on each generation. All
sums are exact, so that the order of lanes does not matter."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
OUT = 0x200000000
ITEMS = 64

for tool in ("llc-19", "ld.lld-19"):
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed (scripts/test installs it)")
        sys.exit(77)

TYPES = {"f32": "float", "f64": "double", "f16": "<2 x half>", "bf16": "<2 x bfloat>"}
# The address space, the operation, the type, and the instruction by processor.
CASES = [
    (3, "fadd", "f32", {"gfx803": "ds_add_f32", "gfx900": "ds_add_f32", "gfx908": "ds_add_f32", "gfx942": "ds_add_f32"}),
    (3, "fadd", "f64", {"gfx900": "ds_cmpst_rtn_b64", "gfx90a": "ds_add_f64", "gfx942": "ds_add_f64"}),
    (3, "fadd", "f16", {"gfx942": "ds_pk_add_f16"}),
    (3, "fadd", "bf16", {"gfx942": "ds_pk_add_bf16"}),
    (3, "fmin", "f32", {"gfx803": "ds_min_f32", "gfx900": "ds_min_f32", "gfx90a": "ds_min_f32", "gfx942": "ds_min_f32"}),
    (3, "fmax", "f32", {"gfx700": "ds_max_f32", "gfx900": "ds_max_f32", "gfx90a": "ds_max_f32", "gfx942": "ds_max_f32"}),
    (3, "fmin", "f64", {"gfx803": "ds_min_f64", "gfx900": "ds_min_f64", "gfx90a": "ds_min_f64", "gfx942": "ds_min_f64"}),
    (3, "fmax", "f64", {"gfx900": "ds_max_f64", "gfx90a": "ds_max_f64", "gfx942": "ds_max_f64"}),
    (1, "fadd", "f32", {"gfx900": "global_atomic_cmpswap", "gfx908": "global_atomic_add_f32",
                        "gfx90a": "global_atomic_add_f32", "gfx942": "global_atomic_add_f32"}),
    (1, "fadd", "f64", {"gfx90a": "global_atomic_add_f64", "gfx942": "global_atomic_add_f64"}),
    (1, "fadd", "f16", {"gfx90a": "global_atomic_pk_add_f16", "gfx942": "global_atomic_pk_add_f16"}),
    (1, "fadd", "bf16", {"gfx942": "global_atomic_pk_add_bf16"}),
    (1, "fmin", "f64", {"gfx90a": "global_atomic_min_f64", "gfx942": "global_atomic_min_f64"}),
    (1, "fmax", "f64", {"gfx90a": "global_atomic_max_f64", "gfx942": "global_atomic_max_f64"}),
    (1, "fmin", "f32", {"gfx700": "atomic_fmin", "gfx900": "global_atomic_cmpswap"}),
    (1, "fmax", "f32", {"gfx700": "atomic_fmax"}),
    (0, "fadd", "f32", {"gfx942": "flat_atomic_add_f32"}),
    (0, "fmax", "f64", {"gfx90a": "flat_atomic_max_f64", "gfx942": "flat_atomic_max_f64"}),
]


def number(item):
    """A half-integer for each work-item."""
    return (item * 37 % ITEMS) - 20.5


def half(name, value):
    """The bits of a 16-bit float."""
    return struct.unpack("<H", struct.pack("<e", value))[0] if name == "f16" else struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def kernel(space, operation, name):
    kind = TYPES[name]
    if kind.startswith("<"):
        value = f"""
  %bit = and i32 %id, 1
  %is_odd = icmp eq i32 %bit, 1
  %low = select i1 %is_odd, i32 {half(name, 1.0)}, i32 0
  %is_small = icmp ult i32 %id, 8
  %high = select i1 %is_small, i32 {half(name, 3.5) << 16}, i32 0
  %both = or i32 %low, %high
  %v = bitcast i32 %both to {kind}"""
        start = "zeroinitializer"
    else:
        value = f"""
  %factor = mul i32 %id, 37
  %place = and i32 %factor, {ITEMS - 1}
  %whole = uitofp i32 %place to {kind}
  %v = fsub {kind} %whole, 20.5"""
        start = "0.0"
    pointer = "@shared" if space == 3 else "%out"
    return f"""
@shared = internal addrspace(3) global {kind} poison
define amdgpu_kernel void @kernel(ptr addrspace({1 if space == 3 else space}) %out) #0 {{
  %id = call i32 @llvm.amdgcn.workitem.id.x(){value}
  %is_first = icmp eq i32 %id, 0
  br i1 %is_first, label %begin, label %work
begin:
  store {kind} {start}, ptr addrspace({space}) {pointer}
  br label %work
work:
  fence syncscope("workgroup") seq_cst
  call void @llvm.amdgcn.s.barrier()
  %old = atomicrmw {operation} ptr addrspace({space}) {pointer}, {kind} %v syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0, !amdgpu.ignore.denormal.mode !0, !noalias.addrspace !1
  fence syncscope("workgroup") seq_cst
  call void @llvm.amdgcn.s.barrier()
  br i1 %is_first, label %end, label %done
end:
  %result = load {kind}, ptr addrspace({space}) {pointer}
  store {kind} %result, ptr addrspace({1 if space == 3 else space}) %out
  br label %done
done:
  ret void
}}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
attributes #0 = {{ "amdgpu-unsafe-fp-atomics"="true" "amdgpu-flat-work-group-size"="{ITEMS},{ITEMS}" }}
!0 = !{{}}
!1 = !{{i32 5, i32 6}}
"""


def expected(operation, name):
    """The words that the kernel leaves, and of how many bytes."""
    if name in ("f16", "bf16"):
        parts = [ITEMS / 2, 8 * 3.5]
        halves = [half(name, part) for part in parts]
        return halves[0] | halves[1] << 16, 4
    values = [0.0] + [number(item) for item in range(ITEMS)]
    result = {"fadd": sum, "fmin": min, "fmax": max}[operation](values)
    packed = struct.pack("<f" if name == "f32" else "<d", result)
    return int.from_bytes(packed, "little"), len(packed)


class FloatAtomics(unittest.TestCase):
    def run_case(self, space, operation, name, processor, instruction):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "kernel.ll").write_text(kernel(space, operation, name))
            flags = ["-O2", "-amdgpu-atomic-optimizer-strategy=None", f"-mcpu={processor}"]
            llc = ["llc-19", "-mtriple=amdgcn-amd-amdhsa", *flags, "kernel.ll"]
            text = subprocess.run([*llc, "-o", "-"], cwd=path, check=True, capture_output=True, text=True).stdout
            self.assertRegex(text, rf"\b\w*{instruction}\b")
            subprocess.run([*llc, "-filetype=obj", "-o", "kernel.o"], cwd=path, check=True)
            subprocess.run(["ld.lld-19", "-shared", "kernel.o", "-o", "kernel"], cwd=path, check=True)
            value, size = expected(operation, name)
            words = [hex(value >> (32 * i) & 0xFFFFFFFF) for i in range(size // 4)]
            (path / "run.yaml").write_text(f"""
name: kernel
target: {processor}
code: {{file: kernel}}
kernel: {{name: kernel, waves: all, workgroup_size: [{ITEMS}, 1, 1], grid_size: [{ITEMS}, 1, 1],
  args: [{{buffer: 64, at: {OUT:#x}}}]}}
expect:
  memory: [{{at: {OUT:#x}, words: [{", ".join(words)}]}}]
""")
            done = subprocess.run([SALU, "test", "run.yaml"], cwd=path, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_instruction(self):
        for space, operation, name, instructions in CASES:
            for processor, instruction in instructions.items():
                with self.subTest(space=space, operation=operation, type=name, processor=processor):
                    self.run_case(space, operation, name, processor, instruction)


if __name__ == "__main__":
    unittest.main()
