-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The ledger, its sums and folding.
--

--
-- Lines of the ledger, as they are stored.
--
-- Nearly every charge is like an earlier one.  What is large in it, the description of
-- what was released, is stored with the first, and the others say which that is; what
-- decides is in each line itself: amounts, who paid, how many owners were named, slots
-- of a plan.  The view privacct.ledger shows all lines as if each were whole; what is
-- inserted into it, by SQL or by the COPY of a dump of 0.1, becomes such a line.
--

-- What of a description is in each line.
CREATE OR REPLACE FUNCTION privacct._deciding(detail jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN nullif(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('owners', detail->'owners', 'slots',
		detail->'slots')), '{}'::pg_catalog.jsonb);
COMMENT ON FUNCTION privacct._deciding(jsonb) IS 'what of the description of a charge decides';

-- What was carried over is no charge, and keeps its own description.
CREATE OR REPLACE FUNCTION privacct._insert_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	described bigint := (SELECT d.charge_id FROM privacct.ledger_line d
		WHERE d.policy_id = NEW.policy_id AND jsonb_hash_extended(d.detail, 0) = jsonb_hash_extended(NEW.detail, 0)
		AND d.detail_of IS NULL AND d.detail = NEW.detail
		AND NOT NEW.detail ? 'carried_from_policy' LIMIT 1);
BEGIN
	-- a copy of the ledger has lines that were folded since: they are in the sums
	IF EXISTS (SELECT FROM privacct.ledger_sum s WHERE s.policy_id = NEW.policy_id AND NEW.charge_id <= s.folded_to
		AND NEW.charged_at <= s.folded_at
		AND NOT EXISTS (SELECT FROM privacct.ledger_line l WHERE l.charge_id = NEW.charge_id)) THEN
		RETURN NULL;
	END IF;
	NEW.charge_id := coalesce(NEW.charge_id, nextval('privacct.charge_id_seq'));
	INSERT INTO privacct.ledger_line (charge_id, policy_id, charged_at, role, payer, epsilon, delta, rho, detail,
		detail_of)
	VALUES (NEW.charge_id, NEW.policy_id, NEW.charged_at, NEW.role, nullif(NEW.payer, NEW.role), NEW.epsilon, NEW.delta,
		NEW.rho,
		CASE WHEN described IS NULL THEN NEW.detail ELSE privacct._deciding(NEW.detail) END, described);
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._insert_line() IS 'stores a line of the ledger';

--
-- The ledger in few rows.
--
-- What is looked up of the ledger, its sums, by policy and payer, and which releases
-- there were, is kept up to some line, and the lines after that are added when somebody
-- looks.  The ledger's worker brings the sums forward from time to time, in a
-- transaction of its own.  Only charges are summed; what was carried over from earlier
-- policies is in a few lines that an index finds.
--

--
-- Lines
--

-- What time has cost is apart: a sample of owners does not amplify it.  Of a line whose
-- description is not there its amounts count.  Of numbers that are refined the line of the first stage
-- has all that can be seen of them, and says that there are stages.
CREATE OR REPLACE FUNCTION privacct._mechanisms(detail jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN detail IS NULL OR detail - '{owners,slots}'::text[] = '{}'	-- lost: no promise at all
	THEN '[{"statistics": [{"epsilon": 1000000, "delta": 1}]}]'
	WHEN detail->'statistics' = '[]' AND (detail->'stage')::int > 1 THEN '[]'
	WHEN NOT detail ? 'regime' THEN jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
		'statistics', coalesce((SELECT jsonb_agg(
			CASE WHEN s ? 'noise'
			THEN jsonb_build_object('noise', s->'noise', 'steps', s->'steps', 'groups', detail->'groups_per_owner')
			ELSE jsonb_build_object('epsilon', s->'epsilon', 'delta', s->'delta') END)
			FROM jsonb_array_elements(detail->'statistics') s), '[]')
			|| CASE WHEN detail ? 'rest' THEN jsonb_build_array(detail->'rest') ELSE '[]' END,
		'delta', detail->'selection_delta', 'sample_rate', detail->'sample_rate',
		'refined', CASE WHEN detail ? 'stages' THEN true END)))
		ELSE '[]' END
	|| CASE WHEN detail ? 'time' THEN jsonb_build_array(jsonb_build_object('statistics',
		jsonb_build_array(jsonb_build_object('epsilon', detail->'time'->'epsilon', 'delta', detail->'time'->'delta'))))
		ELSE '[]' END
