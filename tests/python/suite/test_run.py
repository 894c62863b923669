"""Programs that run once; expected values are computed here."""

import gc
import math
import pickle
import threading

import pytest
import salu
from salu._library import lib


def test_a_text_runs():
    outcome = salu.run(asm="s_add_u32 s1, s0, 35\ns_endpgm", target="gfx900", s0=7)
    assert outcome.s1 == 42
    assert outcome["s[0:1]"] == 42 << 32 | 7
    assert outcome.stop == salu.Stop("end_program", 0x1004, "s_endpgm", "", outcome.stop.place, True, False)
    assert outcome.steps == 2
    assert outcome.is_defined("s1") and not outcome.is_defined("s9")


def test_an_assembled_program_runs_again_and_again():
    program = salu.assemble("s_mul_i32 s1, s0, s0\ns_add_u32 s1, s1, s2\ns_endpgm", "gfx803")
    assert program.target == "gfx803" and program.generation == "gcn1.2"
    for number in range(100):
        assert program.run(s0=number, s2=5).s1 == number * number + 5
    assert program.run(registers={"s[0:1]": 3 << 32 | 9}).s1 == 81
    # It is unchanged.
    assert program["s0"] == 0
    program["s0"] = -2
    assert program["s0"] == 0xFFFFFFFE and program.run().s1 == 4
    other = program.copy()
    other["s0"] = 3
    assert (other.run().s1, program.run().s1) == (9, 4)


def test_negative_numbers_and_those_that_do_not_fit():
    program = salu.assemble("s_mov_b32 s1, s0\ns_endpgm")
    assert program.run(s0=-1).s1 == 0xFFFFFFFF
    assert program.run(s0=-(1 << 31)).s1 == 1 << 31
    for value in (-(1 << 31) - 1, 1 << 64, -(1 << 64)):
        with pytest.raises(ValueError):
            program.run(s0=value)
    with pytest.raises(salu.UsageError, match="does not fit"):
        program.run(s0=1 << 32)
    with pytest.raises(TypeError):
        program.run(s0="7")


def test_time_limit():
    forever = "loop: s_branch loop"
    assert salu.run(forever, max_seconds=0.05, max_steps=2**62).stop.reason == "time_limit"
    program = salu.assemble(forever)
    assert program.run(max_seconds=0.05, max_steps=2**62).stop.reason == "time_limit"
    assert salu.run("s_add_u32 s0, s1, s2\ns_endpgm", check_undefined="reads", strict=True).stop.reason == "undefined_read"


def test_misspelt_keywords():
    program = salu.assemble("s_add_u32 s0, s1, s2\ns_endpgm")
    calls = [lambda **named: salu.run("s_endpgm", **named), program.run, lambda **named: salu.sweep(program, s1=1, **named)]
    for call in calls:
        with pytest.raises(salu.UsageError, match="max_step is neither a parameter of .* nor a register of .*max_steps"):
            call(max_step=7)
        # Also after a run with other keywords, and without a similar parameter.
        with pytest.raises(salu.UsageError, match="frobnicate is neither .*; parameters are .*max_steps"):
            call(frobnicate=1)
        with pytest.raises(salu.UsageError, match="exek is neither .*; did you mean exec"):
            call(exek=1)
        # The name of a register that does not exist.
        with pytest.raises(salu.SaluError, match="s200"):
            call(s200=1)
    with pytest.raises(salu.UsageError, match="max_secondz .*max_seconds"):
        salu.run("s_endpgm", max_secondz=1)
    assert program.run(s1=2, s2=3).s0 == 5


def test_arguments_of_a_kernel_are_a_mapping():
    for wrong in ([1, 2], 7, "out"):
        with pytest.raises(salu.UsageError, match=f"args must be a mapping .* not a {type(wrong).__name__}"):
            salu.kernel("steps.so", "steps", wrong)


def test_words_and_objects_run(programs):
    # s_add_u32 s0, s1, s2; s_endpgm
    assert salu.words([0x80000201, 0xBF810000], "gfx803").run(s1=40, s2=2).s0 == 42

    class Longer(list):
        def __len__(self):
            return 1 << 40

    assert salu.words(Longer([0xBF810000])).run().steps == 1
    program = salu.load(programs / "compiled" / "isqrt.o", symbol="isqrt")
    for number in (0, 1, 99, 144, 2**31, 2**32 - 1):
        assert program.run(s0=number).s0 == math.isqrt(number)


def test_a_scenario_is_checked(programs):
    program = salu.load(programs / "gcd.yaml")
    assert program.name == "greatest common divisor" and program.has_expectation
    assert program.run().mismatches() == []
    wrong = program.run(s1=463)
    assert wrong.s0 == math.gcd(1071, 463)
    assert len(wrong.mismatches()) == 2
    assert "s0: expected 0x00000015, got 0x00000001" in wrong.mismatches()[0]
    assert wrong.to_dict()["schema"] == "salu-state-v1"
    assert "greatest common divisor on gfx803" in str(wrong)
    assert program.symbol("loop") == 0x1000


