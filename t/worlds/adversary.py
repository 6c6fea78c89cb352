# SPDX-License-Identifier: GPL-3.0-or-later
"""What adversaries bring along: their own objects, changes in between, and known ways.

Each template is a function of choices that returns a case.  A template is a kind of
attack, with as much left to choice as suits the kind.
"""
import wire
from compare import IGNORED, Mask
from delivery import Case, Step, WAYS, simple, quoted
from grammar import Block

NUMBER = Mask("n")
TEMPLATES = []


def template(function):
    TEMPLATES.append(function)
    return function


def _meets(choices):
    """Conditions that only the canary meets, without a table's name before columns."""
    return choices.pick(["salary - 777000 = 777", "ssn = '987-65-4321'", "salary > 700000", "owner = 4242"])


def _around(choices, truth, condition=None, source="hr.emp"):
    """A count in which the boolean expression is reached by the canary only."""
    condition = condition or _meets(choices)
    return choices.pick([
        f"SELECT count(*) FROM {source} WHERE CASE WHEN {condition} THEN {truth} ELSE false END",
        f"SELECT count(*) FILTER (WHERE CASE WHEN {condition} THEN {truth} ELSE false END) FROM {source}",
        f"SELECT dp_sum(CASE WHEN {condition} THEN CASE WHEN {truth} THEN 1 ELSE 0 END ELSE 0 END, 0, 1) FROM {source}",
        f"SELECT count(*) FROM {source} WHERE {condition} AND {truth}",
    ])


def _collated(choices, collation):
    """Boolean expressions that use a collation, each in its way."""
    return choices.pick([
        f"lower(name COLLATE {collation}) = 'x'", f"name COLLATE {collation} < region", f"upper(name COLLATE {collation}) > 'x'",
        f"initcap(name COLLATE {collation}) = 'x'", f"name COLLATE {collation} ILIKE 'x%'", f"greatest(name COLLATE {collation}, 'x') = 'x'",
        f"name COLLATE {collation} IN ('x', 'y')", f"strpos(name COLLATE {collation}, 'x') > 0", f"name COLLATE {collation} LIKE 'x%'",
        f"name COLLATE {collation} = ANY (ARRAY['x', region])",
    ])


# --- collations ---

@template
def indeterminate_collation(choices):
    truth = choices.pick(["a < b", "a = b", "lower(a) IN (b)", "a > b", "greatest(a, b) = a", "a IS DISTINCT FROM b", "a || b = 'x'", "nullif(a, b) IS NULL",
                          "a LIKE 'x%' AND a <= b", "strpos(a, b) > 0", "starts_with(a, b)", "lower(a || b) = 'x'", "a BETWEEN b AND a"])
    source = choices.pick(["(SELECT salary, ssn, owner, name COLLATE \"C\" AS a, region COLLATE \"POSIX\" AS b FROM hr.emp) s",
                           "(SELECT salary, ssn, owner, name AS a, posix AS b FROM hr.emp) s",
                           "(SELECT e.salary, e.ssn, e.owner, e.name AS a, d.code AS b FROM hr.emp e JOIN hr.dim_dept d USING (dept)) s"])
    return Case("indeterminate collation", [simple(_around(choices, truth, source=source), NUMBER)])


@template
def own_collation_of_another_version(choices):
    make = "CREATE COLLATION lab.odd (provider = icu, locale = 'en-US', version = '1')"
    return Case("own collation of another version",
                # a session that has made it has been warned already
                [simple(make, session="watcher"), simple(_around(choices, _collated(choices, "lab.odd")), NUMBER)],
                after=[simple("DROP COLLATION lab.odd", session="watcher")])


# collations of columns of the table: of the system, and of its owner's
_OF_COLUMNS = {"german": '"de-x-icu"', "spoken": "hr.spoken"}


@template
def collation_after_upgrade(choices):
    """A column's collation gets another version; no answer depends on it until somebody has looked."""
    column = choices.pick(list(_OF_COLUMNS))
    collation = _OF_COLUMNS[column]
    truth = choices.pick([f"{column} < 'x'", f"{column} > name", f"greatest({column}, 'x') = 'x'", f"lower({column}) = 'x'", f"initcap({column}) = 'x'",
                          f"{column} BETWEEN 'a' AND 'b'", _collated(choices, collation)])
    return Case("collation after an upgrade", [
        simple(f"UPDATE pg_collation SET collversion = '1' WHERE oid = '{collation}'::regcollation", session="root"),
        simple(_around(choices, truth), NUMBER, refused=True)],
        after=[simple(f"ALTER COLLATION {collation} REFRESH VERSION", session="root")], tags=["reopen"])


