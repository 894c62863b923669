#!/usr/bin/env python3
"""`salu debug --dap` as a process: standard input and output, a port, how it ends. What the messages say is tested in C++."""

import json
import os
import re
import socket
import subprocess
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
PROGRAM = os.path.join(os.environ["SALU_SOURCE_DIR"], "programs", "fork_join.yaml")
TIMEOUT = 60


def framed(*messages):
    stream = b""
    for number, message in enumerate(messages, 1):
        if isinstance(message, str):
            message = {"seq": number, "type": "request", "command": message}
        text = json.dumps(message).encode()
        stream += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
    return stream


def launch(number):
    return {"seq": number, "type": "request", "command": "launch", "arguments": {"program": PROGRAM}}


def messages_of(stream):
    """Whole messages alone: anything else fails."""
    messages = []
    while stream:
        header = re.match(rb"Content-Length: (\d+)\r\n\r\n", stream)
        end = header.end() + int(header[1])
        messages.append(json.loads(stream[header.end() : end]))
        assert len(stream) >= end
        stream = stream[end:]
    return messages


def run(arguments, stream=b""):
    return subprocess.run([SALU, "debug", *arguments], input=stream, capture_output=True, timeout=TIMEOUT, check=False)


class StandardStreams(unittest.TestCase):
    def test_disconnect(self):
        done = run(["--dap"], framed("initialize", launch(2), "configurationDone", "threads", "disconnect"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        responses = [each for each in messages_of(done.stdout) if each["type"] == "response"]
        self.assertEqual([each["request_seq"] for each in responses], [1, 2, 3, 4, 5])
        self.assertTrue(all(each["success"] for each in responses))

    def test_nothing_behind_disconnect_is_answered(self):
        done = run(["--dap"], framed("disconnect", "initialize"))
        self.assertEqual((done.returncode, len(messages_of(done.stdout))), (0, 1))

    def test_the_end_of_the_stream(self):
        for stream in (b"", framed("initialize"), framed("initialize", launch(2), "configurationDone")):
            done = run(["--dap"], stream)
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_closed_streams(self):
        for redirections in ("<&-", "<&- >&-", "<&- >&- 2>&-", ">&- </dev/null"):
            command = ["sh", "-c", f'exec "$0" debug --dap {redirections}', SALU]
            self.assertEqual(subprocess.run(command, timeout=TIMEOUT, check=False).returncode, 0, redirections)

    def test_half_a_message(self):
        for stream in (framed("initialize")[:-1], b"Content-Length: 7\r\n\r\n", b"Content"):
            done = run(["--dap"], stream)
            self.assertEqual(done.returncode, 3)
            self.assertEqual(
                done.stderr, b"error: the client's messages cannot be read: they end in the middle of a message\n"
            )

    def test_garbage(self):
        done = run(["--dap"], framed("initialize") + os.urandom(64).replace(b"\r", b"") + b"\r\n\r\n")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rb"^error: the client's messages cannot be read: (expected a|a) header")
        self.assertTrue(messages_of(done.stdout)[0]["success"])

    def test_a_client_that_reads_nothing(self):
        with subprocess.Popen([SALU, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.close()
            process.stdin.write(framed("initialize"))
            process.stdin.flush()
            self.assertEqual(process.wait(TIMEOUT), 0)


class Options(unittest.TestCase):
    def test_defaults_of_launch(self):
        stream = framed(
            "initialize",
            "launch",
            "configurationDone",
            {"seq": 4, "type": "request", "command": "evaluate", "arguments": {"expression": "s33"}},
        )
        done = run(["--dap", PROGRAM, "--set", "s33=7"], stream)
        self.assertIn("0x00000007", [each.get("body", {}).get("result") for each in messages_of(done.stdout)])

    def test_what_does_not_go_together(self):
        for arguments, message in (
            ([], b"FILE is required"),
            (["--port", "1", PROGRAM], b"--port: only with --dap"),
            (["--dap", "--port", "65536"], b"--port: expected 0 to 65535"),
            (["--dap", "--port", "http"], b"--port"),
            (["--dap", "-"], b"no scenario on standard input"),
            (["--dap", "--command", "x"], b"--command: not with --dap"),
        ):
            done = run(arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(b"error: ", done.stderr)
            self.assertIn(message, done.stderr)


class Port(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen([SALU, "debug", "--dap", "--port", "0"], stderr=subprocess.PIPE)
        line = self.process.stderr.readline().decode()
        self.port = int(re.fullmatch(r"salu: waiting for a debug client on 127\.0\.0\.1:(\d+)\n", line)[1])

    def tearDown(self):
        self.process.kill()
        self.process.wait(TIMEOUT)
        self.process.stderr.close()

    def talk(self, stream):
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT) as client:
            client.sendall(stream)
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        return messages_of(answer)

    def test_one_client_after_the_other(self):
        for _ in range(3):
            answers = self.talk(framed("initialize", launch(2), "disconnect"))
            self.assertTrue(all(each.get("success", True) for each in answers))
        # One that talks nonsense is no reason to end.
        self.assertEqual(self.talk(b"GET / HTTP/1.1\r\n\r\n"), [])
        self.assertIn(b"cannot be read: expected a header", self.process.stderr.readline())
        self.assertEqual(len(self.talk(framed("initialize"))), 1)
        self.assertIsNone(self.process.poll())

    def test_a_port_that_is_taken(self):
        done = run(["--dap", "--port", str(self.port)])
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr.decode(), rf"^error: port {self.port} of 127\.0\.0\.1: cannot be had: ")


if __name__ == "__main__":
    unittest.main()
