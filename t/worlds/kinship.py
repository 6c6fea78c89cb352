# SPDX-License-Identifier: GPL-3.0-or-later
"""What adversaries try with the tables of a privacy unit.

Joins with rows of others, paths and keys that change between two executions, sides of
a join that nobody needs to read, and what a row that is joined makes the server
prepare.  Blocks by themselves are in units.py.
"""
from adversary import NUMBER, SECONDS, template
from compare import Mask
from delivery import Case, JIT, WAYS, connected, simple, _extended
from firsts import ALONE
from grammar import Block
from units import Scene

_SALE = "hr.account a JOIN hr.deal d ON d.account = a.no"
# conditions that only the canary meets
_MEETS = ["d.amount - 777000 = 777", "a.balance - 777000 = 777", "a.person = 4242", "a.region = 'atoll'", "d.remark = 'canary'", "d.account >= 90000"]

# rows of different owners, and what does not say that they are of one
_OTHERS = [
    "hr.account a JOIN hr.deal d ON d.item = a.tier", "hr.account a, hr.deal d", "hr.account a JOIN hr.account b USING (region)", "hr.deal d JOIN hr.deal e USING (seq)",
    "hr.account a JOIN hr.deal d ON d.account <= a.no", "hr.account a JOIN hr.deal d ON d.account = a.no OR d.item = 3", "hr.account a JOIN hr.deal d ON d.account = a.no + 0",
    "hr.account a LEFT JOIN hr.deal d ON d.item = a.tier WHERE d.account = a.no OR d.account IS NULL", "hr.account a FULL JOIN hr.deal d ON d.item = a.tier",
    "hr.deal d JOIN hr.parcel p ON p.seq = d.seq", "hr.parcel p JOIN hr.parcel q USING (seq)", "hr.account a JOIN hr.parcel p ON p.seq = a.no", "hr.contact c JOIN hr.deal d ON d.seq = c.id",
    "hr.account a JOIN hr.emp e ON e.owner = a.person", "hr.account a JOIN hr.account b ON a.person::float8 = b.person::float8",
    "hr.account a LEFT JOIN hr.account b ON a.person = b.person JOIN hr.deal d ON d.item = b.tier",
    "hr.account a WHERE EXISTS (SELECT FROM hr.deal d WHERE d.amount - 777000 = 777)", "hr.account a WHERE NOT EXISTS (SELECT FROM hr.deal d WHERE d.item = a.tier)",
    "hr.account a WHERE a.tier IN (SELECT d.item FROM hr.deal d)", "hr.account a WHERE a.tier NOT IN (SELECT d.item FROM hr.deal d WHERE d.item IS NOT NULL)", "hr.account a WHERE a.balance > ALL (SELECT d.amount FROM hr.deal d)",
    "hr.account a WHERE a.balance > (SELECT max(d.amount) FROM hr.deal d WHERE d.item < a.tier)", "hr.account a WHERE a.balance = (SELECT d.amount FROM hr.deal d WHERE d.account = a.no)",
    "hr.account a, LATERAL (SELECT d.amount FROM hr.deal d WHERE d.item = a.tier) l", "hr.account a, LATERAL (SELECT d.amount FROM hr.deal d WHERE d.account = a.no LIMIT 1) l",
    "hr.account a, LATERAL (SELECT d.amount FROM hr.deal d ORDER BY d.amount DESC LIMIT 1) l",
    "(SELECT region, array_agg(balance) AS m FROM hr.account GROUP BY region) s JOIN hr.account a USING (region)", "(SELECT min(person) AS person FROM hr.account GROUP BY region) s",
    "(SELECT no, rank() OVER (ORDER BY balance) AS r FROM hr.account) s WHERE r = 1", "(SELECT no, sum(balance) OVER (PARTITION BY region) AS r FROM hr.account) s WHERE r > 700000",
    "(SELECT item, count(*) AS n FROM hr.deal GROUP BY item) s WHERE n > 0 AND item = 77777 AND EXISTS (SELECT FROM hr.account a WHERE a.tier = s.item)",
    "(SELECT person FROM hr.account UNION SELECT account FROM hr.deal) u", "(SELECT person FROM hr.account EXCEPT SELECT account FROM hr.deal) u",
    "(SELECT region FROM hr.account INTERSECT SELECT remark FROM hr.deal) u", "(SELECT item FROM hr.item EXCEPT SELECT item FROM hr.deal) u",
    "(SELECT no FROM hr.account UNION SELECT account FROM hr.deal WHERE amount - 777000 = 777) u JOIN hr.item i ON i.item = u.no AND i.item IN (SELECT d.item FROM hr.deal d)",
    "(SELECT person AS o, no FROM hr.account UNION ALL SELECT account, seq FROM hr.deal) u JOIN hr.account a ON a.person = u.o",
    "(SELECT DISTINCT ON (account) account, amount FROM hr.deal ORDER BY account, amount DESC) s", "(SELECT * FROM hr.deal ORDER BY amount DESC LIMIT 1) s JOIN hr.account a ON a.no = s.account",
    "hr.item i WHERE EXISTS (SELECT FROM hr.deal d WHERE d.item = i.item AND d.amount - 777000 = 777)", "hr.item i JOIN hr.account a ON i.item = a.tier AND i.item IN (SELECT d.item FROM hr.deal d)",
    "hr.deal TABLESAMPLE SYSTEM (50)", "hr.account a JOIN hr.deal d ON d.account = a.no AND d.ctid = a.ctid", "hr.deal d WHERE d IS NULL",
]


