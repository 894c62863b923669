#!/usr/bin/env python3
"""Messages that no editor would send, for `salu debug --dap` as a process: changed versions of stored sessions, and deeply
nested, long or truncated messages. It neither crashes nor hangs, and every request has one answer.

SALU_FUZZ_SECONDS: duration of the test with changed sessions (10), SALU_FUZZ_SEED: first seed (1)."""

import collections
import copy
import json
import os
import pathlib
import random
import resource
import subprocess
import time
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
FUZZ = pathlib.Path(os.environ["SALU_SOURCE_DIR"]) / "tests" / "fuzz"
TIMEOUT = 120
SECONDS = float(os.environ.get("SALU_FUZZ_SECONDS", "10"))
SEED = int(os.environ.get("SALU_FUZZ_SEED", "1"))

# The values that replace values of a session.
VALUES = (None, True, False, 0, 1, -1, 2, 1.5, 1e300, 2**31, 2**32, 2**63 - 1, 2**63, -2**63, "", "x", "0", "0x1000", "s0", "s0 == 1", "{s0}", "{",
          "é漢🙂", "\u0000", "\x1b[2J", "x" * 5000, "(" * 5000, [], {}, [[]], [1, "x", None], {"x": 1}, [{}] * 100, "mode.csp",
          "[0x10000:8]", "repl", "watch", "continue", "step 5", "info registers", "quit")
# These keys name other files or can make a request run for long, so they are not changed.
LEFT_ALONE = ("program", "state", "maxSteps", "historyMemory")


def stored_sessions():
    for path in sorted((FUZZ / "corpus" / "dap").glob("*.txt")):
        messages = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict) and isinstance(message.get("command"), str):
                messages.append(message)
        if messages:
            yield messages


def framed(text):
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def messages_of(stream):
    """Returns the bodies of complete messages; any other data is a failure."""
    messages = []
    while stream:
        head, stream = stream.split(b"\r\n\r\n", 1)
        size = int(head.removeprefix(b"Content-Length: "))
        assert len(stream) >= size
        messages.append(json.loads(stream[:size]))
        stream = stream[size:]
    return messages


def run(stream, most_memory=None):
    def limit():
        if most_memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (most_memory, most_memory))

    return subprocess.run([SALU, "debug", "--dap", str(FUZZ / "objects" / "debuggee.yaml"), "--max-steps", "500"], input=stream,
                          capture_output=True, timeout=TIMEOUT, check=False, preexec_fn=limit)


def change_value(chance, container):
    """Changes a value in a list or an object, at any depth."""
    keys = [key for key in (container if isinstance(container, dict) else range(len(container))) if key not in LEFT_ALONE]
    if not keys:
        if isinstance(container, dict):
            container[chance.choice(("threadId", "frameId", "x"))] = chance.choice(VALUES)
        return
    key = chance.choice(keys)
    if isinstance(container[key], (dict, list)) and chance.randrange(3) != 0:
        change_value(chance, container[key])
    elif chance.randrange(6) == 0:
        del container[key]
    else:
        container[key] = copy.deepcopy(chance.choice(VALUES))


def changed_session(chance, sessions):
    """Returns well-formed requests with changed numbers."""
    messages = copy.deepcopy(chance.choice(sessions))
    if chance.randrange(4) == 0:
        messages += copy.deepcopy(chance.choice(sessions))
    for _ in range(chance.randrange(1, 8)):
        message = chance.choice(messages)
        what = chance.randrange(6)
        if what == 0:
            messages.remove(message)
        elif what == 1:
            messages.insert(chance.randrange(len(messages) + 1), copy.deepcopy(message))
        elif what == 2:
            message["command"] = chance.choice(messages)["command"]
        elif isinstance(message.get("arguments"), dict):
            change_value(chance, message["arguments"])
        if not messages:
            break
    for number, message in enumerate(messages, 1):
        message.update(seq=number, type="request")
    return messages


class Hostile(unittest.TestCase):
    def test_every_request_of_a_changed_session_has_one_answer(self):
        sessions = list(stored_sessions())
        self.assertGreater(len(sessions), 3)
        end = time.monotonic() + SECONDS / 2
        seed = SEED
        while time.monotonic() < end:
            chance = random.Random(seed)
            messages = changed_session(chance, sessions)
            done = run(b"".join(framed(json.dumps(each).encode()) for each in messages))
            self.assertEqual((done.returncode, done.stderr), (0, b""), f"seed {seed}")
            answers = collections.Counter(each["request_seq"] for each in messages_of(done.stdout) if each["type"] == "response")
            last = next((each["seq"] for each in messages if each["command"] == "disconnect"), len(messages))
            self.assertEqual(answers, collections.Counter(range(1, last + 1)), f"seed {seed}")
            seed += 1

    def test_bytes_of_a_session_are_changed(self):
        sessions = list(stored_sessions())
        end = time.monotonic() + SECONDS / 2
        seed = SEED
        while time.monotonic() < end:
            chance = random.Random(seed)
            stream = bytearray(b"".join(framed(json.dumps(each).encode()) for each in chance.choice(sessions)))
            for _ in range(chance.randrange(1, 10)):
                at = chance.randrange(len(stream))
                what = chance.randrange(4)
                if what == 0:
                    stream[at] = chance.randrange(256)
                elif what == 1:
                    del stream[at:at + chance.randrange(1, 20)]
                elif what == 2:
                    stream[at:at] = chance.choice((b"\r\n", b"\r\n\r\n", b"{", b"[", b"\"", b"\\", b"\xff", b"Content-Length: 5\r\n\r\n", b"9"))
                else:
                    stream[at:at] = stream[max(0, at - chance.randrange(200)):at]
                if not stream:
                    break
            done = run(bytes(stream))
            self.assertIn(done.returncode, (0, 3), f"seed {seed}: {done.stderr[-300:]!r}")
            self.assertEqual(done.returncode == 3, done.stderr.startswith(b"error: the client's messages cannot be read: "), f"seed {seed}")
            messages_of(done.stdout)
            seed += 1

    def test_deep_and_broad_messages(self):
        # A build with sanitizers needs unlimited memory and ten times as long.
        is_sanitized = b"__asan_init" in pathlib.Path(SALU).read_bytes()
        most = (1 if is_sanitized else 8) << 20
        half = most // 2 - 1000
        start = b'{"seq":1,"type":"request","command":"initialize","arguments":'
        most_memory = None if is_sanitized else 1_200_000_000
        broad = (most - 100) // 3
        for text in (b"[" * most, b"[" * (most // 2) + b"]" * (most // 2), b'{"a":' * (most // 5), start + b"[" * half + b"]" * half + b"}",
                     start + b'{"x":' + b"[" * 90_000 + b"]" * 90_000 + b"}}", start + b'{"x":[' + b"[]," * (broad - 30) + b"[]]}}",
                     b'"' + b"x" * (most - 2) + b'"', b'"' + b"\\" * (most - 1), b" " * most, b"1" * most, b"\xff" * most):
            self.assertLessEqual(len(text), most)
            request = b'{"seq":2,"type":"request","command":"threads"}'
            done = run(framed(text) + framed(request), most_memory)
            self.assertEqual((done.returncode, done.stderr), (0, b""), text[:80])
            answers = messages_of(done.stdout)
            self.assertEqual([each["type"] for each in answers], ["response", "response"], text[:80])
            self.assertEqual(answers[1]["request_seq"], 2)


if __name__ == "__main__":
    unittest.main()
