-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 188: ledger write
-- class: hijack
-- stopped by: P1 P6
-- a sound design: refused
\set VERBOSITY default
DO $$ DECLARE r record; n int := 0; BEGIN FOR r IN SELECT c.oid::regclass AS t FROM pg_class c JOIN pg_namespace s ON s.oid=relnamespace WHERE relkind='r' AND nspname IN ('privacct','pa_admin') LOOP
 BEGIN EXECUTE 'SELECT count(*) FROM '||r.t; RAISE NOTICE 'LEAK: % is readable (per-owner budget state is private data)', r.t; EXCEPTION WHEN insufficient_privilege THEN n := n+1; END;
 BEGIN EXECUTE 'DELETE FROM '||r.t; RAISE NOTICE 'LEAK: % is writable', r.t; EXCEPTION WHEN insufficient_privilege THEN n := n+1; END;
 BEGIN EXECUTE 'LOCK TABLE '||r.t||' IN ACCESS SHARE MODE NOWAIT'; RAISE NOTICE 'LEAK: % can be locked (denial of service)', r.t; EXCEPTION WHEN insufficient_privilege THEN n := n+1; END; END LOOP; RAISE NOTICE 'refused % times', n; END $$;
