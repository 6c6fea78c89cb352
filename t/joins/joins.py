# SPDX-License-Identifier: GPL-3.0-or-later
"""Random joins of protected tables with each other and with public ones, random subqueries over public
tables, and values correlated with their rows, which are releases, asked by an analyst and by a
superuser who reads the raw rows.  With so much epsilon that noise vanishes the answers are equal,
or the analyst is refused.

And what all owners count is what they count without one of them, and what this one does alone.

    joins.py --socket DIR --queries N --seed S
prints each difference, and how many queries were answered, refused, and otherwise than they should be.
"""
import argparse
import random
import subprocess

BATCH = 40
EPSILON = 20000
SCHEMAS = ['whole', 'without', 'alone']
OWNERS = 200
NUMBERS = ['SELECT x FROM listed', 'SELECT x FROM nothing', 'SELECT k FROM d1 WHERE v > 0', 'SELECT v FROM d2',
           'SELECT x FROM listed WHERE x IS NOT NULL', 'SELECT v + 0 FROM d3', 'SELECT d1.v FROM d1 JOIN d2 USING (k)',
           'VALUES (1)', 'VALUES (4), (NULL), (0)', 'VALUES (2), (5), (2), (6)']
TEXTS = ["VALUES ('x'), ('q')", "VALUES ('y'), (NULL)", 'SELECT y FROM listed', 'SELECT y FROM nothing', 'SELECT t FROM d3', 'SELECT t FROM d1 WHERE k IN (SELECT x FROM listed)']
PROTECTED = ['plain', 'parts', 'shared_out', 'barrier', 'plain', 'wide', '(SELECT id, a, b, t FROM plain WHERE a IS NULL OR a < 5)',
             '(SELECT id, a + 0 AS a, b, t FROM shared_out)']
PUBLIC = ['d1', 'd1', 'd2', 'd2', 'd3', 'd1_view', '(SELECT k, v * 2 AS v, upper(t) AS t FROM d1 WHERE v IS NOT NULL OR k > 1)',
          "(SELECT * FROM (VALUES (1, 3, 'x')) v (k, v, t))", "(SELECT * FROM (VALUES (0, NULL, 'y'), (1, 2, NULL), (1, 0, 'x'), (5, 1, 'z')) v (k, v, t))",
          '(SELECT d1.k, d2.v, d1.t FROM d1 JOIN d2 USING (k))', '(SELECT d1.k, d2.v, d1.t FROM d1 LEFT JOIN d2 ON d1.v = d2.k)']
SETTINGS = ['', 'SET plan_cache_mode = force_generic_plan;', 'SET enable_hashjoin = off;', 'SET geqo_threshold = 2;',
            'SET join_collapse_limit = 1;', 'SET from_collapse_limit = 1;', 'SET enable_partitionwise_join = on;']