$$;
COMMENT ON FUNCTION privacct._mechanisms(jsonb)
	IS 'what a charge of this detail released, as compose() takes it';

-- 95 % of Laplace noise is within ln 20 = 2.996 scales, of Gaussian noise within 1.96.  Other kernels are for
-- releases with an error bound.
CREATE OR REPLACE FUNCTION privacct._noise_of(detail jsonb)
	RETURNS TABLE (statistic text, kernel text, epsilon float8, error float8, confidence float8)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT s->>'statistic', s->>'kernel', (s->>'epsilon')::float8,
		-- the line of the first of several stages has the noise of the last one, which need not have been drawn
		CASE WHEN detail ? 'stages' THEN NULL WHEN s ? 'within' THEN (s->>'within')::float8 ELSE (s->>'scale')::float8
			* CASE s->>'kernel' WHEN 'laplace' THEN 2.995732 WHEN 'gaussian' THEN 1.959964 END END,
		CASE WHEN s ? 'within' THEN (s->>'acceptance')::float8 ELSE 0.95 END
	FROM jsonb_array_elements(CASE jsonb_typeof(detail->'statistics') WHEN 'array' THEN detail->'statistics' END) s
$$;
COMMENT ON FUNCTION privacct._noise_of(jsonb)
	IS 'the noise of each statistic of a release: how far it is off at most, and with which probability';

--
-- Sums, with the lines that are not in the tables yet
--

--
-- Bringing them forward
--