@template
def rows_of_others(choices):
    """Whether or not anything can be seen of it: rows of one owner only may meet."""
    block = choices.pick(["SELECT count(*) FROM {}", "WITH w AS (SELECT count(*) FROM {}) TABLE w", "SELECT (SELECT count(*) FROM {})"]).format(choices.pick(_OTHERS))
    return Case("rows of others", [simple(f"EXPLAIN (COSTS OFF) {block}", refused=True)], tags=["free"])


@template
def owners_through_paths(choices):
    """Rows themselves, columns that say whose they are, and groups by these."""
    query = choices.pick([
        "SELECT a.person, d.amount FROM {0}", "SELECT d.* FROM {0}", "SELECT bool_or(d.amount > 5) FROM {0}", "SELECT a.person, count(*) FROM {0} GROUP BY a.person", "SELECT DISTINCT a.person FROM {0}",
        "SELECT array_agg(d.amount) FROM {0}", "SELECT count(*) OVER () FROM {0}", "SELECT row_to_json(d) FROM {0}", "SELECT a.no FROM hr.sale a", "COPY (SELECT d.amount FROM {0}) TO STDOUT",
        "SELECT a.person FROM hr.account a WHERE EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no)", "SELECT dp_topk(a.person, 2) FROM {0}",
        "SELECT (SELECT d.amount FROM hr.deal d WHERE d.account = 90000 LIMIT 1)", "SELECT count(*) FROM {0} FOR UPDATE", "UPDATE hr.deal SET amount = 0 FROM hr.account a WHERE a.no = account",
        "SELECT x FROM lab.mine WHERE EXISTS (SELECT FROM {0} WHERE d.item = x)", "SELECT l.v FROM lab.mine, LATERAL (SELECT count(*) AS v FROM hr.deal d WHERE d.account = x) l",
        "SELECT dp_sum(d.amount, 0, a.balance) FROM {0}", "SELECT dp_sum(d.amount, 0, (SELECT max(balance) FROM hr.account)) FROM {0}"]).format(_SALE)
    return Case("owners through paths", [simple(query, refused=True)])


# --- what changes in between ---

# as a superuser can who turns off what looks after policies: nobody is told
_UNSEEN = "; ".join([f"ALTER EVENT TRIGGER privacct_{name} DISABLE" for name in ("drop", "ddl_end")] + ["{}"] +
                    [f"ALTER EVENT TRIGGER privacct_{name} ENABLE ALWAYS" for name in ("drop", "ddl_end")])
_PATHS = [("hr.deal", "deal_account_fkey", "FOREIGN KEY (account) REFERENCES hr.account"), ("hr.parcel", "parcel_account_seq_fkey", "FOREIGN KEY (account, seq) REFERENCES hr.deal")]
_LONG = ["hr.parcel p JOIN hr.deal d ON d.account = p.account AND d.seq = p.seq", "hr.parcel d", "hr.account a JOIN hr.deal b ON b.account = a.no LEFT JOIN hr.parcel d ON d.account = b.account AND d.seq = b.seq",
         "(SELECT account, count(*) AS n FROM hr.parcel GROUP BY account, seq) d", "hr.deal d WHERE EXISTS (SELECT FROM hr.parcel p WHERE p.account = d.account AND p.seq = d.seq)"]


