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
			USING ERRCODE = 'PA004',
				  DETAIL = 'They are read with the rights of their owners: without the guard they hand out raw rows.',
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
		RAISE WARNING 'owners of protected tables who may declare no more: %', owners
			USING DETAIL = 'Their policies stay in force.',
				  HINT = 'GRANT privacct_admin to those who shall go on changing policies and budgets.';
	END IF;
END
$$;

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
	END IF;
END
$$;
