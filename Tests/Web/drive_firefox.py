"""Drives Debian's firefox-esr by WebDriver BiDi: as much of it as the checks need.

Source: w3.org/TR/webdriver-bidi. Needs websocket-client of PyPI.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

import websocket

# How long a busy machine may take for anything, in seconds.
PATIENCE = 120


class Firefox:
    """A browser with one page and a profile of its own."""

    def __init__(self, downloads=None):
        self.profile = tempfile.mkdtemp(prefix="firefox-")
        preferences = {
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "browser.download.folderList": 2,
            "browser.download.dir": str(downloads or self.profile),
            "network.dns.localDomains": "gallery.test",
        }
        lines = [f'user_pref("{name}", {json.dumps(value)});\n' for name, value in preferences.items()]
        pathlib.Path(self.profile, "user.js").write_text("".join(lines))
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", self.profile],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HOME": self.profile, "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        address = next(
            found[1] for line in self.process.stderr if (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line))
        )
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.socket = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.number, self.mistakes = 0, []
        wanted = {"alwaysMatch": {"acceptInsecureCerts": True}}
        self.version = self.call("session.new", capabilities=wanted)["capabilities"]["browserVersion"]
        self.call("session.subscribe", events=["log.entryAdded"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("browsingContext.setViewport", context=self.context, viewport={"width": 1280, "height": 800})

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.mistakes.append(answer["params"]["text"])
            if answer.get("id") != self.number:
                continue
            if answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
            return answer["result"]

    def goto(self, address):
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, function):
        """What a function of the page, which may be asynchronous, gives as JSON."""
        answer = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({function})()) ?? null))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def press(self, key):
        codes = {"Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "End": "\ue010", "Enter": "\ue007"}
        actions = [{"type": step, "value": codes.get(key, key)} for step in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.profile, ignore_errors=True)
