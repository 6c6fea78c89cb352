--
-- Books that are a copy.
--
-- A copy of a database, and a dump that is restored in place of what was there, have
-- books too, in which the charges made elsewhere are missing.  So it is written down
-- which database the books are of, and DROP EXTENSION leaves with the database how
-- many charges its books had.  Where that does not fit nothing is charged until a
-- superuser says that these books count.
--
-- Books have a name of their own too, which is dumped with them: where those of two
-- databases are in one, the same numbers mean different policies and charges, and
-- whatever is made of that is wrong.
--

CREATE TABLE privacct.identity (
	books uuid PRIMARY KEY,
	encoding name NOT NULL,
	made_at timestamptz NOT NULL
);
COMMENT ON TABLE privacct.identity IS 'which books these are: one row, from the first policy on, or two if the books of two databases are in one';
COMMENT ON COLUMN privacct.identity.books IS 'made once, and dumped with the books';
COMMENT ON COLUMN privacct.identity.encoding IS 'of the database: owners of the local regime are known again by the bytes that they had in it';
COMMENT ON COLUMN privacct.identity.made_at IS 'when the first policy was made';
SELECT pg_catalog.pg_extension_config_dump('privacct.identity', '');
REVOKE ALL ON privacct.identity FROM PUBLIC;

CREATE TABLE privacct.home (
	one boolean PRIMARY KEY DEFAULT true CHECK (one),
	database oid NOT NULL,
	last_charge bigint,
	charged_at timestamptz,
	CHECK ((last_charge IS NULL) = (charged_at IS NULL))
);
COMMENT ON TABLE privacct.home IS 'where the books are at home: one row, which is not dumped';
COMMENT ON COLUMN privacct.home.database IS 'the database that the first policy was made in, or restored to';
COMMENT ON COLUMN privacct.home.last_charge IS 'of books that were dropped here, and in whose place others were restored: a charge that is in the ledger, unless the others are older; null: there were none';
COMMENT ON COLUMN privacct.home.charged_at IS 'when that was charged';
REVOKE ALL ON privacct.home FROM PUBLIC;

CREATE FUNCTION privacct._here() RETURNS oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT d.oid FROM pg_database d WHERE d.datname = current_database()
$$;
COMMENT ON FUNCTION privacct._here() IS 'the database';
INSERT INTO privacct.home (database) VALUES (privacct._here());

-- What DROP EXTENSION left, beside the database.
CREATE FUNCTION privacct._dropped(OUT last_charge bigint, OUT charged_at timestamptz)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT max(substring(c.setting, '=(\d+)@')::bigint), max(split_part(c.setting, '@', 2)::timestamptz)
	FROM pg_db_role_setting s CROSS JOIN LATERAL unnest(s.setconfig) c(setting)
	WHERE s.setdatabase = privacct._here() AND s.setrole = 0 AND c.setting ~ '^privacct\.dropped_books=\d+@'
$$;
COMMENT ON FUNCTION privacct._dropped() IS 'of the books that were dropped in this database last: the last charge';