def test_rows_of_a_table():
    program = salu.load_text("target: gfx900\ncode: {asm: 's_add_u32 s1, s0, 1\n\n  s_endpgm'}\n"
                             "cases: [{s0: 1, expect: {s1: 2}}, {s0: 5, expect: {s1: 7}}]\n")
    assert program.row_count == 2
    assert [len(program.row(row).run().mismatches()) for row in range(2)] == [0, 1]
    with pytest.raises(salu.NotFoundError):
        program.row(2)


def test_errors_have_their_place():
    with pytest.raises(salu.InputError) as caught:
        salu.assemble("s_nop 0\ns_addd_u32 s0, s1, s2", name="my.s")
    assert (caught.value.code, caught.value.file, caught.value.line, caught.value.column) == ("bad_assembly", "my.s", 2, 1)
    assert str(caught.value).startswith("my.s:2:1: error: unknown instruction")
    assert caught.value.reason.startswith("unknown instruction")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.line) == (str(caught.value), 2)
    with pytest.raises(salu.InputError) as caught:
        salu.assemble("s_nop 0", "gfx9000")
    assert caught.value.code == "bad_target"
    with pytest.raises(salu.InputError) as caught:
        salu.load("/no/such/file.yaml")
    assert (caught.value.code, caught.value.file) == ("bad_file", "/no/such/file.yaml")
    with pytest.raises(ValueError):
        salu.load_text("name: [")
    with pytest.raises(ValueError):
        salu.load_text(b"\x7fELF", "a.o")
    outcome = salu.run(asm="s_endpgm")
    with pytest.raises(LookupError, match="s200"):
        outcome["s200"]
    with pytest.raises(AttributeError):
        outcome.s200
    with pytest.raises(salu.NotFoundError):
        outcome.memory(0x1234, 4)
    with pytest.raises(salu.UsageError):
        outcome.lanes("s0")
    with pytest.raises(ValueError):
        outcome.memory(0, -1)
    with pytest.raises(TypeError):
        salu.run()


def test_what_a_program_does_wrong_is_no_exception():
    outcome = salu.run(asm="s_load_dword s0, s[2:3], 0x0\ns_endpgm")
    assert outcome.stop.is_fault and outcome.stop.reason == "unmapped_memory"
    assert outcome.stop.pc == 0x1000 and outcome.stop.detail
    warned = salu.run(asm="s_trap 1\ns_endpgm")
    assert [(each.kind, each.pc) for each in warned.warnings] == [("trap_ignored", 0x1000)]
    undefined = salu.assemble("s_add_u32 s0, s1, s2\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc1 e\ne:\ns_endpgm")
    assert undefined.run().warnings == []
    assert undefined.run(check_undefined=True).warnings[0].kind == "undefined_read"
    with pytest.raises(salu.UsageError):
        undefined.run(check_undefined="bitz")
    assert undefined.run(strict=True, check_undefined="reads").stop.reason == "undefined_read"


def test_approximations_are_rounded():
    # The floats next to 1/3.
    third = salu.assemble("v_rcp_f32 v0, 0x40400000\nv_readfirstlane_b32 s0, v0\ns_endpgm")
    assert third.run()["s0"] == third.run(approximations="high")["s0"] == 0x3eaaaaab
    assert third.run(approximations="low")["s0"] == 0x3eaaaaaa
    assert third.run(approximations="seed 7")["s0"] in (0x3eaaaaaa, 0x3eaaaaab)
    with pytest.raises(salu.UsageError):
        third.run(approximations="all")


def test_memory_goes_in_and_out():
    program = salu.assemble("s_load_dword s0, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_add_u32 s0, s0, s0\n"
                            "s_store_dword s0, s[2:3], 0x4\ns_endpgm")
    program.add_memory(0x10000, (21).to_bytes(4, "little") + bytes(4))
    outcome = program.run(registers={"s[2:3]": 0x10000})
    assert outcome.memory(0x10004, 4) == (42).to_bytes(4, "little")
    assert program.read(0x10004, 4) == bytes(4)
    program.write(0x10000, bytearray([7, 0, 0, 0]))
    assert program.run(registers={"s[2:3]": 0x10000}).memory(0x10004, 1) == b"\x0e"
    with pytest.raises(salu.SaluError):
        program.add_memory(0x10000, 16)
    with pytest.raises(salu.NotFoundError):
        program.write(0x20000, b"1")


def test_lanes():
    outcome = salu.run(asm="v_mov_b32 v3, 0\nv_mbcnt_lo_u32_b32 v3, -1, v3\nv_mbcnt_hi_u32_b32 v3, -1, v3\ns_endpgm")
    assert outcome.lanes("v3") == list(range(64))
    assert outcome["v3[7]"] == 7


