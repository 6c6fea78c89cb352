-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Event triggers.
--

CREATE EVENT TRIGGER privacct_ddl_end ON ddl_command_end
	WHEN TAG IN ('GRANT', 'ALTER TABLE', 'ALTER FOREIGN TABLE', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO',
		'CREATE FOREIGN TABLE', 'ALTER TYPE', 'IMPORT FOREIGN SCHEMA', 'CREATE RULE', 'CREATE POLICY', 'CREATE SCHEMA',
		'CREATE EXTENSION', 'ALTER EXTENSION', 'CREATE SEQUENCE', 'ALTER SEQUENCE', 'ALTER DOMAIN',
		'ALTER FUNCTION', 'ALTER PROCEDURE', 'ALTER ROUTINE', 'ALTER AGGREGATE', 'ALTER SCHEMA', 'CREATE VIEW',
		'ALTER VIEW', 'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW')
	EXECUTE FUNCTION privacct._on_ddl_end();
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_ddl_end IS 'refuses changes that would undermine a policy';

CREATE EVENT TRIGGER privacct_drop ON sql_drop EXECUTE FUNCTION privacct._on_drop();
ALTER EVENT TRIGGER privacct_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_drop IS 'keeps policies in step with dropped tables and columns';

CREATE EVENT TRIGGER privacct_public_drop ON sql_drop EXECUTE FUNCTION privacct._on_public_drop();
ALTER EVENT TRIGGER privacct_public_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_public_drop IS 'a table that is dropped is no longer public';

CREATE EVENT TRIGGER privacct_foundation ON ddl_command_end EXECUTE FUNCTION privacct._on_foundation_change();
ALTER EVENT TRIGGER privacct_foundation ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_foundation
	IS 'refuses to give others what a protected table rests on, or to let it rest on what is of others';

-- The names of these triggers are before those that write the history, which says what an edition had, and after that
-- which closes the policies of tables that are dropped.
CREATE EVENT TRIGGER privacct_edition ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'ALTER FOREIGN TABLE',
		'CREATE TABLE', 'CREATE FOREIGN TABLE', 'CREATE SCHEMA', 'CREATE TRIGGER', 'ALTER TRIGGER')
	EXECUTE FUNCTION privacct._on_edition_change();
ALTER EVENT TRIGGER privacct_edition ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_edition IS 'refuses commands that would change a table of an edition';

CREATE EVENT TRIGGER privacct_edition_drop ON sql_drop EXECUTE FUNCTION privacct._on_edition_change();
ALTER EVENT TRIGGER privacct_edition_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_edition_drop IS 'refuses to drop parts of a table of an edition';

CREATE EVENT TRIGGER privacct_edition_rewrite ON table_rewrite EXECUTE FUNCTION privacct._on_edition_change();
ALTER EVENT TRIGGER privacct_edition_rewrite ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_edition_rewrite IS 'refuses to rewrite columns of a table of an edition';

-- The name of this trigger is after that of privacct_ddl_end: a tree that cannot be protected is refused first.
CREATE EVENT TRIGGER privacct_history ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'ALTER TYPE', 'ALTER VIEW',
		'ALTER MATERIALIZED VIEW', 'ALTER FOREIGN TABLE', 'ALTER INDEX', 'CREATE TABLE', 'CREATE FOREIGN TABLE',
		'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE EXTENSION', 'ALTER EXTENSION')
	EXECUTE FUNCTION privacct._on_member_change();
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_history
	IS 'follows tables with a history, and refuses to bring them under a policy that does not know it';

CREATE EVENT TRIGGER privacct_rewrite ON table_rewrite EXECUTE FUNCTION privacct._on_member_rewrite();
ALTER EVENT TRIGGER privacct_rewrite ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_rewrite
	IS 'refuses, without the library, to rewrite columns of tables whose owners the books know';

CREATE EVENT TRIGGER privacct_history_drop ON sql_drop EXECUTE FUNCTION privacct._on_member_drop();
ALTER EVENT TRIGGER privacct_history_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_history_drop IS 'keeps the history of a table that is dropped';

CREATE EVENT TRIGGER privacct_marks ON ddl_command_end WHEN TAG IN ('REVOKE', 'DROP OWNED')
	EXECUTE FUNCTION privacct._on_revoke();
ALTER EVENT TRIGGER privacct_marks ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_marks IS 'tells whoever takes the marks of tables that were protected';

CREATE EVENT TRIGGER privacct_subscription ON ddl_command_end WHEN TAG IN ('CREATE SUBSCRIPTION', 'ALTER SUBSCRIPTION')
	EXECUTE FUNCTION privacct._on_subscription();
ALTER EVENT TRIGGER privacct_subscription ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_subscription IS 'tells of protected tables to which a subscription writes';

CREATE EVENT TRIGGER privacct_own_meddling ON ddl_command_end
	WHEN TAG IN ('CREATE TABLE', 'CREATE FOREIGN TABLE', 'ALTER TABLE', 'ALTER FOREIGN TABLE', 'ALTER SEQUENCE',
		'CREATE TRIGGER', 'CREATE RULE')
	EXECUTE FUNCTION privacct._on_own_meddling();
ALTER EVENT TRIGGER privacct_own_meddling ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_meddling IS 'refuses what makes tables of the extension forget';

-- by its name after those that refuse
CREATE EVENT TRIGGER privacct_own_unhinged ON ddl_command_end EXECUTE FUNCTION privacct._on_own_change();
ALTER EVENT TRIGGER privacct_own_unhinged ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_unhinged
	IS 'tells of changes of what keeps the books, and of what its functions might find by name';

CREATE EVENT TRIGGER privacct_own_unmade ON sql_drop EXECUTE FUNCTION privacct._on_own_drop();
ALTER EVENT TRIGGER privacct_own_unmade ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_unmade IS 'tells of indexes, rules and constraints that keep the books no more';

CREATE EVENT TRIGGER privacct_own_rewrite ON table_rewrite EXECUTE FUNCTION privacct._on_own_rewrite();
ALTER EVENT TRIGGER privacct_own_rewrite ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_rewrite IS 'refuses to rewrite columns of the extension''s tables';

CREATE EVENT TRIGGER privacct_own_table ON ddl_command_end WHEN TAG IN ('ALTER TABLE')
	EXECUTE FUNCTION privacct._on_own_table();
ALTER EVENT TRIGGER privacct_own_table ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_table IS 'triggers of the catalog that are enabled fire always';

CREATE EVENT TRIGGER privacct_own_trigger ON sql_drop WHEN TAG IN ('DROP TRIGGER')
	EXECUTE FUNCTION privacct._on_own_trigger_drop();
ALTER EVENT TRIGGER privacct_own_trigger ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_trigger IS 'protects the triggers of the extension''s tables';