CREATE FUNCTION privacct._leave_mark() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	mark text := (SELECT format('%s@%s', l.charge_id, to_char(l.charged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')) FROM privacct.ledger l ORDER BY l.charge_id DESC LIMIT 1);
BEGIN
	IF mark IS NOT NULL THEN
		EXECUTE format('ALTER DATABASE %I SET privacct.dropped_books = %L', current_database(), mark);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._leave_mark() IS 'lets the database remember that it had books, and how far they went';

-- A policy that is older than the last charge of books that are gone was restored.  Each
-- is looked at as it comes.
CREATE FUNCTION privacct._find_home() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	dropped record;
BEGIN
	IF TG_WHEN = 'BEFORE' THEN
		INSERT INTO privacct.home AS h (database)
		SELECT privacct._here() WHERE NOT EXISTS (SELECT FROM privacct.policy)
		ON CONFLICT ON CONSTRAINT home_pkey DO UPDATE SET database = excluded.database WHERE h.database <> excluded.database;
		RETURN NULL;
	END IF;
	dropped := privacct._dropped();
	UPDATE privacct.home h SET last_charge = dropped.last_charge, charged_at = dropped.charged_at
	WHERE h.charged_at IS DISTINCT FROM dropped.charged_at AND EXISTS (SELECT FROM new_policy p WHERE p.created_at < dropped.charged_at);
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._find_home() IS 'the first policies make the database the home of the books, unless it had others';
CREATE TRIGGER home_before BEFORE INSERT ON privacct.policy FOR EACH STATEMENT EXECUTE FUNCTION privacct._find_home();
CREATE TRIGGER home_after AFTER INSERT ON privacct.policy REFERENCING NEW TABLE AS new_policy FOR EACH STATEMENT EXECUTE FUNCTION privacct._find_home();
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER home_before;
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER home_after;
COMMENT ON TRIGGER home_before ON privacct.policy IS 'the first policies make the database the home of the books';
COMMENT ON TRIGGER home_after ON privacct.policy IS 'notices books that are older than those that were dropped';

-- Rows that another server sends: what is charged there after the subscription has ended does not arrive.
CREATE FUNCTION privacct._find_copy() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF (SELECT s.backend_type FROM pg_stat_get_activity(pg_backend_pid()) s) IS DISTINCT FROM 'logical replication worker' THEN
		RETURN NEW;
	END IF;
	IF TG_TABLE_NAME = 'home' THEN
		NEW.database := 0::oid;
	ELSE
		UPDATE privacct.home h SET database = 0::oid WHERE h.database <> 0::oid;
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._find_copy() IS 'books that a subscription brings, or changes, are a copy, also when it has ended';
-- the condition is looked at by the server itself: a charge calls no function for this
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT * FROM (VALUES ('policy', 'AFTER'), ('account', 'AFTER'), ('home', 'BEFORE')) v(name, time) LOOP
		EXECUTE pg_catalog.format('CREATE TRIGGER sent %s INSERT OR UPDATE ON privacct.%I FOR EACH ROW'
			' WHEN (pg_catalog.current_setting(''session_replication_role'') = ''replica'') EXECUTE FUNCTION privacct._find_copy()', t.time, t.name);
		EXECUTE pg_catalog.format('ALTER TABLE privacct.%I ENABLE ALWAYS TRIGGER sent', t.name);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER sent ON privacct.%I IS %L', t.name, 'books that a subscription brings are a copy');
	END LOOP;
END
$$;

-- Other types have the same bytes in all encodings.
CREATE VIEW privacct._recoded WITH (security_barrier) AS
SELECT p.policy_id, p.relation_name, i.encoding
FROM privacct.identity i JOIN privacct.policy p ON p.regime = 'local' AND p.closed_at IS NULL
JOIN pg_catalog.pg_attribute a ON a.attrelid = p.relation AND a.attname = p.owner_column
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE i.encoding <> pg_catalog.getdatabaseencoding()
AND t.typcategory NOT IN ('N', 'D', 'T', 'B', 'I') AND a.atttypid <> 'pg_catalog.uuid'::pg_catalog.regtype
AND EXISTS (SELECT FROM privacct.owner_key k WHERE k.policy_id = p.policy_id);
COMMENT ON VIEW privacct._recoded IS 'local policies whose owners were asked in a database of another encoding, and would not be known again';
REVOKE ALL ON privacct._recoded FROM PUBLIC;

CREATE VIEW privacct._away WITH (security_barrier) AS
SELECT CASE WHEN h.database <> privacct._here() THEN 'the books are a copy' ELSE 'the books are older than those that were here' END AS problem,
	CASE WHEN h.database <> privacct._here() THEN 'They are of another database: what is charged there is not known here. Nothing is released.'
		ELSE pg_catalog.format('The last charge of those that were dropped here, at %s, is not in these. Nothing is released.', h.charged_at) END AS detail,
	'SELECT privacct.accept_books(), as a superuser who answers for what is not in them' AS remedy
FROM privacct.home h
WHERE h.database <> privacct._here()
OR h.last_charge IS NOT NULL AND NOT EXISTS (SELECT FROM privacct.ledger l WHERE l.charge_id = h.last_charge AND l.charged_at = h.charged_at)
UNION ALL
SELECT 'the books of more than one database are in this one', pg_catalog.format('The same numbers stand for different policies and charges in each of them: %s. Nothing is released.',
		pg_catalog.string_agg(i.books::text, ', ' ORDER BY i.made_at, i.books)),
	'restore each dump into a database of its own'
FROM privacct.identity i HAVING pg_catalog.count(*) > 1
UNION ALL
SELECT DISTINCT 'owners cannot be recognized', pg_catalog.format('They were asked in a database with the encoding %s; by their keys they are others here. Of %s nothing is released.', r.encoding, r.relation_name),
	pg_catalog.format('restore into a database with the encoding %s, or unprotect the table and protect it again: every owner then starts with the most that one has lost', r.encoding)
FROM privacct._recoded r;
COMMENT ON VIEW privacct._away IS 'books that do not belong to the database, and what to do';
REVOKE ALL ON privacct._away FROM PUBLIC;

CREATE FUNCTION privacct._check_identity() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF (SELECT count(*) FROM privacct.identity) > 1 THEN
		RAISE EXCEPTION 'the books of more than one database are in this one'
			USING ERRCODE = 'PA004',
				  DETAIL = 'The same numbers stand for different policies and charges in each of them.',
				  HINT = 'Restore each dump into a database of its own.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_identity() IS 'books are not changed, nor repaired, where there are those of two databases';

CREATE FUNCTION privacct._identify() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.identity) THEN
		LOCK TABLE privacct.identity IN SHARE ROW EXCLUSIVE MODE;		-- whoever is second sees the name that the first gave
		INSERT INTO privacct.identity SELECT gen_random_uuid(), getdatabaseencoding(), now() WHERE NOT EXISTS (SELECT FROM privacct.identity);
	END IF;
	PERFORM privacct._check_identity();
	IF EXISTS (SELECT FROM privacct.identity i WHERE i.encoding <> getdatabaseencoding()) THEN		-- or every policy is looked at
		UPDATE privacct.identity i SET encoding = getdatabaseencoding() WHERE i.encoding <> getdatabaseencoding() AND NOT EXISTS (SELECT FROM privacct._recoded);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._identify() IS 'gives books a name with their first policy';

CREATE FUNCTION privacct.accept_books() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	away record;
	other text := (SELECT string_agg(r.relation_name, ', ' ORDER BY r.relation_name) FROM privacct._recoded r);
BEGIN
	PERFORM privacct._check_identity();
	IF other IS NOT NULL THEN
		RAISE EXCEPTION 'owners of % cannot be recognized', other
			USING ERRCODE = 'PA004',
				  DETAIL = 'They were asked in a database with another encoding; by their keys they are others here.',
				  HINT = 'Restore into a database with that encoding, or unprotect the table and protect it again: every owner then starts with the most that one has lost.';
	END IF;
	SELECT a.* INTO away FROM privacct._away a;
	INSERT INTO privacct.home (database) VALUES (privacct._here())
	ON CONFLICT ON CONSTRAINT home_pkey DO UPDATE SET database = excluded.database, last_charge = NULL, charged_at = NULL;
	EXECUTE format('ALTER DATABASE %I RESET privacct.dropped_books', current_database());
	IF away.problem IS NOT NULL THEN
		UPDATE privacct.identity SET books = gen_random_uuid();		-- from now on they are others than those that they were copied from
		RAISE WARNING 'charges that are not in these books no longer count'
			USING DETAIL = format('It was noticed that %s.', away.problem),
				  HINT = 'If tables still have their rows, protect them again with an epsilon that is smaller by what was spent.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct.accept_books() IS 'the books count in this database, though they are a copy, or older than those that were there: for superusers, who answer for what is not in them';

-- the view that tells of discrepancies calls _here()
REVOKE ALL ON FUNCTION privacct._dropped(), privacct._leave_mark(), privacct._find_home(), privacct._find_copy(), privacct._check_identity(), privacct._identify(), privacct.accept_books() FROM PUBLIC;

-- books that were kept before they had a name
DO $$
BEGIN
	IF EXISTS (SELECT FROM privacct.policy) THEN
		PERFORM privacct._identify();
	END IF;
END
$$;