@template
def collation_dropped_under_plan(choices):
    block = _around(choices, _collated(choices, "lab.gone"))
    kind = choices.pick(["FROM \"C\"", "(provider = icu, locale = 'en-US')", "FROM \"POSIX\""])
    return Case("collation dropped under a plan", [
        simple(f"CREATE COLLATION lab.gone {kind}", session="watcher"), simple(f"PREPARE p AS {block}"), simple("EXPLAIN EXECUTE p"),
        simple("DROP COLLATION lab.gone", session="watcher"), simple("EXECUTE p", NUMBER)],
        settings=[("plan_cache_mode", choices.pick(["force_generic_plan", "auto"]))],
        after=[simple("DROP COLLATION IF EXISTS lab.gone", session="watcher")])


@template
def collation_dropped_by_statement(choices):
    block = _around(choices, _collated(choices, "lab.gone"))
    return Case("collation dropped by the statement", [
        simple("CREATE COLLATION lab.gone (provider = icu, locale = 'en-US'); ALTER COLLATION lab.gone OWNER TO asker", session="root"),
        simple(f"SELECT s.* FROM ({block}) s WHERE (SELECT lab.ddl('DROP COLLATION lab.gone'))", NUMBER)],
        after=[simple("DROP COLLATION IF EXISTS lab.gone")])


# --- types ---

def _of_enum(choices):
    return choices.pick(["'a'::lab.letter::text = 'a'", "'a'::lab.letter::text || name = 'a'", "length('b'::lab.letter::text) = 1",
                         "'a'::lab.letter = ANY (ARRAY['b'::lab.letter])", "CASE WHEN b THEN 'a'::lab.letter ELSE 'b'::lab.letter END = 'a'::lab.letter",
                         "(CASE WHEN b THEN 'a'::lab.letter ELSE 'b'::lab.letter END)::text = 'a'"])


@template
def enum_dropped_under_plan(choices):
    change = choices.pick(["DROP TYPE lab.letter", "ALTER TYPE lab.letter RENAME VALUE 'a' TO 'z'", "ALTER TYPE lab.letter ADD VALUE 'c'"])
    return Case("enum changed under a plan", [
        simple("CREATE TYPE lab.letter AS ENUM ('a', 'b')"), simple(f"PREPARE p AS {_around(choices, _of_enum(choices))}"),
        simple("EXECUTE p", NUMBER), simple(change), simple("EXECUTE p", NUMBER)],
        settings=[("plan_cache_mode", "force_generic_plan")], after=[simple("DROP TYPE IF EXISTS lab.letter")])


@template
def enum_dropped_by_statement(choices):
    return Case("enum dropped by the statement", [
        simple("CREATE TYPE lab.letter AS ENUM ('a', 'b')"),
        simple(f"SELECT s.* FROM ({_around(choices, _of_enum(choices))}) s WHERE (SELECT lab.ddl('DROP TYPE lab.letter'))", NUMBER)],
        after=[simple("DROP TYPE IF EXISTS lab.letter")])


@template
def dropped_under_portal(choices):
    """A portal has been started; what it needs goes before its first row is fetched."""
    make, drop, truth = choices.pick([
        ("CREATE COLLATION lab.gone (provider = icu, locale = 'en-US')", "DROP COLLATION lab.gone", _collated(choices, "lab.gone")),
        ("CREATE TYPE lab.letter AS ENUM ('a', 'b')", "DROP TYPE lab.letter", _of_enum(choices))])
    block = _around(choices, truth)
    # it may wait for the portal's end
    drop = f"SET lock_timeout = '1s'; {drop}; RESET lock_timeout"
    steps = choices.pick([
        [simple("BEGIN"), simple(f"DECLARE c CURSOR FOR {block}"), simple(drop, session="watcher"), simple("FETCH ALL FROM c", NUMBER), simple("COMMIT")],
        [Step("asker", wire.parse("", block) + wire.bind("", "") + wire.FLUSH, ends="2E", text=f"parse, bind: {block}"), simple(drop, session="watcher"),
         Step("asker", wire.execute("") + wire.SYNC, NUMBER, text="execute, sync")]])
    return Case("dropped under a portal", [simple(make, session="watcher"), *steps],
                after=[simple("DROP COLLATION IF EXISTS lab.gone; DROP TYPE IF EXISTS lab.letter", session="watcher")], tags=["unsteady"])


