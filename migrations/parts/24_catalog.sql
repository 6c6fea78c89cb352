-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables of the judged system catalog.
--

CREATE TABLE IF NOT EXISTS privacct.catalog_object (
	kind text COLLATE "C" NOT NULL CHECK (kind IN ('function', 'relation', 'column')),
	name text COLLATE "C" NOT NULL,
	verdict text COLLATE "C" NOT NULL CHECK
	(verdict IN ('harmless', 'guarded', 'closed', 'null', 'own', 'sessions', 'columns', 'shown', 'rows')),
	reason text NOT NULL,
	shown text CHECK ((shown IS NOT NULL) = (verdict IN ('shown', 'rows'))),
	first_version int,
	last_version int,
	PRIMARY KEY (kind, name)
);
COMMENT ON TABLE privacct.catalog_object
	IS 'functions (except immutable ones), tables, views and columns of PostgreSQL, and what hardening does to them';
COMMENT ON COLUMN privacct.catalog_object.kind IS 'function, relation or column';
COMMENT ON COLUMN privacct.catalog_object.name IS 'function(argument types), schema.relation or schema.relation.column';
COMMENT ON COLUMN privacct.catalog_object.verdict
	IS 'harmless: left as it is; guarded: PUBLIC never had it; all others are taken from PUBLIC.  closed: an error; '
	'null: reads as null; own: null except for relations of roles whose privileges the caller has; sessions: shows '
	'sessions of such roles only; columns: see the columns that are listed; shown: reads as the expression; rows: '
	'shows rows that meet the condition';
COMMENT ON COLUMN privacct.catalog_object.reason IS 'why';
COMMENT ON COLUMN privacct.catalog_object.shown
	IS 'what is read in place of a column: an expression over the columns of its relation; for a relation, the '
	'condition on its rows';
COMMENT ON COLUMN privacct.catalog_object.first_version IS 'PostgreSQL has it from this version on; null: in all';
COMMENT ON COLUMN privacct.catalog_object.last_version IS '... up to this one; null: in all later ones';
-- the scripts fill it
SELECT pg_catalog.pg_extension_config_dump('privacct.catalog_object', 'WHERE false');

CREATE TABLE IF NOT EXISTS privacct.catalog_taken (
	kind text COLLATE "C" NOT NULL,
	name text COLLATE "C" NOT NULL,
	lent boolean NOT NULL,
	PRIMARY KEY (kind, name)
);
COMMENT ON TABLE privacct.catalog_taken IS 'what harden_catalog() took from PUBLIC, for soften_catalog() to give back';
COMMENT ON COLUMN privacct.catalog_taken.kind IS 'function or relation';
COMMENT ON COLUMN privacct.catalog_taken.name IS 'as in catalog_object';
COMMENT ON COLUMN privacct.catalog_taken.lent
	IS 'whether it was granted to pg_monitor, which had it only as part of PUBLIC';
SELECT pg_catalog.pg_extension_config_dump('privacct.catalog_taken', '');
