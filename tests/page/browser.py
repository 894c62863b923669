"""A headless Chromium, driven through ChromeDriver by the WebDriver protocol (W3C): JSON over HTTP, which needs no library."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "PageUp": "\ue00e", "PageDown": "\ue00f",
    "Home": "\ue011", "End": "\ue010", "Tab": "\ue004", "Enter": "\ue007",
}


class Browser:
    """`with Browser() as browser:` starts one and ends it."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="salu-chromium-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "HOME": self.profile})
        self.session = None
        try:
            for line in self.driver.stdout:
                started = re.search(r"started successfully on port (\d+)", line)
                if started:
                    break
            else:
                raise RuntimeError("chromedriver did not start")
            self.port = int(started[1])
            # Without a network, requests of the page fail at once.
            arguments = [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
                "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
                "--hide-scrollbars", "--proxy-server=127.0.0.1:9", f"--user-data-dir={self.profile}/profile",
            ]
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
            }}})
            self.session = f"/session/{answer['sessionId']}"
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session is not None:
            self.ask("DELETE", self.session)
            self.session = None
        self.driver.terminate()
        self.driver.wait(30)
        self.driver.stdout.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, json.dumps(body if body is not None else {}) if method == "POST" else None)
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{path}: {value['error']}: {value['message']}")
        return value

    def command(self, path, body=None):
        return self.ask("POST", self.session + path, body)

    def cdp(self, name, **parameters):
        return self.command("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, path, width, height=900, scheme="light", fragment=""):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.scheme(scheme)
        # Another address first: with the same address, a new fragment would not load the page again.
        self.command("/url", {"url": "about:blank"})
        self.command("/url", {"url": f"file://{path}{fragment}"})

    def scheme(self, scheme):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, script, *arguments):
        """Runs a JavaScript function body. Returns its value."""
        return self.command("/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def attribute(self, selector, name):
        return self.run("return document.querySelector(arguments[0]).getAttribute(arguments[1])", selector, name)

    def find(self, selector):
        return self.command("/element", {"using": "css selector", "value": selector})

    def pointer(self, *actions):
        self.command("/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}]})

    def move(self, selector, share=0.5, vertical=0.5):
        """Moves the pointer to a place of an element, in fractions of its width and height from the top left corner."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        x, y = self.run(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.left + b.width * arguments[1], b.top + b.height * arguments[2]]", selector, share, vertical)
        self.pointer({"type": "pointerMove", "duration": 0, "origin": "viewport", "x": int(x), "y": int(y)})

    def click(self, selector, share=0.5, vertical=0.5):
        self.move(selector, share, vertical)
        self.pointer({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def drag(self, selector, start, end, vertical=0.5):
        """Drags from one fraction of an element's width to another."""
        self.move(selector, start, vertical)
        x, y = self.run(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.left + b.width * arguments[1], b.top + b.height * arguments[2]]", selector, end, vertical)
        self.pointer({"type": "pointerDown", "button": 0},
                     {"type": "pointerMove", "duration": 50, "origin": "viewport", "x": int(x), "y": int(y)},
                     {"type": "pointerUp", "button": 0})

    def wait(self, value, is_good, seconds=10):
        """Repeats a query until its result is accepted, because the page updates in the next frame."""
        until = time.monotonic() + seconds
        while not is_good(value()) and time.monotonic() < until:
            time.sleep(0.02)
        return value()

    def press(self, *names, shift=False):
        actions = []
        if shift:
            actions.append({"type": "keyDown", "value": "\ue008"})
        for name in names:
            value = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        if shift:
            actions.append({"type": "keyUp", "value": "\ue008"})
        self.command("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def screenshot(self, path, full=False):
        shot = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def messages(self):
        """The console output of the page since the last call, with errors of the browser."""
        return [entry["message"] for entry in self.command("/se/log", {"type": "browser"})]