def _between(choices, block, mask, change, again):
    """The change, between two executions of a plan or before a portal's first row."""
    change = f"SET lock_timeout = '1s'; {change}; RESET lock_timeout"
    ask = [simple(f"PREPARE p AS {block}"), simple("EXECUTE p", mask)]
    return choices.pick([
        ask + [simple(change, session="root"), again("EXECUTE p")],
        [simple(block, mask), simple(change, session="root"), again(block)],
        [simple("BEGIN"), simple(f"DECLARE c CURSOR FOR {block}"), simple(change, session="root"), simple("FETCH ALL FROM c", mask), simple("COMMIT")]])


@template
def path_dropped(choices):
    """Without foreign keys that hold nobody knows whose the rows are: they are nobody's in a prepared statement too."""
    table, name, key = choices.pick(_PATHS)
    drop = f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}"
    change = drop + choices.pick(["", f", ADD CONSTRAINT {name} {key} NOT VALID", f", ADD CONSTRAINT {name} {key} DEFERRABLE"])
    block = f"SELECT count(*) FROM {choices.pick(_LONG)}"
    steps = _between(choices, block, NUMBER, _UNSEEN.format(change), lambda sql: simple(sql, NUMBER, refused=True))
    return Case("path dropped", steps, settings=[("plan_cache_mode", choices.pick(["force_generic_plan", "auto"]))],
                after=[simple(f"{_UNSEEN.format(f'{drop}, ADD CONSTRAINT {name} {key}')}", session="root")], tags=["unsteady"])


@template
def path_guarded(choices):
    """What would break a path is refused, and says nothing of rows."""
    command = choices.pick(["ALTER TABLE hr.deal DROP CONSTRAINT deal_account_fkey", "ALTER TABLE hr.account DROP CONSTRAINT account_pkey CASCADE", "ALTER TABLE hr.parcel ALTER seq DROP NOT NULL",
                            "ALTER TABLE hr.deal DROP COLUMN account CASCADE", "ALTER TABLE hr.parcel ALTER seq TYPE numeric", "ALTER TABLE hr.deal ALTER CONSTRAINT deal_account_fkey DEFERRABLE"])
    return Case("path guarded", [simple(f"SELECT count(*) FROM {_SALE}", NUMBER), simple(command, session="root", refused=True), simple(f"SELECT count(*) FROM {_SALE}", NUMBER)], tags=["unsteady"])


_KINDS = "SELECT i.kind, count(*) FROM {} d {} hr.item i ON i.item = d.{} GROUP BY i.kind"


@template
def keys_changed(choices):
    """Groups that a public table or a list names become others: more, fewer, or selected ones."""
    change, back = choices.pick([
        ("INSERT INTO hr.item SELECT 1000 + g, 'kind ' || g, 0 FROM generate_series(5, 8) g", "DELETE FROM hr.item WHERE item > 1000"),
        ("UPDATE hr.item SET kind = 'other' WHERE item % 4 = 3", "UPDATE hr.item SET kind = 'kind 3' WHERE item % 4 = 3"),
        ("SELECT privacct.drop_keys('hr.item', 'kind')", "SELECT privacct.set_keys('hr.item', 'kind')"),
        ("SELECT privacct.set_keys('hr.account', 'region', '{atoll,reef}'::text[])", "SELECT privacct.set_keys('hr.account', 'region', '{north,south,east,atoll}'::text[])"),
        ("SELECT privacct.set_bounds('hr.account', 'opened', '2020-06-01'::text, '2020-08-31'::text)", "SELECT privacct.set_bounds('hr.account', 'opened', '2020-01-01'::text, '2021-12-31'::text)")])
    block = choices.pick([_KINDS.format("hr.deal", choices.pick(["JOIN", "LEFT JOIN"]), "item"), f"SELECT a.region, count(*) FROM {_SALE} AND {choices.pick(_MEETS)} GROUP BY a.region",
                          f"SELECT i.kind, sum(d.amount) FROM {_SALE} JOIN hr.item i ON i.item = d.item AND {choices.pick(_MEETS)} GROUP BY i.kind",
                          "SELECT date_trunc('month', a.opened), count(*) FROM hr.account a WHERE a.region = 'atoll' GROUP BY 1"])
    declared = Mask("kn", "drop_keys" in change)
    steps = _between(choices, block, declared, change, lambda sql: simple(sql, declared))
    return Case("keys changed", steps, settings=[("plan_cache_mode", choices.pick(["force_generic_plan", "auto"]))],
                after=[simple(back, session="root"), simple("VACUUM hr.item", session="root")], tags=["unsteady"])


