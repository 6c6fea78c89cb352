-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Checks of what may be protected.  Each raises an error or returns nothing.
--

CREATE OR REPLACE FUNCTION privacct._tree(root regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp ROWS 10 SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH RECURSIVE tree(member) AS (
		SELECT root::oid
		UNION
		SELECT i.inhrelid FROM pg_inherits i JOIN tree t ON i.inhparent = t.member)
	SELECT member FROM tree
$$;
COMMENT ON FUNCTION privacct._tree(regclass) IS 'a table and all its partitions and inheritance children';

CREATE OR REPLACE FUNCTION privacct._ancestors(relation regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp ROWS 10 SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH RECURSIVE up(member) AS (
		SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = relation
		UNION
		SELECT i.inhparent FROM pg_inherits i JOIN up u ON i.inhrelid = u.member)
	SELECT member FROM up
$$;
COMMENT ON FUNCTION privacct._ancestors(regclass) IS 'what a table inherits from or is a partition of';

-- OFFSET 0 keeps the planner from starting at the other end.  A constraint is found by
-- the table that it refers to as well.
CREATE OR REPLACE FUNCTION privacct._linked(root regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp ROWS 10 SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT CASE WHEN t.member = k.conrelid THEN k.confrelid ELSE k.conrelid END
	FROM privacct._tree(root) t(member)
	CROSS JOIN LATERAL (SELECT d.objid FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass
		AND d.refobjid = t.member AND d.classid = 'pg_constraint'::regclass OFFSET 0) d
	CROSS JOIN LATERAL (SELECT c.* FROM pg_constraint c WHERE c.oid = d.objid OFFSET 0) k
	WHERE k.contype = 'f' AND t.member IN (k.conrelid, k.confrelid)
	EXCEPT
	SELECT member FROM privacct._tree(root) t(member)
$$;
COMMENT ON FUNCTION privacct._linked(regclass) IS 'tables outside of the tree that a foreign key connects with it';

CREATE OR REPLACE FUNCTION privacct._acl(members oid[])
	RETURNS TABLE (object text, relowner oid, grantee oid, privilege text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT c.oid::regclass::text, c.relowner, a.grantee, a.privilege_type
	FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
	WHERE c.oid = ANY (members)
	UNION
	SELECT format('%s(%I)', c.oid::regclass, t.attname), c.relowner, a.grantee, a.privilege_type
	FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN aclexplode(t.attacl) a
	WHERE c.oid = ANY (members) AND NOT t.attisdropped
$$;
COMMENT ON FUNCTION privacct._acl(oid[]) IS 'privileges on tables and their columns';

CREATE OR REPLACE FUNCTION privacct._role_name(role oid) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN role = 0 THEN 'PUBLIC' ELSE role::regrole::text END
$$;
COMMENT ON FUNCTION privacct._role_name(oid) IS 'name of a grantee';

CREATE OR REPLACE FUNCTION privacct._check_kind(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c record;
BEGIN
	SELECT k.*, n.nspname INTO c
	FROM pg_class k JOIN pg_namespace n ON n.oid = k.relnamespace WHERE k.oid = relation;
	IF c.relkind NOT IN ('r', 'p') THEN
		RAISE EXCEPTION 'relation % is not a table', relation
			USING ERRCODE = '42809',
				  DETAIL = 'Only ordinary and partitioned tables can be protected.',
				  HINT = 'Protect the table that holds the rows; views over it are then guarded too.';
	ELSIF c.nspname IN ('pg_catalog', 'information_schema', 'pg_toast', 'privacct') THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = '42PA4', DETAIL = format('It is in the system schema %I.', c.nspname);
	ELSIF c.relpersistence = 't' THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = '42PA4', DETAIL = 'It is a temporary table.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_kind(regclass) IS 'an ordinary or partitioned table of a user';

--
-- From the tables that a command touches.
--
-- What protect(), unprotect(), ATTACH PARTITION and renames look at is found by
-- indexes, from the table itself: how many others a database has, how many policies
-- and how long a history, makes no difference, whatever the planner knows of them.
-- (Tables that look like it do: what became of each is looked up.)
--

CREATE OR REPLACE FUNCTION privacct._check_tree(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	tree oid[] := ARRAY(SELECT privacct._tree(relation));
	bad text;
BEGIN
	SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.oid::regclass::text) INTO bad
	FROM pg_class c WHERE c.oid = ANY (tree)
		AND (c.relkind NOT IN ('r', 'p') OR c.relowner <> root_owner OR c.relpersistence = 't');
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected with these partitions', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Foreign, temporary or with another owner than the root: %s.', bad),
				  HINT = 'All partitions and children must be tables of the same owner; detach the others.';
	END IF;
	-- whoever reads a parent outside of the tree would read rows inside of it
	SELECT string_agg(DISTINCT i.inhparent::regclass::text, ', ') INTO bad
	FROM pg_inherits i WHERE i.inhrelid = ANY (tree) AND i.inhparent <> ALL (tree);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected apart from its parent', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('It, or a child of it, is a child or partition of: %s.', bad),
				  HINT = 'Protect the root of the partition tree.';
	END IF;
	SELECT string_agg(p.relation::text, ', ') INTO bad
	FROM privacct.policy p WHERE p.closed_at IS NULL AND p.relation <> _check_tree.relation AND p.relation = ANY (tree);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Children that are protected already: %s.', bad),
				  HINT = 'Unprotect the children, then protect the root.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_tree(regclass) IS 'the whole tree, one owner, no second entrance';

CREATE OR REPLACE FUNCTION privacct._check_rewriting(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	bad text;
BEGIN
	SELECT string_agg(c.oid::regclass::text, ', ') INTO bad
	FROM privacct._tree(relation) t(member) JOIN pg_class c ON c.oid = t.member
	WHERE c.relrowsecurity OR EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a protected table cannot have row-level security or rules'
			USING ERRCODE = '42PA4',
				  DETAIL = format('They are defined on: %s.', bad),
				  HINT = 'Drop the rules and disable row-level security; they could run code on protected rows.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_rewriting(regclass) IS 'no row-level security, no rules';

-- Since 18 a column may be declared NOT NULL for rows to come, and have nulls.
CREATE OR REPLACE FUNCTION privacct._never_null(relation oid, column_number int2) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
	SELECT a.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = relation AND k.contype = 'n'
		AND k.conkey = ARRAY[column_number] AND NOT k.convalidated)
	FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = column_number
$$;
COMMENT ON FUNCTION privacct._never_null(oid, int2) IS 'whether no row has a null in the column';

CREATE OR REPLACE FUNCTION privacct._check_owner_column(relation regclass, owner name, null_owners boolean)
	RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	a record;
BEGIN
	FOR a IN
		SELECT m.member::regclass AS member, t.attname, t.atttypid::regtype AS type, t.attgenerated,
			privacct._never_null(m.member, t.attnum) AS never_null,
			coalesce(l.collisdeterministic, true) AS deterministic
		FROM privacct._tree(relation) m(member)
		LEFT JOIN pg_attribute t ON t.attrelid = m.member AND t.attname = owner AND t.attnum > 0 AND NOT t.attisdropped
		LEFT JOIN pg_collation l ON l.oid = t.attcollation
	LOOP
		IF a.attname IS NULL THEN
			RAISE EXCEPTION 'column "%" of relation % does not exist', owner, a.member USING ERRCODE = '42703';
		ELSIF a.type NOT IN ('int2', 'int4', 'int8', 'uuid', 'text', 'varchar') THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = '42PA4',
					  DETAIL = format('Its type is %s.', a.type),
					  HINT = 'The owner column is of type smallint, integer, bigint, uuid, text or varchar.';
		ELSIF NOT a.deterministic THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = '42PA4',
					  DETAIL = 'Its collation is nondeterministic: different values may count as one owner.';
		ELSIF a.attgenerated <> '' THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = '42PA4',
					  DETAIL = format('It is generated in %s: an UPDATE of other columns would give rows to other '
						'owners.', a.member),
					  HINT = format('ALTER TABLE %s ALTER COLUMN %I DROP EXPRESSION, or name the column that says '
						'whose row it is.', a.member, owner);
		ELSIF NOT a.never_null AND NOT null_owners THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = '42PA4',
					  DETAIL = format('It may be null in %s: such a row would belong to nobody.', a.member),
					  HINT = format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL.', a.member, owner);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_owner_column(regclass, name, boolean)
	IS 'exists, not null unless that was said, of a type whose equality is identity';

-- Applications write to protected tables.  What a writer learns by that (whether a key exists, how many rows there
-- are) must not come together with releases: guard/writers.c refuses the commands of whoever could do both.
CREATE OR REPLACE FUNCTION privacct._asks_and_writes(relation regclass, writer oid) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT r.rolname
	FROM privacct.policy p JOIN pg_class c ON c.oid = p.relation
	JOIN privacct.quota q ON q.policy_id = coalesce(p.unit, p.policy_id)
	JOIN pg_roles a ON a.oid = q.role::oid
	JOIN pg_roles r ON pg_has_role(r.oid, a.oid, 'MEMBER')
	WHERE p.relation = _asks_and_writes.relation AND p.closed_at IS NULL AND NOT r.rolsuper
	AND (writer = 0 OR pg_has_role(r.oid, writer, 'MEMBER')) AND NOT pg_has_role(r.oid, c.relowner, 'MEMBER')
	ORDER BY r.rolname LIMIT 1
$$;
COMMENT ON FUNCTION privacct._asks_and_writes(regclass, oid)
	IS 'a role that can act as the writer and as one with a budget of the table or its unit; null: there is none';

CREATE OR REPLACE FUNCTION privacct._check_writers(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	bad record;
BEGIN
	SELECT a.grantee, a.privilege, a.object, privacct._asks_and_writes(relation, a.grantee) AS both INTO bad
	FROM privacct._acl(ARRAY(SELECT privacct._tree(relation))) a
	WHERE a.grantee NOT IN (a.relowner, root_owner) AND a.privilege IN ('INSERT', 'UPDATE', 'DELETE')
	AND privacct._asks_and_writes(relation, a.grantee) IS NOT NULL
	ORDER BY a.grantee, a.object, a.privilege LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'role "%" could both write to the protected table % and ask it', bad.both, relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('It has, or is a member of roles that have, a budget and the privilege %s on %s '
					'(of %s).', bad.privilege, bad.object, privacct._role_name(bad.grantee)),
				  HINT = 'Writing tells whether keys exist and how many rows there are. Give the privilege, or the '
					'budget, to a role that the other has nothing to do with.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_writers(regclass) IS 'nobody who has a budget of a table may write to it';

CREATE OR REPLACE FUNCTION privacct._check_grants(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	parts oid[] := ARRAY(SELECT privacct._parts(relation));
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	bad text;
	beside text;
BEGIN
	SELECT string_agg(format('%s (%s on %s)', privacct._role_name(a.grantee), a.privilege, a.object), ', '
					  ORDER BY privacct._role_name(a.grantee), a.object, a.privilege) INTO bad
	FROM (SELECT * FROM privacct._acl(ARRAY(SELECT privacct._tree(relation))) t
			WHERE t.privilege NOT IN ('INSERT', 'UPDATE', 'DELETE') OR t.grantee = 0
		UNION SELECT * FROM privacct._acl(ARRAY(SELECT unnest(parts) EXCEPT SELECT privacct._tree(relation)))) a
	WHERE a.grantee NOT IN (a.relowner, root_owner)
	-- the latter is a mark that stays
	AND NOT (a.grantee = 'privacct_reader'::regrole AND a.privilege IN ('SELECT', 'REFERENCES'));
	IF bad IS NOT NULL THEN
		SELECT string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s', o.part::regclass, privacct._role_name(a.grantee)),
			'; ') INTO beside
		FROM (SELECT unnest(parts) EXCEPT SELECT privacct._tree(relation)) o(part)
			CROSS JOIN privacct._acl(ARRAY[o.part]) a WHERE a.grantee NOT IN (a.relowner, root_owner);
		RAISE EXCEPTION 'other roles hold privileges on the protected table %', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Only the owner may hold any: %s.', bad),
				  HINT = coalesce(beside || ';',
					'REVOKE them, also on columns and partitions; look at ALTER DEFAULT PRIVILEGES for new '
					'partitions.');
	END IF;
	SELECT string_agg(format('ALTER SEQUENCE %s OWNER TO %s', c.oid::regclass, root_owner::regrole), '; '
		ORDER BY c.oid::regclass::text) INTO bad
	FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
	WHERE c.oid = ANY (parts) AND c.relkind = 'S' AND c.relowner <> root_owner AND NOT r.rolsuper;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a sequence of another role is used by the protected table %', relation
			USING ERRCODE = '42PA4',
				  DETAIL = 'Its owner could count the rows that are inserted.',
				  HINT = bad || ';';
	END IF;
	PERFORM privacct._check_writers(relation);
END
$$;
COMMENT ON FUNCTION privacct._check_grants(regclass)
	IS 'others than the owner and privacct_reader hold no privilege on the table and its parts but to write rows';

-- Tables that a foreign key connects, but for those of the unit, whose own privileges are looked at.
CREATE OR REPLACE FUNCTION privacct._linked_outside(root regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT l FROM privacct._linked(root) l
	EXCEPT
	SELECT privacct._tree(o.relation) FROM privacct.policy p JOIN privacct.policy o ON o.unit = p.unit
	WHERE p.relation = root AND p.closed_at IS NULL AND o.closed_at IS NULL
$$;
COMMENT ON FUNCTION privacct._linked_outside(regclass)
	IS 'tables outside of the tree and of its unit that a foreign key connects with it';

-- Whoever writes to one of two tables that a foreign key connects learns no more by writing to the other one.
CREATE OR REPLACE FUNCTION privacct._may_probe(relation regclass, writer oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT writer <> 0 AND privacct._asks_and_writes(relation, writer) IS NULL
		AND EXISTS (SELECT FROM privacct._acl(ARRAY[_may_probe.relation::oid]) a
			WHERE a.grantee = writer AND a.privilege IN ('INSERT', 'UPDATE', 'DELETE'))
$$;
COMMENT ON FUNCTION privacct._may_probe(regclass, oid)
	IS 'whether a role without a budget writes to the protected table itself';

-- A foreign key lets whoever writes the other table ask whether a value is there.
CREATE OR REPLACE FUNCTION privacct._check_foreign_keys(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	bad text;
BEGIN
	SELECT string_agg(w.what, ', ' ORDER BY w.what) INTO bad
	FROM (SELECT format('%s (owner of %s)', c.relowner::regrole, c.oid::regclass) AS what, c.relowner AS who
		  FROM privacct._linked(relation) l(member) JOIN pg_class c ON c.oid = l.member
		  UNION
		  SELECT format('%s (%s on %s)', privacct._role_name(a.grantee), a.privilege, a.object), a.grantee
		  FROM privacct._acl(ARRAY(SELECT privacct._linked_outside(relation))) a
		  WHERE a.privilege IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
		  AND NOT (a.privilege <> 'TRUNCATE' AND privacct._may_probe(relation, a.grantee))) w
	WHERE w.who <> root_owner
	AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = w.who AND r.rolsuper);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a foreign key connects % with a table that others can write', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Their writes would succeed or fail depending on protected rows: %s.', bad),
				  HINT = 'Revoke the right to write, or drop the foreign key.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_foreign_keys(regclass) IS 'no foreign key to or from a table that others write';

CREATE OR REPLACE FUNCTION privacct._check_owner(relation regclass, owner name, null_owners boolean) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_owner_column(relation, owner, null_owners);
	PERFORM privacct._check_storage(relation, owner);
END
$$;
COMMENT ON FUNCTION privacct._check_owner(regclass, name, boolean) IS 'whether a column can say whose row it is';

CREATE OR REPLACE FUNCTION privacct._check_policy(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_kind(relation);
	PERFORM privacct._check_tree(relation);
	PERFORM privacct._check_rewriting(relation);
	PERFORM privacct._check_grants(relation);
	PERFORM privacct._check_views(relation);
	PERFORM privacct._check_foreign_keys(relation);
	PERFORM privacct._check_foundation(relation);
END
$$;
COMMENT ON FUNCTION privacct._check_policy(regclass)
	IS 'everything that a protected table must keep to, whoever owns its rows, at declaration and after each change';

CREATE OR REPLACE FUNCTION privacct._check_amounts(accountant text, epsilon numeric, delta numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF epsilon IS NULL OR NOT epsilon BETWEEN 1e-9 AND 1e6 THEN
		RAISE EXCEPTION 'epsilon is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'Epsilon is a number from 1e-9 to 1e6.',
				  HINT = 'Usual values are between 0.1 and 10; smaller is more private.';
	ELSIF delta IS NULL OR NOT (delta >= 0 AND delta < 1) THEN
		RAISE EXCEPTION 'delta is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'Delta is a number from 0 to below 1.',
				  HINT = 'Choose delta well below one over the number of owners.';
	ELSIF delta > 0 AND delta < 1e-29 THEN
		RAISE EXCEPTION 'delta is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'A delta above 0 is at least 1e-29.', HINT = 'Use delta => 0.';
	ELSIF delta = 0 AND accountant <> ALL (privacct._accountants('pure')) THEN
		RAISE EXCEPTION 'the % accountant needs a delta above 0', accountant
			USING ERRCODE = '42PA4',
				  DETAIL = format('A bound on %s says nothing about epsilon at delta 0.',
					privacct._currency(accountant)),
				  HINT = 'Give a delta, for example 1e-6, or choose accountant => ''basic''.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_amounts(text, numeric, numeric) IS 'epsilon and delta of a policy or a quota';

-- Values that are stored out of line are not read while rows are: such a row has no
-- owner, no group and no value of a domain.  Where that is so it is said.
CREATE OR REPLACE FUNCTION privacct._check_storage(relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	member regclass := (SELECT t.member FROM privacct._tree(relation) t(member)
						JOIN pg_attribute a ON a.attrelid = t.member AND a.attname = column_name AND a.attnum > 0
						AND a.attstorage = 'e'
						ORDER BY t.member::regclass::text LIMIT 1);
BEGIN
	IF member IS NOT NULL THEN
		RAISE EXCEPTION 'values of column "%" of % must not be stored out of line', column_name, member
			USING ERRCODE = '42PA4',
				  DETAIL = 'The storage of the column is external.  Values that are not in the row itself are not '
					'read, and such rows do not count.',
				  HINT = format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN.', member, column_name);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_storage(regclass, name)
	IS 'owners, keys and values of a domain are not told to be stored out of line';

-- By accident too: wide rows have their longest values elsewhere.  The bytes are those
-- of src/size_limits.h: 1024 of owners and values, 256 of keys.
CREATE OR REPLACE FUNCTION privacct._warn_of_storage(relation regclass, column_name name, bytes int, loss text)
	RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	type regtype := (privacct._column_type(relation, column_name)).type;
	lost bigint;
BEGIN
	IF type NOT IN ('text', 'varchar', 'bpchar') THEN
		RETURN;
	END IF;
	lost := privacct._count_as_owner(relation,
		format('SELECT count(*) FROM %s WHERE %2$I IS NOT NULL AND privacct.total_short(%2$I, %3$s) IS NULL',
		relation, column_name, bytes), NULL);
	IF lost > 0 THEN
		RAISE WARNING 'rows of % %: %', relation, loss, lost
			USING DETAIL = format(
				'Their values of column "%s" have more than %s bytes or are stored out of line, which happens to '
				'values above 24 bytes in rows above 2 kB.', column_name, bytes),
				  HINT = format('ALTER TABLE %1$s ALTER COLUMN %2$I SET STORAGE MAIN, then VACUUM FULL %1$s; or use a '
					'shorter value.', relation, column_name);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._warn_of_storage(regclass, name, int, text)
	IS 'tells the owner of a table how many rows are lost because a value is too long or stored out of line';

-- What shows of a table beside its rows: a sequence counts its inserts, and in a TOAST
-- table lie its values.  These are guarded as the table itself.
CREATE OR REPLACE FUNCTION privacct._parts(relation regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp ROWS 10 SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH tree(member) AS (SELECT t.member FROM privacct._tree(relation) t(member)),
	used(classid, objid) AS (				-- defaults, of domains too
		SELECT 'pg_attrdef'::regclass, a.oid FROM tree t JOIN pg_attrdef a ON a.adrelid = t.member
		UNION
		SELECT 'pg_type'::regclass, y.oid FROM tree t JOIN pg_attribute a ON a.attrelid = t.member JOIN pg_type y
		ON y.oid = a.atttypid AND y.typtype = 'd')
	SELECT member FROM tree
	UNION
	SELECT c.oid FROM tree t
	JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.member
		AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
	JOIN pg_class c ON c.oid = d.objid AND c.relkind IN ('S', 't')
	UNION
	SELECT c.oid FROM used u
	JOIN pg_depend d ON d.classid = u.classid AND d.objid = u.objid AND d.refclassid = 'pg_class'::regclass
	JOIN pg_class c ON c.oid = d.refobjid AND c.relkind = 'S'
$$;
COMMENT ON FUNCTION privacct._parts(regclass)
	IS 'a table, its partitions and children, their TOAST tables, and the sequences that they own or that feed their '
	'columns';

-- A protected table is read by others through views with security_invoker only:
-- these ask PostgreSQL for the privileges of who reads them, so that they show
-- nothing where the guard is missing: after unprotect(), after DROP EXTENSION,
-- without the library.
-- Whatever has rules is followed: views, materialised views, tables with rules of
-- their own.  The rules of a table, and what a materialised view holds, are its
-- owner's always.
CREATE OR REPLACE FUNCTION privacct._open_views(relation regclass)
	RETURNS TABLE (view regclass, owner regrole, can_be_invoker boolean, grantees text[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH RECURSIVE reader(member) AS (
		SELECT t.member FROM privacct._parts(relation) t(member)
		UNION
		SELECT w.ev_class FROM reader r
		CROSS JOIN LATERAL (SELECT d.objid FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass
		AND d.refobjid = r.member AND d.classid = 'pg_rewrite'::regclass OFFSET 0) d
		CROSS JOIN LATERAL (SELECT o.ev_class FROM pg_rewrite o WHERE o.oid = d.objid OFFSET 0) w)
	SELECT c.oid::regclass, c.relowner::regrole, k.only_select, g.grantees
	FROM pg_class root
	CROSS JOIN (SELECT member FROM reader EXCEPT SELECT t.member FROM privacct._parts(relation) t(member)) m
	JOIN pg_class c ON c.oid = m.member
	CROSS JOIN LATERAL (SELECT c.relkind = 'v' AND NOT EXISTS (SELECT FROM pg_rewrite w
			CROSS JOIN LATERAL (SELECT d.refobjid FROM pg_depend d WHERE d.classid = 'pg_rewrite'::regclass
			AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass OFFSET 0) d
			WHERE w.ev_class = c.oid AND w.ev_type <> '1' AND d.refobjid <> c.oid
			AND d.refobjid IN (SELECT member FROM reader))) k(only_select)
	CROSS JOIN LATERAL (
		SELECT array_agg(DISTINCT privacct._role_name(a.grantee) ORDER BY privacct._role_name(a.grantee))
		FROM privacct._acl(ARRAY[c.oid]) a
		WHERE a.grantee NOT IN (c.relowner, root.relowner)) g(grantees)		-- memberships come and go
	WHERE root.oid = relation
	AND (pg_has_role(c.relowner, root.relowner, 'MEMBER') OR pg_has_role(c.relowner, 'pg_read_all_data', 'MEMBER'))
	AND g.grantees IS NOT NULL
	AND NOT (k.only_select
		AND coalesce((SELECT o.option_value::boolean FROM pg_options_to_table(c.reloptions) o
		WHERE o.option_name = 'security_invoker'), false))
$$;
COMMENT ON FUNCTION privacct._open_views(regclass)
	IS 'views, materialised views and tables with rules that read a table with the rights of somebody who may read it '
	'raw, and on which others hold privileges';

CREATE OR REPLACE FUNCTION privacct._closing_statement(view regclass, can_be_invoker boolean, grantees text[])
	RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN can_be_invoker THEN format('ALTER VIEW %s SET (security_invoker = true)', view)
		ELSE format('REVOKE ALL ON %s FROM %s', view, array_to_string(grantees, ', ')) END
$$;
COMMENT ON FUNCTION privacct._closing_statement(regclass, boolean, text[])
	IS 'the statement after which a view shows no raw rows to others';

CREATE OR REPLACE FUNCTION privacct._check_views(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	bad text;
	remedy text;
BEGIN
	SELECT string_agg(format('%s (to %s)', v.view, array_to_string(v.grantees, ', ')), '; ' ORDER BY v.view::text),
		string_agg(privacct._closing_statement(v.view, v.can_be_invoker, v.grantees), '; ' ORDER BY v.view::text)
	INTO bad, remedy FROM privacct._open_views(relation) v;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a view shows rows of the protected table % to others', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Read with the privileges of their owners, and granted to others: %s.', bad),
				  HINT = remedy || ';';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_views(regclass) IS 'others read the table through views with security_invoker only';
