-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Triggers on tables.
--

CREATE OR REPLACE TRIGGER without_table BEFORE INSERT ON privacct.policy FOR EACH ROW
	EXECUTE FUNCTION privacct._without_table();
COMMENT ON TRIGGER without_table
	ON privacct.policy IS 'closes the policy of a table that a restore does not bring; its charges stay';

CREATE OR REPLACE TRIGGER number_owner_column BEFORE INSERT ON privacct.policy FOR EACH ROW
	EXECUTE FUNCTION privacct._number_owner_column();
COMMENT ON TRIGGER number_owner_column ON privacct.policy IS 'writes down which column the owner column is';

CREATE OR REPLACE TRIGGER number_columns AFTER INSERT ON privacct.policy REFERENCING NEW TABLE AS new_policy
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._number_columns();
COMMENT ON TRIGGER number_columns ON privacct.policy
	IS 'writes down for which columns something was declared that came before the policy';

DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT * FROM (VALUES ('bound', 'column_name, column_type'), ('group_key', 'column_name, column_type'),
		('domain', 'column_name'), ('public_column', 'column_name')) v(name, columns) LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER number_column BEFORE INSERT OR UPDATE OF %s ON '
			'privacct.%I FOR EACH ROW EXECUTE FUNCTION privacct._number_column()', t.columns, t.name);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER number_column ON privacct.%I IS %L', t.name,
			'writes down which column something was declared for');
	END LOOP;
END
$$;

CREATE OR REPLACE TRIGGER of_no_edition BEFORE INSERT ON privacct.policy FOR EACH ROW
	WHEN (NEW.edition IS NOT NULL AND pg_catalog.current_setting('privacct.write_books', true) IS DISTINCT FROM 'on')
	EXECUTE FUNCTION privacct._leave_edition();
COMMENT ON TRIGGER of_no_edition ON privacct.policy IS 'a policy that a restore brings is of no edition';

CREATE OR REPLACE TRIGGER closing AFTER UPDATE OF closed_at ON privacct.policy
	FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION privacct._on_closing();
COMMENT ON TRIGGER closing ON privacct.policy IS 'all tables leave a policy that is closed';

CREATE OR REPLACE TRIGGER unwritten AFTER INSERT ON privacct.policy REFERENCING NEW TABLE AS new_policy
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._on_policies();
COMMENT ON TRIGGER unwritten ON privacct.policy IS 'notes policies without a history';

CREATE OR REPLACE TRIGGER home_before BEFORE INSERT ON privacct.policy FOR EACH STATEMENT
	EXECUTE FUNCTION privacct._find_home();
COMMENT ON TRIGGER home_before ON privacct.policy IS 'the first policies make the database the home of the books';

CREATE OR REPLACE TRIGGER home_after AFTER INSERT ON privacct.policy REFERENCING NEW TABLE AS new_policy
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._find_home();
COMMENT ON TRIGGER home_after ON privacct.policy IS 'notices books that are older than those that were dropped';

CREATE OR REPLACE TRIGGER within_promise AFTER INSERT
	ON privacct.policy REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION privacct._check_plans();
COMMENT ON TRIGGER within_promise ON privacct.policy IS 'compares rows that come with what is there';

CREATE OR REPLACE TRIGGER skip_unknown_role BEFORE INSERT ON privacct.quota
	FOR EACH ROW EXECUTE FUNCTION privacct._skip_unknown_role();
COMMENT ON TRIGGER skip_unknown_role ON privacct.quota IS 'leaves out rows of roles that do not exist';

CREATE OR REPLACE TRIGGER skip_unknown_role BEFORE INSERT ON privacct.account
	FOR EACH ROW EXECUTE FUNCTION privacct._skip_unknown_role();
COMMENT ON TRIGGER skip_unknown_role ON privacct.account IS 'leaves out rows of roles that do not exist';

CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.account FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.rho < OLD.rho
		OR NEW.releases < OLD.releases)
	EXECUTE FUNCTION privacct._refuse_loss();

