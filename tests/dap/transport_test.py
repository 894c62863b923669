#!/usr/bin/env python3
"""`salu debug --dap` as a process: standard input and output, a port, its end. The contents of messages are tested in C++."""

import json
import os
import re
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
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


def request(number, command, **arguments):
    return {"seq": number, "type": "request", "command": command, "arguments": arguments}


def launch(number, **arguments):
    return request(number, "launch", program=PROGRAM, **arguments)


def messages_of(stream):
    """Returns the bodies of complete messages; any other data is a failure."""
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
                done.stderr, b"error: the client's messages cannot be read: the input ends within a message\n"
            )

    def test_nothing_can_be_waited_for(self):
        # A sanitizer that looks for leaks at the end opens files, which the limit below refuses.
        environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen([SALU, "debug", "--dap"], env=environment, **pipes) as process:
            process.stdin.write(framed("initialize"))
            process.stdin.flush()
            process.stdout.readline()
            # poll() refuses more descriptors than may be open.
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (2, 2))
            process.stdin.write(framed("threads"))
            process.stdin.flush()
            errors = process.communicate(timeout=TIMEOUT)[1]
        self.assertIn(b"poll() failed (Invalid argument)", errors)
        self.assertEqual(process.returncode, 3)

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
            (["--dap", "-"], b"messages from standard input; name a file"),
            (["--dap", "--command", "x"], b"--command: not with --dap"),
            (["--socket", "x", PROGRAM], b"--socket: only with --dap"),
            (["--dap", "--socket", "x", "--port", "1"], b"--port and --socket: omit one of them"),
            (["--dap", "--socket", ""], b"--socket: expected a file name"),
            (["--dap", "--token"], b"--token: only with --port"),
            (["--dap", "--socket", "x", "--token"], b"--token: only with --port"),
        ):
            done = run(arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(b"error: ", done.stderr)
            self.assertIn(message, done.stderr)


def exchange(client, stream):
    """Sends a stream completely, and returns the answers."""
    client.settimeout(TIMEOUT)
    answer = b""
    try:
        client.sendall(stream)
        client.shutdown(socket.SHUT_WR)
        while piece := client.recv(65536):
            answer += piece
    except (BrokenPipeError, ConnectionResetError):
        pass
    return messages_of(answer)


def run_as_other_user(program):
    """Runs Python as user 12345."""
    program = "import encodings.idna, os, socket\nos.setgroups([])\nos.setgid(12345)\nos.setuid(12345)\n" + program
    return subprocess.run([sys.executable, "-c", program], capture_output=True, cwd="/", timeout=TIMEOUT, check=True)


class Server(unittest.TestCase):
    """A server that listens, and reports this on standard error."""

    def start(self, *arguments, before=()):
        self.process = subprocess.Popen([*before, SALU, "debug", "--dap", *arguments], stderr=subprocess.PIPE)
        self.addCleanup(self.end, self.process)
        return self.process.stderr.readline().decode()

    def end(self, process):
        process.kill()
        process.wait(TIMEOUT)
        process.stderr.close()


class Port(Server):
    def setUp(self):
        self.port = self.find_port(self.start("--port", "0"))

    def find_port(self, line):
        return int(re.fullmatch(r"salu: waiting for a debug client on 127\.0\.0\.1:(\d+)\n", line)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT)

    def talk(self, stream):
        with self.connect() as client:
            return exchange(client, stream)

    def test_one_client_after_the_other(self):
        for _ in range(3):
            answers = self.talk(framed("initialize", launch(2), "disconnect"))
            self.assertTrue(all(each.get("success", True) for each in answers))
        # A client with malformed messages does not end the server.
        self.assertEqual(self.talk(b"GET / HTTP/1.1\r\n\r\n"), [])
        self.assertIn(b"cannot be read: expected a header", self.process.stderr.readline())
        self.assertEqual(len(self.talk(framed("initialize"))), 1)
        self.assertIsNone(self.process.poll())

    def test_a_port_that_is_taken(self):
        done = run(["--dap", "--port", str(self.port)])
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr.decode(), rf"^error: port {self.port} of 127\.0\.0\.1: cannot be used: ")

    def test_a_client_over_ipv6(self):
        with socket.socket(socket.AF_INET6) as client:
            try:
                client.connect(("::ffff:127.0.0.1", self.port))
            except OSError as error:
                self.skipTest(str(error))
            self.assertTrue(exchange(client, framed("initialize"))[0]["success"])

    def test_http_is_no_message(self):
        body = framed("initialize", launch(2), "configurationDone")
        head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://example.com\r\nContent-Length: %d\r\n\r\n" % len(body)
        for stream in (head + body, head.split(b"\r\n", 1)[1] + body, b"Host: localhost\r\n" + body,
                       b"Content-Length: 2\r\nOrigin: null\r\n\r\n{}" + body, b"GET / HTTP/1.1\r\n"):
            self.assertEqual(self.talk(stream), [])
            self.assertIn(b"cannot be read: expected a header such as `Content-Length: 119`, found `", self.process.stderr.readline())
        self.assertTrue(self.talk(framed("initialize"))[0]["success"])

    def test_a_browser_is_answered_at_once(self):
        with self.connect() as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            # The client sends nothing more and does not close its end.
            self.assertEqual(client.recv(1), b"")

    def test_who_says_nothing_loses_the_place(self):
        with self.connect() as silent:
            silent.sendall(b"Content-Length: 100\r\n")
            start = time.monotonic()
            self.assertEqual(silent.recv(1), b"")
            self.assertLess(time.monotonic() - start, 25)
            self.assertIn(b"the client did not start a session within 10 seconds", self.process.stderr.readline())
        self.assertTrue(self.talk(framed("initialize"))[0]["success"])

    def test_who_has_begun_may_think(self):
        with self.connect() as client:
            client.sendall(framed("initialize"))
            time.sleep(12)
            client.sendall(framed(request(2, "initialize"), launch(2), "disconnect"))
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        self.assertEqual([each["request_seq"] for each in messages_of(answer) if each["type"] == "response"], [1, 2, 2, 3])

    @unittest.skipUnless(os.geteuid() == 0, "only root can change its user")
    def test_other_users_are_refused(self):
        program = (f"client = socket.create_connection(('127.0.0.1', {self.port}))\n"
                   f"try:\n  client.sendall({framed('initialize')!r})\n  print(client.recv(100))\nexcept OSError:\n  print(b'')")
        self.assertEqual(run_as_other_user(program).stdout, b"b''\n")
        self.assertEqual(self.process.stderr.readline(), b"salu: refused a client: it is one of user 12345\n")
        # A closed socket has no owner, and appears to be owned by root.
        gone = f"client = socket.create_connection(('127.0.0.1', {self.port}))\nclient.sendall({framed('initialize')!r})"
        for _ in range(20):
            run_as_other_user(gone)
            self.assertRegex(self.process.stderr.readline(), rb"^salu: refused a client: it (is one of user|has disconnected)")
        self.assertTrue(self.talk(framed("initialize"))[0]["success"])


