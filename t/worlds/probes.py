# SPDX-License-Identifier: GPL-3.0-or-later
"""What is looked at before and after each case, beside the protocol of the case.

The second analyst's looks are compared exactly; figures that only grow are compared
by their growth, so that one difference is told once.  Superusers' looks (the position
in the WAL, locks, transactions, the books) stand for what an analyst might find a way to.
"""
import re

import wire
from compare import code, first_difference

_LOCKS = """SELECT locktype, database, relation::regclass, page, tuple, virtualxid, transactionid, classid, objid, objsubid, virtualtransaction, mode, granted, fastpath
FROM pg_locks ORDER BY %s""" % ", ".join(str(i) for i in range(1, 15))

# by the second analyst, after each case; each a statement of its own, so that one that is refused stops no other
_LOOKS = [
    "INSERT INTO lab.notes (note) VALUES ('look') RETURNING ctid, k",
    "SELECT ctid FROM hr.chronicle LIMIT 1",
    "SELECT nextval('hr.ticket')",
    _LOCKS,
    # what a session waits for, and when the ledger's worker rests, is a matter of a moment
    "SELECT usename, state, backend_type, datname, query FROM pg_stat_activity WHERE backend_type = 'client backend' ORDER BY 1, 2, 3, 4, 5",
    "SELECT relation::text, epsilon_spent, epsilon_left, delta_spent, releases FROM privacct.my_budget ORDER BY 1",
    "SELECT relname, relkind, relhasindex FROM pg_class WHERE relnamespace = 'hr'::regnamespace ORDER BY 1",
]

_BUFFERS = [
    "SELECT public.pages_of('SELECT count(*) FROM hr.dim_dept')",
    "SELECT public.pages_of('SELECT count(*) FROM hr.catalogue')",
    "SET enable_seqscan = off",
    "SELECT public.pages_of('SELECT note FROM hr.catalogue WHERE id > 0 ORDER BY id')",
    "RESET enable_seqscan",
]
# what was moved to another tablespace is not in memory
_MOVED = ("TABLE hr.dim_dept", "INDEX hr.dim_dept_pkey", "TABLE hr.catalogue", "INDEX hr.catalogue_pkey")

# dead rows on a full page: whoever reads the page prunes it, and the next row finds room
# a session tells its counters now and then, and what it tells together with a TRUNCATE counts from there
_TELL = "SELECT pg_stat_force_next_flush()"
_FILL = [_TELL, "TRUNCATE {table}", _TELL,
         "INSERT INTO {table} SELECT g, repeat('x', 1500) FROM generate_series(1, 5) g",
         "DELETE FROM {table} WHERE id = 3"]
_ROOM = "INSERT INTO {table} VALUES (9, repeat('y', 1500)) RETURNING ctid"
_WRITABLE = {"board": "hr.board", "slate": "lab.slate"}

_ROOT = "SELECT pg_current_wal_insert_lsn() - '0/0', pg_snapshot_xmax(pg_current_snapshot()), " \
        "(SELECT count(*) FROM privacct.ledger), (SELECT sum(epsilon) FROM privacct.ledger)"

_SEGMENT, _PAGE, _LONG_HEADER, _SHORT_HEADER = 1 << 20, 8192, 40, 24


def _record_bytes(position):
    """A position in the WAL without the headers of its pages."""
    segment, offset = divmod(int(position), _SEGMENT)
    pages = _SEGMENT // _PAGE
    headers = _LONG_HEADER + offset // _PAGE * _SHORT_HEADER
    return segment * (_SEGMENT - _LONG_HEADER - (pages - 1) * _SHORT_HEADER) + offset - headers


def _together(worlds, user, data, times=1, ends="Z"):
    """Sends the same to a session of both worlds; both transcripts."""
    sessions = [w.sessions[user] for w in worlds.both()]
    for session in sessions:
        session.send(data)
        session.expect(ends, times)
    wire.collect(sessions)
    return [s.messages for s in sessions]


def _all(statements):
    return b"".join(wire.query(s) for s in statements)


