# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks: statements on protected tables in which something happens for the canary only.

Each function makes its choices through choices.Choices; the first alternative is the
simplest.  A block says how far its answer is released (see compare.Mask) and what
it touches besides the protected table.
"""
from values import CASTS, CENTRAL, CONSTANTS, EMP, NUMBERS, PATTERNS, TRACE, TYPES, VIEW


class Block:
    """sql: the statement; columns: k (a declared key) or n (a number) for each column;
    released_rows: the set of rows is itself released; touches: of "catalogue", ..."""

    def __init__(self, sql, columns, released_rows=False, touches=()):
        self.sql, self.columns = sql, columns
        self.released_rows, self.touches = released_rows, frozenset(touches)


class Expressions:
    """Expressions over the columns of a table, of calls that the guard lets pass."""

    def __init__(self, calls):
        self.by_result = {}
        for call in calls:
            self.by_result.setdefault(call.result, []).append(call)
        self.calls = calls

    def make(self, choices, table, type_name, depth=2):
        columns = table.columns_of(type_name)
        calls = self.by_result.get(type_name, [])
        kind = choices.below(8 if depth > 0 else 3)
        if kind == 0 and columns or kind >= 3 and not calls:
            return choices.pick(columns) if columns else CONSTANTS[type_name][0]
        if kind <= 2:
            return choices.pick(CONSTANTS[type_name])
        if kind <= 5:
            return self.call(choices, table, choices.pick(calls), depth - 1)
        if kind == 6:
            return f"CASE WHEN {self.make(choices, table, 'bool', depth - 1)} THEN {self.make(choices, table, type_name, depth - 1)} " \
                   f"ELSE {self.make(choices, table, type_name, depth - 1)} END"
        return self._node(choices, table, type_name, depth - 1)

    def call(self, choices, table, call, depth):
        arguments = []
        for position, type_name in enumerate(call.arguments):
            if position in call.constants:
                arguments.append(choices.pick([call.constant(position)] * 3 + CONSTANTS[type_name]))
            else:
                arguments.append(self.make(choices, table, type_name, depth))
        return call.render(arguments)

    def _node(self, choices, table, type_name, depth):
        """The node kinds that are no calls."""
        def make(t=type_name):
            return self.make(choices, table, t, depth)

        if type_name == "text" and choices.below(3) == 0:
            other = choices.pick(TYPES)
            return choices.pick([lambda: f"concat({make()}, {make(other)}, NULL, {make()})", lambda: f"({make()} || {make(other)})",
                                 lambda: f"replace({make()}, 'a', {choices.pick(CONSTANTS['text'])})"])()
        if type_name in CASTS and choices.below(4) == 0:
            return f"({make('text')})::{type_name}"
        if type_name == "numeric" and choices.below(4) == 0:
            return f"({make()})::numeric({choices.pick(['1, 0', '20, 10', '3, -2', '1000, 64'])})"
        if type_name != "bool":
            return choices.pick([lambda: f"coalesce({make()}, {make()})", lambda: f"nullif({make()}, {make()})",
                                 lambda: f"greatest({make()}, {make()})", lambda: f"least({make()}, {make()})",
                                 lambda: f"({make()})::{type_name}"])()
        other = choices.pick(TYPES)
        return choices.pick([
            lambda: f"({make()} AND {make()})", lambda: f"({make()} OR {make()})", lambda: f"(NOT {make()})",
            lambda: f"({make(other)} IS NULL)", lambda: f"({make()} IS NOT TRUE)", lambda: f"({make(other)} IS DISTINCT FROM {make(other)})",
            lambda: f"({make(other)} IN ({make(other)}, {make(other)}))", lambda: f"({make(other)} = ANY (ARRAY[{make(other)}, {make(other)}]))",
            lambda: f"({make(other)} <> ALL (ARRAY[{choices.pick(CONSTANTS[other])}]))", lambda: f"({make(other)} BETWEEN {make(other)} AND {make(other)})",
            lambda: f"(({make(other)})::text = {make('text')})", lambda: f"({make('text')} COLLATE \"C\" < {make('text')})",
            lambda: f"({make('text')} LIKE {choices.pick(CONSTANTS['text'])})",
            lambda: f"({make('text')} {choices.pick(['~', '~*', '!~', '!~*'])} {choices.pick(PATTERNS)})",
            lambda: f"({make('text')} SIMILAR TO {choices.pick(PATTERNS)})", lambda: f"({make('text')})::bool"])()


# --- public tables beside the protected one ---

def _public_condition(choices, column):
    """A condition over public tables that is reached through a column of the row, or through nothing."""
    n = choices.below(100) + 1
    return choices.pick([
        (lambda: (f"{column} IN (SELECT dept FROM hr.dim_dept)", ("dim_dept",))),
        (lambda: ("EXISTS (SELECT 1 FROM hr.dim_dept WHERE dname = 'dept 3')", ("dim_dept",))),
        (lambda: (f"EXISTS (SELECT 1 FROM hr.catalogue WHERE id = {n})", ("catalogue",))),
        (lambda: (f"{column} IN (SELECT kind FROM hr.catalogue WHERE id BETWEEN {n} AND {n + 3})", ("catalogue",))),
        (lambda: (f"EXISTS (SELECT 1 FROM hr.chronicle WHERE n = {n * 20})", ("chronicle",))),
        (lambda: (f"{column} = ANY (SELECT kind FROM hr.chronicle WHERE n < {n * 20})", ("chronicle",))),
        (lambda: ("EXISTS (SELECT 1 FROM hr.board WHERE id < 0)", ("board",))),
        (lambda: (f"{column} IN (SELECT id FROM hr.board)", ("board",))),
        (lambda: (f"{column} IN (SELECT x FROM lab.mine)", ())),
        (lambda: (f"{column} IN (SELECT id FROM hr.undeclared)", ())),
        (lambda: (f"({column}, {column}) IN (SELECT id, kind FROM hr.catalogue)", ("catalogue",))),
        (lambda: (f"EXISTS (SELECT 1 FROM hr.catalogue q WHERE q.kind = {column} + 0 AND q.note IS NOT NULL)", ("catalogue",))),
        (lambda: (f"NOT EXISTS (SELECT 1 FROM hr.catalogue q WHERE {column} - 777000 = q.id AND q.kind = {column})", ("catalogue",))),
        (lambda: (f"EXISTS (SELECT DISTINCT note FROM hr.catalogue q WHERE q.kind = {column} ORDER BY note LIMIT 1)", ("catalogue",))),
        (lambda: (f"current_date > to_date('2025-01-{n % 40}', 'YYYY-MM-DD') + {column}", ())),
        (lambda: (f"{column} IN (SELECT max(kind) FROM hr.catalogue WHERE id > {n} GROUP BY note)", ("catalogue",))),
        (lambda: (f"{column} NOT IN (SELECT c.kind FROM hr.catalogue c JOIN hr.dim_dept d ON d.dept = c.kind)", ("catalogue", "dim_dept"))),
    ])()


def _released_condition(choices, table, column, condition):
    """A condition over what another block releases, which is about the canary as well."""
    where = choices.pick(["", f" WHERE {condition}", " WHERE region = 'north'"])
    value = choices.pick(["count(*)", f"dp_sum({table.sums[0]}, 0, 1000)", f"avg({table.sums[0]})", "0 * count(*)", "'NaN'::float8 + count(*)", "1e300 * count(*)"])
    one = f"(SELECT {value} FROM {table.name}{where})"
    groups = f"(SELECT region, count(*) AS many FROM {table.name}{where} GROUP BY region)"
    return choices.pick([
        f"{column} > {one}", f"({column} > {one}) IS NULL", f"{column} / (SELECT 0 * count(*) FROM {table.name}{where}) IS NULL",
        f"{column} < {one} + {column}", f"{column} BETWEEN {one} AND {one}",
        f"region IN (SELECT region FROM {groups} r WHERE many > 0)", f"region NOT IN (SELECT region FROM {groups} r WHERE many > 400)",
        f"{column} IN (SELECT count(*)::int8 FROM {table.name}{where})", f"EXISTS (SELECT FROM {groups} r WHERE many > 400)",
        f"EXISTS (SELECT FROM {groups} r WHERE r.region = e.region AND many > {column})",
        f"NOT EXISTS (SELECT FROM {groups} r WHERE r.region = e.region AND many > {column})",
        f"{column} < (SELECT {value} FROM {table.name} i WHERE i.region = e.region)",
        f"{column} < (SELECT max(many) FROM {groups} r)",
    ])


def _from(choices, table, condition):
    """FROM with a join; conditions may use the columns of both sides."""
    name = table.name
    groups = f"(SELECT region AS place, count(*) AS many FROM {name} WHERE {condition} GROUP BY region) g"
    joins = [(name + " e", ()), (f"{name} e JOIN {groups} ON g.place = e.region", ()),
             (f"{name} e LEFT JOIN {groups} ON g.place = e.region AND g.many > 0 AND {condition}", ()),
             (f"{name} e, (SELECT count(*) AS many FROM {name} WHERE {condition}) g", ())]
    if "dept" in table.columns:
        joins += [
            (f"{name} e JOIN hr.dim_dept d USING (dept)", ("dim_dept",)),
            (f"{name} e LEFT JOIN hr.dim_dept d ON d.dept = e.dept AND {condition}", ("dim_dept",)),
            (f"hr.dim_dept d RIGHT JOIN {name} e ON d.dept = e.dept", ("dim_dept",)),
            (f"{name} e JOIN hr.dim_dept d ON d.dept = CASE WHEN {condition} THEN e.dept ELSE -1 END", ("dim_dept",)),
            (f"{name} e NATURAL JOIN hr.dim_dept d", ("dim_dept",)),
            (f"{name} e LEFT JOIN hr.catalogue g ON g.id = e.dept AND {condition}", ("catalogue",)),
            (f"{name} e JOIN hr.catalogue g ON g.id = e.dept", ("catalogue",)),
            (f"{name} e JOIN hr.catalogue g ON g.kind = e.dept", ("catalogue",)),
            (f"{name} e LEFT JOIN (hr.dim_dept d JOIN hr.catalogue g ON g.id = d.dept) ON d.dept = e.dept AND {condition}", ("dim_dept", "catalogue")),
            (f"{name} e LEFT JOIN (SELECT kind, count(*) AS many FROM hr.catalogue GROUP BY kind) g ON g.kind = e.dept AND {condition}", ("catalogue",)),
            (f"{name} e JOIN hr.undeclared o ON o.id = e.dept AND {condition}", ()),
            (f"{name} e, hr.dim_dept d", ("dim_dept",)),
            (f"{name} e LEFT JOIN hr.chronicle h ON h.n = e.dept AND {condition}", ("chronicle",)),
            (f"{name} e JOIN hr.board b ON b.id = e.dept AND {condition}", ("board",)),
            (f"(SELECT * FROM {name}) e", ()),
            (f"(SELECT * FROM {name} WHERE {condition}) e", ()),
        ]
    return choices.pick(joins)


# --- where the expression stands ---

def _guarded(choices, condition, expression, otherwise):
    return choices.pick([
        f"CASE WHEN {condition} THEN {expression} ELSE {otherwise} END",
        f"CASE WHEN NOT ({condition}) THEN {otherwise} ELSE {expression} END",
        f"CASE ({condition}) WHEN true THEN {expression} ELSE {otherwise} END",
    ])


def _aggregates(choices, table):
    """Aggregates beside the one that the placement makes."""
    simple = ["count(*)", "dp_count(*)", f"count(DISTINCT {table.owner})", "dp_count_owners(*)"]
    if table.sums:
        column = choices.pick(table.sums)
        simple += [f"count(DISTINCT {column})", f"dp_count_distinct({column}, 'max_rows=2, epsilon=0.5')", f"dp_count_distinct({column}, 'cap=auto')", f"approx_distinct({column})", f"count(DISTINCT ({column}, {choices.pick(table.sums)}))"]
        simple += [f"sum({column})", f"avg({column})", f"dp_stddev({column}, 0, 1000)", f"dp_avg({column}, 0, 10, 'epsilon=0.1')",
                   f"variance({column})", f"dp_sum({column}, -1, 1, 'kernel=gaussian, epsilon=0.5, delta=1e-9')",
                   f"corr({column}, {choices.pick(table.sums)})", f"regr_slope({column}, {choices.pick(table.sums)} + 1)", f"covar_samp({column}, {column} * 2)",
                   f"dp_sum({column}, 0, 10, 'per_owner=0:25')", f"dp_avg({column}, 0, 10, 'max_rows=2')",
                   f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {column})", f"max({column})", f"dp_min({column}, -10, 10)",
                   f"dp_quantile({column}, ARRAY[0.9, 0.1, 0.5], 0, 1000)", f"dp_median({column}, 0, 10, 'max_rows=2, epsilon=0.5')",
                   f"percentile_disc(ARRAY[0, 1]) WITHIN GROUP (ORDER BY {column})"]
    return choices.pick(simple)


def _placed(choices, expressions, table, condition, truth, touches):
    """A block with the given boolean expression, somewhere."""
    guarded = _guarded(choices, condition, truth, "false")
    numeric = _guarded(choices, condition, f"CASE WHEN {truth} THEN 1 ELSE 0 END", "0")
    source, joined = _from(choices, table, condition)
    touches = tuple(touches) + joined
    aggregate = _aggregates(choices, table)
    name = table.name
    kind = choices.below(13)
    key = choices.pick([""] * 2 + table.keys)
    select, group, columns = (f"{key}, ", f" GROUP BY {key}", "k") if key else ("", "", "")
    if key and " hr.dim_dept" in source and key == "dept" and "USING" not in source and "NATURAL" not in source:
        select, group, columns = "", "", ""
    declared = not (columns and "JOIN" in source and key == "dept")

    def block(sql, shape, released=False):
        return Block(sql, shape, released or not declared, touches)

    if kind == 0:
        return block(f"SELECT {select}{aggregate} FROM {source} WHERE {guarded}{group}", columns + "n")
    if kind == 1:
        return block(f"SELECT {select}count(*) FILTER (WHERE {guarded}) FROM {source}{group}", columns + "n")
    if kind == 2:
        return block(f"SELECT {select}dp_sum({numeric}, 0, 1), {aggregate} FROM {source}{group}", columns + "nn")
    if kind == 3:
        return block(f"SELECT {select}{aggregate} FROM {source} WHERE {condition} AND {truth}{group}", columns + "n")
    if kind == 4:
        return block(f"SELECT {select}dp_count(CASE WHEN {condition} THEN CASE WHEN {truth} THEN 1 END END) FROM {source}{group}", columns + "n")
    if kind == 5:
        return block(f"SELECT {guarded} AS k, count(*) FROM {source} GROUP BY 1", "nn", released=True)
    if kind == 6:
        return block(f"SELECT count(*) FROM (SELECT {guarded} AS x FROM {name}) s WHERE x", "n")
    if kind == 7:
        return block(f"WITH w AS (SELECT {guarded} AS x, * FROM {name}) SELECT {select}count(*) FILTER (WHERE x) FROM w{group}", columns + "n")
    if kind == 8:
        return block(f"SELECT {select}{aggregate} FROM {source} WHERE {condition} OR {guarded}{group}", columns + "n")
    if kind == 9:
        return block(f"SELECT avg(CASE WHEN {condition} THEN 1 ELSE {numeric} END) FROM {source}", "n")
    if kind == 10:
        return block(f"SELECT s.n FROM (SELECT {select}count(*) AS n FROM {source} WHERE {guarded}{group}) s, hr.dim_dept WHERE hr.dim_dept.dept = 3", "n")
    if kind == 11:
        return block(f"SELECT {select}count(*), lab.tell(0) FROM {source} WHERE {guarded}{group} ORDER BY 1", columns + "nn", released=not key)
    return block(f"SELECT DISTINCT {guarded} FROM {source}", "n", released=True)


def random_block(choices, expressions):
    table = choices.pick(CENTRAL)
    condition = choices.pick(table.canary)
    touches = ()
    kind = choices.below(4)
    if kind == 2:
        truth = _released_condition(choices, table, choices.pick(table.columns_of("int4")), condition)
    elif kind < 2:
        truth = expressions.make(choices, table, "bool", 1 + choices.below(3))
    else:
        column = choices.pick(table.columns_of("int4"))
        truth, touches = _public_condition(choices, column)
    return _placed(choices, expressions, table, condition, truth, touches)


def levels_block(choices, expressions):
    """Several groupings at once: totals and their parts."""
    table = choices.pick([EMP, VIEW])
    condition = choices.pick(table.canary)
    guarded = _guarded(choices, condition, expressions.make(choices, table, "bool", 1 + choices.below(2)), "false")
    sets = choices.pick(["ROLLUP (region, dept)", "CUBE (region, dept)", "region, ROLLUP (dept)", "GROUPING SETS ((region), (dept))",
                         "GROUPING SETS ((dept, region), (region), (region))", "ROLLUP (dept), ROLLUP (region)"])
    aggregate = choices.pick(["count(*)", "sum(salary)", "avg(salary)", "dp_stddev(salary, 0, 1000)", "dp_sum(salary, 0, 10, 'kernel=gaussian, delta=1e-9')",
                              "max(salary)", f"count(DISTINCT {table.owner})", "dp_count(salary, 'within=5')",
                              # reached whatever the noise: so many stages in both worlds
                              "dp_count(salary, 'error=50')", "dp_count(salary, 'error=1000 %, floor=1e9')", "dp_count(salary, 'error=0.001 %')"])
    shape = choices.below(4)
    if shape == 0:
        return Block(f"SELECT region, dept, GROUPING(region, dept), count(*) FILTER (WHERE {guarded}) FROM {table.name} GROUP BY {sets}", "kkkn")
    if shape == 1:
        return Block(f"SELECT dept, region, {aggregate} FROM {table.name} WHERE {guarded} GROUP BY {sets}", "kkn")
    if shape == 2:
        return Block(f"SELECT region, dept, {aggregate}, count(*) FROM {table.name} WHERE {condition} GROUP BY {sets} ORDER BY 1, 2, GROUPING(dept)", "kknn")
    selected = choices.pick(["ROLLUP (region, 2)", "CUBE (region, 2)", "GROUPING SETS ((region), (2))", "ROLLUP (2, region), ROLLUP (2)", "GROUPING SETS ((2), ())"])
    return Block(f"SELECT region, {guarded} AS x, {aggregate} FROM {table.name} GROUP BY {selected}", "nnn", released_rows=True)


def call_block(choices, expressions, call):
    """One call of the catalogue, evaluated for the canary only."""
    condition = choices.pick(EMP.canary[:3])
    value = call.plain() if choices.below(3) == 0 else expressions.call(choices, EMP, call, 1)
    kind = choices.below(5)
    if call.result == "bool":
        truth = value
    elif kind == 3 and call.result in NUMBERS:
        return Block(f"SELECT dp_sum(CASE WHEN {condition} THEN {value} END, 0, 10) FROM hr.emp", "n")
    elif kind == 1:
        different = choices.pick(["count(DISTINCT {})", "dp_count_distinct({}, 'max_rows=1')", "count(DISTINCT ({}, 1))", "dp_count_distinct({}, 'cap=auto')", "dp_count_distinct({}, 'cover=exact')"])
        return Block("SELECT " + different.format(f"CASE WHEN {condition} THEN {value} END") + " FROM hr.emp", "n")
    elif kind == 2 and call.result in NUMBERS:
        quantile = choices.pick(["dp_median({}, 0, 10)", "dp_quantile({}, ARRAY[0.1, 0.9], 0, 10)", "dp_max({}, 0, 10, 'max_rows=2')"])
        return Block("SELECT " + quantile.format(f"CASE WHEN {condition} THEN {value} END") + " FROM hr.emp", "n")
    else:
        truth = f"{value} IS NULL"
    return choices.pick([
        lambda: Block(f"SELECT count(*) FROM hr.emp WHERE CASE WHEN {condition} THEN {truth} ELSE false END", "n"),
        lambda: Block(f"SELECT count(*) FILTER (WHERE CASE WHEN {condition} THEN {truth} ELSE false END) FROM hr.emp", "n"),
        lambda: Block(f"SELECT region, count(*) FROM (SELECT region, CASE WHEN {condition} THEN {truth} END AS x FROM hr.emp) s WHERE x GROUP BY region", "kn"),
        lambda: Block(f"SELECT count(*) FROM hr.emp e LEFT JOIN hr.dim_dept d ON d.dept = e.dept AND CASE WHEN {condition} THEN {truth} END", "n", touches=("dim_dept",)),
    ])()


def entries_block(choices, expressions):
    """Pufferfish regime: of the canary's rows the entry is another one."""
    condition = choices.pick(TRACE.canary)
    truth = expressions.make(choices, TRACE, "bool", 2)
    guarded = _guarded(choices, condition, truth, "false")
    return choices.pick([
        lambda: Block(f"SELECT count(*) FROM hr.trace WHERE {guarded}", "n"),
        lambda: Block(f"SELECT place, count(*) FROM hr.trace WHERE {guarded} GROUP BY place", "kn"),
        lambda: Block("SELECT dp_topk(place, 2) FROM hr.trace", "n"),
        lambda: Block("SELECT dp_mode(place) FROM hr.trace WHERE person = 4242", "n"),
        lambda: Block(f"SELECT count(*) FILTER (WHERE {guarded}) FROM hr.trace WHERE person IN (4242, 17)", "n"),
        lambda: Block("SELECT dp_response(place) FROM hr.trace WHERE person = 4242 AND hour = 3", "n"),
        lambda: Block(f"SELECT dp_response(place, 'epsilon=0.2') FROM hr.trace WHERE {guarded}", "n"),
        lambda: Block(f"SELECT dp_choose(ARRAY['some', 'none'], ARRAY[CASE WHEN {guarded} THEN 1 ELSE 0 END, 0], 0, 1) FROM hr.trace", "n"),
        lambda: Block(f"SELECT place, dp_choose(ARRAY[1, 2], ARRAY[CASE WHEN {guarded} THEN hour END, 3], 0, 9) FROM hr.trace GROUP BY place", "kn"),
    ])()


