# SPDX-License-Identifier: GPL-3.0-or-later
"""What a row makes the server need for the first time: the session must not show it.

Each case begins in a fresh session, which is looked at afterwards (see panel.py).
"""
from adversary import NUMBER, _around, _meets, template
from compare import Mask
from delivery import Case, JIT, WAYS, simple, _extended
from grammar import Block

# expressions for which PostgreSQL, or a library, prepares something when they are first evaluated
NEEDS = [
    "mood::text = 'x'", "mood::text || name = 'x'", "mood = 'good' AND mood::text = 'good'",
    "greatest(mood, 'dire') = 'dire'", "least(mood, 'good') = 'dire'", "mood IN ('dire')",
    "coalesce(mood, 'dire') = 'fair'", "mood = ANY (ARRAY['dire', 'fair']::hr.mood[])", "mood IN ('good', 'fair', 'dire', 'poor')",
    "lower(german) = 'x'", "initcap(spoken) = 'x'", "spoken < german COLLATE hr.spoken", "upper(spoken) LIKE 'X%'", "german > 'x'",
    "md5(name) = 'x'", "md5(mood::text) = 'x'", "to_char(ts, 'TMMonth TMDay') = 'x'",
    "to_char(timestamp '2020-01-01' + dept * interval '1 day', 'TMMonth TMDay') = 'x'", "to_char(date '2020-01-01' + dept, 'Day') = 'x'",
    "t = 'x'", "t LIKE '%x'", "n = 1", "n + 1 > 2", "length(t) = 6000", "t || v = c", "substr(t, 2) < posix",
    "date_trunc('month', tz) = tz", "extract(epoch FROM tz) = 1", "u::text = 'x'",
    "salary IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)", "name IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j')",
    "mood IN (SELECT 'dire'::hr.mood FROM hr.dim_dept)",
]
# all rows are read by the session's own process
ALONE = (("max_parallel_workers_per_gather", "0"),)
KEYS = ["mood", "mood::text", "lower(german)", "md5(name)", "to_char(date '2020-01-01' + dept, 'TMMonth')", "n", "t", "u"]


@template
def first_needed(choices):
    truth = choices.pick(NEEDS)
    block = Block(_around(choices, truth), "n")
    return Case("needed by a row for the first time", choices.pick(WAYS)(block, NUMBER), tags=["panel"])


@template
def counted(choices):
    """EXPLAIN counts what was done, for those who may read all statistics."""
    condition = _meets(choices)
    block = choices.pick([
        _around(choices, choices.pick(NEEDS)),
        f"SELECT {choices.pick(KEYS)}, count(*) FROM hr.emp WHERE {condition} GROUP BY 1",
        # longer than a page: stored out of line, and read only where the condition is met
        f"SELECT count(*) FROM hr.emp WHERE CASE WHEN {condition} THEN md5(t) = 'x' ELSE false END",
        "SELECT count(*) FROM hr.emp WHERE length(t) = 6000", "SELECT ward, count(*) FROM hr.guest GROUP BY ward",
        "SELECT count(*) FROM hr.account a JOIN hr.deal d ON d.account = a.no WHERE a.balance - 777000 = 777",
    ])
    options = choices.pick(["ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF", "ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON", "ANALYZE, BUFFERS, WAL, TIMING OFF, SUMMARY OFF"])
    explain = f"EXPLAIN ({options}) {block}"
    # the second time the catalog has been read
    return Case("counted for a block", [simple("GRANT pg_read_all_stats TO asker", session="root"), simple(explain), simple(explain)],
                after=[simple("REVOKE pg_read_all_stats FROM asker", session="root")], tags=["free", "unsteady"])


@template
def first_key(choices):
    """Keys of groups: compared, hashed and written when there are rows."""
    key = choices.pick(KEYS)
    mask = Mask("nn", released_rows=True)
    return Case("key of the first group", [simple(f"SELECT {key}, count(*) FROM hr.emp WHERE {_meets(choices)} GROUP BY 1", mask)], tags=["panel"])


@template
def first_compiled(choices):
    """Expressions that are compiled when they are first needed, in the process that reads the row."""
    block = choices.pick([
        # a constant is made before the charge, and its code with it: here there is none, nor a row but the canary's
        Block("SELECT count(*) FROM hr.guest", "n"),
        Block("SELECT ward, count(*) FROM hr.guest GROUP BY ward", "nn", released_rows=True),
        Block("SELECT ward, sum(stay), count(*) FROM hr.guest GROUP BY ward", "nnn", released_rows=True),
        Block("SELECT stay + ward, count(*) FROM hr.guest GROUP BY 1", "nn", released_rows=True),
        Block("SELECT sum(stay), avg(stay) FROM hr.guest", "nn"),
        Block("SELECT count(DISTINCT owner), max(stay) FROM hr.guest", "nn"),
        # the canary's rows are all that there are, and no group is handed up: nothing else is compiled
        Block("SELECT salary, count(*) FROM hr.emp_part WHERE region = 'atoll' GROUP BY salary", "nn", released_rows=True),
        Block("SELECT region || id, dp_sum(salary, 0, 10) FROM hr.emp_part WHERE region = 'atoll' AND salary > 7 GROUP BY 1", "nn", released_rows=True),
        Block(f"SELECT {choices.pick(KEYS)}, count(*) FROM hr.emp WHERE {_meets(choices)} GROUP BY 1", "nn", released_rows=True),
        Block(f"SELECT region, count(*) FROM hr.emp WHERE {_meets(choices)} GROUP BY region", "kn"),
        Block(f"SELECT count(DISTINCT owner), avg(f8) FROM hr.emp WHERE {_meets(choices)} AND {choices.pick(NEEDS)}", "nn"),
        Block(f"SELECT count(*) FROM hr.emp e JOIN hr.dim_dept d ON d.dept = e.dept AND {_meets(choices)}", "n"),
        Block("SELECT count(*) FROM hr.emp_part WHERE region = 'atoll'", "n"),
    ])
    # while the portal is suspended the code is there
    return Case("compiled for the first row", _extended(1, False)(block, Mask(block.columns, block.released_rows)), settings=JIT + ALONE, tags=["panel"])
