# SPDX-License-Identifier: GPL-3.0-or-later
"""What the asker's own session tells of what it keeps in memory.

PostgreSQL keeps what it has once needed: rows of the catalog, collations, libraries,
compiled code.  A session that has kept more for the canary than without shows it,
without a clock: EXPLAIN (BUFFERS) of a harmless statement counts a page less, where
the server is not hardened.  So a session that is fresh asks one thing, and is then
looked at from three sides: by the pages of statements that need what a row might have
needed before; as a
superuser sees the memory of the session; and as the machine sees the libraries and
the code of the process.  The first tells which kind it is; the others need not know it.
"""
import re

import wire
from delivery import quoted
from probes import _together


def _pages_of(look):
    return f"SELECT public.pages_of({quoted('SELECT ' + look)})"


# what a row may need for the first time: labels and order of enums, names of tables with values out of line,
# libraries, collations, names of months, temporary files, what is known of types
_LOOKS = [f"enum_out('{label}'::hr.mood)" for label in ("good", "fair", "dire", "poor")] + [
    "'good'::hr.mood < 'dire'::hr.mood",
    "pg_relation_is_updatable({toast}::oid::regclass, false)",
    "md5('x')",
    "lower('X' COLLATE \"de-x-icu\")",
    "'x' < 'y' COLLATE hr.spoken",
    "count(*) FROM (SELECT g FROM generate_series(1, 5000) g ORDER BY g DESC) s",
    "to_char(timestamp '2020-05-05', 'TMMonth TMDay')",
    "'abc' ~ 'a.c'",
] + [f"ROW(x) < ROW(x) FROM (VALUES (NULL::{kind})) v(x)" for kind in
     ("int2", "numeric", "uuid", "timestamptz", "interval", "bpchar", "hr.mood", "text[]")]
# alike whatever settings the case has made
_SETTINGS = {"jit": "off", "work_mem": "'64kB'", "temp_tablespaces": "cold"}
_BEFORE = [f"SET {name} = {value}" for name, value in _SETTINGS.items()]
_AFTER = [f"RESET {name}" for name in _SETTINGS]

_TOAST = "SELECT reltoastrelid::int8 FROM pg_class WHERE oid = 'hr.emp'::regclass"
_MEMORY = "SELECT place, chunks, used FROM public.memory_kept()"


def _bytes(addresses):
    begin, _, end = addresses.partition("-")
    return int(end, 16) - int(begin, 16)


def libraries(worlds):
    """The files whose code each process of the asker's maps, and how many bytes of code come from no file."""
    lists = []
    for w in worlds.both():
        with open(f"/proc/{w.sessions['asker'].pid}/maps", encoding="utf-8") as maps:
            code_of = [line.split(None, 5) for line in maps if line.split()[1][2] == "x"]
        files = sorted({fields[5].strip() for fields in code_of if len(fields) > 5 and fields[5][0] == "/"})
        made = sum(_bytes(fields[0]) for fields in code_of if len(fields) <= 5)
        lists.append([("code of files", tuple(files)), ("code of no file", made)])
    return lists


def _pages(transcript):
    """Pages that each of the statements found or read; which of them were in memory is others' doing."""
    counts, count = [], None
    for message in transcript:
        if message[0] == "T":
            count = 0
        elif message[0] == "D":
            plan = message[1][0].decode()
            count += sum(int(n) for n in re.findall(r"\b(?:hit|read)=(\d+)", plan.partition("shared")[2].partition("temp")[0]))
        elif message[0] == "C" and message[1].startswith("SELECT"):
            counts.append(count)
        elif message[0] == "E":
            counts.append(-1)
    return counts


class Panel:
    def __init__(self, worlds):
        self.worlds = worlds
        toast = worlds.canary.sessions["root"].rows(_TOAST)[0][0]
        self.looks = [look.format(toast=toast) for look in _LOOKS]
        self.statements = [_pages_of(look) for look in self.looks] + _AFTER
        for counts in self._count():
            if len(counts) != len(_LOOKS) or -1 in counts or not any(counts):
                raise RuntimeError(f"the panel does not look: {counts}")

    def _count(self):
        data = b"".join(wire.query(statement) for statement in self.statements)
        return [_pages(t) for t in _together(self.worlds, "asker", data, len(self.statements))]

    def _memory(self):
        return [{m[1][0].decode(): (int(m[1][1]), int(m[1][2])) for m in t if m[0] == "D"}
                for t in _together(self.worlds, "asker", wire.query(_MEMORY))]

    def while_it_lasts(self):
        """What differs while a statement is not done, when its own code is still there."""
        one, other = libraries(self.worlds)
        return [("panel: code in memory", one, other)] if one != other else []

    def look(self):
        """What differs: (what, one, other) for each; figures are tuples."""
        _together(self.worlds, "asker", wire.SYNC)
        if any(w.sessions["asker"].messages[-1:] == [("Z", "E")] for w in self.worlds.both()):
            _together(self.worlds, "asker", wire.query("ROLLBACK"))
        _together(self.worlds, "asker", b"".join(wire.query(s) for s in _BEFORE), len(_BEFORE))
        found = []
        kept = self._memory()
        places = sorted(p for p in kept[0].keys() | kept[1].keys() if kept[0].get(p) != kept[1].get(p))
        if places:
            figures = [tuple(n for p in places for n in k.get(p, (0, 0))) for k in kept]
            found.append((f"panel: memory kept for {', '.join(places)}", *figures))
        found += self.while_it_lasts()
        counts = self._count()
        if counts[0] != counts[1]:
            differing = [i for i, (a, b) in enumerate(zip(*counts)) if a != b]
            names = "; ".join(self.looks[i] for i in differing)
            found.append((f"panel: pages for {names}", *(tuple(c[i] for i in differing) for c in counts)))
        return found
