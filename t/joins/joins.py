# SPDX-License-Identifier: GPL-3.0-or-later
"""Random joins of a protected table with public ones, random subqueries over public tables,
and values correlated with their rows, which are releases, asked by an analyst and by a superuser
who reads the raw rows.  With so much epsilon that noise vanishes the answers are equal, or the
analyst is refused.

    joins.py --socket DIR --queries N --seed S
prints each difference, and "N answered, N refused, N different".
"""
import argparse
import random
import subprocess

BATCH = 40
EPSILON = 20000
NUMBERS = ['SELECT x FROM listed', 'SELECT x FROM nothing', 'SELECT k FROM d1 WHERE v > 0', 'SELECT v FROM d2',
           'SELECT x FROM listed WHERE x IS NOT NULL', 'SELECT v + 0 FROM d3', 'SELECT d1.v FROM d1 JOIN d2 USING (k)',
           'VALUES (1)', 'VALUES (4), (NULL), (0)', 'VALUES (2), (5), (2), (6)']
TEXTS = ["VALUES ('x'), ('q')", "VALUES ('y'), (NULL)", 'SELECT y FROM listed', 'SELECT y FROM nothing', 'SELECT t FROM d3', 'SELECT t FROM d1 WHERE k IN (SELECT x FROM listed)']
PROTECTED = ['plain', 'parts', 'shared_out', 'barrier', '(SELECT id, a, b, t FROM plain WHERE a IS NULL OR a < 5)',
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

    def value(self, columns):
        """Of the rows with one value: the analyst's is null, not zero, where there are none."""
        name, kind = self.choose([c for c in columns if c[1] != 'boolean'])
        key = self.choose(['v.a', 'v.b', 'v.a', 'v.b + 0'] if kind == 'number' else ['v.t'])
        sides = self.choose([f'{key} = {name}', f'{name} = {key}'])
        return f"coalesce((SELECT count(v.id) FROM plain v WHERE {sides}{self.choose(['', '', ' AND v.b IS NOT NULL'])}), 0)"

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

    def public_query(self):
        """Rows of public tables, with values that are asked for by some of them."""
        source, columns = 'd1 m', [('m.k', 'number'), ('m.v', 'number'), ('m.t', 'text')]
        for i in range(self.choose([0, 1, 1, 2])):
            source, columns = self.joined(source, columns, f'j{i}')
        where = f'{self.condition(columns)} AND {self.condition(columns)}'
        return f"SELECT {', '.join(name for name, _ in columns)}, {self.value(columns)} FROM {source} WHERE {where}"

    def query(self):
        if self.random.random() < 0.2:
            return f'SELECT r::text FROM ({self.public_query()}) r ORDER BY 1'
        source, columns = self.choose(PROTECTED) + ' m', [('m.a', 'number'), ('m.b', 'number'), ('m.t', 'text')]
        for i in range(self.choose([0, 1, 1, 2, 3])):
            source, columns = self.joined(source, columns, f'j{i}')
        call = self.choose(['count(m.id)', f'count({self.choose(columns)[0]}) FILTER (WHERE m.id IS NOT NULL)',
                            f'count(m.id) FILTER (WHERE {self.condition(columns, 1)})',
                            f'count(CASE WHEN {self.condition(columns, 1)} THEN m.id END)'])
        where = f' WHERE {self.condition(columns)}' if self.random.random() < 0.8 else ''
        return f'SELECT {call} FROM {source}{where}'


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


def main():
    parser = argparse.ArgumentParser()
    for name, kind in (('--socket', str), ('--superuser', str), ('--queries', int), ('--seed', int)):
        parser.add_argument(name, type=kind, required=True)
    options = parser.parse_args()
    grammar = Grammar(options.seed)
    counts = {'answered': 0, 'refused': 0, 'different': 0}
    for _ in range(0, options.queries, BATCH):
        queries = [grammar.query() + ';' for _ in range(BATCH)]
        guarded = answers(options.socket, 'analyst', [
            f'RESET ALL; SET privacct.epsilon = {EPSILON}; SET privacct.max_groups = 8; SET privacct.max_rows = 60; {grammar.choose(SETTINGS)} {query}' for query in queries])
        raw = answers(options.socket, options.superuser, queries)
        answers(options.socket, options.superuser, ['SET privacct.write_books = on;', 'ALTER TABLE privacct.account DISABLE TRIGGER only_grows;', 'UPDATE privacct.account SET epsilon = 0, delta = 0;',
                                                      'ALTER TABLE privacct.account ENABLE ALWAYS TRIGGER only_grows;', 'RESET privacct.write_books;'])
        for query, answer, true_answer in zip(queries, guarded, raw):
            # a raw error is one of the grammar's own: the analyst has to be refused as well
            said, truly_said = ''.join(answer[-1:]), ''.join(true_answer[-1:])
            kind = 'refused' if '42PA1' in said or 'ERROR' in said and 'ERROR' in truly_said else \
                'answered' if answer == true_answer else 'different'
            counts[kind] += 1
            if kind == 'different':
                print(f'{answer} instead of {true_answer}: {query}')
    print(', '.join(f'{count} {kind}' for kind, count in counts.items()))


main()