@template
def contributions_changed(choices):
    """Bounds and limits of owners, the budget of the unit, between two executions."""
    change, back = choices.pick([
        ("SELECT privacct.set_owner_bounds('hr.deal', 'amount', 0, 100)", "SELECT privacct.set_owner_bounds('hr.deal', 'amount', 0, 20000)"),
        ("SELECT privacct.set_bounds('hr.deal', 'amount', 0, 777777)", "SELECT privacct.set_bounds('hr.deal', 'amount', 0, 9000)"),
        ("SELECT privacct.drop_public('hr.item')", "SELECT privacct.declare_public('hr.item'), privacct.set_keys('hr.item', 'kind')")])
    block = choices.pick([f"SELECT sum(d.amount) FROM {_SALE} WHERE {choices.pick(_MEETS)}", f"SELECT avg(d.amount) FROM {_SALE} JOIN hr.item i ON i.item = d.item WHERE {choices.pick(_MEETS)}"])
    return Case("contributions changed", _between(choices, block, NUMBER, change, lambda sql: simple(sql, NUMBER)), after=[simple(back, session="root")], tags=["unsteady"])


@template
def joins_with_parameters(choices):
    """Values that come with each execution, in the conditions of joins and subqueries."""
    text = choices.pick([
        f"SELECT count(*) FROM {_SALE} AND d.amount = $1 AND a.balance > $2", f"SELECT count(*) FROM {_SALE} WHERE d.amount / (a.balance - $1) > $2",
        "SELECT count(*) FROM hr.account a WHERE EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no AND d.amount = $1 AND a.balance <> $2)",
        "SELECT count(*) FROM hr.account a LEFT JOIN LATERAL (SELECT sum(d.amount) AS s FROM hr.deal d WHERE d.account = a.no AND d.amount >= $1) l ON true WHERE l.s > $2",
        "SELECT count(*) FROM (SELECT a.person, sum(d.amount) AS s FROM hr.account a LEFT JOIN hr.deal d ON d.account = a.no AND d.amount <> $1 GROUP BY a.person HAVING count(*) > $2) s",
        f"SELECT dp_sum(d.amount, $2, 9000) FROM {_SALE} WHERE d.amount = $1", "SELECT a.region, count(*) FROM hr.account a LEFT JOIN hr.deal d ON d.account = a.no AND d.amount = $1 WHERE a.no > $2 GROUP BY a.region"])
    mask = Mask("kn" if "GROUP BY a.region" in text else "n")
    runs = [simple(f"EXECUTE p({choices.pick(['777777', '777777', 'NULL', '2147483647', '-2147483648', '0'])}, {choices.pick(['0', '4', 'NULL', '777776'])})", mask) for _ in range(3)]
    return Case("joins with parameters", [simple(f"PREPARE p(int, int) AS {text}"), *runs], settings=[("plan_cache_mode", choices.pick(["force_generic_plan", "force_custom_plan", "auto"]))])


# --- what a row makes the server do ---

# whichever side of the join is empty without her, the other one is read: who reads first notes on the page that old versions of rows are old, or clears them away
_UNREAD = ["hr.account a JOIN hr.deal d ON d.account = a.no AND a.balance - 777000 = 777", "hr.deal d JOIN hr.account a ON d.account = a.no AND a.region = 'atoll'",
           "hr.account a LEFT JOIN hr.deal d ON d.account = a.no WHERE a.person = 4242", "hr.deal d RIGHT JOIN hr.account a ON d.account = a.no WHERE a.person = 4242",
           "hr.account a WHERE a.balance - 777000 = 777 AND EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no)",
           "hr.account a WHERE a.balance - 777000 = 777 AND NOT EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no)",
           "hr.account a JOIN (SELECT account, count(*) AS n FROM hr.deal GROUP BY account) d ON d.account = a.no WHERE a.balance - 777000 = 777",
           "hr.account a JOIN LATERAL (SELECT sum(amount) AS s FROM hr.deal d WHERE d.account = a.no) l ON true WHERE a.balance - 777000 = 777 AND l.s > 0",
           "hr.account a FULL JOIN hr.deal d ON d.account = a.no WHERE a.person = 4242", "(SELECT person FROM hr.account WHERE balance - 777000 = 777 EXCEPT SELECT person FROM hr.sale) u",
           "(SELECT person FROM hr.account WHERE balance - 777000 = 777 INTERSECT SELECT person FROM hr.sale) u",
           "hr.account a JOIN hr.contact c ON c.account = a.no AND c.topic = 'canary' JOIN hr.deal d ON d.account = a.no"]