CREATE OR REPLACE TRIGGER counts_questions BEFORE UPDATE ON privacct.account FOR EACH ROW
	WHEN (NEW.questions < OLD.questions)
	EXECUTE FUNCTION privacct._refuse_loss();
COMMENT ON TRIGGER counts_questions ON privacct.account IS 'keeps how many questions were recorded';

CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.owner_account FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.owner <> OLD.owner OR NEW.epsilon < OLD.epsilon
		OR NEW.delta < OLD.delta)
	EXECUTE FUNCTION privacct._refuse_loss();

CREATE OR REPLACE TRIGGER forget_unknown_role BEFORE INSERT ON privacct.slot
	FOR EACH ROW EXECUTE FUNCTION privacct._forget_unknown_role();
COMMENT ON TRIGGER forget_unknown_role ON privacct.slot IS 'makes a slot of a role that does not exist nobody''s';

CREATE OR REPLACE TRIGGER within_promise AFTER INSERT
	ON privacct.slot REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION privacct._check_plans();
COMMENT ON TRIGGER within_promise ON privacct.slot IS 'compares rows that come with what is there';

-- A plan has no more releases than it was made for.
CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.slot FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.slot <> OLD.slot OR NEW.plan_id <> OLD.plan_id OR NEW.used < OLD.used
		OR NEW.releases > OLD.releases)
	EXECUTE FUNCTION privacct._refuse_loss();
COMMENT ON TRIGGER only_grows ON privacct.slot IS 'keeps what was spent';

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON privacct.ledger_line
	FOR EACH ROW EXECUTE FUNCTION privacct._refuse_change();
COMMENT ON TRIGGER append_only ON privacct.ledger_line IS 'keeps the ledger append-only';

CREATE OR REPLACE TRIGGER never_emptied BEFORE TRUNCATE ON privacct.ledger_line
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_change();
COMMENT ON TRIGGER never_emptied ON privacct.ledger_line IS 'keeps the ledger append-only';

-- its function writes lines for whoever inserts into the view, who is noticed here
CREATE OR REPLACE TRIGGER settled AFTER INSERT ON privacct.ledger FOR EACH STATEMENT
	WHEN (pg_catalog.current_setting('privacct.write_books', true) IS DISTINCT FROM 'on')
		EXECUTE FUNCTION privacct._on_arrival();
COMMENT ON TRIGGER settled ON privacct.ledger IS 'compares rows that come with what is there';

-- What owners were asked and have answered is written by the ledger's worker.  What
-- they start with may grow, as when a table with a history is attached.
CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.likelihood FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.state <> OLD.state OR NEW.log_likelihood <> OLD.log_likelihood
		OR NEW.answers <> OLD.answers OR NEW.error < OLD.error
		OR NEW.basic < OLD.basic OR NEW.central < OLD.central OR NEW.rho < OLD.rho OR NEW.loss < OLD.loss
		OR NEW.closed_loss < OLD.closed_loss OR NEW.closed <> OLD.closed OR NEW.folded < OLD.folded
		OR NEW.steps < OLD.steps)
	EXECUTE FUNCTION privacct._refuse_loss();
COMMENT ON TRIGGER only_grows ON privacct.likelihood IS 'keeps what was spent';

CREATE OR REPLACE TRIGGER frozen BEFORE UPDATE OR DELETE ON privacct.prior
	FOR EACH ROW EXECUTE FUNCTION privacct._refuse_thaw();
COMMENT ON TRIGGER frozen ON privacct.prior IS 'keeps priors and their curves as they were declared';

CREATE OR REPLACE TRIGGER never_emptied BEFORE TRUNCATE ON privacct.prior
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_thaw();
COMMENT ON TRIGGER never_emptied ON privacct.prior IS 'keeps priors and their curves as they were declared';