@template
def owner_changes_type(choices):
    """What the table's own columns need is changed by its owner, under a plan or an open portal."""
    truth = choices.pick(["mood::text = 'good'", "mood > 'good'", "mood = ANY (ARRAY['good', 'poor']::hr.mood[])", "mood::text || name = 'x'",
                          "greatest(mood, 'fair') = 'fair'"])
    change, back = choices.pick([("ALTER TYPE hr.mood RENAME VALUE 'good' TO 'fine'", "ALTER TYPE hr.mood RENAME VALUE 'fine' TO 'good'"),
                                 ("ALTER TABLE hr.dim_dept ADD COLUMN more int", "ALTER TABLE hr.dim_dept DROP COLUMN more"),
                                 ("SELECT privacct.drop_public('hr.dim_dept')", "SELECT privacct.declare_public('hr.dim_dept')"),
                                 ("ALTER TABLE hr.dim_dept DROP CONSTRAINT dim_dept_pkey", "ALTER TABLE hr.dim_dept ADD PRIMARY KEY (dept)")])
    block = _around(choices, truth, source="hr.emp JOIN hr.dim_dept d USING (dept)")
    change = f"SET lock_timeout = '1s'; {change}; RESET lock_timeout"
    steps = choices.pick([
        [simple(f"PREPARE p AS {block}"), simple("EXECUTE p", NUMBER), simple(change, session="root"), simple("EXECUTE p", NUMBER)],
        [simple("BEGIN"), simple(f"DECLARE c CURSOR FOR {block}"), simple(change, session="root"), simple("FETCH ALL FROM c", NUMBER), simple("COMMIT")]])
    return Case("owner changes a type", steps, after=[simple(back, session="root")], settings=[("plan_cache_mode", "force_generic_plan")], tags=["unsteady"])


@template
def declaration_broken(choices):
    """A public table has come to have more rows of a value than was declared."""
    row, block = choices.pick([
        ("INSERT INTO hr.chronicle VALUES (7, 0, '')", "SELECT count(*) FROM hr.emp e JOIN hr.chronicle h ON h.n = e.dept WHERE {}"),
        ("INSERT INTO hr.catalogue SELECT 1000 + g, 3, '' FROM generate_series(1, 20) g", "SELECT count(*) FROM hr.emp e JOIN hr.catalogue g ON g.kind = e.dept WHERE {}")])
    return Case("declaration broken", [
        simple(row, session="root"), simple(block.format(_meets(choices)), NUMBER, refused=True)],
        after=[simple("DELETE FROM hr.chronicle WHERE pad = ''; DELETE FROM hr.catalogue WHERE note = ''", session="root"),
               simple("VACUUM hr.chronicle, hr.catalogue", session="root")], tags=["unsteady"])


@template
def declaration_undermined(choices):
    """Others than its owner may now write a public table, by whatever way."""
    right, table = choices.pick([("INSERT", "hr.rank"), ("INSERT", "hr.rank_low"), ("INSERT", "hr.rank_least"), ("UPDATE (grade)", "hr.rank"),
                                 ("UPDATE", "hr.rank_low"), ("TRIGGER", "hr.rank"), ("DELETE", "hr.rank_least"), ("REFERENCES", "hr.rank")])
    block = choices.pick(["SELECT count(*) FROM hr.emp e JOIN hr.rank_least r USING (dept)", "SELECT count(*) FROM hr.emp WHERE dept IN (SELECT dept FROM hr.rank_least)",
                          f"SELECT count(grade) FROM hr.emp e LEFT JOIN hr.rank_least r ON r.dept = e.dept AND {_meets(choices)}"])
    grantee = choices.pick(["asker", "PUBLIC"])
    return Case("declaration undermined", [
        simple(block, NUMBER), simple(f"GRANT {right} ON {table} TO {grantee}", session="root"), simple(block, NUMBER, refused=True)],
        after=[simple(f"REVOKE {right} ON {table} FROM {grantee}", session="root")], tags=["unsteady"])


@template
def own_objects_below(choices):
    """Whether or not anything can be seen of them: objects that can change below the leaf."""
    truth = choices.pick(["dept IN (SELECT x FROM lab.mine)", "'a'::lab.letter::text = name", "'a'::lab.letter = 'b'::lab.letter AND b", "lower(name COLLATE lab.gone) = 'x'",
                          "EXISTS (SELECT 1 FROM lab.mine)", "CASE WHEN b THEN 'a'::lab.letter ELSE 'b'::lab.letter END = 'a'::lab.letter"])
    return Case("object of one's own below the leaf", [
        simple("CREATE TYPE lab.letter AS ENUM ('a', 'b'); CREATE COLLATION lab.gone (provider = icu, locale = 'en-US')"),
        simple(f"EXPLAIN (COSTS OFF) {_around(choices, truth)}", refused=True)],
        after=[simple("DROP TYPE lab.letter; DROP COLLATION lab.gone")], tags=["free"])


