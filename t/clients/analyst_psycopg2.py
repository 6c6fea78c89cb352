# SPDX-License-Identifier: GPL-3.0-or-later
"""An analyst's session through psycopg2.

Prints "ok NAME" or "FAIL NAME: REASON" for each thing tried.  Arguments: host, port.
"""
import sys

import psycopg2
import psycopg2.extensions

connection = psycopg2.connect(host=sys.argv[1], port=sys.argv[2], dbname='postgres', user='analyst')


def ask(sql, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def charges():
    count = ask('SELECT count(*) FROM privacct.my_ledger')[0][0]
    connection.commit()
    return count


def near(got, expected, error):
    assert abs(got - expected) <= error, f'{got} is not near {expected}'


def charged(before, expected):
    got = charges() - before
    assert got == expected, f'{got} charges'


def refused(sql, state, exception=psycopg2.ProgrammingError):
    try:
        ask(sql)
    except psycopg2.Error as error:
        connection.rollback()
        assert error.pgcode == state, f'{error.pgcode} instead of {state}'
        assert isinstance(error, exception), f'{type(error)} instead of {exception}'
        return
    raise AssertionError(f'not refused: {sql}')


def server_side_cursor():
    before = charges()
    with connection.cursor('rows') as cursor:
        cursor.itersize = 1
        cursor.execute('SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward')
        rows = list(cursor)
    connection.commit()
    assert len(rows) == 3, rows
    for row in rows:
        near(row[1], 33, 250)
    charged(before, 1)


def scrolled_cursor():
    before = charges()
    with connection.cursor('rows', scrollable=True, withhold=True) as cursor:
        cursor.execute('SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward')
        first = cursor.fetchone()
        cursor.fetchall()
        connection.commit()
        cursor.scroll(0, mode='absolute')
        assert cursor.fetchone() == first, 'another answer'
    connection.commit()
    charged(before, 1)


def read_only():
    before = charges()
    connection.set_session(readonly=True)
    with connection.cursor() as cursor:
        cursor.execute('SET LOCAL privacct.epsilon = 10')  # noise of scale 0.9, and of 1.5
    count, mean = ask('SELECT count(*), avg(cost) FROM visit')[0]
    connection.rollback()
    connection.set_session(readonly=False)
    near(count, 300, 60)
    near(mean, 150, 100)
    charged(before, 1)


def prepared():
    before = charges()
    with connection.cursor() as cursor:
        cursor.execute('PREPARE p (int) AS SELECT count(*) FROM visit WHERE cost < $1')
    answers = [ask('EXECUTE p (%s)', (1000 + i,))[0][0] for i in range(10)]
    connection.commit()
    for answer in answers:
        near(answer, 300, 60)
    assert len(set(answers)) > 1, 'the same answer ten times'
    charged(before, 10)


def parameters():
    total = ask('SELECT dp_sum(cost, %s, %s) FROM visit WHERE ward IN %s', (0, 10.0, ('A', 'B')))[0][0]
    connection.commit()
    near(total, 2000, 600)


def array_parameter():
    count = ask('SELECT count(*) FROM visit WHERE ward = ANY (%s)', (['A', 'B'],))[0][0]
    connection.commit()
    near(count, 200, 60)


def error_is_told():
    try:
        ask('SELECT name_of_nobody, * FROM visit')
    except psycopg2.Error as error:
        assert error.pgcode == '42703', error.pgcode
    connection.rollback()
    try:
        ask('SELECT ward, cost FROM visit')
    except psycopg2.Error as error:
        assert error.pgcode == '42PA1' and error.diag.message_detail and error.diag.message_hint, 'no detail or hint'
    connection.rollback()


def metadata():
    columns = ask("SELECT attname FROM pg_attribute WHERE attrelid = 'visit'::regclass AND attnum > 0 ORDER BY attnum")
    assert [c[0] for c in columns] == ['visit_id', 'patient_id', 'ward', 'cost'], columns
    tables = ask("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
    assert ('visit',) in tables, tables
    assert not ask("SELECT has_table_privilege('visit', 'SELECT')")[0][0]
    connection.commit()
    with connection.cursor() as cursor:
        cursor.execute('SELECT ward, count(*) AS n FROM visit GROUP BY ward')
        assert [c.name for c in cursor.description] == ['ward', 'n'], cursor.description
    connection.commit()


def autocommit():
    before = charges()
    connection.autocommit = True
    near(ask('SELECT count(*) FROM visit')[0][0], 300, 60)
    connection.autocommit = False
    charged(before, 1)


def rolled_back():
    before = charges()
    near(ask('SELECT count(*) FROM visit')[0][0], 300, 60)
    connection.rollback()
    charged(before, 1)


STEPS = (
    ('a server-side cursor row by row is one charge', server_side_cursor),
    ('a cursor that goes back, held over the commit', scrolled_cursor),
    ('a read-only transaction', read_only),
    ('a prepared statement, ten times', prepared),
    ('parameters in conditions and bounds', parameters),
    ('an array as parameter', array_parameter),
    ('autocommit', autocommit),
    ('a rollback is charged', rolled_back),
    ('errors tell state, detail and hint', error_is_told),
    ('metadata', metadata),
    ('refusal of rows', lambda: refused('SELECT * FROM visit', '42PA1')),
    ('refusal of another aggregate', lambda: refused('SELECT array_agg(cost) FROM visit', '42PA1')),
    ('refusal of copy', lambda: refused('COPY visit TO STDOUT', '42501')),
    ('refusal of bounds', lambda: refused('SELECT dp_sum(cost, 10, 0) FROM visit', '22PA5', psycopg2.DataError)),
    ('refusal for want of budget', lambda: refused("SELECT dp_count(cost, 'epsilon=2000') FROM visit", '53PA2', psycopg2.OperationalError)),
    ('the session goes on after refusals', read_only),
)

for name, step in STEPS:
    try:
        step()
        print('ok', name)
    except Exception as error:  # each step is reported, whatever it raises
        connection.rollback()
        print(f'FAIL {name}: {error!r}')
connection.close()