def choice_block(choices, expressions):
    """Candidates whose scores something happens in for the canary only."""
    table = choices.pick(CENTRAL)
    condition = choices.pick(table.canary)
    number = choices.pick(NUMBERS[:3])
    score = _guarded(choices, condition, expressions.make(choices, table, number, 1 + choices.below(2)), choices.pick(["0", "NULL", "1e9"]))
    where = choices.pick(["", "", f" WHERE {_guarded(choices, condition, expressions.make(choices, table, 'bool', 1), 'false')}"])
    key = choices.pick(["", "", table.keys[0]])
    select, group, columns = (f"{key}, ", f" GROUP BY {key}", "k") if key else ("", "", "")
    call = choices.pick([
        f"dp_choose(ARRAY[1, 2], ARRAY[{score}, 1], 0, 10)",
        f"dp_choose(ARRAY['a', 'b', 'c'], ARRAY[0, {score}, {table.sums[0]}], -10, 10, 'epsilon=0.5')",
        f"dp_choose(ARRAY[1, 2], ARRAY[({score}) IS NULL, true]::int[], 0, 1, 'max_rows=1')",
        f"dp_choose(ARRAY[1, 2], ARRAY[{score}, 1], 0, 10) || 'x'",
    ])
    return Block(f"SELECT {select}{call} FROM {table.name}{where}{group}", columns + "n")


