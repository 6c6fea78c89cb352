# SPDX-License-Identifier: GPL-3.0-or-later
"""An analyst's session through ODBC, on the C interface of the driver manager.

Prints "ok NAME" or "FAIL NAME: REASON" for each thing tried.  Arguments: host, port.
"""
import ctypes
import sys

odbc = ctypes.CDLL('libodbc.so.2')

ENVIRONMENT, CONNECTION, STATEMENT = 1, 2, 3
SUCCESS, SUCCESS_WITH_INFO, NO_DATA = 0, 1, 100
NTS = -3
C_CHAR, C_LONG, INTEGER, PARAM_INPUT = 1, 4, 4, 1
ATTR_ODBC_VERSION, ATTR_AUTOCOMMIT, ATTR_ACCESS_MODE = 200, 102, 101
ATTR_QUERY_TIMEOUT, ATTR_CURSOR_TYPE, CURSOR_STATIC = 0, 6, 3
FETCH_NEXT, FETCH_FIRST, FETCH_LAST = 1, 2, 3
COMMIT, ROLLBACK = 0, 1


class OdbcError(Exception):
    def __init__(self, state, message):
        super().__init__(f'{state}: {message}')
        self.state = state


def diagnose(kind, handle):
    state = ctypes.create_string_buffer(6)
    text = ctypes.create_string_buffer(1024)
    native, length = ctypes.c_int(), ctypes.c_short()
    odbc.SQLGetDiagRec(ctypes.c_short(kind), handle, ctypes.c_short(1), state, ctypes.byref(native),
                       text, ctypes.c_short(1024), ctypes.byref(length))
    raise OdbcError(state.value.decode(), text.value.decode(errors='replace'))


def check(code, kind, handle):
    code = ctypes.c_short(code).value
    if code not in (SUCCESS, SUCCESS_WITH_INFO, NO_DATA):
        diagnose(kind, handle)
    return code


def allocate(kind, parent):
    handle = ctypes.c_void_p()
    check(odbc.SQLAllocHandle(ctypes.c_short(kind), parent, ctypes.byref(handle)), kind, handle)
    return handle


class Connection:
    def __init__(self, options=''):
        self.environment = allocate(ENVIRONMENT, None)
        odbc.SQLSetEnvAttr(self.environment, ATTR_ODBC_VERSION, ctypes.c_void_p(3), 0)
        self.handle = allocate(CONNECTION, self.environment)
        string = (f'Driver=PostgreSQL Unicode;Server={sys.argv[1]};Port={sys.argv[2]};Database=postgres;Uid=analyst;'
                  f'{options}').encode()
        check(odbc.SQLDriverConnect(self.handle, None, string, NTS, None, 0, None, 0), CONNECTION, self.handle)

    def set(self, attribute, value):
        check(odbc.SQLSetConnectAttr(self.handle, attribute, ctypes.c_void_p(value), 0), CONNECTION, self.handle)

    def end(self, how):
        check(odbc.SQLEndTran(ctypes.c_short(CONNECTION), self.handle, ctypes.c_short(how)), CONNECTION, self.handle)

    def statement(self):
        return Statement(self)

    def ask(self, sql):
        statement = self.statement()
        try:
            statement.execute(sql)
            return statement.rows()
        finally:
            statement.free()


class Statement:
    def __init__(self, connection):
        self.handle = allocate(STATEMENT, connection.handle)

    def check(self, code):
        return check(code, STATEMENT, self.handle)

    def set(self, attribute, value):
        self.check(odbc.SQLSetStmtAttr(self.handle, attribute, ctypes.c_void_p(value), 0))

    def execute(self, sql):
        self.check(odbc.SQLExecDirect(self.handle, sql.encode(), NTS))

    def row(self):
        columns = ctypes.c_short()
        self.check(odbc.SQLNumResultCols(self.handle, ctypes.byref(columns)))
        values = []
        for column in range(1, columns.value + 1):
            text, length = ctypes.create_string_buffer(512), ctypes.c_ssize_t()
            self.check(odbc.SQLGetData(self.handle, ctypes.c_ushort(column), ctypes.c_short(C_CHAR), text,
                                       ctypes.c_ssize_t(512), ctypes.byref(length)))
            values.append(None if length.value == -1 else text.value.decode())
        return values

    def fetch(self):
        return None if self.check(odbc.SQLFetch(self.handle)) == NO_DATA else self.row()

    def scroll(self, where):
        code = odbc.SQLFetchScroll(self.handle, ctypes.c_short(where), ctypes.c_ssize_t(0))
        return None if self.check(code) == NO_DATA else self.row()

    def rows(self):
        rows = []
        while (row := self.fetch()) is not None:
            rows.append(row)
        return rows

    def close(self):
        self.check(odbc.SQLFreeStmt(self.handle, ctypes.c_ushort(0)))

    def free(self):
        odbc.SQLFreeHandle(ctypes.c_short(STATEMENT), self.handle)