class Token(Server):
    def setUp(self):
        line = self.start("--port", "0", "--token")
        found = re.fullmatch(
            r"salu: waiting for a debug client on 127\.0\.0\.1:(\d+), which has to send the token ([0-9a-f]{32})\n", line)
        self.port, self.token = int(found[1]), found[2]

    def talk(self, *messages):
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT) as client:
            return [each for each in exchange(client, framed(*messages)) if each["type"] == "response"]

    def test_with_the_token(self):
        for messages in (("initialize", launch(2, token=self.token), "threads"),
                         (request(1, "initialize", token=self.token), launch(2), "threads")):
            self.assertEqual([each["success"] for each in self.talk(*messages)], [True] * 3)

    def test_without_it(self):
        for messages, code in ((("initialize", launch(2), "threads"), [True, False]),
                               (("initialize", launch(2, token=self.token[:-1]), "threads"), [True, False]),
                               (("initialize", launch(2, token="0" * 32), "threads"), [True, False]),
                               (("initialize", launch(2, token=7), "threads"), [True, False]),
                               ((request(1, "initialize", token="x"), launch(2, token=self.token)), [False]),
                               (("initialize", request(2, "attach")), [True, False]),
                               (("threads", "initialize"), [False]),
                               (("initialize", "configurationDone", "threads"), [True, False]),
                               (("initialize", "disconnect"), [True, True])):
            answers = self.talk(*messages)
            self.assertEqual([each["success"] for each in answers], code, messages)
            if code[-1] is False:
                self.assertIn("token", answers[-1]["message"])
                self.assertNotIn(self.token, json.dumps(answers))
        self.assertTrue(self.talk("initialize", launch(2, token=self.token))[1]["success"])

    def test_each_server_has_its_own(self):
        first = self.token
        self.end(self.process)
        self.setUp()
        self.assertNotEqual(first, self.token)


class UserNamespace(Server):
    """In a user namespace, all users have the same ID as this process."""

    @unittest.skipUnless(subprocess.run(["unshare", "--user", "true"], stderr=subprocess.DEVNULL).returncode == 0,
                         "user namespaces are not available")
    def test_a_token_is_needed(self):
        line = self.start("--port", "0", before=("unshare", "--user"))
        self.assertRegex(line, r"^salu: waiting for a debug client on 127\.0\.0\.1:\d+, which has to send the token [0-9a-f]{32}\n$")


