"""Sweeps of arrays other than NumPy's."""

import array

import pytest
import salu


@pytest.fixture
def program():
    return salu.assemble("s_mul_i32 s2, s0, s1\ns_lshl_b64 s[6:7], s[4:5], 1\ns_endpgm")


def test_lists_ranges_and_buffers(program):
    swept = salu.sweep(program, ["s2", "steps"], s0=range(100), s1=array.array("I", range(100, 200)))
    assert list(swept.s2) == [i * (i + 100) for i in range(100)]
    assert list(swept["steps"]) == [3] * 100
    assert swept.stops == {"end_program": 100} and swept.states == 100 and set(swept) == {"s2", "steps", "stop"}
    assert list(salu.sweep(program, ["s2"], s0=[-1, 2], s1=3).s2) == [0xFFFFFFFD, 6]
    assert list(salu.sweep(program, ["s2"], s0=memoryview(array.array("H", range(10)))[::2], s1=1).s2) == [0, 2, 4, 6, 8]
    assert list(salu.sweep(program, ["s2"], s0=b"\1\2", s1=7).s2) == [7, 14]
    pairs = salu.sweep(program, ["s[6:7]"], inputs={"s[4:5]": array.array("Q", [1, 1 << 62, 1 << 63])})
    assert list(pairs["s[6:7]"]) == [2, 1 << 63, 0]


@pytest.mark.parametrize("has_numpy", [True, False])
@pytest.mark.parametrize("values", [
    range(0, (1 << 54) + 1, 1 << 53), range(-2, 1 << 63, 1 << 62), range(0, (1 << 63) + 5, (1 << 62) + 1), range(5, -2, -1),
    range((1 << 64) - 1, (1 << 64) - 4, -1), range(-1 << 63, (-1 << 63) + 2), range((1 << 63) - 2, (1 << 63) + 2), range(5, 0)])
def test_ranges_of_64_bits(monkeypatch, values, has_numpy):
    if not has_numpy:
        monkeypatch.setattr(salu._sweep, "_numpy", lambda: None)
    moved = salu.assemble("s_mov_b64 s[2:3], s[0:1]\ns_endpgm")
    swept = salu.sweep(moved, ["s[2:3]"], inputs={"s[0:1]": values})
    assert [int(each) for each in swept["s[2:3]"]] == [each % (1 << 64) for each in values]


def test_results_go_into_arrays(program):
    out = array.array("Q", [9] * 4)
    swept = salu.sweep(program, s0=range(4), s1=2, out={"s2": out})
    assert list(out) == [0, 2, 4, 6] and swept.s2 is out
    with pytest.raises(ValueError):
        salu.sweep(program, s0=range(5), s1=2, out={"s2": out})
    with pytest.raises(ValueError):
        salu.sweep(program, s0=range(4), s1=2, out={"s2": bytes(16)})
    with pytest.raises(ValueError, match="must be contiguous"):
        salu.sweep(program, s0=range(2), s1=2, out={"s2": memoryview(out)[::2]})


def test_outputs_are_chosen(program):
    assert set(salu.sweep(program, s0=range(4), s1=2)) == {"s2", "s6", "s7", "scc", "stop"}


def test_what_is_wrong(program):
    with pytest.raises(ValueError, match="same length"):
        salu.sweep(program, ["s2"], s0=range(4), s1=range(5))
    with pytest.raises(ValueError):
        salu.sweep(program, ["s2"])
    with pytest.raises(salu.InputError, match="does not fit"):
        salu.sweep(program, ["s2"], s0=[1 << 32])
    with pytest.raises(salu.InputError):
        salu.sweep(program, ["s2"], s999=[1])
    with pytest.raises(LookupError):
        salu.sweep(program, ["s999"], s0=[1])
    for beyond in ([1 << 64], [(-1 << 63) - 1], [-1, 1 << 63], range(1 << 70, (1 << 70) + 2), range(-1, 1 << 64, 1 << 62), 1 << 64):
        with pytest.raises(ValueError, match="s0: .* 64 bits"):
            salu.sweep(program, ["s2"], s0=beyond)
    with pytest.raises(TypeError):
        salu.sweep(program, ["s2"], s0=array.array("d", [1.0]))
    with pytest.raises(TypeError):
        salu.sweep(program, ["s2"], s0="12")
    assert list(salu.sweep(program, ["s2"], s0=[]).s2) == []


def test_ranges_are_summed_up(program):
    found = salu.sweep_ranges(program, ["s0=0..9", "s1=1..2"], ["s2"])
    products = [s0 * s1 for s0 in range(10) for s1 in (1, 2)]
    assert found["states"] == 20 and found["stops"] == {"end_program": 20}
    assert found["outputs"][0]["maximum"]["value"] == 18
    assert found["outputs"][0]["checksum"] == sum(value * (2 * n + 1) for n, value in enumerate(products))
    assert salu.sweep_ranges(program, "s0=5")["states"] == 1
    with pytest.raises(salu.InputError):
        salu.sweep_ranges(program, "s0=5..")


def test_steps_are_limited():
    program = salu.assemble("s_cmp_eq_u32 s0, 1\nl:\ns_cbranch_scc1 l\ns_endpgm")
    swept = salu.sweep(program, ["scc"], s0=[0, 1, 2], max_steps=1000)
    assert swept.stops == {"end_program": 2, "step_limit": 1}