def near(got, expected, error):
    assert abs(float(got) - expected) <= error, f'{got} is not near {expected}'


def charges(connection):
    return int(connection.ask('SELECT count(*) FROM privacct.my_ledger')[0][0])


def charged(connection, before, expected):
    got = charges(connection) - before
    assert got == expected, f'{got} charges'


def refused(connection, sql, state):
    try:
        connection.ask(sql)
    except OdbcError as error:
        assert error.state == state, f'{error} instead of {state}'
        return
    raise AssertionError(f'not refused: {sql}')


def grouped(connection):
    before = charges(connection)
    rows = connection.ask('SELECT ward, count(*), avg(cost) FROM visit GROUP BY ward ORDER BY ward')
    assert [row[0] for row in rows] == ['A', 'B', 'C'], rows
    for row in rows:
        near(row[1], 33, 250)
    charged(connection, before, 1)


def declare_fetch(connection):
    before = charges(connection)
    fetching = Connection('UseDeclareFetch=1;Fetch=1;')
    fetching.set(ATTR_AUTOCOMMIT, 0)
    rows = fetching.ask('SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward')
    fetching.end(COMMIT)
    assert len(rows) == 3, rows
    charged(connection, before, 1)


def read_only(connection):
    before = charges(connection)
    reader = Connection('ReadOnly=1;')
    reader.set(ATTR_AUTOCOMMIT, 0)
    near(reader.ask('SELECT count(*) FROM visit')[0][0], 300, 60)
    reader.end(ROLLBACK)
    charged(connection, before, 1)


def prepared(connection):
    before = charges(connection)
    statement = connection.statement()
    parameter, length = ctypes.c_int(), ctypes.c_ssize_t(0)
    answers = []
    statement.check(odbc.SQLPrepare(statement.handle, b'SELECT count(*) FROM visit WHERE cost < ?', NTS))
    statement.check(odbc.SQLBindParameter(statement.handle, ctypes.c_ushort(1), ctypes.c_short(PARAM_INPUT),
                                          ctypes.c_short(C_LONG), ctypes.c_short(INTEGER), ctypes.c_size_t(10),
                                          ctypes.c_short(0), ctypes.byref(parameter), ctypes.c_ssize_t(4),
                                          ctypes.byref(length)))
    for i in range(10):
        parameter.value = 1000 + i
        statement.check(odbc.SQLExecute(statement.handle))
        answers.append(statement.fetch()[0])
        statement.close()
    statement.free()
    for answer in answers:
        near(answer, 300, 60)
    assert len(set(answers)) > 1, 'the same answer ten times'
    charged(connection, before, 10)


def scrolled(connection):
    before = charges(connection)
    statement = connection.statement()
    statement.set(ATTR_CURSOR_TYPE, CURSOR_STATIC)
    statement.execute('SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward')
    first = statement.scroll(FETCH_NEXT)
    statement.scroll(FETCH_LAST)
    assert statement.scroll(FETCH_FIRST) == first, 'another answer'
    statement.free()
    charged(connection, before, 1)


def tables(connection):
    statement = connection.statement()
    statement.check(odbc.SQLTables(statement.handle, None, 0, b'public', NTS, b'%', NTS, b'TABLE,VIEW', NTS))
    names = [row[2] for row in statement.rows()]
    statement.free()
    assert 'visit' in names, names


def columns(connection):
    statement = connection.statement()
    statement.check(odbc.SQLColumns(statement.handle, None, 0, b'public', NTS, b'visit', NTS, b'%', NTS))
    names = [row[3] for row in statement.rows()]
    statement.free()
    assert names == ['visit_id', 'patient_id', 'ward', 'cost'], names


def primary_keys(connection):
    statement = connection.statement()
    statement.check(odbc.SQLPrimaryKeys(statement.handle, None, 0, b'public', NTS, b'visit', NTS))
    names = [row[3] for row in statement.rows()]
    statement.free()
    assert names == ['visit_id'], names


STEPS = (
    ('groups', grouped),
    ('row by row through a cursor is one charge', declare_fetch),
    ('a read-only connection', read_only),
    ('a prepared statement, ten times', prepared),
    ('a scrollable result', scrolled),
    ('SQLTables', tables),
    ('SQLColumns', columns),
    ('SQLPrimaryKeys', primary_keys),
    ('refusal of rows', lambda c: refused(c, 'SELECT * FROM visit', '42PA1')),
    ('refusal of another aggregate', lambda c: refused(c, 'SELECT array_agg(cost) FROM visit', '42PA1')),
    ('refusal for want of budget', lambda c: refused(c, "SELECT dp_count(cost, 'epsilon=2000') FROM visit", '53PA2')),
    ('the session goes on after refusals', grouped),
)

session = Connection()
for name, step in STEPS:
    try:
        step(session)
        print('ok', name)
    except Exception as error:  # each step is reported, whatever it raises
        print(f'FAIL {name}: {error!r}')
