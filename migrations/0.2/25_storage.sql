-- Values that are stored out of line are not read while rows are: such a row has no
-- owner, no group and no value of a domain.  Where that is so it is said.

CREATE FUNCTION privacct._check_storage(relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	member regclass := (SELECT t.member FROM privacct._tree(relation) t(member)
						JOIN pg_attribute a ON a.attrelid = t.member AND a.attname = column_name AND a.attnum > 0 AND a.attstorage = 'e'
						ORDER BY t.member::regclass::text LIMIT 1);
BEGIN
	IF member IS NOT NULL THEN
		RAISE EXCEPTION 'values of column "%" of % must not be stored out of line', column_name, member
			USING ERRCODE = 'PA004',
				  DETAIL = 'The storage of the column is external.  Values that are not in the row itself are not read, and such rows do not count.',
				  HINT = format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN.', member, column_name);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_storage(regclass, name) IS 'owners, keys and values of a domain are not told to be stored out of line';

-- By accident too: wide rows have their longest values elsewhere.  The bytes are those
-- of src/size_limits.h: 1024 of owners and values, 256 of keys.
CREATE FUNCTION privacct._warn_of_storage(relation regclass, column_name name, bytes int, loss text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	type regtype := (privacct._column_type(relation, column_name)).type;
	lost bigint;
BEGIN
	IF type NOT IN ('text', 'varchar', 'bpchar') THEN
		RETURN;
	END IF;
	lost := privacct._count_as_owner(relation, format('SELECT count(*) FROM %s WHERE %2$I IS NOT NULL AND privacct.total_short(%2$I, %3$s) IS NULL',
		relation, column_name, bytes), NULL);
	IF lost > 0 THEN
		RAISE WARNING 'rows of % %: %', relation, loss, lost
			USING DETAIL = format('Their values of column "%s" have more than %s bytes or are stored out of line, which happens to values above 24 bytes in rows above 2 kB.', column_name, bytes),
				  HINT = format('ALTER TABLE %1$s ALTER COLUMN %2$I SET STORAGE MAIN, then VACUUM FULL %1$s; or use a shorter value.', relation, column_name);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._warn_of_storage(regclass, name, int, text) IS 'tells the owner of a table how many rows are lost because a value is too long or stored out of line';

CREATE OR REPLACE FUNCTION privacct._check_columns(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	d record;
	c record;
BEGIN
	FOR d IN
		SELECT b.column_name, b.column_type, NULL::text[] AS keys, 'bounds' AS what FROM privacct.bound b WHERE b.policy_id = p.policy_id
		UNION ALL
		SELECT k.column_name, k.column_type, k.keys, 'keys' FROM privacct.group_key k WHERE k.policy_id = p.policy_id
		UNION ALL
		SELECT m.column_name, m.column_type, array_remove(m.points, NULL), 'domain' FROM privacct.domain m WHERE m.policy_id = p.policy_id
	LOOP
		c := privacct._column_type(p.relation, d.column_name);
		IF c.type <> d.column_type OR (d.keys IS NOT NULL AND NOT c.deterministic) THEN
			RAISE EXCEPTION 'the % of column "%" were declared for type %', d.what, d.column_name, d.column_type
				USING ERRCODE = 'PA004',
					  HINT = format('Call privacct.drop_%s() first.', d.what);
		ELSIF d.keys IS NOT NULL THEN
			PERFORM privacct._normal_keys(d.keys, c.type, c.full_type);
			PERFORM privacct._check_storage(p.relation, d.column_name);
		END IF;
	END LOOP;
END
$$;

REVOKE ALL ON FUNCTION privacct._check_storage(regclass, name), privacct._warn_of_storage(regclass, name, int, text) FROM PUBLIC;
