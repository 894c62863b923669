"""Sweeps of NumPy arrays, and kernels with them."""

import os
import pathlib
import subprocess

import numpy
import pytest
import salu

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("scalar", [False, True])
@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "?"])
def test_every_kind_of_number(kind, scalar):
    program = salu.assemble("s_mul_i32 s1, s0, s0\ns_ashr_i32 s2, s0, 1\ns_endpgm")
    random = numpy.random.default_rng(1)
    info = None if kind == "?" else numpy.iinfo(kind)
    numbers = random.integers(0, 2, 5000).astype(bool) if info is None else random.integers(
        max(info.min, -(1 << 31)), min(info.max, (1 << 31) - 1), 5000).astype(kind)
    swept = salu.sweep(program, ["s1", "s2"], s0=numbers, scalar=scalar)
    wide = numbers.astype("i8")
    assert (swept.s1 == (wide * wide).astype("u4")).all() and swept.s1.dtype == numpy.uint32
    assert (swept.s2.astype("i4") == wide >> 1).all()
    assert not swept.stop.any()


def test_arrays_are_neither_copied_nor_changed():
    program = salu.assemble("s_add_u32 s1, s0, 1\ns_endpgm")
    table = numpy.zeros((1000, 3), dtype=numpy.uint32)
    table[:, 0] = numpy.arange(1000)
    table.flags.writeable = True
    salu.sweep(program, s0=table[::-1, 0], out={"s1": table[:, 2]})
    assert (table[:, 2] == numpy.arange(1000)[::-1] + 1).all() and not table[:, 1].any()
    constant = numpy.arange(4, dtype=numpy.uint32)
    constant.flags.writeable = False
    assert (salu.sweep(program, ["s1"], s0=constant).s1 == [1, 2, 3, 4]).all()
    with pytest.raises(ValueError):
        salu.sweep(program, s0=constant, out={"s1": constant})


def test_results_go_into_arrays_of_any_layout():
    program = salu.assemble("s_add_u32 s1, s0, 35\ns_endpgm")
    numbers = numpy.arange(6, dtype="u4").reshape(2, 3)
    wide = numpy.zeros((2, 4), "u4")
    for out in (numpy.zeros((2, 3), "u4"), numpy.zeros((2, 3), "u4", order="F"), wide[:, :3], numpy.zeros((3, 2), "u4").T):
        swept = salu.sweep(program, out={"s1": out}, s0=numbers)
        assert (out == numbers + 35).all() and (swept.s1 == out).all()
    assert not wide[:, 3].any()
    for shape in ((3, 2), (6,)):
        with pytest.raises(ValueError, match="the states have"):
            salu.sweep(program, out={"s1": numpy.zeros(shape, "u4")}, s0=numbers)


def test_arrays_that_share_memory_are_refused():
    program = salu.assemble("s_add_u32 s1, s0, 1\ns_endpgm")
    numbers = numpy.arange(5001, dtype=numpy.uint32)
    for given, out in ((numbers[::-1], numbers), (numbers[:-1], numbers[1:]), (numbers[1:], numbers[:-1]), (numbers, numbers),
                       (numbers[::2], numbers[2500:]), (numbers[:-1:2], numbers[:2500])):
        with pytest.raises(ValueError, match="overlap those of `s0`"):
            salu.sweep(program, s0=given, out={"s1": out})
    assert (numbers == numpy.arange(5001)).all()
    with pytest.raises(ValueError, match="overlap those of `s1`"):
        salu.sweep(program, s0=5, s2=numbers, out={"s1": numbers + 1, "scc": (other := numbers * 0), "exec_lo": other}
                   | {"s1": other})
    for given, out in ((numbers[::2], numbers[1::2]), (numbers[:2500], numbers[2500:5000]), (numbers[4999::-2], numbers[::2])):
        count = min(len(given), len(out))
        salu.sweep(program, s0=given[:count].copy(), out={"s1": out[:count]})
        salu.sweep(program, s0=given[:count], out={"s1": out[:count]})


