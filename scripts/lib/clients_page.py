"""The Python of a page that says how ORMs write to the tables. Run by clients-test, in its virtual environment.

A block is run if the comment above it names clients-test. The blocks of one section are one program. What a block
prints has to match the pattern of its comment, if it has one.
"""

import contextlib
import io
import os
import re
import sys

PAGE, FOLDER = sys.argv[1:3]
BLOCK = re.compile(
    r"^## (?P<section>[^\n]*)$"
    r"|^<!-- not run: [^\n]*scripts/clients-test (?:takes it as (?P<file>[a-z/]+\.py)|runs it)"
    r"(?:, and it prints /(?P<pattern>[^\n]*)/)? -->\n```text\n(?P<text>.*?)^```$", re.M | re.S)


def place(page, block):
    """A block as Python names the lines of a file: those of the page."""
    before = page.count("\n", 0, block.start("text"))
    return compile("\n" * before + block["text"], PAGE, "exec")


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    sys.path.insert(0, FOLDER)
    names, count = {}, 0
    for block in BLOCK.finditer(page):
        if block["section"] is not None:
            names = {"__name__": "__main__"}
            continue
        count += 1
        if block["file"]:
            path = os.path.join(FOLDER, block["file"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(block["text"])
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(place(page, block), names)
        if not re.search(block["pattern"] or "", printed.getvalue(), re.M):
            raise SystemExit(f"{block['text']}printed {printed.getvalue()!r}, and not /{block['pattern']}/")
    print(count)


main()
