--
-- Autovacuum comes when enough rows were written, and writes figures: that it came
-- shows.  What it is told of a table is in two places: its TOAST table follows it,
-- unless that has options of its own.
--

CREATE FUNCTION privacct._autovacuum_is_off(options text[]) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce((SELECT NOT option_value::boolean FROM pg_options_to_table(options) WHERE option_name = 'autovacuum_enabled'), false)
$$;
COMMENT ON FUNCTION privacct._autovacuum_is_off(text[]) IS 'whether these storage parameters keep autovacuum away';

CREATE FUNCTION privacct._autovacuumed() RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT DISTINCT c.oid::regclass
	FROM privacct.policy p CROSS JOIN LATERAL (
		WITH RECURSIVE tree(member) AS (
			SELECT p.relation::oid UNION SELECT i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.member)
		SELECT member FROM tree) t
	JOIN pg_class c ON c.oid = t.member LEFT JOIN pg_class o ON o.oid = c.reltoastrelid
	WHERE p.closed_at IS NULL AND c.relkind = 'r' AND current_setting('autovacuum')::boolean
	AND NOT (privacct._autovacuum_is_off(c.reloptions) AND (o.reloptions IS NULL OR privacct._autovacuum_is_off(o.reloptions)))
$$;
COMMENT ON FUNCTION privacct._autovacuumed() IS 'protected tables, their partitions and children, that autovacuum comes to when rows were written';

REVOKE ALL ON FUNCTION privacct._autovacuum_is_off(text[]), privacct._autovacuumed() FROM PUBLIC;
