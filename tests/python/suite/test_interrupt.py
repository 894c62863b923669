"""Ctrl-C during endless runs."""

import os
import signal
import subprocess
import sys
import time

import pytest

ROUNDS = 12

ENDLESS = "l:\\ns_add_u32 s0, s0, 1\\ns_branch l"
# A sweep imports NumPy, which may swallow an exception of a signal handler meanwhile.
BOTH = f"import contextlib, salu, sys, time\nwith contextlib.suppress(ImportError): import numpy\nprogram = salu.assemble('{ENDLESS}')\n"
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


# A signal handler may raise any exception at any moment, more than once. The library's thread may then continue for a
# while: the data that it uses is kept, so that its memory is not reused.
ANY_MOMENT = """
import random, signal, sys, time
import numpy, salu
class Late(Exception): pass
def handle(_, frame):
    while frame is not None:  # code that waits for the library gets the exception, this code does not
        if frame.f_globals["__name__"].startswith("salu."): raise random.choice([Late, KeyboardInterrupt])
        frame = frame.f_back
signal.signal(signal.SIGALRM, handle)
random.seed(7)
program = salu.assemble("s_mov_b32 s2, 2000\\nl: s_add_u32 s1, s1, s0\\ns_sub_u32 s2, s2, 1\\ns_cmp_lg_u32 s2, 0\\n"
                        "s_cbranch_scc1 l\\ns_endpgm\\n")
COUNT = 100_000
def sweep(): salu.sweep(program, ["s1"], s0=numpy.arange(COUNT, dtype="uint32"), scalar=True)
def traced(): program.run(s0=1, trace=lambda event: None)
def ranges(): salu.sweep_ranges(program, "s0=0..9999", ["s1"], scalar=True)
raised = 0
for each in ROUNDS * [sweep, traced, ranges]:
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.02), 0.001)
        each()
    except (Late, KeyboardInterrupt):
        raised += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    kept = [numpy.full(COUNT, 0x5a5a5a5a, dtype="uint32") for _ in range(3)]
    time.sleep(0.02)
    assert all((array == 0x5a5a5a5a).all() for array in kept)
assert raised > ROUNDS, raised
assert program.run(s0=3).s1 == 6000
print("well")
"""

# A thread that Python ends in the middle of a callback, because the program ends.
DAEMON = """
import threading, time, salu
program = salu.assemble("l: s_add_u32 s1, s1, s0\\ns_branch l\\n")
threading.Thread(target=lambda: program.run(trace=lambda event: None), daemon=True).start()
time.sleep(0.3)
print("well")
"""


# Other calls with callbacks.
DAEMON_LOADS = """
import pathlib, tempfile, threading, time, salu
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name) / "many.yaml"
path.write_text("---\\n".join(500 * ["target: gfx900\\ncode: {asm: s_endpgm}\\n"]))
def load():
    while True:
        salu.load_all(path)
threading.Thread(target=load, daemon=True).start()
time.sleep(0.3)
print("well")
"""

DAEMON_ASKS = """
import threading, time, salu
session = salu.assemble("s_movk_i32 s0, 500\\nl: s_add_u32 s1, s1, s0\\ns_sub_u32 s0, s0, 1\\ns_cmp_lg_u32 s0, 0\\n"
                        "s_cbranch_scc1 l\\ns_endpgm\\n").session()
session.run()
def ask():
    while True:
        session.why("s1", 100)
threading.Thread(target=ask, daemon=True).start()
time.sleep(0.3)
print("well")
"""

# A forked child does not have its parent's threads, and does not wait for them at its end.
FORKED = """
import os, threading, time, salu
from salu import _interrupt
program = salu.assemble("l: s_add_u32 s1, s1, s0\\ns_branch l\\n")
threading.Thread(target=lambda: program.run(trace=lambda event: None), daemon=True).start()
while not _interrupt._stops:
    time.sleep(0.01)
child = os.fork()
if child == 0:
    os._exit(len(_interrupt._stops))
print("well" if os.waitpid(child, 0)[1] == 0 else "wrong")
"""


# Threads cannot be started while Python ends, and until then an object may still use the library.
LAST = """
import salu
class Recorder:
    def __init__(self):
        self.session = salu.assemble("s_mov_b32 s0, 7\\ns_endpgm").session()
    def __del__(self):
        self.session.run()
        print("well" if self.session["s0"] == 7 else "wrong")
keep = Recorder()
"""

AT_EXIT = """
import atexit, salu
program = salu.assemble("s_mov_b32 s0, 7\\ns_endpgm")
atexit.register(lambda: print("well" if program.run(max_seconds=5).s0 == 7 else "wrong"))
"""


# Threads of the package have enough stack, whatever the default is.
SMALL_STACKS = """
import threading, salu
threading.stack_size(64 * 1024)
program = salu.assemble("s_mul_i32 s0, s0, s1\\ns_add_u32 s0, s0, 1\\ns_endpgm")
session = program.session()
assert session.command("print " + 99 * "(" + "s0" + 99 * ")").endswith("= 0x00000000\\n")
session.run()
assert salu.sweep(program, ["s0"], s1=list(range(20000))).stops == {"end_program": 20000}
other = salu.assemble("s_mul_i32 s2, s1, s0\\ns_add_u32 s0, s2, 1\\ns_endpgm")
assert salu.prove(program, other, outputs=["s0"]).verdict == "equal"
assert salu.equiv(program, other, outputs=["s0"], states=1000).verdict == "equal"
assert threading.stack_size() == 64 * 1024
print("well")
"""

# The end of a child process that the library starts is not reported in this case.
NO_CHILDREN = """
import signal, salu
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
text = ".irpc x,123\\ns_nop \\\\x\\n.endr\\n.altmacro\\n{}\\ns_endpgm\\n"
assert salu.assemble(text.format("s_nop 4")).run().steps == 5
try:
    salu.assemble(text.format("s_bogus s1"))
except salu.InputError as error:
    assert error.line == 5, error
    print("well")
"""


@pytest.mark.parametrize("text", [ANY_MOMENT.replace("ROUNDS", str(ROUNDS)), DAEMON, DAEMON_LOADS, DAEMON_ASKS, FORKED, LAST,
                                  AT_EXIT, SMALL_STACKS, NO_CHILDREN],
                         ids=["any moment", "daemon", "daemon loads", "daemon asks", "forked", "finalizer", "at exit", "small stacks",
                              "no children"])
def test_threads_end_without_harm(text):
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120, check=False,
                              env=dict(os.environ))
        assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr[-2000:]
