-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations.
--

CREATE OR REPLACE FUNCTION privacct.create_unit(name name, epsilon numeric DEFAULT 1, delta numeric DEFAULT 1e-6,
	accountant text DEFAULT 'basic')
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.create_unit(name, numeric, numeric, text)
	IS 'makes a privacy unit, for tables that hold rows of the same persons: everything released from all of them '
	'together is (epsilon, delta)-differentially private for each owner; it belongs to who made it';

CREATE OR REPLACE FUNCTION privacct.drop_unit(name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_unit(name)
	IS 'closes a privacy unit that has no tables any more; what was charged to it stays with them';

CREATE OR REPLACE FUNCTION privacct.set_unit_owner(name name, new_owner regrole)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_unit_owner(name, regrole)
	IS 'gives a privacy unit to another role, which has rights on all its tables: for its owner, for whoever has such '
	'rights, and for superusers';

CREATE OR REPLACE FUNCTION privacct.protect(relation regclass, owner name, epsilon numeric DEFAULT NULL,
	delta numeric DEFAULT NULL,
	max_groups_contributed int DEFAULT NULL, max_rows_contributed int DEFAULT NULL, accountant text DEFAULT NULL,
	regime text DEFAULT 'central', min_owners int DEFAULT 1, kernel text DEFAULT NULL,
	kernels text[] DEFAULT NULL, sample_rate float8 DEFAULT 1, filter text DEFAULT 'full',
	answer_group int DEFAULT 0, min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL,
	time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0,
	inherits text DEFAULT NULL, fresh boolean DEFAULT false, unit name DEFAULT NULL,
	rows_without_owner text DEFAULT 'refuse')
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect(regclass, name, numeric, numeric, integer, integer, text, text, integer,
	text, text[], double precision, text, integer, numeric, interval, numeric, integer, text, boolean, name,
	text)
	IS 'declares a table protected: everything released from it is (epsilon, delta)-differentially private for each '
	'owner, by default (1, 1e-6); unit: so is everything from all tables of this unit together; regime => '
	'''local'': so are the answers of each owner together, as the filter promises; inherits: the '
	'table starts from what these tables have spent, because it holds rows of the same persons; fresh: it has nothing '
	'to do with others of its name or with its columns';

CREATE OR REPLACE FUNCTION privacct.protect(relation regclass, owner name[], epsilon numeric DEFAULT NULL,
	delta numeric DEFAULT NULL,
	max_groups_contributed int DEFAULT NULL, max_rows_contributed int DEFAULT NULL, accountant text DEFAULT NULL,
	regime text DEFAULT 'central', min_owners int DEFAULT 1, kernel text DEFAULT NULL,
	kernels text[] DEFAULT NULL, sample_rate float8 DEFAULT 1, filter text DEFAULT 'full',
	answer_group int DEFAULT 0, min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL,
	time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0,
	inherits text DEFAULT NULL, fresh boolean DEFAULT false, unit name DEFAULT NULL,
	rows_without_owner text DEFAULT 'refuse')
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect(regclass, name[], numeric, numeric, integer, integer, text, text, integer,
	text, text[], double precision, text, integer, numeric, interval, numeric, integer, text, boolean, name,
	text)
	IS 'as protect() with one column; several columns are a foreign key to another protected table of the unit, whose '
	'row says whose row it is';

CREATE OR REPLACE FUNCTION privacct.unprotect(relation regclass)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.unprotect(regclass)
	IS 'ends the protection of a table; its charges stay and are carried over to a later policy';

CREATE OR REPLACE FUNCTION privacct.protect_entries(relation regclass, owner name, order_by name[], entry name,
	priors jsonb,
	epsilon_pufferfish numeric DEFAULT 1, delta_pufferfish numeric DEFAULT 0, secrets text[] DEFAULT NULL,
	pairs text[] DEFAULT NULL,
	max_entries bigint DEFAULT NULL, max_b int DEFAULT 300, kernel text DEFAULT NULL, kernels text[] DEFAULT NULL,
	min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL, time_epsilon numeric DEFAULT NULL,
	workers int DEFAULT 0,
	inherits text DEFAULT NULL, fresh boolean DEFAULT false)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[],
	bigint, integer, text, text[], numeric, interval, numeric, integer, text, boolean)
	IS 'declares the entries of a table protected: whatever is released, nobody who believes one of the priors can '
	'tell two secret values of an entry apart by more than a factor of e^epsilon_pufferfish';

CREATE OR REPLACE FUNCTION privacct.set_priors(relation regclass, priors jsonb, epsilon_pufferfish numeric DEFAULT NULL,
	delta_pufferfish numeric DEFAULT NULL,
	secrets text[] DEFAULT NULL, pairs text[] DEFAULT NULL, max_entries bigint DEFAULT NULL, max_b int DEFAULT 300)
	RETURNS int AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_priors(regclass, jsonb, numeric, numeric, text[], text[], bigint, integer)
	IS 'makes the next version of the priors of a table protected by protect_entries(), and returns its number; what '
	'was spent per entry stays spent';

CREATE OR REPLACE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo float8, hi float8)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, float8, float8)
	IS 'values of a column are clamped to these bounds, row by row';

CREATE OR REPLACE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo date, hi date)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, date, date)
	IS 'values of a column are clamped to these bounds, row by row';

CREATE OR REPLACE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo timestamp, hi timestamp)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, timestamp, timestamp)
	IS 'values of a column are clamped to these bounds, row by row';

CREATE OR REPLACE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo timestamptz, hi timestamptz)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, timestamptz, timestamptz)
	IS 'values of a column are clamped to these bounds, row by row';

CREATE OR REPLACE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo text, hi text)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, text, text)
	IS 'bounds given as text, in the type of the column; null for both removes them';

CREATE OR REPLACE FUNCTION privacct.drop_bounds(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_bounds(regclass, name) IS 'removes the bounds of a column';

CREATE OR REPLACE FUNCTION privacct.set_owner_bounds(relation regclass, column_name name, lo float8, hi float8)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_owner_bounds(regclass, name, float8, float8)
	IS 'the sum of the values of one owner in a group is clamped to these bounds, where that takes less noise than to '
	'bound rows; null for both removes them';

CREATE OR REPLACE FUNCTION privacct.drop_owner_bounds(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_owner_bounds(regclass, name) IS 'removes the bounds of the sums of a column';

CREATE OR REPLACE FUNCTION privacct.set_keys(relation regclass, column_name name, keys anyarray)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_keys(regclass, name, anyarray)
	IS 'the public values of a column to group by: exactly these groups are released, empty ones too';

CREATE OR REPLACE FUNCTION privacct.set_keys(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_keys(regclass, name)
	IS 'where a block groups by this column of a public table, its values at that time are the groups';

CREATE OR REPLACE FUNCTION privacct.drop_keys(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_keys(regclass, name)
	IS 'removes the public keys of a column: groups are then selected privately';

CREATE OR REPLACE FUNCTION privacct.set_domain(relation regclass, column_name name, points anyarray)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_domain(regclass, name, anyarray)
	IS 'local regime: the values that a column can have; others, and null unless it is listed, count as the first one';

CREATE OR REPLACE FUNCTION privacct.set_domain(relation regclass, column_name name, lo float8, hi float8)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_domain(regclass, name, double precision, double precision)
	IS 'local regime: the interval in which the values of a column lie; others count as the nearer end, null as the '
	'lower one';

CREATE OR REPLACE FUNCTION privacct.drop_domain(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_domain(regclass, name)
	IS 'local regime: the column can no longer be asked about, and is not public';

CREATE OR REPLACE FUNCTION privacct.set_prior(relation regclass, column_name name, prior float8[])
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_prior(regclass, name, double precision[])
	IS 'local regime: what is believed about a column before any answer, for the Bayesian measures; null: all listed '
	'values are equally likely';

CREATE OR REPLACE FUNCTION privacct.set_public(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_public(regclass, name)
	IS 'local and Pufferfish regime: a column is not secret; queries may filter and group by it';

CREATE OR REPLACE FUNCTION privacct.grant_budget(table_or_unit text, role name, epsilon numeric,
	delta numeric DEFAULT NULL)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.grant_budget(text, name, numeric, numeric)
	IS 'lets a role query a protected table, or all tables of a privacy unit, and limits what it may spend in total';

CREATE OR REPLACE FUNCTION privacct.grant_budget(relation regclass, role name, epsilon numeric,
	delta numeric DEFAULT NULL)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.grant_budget(regclass, name, numeric, numeric)
	IS 'lets a role query a protected table, and limits what it may spend in total';

CREATE OR REPLACE FUNCTION privacct.grant_budget(unit name, role name, epsilon numeric,
	delta numeric DEFAULT NULL)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.grant_budget(name, name, numeric, numeric)
	IS 'lets a role query all tables of a privacy unit, and limits what it may spend in total';

CREATE OR REPLACE FUNCTION privacct.revoke_budget(table_or_unit text, role name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.revoke_budget(text, name)
	IS 'takes the right to query a table, or the tables of a privacy unit, away; what the role has spent is remembered';

CREATE OR REPLACE FUNCTION privacct.revoke_budget(relation regclass, role name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.revoke_budget(regclass, name)
	IS 'takes the right to query away; what the role has spent is remembered';

CREATE OR REPLACE FUNCTION privacct.revoke_budget(unit name, role name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.revoke_budget(name, name)
	IS 'takes the right to query the tables of a privacy unit away; what the role has spent is remembered';

CREATE OR REPLACE FUNCTION privacct.plan_budget(relation regclass, slots jsonb)
	RETURNS TABLE (slot int, role regrole, kernel text, releases bigint, groups int, weight float8, scale float8,
		q float8, within float8, acceptance float8, rho float8, epsilon_alone float8)
	AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.plan_budget(regclass, jsonb)
	IS 'declares what may be released from a table whose accountant is ''plan'', and shows the noise: the least with '
	'which all of it together keeps the promise';

CREATE OR REPLACE FUNCTION privacct.set_release_terms(relation regclass, min_epsilon numeric DEFAULT NULL,
	time_grid interval DEFAULT NULL,
	time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_release_terms(regclass, numeric, interval, numeric, integer)
	IS 'sets the least price of a release, the grid and the noise of its time, and its workers, from the next release '
	'on; what is left out gets its default';

CREATE OR REPLACE FUNCTION privacct.set_repeats(relation regclass, age interval, shared boolean DEFAULT false,
	unchanged boolean DEFAULT false)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_repeats(regclass, interval, boolean, boolean)
	IS 'says for how long a release is repeated at no cost to the role that asks the same again, or to every role that '
	'may ask: up to an age, while the table is unchanged, as an edition of it says, or both; null: not by its age';

CREATE OR REPLACE FUNCTION privacct.begin_edition(table_or_unit text)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.begin_edition(text)
	IS 'begins an edition of a protected table, or of all tables of a privacy unit, and returns its number';

CREATE OR REPLACE FUNCTION privacct.begin_edition(relation regclass)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.begin_edition(regclass)
	IS 'begins an edition of a protected table: until it ends nobody can write to the table';

CREATE OR REPLACE FUNCTION privacct.begin_edition(unit name)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.begin_edition(name)
	IS 'begins an edition of each table of a privacy unit that is of none, and returns the last number';

CREATE OR REPLACE FUNCTION privacct.end_edition(table_or_unit text)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.end_edition(text)
	IS 'ends the edition of a table, or those of the tables of a privacy unit';

CREATE OR REPLACE FUNCTION privacct.end_edition(relation regclass)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.end_edition(regclass)
	IS 'ends the edition of a table, which can be written to again; releases of it are not repeated as unchanged any '
	'more';

CREATE OR REPLACE FUNCTION privacct.end_edition(unit name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.end_edition(name) IS 'ends the editions of the tables of a privacy unit';

CREATE OR REPLACE FUNCTION privacct.declare_public(relation regclass, columns name[] DEFAULT NULL,
	rows int DEFAULT NULL)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.declare_public(regclass, name[], integer)
	IS 'declares a table public: guarded queries may join it by equality on a unique key, or on the given columns, in '
	'which at most so many of its rows agree';

CREATE OR REPLACE FUNCTION privacct.drop_public(relation regclass)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_public(regclass) IS 'reverses declare_public()';

CREATE OR REPLACE FUNCTION privacct.repair_books(relation regclass) RETURNS void AS 'MODULE_PATHNAME', 'pa_declare'
	LANGUAGE C;
COMMENT ON FUNCTION privacct.repair_books(regclass)
	IS 'rebuilds the accounts of a table from its ledger; if both exist, the larger counts';

CREATE OR REPLACE FUNCTION privacct.fold_ledger(relation regclass, before timestamptz)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.fold_ledger(regclass, timestamp with time zone)
	IS 'removes charges of a table that were made before a given time from the ledger, and returns how many; what was '
	'spent, by whom and for which releases, stays in its sums';
