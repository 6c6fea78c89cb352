-- Accountants are rows of the library: what SQL does with them holds for every row.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE FUNCTION pg_temp.try(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;

SELECT p, privacct._accountants(p) FROM unnest('{any,pure,planned}'::text[]) p;
SELECT a, privacct._currency(a), privacct._default_kernel(a) FROM unnest(privacct._accountants('any')) a;
SELECT q, pg_temp.try('SELECT ' || q) FROM unnest(ARRAY['privacct._accountants($$honest$$)', 'privacct._currency($$owner$$)',
	'privacct._default_kernel($$ZCDP$$)', 'privacct._cap($$$$, 1, 1e-6)', 'privacct._worth($$none$$, 1, 1e-6)', 'privacct._worth($$zcdp$$, 1, 0)',
	'privacct._worth($$zcdp$$, 2e9, 1e-6)', 'privacct._worth($$zcdp$$, $$NaN$$, 1e-6)', 'privacct._cap($$zcdp$$, 1, 0)']) q;

-- a promise becomes caps: spending them all is worth no more than was promised, and hardly less
CREATE TEMPORARY TABLE promise AS SELECT a AS accountant, e AS epsilon, d AS delta
FROM unnest(privacct._accountants('any')) a, unnest('{1e-9,0.01,1,3,20,1000}'::numeric[]) e, unnest('{0,1e-29,1e-12,1e-6,0.3}'::numeric[]) d
WHERE d > 0 OR a = ANY (privacct._accountants('pure'));
SELECT accountant, count(*) AS promises, bool_and(c.epsilon = p.epsilon AND c.delta = p.delta AND c.cap_delta <= p.delta) AS kept,
	bool_and(privacct._worth(accountant, m.cap, c.cap_delta) BETWEEN p.epsilon * 0.9999 AND p.epsilon * 1.000000001) AS tight,
	bool_and((c.cap_rho IS NOT NULL) = (privacct._currency(accountant) = 'rho') AND coalesce(c.cap_rho, c.epsilon) = m.cap) AS columns
FROM promise p, privacct._caps(accountant, epsilon, delta) c, privacct._cap(accountant, p.epsilon, c.cap_delta) m(cap)
GROUP BY 1 ORDER BY array_position(privacct._accountants('any'), accountant);
-- what needs a delta is refused without one
SELECT a, pg_temp.try(format('SELECT privacct._caps(%L, 1, 0)', a)) FROM unnest(privacct._accountants('any')) a;
-- what was spent is a column of the account, in each currency its own
SELECT a, privacct._spent(a, epsilon => 0.25, rho => 0.125) FROM unnest(privacct._accountants('any')) a;
SELECT DISTINCT c AS currency_without_columns FROM unnest(privacct._accountants('any')) a, privacct._currency(a) c,
	unnest('{account,ledger_line,ledger_sum,payer_sum,inherited,history}'::text[]) t
WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = ('privacct.' || t)::regclass AND attname = c AND NOT attisdropped)
UNION SELECT c FROM unnest(privacct._accountants('any')) a, privacct._currency(a) c, unnest('{policy,quota}'::text[]) t
WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = ('privacct.' || t)::regclass AND attname IN ('cap_' || c, c) AND NOT attisdropped);

-- an accountant is told by its row, not by its name; the books of local owners are kept by one of them alone
WITH written(object, text) AS (
	SELECT p.oid::regprocedure::text, p.prosrc FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace AND p.prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c')
	UNION ALL SELECT c.oid::regclass::text, pg_get_viewdef(c.oid) FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'v'
	UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'privacct'::regnamespace)
SELECT object, m[1] FROM written, regexp_matches(regexp_replace(text, '_currency\([\w.]*\)', '', 'g'), $$\maccountant\)?\s*((?:=|<>|!=|IN|NOT IN|WHEN|~|= ANY|<> ALL)\s*\(?(?:ARRAY\[)?'[^']*')$$, 'g') m ORDER BY object;
