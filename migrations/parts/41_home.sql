-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Books that are a copy.
--

--
-- Books that are a copy.
--
-- A copy of a database, and whatever a dump brings, has books too, in which the charges
-- made elsewhere, or since, are missing.  So it is written down which database the books
-- are of, and which name they were given there: the name is dumped with them, and where
-- it was given is not.  Where that does not fit nothing is charged until a superuser says
-- that these books count.  Only what takes the place of books that were dropped in the
-- same database can be told to be complete: DROP EXTENSION leaves with the database how
-- far its books went.
--
-- Where there are the names of two databases' books, the same numbers mean different
-- policies and charges, and whatever is made of that is wrong.
--

CREATE OR REPLACE FUNCTION privacct._here() RETURNS oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT d.oid FROM pg_database d WHERE d.datname = current_database()
$$;
COMMENT ON FUNCTION privacct._here() IS 'the database';

-- A server that was promoted, or recovered to a point in time, may lack what was charged
-- after that point, here or elsewhere.  It goes on under another timeline.
CREATE OR REPLACE FUNCTION privacct._cluster() RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_cluster' LANGUAGE C STABLE;
COMMENT ON FUNCTION privacct._cluster() IS 'the number of the cluster, which its copies share';

CREATE OR REPLACE FUNCTION privacct._timeline() RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_timeline' LANGUAGE C STABLE;
COMMENT ON FUNCTION privacct._timeline() IS 'the timeline under which the server writes; null on a standby';

CREATE OR REPLACE FUNCTION privacct._timeline_is_followed(cluster bigint, timeline bigint) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_timeline_followed' LANGUAGE C STABLE;
COMMENT ON FUNCTION privacct._timeline_is_followed(bigint, bigint)
	IS 'false if charges that were made under this timeline may be missing';

INSERT INTO privacct.home (database, cluster, timeline, last_charge, charged_at, books, dropped_books,
		dropped_questions)
	VALUES (privacct._here(), privacct._cluster(), privacct._timeline(), NULL, NULL, NULL, NULL, NULL)
	ON CONFLICT DO NOTHING;

-- Databases of other clusters have the same numbers.
CREATE OR REPLACE FUNCTION privacct._place() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format('%s/%s', s.system_identifier, privacct._here()) FROM pg_control_system() s
$$;
COMMENT ON FUNCTION privacct._place() IS 'the cluster and the database';

-- What DROP EXTENSION left, beside the database: charge, time, place, timeline, name of the books, questions.
CREATE OR REPLACE FUNCTION privacct._left() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	-- one, or none
	SELECT max(m.mark) FROM pg_db_role_setting s CROSS JOIN LATERAL unnest(s.setconfig) c(setting)
	CROSS JOIN LATERAL substring(c.setting,
		'^privacct[.]dropped_books=([0-9]+@[^@]*@[0-9]+/[0-9]+@[0-9]+@[0-9a-f-]*@[0-9]+)$') m(mark)
	WHERE s.setdatabase = privacct._here() AND s.setrole = 0
$$;
COMMENT ON FUNCTION privacct._left() IS 'what books that were dropped last have left with this database';