def owners_block(choices, _):
    """Local regime: of the canary the values are others."""
    question = choices.pick(["ldp_count(pain = 10)", "ldp_avg(pain)", "ldp_histogram(pain)", "ldp_avg(weight)", "ldp_sum(pain, 0, 10)",
                             "ldp_avg(CASE WHEN pain = 10 THEN 1 / (pain + 1) ELSE 0 END, 0, 1)", "count(*)", "dp_sum(pain, 0, 10)",
                             "ldp_avg(privacct.logistic(0.1 * weight - 5))", "ldp_count(pain / (pain - 10) > 0)", "avg(weight)",
                             "ldp_count(weight > 60)", "ldp_count(weight BETWEEN 50 AND 70 OR weight = 99)", "ldp_histogram(width_bucket(weight, 40, 120, 6))",
                             "ldp_avg(CASE WHEN weight < 55.5 THEN 1 WHEN weight IN (60, 70) THEN 3 ELSE 2 END)", "ldp_histogram(CASE WHEN weight < 60 THEN 'light' ELSE 'heavy' END)",
                             "ldp_sum(width_bucket(0.5 * weight + 1, 0, 60, 4), 0, 5)", "ldp_count(weight > 60 AND pain = 10)", "ldp_histogram(width_bucket(weight, 40, 40, 6))",
                             "ldp_count(1 / (CASE WHEN weight > 99 THEN 0 ELSE 1 END) = 1)"])
    where = choices.pick(["", " WHERE region = 'north'", " WHERE pain = 10", " WHERE person = 4242"])
    return Block(f"SELECT {question} FROM hr.survey{where}", "n", touches=("local",))