class Grammar:
    """Columns are pairs of an expression and its kind: number, text or boolean."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, things):
        return self.random.choice(things)

    def column(self, columns, kinds):
        return self.choose([name for name, kind in columns if kind in kinds])

    def test(self, columns):
        name, kind = self.choose(columns)
        number = self.random.randint(0, 4)
        return '(%s %s)' % (name, self.choose({
            'number': [f'> {number}', f'= {number}', 'IS NULL', f'<> {number}', f'+ 1 < {number}', 'IS NOT NULL', f'IN ({number}, 1)',
                       f'IN ({number}, 6, 7, 8, 9, 10, 11, 12, 13)', f'NOT IN ({number}, 1, 7, 8, 9, 10, 11, 12, 13)', f'NOT IN ({number}, NULL, 7, 8, 9, 10, 11, 12, 13)'],
            'text': ["= 'x'", 'IS NULL', "<> 'y'", "LIKE '%x%'", 'IS NOT NULL'],
            'boolean': ['', 'IS TRUE', 'IS NOT FALSE']}[kind]))

    def subquery(self, columns):
        name, kind = self.choose([c for c in columns if c[1] != 'boolean'])
        query = self.choose(NUMBERS if kind == 'number' else TEXTS)
        return '(%s (%s))' % (self.choose([f'{name} IN', f'{name} NOT IN', 'EXISTS', 'NOT EXISTS']), query)

    def value(self, columns, table='still', keys=('v.a', 'v.b', 'v.a', 'v.b + 0')):
        """Of the rows with one value: the analyst's is null, not zero, where there are none."""
        name, kind = self.choose([c for c in columns if c[1] != 'boolean'])
        key = self.choose(keys if kind == 'number' else ['v.t'])
        sides = self.choose([f'{key} = {name}', f'{name} = {key}'])
        return f"coalesce((SELECT count(v.id) FROM {table} v WHERE {sides}{self.choose(['', '', ' AND v.b IS NOT NULL'])}), 0)"

    def condition(self, columns, depth=2, subqueries=True):
        def part():
            return self.condition(columns, depth - 1, subqueries)
        kind = self.random.random()
        if depth == 0 or kind < 0.35:
            return self.test(columns)
        if kind < 0.45 and subqueries:
            return self.subquery(columns)
        if kind < 0.5 and subqueries:
            return f'({self.value(columns)} > {self.random.choice([0, 50, 57, 70, 90])}.5)'
        if kind < 0.65:
            return f'({part()} AND {part()})'
        if kind < 0.8:
            return f'({part()} OR {part()})'
        if kind < 0.9:
            return f'(NOT {part()})'
        return f'(CASE WHEN {part()} THEN {self.test(columns)} ELSE {part()} END)'

    def joined(self, source, columns, alias):
        """FROM with one more public table, and the columns with its own."""
        table = self.choose(PUBLIC)
        number = self.column(columns, ['number'])
        if table == 'd3':
            on = f"{alias}.t = {self.column(columns, ['text'])}" + self.choose(['', '', f' AND {alias}.s = {number}'])
            own = [(f'{alias}.v', 'number'), (f'{alias}.s', 'number'), (f'{alias}.t', 'text')]
        else:
            on = self.choose([f'{alias}.k = {number}', f'{number} = {alias}.k', f'{alias}.k = {number} + 1', f'{alias}.k = 2'])
            own = [(f'{alias}.k', 'number'), (f'{alias}.v', 'number'), (f'{alias}.f', 'boolean') if table == 'd2' else (f'{alias}.t', 'text')]
        if self.random.random() < 0.4:
            on += ' AND ' + self.condition(columns + own, 1, False)
        source = self.choose([f'{source} {how} {table} {alias} ON {on}' for how in ('JOIN', 'LEFT JOIN', 'RIGHT JOIN')] +
                             [f'{table} {alias} LEFT JOIN ({source}) ON {on}'])
        return source, columns + own

    def public_query(self, asked):
        """Rows of public tables, with values that are asked for by some of them: by those of one group, which
        is all that an owner counts in."""
        source, columns = 'd1 m', [('m.k', 'number'), ('m.v', 'number'), ('m.t', 'text')]
        for i in range(self.choose([0, 1, 1, 2])):
            source, columns = self.joined(source, columns, f'j{i}')
        if self.random.random() < 0.4:      # which says nothing of the rows that ask
            source += f' LEFT JOIN d2 o ON o.k = m.k AND {self.test(columns[:3])}'
            columns = columns + [('o.v', 'number'), ('o.f', 'boolean')]
        where = f'{self.condition(columns)} AND {self.condition(columns)}'
        # of keys that are declared: which groups there are does not depend on rows
        value = self.value([c for c in columns if c[1] == 'number'], 'plain', ['v.a', 'v.b'])
        if asked:
            where = f'm.k = {self.choose([0, 1, 2])}{self.choose(["", f" AND {self.test(columns)}"])}'
            value = self.value(columns[:1], 'plain', ['v.a', 'v.b'])
        return f"SELECT ROW({', '.join(name for name, _ in columns)})::text, {value} FROM {source} WHERE {where} ORDER BY 1, 2"

    def related(self, columns):
        """A condition on other rows of the same owner."""
        other = self.choose(PROTECTED) + ' e'
        own = [('e.a', 'number'), ('e.b', 'number'), ('e.t', 'text')]
        where = 'e.id = m.id' + self.choose(['', f' AND {self.test(own)}', f' AND {self.test(own)}', f' AND e.a = {self.column(columns, ["number"])}'])
        return self.choose([f'EXISTS (SELECT FROM {other} WHERE {where})', f'NOT EXISTS (SELECT FROM {other} WHERE {where})',
                            f'm.id IN (SELECT e.id FROM {other} WHERE {self.test(own)})',
                            f'coalesce((SELECT {self.choose(["count(*)", "max(e.a)", "sum(e.b)", "count(DISTINCT e.a)"])} FROM {other} WHERE {where}), 0) > {self.random.randint(0, 3)}'])

    def protected_join(self):
        """FROM with rows of an owner from up to four tables, and columns of them; one may have public rows."""
        source, columns = self.choose(PROTECTED) + ' m', [('m.a', 'number'), ('m.b', 'number'), ('m.t', 'text')]
        for i in range(self.choose([1, 1, 1, 2, 3])):
            own = [(f'p{i}.a', 'number'), (f'p{i}.b', 'number'), (f'p{i}.t', 'text')]
            on = f'p{i}.id = m.id' + self.choose(['', f' AND {self.test(own)}', f' AND {self.column(own, ["number"])} = {self.column(columns, ["number"])}'])
            source = f"{source} {self.choose(['JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN'])} {self.choose(PROTECTED)} p{i} ON {on}"
            columns = columns + own
        if self.random.random() < 0.2:      # public rows that are there whether a protected row meets them or not
            made_up = f"(named u LEFT JOIN {self.choose(PROTECTED)} x ON x.id = u.k AND {self.test([('x.a', 'number'), ('x.b', 'number')])})"
            source = self.choose([f"{source} {self.choose(['JOIN', 'LEFT JOIN'])} {made_up} ON {self.choose(['u.k', 'x.id'])} = m.id",
                                  f"{made_up} JOIN ({source}) ON {self.choose(['u.k', 'x.id'])} = m.id"])
            columns = columns + [('u.v', 'number'), ('x.a', 'number')]
        if self.random.random() < 0.2:      # by columns of several tables
            source += f" {self.choose(['JOIN', 'LEFT JOIN'])} d3 y ON y.t = {self.choose(['m.t', 'p0.t'])} AND y.s = {self.choose(['m.a', 'p0.a'])}"
            columns = columns + [('y.v', 'number')]
        if self.random.random() < 0.3:
            source += f" {self.choose(['JOIN', 'JOIN', 'LEFT JOIN'])} named n ON n.k = {self.choose(['m.id', 'p0.id'])}{self.choose(['', ' AND n.v > 1'])}"
            columns = columns + [('n.v', 'number'), ('n.t', 'text')]
        return source, columns

    def protected_query(self):
        source, columns = self.protected_join() if self.random.random() < 0.5 else (self.choose(PROTECTED) + ' m', [('m.a', 'number'), ('m.b', 'number'), ('m.t', 'text')])
        for i in range(self.choose([0, 1, 1, 2, 3]) if 'JOIN' not in source else self.choose([0, 0, 1])):
            source, columns = self.joined(source, columns, f'j{i}')
        call = self.choose(['count(m.id)', f'count({self.choose(columns)[0]}) FILTER (WHERE m.id IS NOT NULL)',
                            f'count(m.id) FILTER (WHERE {self.condition(columns, 1)})',
                            f'count(CASE WHEN {self.condition(columns, 1)} THEN m.id END)'])
        where = [self.condition(columns)] if self.random.random() < 0.8 else []
        where += [self.related(columns)] if self.random.random() < 0.3 else []
        return f"SELECT 'all', {call} FROM {source}{' WHERE ' if where else ''}{' AND '.join(where)}"

    def query(self):
        """Its text, and whether an owner may count in one group alone."""
        asked = self.random.random() < 0.1
        return (self.public_query(asked) if asked or self.random.random() < 0.15 else self.protected_query(), asked)


