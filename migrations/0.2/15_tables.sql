-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables that 0.1 had become those of the parts.  Nothing of them is lost.

-- An archive restores tables in any order: foreign keys between them would refuse that.
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

ALTER TABLE privacct.policy
	ALTER relation TYPE privacct.table_reference,
	ADD COLUMN min_epsilon numeric CHECK (min_epsilon > 0 AND min_epsilon <= 1e6),
	ADD COLUMN time_grid interval CHECK (time_grid > '0'),
	ADD COLUMN time_epsilon numeric CHECK (time_epsilon > 0 AND time_epsilon <= 1e6),
	ADD COLUMN workers int NOT NULL DEFAULT 0 CHECK (workers BETWEEN 0 AND 1024),
	ADD COLUMN owner_attnum int2,
	ADD COLUMN owner_type name,
	ADD COLUMN name name,
	ADD COLUMN unit_owner privacct.role_reference,
	ADD COLUMN unit bigint,
	ADD COLUMN path name[],
	ADD COLUMN path_to privacct.table_reference,
	ADD COLUMN null_owners boolean NOT NULL DEFAULT false,
	ADD COLUMN path_keys name[],
	ADD COLUMN repeat_age interval CHECK (repeat_age > '0'),
	ADD COLUMN repeats_shared boolean NOT NULL DEFAULT false,
	ADD COLUMN repeats_unchanged boolean NOT NULL DEFAULT false,
	ADD COLUMN edition bigint;
DROP INDEX privacct.policy_relation_open;
UPDATE privacct.policy p SET owner_attnum = a.attnum, owner_type = t.typname
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = p.relation AND a.attname = p.owner_column AND a.attnum > 0;

DO $$
DECLARE
	declared text;
BEGIN
	FOREACH declared IN ARRAY '{bound,group_key,domain,public_column}'::text[] LOOP
		EXECUTE pg_catalog.format('ALTER TABLE privacct.%I ADD COLUMN attnum int2', declared);
		EXECUTE pg_catalog.format('UPDATE privacct.%I d SET attnum = a.attnum FROM privacct.policy p JOIN '
			'pg_catalog.pg_attribute a ON a.attrelid = p.relation WHERE p.policy_id = d.policy_id '
			'AND a.attname = d.column_name AND a.attnum > 0', declared);
	END LOOP;
END
$$;

ALTER TABLE privacct.bound
	ALTER lo DROP NOT NULL,
	ALTER hi DROP NOT NULL,
	ADD COLUMN owner_lo float8 CHECK (owner_lo BETWEEN -1e100 AND 1e100),
	ADD COLUMN owner_hi float8 CHECK (owner_hi BETWEEN -1e100 AND 1e100),
	ADD CONSTRAINT bound_is_one CHECK ((lo IS NULL) = (hi IS NULL) AND (owner_lo IS NULL) = (owner_hi IS NULL)
		AND owner_lo < owner_hi IS NOT FALSE AND (lo IS NOT NULL OR owner_lo IS NOT NULL));

ALTER TABLE privacct.quota ALTER role TYPE privacct.role_reference;
ALTER TABLE privacct.slot ALTER role TYPE privacct.role_reference;
ALTER TABLE privacct.account
	ALTER role TYPE privacct.role_reference,
	ADD COLUMN questions int NOT NULL DEFAULT 0 CHECK (questions >= 0);
UPDATE privacct.account a SET questions = q.last
FROM (SELECT policy_id, pg_catalog.max(question) AS last FROM privacct.question GROUP BY policy_id) q
WHERE a.policy_id = q.policy_id AND a.role::oid = 0;

ALTER TABLE privacct.owner_state_at
	ADD COLUMN owners int CHECK (owners >= 0),
	ADD COLUMN states int CHECK (states > 0);
ALTER TABLE privacct.answer ADD COLUMN most_states int CHECK (most_states > 0);
ALTER TABLE privacct.likelihood
	ADD COLUMN folded float8 NOT NULL DEFAULT 0 CHECK (folded >= 0),
	ADD COLUMN steps float8 NOT NULL DEFAULT 0 CHECK (steps >= 0);
ALTER TABLE privacct.question ADD COLUMN cuts float8[];

-- The ledger becomes a view of its lines.  They are written anew once, and keep their own descriptions.
ALTER TABLE privacct.ledger RENAME TO ledger_line;
ALTER INDEX privacct.ledger_pkey RENAME TO ledger_line_pkey;
ALTER TABLE privacct.ledger_line RENAME CONSTRAINT ledger_epsilon_check TO ledger_line_epsilon_check;
ALTER TABLE privacct.ledger_line RENAME CONSTRAINT ledger_delta_check TO ledger_line_delta_check;
ALTER TABLE privacct.ledger_line RENAME CONSTRAINT ledger_rho_check TO ledger_line_rho_check;
ALTER TABLE privacct.ledger_line
	ALTER role TYPE text COLLATE "C",
	ALTER payer DROP NOT NULL,
	ALTER payer TYPE text COLLATE "C" USING nullif(payer, role),
	ADD COLUMN detail_of bigint;
