"""A run with reverse execution."""

import pytest
import salu

COUNTING = ("s_mov_b32 s0, 5\ns_mov_b32 s1, 0\nloop:\ns_add_u32 s1, s1, s0\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\n"
            "s_cbranch_scc1 loop\ndone:\ns_endpgm\n")


@pytest.fixture
def session():
    return salu.assemble(COUNTING).session()


def test_a_session_is_an_iterator(session):
    seen = [(pause.position, pause.reason) for pause in session]
    assert seen == [(n, "step") for n in range(1, 23)] + [(23, "ended")]
    assert session.s1 == 15
    assert session.back(2).position == 21
    assert session.back(1000) == salu.Pause("start", 0, 0x1000, 0)
    assert session.step(3) == salu.Pause("step", 3, 0x100C, 0)
    assert (session.position, session.pc) == (3, 0x100C)
    assert "s_sub_u32 s0, s0, 1" in session.instruction
    assert session.go_to(10).position == 10 and session.s1 == 9


def test_breakpoints(session):
    number = session.break_at("loop", "s0 == 3")
    assert session.run() == salu.Pause("breakpoint", 10, 0x1008, number)
    session.remove(number)
    watch = session.watch("s1", "s1 > 12")
    assert session.run().breakpoint == watch and session.s1 == 14
    session.remove(watch)
    assert session.run_back().reason == "start"
    assert session.run_to("done").position == 22
    assert session.run_back_to("loop").position == 18
    with pytest.raises(salu.NotFoundError):
        session.remove(watch)
    with pytest.raises(salu.NotFoundError):
        session.run_to("nowhere")
    # Iteration ends at a breakpoint.
    session.go_to(0)
    session.break_at("done")
    assert list(session)[-1].reason == "breakpoint"


def test_why(session):
    session.run()
    why = session.why("s1", links=3)
    # Last written by the addition of the fifth iteration, from s1 of the previous one and s0.
    assert [link.step for link in why][:1] == [19]
    assert why.links[0].instruction == "s_add_u32 s1, s1, s0" and len(why) == 3
    assert "s_add_u32 s1, s1, s0" in str(why)
    assert [link.step for link in session.why("s0@2")] == [1]


def test_values_are_read_and_set(session):
    session.step(2)
    session["s0"] = 2
    session.run()
    assert session["s1 + 4 * 2"] == 11
    session.go_to(2)
    session["s0"] = "s0 + 1"
    session.run()
    assert session.s1 == 6
    assert session.lanes("v0") == [0] * 64
    assert "6" in session.command("print s1")
    with pytest.raises(salu.InputError):
        session.command("frobnicate")
    with pytest.raises(AttributeError):
        session.nothing
    with pytest.raises(salu.NotFoundError):
        session.memory(0x500000, 4)


def test_fork_and_join_backwards(programs):
    session = salu.load(programs / "fork_join.yaml").session()
    masks = {pause.position: session.exec for pause in session}
    assert masks[9] == 0xAAAA
    while session.position:
        assert masks.get(session.position, session.exec) == session.exec
        session.back()


def test_waves(programs):
    # Each wave has 4 instructions before its barrier, and 4 after it.
    session = salu.load(programs / "missing_barrier.yaml", document=1).session()
    assert session.step(4).position == 8 and session.wave == 0
    assert session.waves[1] == salu.Wave(1, "wave 1 of work-group [0, 0, 0]", "ready", 0x1014)
    session.wave = 1
    assert session["v0[0]"] == 64
    assert session.step().position == 13
    assert [wave.status for wave in session.waves] == ["ended", "ready"]
    with pytest.raises(salu.NotFoundError, match="no wave 2 here"):
        session.wave = 2
    session.watch("[0xffff00000100]")
    assert session.run_back().position == 5 and session.wave == 1


def test_a_single_wave(session):
    assert session.waves == [salu.Wave(0, "", "ready", 0x1000)]
