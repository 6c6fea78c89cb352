-- SPDX-License-Identifier: GPL-3.0-or-later
-- What 0.1 let happen is refused, or said; then its books become those of 0.2.

-- What was granted under 0.1 is closed by hand before the update.
DO $$
DECLARE
	p privacct.policy;
BEGIN
	FOR p IN SELECT * FROM privacct.policy q WHERE q.closed_at IS NULL ORDER BY q.policy_id LOOP
		PERFORM privacct._check_grants(p.relation);
	END LOOP;
END
$$;

-- What was granted under 0.1 is closed by hand before the update: analysts may then
-- need SELECT on the public tables that a view joins.
DO $$
DECLARE
	remedy text := (
		SELECT string_agg(DISTINCT privacct._closing_statement(v.view, v.can_be_invoker, v.grantees), '; ')
		FROM privacct.policy p CROSS JOIN LATERAL privacct._open_views(p.relation) v WHERE p.closed_at IS NULL);
BEGIN
	IF remedy IS NOT NULL THEN
		RAISE EXCEPTION 'views show rows of protected tables to others'
			USING ERRCODE = '42PA4',
				  DETAIL = 'They are read with the privileges of their owners; without the guard, they return raw '
					'rows.',
				  HINT = remedy || '; grant SELECT on the public tables that they join; then update again.';
	END IF;
END
$$;

DO $$
DECLARE
	owners text;
BEGIN
	SELECT pg_catalog.string_agg(DISTINCT c.relowner::pg_catalog.regrole::text, ', ') INTO owners
	FROM privacct.policy p JOIN pg_catalog.pg_class c ON c.oid = p.relation
	WHERE p.closed_at IS NULL AND NOT pg_catalog.pg_has_role(c.relowner, 'privacct_admin', 'USAGE');
	IF owners IS NOT NULL THEN
		RAISE WARNING 'owners of protected tables who can no longer declare anything: %', owners
			USING DETAIL = 'Their policies stay in force.',
				  HINT = 'GRANT privacct_admin to those who should continue to change policies and budgets.';
	END IF;
END
$$;

-- What was so under 0.1 is mended by hand before the update.
DO $$
BEGIN
	PERFORM privacct._check_foundation(p.relation) FROM privacct.policy p WHERE p.closed_at IS NULL;
END
$$;

-- What 0.1 took is what a fresh server gives.
INSERT INTO privacct.catalog_taken
SELECT 'function', o.name, false FROM privacct._catalog_objects('public') o
JOIN pg_catalog.pg_proc f ON f.oid = CASE o.kind WHEN 'function' THEN o.identity::pg_catalog.regprocedure END
WHERE o.kind = 'function' AND NOT o.usable
AND (f.proname ~ '^pg_stat_get_' AND f.proname !~ '^pg_stat_get_(activity|backend_.*)$'
	OR f.proname IN ('pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size',
		'pg_database_size', 'pg_tablespace_size', 'pg_current_wal_lsn', 'pg_current_wal_insert_lsn',
		'pg_current_wal_flush_lsn', 'pg_last_wal_receive_lsn', 'pg_last_wal_replay_lsn'))
AND NOT EXISTS (SELECT FROM pg_catalog.pg_init_privs i
	WHERE i.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND i.objoid = f.oid
	AND NOT EXISTS (SELECT FROM pg_catalog.aclexplode(i.initprivs) a WHERE a.grantee = 0))
UNION ALL
SELECT 'relation', o.name, false FROM privacct._catalog_objects('public') o
JOIN pg_catalog.pg_class c ON c.oid = CASE o.kind WHEN 'relation' THEN o.identity::pg_catalog.regclass END
WHERE o.kind = 'relation' AND NOT o.usable
AND c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace AND c.relkind = 'v' AND c.relname ~ '^pg_stat(io)?_'
AND c.relname NOT IN ('pg_stat_activity', 'pg_stat_ssl', 'pg_stat_gssapi')
AND EXISTS (SELECT FROM pg_catalog.pg_init_privs i CROSS JOIN pg_catalog.aclexplode(i.initprivs) a
	WHERE i.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND i.objoid = c.oid AND i.objsubid = 0
	AND a.grantee = 0 AND a.privilege_type = 'SELECT')
UNION ALL
SELECT 'relation', 'pg_catalog.pg_class', false
WHERE NOT pg_catalog.has_table_privilege('public', 'pg_catalog.pg_class', 'SELECT')
ON CONFLICT DO NOTHING;

DO $$
BEGIN
	PERFORM privacct._sum_ledger(p.policy_id) FROM privacct._in_ledger p;
END
$$;

SELECT privacct._note_unwritten();

SELECT privacct._complete_history();

-- books that were kept before they had a name
DO $$
BEGIN
	IF EXISTS (SELECT FROM privacct.policy) THEN
		PERFORM privacct._identify();
		PERFORM pg_catalog.set_config('privacct.write_books', 'on', true);
		UPDATE privacct.home h SET books = i.books, cluster = privacct._cluster(), timeline = privacct._timeline()
			FROM privacct.identity i;
		PERFORM pg_catalog.set_config('privacct.write_books', 'off', true);
	END IF;
END
$$;
