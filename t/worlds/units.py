# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks over the tables of a privacy unit, in which something happens for the canary only.

Rows of one owner meet: in joins, subqueries, groups, windows and set operations.  As in
grammar.py, what happens is an expression behind a condition that only the canary
meets; it stands in ON, WHERE, HAVING or a list of columns, of the block or of what
it is made from.
"""
from grammar import Block, _guarded, _public_condition
from values import Table

# by alias: what the table is called, what only the canary meets, what raises an error for her, or would
_ACCOUNT = ("hr.account", {"no": "int4", "person": "int4", "tier": "int4", "balance": "int4", "region": "text", "label": "text", "rating": "float8", "opened": "date", "mood": "mood"},
            ["{}.balance - 777000 = 777", "{}.person = 4242", "{}.region = 'atoll'", "{}.balance > 700000", "{}.no >= 90000"],
            ["1 / ({0}.balance - 777777) > 0", "{0}.balance * 1000000 > 0", "exp({0}.rating) > 1", "{0}.opened + 2000000000 > {0}.opened", "{0}.rating * 10 = 1",
             "{0}.tier / ({0}.no - {0}.no) IS NULL", "{0}.mood::text = 'dire'", "({0}.balance)::int2 > 0"])
_DEAL = ("hr.deal", {"account": "int4", "seq": "int4", "item": "int4", "amount": "int4", "fee": "numeric", "made": "timestamp", "remark": "text", "ok": "bool"},
         ["{}.amount - 777000 = 777", "{}.account >= 90000", "{}.amount NOT BETWEEN 0 AND 9000", "{}.item = 77777", "{}.amount IS NULL", "{}.remark = 'canary'"],
         ["1 / ({0}.amount - 777777) > 0", "{0}.amount + {0}.amount > 0", "{0}.fee * {0}.fee > 1", "{0}.fee / ({0}.amount - {0}.amount) > 1", "{0}.made + interval '300000 years' > {0}.made",
          "{0}.remark LIKE '%\\'", "left({0}.remark, {0}.amount) = 'x'", "({0}.amount)::int2 > 0", "extract(epoch FROM {0}.made) > 0", "- {0}.amount > 0"])
_PARCEL = ("hr.parcel", {"id": "int4", "account": "int4", "seq": "int4", "weight": "int4", "size": "int8", "place": "text", "sent": "timestamptz", "stay": "interval"},
           ["{}.weight - 777000 = 777", "{}.id >= 900000", "{}.weight NOT BETWEEN 0 AND 300", "{}.place = 'canary'", "{}.stay IS NULL"],
           ["1 / ({0}.weight - 777777) > 0", "{0}.size * {0}.size > 0", "{0}.stay * 1000 > {0}.stay", "{0}.stay + {0}.stay > {0}.stay", "{0}.sent + interval '300000 years' > {0}.sent",
            "{0}.size::int4 > 0", "to_char({0}.sent, 'YYYY') = 'x'", "substr({0}.place, 1, {0}.weight) = 'x'"])
_CONTACT = ("hr.contact", {"id": "int4", "account": "int4", "minutes": "int4", "topic": "text", "u": "uuid"},
            ["{}.minutes - 777000 = 777", "{}.topic = 'canary'", "{}.id >= 900000", "{}.minutes NOT BETWEEN 0 AND 90"],
            ["1 / ({0}.minutes - 777777) > 0", "{0}.minutes + {0}.minutes > 0", "{0}.minutes / ({0}.id - {0}.id) > 0", "({0}.minutes)::int2 > 0"])
_TABLES = {"a": _ACCOUNT, "b": _ACCOUNT, "d": _DEAL, "e": _DEAL, "p": _PARCEL, "q": _PARCEL, "c": _CONTACT}

# by which rows are of one owner
_EQUAL = {"ab": "b.person = a.person", "ad": "d.account = a.no", "ac": "c.account = a.no", "bd": "d.account = b.no", "cd": "d.account = c.account", "ce": "e.account = c.account",
          "de": "e.account = d.account", "dp": "p.account = d.account AND p.seq = d.seq", "ep": "p.account = e.account AND p.seq = e.seq",
          "pq": "p.account = q.account AND p.seq = q.seq"}
# tables in the order in which they may be joined, each with one before it
_CHAINS = ["adp", "pda", "dap", "cad", "adc", "pqd", "de", "cd", "abd", "dpa", "adpc", "badp"]
_NAMES_OWNER = {"hr.account": ["person"], "hr.deal": ["account"], "hr.parcel": ["account", "seq"], "hr.contact": ["account"]}
_OUTER = {"a": "d", "d": "p", "p": "d", "c": "d", "b": "a", "e": "d"}


def equal(one, other):
    return _EQUAL.get(one + other) or _EQUAL[other + one]


def _same(alias):
    """Of two rows of the table, the second under an alias with a 2."""
    return " AND ".join(f"{alias}2.{column} = {alias}.{column}" for column in _NAMES_OWNER[_TABLES[alias][0]])


def named(alias):
    return f"{_TABLES[alias][0]} {alias}"


class Scene(Table):
    """The tables whose columns an expression may name."""

    def __init__(self, aliases):
        columns = {f"{a}.{column}": kind for a in aliases for column, kind in _TABLES[a][1].items()}
        super().__init__("", None, columns, [c.format(a) for a in aliases for c in _TABLES[a][2]], [], [])
        self.aliases = aliases
        self.risky = [r.format(a) for a in aliases for r in _TABLES[a][3]]


def _truth(choices, expressions, scene):
    """A boolean expression over the tables, and what it touches."""
    kind = choices.below(5)
    if kind < 2:
        return choices.pick(scene.risky), ()
    if kind == 2:
        return _public_condition(choices, choices.pick(scene.columns_of("int4")))
    return expressions.make(choices, scene, "bool", 1 + choices.below(2)), ()


class _Event:
    """A condition that the canary meets and an expression that she alone has evaluated, over some tables."""

    def __init__(self, choices, expressions, aliases):
        scene = Scene(aliases)
        self.condition = choices.pick(scene.canary)
        self.truth, self.touches = _truth(choices, expressions, scene)
        self.guarded = choices.pick([_guarded(choices, self.condition, self.truth, "false"), f"{self.condition} AND ({self.truth})",
                                     f"({self.condition} OR ({self.truth}))", self.condition])
        self.number = f"CASE WHEN {self.guarded} THEN 1 ELSE 0 END"
        self.scene = scene


# --- joins ---

def _partner(aliases):
    """The table before the last with which that one is joined."""
    last = aliases[-1]
    return next(a for a in reversed(aliases[:-1]) if a + last in _EQUAL or last + a in _EQUAL)


def _join(choices, aliases, event):
    """FROM with these tables, and conditions that are left for WHERE."""
    text, where = named(aliases[0]), []
    for n in range(1, len(aliases)):
        condition = equal(_partner(aliases[:n + 1]), aliases[n])
        # what is named there is there
        here = event and all(a in aliases[:n + 1] for a in event.scene.aliases) and choices.below(2) == 1
        more = f" AND {event.guarded}" if here else ""
        kind = choices.pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", ","])
        if kind == ",":
            where.append(condition)
            text += f" CROSS JOIN {named(aliases[n])}"
        else:
            text += f" {kind} {named(aliases[n])} ON {condition}{more}"
    return text, where


def _key(choices, aliases, text):
    """(FROM, key, letters of its column, whether it is listed) of a group, or of none."""
    keys = [("", "", "")]
    if "a" in aliases:
        keys += [("", "a.region", "k"), ("", "a.tier", "k"), ("", "date_trunc('month', a.opened)", "k"), ("", "extract(year FROM a.opened)", "k")]
    if "d" in aliases:
        keys += [(" JOIN hr.item i ON i.item = d.item", "i.kind", "k"), (" LEFT JOIN hr.item i ON i.item = d.item", "i.kind", "k"), ("", "date_trunc('month', d.made)", "k"), ("", "d.amount", "?")]
    more, key, kind = choices.pick(keys)
    return text + more, key, kind


def _aggregate(choices, aliases):
    simple = ["count(*)"]
    if "a" in aliases:
        simple += ["count(DISTINCT a.person)", "sum(a.balance)", "avg(a.balance)"]
    if "d" in aliases:
        simple += ["sum(d.amount)", "dp_sum(d.amount, 0, 9000, 'per_owner=0:20000')", "dp_avg(d.amount, 0, 9000, 'max_rows=2')", "avg(d.amount)"]
    if "p" in aliases:
        simple += ["sum(p.weight)", "dp_count(p.weight, 'max_rows=40')", "dp_stddev(p.weight, 0, 300)"]
    return choices.pick(simple)


def _grouped(select, key, kind, rest, columns, touches):
    """A block with the key before the given columns."""
    if not key:
        return Block(f"SELECT {select} {rest}", columns, touches=touches)
    return Block(f"SELECT {key}, {select} {rest} GROUP BY {key}", "k" + columns, kind == "?", touches)


def _chain(choices):
    chain = choices.pick(_CHAINS)
    return chain[:2 + choices.below(len(chain) - 1)]


def joined(choices, expressions):
    aliases = _chain(choices)
    event = _Event(choices, expressions, aliases[:1 + choices.below(len(aliases))])
    text, where = _join(choices, aliases, event)
    text, key, kind = _key(choices, aliases, text)
    select = choices.pick([_aggregate(choices, aliases), f"count(*) FILTER (WHERE {event.guarded})", f"dp_sum({event.number}, 0, 1)", f"dp_count(CASE WHEN {event.guarded} THEN 1 END)"])
    where += choices.pick([[event.guarded], [], [event.condition]])
    rest = f"FROM {text}" + (f" WHERE {' AND '.join(where)}" if where else "")
    return _grouped(select, key, kind, rest, "n", event.touches + (("dim_dept",) if " hr.dim_dept" in rest else ()))


# --- subqueries of the same owner ---

def _pair(choices):
    outer = choices.pick(list(_OUTER))
    return outer, _OUTER[outer]


def related(choices, expressions):
    """EXISTS, IN and their opposites."""
    outer, inner = _pair(choices)
    event = _Event(choices, expressions, choices.pick([inner, inner + outer, outer]))
    first, *others = equal(outer, inner).split(" AND ")
    left, right = first.split(" = ")
    ours, theirs = (left, right) if left.startswith(outer) else (right, left)
    also = "".join(f" AND {o}" for o in others)
    test = choices.pick([
        f"EXISTS (SELECT FROM {named(inner)} WHERE {equal(outer, inner)} AND {event.guarded})",
        f"NOT EXISTS (SELECT FROM {named(inner)} WHERE {equal(outer, inner)} AND {event.guarded})",
        f"{ours} IN (SELECT {theirs} FROM {named(inner)} WHERE {event.guarded}{also})",
        f"{ours} NOT IN (SELECT {theirs} FROM {named(inner)} WHERE {event.guarded}{also})",
        f"{ours} = ANY (SELECT {theirs} FROM {named(inner)} WHERE {event.guarded}{also})",
        f"EXISTS (SELECT FROM {named(inner)} WHERE {equal(outer, inner)} AND NOT EXISTS (SELECT FROM {named(inner)}2 WHERE {_same(inner)} AND {Scene(inner).canary[0].replace(inner + '.', inner + '2.')}))",
    ])
    more = choices.pick(["", f" AND {Scene(outer).canary[0]}"])
    return Block(f"SELECT {_aggregate(choices, outer)} FROM {named(outer)} WHERE {test}{more}", "n", touches=event.touches)


_VALUES = {"a": "a.balance", "b": "b.balance", "d": "d.amount", "e": "e.amount", "p": "p.weight", "c": "c.minutes"}

# what adds up, or is compared, to more than its type holds
_EXTREMES = {"a": ["max(a.opened) - min(a.opened)"], "b": ["max(b.balance) * 1000000"], "d": ["sum(d.fee)", "avg(d.fee) * 1000"], "e": ["sum(e.fee)"],
             "p": ["sum(p.size)", "max(p.size) * 2"], "c": ["sum(c.minutes) * 1000000000000"]}


def _value(choices, outer, inner, event):
    value = choices.pick(["count(*)", *_EXTREMES[inner], f"max({_VALUES[inner]})", f"sum({_VALUES[inner]})", f"avg({_VALUES[inner]})", f"min({_VALUES[inner]})", f"count({_VALUES[inner]})"])
    return f"SELECT {value} AS v FROM {named(inner)} WHERE {equal(outer, inner)} AND {event.guarded}"


def scalar(choices, expressions):
    """A value of the same owner's rows."""
    outer, inner = _pair(choices)
    event = _Event(choices, expressions, choices.pick([inner, inner, outer]))
    value = f"({_value(choices, outer, inner, event)})"
    test = choices.pick([f"{_VALUES[outer]} > {value}", f"{value} IS NULL", f"{value} / ({_VALUES[outer]} - 777777) > 0", f"{value} + {value} > 1", f"{value} = 0"])
    return choices.pick([
        lambda: Block(f"SELECT count(*) FROM {named(outer)} WHERE {test}", "n", touches=event.touches),
        lambda: Block(f"SELECT dp_sum({value}, 0, 10) FROM {named(outer)}", "n", touches=event.touches),
        lambda: Block(f"SELECT count(*) FILTER (WHERE {test}), count(*) FROM {named(outer)}", "nn", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM (SELECT *, {value} AS v FROM {named(outer)}) s WHERE v > 1", "n", touches=event.touches),
    ])()


def lateral(choices, expressions):
    outer, inner = _pair(choices)
    event = _Event(choices, expressions, choices.pick([inner, inner, outer]))
    rows = f"SELECT {_VALUES[inner]} AS v FROM {named(inner)} WHERE {equal(outer, inner)} AND {event.guarded}"
    value = _value(choices, outer, inner, event)
    joins = [f"{named(outer)} LEFT JOIN LATERAL ({value}) l ON true", f"{named(outer)}, LATERAL ({value}) l", f"{named(outer)} CROSS JOIN LATERAL ({rows}) l",
             f"{named(outer)} JOIN LATERAL ({rows}) l ON l.v > 0", f"{named(outer)} LEFT JOIN LATERAL ({rows}) l ON {Scene(outer).canary[0]}"]
    join = choices.pick(joins * 2 + [f"{named(outer)} LEFT JOIN LATERAL ({value}) l ON {Scene(outer).canary[0]}", f"{named(outer)}, LATERAL ({rows} ORDER BY 1 LIMIT 1) l"])
    where = choices.pick(["", " WHERE l.v IS NULL", " WHERE l.v > 5", f" WHERE l.v / ({_VALUES[outer]} - 777777) > 0"])
    select = choices.pick(["count(*)", "count(l.v)", "dp_sum(l.v, 0, 100)"])
    return Block(f"SELECT {select} FROM {join}{where}", "n", touches=event.touches)


# --- groups of owners ---

def _sales(choices, event):
    """Accounts with their deals, joined in some way; the expression stands in ON, in WHERE or nowhere."""
    on, where = choices.pick([(f" AND {event.guarded}", ""), ("", f" WHERE {event.guarded}"), ("", "")])
    if choices.one_in(4):
        return f"hr.account a, hr.deal d WHERE d.account = a.no AND ({event.guarded})"
    return f"hr.account a {choices.pick(['JOIN', 'LEFT JOIN', 'JOIN', 'LEFT JOIN', 'FULL JOIN'])} hr.deal d ON d.account = a.no{on}{where}"


def _per_person(choices, expressions):
    """A subquery of one row, or some, for each person; whether it has regions; and what it touches."""
    event = _Event(choices, expressions, choices.pick(["ad", "d", "a"]))
    value = choices.pick(["count(*)", "count(d.seq)", "sum(d.fee)", "avg(d.fee)", "max(d.seq) / (min(d.amount) - min(d.amount))", "sum(d.amount)", "max(d.amount)", "count(DISTINCT d.item)",
                          f"sum({event.number})", f"bool_or({event.guarded})::int", "min(d.seq)"])
    having = choices.pick(["", " HAVING count(*) > 4", " HAVING max(d.amount) - 777000 = 777", " HAVING 1 / (max(d.amount) - 777777) > 0", " HAVING sum(d.amount) > 100000"])
    first, *more = choices.pick([["a.person"], ["a.person", "a.region"], ["a.person", "a.no"], ["d.account"], ["d.account", "d.seq"]])
    region = ", a.region" if "a.region" in more else ""
    group = ", ".join([first] + more)
    return f"(SELECT {first} AS k{region}, {value} AS n FROM {_sales(choices, event)} GROUP BY {group}{having}) s", bool(region), event.touches


def distribution(choices, expressions):
    """How many persons have how much."""
    source, region, touches = _per_person(choices, expressions)
    blocks = [(f"SELECT n, count(*) FROM {source} GROUP BY n", "nn", True), (f"SELECT count(*) FROM {source} WHERE n > 3", "n", False), (f"SELECT dp_avg(n, 0, 10) FROM {source}", "n", False),
              (f"SELECT count(*) FROM {source} WHERE n = 777777", "n", False), (f"SELECT dp_sum(n, 0, 100, 'per_owner=0:100') FROM {source}", "n", False),
              (f"SELECT count(*) FROM {source} JOIN hr.account x ON x.person = s.k WHERE s.n > x.balance", "n", False),
              (f"SELECT sum(CASE WHEN n > 3 THEN 1 ELSE 0 END) FROM {source}", "n", False)]
    if region:
        blocks.append((f"SELECT region, count(*) FROM {source} WHERE n > 1 GROUP BY region", "kn", False))
    sql, columns, released = choices.pick(blocks)
    return Block(sql, columns, released, touches)


def different(choices, expressions):
    event = _Event(choices, expressions, choices.pick(["ad", "d", "a"]))
    source = f"hr.account a {choices.pick(['JOIN', 'LEFT JOIN'])} hr.deal d ON d.account = a.no"
    key = choices.pick([("", ""), ("a.region, ", " GROUP BY a.region")])
    return choices.pick([
        lambda: Block(f"SELECT {key[0]}count(DISTINCT a.person) FROM {source} WHERE {event.guarded}{key[1]}", "kn" if key[0] else "n", touches=event.touches),
        lambda: Block(f"SELECT {key[0]}count(DISTINCT a.person) FILTER (WHERE {event.guarded}) FROM {source}{key[1]}", "kn" if key[0] else "n", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM (SELECT DISTINCT a.person, {choices.pick(['d.item', 'd.amount', event.number])} AS x FROM {source} WHERE {event.guarded}) s WHERE x > 0", "n", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM (SELECT a.person, count(DISTINCT d.item) FILTER (WHERE {event.guarded}) AS n FROM {source} GROUP BY a.person) s WHERE n > 1", "n", touches=event.touches),
        lambda: Block(f"SELECT DISTINCT a.region, {event.guarded} FROM {source}", "nn", released_rows=True, touches=event.touches),
    ])()


def set_operation(choices, expressions):
    inputs = []
    touches = ()
    for aliases in ("ad", choices.pick(["ad", "ab", "a", "d", "p"])):
        event = _Event(choices, expressions, aliases[-1])
        touches += event.touches
        text, where = _join(choices, aliases, None)
        who = {"a": "a.person", "d": "d.account", "p": "p.account"}[aliases[0]]
        inputs.append(f"SELECT {who} AS o, {_VALUES[aliases[-1]]} AS x, {event.number} AS y FROM {text} WHERE {' AND '.join(where + [event.guarded])}")
    operator = choices.pick(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT"])
    source = f"({f' {operator} '.join(inputs)}) u"
    return choices.pick([
        lambda: Block(f"SELECT count(*) FROM {source}", "n", touches=touches), lambda: Block(f"SELECT dp_sum(x, 0, 100) FROM {source} WHERE y = 1", "n", touches=touches),
        lambda: Block(f"SELECT count(*) FROM {source} WHERE 1 / (x - 777777) > 0", "n", touches=touches),
        lambda: Block(f"SELECT count(*) FROM (SELECT o, sum(x) AS s FROM {source} GROUP BY o) g WHERE s > 3", "n", touches=touches),
        lambda: Block(f"SELECT y, count(*) FROM {source} GROUP BY y", "nn", released_rows=True, touches=touches),
    ])()


def window(choices, expressions):
    """What is computed of all rows of an owner."""
    event = _Event(choices, expressions, choices.pick(["d", "ad"]))
    value = choices.pick(["count(*)", "sum(d.fee)", "sum(d.amount)", "max(d.amount)", "avg(d.amount)", f"sum({event.number})", "min(d.amount)", f"bool_or({event.guarded})::int"])
    order = choices.pick([""] * 6 + [" ORDER BY d.amount", " ORDER BY d.seq, a.no"])
    by = choices.pick(["a.person", "a.person, a.region", "a.person, d.item", "a.person", "a.region"])
    where = choices.pick(["", f" WHERE {event.guarded}"])
    source = f"(SELECT a.person, a.region, d.amount, {value} OVER (PARTITION BY {by}{order}) AS w FROM hr.account a {choices.pick(['JOIN', 'LEFT JOIN'])} hr.deal d ON d.account = a.no{where}) s"
    test = choices.pick(["w > 3", "w = 777777", "amount = w", "1 / (w - 777777) > 0", "w IS NULL"])
    return choices.pick([lambda: Block(f"SELECT count(*) FROM {source} WHERE {test}", "n", touches=event.touches),
                         lambda: Block(f"SELECT region, dp_sum(w, 0, 10) FROM {source} GROUP BY region", "kn", touches=event.touches)])()


# --- what is above and below ---

def named_query(choices, expressions):
    """Views, WITH queries, and both."""
    event = _Event(choices, expressions, "ad")
    select = "SELECT a.*, d.seq, d.amount, d.item, {} AS x FROM hr.account a JOIN hr.deal d ON d.account = a.no".format(event.guarded)
    return choices.pick([
        lambda: Block(f"WITH s AS ({select}) SELECT region, count(*) FILTER (WHERE x) FROM s GROUP BY region", "kn", touches=event.touches),
        lambda: Block(f"WITH s AS MATERIALIZED ({select}) SELECT count(*) FROM s WHERE x", "n", touches=event.touches),
        lambda: Block(f"WITH s AS ({select}) SELECT count(*) FROM s JOIN hr.contact c ON c.account = s.no AND s.x", "n", touches=event.touches),
        lambda: Block(f"WITH s AS ({select}) SELECT (SELECT count(*) FROM s WHERE x), (SELECT count(*) FROM s WHERE NOT x)", "nn", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM hr.sale s WHERE s.amount - 777000 = 777 AND s.remark = s.region", "n"),
        lambda: Block(f"SELECT region, sum(amount) FROM hr.sale WHERE {choices.pick(['region = $$atoll$$', '1 / (amount - 777777) > 0', 'person = 4242'])} GROUP BY region", "kn"),
        lambda: Block(f"SELECT count(*) FROM hr.sale s JOIN hr.account a USING (person) WHERE {choices.pick(Scene('a').risky)}", "n"),
    ])()


def over_releases(choices, expressions):
    """Releases of the unit and of another table, which the block reads."""
    event = _Event(choices, expressions, "d")
    other = choices.pick(["hr.deal d", "hr.account a JOIN hr.deal d ON d.account = a.no"])
    one = choices.pick([f"(SELECT avg(amount) FROM {other} WHERE {event.guarded})", "(SELECT avg(salary) FROM hr.emp WHERE region = 'atoll')", f"(SELECT 0 * count(*) FROM {other} WHERE {event.condition})"])
    groups = f"(SELECT a.region AS place, count(*) AS many FROM hr.account a JOIN hr.deal d ON d.account = a.no WHERE {event.guarded} GROUP BY a.region) g"
    return choices.pick([
        lambda: Block(f"SELECT count(*) FROM hr.account a JOIN hr.deal d ON d.account = a.no WHERE d.amount > {one}", "n", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM hr.account a JOIN hr.deal d ON d.account = a.no AND d.amount / {one} > 1", "n", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM hr.account a JOIN {groups} ON g.place = a.region WHERE a.balance > g.many", "n", touches=event.touches),
        lambda: Block(f"SELECT a.region, count(*) FROM hr.account a LEFT JOIN {groups} ON g.place = a.region AND g.many > 0 AND a.balance > 700000 GROUP BY a.region", "kn", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM hr.account a WHERE EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no AND {event.guarded} AND d.amount > {one})", "n", touches=event.touches),
        lambda: Block(f"SELECT count(*) FROM (SELECT d.account, count(*) AS n FROM hr.deal d WHERE d.amount > {one} GROUP BY d.account) s WHERE n > 2", "n", touches=event.touches),
    ])()


KINDS = [joined, related, scalar, lateral, distribution, different, set_operation, window, named_query, over_releases]


def unit_block(choices, expressions):
    return choices.pick([joined, joined] + KINDS)(choices, expressions)