CREATE OR REPLACE TRIGGER skip_absent_table BEFORE INSERT ON privacct.public_table FOR EACH ROW
	EXECUTE FUNCTION privacct._skip_absent_table();
COMMENT ON TRIGGER skip_absent_table ON privacct.public_table IS 'leaves out rows of tables that do not exist';

CREATE OR REPLACE TRIGGER skip_absent_table BEFORE INSERT ON privacct.public_fanout FOR EACH ROW
	EXECUTE FUNCTION privacct._skip_absent_table();
COMMENT ON TRIGGER skip_absent_table ON privacct.public_fanout IS 'leaves out rows of tables that do not exist';

CREATE OR REPLACE TRIGGER know_taken BEFORE INSERT ON privacct.catalog_taken FOR EACH ROW
	EXECUTE FUNCTION privacct._know_taken();
COMMENT ON TRIGGER know_taken ON privacct.catalog_taken IS 'lets rows of a dump come to those that are there';

CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.ledger_sum FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.charge_id < OLD.charge_id OR NEW.epsilon < OLD.epsilon
		OR NEW.delta < OLD.delta OR NEW.rho < OLD.rho OR NEW.charges < OLD.charges
		OR NEW.folded_epsilon < OLD.folded_epsilon OR NEW.folded_delta < OLD.folded_delta
		OR NEW.folded_rho < OLD.folded_rho OR NEW.folded_charges < OLD.folded_charges)
	EXECUTE FUNCTION privacct._refuse_loss();

CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.payer_sum FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.payer <> OLD.payer OR NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta
		OR NEW.rho < OLD.rho OR NEW.charges < OLD.charges)
	EXECUTE FUNCTION privacct._refuse_loss();

CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.release_sum FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.hash <> OLD.hash OR NEW.charges < OLD.charges)
	EXECUTE FUNCTION privacct._refuse_loss();

CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.written_by_hand FOR EACH ROW
	WHEN ((NEW.written_at, NEW.role, NEW.object, NEW.command) IS DISTINCT FROM (OLD.written_at, OLD.role, OLD.object,
		OLD.command) OR OLD.accepted_at IS NOT NULL)
	EXECUTE FUNCTION privacct._refuse_loss();

CREATE OR REPLACE TRIGGER born BEFORE INSERT ON privacct.written_by_hand FOR EACH ROW
	WHEN (NEW.accepted_at IS NOT NULL AND pg_catalog.current_setting('privacct.write_books', true) = 'on')
	EXECUTE FUNCTION privacct._nobody_answers();
COMMENT ON TRIGGER born ON privacct.written_by_hand IS 'nobody has answered yet for what is written now';

CREATE OR REPLACE TRIGGER answered_for BEFORE UPDATE ON privacct.written_by_hand FOR EACH ROW
	WHEN (NEW.accepted_at IS DISTINCT FROM OLD.accepted_at
		AND pg_catalog.current_setting('privacct.by_hand', true) IS DISTINCT FROM 'off')
	EXECUTE FUNCTION privacct._refuse_answer();
COMMENT ON TRIGGER answered_for ON privacct.written_by_hand IS 'keeps answers to accept_books()';

CREATE OR REPLACE TRIGGER number_owner_column BEFORE INSERT ON privacct.history FOR EACH ROW
	EXECUTE FUNCTION privacct._number_owner_column();
COMMENT ON TRIGGER number_owner_column ON privacct.history IS 'writes down which column the owner column is';

CREATE OR REPLACE TRIGGER new_name AFTER UPDATE OF relation_name ON privacct.history FOR EACH ROW
	WHEN (NEW.relation_name <> OLD.relation_name AND NEW.left_at IS NULL) EXECUTE FUNCTION privacct._check_new_name();
COMMENT ON TRIGGER new_name ON privacct.history IS 'a protected table does not take the name of another';