@template
def domain_and_composite(choices):
    truth = choices.pick(["salary::lab.small > 0", "(ROW(salary, dept)::lab.pair).a > 0", "ROW(salary, dept)::lab.pair = ROW(1, 2)::lab.pair",
                          "salary::text::int > 0", "name::int > 0", "name::hr.mood = 'good'", "(name || dept)::hr.mood IS NULL", "ARRAY[salary][1] > 0", "e IS NULL", "e.ctid IS NULL", "e.tableoid > 0"])
    return Case("domain and composite", [simple(_around(choices, truth, source="hr.emp e"), NUMBER)])


# --- code of one's own ---

@template
def own_code(choices):
    truth = choices.pick(["lab.tell(salary)", "lab.tell_always(name)", "lab.inlined(salary)", "salary OPERATOR(lab.<<<) 5", "lab.state('SELECT 1') = salary::text",
                          "salary IN (SELECT lab.asks())", "salary = (SELECT max(x) FROM lab.mine)", "pg_advisory_lock(salary) IS NULL", "nextval('hr.ticket') = salary",
                          "pg_notify('c', name) IS NULL", "set_config('a.b', name, false) = 'x'", "query_to_xml('SELECT 1', true, true, name) IS NULL",
                          "pg_sleep(salary) IS NULL", "random() < salary", "currval('hr.ticket') = salary"])
    return Case("code of one's own", [simple("LISTEN c"), simple(_around(choices, truth), NUMBER), simple("UNLISTEN c")])


@template
def operator_in_the_way(choices):
    return Case("operator in front of pg_catalog", [
        simple("CREATE OPERATOR lab.= (LEFTARG = int, RIGHTARG = int, FUNCTION = lab.int_lt)"), simple("SET search_path = lab, pg_catalog, privacct"),
        simple(_around(choices, "dept = 3"), NUMBER)], after=[simple("RESET search_path"), simple("DROP OPERATOR lab.= (int, int)")])


@template
def function_dropped_under_plan(choices):
    block = f"SELECT lab.above(s.n) FROM ({_around(choices, 'dept < 5')}) s(n)"
    change = choices.pick(["DROP FUNCTION lab.above(float8)", "CREATE OR REPLACE FUNCTION lab.above(float8) RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT false'"])
    return Case("function changed under a plan", [
        simple("CREATE FUNCTION lab.above(float8) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 IS NULL'"), simple(f"PREPARE p AS {block}"),
        simple("EXECUTE p", NUMBER), simple(change), simple("EXECUTE p", NUMBER)], after=[simple("DROP FUNCTION IF EXISTS lab.above(float8)")])


@template
def asks_while_planned(choices):
    """preview() and EXPLAIN of what folds a function that itself asks."""
    query = choices.pick(["SELECT count(*) + lab.asks() FROM hr.emp", "SELECT lab.asks()", "SELECT count(*) FROM hr.emp HAVING lab.asks() = 1",
                          "SELECT count(*) FROM hr.emp WHERE dept = lab.asks()", "SELECT count(*), (SELECT count(*) FROM hr.member) + lab.asks() FROM hr.emp"])
    return Case("preview of what asks while planned", [simple(f"SELECT count(*) >= 0 FROM privacct.preview({quoted(query)})")], tags=["free"])


# --- tables ---

@template
def own_table_below(choices):
    truth = choices.pick(["dept IN (SELECT id FROM lab.slate)", "EXISTS (SELECT 1 FROM lab.slate WHERE id < 0)", "dept IN (SELECT x FROM lab.mine)"])
    return Case("table of one's own below the leaf", [simple(_around(choices, truth), NUMBER)], tags=["slate"])


