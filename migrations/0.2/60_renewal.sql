--
-- A table that was protected before is protected again by the same owner column.
--
-- What was charged, was charged to the owners that this column named.  Per visit
-- an epsilon of 1 says nothing about patients of a hundred visits, and the other
-- way round.  So columns are followed by number, also while the table is not
-- protected: an earlier policy's owner_column keeps the name that the column has
-- now, or is empty once it was dropped or may have come to name owners anew.
--

COMMENT ON COLUMN privacct.policy.owner_column IS 'whose row it is, by the name that the column has now; empty, of a closed policy: the column is gone';

CREATE OR REPLACE FUNCTION privacct._follow_rename(relation oid, attnum int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	new_name name := (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = _follow_rename.attnum);
	p privacct.policy;
	live name[];
BEGIN
	-- partitions, children and tables of a type take the new name without a command of their own
	FOR p IN SELECT * FROM privacct.policy q WHERE q.relation::oid IN (SELECT privacct._family(_follow_rename.relation)) LOOP
		live := ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = p.relation AND a.attnum > 0 AND NOT a.attisdropped);
		UPDATE privacct.policy q SET owner_column = new_name WHERE q.policy_id = p.policy_id AND q.owner_column <> ALL (live) AND q.owner_column <> '';
		CONTINUE WHEN p.closed_at IS NOT NULL;
		UPDATE privacct.bound b SET column_name = new_name WHERE b.policy_id = p.policy_id AND b.column_name <> ALL (live);
		UPDATE privacct.group_key k SET column_name = new_name WHERE k.policy_id = p.policy_id AND k.column_name <> ALL (live);
		UPDATE privacct.domain d SET column_name = new_name WHERE d.policy_id = p.policy_id AND d.column_name <> ALL (live);
		UPDATE privacct.public_column c SET column_name = new_name WHERE c.policy_id = p.policy_id AND c.column_name <> ALL (live);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._follow_rename(oid, int) IS 'carries a renamed column over into the policies of its table';

CREATE OR REPLACE FUNCTION privacct._column_dropped(relation oid, dropped name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	UPDATE privacct.policy q SET owner_column = ''
	WHERE q.relation = _column_dropped.relation AND q.closed_at IS NOT NULL AND q.owner_column = dropped;
	SELECT q.* INTO p FROM privacct.policy q WHERE q.relation = _column_dropped.relation AND q.closed_at IS NULL;
	IF NOT FOUND THEN
		RETURN;
	ELSIF p.owner_column = dropped THEN
		RAISE EXCEPTION 'column "%" is the owner column of the protected table %', dropped, p.relation
			USING ERRCODE = 'PA004', HINT = 'Call privacct.unprotect() first.';
	END IF;
	IF p.regime = 'pufferfish' AND (EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped)
		OR EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped AND c.order_position IS NOT NULL)) THEN
		RAISE EXCEPTION 'column "%" is the entry column, or orders the entries, of the protected table %', dropped, p.relation
			USING ERRCODE = 'PA004', HINT = 'Call privacct.unprotect() first.';
	ELSIF EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped) THEN
		PERFORM privacct._check_unasked(p);
	END IF;
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped;
	DELETE FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped;
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = dropped;
	DELETE FROM privacct.group_key k WHERE k.policy_id = p.policy_id AND k.column_name = dropped;
END
$$;

CREATE FUNCTION privacct._owners_rewritten(relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	family oid[] := ARRAY(SELECT privacct._family(_owners_rewritten.relation));
	member regclass;
	p privacct.policy;
BEGIN
	-- as ALTER TABLE will: protect() may be under way
	FOR member IN SELECT c.oid FROM pg_class c WHERE c.oid = ANY (family) AND c.relkind IN ('r', 'p') ORDER BY c.oid LOOP
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', member);
	END LOOP;
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_isolation', family);
	END IF;
	FOR p IN SELECT * FROM privacct.policy q WHERE q.owner_column = _owners_rewritten.column_name AND q.relation::oid = ANY (family) LOOP
		IF p.closed_at IS NULL THEN
			RAISE EXCEPTION 'column "%" is the owner column of the protected table %', column_name, p.relation
				USING ERRCODE = 'PA004',
					DETAIL = 'With another type, two owners may have one name: what they lost is in the accounts of two.',
					HINT = 'Types that keep all values apart are allowed without USING and without a length: larger integers, numeric or text for integers, text for uuid and varchar.';
		END IF;
		UPDATE privacct.policy q SET owner_column = '' WHERE q.policy_id = p.policy_id;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._owners_rewritten(regclass, name) IS 'an owner column keeps its owners apart, or cannot be renewed by';
REVOKE ALL ON FUNCTION privacct._owners_rewritten(regclass, name) FROM PUBLIC;