-- Dumps of databases bring such settings, too, and those of another database do not vouch for books that are restored
-- in this one; nor does what was left before the server came under another timeline say that nothing was charged since.
CREATE OR REPLACE FUNCTION privacct._dropped(OUT last_charge bigint, OUT charged_at timestamptz, OUT books uuid,
	OUT questions bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	-- nulls, if there is none
	SELECT max(split_part(m.mark, '@', 1)::bigint), max(split_part(m.mark, '@', 2)::timestamptz),
		max(nullif(split_part(m.mark, '@', 5), ''))::uuid, max(split_part(m.mark, '@', 6)::bigint)
	FROM privacct._left() m(mark)
	WHERE split_part(m.mark, '@', 3) = privacct._place()
	AND privacct._timeline_is_followed(privacct._cluster(), split_part(m.mark, '@', 4)::bigint)
$$;
COMMENT ON FUNCTION privacct._dropped()
	IS 'of the books that were dropped in this database last: charge, name, questions';

-- Books that do not count leave what was left when they came: the next ones may be as old.  If nothing was, they leave
-- that they were here, in no place: that vouches for none.
CREATE OR REPLACE FUNCTION privacct._leave_mark() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	away boolean := EXISTS (SELECT FROM privacct._away);
	mark text := (SELECT format('%s@%s@%s@%s@%s@%s', l.charge_id,
		to_char(l.charged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'), l.place,
		privacct._timeline(), l.books, l.questions)
		FROM (SELECT h.last_charge AS charge_id, h.charged_at, h.dropped_books AS books,
				h.dropped_questions AS questions, privacct._place() AS place FROM privacct.home h
				WHERE away AND h.last_charge IS NOT NULL
			  UNION ALL SELECT * FROM (SELECT g.charge_id, g.charged_at,
				(SELECT i.books FROM privacct.identity i ORDER BY i.made_at, i.books LIMIT 1),
				(SELECT r.questions FROM privacct._recorded r), CASE WHEN away THEN '0/0' ELSE privacct._place() END
				FROM privacct.ledger g WHERE NOT away OR privacct._left() IS NULL AND NOT EXISTS
					(SELECT FROM privacct.home o WHERE o.last_charge IS NOT NULL)
				ORDER BY g.charge_id DESC LIMIT 1) newest) l);
BEGIN
	IF mark IS NOT NULL THEN
		EXECUTE format('ALTER DATABASE %I SET privacct.dropped_books = %L', current_database(), mark);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._leave_mark() IS 'lets the database remember that it had books, and how far they went';

-- A policy that is older than the last charge of books that are gone was restored.  Each
-- is looked at as it comes.
CREATE OR REPLACE FUNCTION privacct._find_home() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	dropped record;
BEGIN
	IF TG_WHEN = 'BEFORE' THEN
		INSERT INTO privacct.home AS h (database, cluster, timeline, last_charge, charged_at, books, dropped_books,
			dropped_questions)
		SELECT privacct._here(), privacct._cluster(), privacct._timeline(), NULL, NULL, NULL, NULL, NULL
		WHERE NOT EXISTS (SELECT FROM privacct.policy)
		ON CONFLICT ON CONSTRAINT home_pkey DO UPDATE SET database = excluded.database, cluster = excluded.cluster,
			timeline = excluded.timeline
			WHERE (h.database, h.cluster, h.timeline) IS DISTINCT FROM (excluded.database, excluded.cluster,
				excluded.timeline);
		RETURN NULL;
	END IF;
	dropped := privacct._dropped();
	UPDATE privacct.home h SET last_charge = dropped.last_charge, charged_at = dropped.charged_at,
		dropped_books = dropped.books, dropped_questions = dropped.questions
	WHERE h.charged_at IS DISTINCT FROM dropped.charged_at
		AND EXISTS (SELECT FROM new_policy p WHERE p.created_at < dropped.charged_at);
	IF FOUND THEN		-- it says nothing of what comes after these
		EXECUTE format('ALTER DATABASE %I RESET privacct.dropped_books', current_database());
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._find_home()
	IS 'the first policies make the database the home of the books, unless it had others';

-- Rows that no function of the extension wrote come from other books, or from nowhere, whatever name these are
-- given here: what they say was not promised, asked or charged here.  Of those that another server sends, what is
-- charged there after the subscription has ended does not arrive.
CREATE OR REPLACE FUNCTION privacct._note_arrival(arrived_at text, sent boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	IF sent THEN
		UPDATE privacct.home h SET database = 0::oid WHERE h.database <> 0::oid;
		RETURN;
	END IF;
	UPDATE privacct.home h SET books = NULL WHERE h.books IS NOT NULL;
	IF FOUND THEN
		RAISE WARNING 'rows of the books were written by hand'
			USING DETAIL = format('To privacct.%I. These books are a copy from now on: nothing is released.',
				arrived_at), HINT = 'See privacct.check_books().';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._note_arrival(text, boolean)
	IS 'books that get rows by hand or by a restore, or that a subscription changes, are a copy from then on';

-- Restored in parallel, rows of the books come in transactions that do not see each other, and whichever is the last
-- is to be compared with all others: so they come one after the other.
CREATE OR REPLACE FUNCTION privacct._arrive_alone() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	LOCK TABLE privacct.home IN SHARE ROW EXCLUSIVE MODE;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._arrive_alone() IS 'waits for others who restore books';

-- What is written with privacct.write_books on, and not by a function of the extension, may be anything.  So it is
-- written down who did that, for good: not only as a warning that somebody may not have read.
--
-- What was answered for is not what is written after that, also in one transaction.
CREATE OR REPLACE FUNCTION privacct._note_hand(object text, command text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	INSERT INTO privacct.written_by_hand (written_at, role, object, command, accepted_at)
	SELECT n.at, session_user, $1, $2, NULL
	FROM (SELECT CASE WHEN EXISTS (SELECT FROM privacct.written_by_hand w WHERE w.written_at >= now()
		AND w.accepted_at IS NOT NULL) THEN clock_timestamp() ELSE now() END) n(at)
	-- once a transaction; a unique index of somebody's own keeps no line out without an error
	WHERE NOT EXISTS (SELECT FROM privacct.written_by_hand w WHERE (w.written_at, w.role, w.object, w.command)
		= (n.at, session_user::text, $1, $2))
$$;
COMMENT ON FUNCTION privacct._note_hand(text, text) IS 'writes down that the books, or what keeps them, are changed';

CREATE OR REPLACE FUNCTION privacct._on_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	DELETE FROM privacct.kept_loss WHERE TG_TABLE_NAME IN ('ledger', 'ledger_line', 'ledger_sum', 'release_sum');
	PERFORM privacct._note_hand(format('privacct.%I', TG_TABLE_NAME), TG_OP);
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_hand() IS 'writes down that the books are changed by hand';

-- Lines come as they are where a restore brings them, to books that are a copy then.
CREATE OR REPLACE FUNCTION privacct._nobody_answers() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	NEW.accepted_at := NULL;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._nobody_answers() IS 'what is written down as it happens, nobody has answered for';

CREATE OR REPLACE FUNCTION privacct._refuse_answer() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'what was written to the books by hand is answered for with accept_books() only'
		USING ERRCODE = '42501',
			  DETAIL = 'That warns of what it means.',
			  HINT = 'Look at privacct.written_by_hand, then SELECT privacct.accept_books(), as a superuser.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_answer() IS 'keeps it to accept_books() to say who answers for what';

CREATE OR REPLACE FUNCTION privacct._find_arrival() RETURNS trigger
	AS 'MODULE_PATHNAME', 'pa_find_arrival' LANGUAGE C;
COMMENT ON FUNCTION privacct._find_arrival()
	IS 'calls _note_arrival for rows that come by hand, by a restore or by a subscription';

CREATE OR REPLACE FUNCTION privacct._by_subscription() RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_by_subscription' LANGUAGE C;
COMMENT ON FUNCTION privacct._by_subscription() IS 'true in a worker that writes what a publisher sends';

-- Whose books these are is not sent: there is one row.
CREATE OR REPLACE FUNCTION privacct._find_copy() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT privacct._by_subscription() THEN
		RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
	ELSIF TG_OP <> 'UPDATE' THEN
		PERFORM privacct._note_arrival(TG_TABLE_NAME, true);
		RETURN NULL;
	END IF;
	NEW.database := 0::oid;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._find_copy() IS 'books are a copy where a subscription writes whose they are';

-- An older dump of these very books, over which others were accepted since: what is in it has the numbers that it has
-- here, and rows that are here already do not arrive.  The books are a copy by what does, and by this row.
CREATE OR REPLACE FUNCTION privacct._skip_former_name() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN CASE WHEN NOT EXISTS (SELECT FROM privacct.identity i WHERE NEW.books = ANY (i.formerly)) THEN NEW END;
END
$$;
COMMENT ON FUNCTION privacct._skip_former_name() IS 'leaves out a name that the books had before they were accepted';

CREATE OR REPLACE FUNCTION privacct._check_identity() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF (SELECT count(*) FROM privacct.identity) > 1 THEN
		RAISE EXCEPTION 'the books of more than one database are in this one'
			USING ERRCODE = '42PA4',
				  DETAIL = 'The same numbers stand for different policies and charges in each of them.',
				  HINT = 'Restore each dump into a database of its own.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_identity()
	IS 'books are not changed, nor repaired, where there are those of two databases';

CREATE OR REPLACE FUNCTION privacct._books_are_empty() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT NOT EXISTS (SELECT FROM privacct._books) AND NOT EXISTS (SELECT FROM privacct.ledger_line)
		AND NOT EXISTS (SELECT FROM privacct.payer_sum) AND NOT EXISTS (SELECT FROM privacct.release_sum)
		AND NOT EXISTS (SELECT FROM privacct.owner_account) AND NOT EXISTS (SELECT FROM privacct.inherited)
		AND NOT EXISTS (SELECT FROM privacct.unrelated) AND NOT EXISTS (SELECT FROM privacct.answer)
		AND NOT EXISTS (SELECT FROM privacct.owner_key) AND NOT EXISTS (SELECT FROM privacct.owner_state)
		AND NOT EXISTS (SELECT FROM privacct.owner_state_at) AND NOT EXISTS (SELECT FROM privacct.likelihood)
$$;
COMMENT ON FUNCTION privacct._books_are_empty() IS 'true if nothing is kept of any policy yet';

-- Policies that were there before the name came from an archive of 0.1, or a dump without it.
CREATE OR REPLACE FUNCTION privacct._identify() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	given uuid;
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.identity) THEN
		-- whoever is second sees the name that the first gave
		LOCK TABLE privacct.identity IN SHARE ROW EXCLUSIVE MODE;
		INSERT INTO privacct.identity (books, encoding, made_at, accepted_to)
			SELECT gen_random_uuid(), getdatabaseencoding(), now(), NULL
			WHERE NOT EXISTS (SELECT FROM privacct.identity) RETURNING books INTO given;
		UPDATE privacct.home SET books = given WHERE given IS NOT NULL AND privacct._books_are_empty();
	END IF;
	-- those that took the place of what was dropped here, and are complete
	IF EXISTS (SELECT FROM privacct.home h WHERE h.last_charge IS NOT NULL) THEN
		UPDATE privacct.home SET books = i.books, last_charge = NULL, charged_at = NULL, dropped_books = NULL,
			dropped_questions = NULL FROM privacct.identity i
			WHERE NOT EXISTS (SELECT FROM privacct._away);
	END IF;
	-- only pg_upgrade moves books to another cluster with their home
	UPDATE privacct.home h SET cluster = privacct._cluster(), timeline = privacct._timeline()
		WHERE h.cluster <> privacct._cluster() AND privacct._timeline_is_followed(h.cluster, h.timeline);
	PERFORM privacct._check_identity();
	-- or every policy is looked at
	IF EXISTS (SELECT FROM privacct.identity i WHERE i.encoding <> getdatabaseencoding()) THEN
		UPDATE privacct.identity i SET encoding = getdatabaseencoding() WHERE i.encoding <> getdatabaseencoding()
			AND NOT EXISTS (SELECT FROM privacct._recoded);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._identify() IS 'gives books a name with their first policy';

CREATE OR REPLACE FUNCTION privacct.accept_books() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	away record;
	other text := (SELECT string_agg(r.relation_name, ', ' ORDER BY r.relation_name) FROM privacct._recoded r);
	written bigint;
BEGIN
	PERFORM privacct._require_latest();
	PERFORM privacct._check_identity();
	IF other IS NOT NULL THEN
		RAISE EXCEPTION 'owners of % cannot be recognized', other
			USING ERRCODE = '42PA4',
				  DETAIL = 'They were asked in a database with another encoding; by their keys they are others here.',
				  HINT = 'Restore into a database with that encoding, or unprotect the table and protect it again: '
					'every owner then starts with the most that one has lost.';
	END IF;
	SELECT a.* INTO away FROM privacct._away a;
	PERFORM privacct._identify();
	IF away.problem IS NOT NULL THEN
		-- from now on they are others than those that they were copied from
		UPDATE privacct.identity SET books = gen_random_uuid(), formerly = formerly || books,
			accepted_to = coalesce(accepted_to, (SELECT max(l.charge_id) FROM privacct.ledger_line l), 0);
	END IF;
	INSERT INTO privacct.home (database, books, cluster, timeline, last_charge, charged_at, dropped_books,
		dropped_questions)
		SELECT privacct._here(), i.books, privacct._cluster(), privacct._timeline(), NULL, NULL, NULL, NULL
		FROM privacct.identity i
	ON CONFLICT ON CONSTRAINT home_pkey DO UPDATE SET database = excluded.database, books = excluded.books,
		last_charge = NULL, charged_at = NULL, dropped_books = NULL, dropped_questions = NULL,
		cluster = excluded.cluster, timeline = excluded.timeline;
	EXECUTE format('ALTER DATABASE %I RESET privacct.dropped_books', current_database());
	UPDATE privacct.written_by_hand SET accepted_at = now() WHERE accepted_at IS NULL;
	GET DIAGNOSTICS written = ROW_COUNT;
	IF written > 0 THEN
		RAISE WARNING 'what was written to the books by hand counts'
			USING DETAIL = 'It stays in privacct.written_by_hand by whom, when, and to what it was written.';
	END IF;
	IF away.problem IS NOT NULL THEN
		RAISE WARNING 'charges that are not in these books no longer count'
			USING DETAIL = format('It was noticed that %s.', away.problem),
				  HINT = 'If tables still have their rows, protect them again with an epsilon that is smaller by what '
					'was spent.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct.accept_books()
	IS 'for superusers: accepts books that are a copy, or are older than those that were there; charges that they lack '
	'are forgotten';