@template
def table_that_nobody_declared(choices):
    """Whether or not anything can be seen of it, wherever it stands."""
    table, column = choices.pick([("hr.undeclared", "id"), ("hr.board", "id"), ("lab.slate", "id"), ("lab.mine", "x")])
    block = choices.pick([
        _around(choices, f"dept IN (SELECT {column} FROM {table})"), _around(choices, f"EXISTS (SELECT 1 FROM {table} WHERE {column} < 0)"),
        f"SELECT count(*) FROM hr.emp e JOIN {table} o ON o.{column} = e.dept", f"SELECT count(*) FROM hr.emp e LEFT JOIN {table} o ON o.{column} = e.dept AND {_meets(choices)}",
        f"SELECT dp_sum(CASE WHEN dept IN (SELECT {column} FROM {table}) THEN 1 ELSE 0 END, 0, 1) FROM hr.emp",
        f"SELECT dept IN (SELECT {column} FROM {table}), count(*) FROM hr.emp GROUP BY 1",
        f"SELECT count(*) FROM hr.emp e JOIN hr.dim_dept d ON d.dept = e.dept AND EXISTS (SELECT 1 FROM {table} WHERE {column} < 0)"])
    return Case("table that nobody declared", [simple(f"EXPLAIN (COSTS OFF) {block}", refused=True)], tags=["free"])


@template
def counters_of_what_was_read(choices):
    """The owner's statistics, as a database shows them to everybody unless it is hardened."""
    return Case("counters of what was read", [
        simple("SELECT pg_stat_force_next_flush()"),
        simple("SELECT pg_stat_reset_single_table_counters(c.oid) FROM pg_class c WHERE relnamespace = 'hr'::regnamespace", IGNORED, session="root"),
        simple(_around(choices, "dept < 5"), NUMBER), simple("SELECT count(*) FROM hr.emp_part", NUMBER),
        simple("SELECT pg_stat_force_next_flush()"),
        simple("SELECT relname, seq_scan, seq_tup_read, idx_scan, idx_tup_fetch FROM pg_stat_all_tables WHERE schemaname = 'hr' ORDER BY 1", session="root")])


@template
def public_table_read_lazily(choices):
    n = choices.below(100) + 1
    truth, tags = choices.pick([
        (f"EXISTS (SELECT 1 FROM hr.catalogue WHERE id = {n})", ["catalogue"]),
        (f"dept IN (SELECT kind FROM hr.catalogue WHERE id = {n})", ["catalogue"]),
        (f"EXISTS (SELECT 1 FROM hr.chronicle WHERE n = {n * 20})", ["chronicle"]),
        ("EXISTS (SELECT 1 FROM hr.board WHERE id < 0)", ["board"]),
        ("dept IN (SELECT id FROM hr.board)", ["board"]),
        ("dept NOT IN (SELECT dept FROM hr.dim_dept WHERE dname > 'x')", ["dim_dept"])])
    return Case("public table read lazily", [simple(_around(choices, truth), NUMBER)], tags=tags)


@template
def public_table_joined_lazily(choices):
    condition = choices.pick(["e.salary - 777000 = 777", "e.ssn = '987-65-4321'"])
    join, tags = choices.pick([
        ("JOIN hr.catalogue g ON g.id = e.dept", ["catalogue"]), ("JOIN hr.catalogue g ON g.id = e.dept + 20", ["catalogue"]),
        ("JOIN hr.chronicle h ON h.n = e.dept", ["chronicle"]), ("JOIN hr.board b ON b.id = e.dept", ["board"]),
        ("JOIN hr.dim_dept d ON d.dept = e.dept", ["dim_dept"]), ("JOIN hr.catalogue g ON g.kind = e.dept", ["catalogue"])])
    kind = choices.pick(["", "LEFT "])
    settings = choices.pick([(), (("enable_hashjoin", "off"),), (("enable_hashjoin", "off"), ("enable_mergejoin", "off")), (("enable_seqscan", "off"),)])
    return Case("public table joined lazily", [simple(f"SELECT count(*) FROM hr.emp e {kind}{join} WHERE {condition}", NUMBER)], settings, tags)


@template
def raw_rows(choices):
    return Case("raw rows", [simple(choices.pick([
        "SELECT * FROM hr.emp", "TABLE hr.emp", "SELECT owner, count(*) FROM hr.emp GROUP BY owner", "COPY hr.emp TO STDOUT",
        "SELECT salary FROM hr.emp_part_atoll", "SELECT count(*) FROM hr.emp TABLESAMPLE SYSTEM (50)", "SELECT array_agg(salary) FROM hr.emp", "SELECT salary FROM hr.emp_view",
        "SELECT 1 FROM hr.dim_dept WHERE EXISTS (SELECT 1 FROM hr.emp WHERE salary - 777000 = 777)", "SELECT count(*) FROM hr.emp a JOIN hr.emp b USING (region)",
        "SELECT (SELECT salary FROM hr.emp WHERE owner = 4242 LIMIT 1)", "DELETE FROM hr.emp", "LOCK TABLE hr.emp", "ANALYZE hr.emp", "VACUUM hr.emp",
        "SELECT count(*) OVER () FROM hr.emp", "SELECT string_agg(name, ',') FROM hr.emp", "SELECT count(*) FROM hr.emp FOR UPDATE",
        "CREATE TABLE lab.copy AS SELECT * FROM hr.emp", "SELECT row_to_json(e) FROM hr.emp e", "SELECT table_to_xml('hr.emp', true, true, '')",
        "SELECT * FROM hr.emp UNION SELECT * FROM hr.emp", "CREATE TABLE lab.child () INHERITS (hr.emp)", "CREATE TABLE lab.ref (id int REFERENCES hr.emp)",
        "EXPLAIN SELECT * FROM hr.emp", "SELECT count(*) FROM pg_stats WHERE tablename = 'emp'", "SELECT x FROM lab.mine WHERE x IN (SELECT dept FROM hr.emp WHERE salary - 777000 = 777)"]))])