def _found_and_read(message, before):
    """A line of EXPLAIN without other tables' pages that were written to make room, and, of planning, without those that were
    found: pages of the catalog, with dead rows that are cleared away at the server's own time."""
    unseen = rb" written=\d+| hit=\d+" if before == ("D", (b"Planning:",)) else rb" written=\d+"
    return tuple(re.sub(unseen, b"", v) for v in message[1])


class Probes:
    def __init__(self, worlds):
        self.worlds = worlds
        self.root_before = self.workers_before = None

    # --- before ---

    def prepare(self, tags):
        if tags & {"catalogue", "dim_dept"}:
            self._chill()
        for tag, table in _WRITABLE.items():
            if tag in tags:
                self._do("watcher", [f.format(table=table) for f in _FILL])
        if "parallel" in tags:
            self.workers_before = self.workers()
        self.root_before = self._root()

    def at_rest(self):
        """Whether the worlds look alike when nothing is asked, and have charged alike."""
        one, other = (figures[2:] for figures in self._root())
        return one == other and not self._told("rest", *_together(self.worlds, "watcher", _all(_LOOKS), len(_LOOKS)))

    # --- while a step's state lasts ---

    def locks(self):
        one, other = _together(self.worlds, "root", wire.query(_LOCKS))
        return self._told("locks while it lasts", one, other)

    # --- after ---

    def differences(self, tags):
        """What differs: (probe, one, other) for each."""
        found = []
        after = self._root()
        if "free" in tags and any(a[2] != b[2] for a, b in zip(after, self.root_before)):
            found.append(("charged for what is free", self.root_before, after))
        if "unsteady" in tags or "local" in tags:
            found += self._grown("root: charges, epsilon", [r[2:] for r in self.root_before], [r[2:] for r in after])
        else:
            found += self._grown("root: WAL bytes, transactions, charges, epsilon", self.root_before, after)
        for tag, table in _WRITABLE.items():
            if tag in tags:
                found += self._told(f"ctid of the next row in {table}", *_together(self.worlds, "watcher", wire.query(_ROOM.format(table=table))))
        if tags & {"catalogue", "dim_dept"}:
            found += self._told("pages of public tables in memory", *self._buffers())
        found += self._told("second analyst's look", *_together(self.worlds, "watcher", _all(_LOOKS), len(_LOOKS)))
        if "parallel" in tags:
            found += self._grown("workers", self.workers_before, self.workers())
        return found

    def _buffers(self):
        """Which pages were there and which were not."""
        return [[("D", _found_and_read(m, before)) if m[0] == "D" else m for before, m in zip([("none",)] + transcript, transcript)]
                for transcript in _together(self.worlds, "watcher", _all(_BUFFERS), len(_BUFFERS))]

    def _chill(self):
        self.worlds.cold = not self.worlds.cold
        space = "cold" if self.worlds.cold else "pg_default"
        self._do("root", [f"ALTER {moved} SET TABLESPACE {space}" for moved in _MOVED])

    def _do(self, user, statements):
        """What prepares a look has to succeed, else the look sees nothing."""
        for transcript in _together(self.worlds, user, _all(statements), len(statements)):
            if code(transcript):
                raise RuntimeError(f"{statements}: {transcript}")

    def _told(self, name, one, other):
        different = first_difference(one, other, None)
        return [(name, *different)] if different else []

    @staticmethod
    def _grown(name, before, after):
        growth = [tuple(round(a - b, 9) for a, b in zip(x, y)) for x, y in zip(after, before)]
        return [(name, *growth)] if growth[0] != growth[1] else []

    def _root(self):
        rows = [[m[1] for m in t if m[0] == "D"][0] for t in _together(self.worlds, "root", wire.query(_ROOT))]
        return [(_record_bytes(row[0]),) + tuple(float(v or 0) for v in row[1:]) for row in rows]

    def workers(self):
        """How many were started for parallel plans so far: analysts see numbers that their transactions take."""
        return [(w.workers_started(), ) for w in self.worlds.both()]