class UnixSocket(Server):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="salu-dap-")
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "socket")

    def start_here(self):
        line = self.start("--socket", self.path)
        self.assertEqual(line, f"salu: waiting for a debug client on {self.path}\n")

    def talk(self, stream, user=None):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.path)
            return exchange(client, stream)

    def test_clients(self):
        before = os.umask(0)
        self.start_here()
        os.umask(before)
        status = os.lstat(self.path)
        self.assertTrue(stat.S_ISSOCK(status.st_mode))
        self.assertEqual((stat.S_IMODE(status.st_mode), status.st_uid), (0o600, os.geteuid()))
        for _ in range(3):
            answers = self.talk(framed("initialize", launch(2), "disconnect"))
            self.assertEqual([each["success"] for each in answers if each["type"] == "response"], [True] * 3)
        self.assertEqual(self.talk(b"GET / HTTP/1.1\r\n\r\n"), [])

    def test_it_is_removed_in_the_end(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.start_here()
            self.process.send_signal(number)
            self.assertEqual(self.process.wait(TIMEOUT), -number)
            self.assertFalse(os.path.lexists(self.path))
        # A file that has replaced the socket stays.
        self.start_here()
        os.unlink(self.path)
        with open(self.path, "w", encoding="utf-8"):
            pass
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(TIMEOUT)
        self.assertTrue(os.path.exists(self.path))

    def test_one_that_was_left_behind_is_replaced(self):
        self.start_here()
        self.end(self.process)
        self.assertTrue(os.path.exists(self.path))
        self.start_here()
        self.assertTrue(self.talk(framed("initialize"))[0]["success"])

    def test_what_stands_in_the_way(self):
        def refusal():
            done = run(["--dap", "--socket", self.path])
            self.assertEqual((done.returncode, done.stdout), (3, b""))
            return done.stderr.decode()

        self.start_here()
        self.assertEqual(refusal(), f"error: {self.path}: the socket is already in use\n")
        # The probe of another server may occupy the socket for a moment.
        deadline = time.monotonic() + TIMEOUT
        while not (answers := self.talk(framed("initialize"))):
            self.assertLess(time.monotonic(), deadline)
        self.assertTrue(answers[0]["success"])
        self.process.terminate()
        self.process.wait(TIMEOUT)
        for make in (lambda: os.mkfifo(self.path), lambda: os.mkdir(self.path), lambda: os.symlink("/nowhere", self.path)):
            make()
            self.assertEqual(refusal(), f"error: {self.path}: the file exists and is not a socket\n")
            self.assertTrue(os.path.lexists(self.path))
            os.rmdir(self.path) if os.path.isdir(self.path) else os.unlink(self.path)
        if os.geteuid() == 0:
            with socket.socket(socket.AF_UNIX) as other:
                other.bind(self.path)
            os.chown(self.path, 12345, 12345)
            self.assertEqual(refusal(), f"error: {self.path}: the socket belongs to another user\n")
        self.path = os.path.join(os.path.dirname(self.path), "x" * 200)
        self.assertIn("the path of a socket has at most 107 bytes", refusal())
        self.path = "/nowhere/socket"
        self.assertIn("No such file or directory", refusal())

    @unittest.skipUnless(os.geteuid() == 0, "only root can change its user")
    def test_other_users_are_refused(self):
        self.start_here()
        # Simulates a file that all users can open.
        os.chmod(os.path.dirname(self.path), 0o755)
        os.chmod(self.path, 0o666)
        program = (f"client = socket.socket(socket.AF_UNIX)\nclient.connect({self.path!r})\n"
                   f"try:\n  client.sendall({framed('initialize')!r})\n  print(client.recv(100))\nexcept OSError:\n  print(b'')")
        self.assertEqual(run_as_other_user(program).stdout, b"b''\n")
        self.assertEqual(self.process.stderr.readline(), b"salu: refused a client: it is one of user 12345\n")


class Files(unittest.TestCase):
    """Paths from a client must be files: a server that waits for a pipe does not answer."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="salu-dap-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.fifo = os.path.join(self.folder, "fifo.yaml")
        os.mkfifo(self.fifo)

    def write(self, text):
        path = os.path.join(self.folder, "program.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def refusal(self, **arguments):
        done = run(["--dap"], framed("initialize", request(2, "launch", **arguments), "disconnect"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        answers = [each for each in messages_of(done.stdout) if each["type"] == "response"]
        self.assertEqual([each["success"] for each in answers], [True, False, True])
        return answers[1]["body"]["error"]["format"]

    def test_pipes_and_devices(self):
        code = "target: gfx900\ncode: {asm: s_endpgm}\n"
        table = os.path.join(self.folder, "fifo.csv")
        os.mkfifo(table)
        for named in (self.fifo, "/dev/zero", "/dev/tty", "/dev/stdin", "/proc/self/fd/0"):
            self.assertRegex(self.refusal(program=named), r"it is not a regular file|No such device|No such file")
        for text in (code + f"memory: [{{at: 0x1000000, file: {self.fifo}}}]\n", code + f"cases: {{file: {table}}}\n",
                     f"target: gfx900\ncode: {{file: {self.fifo}}}\n",
                     code + "memory: [{at: 0x1000000, file: /dev/zero}]\n"):
            self.assertIn("it is not a regular file", self.refusal(program=self.write(text)), text)
        self.assertIn("it is not a regular file", self.refusal(program=self.write(code), state=self.fifo))
        self.assertIn("it is a directory", self.refusal(program=self.folder))


if __name__ == "__main__":
    unittest.main()