def test_tables_that_share_memory_are_refused():
    program = salu.assemble("s_add_u32 s1, s0, 1\ns_mov_b32 s2, s0\ns_endpgm")
    numbers = numpy.arange(12, dtype=numpy.uint32).reshape(4, 3)
    table = numpy.zeros((4, 6), dtype=numpy.uint32)
    for one, other in ((table[:, 0:3], table[:, 1:4]), (table[:, 0:3], table[:, 0:3])):
        with pytest.raises(ValueError, match="s2: its numbers overlap those of `s1`"):
            salu.sweep(program, s0=numbers, out={"s1": one, "s2": other})
    salu.sweep(program, s0=numbers, out={"s1": table[:, 0:3], "s2": table[:, 3:]})
    assert (table[:, 0:3] == numbers + 1).all() and (table[:, 3:] == numbers).all()
    strided = numpy.lib.stride_tricks.as_strided(numpy.zeros(20, dtype=numpy.uint32), (12,), (2,))
    with pytest.raises(ValueError, match="its numbers overlap each other"):
        salu.sweep(program, s0=numbers.reshape(-1), out={"s1": strided})


def test_what_is_given_twice_is_refused():
    program = salu.assemble("s_add_u32 s1, s0, 1\ns_endpgm")
    with pytest.raises(ValueError, match="s0 is given twice"):
        salu.sweep(program, ["s1"], s0=[1, 2], inputs={"s0": [3, 4]})
    with pytest.raises(ValueError, match="s0 is given twice"):
        program.run(s0=1, registers={"s0": 30})
    with pytest.raises(ValueError, match="s0 is given twice"):
        salu.run("s_endpgm", s0=1, registers={"s0": 30})


def test_arrays_are_broadcast():
    program = salu.assemble("s_sub_u32 s2, s0, s1\ns_endpgm")
    swept = salu.sweep(program, ["s2"], s0=numpy.arange(10, dtype="u4")[:, None] + 100, s1=numpy.arange(7, dtype="u4")[None, :])
    assert swept.s2.shape == (10, 7) == swept.stop.shape
    assert (swept.s2 == 100 + numpy.arange(10)[:, None] - numpy.arange(7)[None, :]).all()
    assert swept.stops == {"end_program": 70}
    assert (salu.sweep(program, ["s2"], s0=numpy.arange(5), s1=numpy.uint32(3)).s2.astype("i4") == numpy.arange(5) - 3).all()


def test_other_numbers_are_refused():
    program = salu.assemble("s_endpgm")
    for kind in ("f4", "f8", "c8", "S4"):
        with pytest.raises((TypeError, ValueError)):
            salu.sweep(program, ["s0"], s0=numpy.zeros(4, dtype=kind))
    with pytest.raises((TypeError, ValueError)):
        salu.sweep(program, ["s0"], s0=numpy.arange(4, dtype=">u4"))


def test_one_number_without_dimensions_is_an_integer():
    program = salu.assemble("s_add_u32 s1, s0, s2\ns_endpgm")
    numbers = numpy.arange(3, dtype=numpy.uint32)
    for one in (7, numpy.uint8(7), numpy.array(7), numpy.array(-1), numpy.bool_(True)):
        assert (salu.sweep(program, ["s1"], s0=numbers, s2=one).s1 == (numbers + (int(one) & 0xffffffff)).astype("u4")).all()
    for none in (numpy.array(3.7), numpy.float32(3), numpy.array("12"), numpy.array(None)):
        with pytest.raises(TypeError, match="s2: expected an integer"):
            salu.sweep(program, ["s1"], s0=numbers, s2=none)


def test_wide_numbers_of_results_go_back_in():
    program = salu.assemble("s_add_u32 s1, s0, 35\ns_endpgm")
    column = salu.sweep(program, ["s[0:1]"], s0=range(5))["s[0:1]"]
    assert program.run(registers={"s[0:1]": column[3]}).s1 == 38
    with pytest.raises(TypeError, match="s1: an array of truth values cannot hold numbers"):
        salu.sweep(program, s0=range(5), out={"s1": numpy.zeros(5, dtype=bool)})


def test_masked_values_are_refused():
    program = salu.assemble("s_add_u32 s1, s0, 1\ns_endpgm")
    numbers = numpy.arange(6, dtype=numpy.uint32)
    whole = numpy.ma.masked_array(numbers, mask=False)
    assert (salu.sweep(program, ["s1"], s0=whole).s1 == numbers + 1).all()
    some = numpy.ma.masked_array(numbers, mask=numbers == 3)
    for given in (some, some.reshape(2, 3)):
        with pytest.raises(ValueError, match="s0: some values of the array are masked"):
            salu.sweep(program, ["s1"], s0=given)
    with pytest.raises(ValueError, match="s1: some values"):
        salu.sweep(program, s0=numbers, out={"s1": numpy.ma.masked_array(numbers.copy(), mask=numbers == 3)})
    with pytest.raises(ValueError, match="some values of the array are masked"):
        program.add_memory(0x10000, some)


