# SPDX-License-Identifier: GPL-3.0-or-later
"""What of two transcripts must be equal.

Everything but released values: of a released number it is compared whether it is
null, of a declared key all.  Where the set of groups is itself released (groups
without declared keys) rows and their number are not compared.
"""
import re

EXACT = None
IGNORED = "ignored"  # what the owner of the rows is told

class Mask:
    def __init__(self, columns="", released_rows=False):
        self.columns, self.released_rows = columns, released_rows

    def values(self, row):
        if len(row) != len(self.columns):
            return tuple("null" if v is None else "value" for v in row)
        return tuple(v if kind == "k" else "null" if v is None else "value" for kind, v in zip(self.columns, row))

    def apply(self, message):
        kind = message[0]
        if kind == "D":
            return ("D", self.values(message[1]))
        if kind == "d":
            fields = tuple(message[1].rstrip(b"\n").split(b"\t"))
            return ("d", self.values(tuple(None if f == b"\\N" else f for f in fields)))
        return message


def _follows_rows(message):
    """Whether a message comes once for each released row, or with their number."""
    return message[0] in "Dds" or (message[0] == "C" and re.match(r"(SELECT|FETCH|COPY|INSERT)\b", message[1])) or \
        (message[0] == "N" and message[1]["M"].startswith("told"))


def masked(transcript, mask):
    if mask is EXACT:
        return list(transcript)
    if mask is IGNORED:
        return []
    return [mask.apply(m) for m in transcript if not (mask.released_rows and _follows_rows(m))]


def first_difference(one, other, mask):
    """The first two messages that differ, or None."""
    one, other = masked(one, mask), masked(other, mask)
    for position in range(max(len(one), len(other))):
        a = one[position] if position < len(one) else ("nothing",)
        b = other[position] if position < len(other) else ("nothing",)
        if a != b:
            return a, b
    return None


def code(transcript):
    """The SQLSTATE of the first error; "silent" and "gone" count as errors."""
    for message in transcript:
        if message[0] == "E":
            return message[1]["C"]
        if message[0] in ("silent", "gone"):
            return message[0]
    return None


def printed(transcript, limit=12):
    lines = []
    for message in transcript[:limit]:
        text = repr(message[1:] if len(message) > 2 else message[1] if len(message) > 1 else "")
        lines.append(f"    {message[0]} {text[:600]}")
    if len(transcript) > limit:
        lines.append(f"    ... {len(transcript) - limit} more")
    return "\n".join(lines)
