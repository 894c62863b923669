"""Values that C would truncate silently are rejected: numbers that do not fit, and text after a NUL. So are values of a
wrong type."""

import copy
import gc
import pickle

import pytest
import salu

CODE = "s_add_u32 s2, s0, s1\ns_add_u32 s3, s2, 1\ns_nop 0\ns_endpgm"


@pytest.fixture
def program():
    return salu.assemble(CODE)


@pytest.mark.parametrize("call", [
    lambda program: salu.words([5 << 32 | 0xBE800081, 0xBF810000]),
    lambda program: salu.words([-1]),
    lambda program: program.session().step(-1),
    lambda program: program.session().back(-1),
    lambda program: program.session().go_to(-1),
    lambda program: program.session().go_to(2**64 + 2),
    lambda program: program.session().remove(2**32 + 1),
    lambda program: program.session().why("s0", -1),
    lambda program: program.run(max_steps=2**64 + 1),
    lambda program: program.run(max_steps=-1),
    lambda program: program.run(s0=2**32),
    lambda program: program.row(-1),
    lambda program: program.add_memory(2**64 + 0x300000, b"x"),
    lambda program: program.add_memory(0x300000, -1),
    lambda program: program.write(2**64 + 0x300000, b"y"),
    lambda program: salu.assemble(CODE, max_steps=2**64),
    lambda program: salu.sweep(program, ["s2"], s0=range(4), threads=2**32 + 1),
    lambda program: salu.sweep_ranges(program, "s0=0..3", max_steps=2**64),
    lambda program: salu.equiv(program, program, states=2**64 + 1),
    lambda program: salu.prove(program, program, rounds=2**32 + 1),
])
def test_numbers_fit(program, call):
    with pytest.raises(ValueError):
        call(program)


@pytest.mark.parametrize("call", [
    lambda program: program.run(s0=5)["s0\0junk"],
    lambda program: program.run(registers={"s0\0junk": 5}),
    lambda program: program["s0\0"],
    lambda program: program.symbol("a\0"),
    lambda program: salu.assemble(CODE, target="gfx900\0foo"),
    lambda program: salu.assemble(CODE, name="a.s\0b"),
    lambda program: salu.assemble(CODE, symbol="f\0"),
    lambda program: salu.assemble(CODE, registers={"s0\0": 1}),
    lambda program: salu.words([0xBF810000], "gfx900\0"),
    lambda program: salu.load("programs/gcd.yaml\0.yaml"),
    lambda program: salu.sweep(program, ["s2\0foo"], s0=range(4)),
    lambda program: salu.sweep_ranges(program, "s0=0..3\0"),
    lambda program: salu.equiv(program, program, outputs=["s2\0"]),
    lambda program: program.session().command("print\0s0"),
    lambda program: program.session().break_at("0x1000", "s0 == 1\0"),
    lambda program: program.session()["s0\0"],
])
def test_texts_have_no_nul(program, call):
    with pytest.raises(ValueError):
        call(program)


@pytest.mark.parametrize("value", [5.0, "5", None, [5]])
def test_what_is_no_integer_is_refused(program, value):
    with pytest.raises(TypeError, match="s0: expected an integer, found "):
        program.run(s0=value)


def test_bytes_are_as_long_as_they_are(program):
    class Longer(bytes):
        def __len__(self):
            return 1 << 26

    copy = program.copy()
    copy.add_memory(0x10000, 4096)
    copy.write(0x10000, Longer(b"x"))
    assert copy.read(0x10000, 4) == b"x\0\0\0"
    assert salu.load_text(Longer(b"s_endpgm"), "a.s", target="gfx900").run().stop.reason == "end_program"


def test_numbers_of_numpy_are_numbers(program):
    numpy = pytest.importorskip("numpy")
    assert program.session().step(numpy.uint8(2)).position == 2
    assert program.run(max_steps=numpy.int64(100), s0=numpy.uint32(7)).s3 == 8


def test_what_the_library_holds_is_there_once(program):
    outcome, session = program.run(s0=100), program.session()
    for held in (outcome, session):
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                make(held)
    with pytest.raises(TypeError):
        pickle.dumps(program)
    for make in (copy.copy, copy.deepcopy):
        other = make(program)
        other["s0"] = 5
        assert (other.run().s2, program.run().s2) == (5, 0)
        del other
    assert (outcome.s0, session.step().position, program.run(s0=1).s2) == (100, 1, 1)


@pytest.mark.parametrize("call", [
    lambda: salu.Session(5),
    lambda: salu.Session("programs/gcd.yaml"),
    lambda: salu.prove(1, 2),
    lambda: salu.equiv(salu.assemble(CODE), None),
    lambda: salu.sweep(1, ["s2"], s0=range(4)),
    lambda: salu.sweep_ranges(None, "s0=0..3"),
])
def test_what_is_no_program_is_refused(call):
    with pytest.raises(TypeError, match="expected a salu.Program"):
        call()


@pytest.mark.parametrize("call", [
    lambda program: program[5],
    lambda program: salu.assemble(CODE, target=5),
    lambda program: salu.sweep_ranges(program, [5]),
    lambda program: salu.prove(program, program, inputs=[5]),
    lambda program: program.session().break_at(5),
    lambda program: program.session().command(5),
])
def test_what_is_no_text_is_refused(program, call):
    with pytest.raises(TypeError, match="expected a text"):
        call(program)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", [salu.Session, salu.Program, salu.Outcome])
def test_nothing_is_freed_that_was_not_made(kind):
    with pytest.raises(TypeError):
        kind()
    gc.collect()


def test_one_text_is_a_list_of_one(program):
    assert list(salu.sweep(program, "s2", s0=range(4))["s2"]) == list(salu.sweep(program, ["s2"], s0=range(4))["s2"])
    assert salu.sweep_ranges(program, "s0=0..3", "s2")["outputs"] == salu.sweep_ranges(program, ["s0=0..3"], ["s2"])["outputs"]
    assert salu.prove(program, program, inputs="s0", outputs="s2")