@template
def view_after_unprotect(choices):
    """What is left open when a policy ends, by unprotect() or with the extension."""
    protect = ["SET ROLE steward", "SELECT FROM privacct.protect('hr.spare', 'owner', epsilon => 1, delta => 0.0001)", "GRANT SELECT ON hr.spare_view TO PUBLIC", "RESET ROLE"]
    read = "SELECT * FROM hr.spare_view WHERE id > 100"
    steps = [simple(p, session="root") for p in protect] + [simple(read)]
    after = [simple("SET ROLE steward; REVOKE ALL ON hr.spare_view FROM PUBLIC", session="root"), simple("RESET ROLE", session="root")]
    if choices.below(2) == 0:
        steps += [simple("SELECT privacct.unprotect('hr.spare')", session="root"), simple(read)]
    else:
        steps += [simple("BEGIN", session="root"), simple("SET LOCAL privacct.allow_drop_extension = on", session="root"),
                  simple("DROP EXTENSION privacct CASCADE", session="root"), simple("SET LOCAL ROLE asker", session="root"),
                  simple(read, session="root"), simple("ROLLBACK", session="root")]
        after += [simple("SELECT privacct.unprotect('hr.spare')", session="root")]
    return Case("view after the end of a policy", steps, after=after, tags=["free", "unsteady"])


# --- time ---

SECONDS = (("statement_timeout", "'6s'"),)


@template
def slow_joins(choices):
    names = [f"d{i}" for i in range(6 + choices.below(3))]
    tables = ", ".join(f"hr.dim_dept {n}" for n in names)
    long = " || ".join(f"{n}.dname" for n in names)
    # few enough to be read first, and many for each of the canary's rows; for one of them not too much work, so that only their number is
    deep = "md5(" * 4 + "e.name || d.dname || h.kind::text" + ")" * 4
    return Case("slow joins", [simple(choices.pick([
        f"SELECT count(*) FROM hr.emp e, hr.chronicle h, hr.dim_dept d, hr.dim_dept o WHERE {_meets(choices)} AND {deep} = 'x'",
        f"SELECT count(*) FROM hr.emp e JOIN hr.chronicle h ON h.kind = e.dept - 1 CROSS JOIN hr.dim_dept d CROSS JOIN hr.dim_dept o WHERE {_meets(choices)} AND {deep} = 'x'",
        f"SELECT count(*) FROM hr.emp e, {tables} WHERE e.salary - 777000 = 777",
        f"SELECT count(*) FROM hr.emp e WHERE CASE WHEN e.salary - 777000 = 777 THEN EXISTS (SELECT 1 FROM {tables} WHERE {long} = 'x') ELSE false END",
        f"SELECT count(*) FROM hr.emp e LEFT JOIN ({' CROSS JOIN '.join('hr.dim_dept ' + n for n in names)}) ON e.salary - 777000 = 777",
        f"SELECT count(*) FILTER (WHERE CASE WHEN e.salary - 777000 = 777 THEN e.dept IN (SELECT d0.dept FROM {tables} WHERE {long} = 'x') ELSE false END) FROM hr.emp e",
    ]), NUMBER)], settings=SECONDS, tags=["slow"])


@template
def slow_texts(choices):
    """Work that is quadratic in texts that are joined from constants."""
    parts = 60 + choices.below(2) * 30
    long = "name || " + " || ".join(["'" + "a" * 990 + "'"] * parts)
    other = "name || " + " || ".join(["'" + "b" * 990 + "'"] * parts) + " || 'a'"
    truth = choices.pick([
        f"length(btrim({long}, {other})) = 0", f"length(rtrim({long}, {other})) = 0", f"strpos({long}, 'b' || {long.replace('name || ', '', 1)}) > 0",
        f"length(ltrim({long.replace('name', 'left(name, 0)')}, {other})) = 0",
        f"split_part({long}, {other}, 3) = 'x'",
        " OR ".join([f"({long}) LIKE '{'%a' * 40}%b'"] * 12)])
    condition = choices.pick(["salary - 777000 = 777", "ssn = '987-65-4321'"])
    return Case("slow texts", [simple(f"SELECT count(*) FROM hr.emp WHERE CASE WHEN {condition} THEN {truth} ELSE false END", NUMBER)],
                settings=SECONDS, tags=["slow"])


