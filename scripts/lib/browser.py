"""Chromium without a window, driven by the DevTools protocol over a pair of pipes. Imported, never run.

Source: Chromium's `--remote-debugging-pipe`: messages of JSON, each with a zero byte behind it, come on descriptor 3 and
go out on descriptor 4; chromedevtools.github.io/devtools-protocol."""

import base64
import json
import os
import select
import subprocess
import time

# How long a page may take, on a machine that does other things, too.
PATIENCE = 60


class Failed(Exception):
    """The page is not as it has to be."""


class Browser:
    """One page. Every wait is for something that the page shows."""

    def __init__(self, root, log):
        (theirs, self.writing), (self.reading, answers) = os.pipe(), os.pipe()
        with open(log, "ab") as errors:
            self.child = subprocess.Popen(
                ["bash", "-c", f'exec chromium "$@" 3<&{theirs} 4>&{answers}', "chromium", "--headless=new",
                 "--remote-debugging-pipe", f"--user-data-dir={root}", "--no-first-run",
                 # It wants another user than root for its sandbox. All pages are our own.
                 *(["--no-sandbox"] if os.geteuid() == 0 else []),
                 "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                 "--disable-component-update", "--window-size=1100,800", "--hide-scrollbars", "about:blank"],
                pass_fds=[theirs, answers], stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                env={**os.environ, "HOME": root})
        os.close(theirs)
        os.close(answers)
        self.pending, self.number, self.session = b"", 0, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # With its pipe, it ends.
        os.close(self.writing)
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        os.close(self.reading)

    def message(self, deadline):
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.reading], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(self.reading, 1 << 16) if ready else b""
            if not piece:
                raise Failed("Chromium does not answer, or has ended: its log says why")
            self.pending += piece
        text, _, self.pending = self.pending.partition(b"\0")
        return json.loads(text)

    def ask(self, method, **parameters):
        """One call of the protocol; returns its result."""
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.writing, json.dumps(call).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def value(self, script):
        """What an expression of JavaScript is in the page."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failed(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait(self, script, what):
        """Waits until an expression is true; the page may be another one by then."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if self.value(f"Boolean({script})"):
                    return
            except Failed as failure:
                # Between two pages there is nothing to look at.
                if self.child.poll() is not None or "context" not in str(failure):
                    raise
            time.sleep(0.05)
        raise Failed(f"{what} did not come in {PATIENCE} s; the page says:\n{self.value('document.body.innerText')}")

    def go(self, address):
        """Opens a page, and returns when its scripts have run."""
        if "errorText" in (went := self.ask("Page.navigate", url=address)):
            raise Failed(f"{address}: {went['errorText']}")
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'", address)

    def click(self, selector):
        self.wait(f"document.querySelector({json.dumps(selector)})", selector)
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def fill(self, selector, text):
        """Replaces what a field holds, by typing."""
        self.wait(f"document.querySelector({json.dumps(selector)})", selector)
        self.value(f"(field => {{ field.focus(); field.select(); }})(document.querySelector({json.dumps(selector)}))")
        if text:
            self.ask("Input.insertText", text=text)
        else:
            self.value("document.execCommand('delete')")

    def picture(self, path, selector):
        """What an element shows, as PNG."""
        clip = self.value(
            "(({x, y, width, height}) => ({x: x + scrollX, y: y + scrollY, width, height}))"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        shot = self.ask("Page.captureScreenshot", format="png", clip={**clip, "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
