--
-- What owners were asked and have answered is written by the ledger's worker, past
-- triggers, and by nobody else: not changed, not deleted.  What owners start with
-- may grow, as when a table with a history is attached.
--

DO $$
DECLARE
	kept text;
BEGIN
	FOREACH kept IN ARRAY '{question,owner_key,answer,owner_state,owner_state_at}'::text[] LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE TRIGGER never_less BEFORE UPDATE OR DELETE OR TRUNCATE ON privacct.%I FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_loss()', kept);
	END LOOP;
	CREATE OR REPLACE TRIGGER never_less BEFORE DELETE OR TRUNCATE ON privacct.likelihood FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_loss();
	CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.likelihood FOR EACH ROW
		WHEN (NEW.policy_id <> OLD.policy_id OR NEW.state <> OLD.state OR NEW.log_likelihood <> OLD.log_likelihood OR NEW.answers <> OLD.answers OR NEW.error < OLD.error
			OR NEW.basic < OLD.basic OR NEW.central < OLD.central OR NEW.rho < OLD.rho OR NEW.loss < OLD.loss OR NEW.closed_loss < OLD.closed_loss OR NEW.closed <> OLD.closed)
		EXECUTE FUNCTION privacct._refuse_loss();
	CREATE OR REPLACE TRIGGER counts_questions BEFORE UPDATE ON privacct.account FOR EACH ROW
		WHEN (NEW.questions < OLD.questions)
		EXECUTE FUNCTION privacct._refuse_loss();
	FOREACH kept IN ARRAY '{question,owner_key,answer,owner_state,owner_state_at,likelihood}'::text[] LOOP
		EXECUTE pg_catalog.format('ALTER TABLE privacct.%I ENABLE ALWAYS TRIGGER never_less', kept);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER never_less ON privacct.%I IS %L', kept, 'keeps what was spent');
	END LOOP;
	ALTER TABLE privacct.likelihood ENABLE ALWAYS TRIGGER only_grows;
	COMMENT ON TRIGGER only_grows ON privacct.likelihood IS 'keeps what was spent';
	ALTER TABLE privacct.account ENABLE ALWAYS TRIGGER counts_questions;
	COMMENT ON TRIGGER counts_questions ON privacct.account IS 'keeps how many questions were recorded';
END
$$;