def test_memory_and_expectations_name_outputs(programs):
    program = salu.load(programs / "gcd.yaml")
    pairs = numpy.random.default_rng(2).integers(1, 5000, (2, 300))
    swept = salu.sweep(program, s0=pairs[0], s1=pairs[1])
    # Selected by the scenario's own expectations.
    assert {"s0", "s1", "scc"} <= set(swept)
    assert (swept.s0 == numpy.gcd(*pairs)).all()


def compiled(tmp_path):
    """The kernel of examples/kernel, an object."""
    made = tmp_path / "steps.so"
    subprocess.run(["clang-19", "-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-fno-discard-value-names",
                    ROOT / "examples" / "kernel" / "steps.c", "-o", made], check=True)
    return made


def test_a_kernel_with_a_buffer(tmp_path):
    out = numpy.full(150, 7, dtype=numpy.uint32)
    program = salu.kernel(compiled(tmp_path), "steps", {"out": out}, grid_size=[150], workgroup_size=[64])
    outcome = program.run()
    assert outcome.stop.is_regular, outcome.report()

    def collatz(number):
        count = 0
        while number != 1:
            number, count = (number // 2 if number % 2 == 0 else 3 * number + 1), count + 1
        return count
    assert outcome.array("out").tolist() == [collatz(item + 1) for item in range(150)]
    assert out.tolist() == [7] * 150
    assert outcome.argument("out") == outcome.array("out").tobytes()
    # Only one wave: the outputs of the others keep their initial values.
    one = salu.kernel(tmp_path / "steps.so", "steps", {"out": out}, grid_size=[150], workgroup_size=[64], workgroup_id=[1])
    assert one.run().array("out")[:64].tolist() == [7] * 64
    assert one.run().array("out")[64:128].tolist() == [collatz(item + 1) for item in range(64, 128)]


def test_a_kernel_with_values(tmp_path):
    source = tmp_path / "scale.cl"
    source.write_text("struct pair { int a; int b; };\n"
                      "kernel void scale(global int *out, int n, struct pair p, float f) {\n"
                      "  out[0] = n * 2; out[1] = p.a; out[2] = p.b; ((global float *)out)[3] = f; }\n")
    made = tmp_path / "scale.so"
    subprocess.run(["clang-19", "-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-cl-kernel-arg-info", source,
                    "-o", made], check=True)
    pair = numpy.array([5, -6], dtype="i4").tobytes()
    outcome = salu.kernel(made, args={"out": bytearray(16), "n": -21, "p": pair, "f": salu.f32(1.5)}).run()
    assert outcome.stop.is_regular, outcome.report()
    assert outcome.array("out", "i4")[:3].tolist() == [-42, 5, -6]
    assert outcome.array("out", "f4")[3] == 1.5
    # NumPy's numbers have a size.
    outcome = salu.kernel(made, args={"out": numpy.zeros(4, "i4"), "n": numpy.int32(3), "p": pair, "f": numpy.float32(-2)}).run()
    assert outcome.array("out", "f4")[3] == -2
    for wrong in ({}, {"out": 5}, {"out": b"", "n": 1, "p": pair, "f": 1.0}, {"n": 1 << 40}):
        with pytest.raises(ValueError):
            salu.kernel(made, args=wrong)
    assert os.path.exists(made)


def test_lanes_are_arrays():
    program = salu.load_text("target: gfx900\ncode: {asm: s_endpgm}\nregisters:\n  v0: {f32: [1.5, -2, nan]}\n"
                             "  v1: {f16: [[1, -2], 0.5]}\n  v[2:3]: {f64: [0.1, -3]}\n")
    outcome = program.run()
    assert outcome.lane_array("v0").dtype == numpy.uint32 and outcome.lane_array("v0").tolist() == outcome.lanes("v0")
    floats = outcome.lane_array("v0", "float32")
    assert floats.shape == (64,) and floats[:2].tolist() == [1.5, -2] and numpy.isnan(floats[2]) and not floats[3:].any()
    assert outcome.lane_array("v1", "f2")[:2].tolist() == [[1, -2], [0.5, 0]]
    assert outcome.lane_array("v[2:3]", float)[:2].tolist() == [0.1, -3]
    assert outcome.lane_array("v[0:1]", "u4").shape == (64, 2)
    assert program.session().lane_array("v0", "float32")[1] == -2
    with pytest.raises(ValueError, match="v0 has 4 bytes in each lane, which are not numbers of 8 bytes"):
        outcome.lane_array("v0", "float64")
    for name in ("s0", "v[3:2]", "v[255:256]"):
        with pytest.raises((salu.UsageError, ValueError)):
            outcome.lane_array(name)
