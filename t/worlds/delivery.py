# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways in which a block reaches the server: a case is a list of steps.

Each way is spoken as a client would: simple and extended protocol, portals that are
suspended, prepared statements whose plan becomes generic, cursors, functions that
catch errors, savepoints, EXPLAIN, preview.
"""
import wire
from compare import EXACT, Mask


class Step:
    """What a session sends, and up to which messages it then reads.  look: what the
    second analyst sees of locks is compared while this step's state lasts.  refused: must
    fail in either world, since objects of an analyst's own stand below the leaf.  connects: sends
    nothing, but is a new session with these settings."""

    def __init__(self, session, data, mask=EXACT, ends="Z", times=1, text=None, look=False, refused=False, connects=None):
        self.session, self.data, self.mask, self.connects = session, data, mask, connects
        self.ends, self.times, self.text, self.look, self.refused = ends, times, text, look, refused


def simple(sql, mask=EXACT, session="asker", look=False, refused=False):
    return Step(session, wire.query(sql), mask, text=sql, look=look, refused=refused)


def connected(settings, refused=False):
    return Step("asker", None, text=f"connect with {settings or 'no settings'}", refused=refused, connects=settings)


def quoted(text):
    return "'" + text.replace("'", "''") + "'" if "\\" not in text else "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


ENDS = frozenset(("ends", "reopen"))


class Case:
    """steps; settings: made before and reset after; tags: what probes it needs, and "unsteady"
    if, with two sessions that hold snapshots or with owners that write, its WAL varies, "panel" if the
    session is fresh and looked at before what comes after, "ends" if it may end; after: steps that tidy up"""

    def __init__(self, family, steps, settings=(), tags=(), after=()):
        self.family, self.steps, self.tags = family, list(steps), frozenset(tags)
        self.settings, self.after = tuple(settings), list(after)

    def first_steps(self):
        before = [simple("; ".join(f"SET {name} = {value}" for name, value in self.settings))] if self.settings else []
        return before + self.steps

    def last_steps(self):
        reset = [simple("; ".join(f"RESET {name}" for name, _ in self.settings))] if self.settings else []
        return self.after + reset


# --- ways ---

def _extended(rows, binary):
    def way(block, mask):
        sql, values = block.sql, ()
        if "777000" in sql:
            sql, values = sql.replace("777000", "$1", 1).replace("777000", "$1"), ("777000",)
        start = wire.parse("", sql) + wire.describe("S", "") + wire.bind("", "", values, binary) + wire.describe("P", "")
        text = f"parse, describe, bind{values}, execute {rows}: {sql}"
        if rows == 0:
            return [Step("asker", start + wire.execute("") + wire.SYNC, mask, text=text)]
        # the portal stays open: the second analyst may look
        return [Step("asker", start + wire.execute("", rows) + wire.FLUSH, mask, ends="sCEI", text=text, look=True),
                Step("asker", wire.execute("", 1) + wire.execute("") + wire.close("P", "") + wire.SYNC, mask, text="execute 1, execute, close, sync")]
    return way


def _prepared(times):
    def way(block, mask):
        return [simple(f"PREPARE p AS {block.sql}")] + [simple("EXECUTE p", mask) for _ in range(times)] + [simple("DEALLOCATE p")]
    return way


def _named(block, mask):
    """A statement of the protocol's own that is executed until its plan is generic."""
    sql = block.sql.replace("777000", "$1") if "777000" in block.sql else block.sql
    values = ("777000",) if sql != block.sql else ()
    steps = [Step("asker", wire.parse("s", sql) + wire.SYNC, text=f"parse s: {sql}")]
    run = wire.bind("", "s", values) + wire.execute("") + wire.SYNC
    steps += [Step("asker", run, mask, text=f"bind{values}, execute") for _ in range(7)]
    return steps + [Step("asker", wire.close("S", "s") + wire.SYNC, text="close s")]


def _cursor(kind, fetches):
    def way(block, mask):
        steps = [simple("BEGIN"), simple(f"DECLARE c {kind} FOR {block.sql}")]
        steps += [simple(f, mask, look=(i == 0)) for i, f in enumerate(fetches)]
        return steps + [simple("COMMIT")] + ([simple("FETCH ALL FROM c", mask), simple("CLOSE c")] if "HOLD" in kind else [])
    return way


def _transaction(block, mask):
    return [simple("BEGIN"), simple(block.sql, mask, look=True), simple("SELECT pg_current_xact_id_if_assigned()"), simple("ROLLBACK")]


def _savepoint(block, mask):
    return [simple("BEGIN"), simple("SAVEPOINT s"), simple(block.sql, mask), simple("ROLLBACK TO s"), simple(block.sql, mask, look=True), simple("COMMIT")]


def _caught(block, mask):
    return [simple(f"SELECT lab.state({quoted(block.sql)})")]


def _kept(block, mask):
    return [simple(f"CREATE TEMP TABLE kept AS {block.sql}", mask), simple("DROP TABLE kept")]


