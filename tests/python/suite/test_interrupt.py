"""Ctrl-C in the middle of what runs for ever."""

import os
import signal
import subprocess
import sys
import time

import pytest

ENDLESS = "l:\\ns_add_u32 s0, s0, 1\\ns_branch l"
BOTH = f"import salu, sys, time; program = salu.assemble('{ENDLESS}'); "
WORK = {
    "run": "program.run(max_steps=1 << 60)",
    "traced": "program.run(max_steps=1 << 60, trace=lambda event: None)",
    "sweep": "salu.sweep(program, ['s0'], s0=range(10), max_steps=1 << 40)",
    "ranges": "salu.sweep_ranges(program, 's0=0..9', ['s0'], max_steps=1 << 40)",
    "session": "program.session().go_to(1 << 60)",
    "equiv": "salu.equiv(program, program, outputs=['s0'], max_steps=1 << 40)",
}


@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_is_heard(name):
    text = (BOTH + "print('ready', flush=True)\n"
            "try:\n"
            f"    {WORK[name]}\n"
            "    print('came back')\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted', salu.run(asm='s_mov_b32 s0, 3\\ns_endpgm').s0)\n")
    process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ))
    try:
        assert process.stdout.readline() == "ready\n", process.communicate()
        time.sleep(0.3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert out == "interrupted 3\n", (out, err)
    assert time.monotonic() - begin < 20