def answers(socket, role, statements):
    """The lines that each statement prints, errors among them, by its number."""
    script = ''.join(f'\\echo @{i}\n{statement}\n' for i, statement in enumerate(statements))
    result = subprocess.run(['psql', '-qXAt', '-h', socket, '-U', role, '-v', 'VERBOSITY=sqlstate', 'postgres'],
                            input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = {}
    for line in result.stdout.splitlines():
        if line.startswith('@'):
            found[number := int(line[1:])] = []
        else:
            found[number].append(line)
    return [found.get(i, ['no answer']) for i in range(len(statements))]


def is_error(answer):
    return 'ERROR' in ''.join(answer[-1:])


def adds_up(whole, parts):
    """The same rows, and their values are the sums of those of the parts."""
    if any(len(part) != len(whole) for part in parts) or any(is_error(answer) for answer in [whole, *parts]):
        return False
    for line, *others in zip(whole, *parts):
        row, value = line.rsplit('|', 1)
        pieces = [other.rsplit('|', 1) for other in others]
        if any(piece[0] != row for piece in pieces) or int(value) != sum(int(piece[1]) for piece in pieces):
            return False
    return True


class Run:
    def __init__(self, options):
        self.options = options
        self.grammar = Grammar(options.seed)
        self.counts = dict.fromkeys(['answered', 'refused', 'different', 'changed', 'planned otherwise', 'left out in pages', 'asked by keys'], 0)

    def superuser(self, statements):
        return answers(self.options.socket, self.options.superuser, statements)

    def fill(self):
        """Other rows, and budgets that nobody has used."""
        random = self.grammar.random
        tables = [f'{schema}.{table}' for schema in SCHEMAS for table in ('plain', 'parts', 'shared_out', 'wide')]
        said = self.superuser([f'SELECT fill({random.random()}, {random.randrange(OWNERS)});'] + [f'VACUUM {table};' for table in tables] + [
            'SELECT touch();', 'SET privacct.write_books = on;', 'ALTER TABLE privacct.account DISABLE TRIGGER only_grows;',
            'UPDATE privacct.account SET epsilon = 0, delta = 0;', 'ALTER TABLE privacct.account ENABLE ALWAYS TRIGGER only_grows;', 'RESET privacct.write_books;'])
        assert not any(map(is_error, said)), said

    def ask(self, schema, queries):
        """Answers, how many rows were left out in pages, and what is said of a plan that is not executed."""
        statements = []
        for query, setting, asked in queries:
            statements += [f'RESET ALL; SET search_path = {schema}, public; SET privacct.epsilon = {EPSILON}; SET privacct.max_groups = {1 if asked else 8}; '
                           f'SET privacct.max_rows = 200; {setting} {query};', 'SELECT public.rows_left_out();', f'EXPLAIN {query};']
        said = answers(self.options.socket, 'analyst', ['SELECT public.rows_left_out();'] + statements)[1:]
        return list(zip(said[::3], (int(lines[-1]) for lines in said[1::3]), map(is_error, said[2::3])))

    def judge(self, query, asked, guarded, raw):
        (answer, left_out, not_planned), *others = guarded
        parts = [part for part, _, _ in others]
        # a raw error is one of the grammar's own: the analyst has to be refused as well
        refused = '42PA1' in ''.join(answer[-1:]) or is_error(answer) and is_error(raw)
        self.counts['refused' if refused else 'answered' if answer == raw else 'different'] += 1
        if not refused and answer != raw:
            print(f'{answer} instead of {raw}: {query}')
        if not_planned != is_error(answer):
            self.counts['planned otherwise'] += 1
            print(f"{answer}, which EXPLAIN {'refuses' if not_planned else 'does not'}: {query}")
        if is_error(parts[0]) != refused or is_error(parts[1]) != refused or not refused and not adds_up(answer, parts):
            self.counts['changed'] += 1
            print(f'{answer} of all, {parts[0]} without one, {parts[1]} of this one: {query}')
        self.counts['left out in pages'] += left_out > 0
        self.counts['asked by keys'] += asked and not refused and answer == raw and any(int(line.rsplit('|', 1)[1]) > 10 for line in answer)

    def batch(self):
        queries = [(query, self.grammar.choose(SETTINGS), asked) for query, asked in (self.grammar.query() for _ in range(BATCH))]
        self.fill()
        guarded = [self.ask(schema, queries) for schema in SCHEMAS]
        raw = self.superuser([f'SET search_path = whole, public; {query};' for query, _, _ in queries])
        for i, (query, setting, asked) in enumerate(queries):
            self.judge(f'{setting} {query}', asked, [answers_of[i] for answers_of in guarded], raw[i])


def main():
    parser = argparse.ArgumentParser()
    for name, kind in (('--socket', str), ('--superuser', str), ('--queries', int), ('--seed', int)):
        parser.add_argument(name, type=kind, required=True)
    run = Run(parser.parse_args())
    for _ in range(0, run.options.queries, BATCH):
        run.batch()
    print(', '.join(f'{count} {kind}' for kind, count in run.counts.items()))


main()
