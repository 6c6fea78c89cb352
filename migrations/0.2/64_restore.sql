--
-- Restorable in any order.
--
-- An archive restores the tables of an extension in any order, several at a time, and
-- some of them only: foreign keys between them are no dependencies of the archive.
-- What they would refuse is found by privacct.check_books().
--

DO $$
DECLARE
	k record;
BEGIN
	FOR k IN SELECT c.conrelid::pg_catalog.regclass AS relation, c.conname FROM pg_catalog.pg_constraint c
		WHERE c.contype = 'f' AND c.connamespace = 'privacct'::pg_catalog.regnamespace
	LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s DROP CONSTRAINT %I', k.relation, k.conname);
	END LOOP;
END
$$;