# versions of which nobody has looked yet whether they are old, on pages on which she has no row
_UNLOOKED = "SELECT count(*) FROM generate_series(0, 9) page, heap_page_items(get_raw_page('hr.deal', page)) WHERE t_xmax::text <> '0' AND t_infomask & 3072 = 0"


@template
def side_unread(choices):
    # few enough for the new versions to be on the same pages
    return Case("side unread", [
        simple(f"UPDATE hr.deal SET ok = NOT ok WHERE account <= 300 AND account % 5 = {choices.below(5)}", session="root"), simple(_UNLOOKED, session="root"),
        simple(f"SELECT count(*) FROM {choices.pick(_UNREAD)}", NUMBER), simple(_UNLOOKED, session="root")],
        after=[simple("SELECT count(ok) FROM hr.deal", Mask("n"), session="root")])


@template
def joined_for_the_first_time(choices):
    """What her row of one table needs when it has met one of another."""
    truth = choices.pick(["a.mood::text = 'x'", "a.mood = 'dire'", "greatest(a.mood, 'dire') = 'good'", "a.mood IN ('dire')", "lower(a.label) = d.remark", "md5(d.remark) = a.label", "d.remark || a.label = 'x'",
                          "d.remark LIKE '%x'", "to_char(d.made, 'TMMonth TMDay') = 'x'", "d.fee = 1", "d.fee + a.balance > 2", "date_trunc('month', d.made) = a.opened", "length(d.remark) > a.balance",
                          "extract(epoch FROM d.made) > a.rating", "exp(a.rating) > d.amount", "d.made - a.opened > interval '1 day'"])
    meets = choices.pick(_MEETS)
    block = choices.pick([
        f"SELECT count(*) FROM {_SALE} AND {meets} AND {truth}", f"SELECT count(*) FROM {_SALE} WHERE CASE WHEN {meets} THEN {truth} ELSE false END",
        f"SELECT count(*) FROM hr.account a LEFT JOIN hr.deal d ON d.account = a.no AND {meets} AND {truth}", f"SELECT count(*) FROM hr.account a WHERE EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no AND {meets} AND {truth})",
        f"SELECT count(*) FROM hr.account a WHERE NOT EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no AND {meets} AND {truth})",
        f"SELECT count(*) FROM (SELECT a.person, bool_or({truth}) AS x FROM {_SALE} WHERE {meets} GROUP BY a.person) s WHERE x",
        f"SELECT count(*) FROM (SELECT a.person, max(d.made) AS m FROM {_SALE} WHERE {meets} GROUP BY a.person HAVING max(a.opened) > '2020-01-01') s WHERE to_char(m, 'TMMonth') = 'x'",
        f"SELECT count(*) FROM (SELECT a.no, sum(d.fee) OVER (PARTITION BY a.person) AS w FROM {_SALE} WHERE {meets}) s WHERE w > 1"])
    settings, way = choices.pick([((), choices.pick(WAYS)), ((), choices.pick(WAYS)), (JIT + ALONE, _extended(1, False))])
    return Case("joined for the first time", way(Block(block, "n"), NUMBER), settings=settings, tags=["panel"])


