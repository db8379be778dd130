"""A machine in between that puts new rows below another project than the one that they were sent for: what a test has
to find out. Imported, never run."""

import random
import re

REFERENCE = re.compile(rb'("project(?:_id)?"\s*:\s*)("[^"]+"|\d+)')


class Misfiler:
    """Swaps what some POSTs refer to with what an earlier one did."""

    def __init__(self, seed, rate):
        self.chance, self.rate, self.earlier = random.Random(seed * 13 + 5), rate, []

    def change(self, method, message):
        """The bytes of the request as they go on."""
        head, _, body = message.partition(b"\r\n\r\n")
        found = REFERENCE.search(body) if method == "POST" else None
        if not found:
            return message
        # Of one length: the head says how long the body is.
        others = [held for held in self.earlier if held != found[2] and len(held) == len(found[2])]
        self.earlier = [*self.earlier[-9:], found[2]]
        if not others or self.chance.random() >= self.rate:
            return message
        return head + b"\r\n\r\n" + body[:found.start(2)] + self.chance.choice(others) + body[found.end(2):]