CREATE OR REPLACE TRIGGER new_columns AFTER UPDATE OF columns ON privacct.history FOR EACH ROW
	WHEN (NEW.columns <> OLD.columns AND NEW.left_at IS NULL AND NEW.columns <> ALL (OLD.column_lists))
	EXECUTE FUNCTION privacct._on_new_columns();
COMMENT ON TRIGGER new_columns ON privacct.history IS 'tells of a protected table that gets the columns of another';

CREATE OR REPLACE TRIGGER insert_line INSTEAD OF INSERT ON privacct.ledger FOR EACH ROW
	EXECUTE FUNCTION privacct._insert_line();
COMMENT ON TRIGGER insert_line ON privacct.ledger IS 'stores a line of the ledger';

-- without the second nobody gets as far as the first
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON privacct.ledger FOR EACH STATEMENT
	EXECUTE FUNCTION privacct._refuse_change();
COMMENT ON TRIGGER append_only ON privacct.ledger IS 'keeps the ledger append-only';

CREATE OR REPLACE TRIGGER append_only_lines INSTEAD OF UPDATE OR DELETE ON privacct.ledger FOR EACH ROW
	EXECUTE FUNCTION privacct._refuse_change();
COMMENT ON TRIGGER append_only_lines ON privacct.ledger IS 'keeps the ledger append-only';

--
-- Triggers that many tables have.
--

-- Sessions forget what concerns the table that changed.  Histories are written without the library as well, when
-- nobody remembers anything.
DO $$
DECLARE
	changed text;
	condition text;
BEGIN
	FOREACH changed IN ARRAY
		'{policy,history,bound,group_key,quota,domain,public_column,prior,public_table,public_fanout}'::text[] LOOP
		condition := CASE changed WHEN 'history'
			THEN 'WHEN (pg_catalog.current_setting(''privacct.queue_size'', true) IS NOT NULL)' END;
		EXECUTE pg_catalog.format(
			'CREATE OR REPLACE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE ON privacct.%I'
			' FOR EACH ROW %s EXECUTE FUNCTION privacct._policy_changed()', changed, condition);
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER policies_gone AFTER TRUNCATE ON privacct.%I'
			' FOR EACH STATEMENT %s EXECUTE FUNCTION privacct._policy_changed()', changed, condition);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER policy_changed ON privacct.%I IS %L', changed,
			'invalidates plans over the table');
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER policies_gone ON privacct.%I IS %L', changed,
			'invalidates plans');
	END LOOP;
END
$$;

-- What was spent stays; only_grows, above, says of each table what that means when a row is updated.  Triggers of rows
-- see a change by whatever way it comes, those of statements only if the statement names the table.
DO $$
DECLARE
	kept text;
	t record;
BEGIN
	FOREACH kept IN ARRAY
		'{policy,account,owner_account,history,inherited,ledger_sum,payer_sum,release_sum,identity,'
		'written_by_hand}'::text[] LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER never_less BEFORE DELETE ON privacct.%I FOR EACH ROW '
			'EXECUTE FUNCTION privacct._refuse_loss()', kept);
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER never_emptied BEFORE TRUNCATE ON privacct.%I '
			'FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_loss()', kept);
	END LOOP;
	FOR t IN SELECT g.tgrelid::pg_catalog.regclass AS relation, g.tgname FROM pg_catalog.pg_trigger g
		WHERE g.tgfoid = 'privacct._refuse_loss()'::pg_catalog.regprocedure
		AND g.tgname IN ('never_less', 'never_emptied', 'only_grows')
	LOOP
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER %I ON %s IS %L', t.tgname, t.relation, 'keeps what was spent');
	END LOOP;
END
$$;

CREATE OR REPLACE TRIGGER former_name BEFORE INSERT ON privacct.identity FOR EACH ROW
	EXECUTE FUNCTION privacct._skip_former_name();
COMMENT ON TRIGGER former_name ON privacct.identity IS 'leaves out a name that the books had';