@template
def joined_beyond_memory(choices):
    """Hash tables, groups and windows that she alone makes larger than the memory there is."""
    parcels = "hr.parcel p JOIN hr.parcel q ON q.account = p.account AND q.seq = p.seq AND p.id >= 900000"
    block = choices.pick([
        f"SELECT count(*) FROM {parcels} AND q.id >= 900000", f"SELECT count(*) FROM (SELECT p.account, p.seq, max(q.weight) AS m FROM {parcels} GROUP BY p.account, p.seq) s WHERE m > 0",
        "SELECT count(*) FROM hr.deal d LEFT JOIN hr.parcel p ON p.account = d.account AND p.seq = d.seq AND p.id >= 900000 WHERE p.place = d.remark",
        "SELECT count(*) FROM (SELECT a.person, p.place, sum(p.weight) OVER (PARTITION BY a.person) AS w FROM hr.account a JOIN hr.deal d ON d.account = a.no JOIN hr.parcel p ON p.account = d.account AND p.seq = d.seq WHERE p.id >= 900000) s WHERE w > 0",
        "SELECT count(*) FROM (SELECT DISTINCT a.person, p.id FROM hr.account a JOIN hr.deal d ON d.account = a.no JOIN hr.parcel p ON p.account = d.account AND p.seq = d.seq WHERE p.id >= 900000) s",
        "SELECT count(*) FROM (SELECT a.person, count(DISTINCT p.id) AS n FROM hr.account a JOIN hr.deal d ON d.account = a.no JOIN hr.parcel p ON p.account = d.account AND p.seq = d.seq WHERE p.id >= 900000 GROUP BY a.person) s WHERE n > 1"])
    # as whoever runs the server sets it, for the sessions that begin then
    begin = [simple("ALTER ROLE asker SET privacct.owner_memory = '64kB'", session="root"), connected(choices.pick(["-c temp_tablespaces=cold", ""]))]
    return Case("joined beyond memory", begin + choices.pick(WAYS)(Block(block, "n"), NUMBER),
                after=[simple("ALTER ROLE asker RESET privacct.owner_memory", session="root"), connected("")], tags=["panel"])


@template
def slow_subqueries(choices):
    """Much work for each of her rows, in joins with rows of hers."""
    deep = "md5(" * 8 + "{0}.remark || {0}.remark" + ")" * 8 + " = 'x'"
    long = "length(btrim(d.remark || {0}, {0})) = 0".format(" || ".join(["'" + "a" * 990 + "'"] * 60))
    truth = choices.pick([deep.format("d"), long, " OR ".join([f"d.remark LIKE '{'%a' * 40}%b'"] * 12), "d.remark IN (" + ", ".join(f"'{n}'" for n in range(2000)) + ")"])
    meets = choices.pick(_MEETS)
    block = choices.pick([
        f"SELECT count(*) FROM {_SALE} AND {meets} AND ({truth})", f"SELECT count(*) FROM hr.account a LEFT JOIN hr.deal d ON d.account = a.no AND {meets} AND ({truth})",
        f"SELECT count(*) FROM hr.account a WHERE EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no AND {meets} AND ({truth}))",
        f"SELECT count(*) FROM (SELECT a.person, bool_or({truth}) AS x FROM {_SALE} WHERE {meets} GROUP BY a.person) s WHERE x",
        f"SELECT count(*) FROM hr.account a WHERE 1 < (SELECT count(*) FROM hr.deal d WHERE d.account = a.no AND d.remark = 'canary' AND ({truth}))"])
    return Case("slow subqueries", [simple(block, NUMBER)], settings=SECONDS, tags=["slow"])


@template
def inputs_of_nobody(choices):
    """Releases that a block reads are charged, whether or not a row of the block asks for them."""
    released = choices.pick(["(SELECT count(*) FROM hr.account)", "(SELECT avg(salary) FROM hr.emp)", "(SELECT count(*) FROM hr.deal WHERE amount - 777000 = 777)"])
    risky = choices.pick(Scene("d").risky)
    block = choices.pick([
        f"SELECT count(*) FROM {_SALE} WHERE CASE WHEN {choices.pick(_MEETS)} THEN d.amount > {released} ELSE false END",
        f"SELECT count(*) FROM hr.account a LEFT JOIN hr.deal d ON d.account = a.no AND {choices.pick(_MEETS)} AND d.amount > {released}",
        f"SELECT count(*) FROM hr.account a WHERE a.region = 'atoll' AND EXISTS (SELECT FROM hr.deal d WHERE d.account = a.no AND d.amount > {released} AND {risky})",
        f"SELECT count(*) FROM (SELECT d.account FROM hr.deal d WHERE d.amount - 777000 = 777 GROUP BY d.account HAVING max(d.amount) > {released}) s"])
    return Case("inputs of nobody", choices.pick(WAYS)(Block(block, "n"), NUMBER))