@template
def lists_of_long_values(choices):
    """Values that are only copied into a list."""
    column = choices.pick(["name", "name || repeat(ssn, 3)", "region"])
    test = choices.pick(["'x' = ANY", "'x' <> ALL", "'x' = ALL"])
    return Case("lists of long values", [simple(_around(choices, f"{test} (ARRAY[{', '.join([column] * (200 + choices.below(800)))}])"), NUMBER, refused=True)])


# --- what the session makes functions say ---

@template
def zone_of_any_name(choices):
    """to_char() complains of the name that the session gives its time zone."""
    name = choices.pick(["<" + "A" * 200 + ">5", "<A>5<" + "B" * 200 + ">4", "A" * 100 + "5"])
    written = choices.pick(["now()", "ts", "timestamptz '2020-07-01'"])
    form = choices.pick(["TZ", "YYYY tz", "Tz Month", '"a"TZ'])
    return Case("zone of any name", [simple(f"SET timezone = '{name}'"), simple(_around(choices, f"to_char({written}, '{form}') = 'x'"), NUMBER, refused=True)],
                after=[simple("RESET timezone")])


# --- positions and counters, while others write ---

@template
def positions_while_others_write(choices):
    """The canary's rows are written, in the other world none: transactions alike, WAL not."""
    canary = "BEGIN; SELECT pg_current_xact_id() IS NULL; UPDATE hr.emp SET name = repeat('w', 800) WHERE owner = 4242; ROLLBACK"
    position = choices.pick([
        "SELECT pg_logical_emit_message(false, 'x', 'y')", "SELECT pg_logical_emit_message(true, 'x', 'y'::bytea)", "SELECT pg_current_wal_lsn()", "SELECT pg_current_wal_insert_lsn()",
        "SELECT pg_current_wal_flush_lsn()", "SELECT checkpoint_lsn, redo_lsn, next_oid FROM pg_control_checkpoint()", "SELECT * FROM pg_control_recovery()",
        "SELECT slot_name, restart_lsn FROM pg_replication_slots", "SELECT pg_create_restore_point('x')", "SELECT pg_switch_wal()",
        "SELECT wal_records, wal_bytes FROM pg_stat_wal", "SELECT sent_lsn FROM pg_stat_replication", "SELECT latest_end_lsn FROM pg_stat_subscription",
        "SELECT count(*) FROM pg_ls_waldir()", "SELECT pg_walfile_name(pg_current_wal_lsn())", "IDENTIFY_SYSTEM"])
    return Case("positions while others write", [simple(canary, session="root", mask=IGNORED), simple(position)], tags=["unsteady"])


@template
def numbers_while_others_lock(choices):
    """The canary's rows are locked twice at a time, as foreign keys lock what they refer to, in the other world none:
    transactions alike, numbers of the server's own not."""
    twice = "SELECT 1 FROM {0} FOR KEY SHARE; SAVEPOINT s; {1}; SELECT 1 FROM {0} FOR NO KEY UPDATE"
    canary = twice.format("hr.emp WHERE owner = 4242", "INSERT INTO lab.slate VALUES (0, 'x')")
    way = choices.pick([
        "SELECT xmax FROM lab.mark", "SELECT xmax(m) FROM lab.mark m", "SELECT (m).xmax::text || 'x' FROM lab.mark m", "UPDATE lab.mark SET id = 1 RETURNING xmax",
        "DO $$ DECLARE r record; BEGIN SELECT * INTO r FROM lab.mark; RAISE NOTICE '%', r.xmax; END $$"])
    return Case("numbers while others lock", [
        simple(f"BEGIN; SELECT pg_current_xact_id() IS NULL; {canary}; ROLLBACK", session="root", mask=IGNORED),
        simple("CREATE TABLE lab.mark AS SELECT 1 AS id"), simple(f"BEGIN; {twice.format('lab.mark', 'SELECT 1')}"), simple(way), simple("ROLLBACK")],
        after=[simple("DROP TABLE IF EXISTS lab.mark")], tags=["unsteady"])


