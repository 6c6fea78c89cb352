# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that the catalogs show and that functions on tables tell.

Derived from the server's own catalogs: every view and table that can be named, every
function that takes nothing, a table, or a table and a column.  Times, process numbers,
what a session draws for itself, what follows from randomised answers, and where the
servers' files lie are left out.
"""
import re

import wire
import world
from compare import first_difference
from probes import _together

LOOKS = 3  # what differs by the moment of a look does not differ each time

_RELATIONS = """SELECT c.oid::regclass, string_agg(format('%s', quote_ident(a.attname)), ', ' ORDER BY a.attnum)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE n.nspname IN ('pg_catalog', 'information_schema', 'privacct', 'hr', 'lab') AND c.relkind IN ('r', 'v', 'm', 'S', 'p', 't')
AND a.atttypid NOT IN ('timestamptz'::regtype, 'interval'::regtype, 'xid'::regtype) AND NOT (a.atttypid = 'float8'::regtype AND a.attname ~ '_time$') AND a.attname !~ '(^|_)pid$' AND a.attname <> 'client_port'
AND has_column_privilege('asker', c.oid, a.attnum, 'SELECT')
AND c.relname NOT IN ('local_odometer', 'local_state', 'notes', 'notes_k_seq', 'ticket', 'pg_prepared_statements', 'pg_cursors', 'pg_settings')
GROUP BY c.oid ORDER BY c.oid::regclass::text"""
_FUNCTIONS = """SELECT p.oid::regproc, pg_get_function_identity_arguments(p.oid), p.proretset
FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.provolatile <> 'i'
AND (p.proargtypes::oid[] <@ '{oid,regclass,oid,name,text,int4,int8}'::regtype[]::oid[]) AND p.pronargs <= 2 AND p.pronargdefaults = 0
AND p.prorettype NOT IN ('timestamptz'::regtype, 'timetz'::regtype, 'internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype, 'void'::regtype, 'interval'::regtype, 'refcursor'::regtype)
AND p.proname !~ '(^random|pid$|uuid|nextval|setval|clock|timeofday|lo_|_lock|sleep|_terminate|_cancel|rotate|reload|postmaster|promote|_backup|xml|inet|listening|wal_replay|current_logfile|stat_get_activity|stat_get_backend|get_snapshot|jit_available|_control_|setseed|_file|_ls_|get_wal_|get_lock_status|query_string|export_snapshot|replication|import_system|sync_scan|prepared_|cursor|restore_point|switch_wal|log_standby|stat_reset|stat_force|stat_clear|brin|gin_clean|currtid|mxact_age|get_shmem)'
ORDER BY 1, 2"""


def _arguments(types):
    """A table, a column, a number: whatever the function takes."""
    known = {"oid": "'hr.emp'::regclass::oid", "regclass": "'hr.emp'::regclass", "name": "'emp'::name", "text": "'hr.emp'::text",
             "integer": "1", "bigint": "1"}
    return ", ".join(known.get(t.strip().split(" ")[-1], "NULL") for t in types.split(",")) if types else ""


def _blocks_summed(columns):
    """Whether a page was still in memory is nobody's in particular: another one had to leave when memory was full."""
    return re.sub(r"\b(\w+_blks)_read, \1_hit\b", r"\1_read + \1_hit", columns)


# Plans count the rows that a condition leaves and takes, also of tables below a view.
_PLANS = """SELECT c.oid::regclass, coalesce(string_agg(format('%I > 0', a.attname), ' AND ') FILTER (WHERE a.atttypid = 'real'::regtype), 'true')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
WHERE n.nspname IN ('pg_catalog', 'information_schema', 'privacct') AND c.relkind IN ('r', 'v') AND has_column_privilege('asker', c.oid, a.attnum, 'SELECT')
GROUP BY c.oid ORDER BY c.oid::regclass::text"""


def looks(session):
    """All statements, for one who has no rights."""
    statements = [f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT 1 FROM {relation} WHERE {condition}"
                  for relation, condition in session.rows(_PLANS)]
    statements += [f"SELECT {columns} FROM {relation} ORDER BY {', '.join(f'({c})::text' for c in columns.split(', '))}"
                  for relation, columns in ((r, _blocks_summed(c)) for r, c in session.rows(_RELATIONS))]
    for function, types, returns_set in session.rows(_FUNCTIONS):
        call = f"{function}({_arguments(types)})"
        statements.append(f"SELECT * FROM {call} f" if returns_set == "t" else f"SELECT {call}")
    return statements


def sweep(worlds, statements, user="asker"):
    """For each statement that tells the worlds apart: it, and the first messages that differ."""
    for statement in statements:
        for look in range(LOOKS):
            if look > 0:
                # a session tells its counters now and then
                for session in world.USERS:
                    _together(worlds, session, wire.query("SELECT pg_stat_force_next_flush()"))
            different = first_difference(*_together(worlds, user, wire.query(statement)), None)
            if not different:
                break
        else:
            yield (statement, *different)