-- Nothing is charged to the policy meanwhile: the worker, and whoever calls
-- _await_charges(), see to that.
CREATE OR REPLACE FUNCTION privacct._sum_ledger(id bigint, lines bigint DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	first bigint := coalesce((SELECT t.charge_id FROM privacct.ledger_sum t WHERE t.policy_id = id), 0) + 1;
	last bigint := (SELECT max(l.charge_id)
		FROM (SELECT c.charge_id FROM privacct.ledger_line c WHERE c.policy_id = id AND c.charge_id >= first
		ORDER BY c.charge_id LIMIT lines) l);
BEGIN
	-- books that are looked at as a whole at each charge, until they are known to be complete; and those that
	-- pg_upgrade has brought into another cluster
	PERFORM privacct._identify() FROM privacct.home h
		WHERE h.last_charge IS NOT NULL OR h.cluster <> privacct._cluster();
	IF last IS NULL THEN
		RETURN true;
	END IF;
	WITH line AS MATERIALIZED (			-- most are alike
		SELECT c.payer, c.epsilon, c.delta, c.rho, c.named, c.slots, c.detail, count(*) AS charges
		FROM privacct._charge c WHERE c.policy_id = id AND c.charge_id BETWEEN first AND last
		GROUP BY c.payer, c.epsilon, c.delta, c.rho, c.named, c.slots, c.detail),
	released AS (
		INSERT INTO privacct.release_sum AS t
		SELECT id, sha256(convert_to(jsonb_build_array(r.epsilon, r.mechanisms, r.slots)::text, 'UTF8')), r.epsilon,
		r.mechanisms, r.slots, sum(r.charges)
		FROM (SELECT trim_scale(l.epsilon) AS epsilon, privacct._mechanisms(l.detail) AS mechanisms,
		l.slots, l.charges FROM line l OFFSET 0) r
		GROUP BY r.epsilon, r.mechanisms, r.slots
		ON CONFLICT ON CONSTRAINT release_sum_pkey DO UPDATE SET charges = t.charges + excluded.charges),
	paid AS (
		INSERT INTO privacct.payer_sum AS t
		SELECT id, l.payer, sum(l.charges * l.epsilon), sum(l.charges * l.delta), sum(l.charges * l.rho), sum(l.charges)
		FROM line l GROUP BY l.payer
		ON CONFLICT ON CONSTRAINT payer_sum_pkey DO UPDATE
		SET epsilon = t.epsilon + excluded.epsilon, delta = t.delta + excluded.delta, rho = t.rho + excluded.rho,
		charges = t.charges + excluded.charges)
	INSERT INTO privacct.ledger_sum AS t (policy_id, charge_id, epsilon, delta, rho, charges, named_epsilon,
		named_delta, folded_at)
	SELECT id, last, coalesce(sum(l.charges * l.epsilon), 0), coalesce(sum(l.charges * l.delta), 0),
		coalesce(sum(l.charges * l.rho), 0), coalesce(sum(l.charges), 0),
		coalesce(sum(l.charges * l.epsilon) FILTER (WHERE l.named), 0),
			coalesce(sum(l.charges * l.delta) FILTER (WHERE l.named), 0), NULL
	FROM line l
	ON CONFLICT ON CONSTRAINT ledger_sum_pkey DO UPDATE
	SET charge_id = excluded.charge_id, epsilon = t.epsilon + excluded.epsilon, delta = t.delta + excluded.delta,
		rho = t.rho + excluded.rho,
		charges = t.charges + excluded.charges, named_epsilon = t.named_epsilon + excluded.named_epsilon,
			named_delta = t.named_delta + excluded.named_delta;
	RETURN NOT EXISTS (SELECT FROM privacct.ledger_line l WHERE l.policy_id = id AND l.charge_id > last);
END
$$;
COMMENT ON FUNCTION privacct._sum_ledger(bigint, bigint)
	IS 'adds lines of a policy to its sums, so many at most; true if that were all';

-- What releases lose together is computed for those who will look, of policies where it has changed, a few at a time:
-- charges wait meanwhile.  Where many releases differ that takes long, and is left to who looks.
CREATE OR REPLACE FUNCTION privacct._keep_losses("from" bigint, ms int DEFAULT 20) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on SET jit = off AS $$
DECLARE
	until timestamptz := clock_timestamp() + ms * interval '1 ms';
	last bigint := (SELECT max(p.policy_id) FROM (SELECT q.policy_id FROM privacct.policy q
		WHERE q.policy_id >= "from" ORDER BY q.policy_id LIMIT 200) p);
	first bigint;
	w record;
BEGIN
	-- nothing would forget it
	IF EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid IN ('privacct.ledger_line'::regclass,
		'privacct.ledger_sum'::regclass, 'privacct.release_sum'::regclass) AND t.tgenabled = 'D') THEN
		RETURN NULL;
	END IF;
	FOR w IN SELECT l.policy_id, l.own FROM privacct._unkept_losses l WHERE l.policy_id BETWEEN "from" AND last
		ORDER BY l.policy_id, l.own
	LOOP
		-- however long it took to find the first, it is computed
		first := coalesce(first, w.policy_id);
		IF w.policy_id > first AND clock_timestamp() > until THEN
			RETURN w.policy_id;
		END IF;
		BEGIN
			INSERT INTO privacct.kept_loss AS k (policy_id, own, delta, sources, last_lines, epsilon, composed_by)
			SELECT l.policy_id, w.own, l.delta, l.sources,
				ARRAY(SELECT coalesce((SELECT max(g.charge_id) FROM privacct.ledger_line g
						WHERE g.policy_id = s.source), 0)
					FROM unnest(l.sources) WITH ORDINALITY s(source, n) ORDER BY s.n), l.epsilon,
				current_setting('privacct.loaded_version')
			FROM (SELECT a.policy_id, a.delta, a.sources, a.epsilon FROM privacct._all_losses a
					WHERE NOT w.own AND a.policy_id = w.policy_id
				UNION ALL SELECT o.policy_id, o.delta, o.sources, o.epsilon FROM privacct._own_losses o
					WHERE w.own AND o.policy_id = w.policy_id) l
			WHERE l.epsilon IS NOT NULL
			ON CONFLICT ON CONSTRAINT kept_loss_pkey DO UPDATE SET delta = excluded.delta, sources = excluded.sources,
				last_lines = excluded.last_lines, epsilon = excluded.epsilon, composed_by = excluded.composed_by;
		EXCEPTION WHEN OTHERS THEN		-- whoever looks is told
			NULL;
		END;
	END LOOP;
	RETURN last + 1;
END
$$;
COMMENT ON FUNCTION privacct._keep_losses(bigint, int)
	IS 'computes what the releases of some policies lose together, where it is not known, of one at least; returns the '
	'policy to go on from, null after the last';