CREATE OR REPLACE TRIGGER sent BEFORE INSERT OR UPDATE OR DELETE ON privacct.home FOR EACH ROW
	WHEN (pg_catalog.current_setting('session_replication_role') = 'replica') EXECUTE FUNCTION privacct._find_copy();
COMMENT ON TRIGGER sent ON privacct.home IS 'books that a subscription brings are a copy';

DO $$
DECLARE
	source text;
BEGIN
	FOREACH source IN ARRAY '{likelihood,owner_state,owner_state_at}'::text[] LOOP
		EXECUTE pg_catalog.format(
			'CREATE OR REPLACE TRIGGER forget_copies AFTER INSERT OR UPDATE OR TRUNCATE ON privacct.%I FOR EACH '
			'STATEMENT EXECUTE FUNCTION privacct._forget_copies()', source);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER forget_copies ON privacct.%I IS %L', source,
			'copies of states are not used again');
	END LOOP;
END
$$;

-- Whichever of them is the last of an archive.  While a part is missing the ledger says less, never more; slots, of
-- which that is not so, are left to repair_books().
DO $$
DECLARE
	part text;
BEGIN
	FOREACH part IN ARRAY '{policy,account,ledger_line,ledger_sum,release_sum,inherited}'::text[] LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER settled AFTER INSERT ON privacct.%I FOR EACH STATEMENT '
			'WHEN (pg_catalog.current_setting(''privacct.write_books'', true) IS DISTINCT FROM ''on'') EXECUTE '
			'FUNCTION privacct._on_arrival()', part);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER settled ON privacct.%I IS %L', part,
			'compares rows that come with what is there');
	END LOOP;
END
$$;

-- Whoever writes a row of the books by hand, or restores one, is noticed.  (Rows of what hardening took are no part of
-- the books.)  The condition is looked at by the server itself: a charge calls no
-- function for it.
DO $$
DECLARE
	kept text;
BEGIN
	FOR kept IN SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace
		AND c.relkind = 'r' AND c.relname NOT IN ('home', 'catalog_object', 'catalog_taken') LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER arrival BEFORE INSERT ON privacct.%I FOR EACH ROW '
			'WHEN (pg_catalog.current_setting(''privacct.write_books'', true) IS DISTINCT FROM ''on'') EXECUTE '
			'FUNCTION privacct._find_arrival()', kept);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER arrival ON privacct.%I IS %L', kept,
			'notices rows that no function of the extension wrote');
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER alone BEFORE INSERT ON privacct.%I FOR EACH STATEMENT '
			'WHEN (pg_catalog.current_setting(''privacct.write_books'', true) IS DISTINCT FROM ''on'') EXECUTE '
			'FUNCTION privacct._arrive_alone()', kept);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER alone ON privacct.%I IS %L', kept,
			'rows that are restored come after those that others restore');
	END LOOP;
END
$$;

-- the lines that its function writes are the extension's
CREATE OR REPLACE TRIGGER arrival AFTER INSERT ON privacct.ledger FOR EACH STATEMENT
	WHEN (pg_catalog.current_setting('privacct.write_books', true) IS DISTINCT FROM 'on')
		EXECUTE FUNCTION privacct._find_arrival();
COMMENT ON TRIGGER arrival ON privacct.ledger IS 'notices rows that no function of the extension wrote';

-- And whoever changes one with privacct.write_books on.  The condition is looked at by the server itself;
-- it is false where the library is not loaded, which knows whose function writes.
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT c.relname AS name,
		CASE c.relkind WHEN 'v' THEN 'INSERT' ELSE 'INSERT OR UPDATE OR DELETE OR TRUNCATE' END AS commands
		FROM pg_catalog.pg_class c WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace
		AND (c.relkind = 'r' OR c.relname = 'ledger')
	LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER by_hand AFTER %s ON privacct.%I FOR EACH STATEMENT '
			'WHEN (pg_catalog.current_setting(''privacct.by_hand'', true) = ''on'') EXECUTE FUNCTION '
			'privacct._on_hand()', t.commands, t.name);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER by_hand ON privacct.%I IS %L', t.name,
			'writes down who changes the table by hand');
	END LOOP;