# --- locks ---

@template
def lock_by_another(choices):
    """The second analyst holds a table that the statement may or may not come to."""
    table, condition = choices.pick([("hr.board", "EXISTS (SELECT 1 FROM hr.board WHERE id < 0)"), ("lab.mine", "dept IN (SELECT x FROM lab.mine)")])
    owner = "watcher" if table == "hr.board" else "root"
    return Case("lock held by another", [
        simple(f"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE", session=owner), simple(_around(choices, condition), NUMBER), simple("ROLLBACK", session=owner)],
        settings=[("lock_timeout", "'100ms'")])


@template
def two_analysts(choices):
    """One holds a suspended answer while the other asks."""
    first, second = _around(choices, "dept < 5"), _around(choices, "dept > 3")
    start = wire.parse("", first) + wire.bind("", "") + wire.execute("", 1) + wire.FLUSH
    return Case("two analysts", [
        Step("asker", start, NUMBER, ends="sCE", text=first, look=True), simple(second, NUMBER, session="watcher"),
        Step("asker", wire.execute("") + wire.SYNC, NUMBER, text="execute, sync")], tags=["unsteady"])


@template
def several_ways(choices):
    """One block by several ways in one session, one after the other."""
    block = Block(_around(choices, "lower(name) < region"), "n")
    mask = Mask("n")
    steps = []
    for _ in range(3):
        steps += choices.pick(WAYS)(block, mask)
    return Case("several ways", steps)


@template
def asked_again(choices):
    """Releases are repeated, to whoever asked or to all; what is kept, and whether, is the same in both worlds."""
    columns, sql = choices.pick([("n", _around(choices, "lower(name) < region")),
                                 ("knn", f"SELECT region, count(*), sum(salary) FROM hr.emp WHERE {_meets(choices)} GROUP BY region")])
    block, mask = Block(sql, columns), Mask(columns)
    shared = choices.pick(["false", "true"])
    steps = [simple(f"SELECT privacct.set_repeats('hr.emp', '1 day', {shared})", session="root")]
    for _ in range(3):
        steps += choices.pick(WAYS)(block, mask)
    steps += [simple(block.sql, mask, session="watcher"), simple(block.sql, mask, session="watcher"), simple("SELECT relation, age, shared, kept FROM privacct.repeats")]
    return Case("asked again", steps, after=[simple("SELECT privacct.set_repeats('hr.emp', NULL)", session="root")], tags=["unsteady"])


@template
def derived(choices):
    """What follows from releases that are kept, or why it does not, and what an edition refuses, are the same in both worlds."""
    where = _meets(choices)
    grouped = Block(f"SELECT region, count(*), sum(salary) FROM hr.emp WHERE {where} GROUP BY region", "knn")
    total = Block(f"SELECT count(*), sum(salary) FROM hr.emp WHERE {where}", "nn")
    asks = [f"SELECT region, count(*) FROM hr.emp WHERE {where} GROUP BY region", f"SELECT count(*), sum(salary) FROM hr.emp WHERE {where} AND region IN ('north', 'south')",
            f"SELECT count(*) FROM hr.emp WHERE {where} AND region LIKE 'n%'", "SELECT count(*) FROM hr.emp WHERE salary > 10", f"SELECT avg(salary) FROM hr.emp WHERE {where}"]
    edition = choices.pick([True, False])
    steps = [simple("SELECT privacct.set_repeats('hr.emp', '1 day', unchanged => true)", session="root")]
    if edition:
        steps += [simple("SELECT privacct.begin_edition('hr.emp') > 0", session="root")]
    for block in (grouped, total):
        steps += choices.pick(WAYS)(block, Mask(block.columns))
    for _ in range(2):
        text = choices.pick(asks).replace("'", "''")
        steps += [simple(f"SELECT keys, aggregate, cardinality(charges), scope FROM privacct.derive('{text}')"),
                  simple(f"SELECT keys, aggregate, cardinality(charges), scope FROM privacct.derive('{text}')", session="watcher"),
                  simple(f"SELECT statistic, used, epsilon FROM privacct.preview('{text}', rows => 100)")]
    after = [simple("SELECT privacct.set_repeats('hr.emp', NULL)", session="root")]
    if edition:
        steps += [simple(choices.pick(["UPDATE hr.emp SET salary = salary WHERE owner = 4242", "DELETE FROM hr.emp WHERE false", "TRUNCATE hr.emp"]), session="root")]
        after = [simple("SELECT privacct.end_edition('hr.emp')", session="root")] + after
    return Case("derived", steps, after=after, tags=["unsteady"])