--
-- Old lines of the ledger are folded into its sums.
--
-- Nothing that decides or is shown of what was spent needs a single line: see
-- docs/dba-guide.md.  The last line stays, by which an empty ledger is known as one
-- that was lost, and so do lines whose description others have that stay.
--

CREATE OR REPLACE FUNCTION privacct._take_out_lines(policy_id bigint, last bigint, but bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_take_out_lines' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._take_out_lines(bigint, bigint, bigint[])
	IS 'takes charges that are summed out of the ledger, up to a line and but for some, and returns how many';

-- An earlier policy's lines are older; of an open one nothing is charged meanwhile.
CREATE OR REPLACE FUNCTION privacct._fold_policy(id bigint, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	last bigint;
	described bigint[];
	problem text;
BEGIN
	PERFORM privacct._await_charges(id);
	PERFORM privacct._sum_ledger(id);
	SELECT d.problem INTO problem FROM privacct._line_sums d WHERE d.policy_id = id AND d.problem IS NOT NULL;
	IF problem IS NOT NULL THEN
		RAISE EXCEPTION 'the ledger of a policy is not what its sums say'
			USING ERRCODE = '42PA4',
				DETAIL = format('Lines are folded only where they agree with their sums: %s.', problem),
				HINT = 'SELECT * FROM privacct.check_books() shows the remedy.';
	END IF;
	SELECT least(min(l.charge_id) FILTER (WHERE l.charged_at >= before), max(l.charge_id)) - 1 INTO last
		FROM privacct.ledger_line l WHERE l.policy_id = id;
	described := ARRAY(SELECT DISTINCT l.detail_of FROM privacct.ledger_line l WHERE l.policy_id = id
		AND l.charge_id > last AND l.detail_of <= last ORDER BY 1);
	-- nothing is missing so far, but where charges were accepted as missing others may have got their numbers
	UPDATE privacct.ledger_sum t SET folded_to = greatest(t.folded_to, k.last),
		folded_at = greatest(t.folded_at, k.at)
	FROM (SELECT max(l.charge_id) AS last, max(l.charged_at) AS at FROM privacct.ledger_line l
		WHERE l.policy_id = id AND l.charge_id <= last
			AND NOT EXISTS (SELECT FROM privacct.identity i WHERE l.charge_id > i.accepted_to)) k
	WHERE t.policy_id = id AND k.last IS NOT NULL;
	UPDATE privacct.ledger_sum t SET folded_epsilon = t.folded_epsilon + c.epsilon,
		folded_delta = t.folded_delta + c.delta, folded_rho = t.folded_rho + c.rho,
		folded_charges = t.folded_charges + c.charges
	FROM (SELECT sum(l.epsilon) AS epsilon, sum(l.delta) AS delta, sum(l.rho) AS rho, count(*) AS charges
		  FROM privacct._charge l WHERE l.policy_id = id AND l.charge_id <= last AND l.charge_id <> ALL (described)) c
	WHERE t.policy_id = id AND c.charges > 0;
	RETURN coalesce(privacct._take_out_lines(id, last, described), 0);
END
$$;
COMMENT ON FUNCTION privacct._fold_policy(bigint, timestamptz) IS 'fold_ledger() for one policy';

CREATE OR REPLACE FUNCTION privacct._fold_ledger(caller regrole, relation regclass, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	b privacct.policy;
	folded bigint;
BEGIN
	IF before IS NULL THEN
		RAISE EXCEPTION 'the time up to which lines are folded must be given'
			USING ERRCODE = '42PA4', HINT = 'For instance: before => now() - interval ''1 year''.';
	END IF;
	PERFORM privacct._lock(relation);
	b := privacct._books_policy(privacct._policy_of(relation));
	PERFORM privacct._unit_called(caller, b.name) WHERE b.name IS NOT NULL;
	SELECT sum(privacct._fold_policy(f.policy_id, before)) INTO folded
	FROM (SELECT p.policy_id FROM privacct.policy p WHERE p.relation = _fold_ledger.relation
		UNION SELECT b.policy_id ORDER BY policy_id) f;
	RETURN folded;
END
$$;
COMMENT ON FUNCTION privacct._fold_ledger(regrole, regclass, timestamptz) IS 'worker of fold_ledger';
