-- SPDX-License-Identifier: GPL-3.0-or-later
-- Of a tiny table a thousand releases are kept.
SELECT privacct.set_repeats('tiny', '1 day');
SET ROLE bench_analyst;
DO $$
BEGIN
	FOR i IN 1 .. 1000 LOOP
		EXECUTE format('SELECT count(*) FROM tiny WHERE income > %s', i);
	END LOOP;
END
$$;
RESET ROLE;
VACUUM (ANALYZE) privacct.stored_release;
CHECKPOINT;