END
$$;

-- Every table is for the functions of the extension only: those that write to it are made
-- with SET privacct.write_books = on.
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN
		SELECT c.relname AS name,
			CASE WHEN c.relpersistence = 'u' OR c.relname IN ('made', 'kept_loss') THEN 'INSERT OR ' END AS more,
			coalesce(w.way, 'What was spent stays spent; privacct.check_books() shows what does not agree, and the '
			'remedy.') AS way
		FROM pg_class c
		LEFT JOIN (VALUES
			('policy', 'Use privacct.unprotect() and privacct.protect() in one transaction: what was spent is carried '
			'over.'),
			('bound', 'Use privacct.set_bounds().'),
			('group_key', 'Use privacct.set_keys().'),
			('quota', 'Use privacct.grant_budget() and privacct.revoke_budget().'),
			('slot', 'Use privacct.plan_budget().'),
			('domain', 'Use privacct.set_domain(), or protect the entries anew.'),
			('public_column', 'Use privacct.set_public(), or protect the entries anew.'),
			('prior', 'privacct.set_priors() declares the next version.'),
			('stored_release', 'privacct.set_repeats() forgets the releases of a table.'),
			('kept_loss', 'privacct.odometer shows what releases lose.'),
			('public_table', 'Use privacct.declare_public() and privacct.drop_public().'),
			('public_fanout', 'Use privacct.declare_public() and privacct.drop_public().'),
			('catalog_object', 'Use privacct.harden_catalog() and privacct.soften_catalog().'),
			('catalog_taken', 'Use privacct.harden_catalog() and privacct.soften_catalog().'),
			('history', 'Protect a table with inherits or fresh, to say what it has to do with another.'),
			('inherited', 'Protect a table with inherits or fresh, to say what it has to do with another.'))
			w(name, way) ON w.name = c.relname
		WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p')
	LOOP
		EXECUTE format('CREATE OR REPLACE TRIGGER only_by_functions BEFORE %sUPDATE OR DELETE ON privacct.%I '
			'FOR EACH ROW WHEN (pg_catalog.current_setting(''privacct.write_books'', true) IS DISTINCT FROM ''on'') '
			'EXECUTE FUNCTION privacct._refuse_by_hand(%L)', t.more, t.name, t.way);
		EXECUTE format('CREATE OR REPLACE TRIGGER only_emptied_by_functions BEFORE TRUNCATE ON privacct.%I '
			'FOR EACH STATEMENT WHEN (pg_catalog.current_setting(''privacct.write_books'', true) IS DISTINCT FROM '
			'''on'') EXECUTE FUNCTION privacct._refuse_by_hand(%L)', t.name, t.way);
		EXECUTE format('COMMENT ON TRIGGER only_by_functions ON privacct.%I IS %L', t.name,
			'keeps the table to the functions of the extension');
		EXECUTE format('COMMENT ON TRIGGER only_emptied_by_functions ON privacct.%I IS %L', t.name,
			'keeps the table to the functions of the extension');
	END LOOP;
END
$$;

-- As 79_as_dumped.sql: what pg_upgrade makes of a condition is written with other words.
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT g.oid FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_class c ON c.oid = g.tgrelid
		WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND NOT g.tgisinternal LOOP
		EXECUTE pg_catalog.regexp_replace(pg_catalog.pg_get_triggerdef(t.oid), '^CREATE ', 'CREATE OR REPLACE ');
	END LOOP;
END
$$;

-- All fire always.  A restore of data only may disable them and enable them as others are
-- enabled, which in a session with session_replication_role = replica is not at all.
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT g.tgrelid::regclass AS relation, g.tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
		WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p') AND NOT g.tgisinternal
			AND g.tgenabled <> 'A'
	LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', t.relation, t.tgname);
	END LOOP;
END
$$;
