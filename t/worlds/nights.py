# SPDX-License-Identifier: GPL-3.0-or-later
"""Maintenance of protected tables, after a day on which a row came in one world only.

The session must not be told of it: neither by plans that are made anew, which a
function tells that is computed while planning, nor by pages of the catalog that are
read again.
"""
from adversary import template
from compare import IGNORED
from delivery import Case, quoted, simple

# a row comes where the canary is, and goes again
_DAYS = {
    "hr.member": ("INSERT INTO hr.member SELECT 900000 + person, region, salary, name FROM hr.member WHERE person = 4242",
                  "DELETE FROM hr.member WHERE person > 900000"),
    "hr.emp_part": ("INSERT INTO hr.emp_part SELECT 9000000 + id, owner, region, salary FROM hr.emp_part WHERE owner = 4242",
                    "DELETE FROM hr.emp_part WHERE id > 9000000"),
    "hr.contact": ("INSERT INTO hr.contact SELECT 9000000 + id, account, minutes, topic, u FROM hr.contact WHERE account = 90003",
                   "DELETE FROM hr.contact WHERE id > 9000000"),
}
_RELATIONS = {"hr.member": ["hr.member", "hr.member_pkey"], "hr.contact": ["hr.contact", "hr.contact_pkey"],
              "hr.emp_part": ["hr.emp_part", "hr.emp_part_north", "hr.emp_part_atoll"]}
_JOINS = {"hr.contact": " JOIN hr.account a ON a.no = x.account"}
_NIGHTS = ["VACUUM {0}", "ANALYZE {0}", "VACUUM ANALYZE {0}", "VACUUM {0}, hr.dim_dept", "REINDEX TABLE {0}", "ANALYZE"]
_TELL = "CREATE FUNCTION lab.tell() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'planned'; RETURN 1; END $$"


def _looks(table):
    looks = ["EXPLAIN (COSTS OFF) EXECUTE w"]
    for name in _RELATIONS[table]:
        looks.append(f"SELECT public.pages_of({quoted(f'''SELECT has_table_privilege(x, 'select') FROM (VALUES ('{name}')) v(x) WHERE x <> {quoted('')}''')})")
    return [simple(look) for look in looks]


@template
def night(choices):
    table = choices.pick(sorted(_DAYS))
    comes, goes = _DAYS[table]
    command = choices.pick(_NIGHTS).format(table)
    steps = [simple(f"VACUUM ANALYZE {table}", session="root"), simple(_TELL), simple(f"PREPARE w AS SELECT count(*), lab.tell() FROM {table} x{_JOINS.get(table, '')}")]
    steps += [simple(look.text, IGNORED) for _ in range(2) for look in _looks(table)]
    steps += [simple(comes, IGNORED, session="root"), simple(command, session="root")] + _looks(table)
    after = [simple("DEALLOCATE w"), simple("DROP FUNCTION lab.tell()"), simple(goes, IGNORED, session="root"),
             simple(f"VACUUM ANALYZE {table}", session="root")]
    return Case("night after a row came", steps, after=after, tags=["unsteady"])
