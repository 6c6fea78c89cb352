--
-- From the tables that a command touches.
--
-- What protect(), unprotect(), ATTACH PARTITION and renames look at is found by
-- indexes, from the table itself: how many others a database has, how many policies
-- and how long a history, makes no difference, whatever the planner knows of them.
-- (Tables that look like it do: what became of each is looked up.)
--

CREATE INDEX policy_entries ON privacct.policy (policy_id) WHERE closed_at IS NULL AND regime = 'pufferfish';
COMMENT ON INDEX privacct.policy_entries IS 'policies that need an index of their table';

CREATE OR REPLACE FUNCTION privacct._check_tree(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	tree oid[] := ARRAY(SELECT privacct._tree(relation));
	bad text;
BEGIN
	SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.oid::regclass::text) INTO bad
	FROM pg_class c WHERE c.oid = ANY (tree) AND (c.relkind NOT IN ('r', 'p') OR c.relowner <> root_owner OR c.relpersistence = 't');
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected with these partitions', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Foreign, temporary or with another owner than the root: %s.', bad),
				  HINT = 'All partitions and children must be tables of the same owner; detach the others.';
	END IF;
	-- whoever reads a parent outside of the tree would read rows inside of it
	SELECT string_agg(DISTINCT i.inhparent::regclass::text, ', ') INTO bad
	FROM pg_inherits i WHERE i.inhrelid = ANY (tree) AND i.inhparent <> ALL (tree);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected apart from its parent', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('It, or a child of it, is a child or partition of: %s.', bad),
				  HINT = 'Protect the root of the partition tree.';
	END IF;
	SELECT string_agg(p.relation::text, ', ') INTO bad
	FROM privacct.policy p WHERE p.closed_at IS NULL AND p.relation <> _check_tree.relation AND p.relation = ANY (tree);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Children that are protected already: %s.', bad),
				  HINT = 'Unprotect the children, then protect the root.';
	END IF;
END
$$;

-- OFFSET 0 keeps the planner from starting at the other end.  A constraint is found by
-- the table that it refers to as well.
CREATE OR REPLACE FUNCTION privacct._linked(root regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN t.member = k.conrelid THEN k.confrelid ELSE k.conrelid END
	FROM privacct._tree(root) t(member)
	CROSS JOIN LATERAL (SELECT d.objid FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = t.member AND d.classid = 'pg_constraint'::regclass OFFSET 0) d
	CROSS JOIN LATERAL (SELECT c.* FROM pg_constraint c WHERE c.oid = d.objid OFFSET 0) k
	WHERE k.contype = 'f' AND t.member IN (k.conrelid, k.confrelid)
	EXCEPT
	SELECT member FROM privacct._tree(root) t(member)
$$;

ALTER FUNCTION privacct._tree(regclass) ROWS 10;
ALTER FUNCTION privacct._ancestors(regclass) ROWS 10;
ALTER FUNCTION privacct._parts(regclass) ROWS 10;
ALTER FUNCTION privacct._linked(regclass) ROWS 10;
DO $$
DECLARE
	name text;
	f pg_catalog.regprocedure;
BEGIN
	FOREACH name IN ARRAY '{_acl,_alike,_ancestors,_ask_of_marks,_called,_carry_over,_check_column_list,_check_covered,_check_foreign_keys,_check_grants,
		_check_isolation,_check_members,_check_members_seen,_check_name,_check_no_stranger,_check_owner_column,_check_plans,_check_policy_order,_check_rewriting,
		_check_storage,_check_touched,_check_tree,_column_type,_complete_history,_debts,_describe,_describe_again,_describe_called,_family,_find_home,
		_follow_owner_column,_follow_rename,_has_spent,_histories,_histories_named,_hold_changed,_is_beside,_is_unsettled,_leave,_linked,_on_ddl_end,
		_on_drop,_on_member_change,_on_member_drop,_on_policies,_open_views,_owner_is_unique,_own_spending,_parts,_policy_of,_predecessors,
		_shares_names,_sync_members,_tree,_warn_of_storage}'::text[] LOOP
		FOR f IN SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
			WHERE p.pronamespace = 'privacct'::pg_catalog.regnamespace AND l.lanname IN ('sql', 'plpgsql') AND p.proname = name
		LOOP
			EXECUTE pg_catalog.format('ALTER FUNCTION %s SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off', f);
		END LOOP;
		IF f IS NULL THEN
			RAISE 'there is no function privacct.%', name;
		END IF;
		f := NULL;
	END LOOP;
END
$$;