def _inserted(block, mask):
    # how many rows there are is seen in the table: where that is released, one
    rows = f"SELECT count(*) FROM ({block.sql}) r" if block.released_rows else block.sql
    return [simple(f"INSERT INTO lab.notes (note) SELECT 'x' FROM ({rows}) s RETURNING ctid", Mask("n", True))]


def _copied(block, mask):
    return [simple(f"COPY ({block.sql}) TO STDOUT", mask)]


def _explained(options):
    def way(block, _):
        return [simple(f"EXPLAIN ({options}) {block.sql}")]
    return way


def _previewed(block, _):
    """For so many rows: else for as many as were released last, with noise."""
    return [simple(f"SELECT * FROM privacct.preview({quoted(block.sql)}, rows => 100)")]


def _intervals(block, mask):
    return [simple(block.sql, mask), simple("SELECT aggregate, confidence, acceptance, value IS NULL AS v FROM privacct.intervals()", Mask("kkkk", mask.released_rows))]


def _plain(block, mask):
    return [simple(block.sql, mask)]


FREE = [_explained("COSTS OFF"), _explained("FORMAT JSON, VERBOSE, SETTINGS"), _explained("ANALYZE, BUFFERS, TIMING OFF"), _previewed]

WAYS = [
    _plain, _plain, _plain, _extended(0, False), _extended(0, True), _extended(1, False), _extended(2, False), _transaction, _caught,
    _prepared(1), _prepared(7), _named, _cursor("CURSOR", ["FETCH 1 FROM c", "FETCH ALL FROM c"]),
    _cursor("SCROLL CURSOR WITH HOLD", ["FETCH 1 FROM c", "FETCH LAST FROM c", "FETCH FIRST FROM c"]), _savepoint, _kept, _copied, _inserted,
    *FREE, _intervals,
]

PARALLEL = (("min_parallel_table_scan_size", "0"), ("min_parallel_index_scan_size", "0"), ("parallel_setup_cost", "0"),
            ("parallel_tuple_cost", "0"), ("max_parallel_workers_per_gather", "2"))

JIT = (("jit", "on"), ("jit_above_cost", "0"), ("jit_inline_above_cost", "0"), ("jit_optimize_above_cost", "0"))

_SETTINGS = [
    ("enable_seqscan", ("off",)), ("enable_indexscan", ("off",)), ("enable_hashjoin", ("off",)), ("enable_mergejoin", ("off",)),
    ("enable_nestloop", ("off",)), ("enable_material", ("off",)), ("enable_memoize", ("off",)), ("enable_bitmapscan", ("off",)),
    ("enable_hashagg", ("off",)), ("enable_sort", ("off",)), ("work_mem", ("'64kB'",)), ("plan_cache_mode", ("force_generic_plan", "force_custom_plan")),
    ("synchronize_seqscans", ("on",)), ("jit_above_cost", ("0",)), ("random_page_cost", ("0", "10000")), ("cpu_tuple_cost", ("0", "1000")),
    ("cpu_operator_cost", ("0", "1000")), ("seq_page_cost", ("0", "1000")), ("client_min_messages", ("log", "error", "debug1")),
    ("force_parallel_mode", ("on",)), ("debug_parallel_query", ("on",)), ("hash_mem_multiplier", ("1",)), ("join_collapse_limit", ("1",)), ("from_collapse_limit", ("1",)),
    ("constraint_exclusion", ("on",)), ("enable_partition_pruning", ("off",)), ("cursor_tuple_fraction", ("0.00001",)),
    ("extra_float_digits", ("-15",)), ("privacct.kernel", ("laplace", "staircase")), ("privacct.max_rows", ("1", "100")), ("privacct.max_groups", ("1", "4")), ("default_transaction_read_only", ("on",)),
    ("default_transaction_isolation", ("'repeatable read'", "serializable")), ("array_nulls", ("off",)), ("lc_messages", ("'C'",)),
    ("timezone", ("'Asia/Kolkata'", "'<" + "A" * 200 + ">5'", "'<A>5<" + "B" * 60 + ">4'")), ("intervalstyle", ("iso_8601",)), ("datestyle", ("german",)), ("bytea_output", ("escape",)),
    ("standard_conforming_strings", ("off",)), ("xmloption", ("document",)), ("check_function_bodies", ("off",)),
    ("exit_on_error", ("on",)),
]


def settings(choices):
    if choices.below(3) < 2:
        return ()
    if choices.one_in(4):
        return choices.pick((PARALLEL, PARALLEL, JIT))
    name, values = choices.pick(_SETTINGS)
    return ((name, choices.pick(values)),)


def deliver(choices, family, block):
    mask = Mask(block.columns, block.released_rows)
    changed = settings(choices)
    way = choices.pick(WAYS)
    tags = set(block.touches) | ({"parallel"} if changed and (changed is PARALLEL or changed[0][0].startswith("force_par")) else set())
    if way in FREE:
        tags.add("free")
    if changed and changed[0][0] == "exit_on_error":
        tags |= ENDS
    return Case(family, way(block, mask), changed, tags)
