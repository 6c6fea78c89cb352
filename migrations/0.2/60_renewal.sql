--
-- A table that was protected before is protected again by the same owner column.
--
-- What was charged, was charged to the owners that this column named.  Per visit
-- an epsilon of 1 says nothing about patients of a hundred visits, and the other
-- way round.  So columns are followed by number, also while the table is not
-- protected: an earlier policy's owner_column keeps the name that the column has
-- now, or is empty once it was dropped or may have come to name owners anew.
--

ALTER TABLE privacct.policy ADD COLUMN owner_attnum int2, ADD COLUMN owner_type name;
COMMENT ON COLUMN privacct.policy.owner_attnum IS 'number of the owner column in the table as it is in this database';
COMMENT ON COLUMN privacct.policy.owner_type IS 'type of the owner column when the policy was made: in the local regime the books are kept by keys that this type has';

CREATE FUNCTION privacct._column_number(relation oid, column_name name) RETURNS int2
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped
$$;
COMMENT ON FUNCTION privacct._column_number(oid, name) IS 'by what a column is known when it is renamed, or another one has its name';

CREATE FUNCTION privacct._column_called(relation oid, column_number int2) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = column_number AND NOT a.attisdropped
$$;
COMMENT ON FUNCTION privacct._column_called(oid, int2) IS 'the name that a column has now';

-- Where a dump is restored columns have other numbers, and the keys of owners are what they were.
CREATE FUNCTION privacct._number_owner_column() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	NEW.owner_attnum := privacct._column_number(NEW.relation, NEW.owner_column);
	IF TG_TABLE_NAME = 'policy' THEN
		NEW.owner_type := coalesce(NEW.owner_type, (SELECT t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
			WHERE a.attrelid = NEW.relation AND a.attnum = NEW.owner_attnum));
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._number_owner_column() IS 'writes down which column the owner column is';
CREATE TRIGGER number_owner_column BEFORE INSERT ON privacct.policy FOR EACH ROW EXECUTE FUNCTION privacct._number_owner_column();
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER number_owner_column;
COMMENT ON TRIGGER number_owner_column ON privacct.policy IS 'writes down which column the owner column is';
UPDATE privacct.policy p SET owner_attnum = a.attnum, owner_type = t.typname
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = p.relation AND a.attname = p.owner_column AND a.attnum > 0;

CREATE FUNCTION privacct._owner_key_is(type_name name, type oid) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_owner_key_is_sql' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._owner_key_is(name, oid) IS 'true if owners of a type have the keys that they have as another';
REVOKE ALL ON FUNCTION privacct._column_number(oid, name), privacct._column_called(oid, int2), privacct._number_owner_column(), privacct._owner_key_is(name, oid) FROM PUBLIC;
-- views that tell of discrepancies call these, which tell nothing that is not in the catalog
GRANT EXECUTE ON FUNCTION privacct._column_number(oid, name), privacct._owner_key_is(name, oid) TO PUBLIC;

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
		UPDATE privacct.policy q SET owner_column = coalesce(privacct._column_called(p.relation, p.owner_attnum), new_name) WHERE q.policy_id = p.policy_id AND q.owner_column <> ALL (live) AND q.owner_column <> '';
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

CREATE FUNCTION privacct._owners_rewritten(relation regclass, column_name name, apart boolean) RETURNS void
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
		-- local: the books of an open policy are kept by keys of owners; once it is closed, the most that one of them lost is everybody's
		CONTINUE WHEN apart AND (p.closed_at IS NOT NULL OR p.regime <> 'local');
		IF p.closed_at IS NULL THEN
			RAISE EXCEPTION 'column "%" is the owner column of the protected table %', column_name, p.relation
				USING ERRCODE = 'PA004',
					DETAIL = CASE WHEN apart THEN 'Owners are recognized by keys that are made from its values; with another kind of type, owners who have lost everything would be asked again.'
						ELSE 'With another type, two owners might get the same name, but what they lost is in two accounts.' END,
					HINT = concat('Without USING, COLLATE and a length, ', CASE p.regime WHEN 'local' THEN '' ELSE 'integers and uuid become text, ' END,
						'integers become other integers, and text and varchar each other.',
						CASE WHEN apart THEN format(' Or, in one transaction: SELECT privacct.unprotect(%1$L); this statement; SELECT privacct.protect(%1$L, ...), under which every owner starts with the most that one of them lost.', p.relation) END);
		END IF;
		UPDATE privacct.policy q SET owner_column = '' WHERE q.policy_id = p.policy_id;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._owners_rewritten(regclass, name, boolean) IS 'an owner column keeps its owners apart (apart), and under an open policy of the local regime their keys; or the policy cannot be renewed by it';
REVOKE ALL ON FUNCTION privacct._owners_rewritten(regclass, name, boolean) FROM PUBLIC;
