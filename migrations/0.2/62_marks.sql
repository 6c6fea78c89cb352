--
-- Tables that were protected in other books.
--
-- A dump of some tables, or a restore of some, leaves the books behind.  So every
-- table that a policy ever covered carries a mark that is dumped with it and that
-- nothing takes away again: privacct_reader may refer to it.  That opens nothing, for
-- the role has no members and no login.  A table that has the mark, and that these
-- books do not know, has spent from a budget that is in others.
--

CREATE FUNCTION privacct._mark(relation oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE format('GRANT REFERENCES ON %s TO privacct_reader', relation::regclass);
END
$$;
COMMENT ON FUNCTION privacct._mark(oid) IS 'lets a table remember that it was protected';

-- Whatever the role may do: before there were marks it could read what was protected.
CREATE VIEW privacct._stranger WITH (security_barrier) AS
SELECT DISTINCT c.oid AS relation, pg_catalog.format('%I.%I', n.nspname, c.relname) AS relation_name
FROM pg_catalog.pg_roles r
JOIN pg_catalog.pg_shdepend d ON d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid AND d.deptype = 'a'
	AND d.dbid = privacct._here() AND d.classid = 'pg_class'::regclass
JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind IN ('r', 'p', 'f')
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE r.rolname = 'privacct_reader'
AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.relation = c.oid)
AND NOT EXISTS (SELECT FROM privacct.policy p WHERE p.relation = c.oid);
COMMENT ON VIEW privacct._stranger IS 'tables that were protected, but not in these books';
REVOKE ALL ON privacct._stranger FROM PUBLIC;

CREATE FUNCTION privacct._ask_of_marks(relation regclass, inherits text, fresh boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	strangers text;
BEGIN
	PERFORM privacct._complete_history();
	-- each by itself, or all that have the mark are gone through
	strangers := (SELECT string_agg(s.relation_name, ', ' ORDER BY s.relation_name) FROM privacct._tree(_ask_of_marks.relation) m(oid)
		CROSS JOIN LATERAL (SELECT t.relation_name FROM privacct._stranger t WHERE t.relation = m.oid OFFSET 0) s);
	IF strangers IS NOT NULL AND inherits IS NULL AND fresh IS NOT TRUE THEN
		RAISE EXCEPTION 'table % was protected in other books', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('What was spent on it there is not known here: %s.', strangers),
				  HINT = 'Restore the books with the tables, in a database of its own.  If a table in these books has spent budget on its rows, name it: inherits => ''...''.  If what it has spent is not to count, use fresh => true, with an epsilon that is smaller by that amount.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._ask_of_marks(regclass, text, boolean) IS 'asks whoever protects a table what became of the books that it was protected in';

CREATE FUNCTION privacct._check_no_stranger(p privacct.policy, member regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct._stranger s WHERE s.relation = member) THEN
		RAISE EXCEPTION 'table % was protected in other books', member
			USING ERRCODE = 'PA004',
				  DETAIL = format('What was spent on it there is not in the account of %s.', p.relation),
				  HINT = format('In one transaction: SELECT privacct.unprotect(%1$L); then this statement; then SELECT privacct.protect(%1$L, ...) with fresh => true, and with an epsilon that is smaller by what it has spent. Or load its rows into a table without a history.', p.relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_no_stranger(privacct.policy, regclass) IS 'no table comes under an open policy that has spent from a budget in other books';

REVOKE ALL ON FUNCTION privacct._mark(oid), privacct._ask_of_marks(regclass, text, boolean), privacct._check_no_stranger(privacct.policy, regclass) FROM PUBLIC;
