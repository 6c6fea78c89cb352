# SPDX-License-Identifier: GPL-3.0-or-later
"""What SQLAlchemy's inspector, or Django's inspectdb, tells an analyst of a hardened database,
and the exceptions that refusals are there.

Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: sqlalchemy or django, host, port.
"""
import io
import re
import sys

COLUMNS = ['visit_id', 'patient_id', 'ward', 'cost']


def expect(name, ask):
    try:
        got, expected = ask()
        print('ok ' + name if got == expected else f'FAIL {name}: {got}')
    except Exception as error:  # each step is reported, whatever it raises
        print(f'FAIL {name}: {error!r}'.replace('\n', ' '))


REFUSALS = (
    ('SELECT array_agg(cost) FROM care.visit', 'ProgrammingError'),
    ('SELECT privacct.dp_sum(cost, 10, 0) FROM care.visit', 'DataError'),
    ("SELECT privacct.dp_count(cost, 'epsilon=100000') FROM care.visit", 'OperationalError'))


def expect_exceptions(execute):
    def exception(sql):
        try:
            execute(sql)
        except Exception as error:
            return type(error).__name__
    expect('exceptions', lambda: ([exception(sql) for sql, _ in REFUSALS], [name for _, name in REFUSALS]))


def sqlalchemy_steps(host, port):
    import sqlalchemy

    engine = sqlalchemy.create_engine(f'postgresql+psycopg2://analyst@{host}:{port}/postgres')
    inspector = sqlalchemy.inspect(engine)
    names = lambda rows: sorted(row['name'] for row in rows)
    expect('get_schema_names', lambda: ('care' in inspector.get_schema_names(), True))
    expect('get_table_names', lambda: ({'visit', 'ward'} <= set(inspector.get_table_names(schema='care')), True))
    expect('has_table', lambda: (inspector.has_table('visit', schema='care'), True))
    expect('get_columns', lambda: ([c['name'] for c in inspector.get_columns('visit', schema='care')], COLUMNS))
    expect('get_pk_constraint', lambda: (inspector.get_pk_constraint('visit', schema='care')['constrained_columns'], ['visit_id']))
    expect('get_indexes', lambda: (names(inspector.get_indexes('visit', schema='care')), ['visit_ward']))
    expect('get_foreign_keys', lambda: (inspector.get_foreign_keys('visit', schema='care')[0]['referred_table'], 'ward'))
    expect('get_table_comment', lambda: (inspector.get_table_comment('visit', schema='care')['text'], 'stays'))
    expect('autoload', lambda: (sqlalchemy.Table('visit', sqlalchemy.MetaData(), schema='care', autoload_with=engine).columns.keys(), COLUMNS))
    expect_exceptions(lambda sql: engine.connect().execute(sqlalchemy.text(sql)))


def django_steps(host, port):
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    # inspectdb reads a row of each table to learn its columns
    settings.configure(DATABASES={'default': {
        'ENGINE': 'django.db.backends.postgresql', 'NAME': 'postgres', 'USER': 'analyst', 'HOST': host, 'PORT': port,
        'OPTIONS': {'options': '-c search_path=care -c privacct.empty_rows=on'}}})
    django.setup()

    def inspectdb():
        models = io.StringIO()
        call_command('inspectdb', stdout=models)
        return models.getvalue()

    expect('inspectdb', lambda: ('class Visit(models.Model)' in inspectdb(), True))
    expect('inspectdb, the columns', lambda: ([c for c in COLUMNS if f'    {c} = models.' not in inspectdb()], []))
    expect('inspectdb, the keys', lambda: ('primary_key=True' in inspectdb() and "ForeignKey('Ward'" in inspectdb(), True))
    expect('inspectdb, tables without a budget', lambda: (re.findall("Unable to inspect table '(.*)'", inspectdb()), ['secret']))
    expect_exceptions(lambda sql: connection.cursor().execute(sql))


{'sqlalchemy': sqlalchemy_steps, 'django': django_steps}[sys.argv[1]](sys.argv[2], sys.argv[3])