def test_traces():
    seen = []
    program = salu.assemble("s_mov_b32 s0, 5\nl:\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 l\ns_endpgm")
    program.run(trace=seen.append)
    assert [event.mnemonic for event in seen] == ["s_mov_b32", *["s_sub_u32", "s_cmp_lg_u32", "s_cbranch_scc1"] * 5, "s_endpgm"]
    assert [event.step for event in seen] == list(range(1, 18))
    assert seen[0].words == (0xBE800085 & 0xFFFFFFFF,) and seen[0].writes.startswith("s0=0x00000005")

    class Enough(Exception):
        pass

    def until_three(event):
        if event.step == 3:
            raise Enough
    with pytest.raises(Enough):
        program.run(trace=until_three)
    # The plan is still valid after use.
    assert program.run().s0 == 0


def test_what_is_cancelled_has_an_outcome():
    program = salu.assemble("l:\ns_add_u32 s0, s0, 1\ns_branch l")

    def end(event):
        raise KeyError(event.step)
    with pytest.raises(KeyError) as caught:
        program.run(trace=end)
    cancelled = caught.value.__context__
    assert isinstance(cancelled, salu.Cancelled)
    # s0 counts iterations of two instructions.
    assert cancelled.outcome.steps > 0 and cancelled.outcome.s0 == (cancelled.outcome.steps + 1) // 2
    assert cancelled.outcome.stop.detail.startswith("the caller cancelled the run")


def test_endless_loops_end():
    program = salu.assemble("l:\ns_add_u32 s0, s0, 1\ns_branch l")
    outcome = program.run(max_steps=1001)
    assert (outcome.stop.reason, outcome.steps, outcome.s0) == ("step_limit", 1001, 501)
    assert program.run(max_steps=1 << 60, max_seconds=0.05).stop.reason == "time_limit"


def test_threads_have_programs_and_share_one():
    shared = salu.assemble("s_add_u32 s1, s0, 1\ns_endpgm")
    wrong = []

    def work(number):
        own = salu.assemble(f"s_add_u32 s1, s0, {number}\ns_endpgm")
        for i in range(300):
            if own.run(s0=i).s1 != i + number or shared.run(s0=i * number).s1 != i * number + 1:
                wrong.append((number, i))
            try:
                own.symbol(f"label{number}")
            except salu.NotFoundError as error:
                if f"label{number}" not in str(error):
                    wrong.append(str(error))
    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_all_documents_of_a_file(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text("name: one\ntarget: gfx900\ncode: {asm: s_endpgm}\n---\nname: two\ntarget: gfx900\ncode: {asm: s_wrong}\n")
    first, second = salu.load_all(path)
    assert first.name == "one" and isinstance(second, salu.InputError) and second.line == 7
    assert salu.load(path, document="one").run().stop.is_regular
    with pytest.raises(salu.InputError, match="document"):
        salu.load(path)
    missing = salu.load_all(tmp_path / "none.yaml")
    assert [each.code for each in missing] == ["bad_file"]


def test_everything_is_freed():
    gc.collect()
    before = lib.live_handles()
    program = salu.assemble("s_add_u32 s1, s0, 1\ns_endpgm")
    outcome, session = program.run(s0=1), program.session()
    assert lib.live_handles() == before + 3
    outcome.report(), outcome.mismatches(), session.run(), session.why("s1"), program.remarks()
    salu.sweep(program, s0=[1])
    for wrong in (lambda: program.run(s200=1), lambda: session.why("s200"), lambda: salu.assemble("x")):
        with pytest.raises(salu.SaluError):
            wrong()
    assert lib.live_handles() == before + 3
    # An outcome keeps its program alive.
    del program, session
    gc.collect()
    assert outcome.s1 == 2
    del outcome
    gc.collect()
    assert lib.live_handles() == before


def test_two_programs_are_compared():
    twice = salu.assemble("s_add_u32 s0, s1, s1\ns_endpgm")
    shifted = salu.assemble("s_lshl_b32 s0, s1, 1\ns_endpgm")
    wrong = salu.assemble("s_lshl_b32 s0, s1, 1\ns_bitset0_b32 s0, 31\ns_endpgm")
    assert salu.equiv(twice, shifted, outputs=["s0"], states=500)
    difference = salu.equiv(twice, wrong, outputs=["s0"], states=500)
    assert not difference and difference.verdict == "different" and difference.data["schema"] == "salu-equiv-v1"
    assert "different" in str(difference)
    assert salu.equiv(twice, wrong, outputs=["s0"], exhaustive=["s1=0..255"])
    assert salu.prove(twice, shifted, outputs=["s0"])
    assert salu.prove(twice, wrong, outputs=["s0"]).verdict == "different"
    with pytest.raises(salu.InputError):
        salu.equiv(twice, wrong, outputs=["s999"])
