-- SPDX-License-Identifier: GPL-3.0-or-later
-- What releases lose together, as the ledger's worker keeps it when nothing has been charged for a while.
SET client_min_messages = warning;
SET privacct.write_books = on;
DO $$
DECLARE
	next bigint := 0;
BEGIN
	WHILE next IS NOT NULL LOOP
		next := privacct._keep_losses(next);
	END LOOP;
END
$$;
VACUUM ANALYZE privacct.kept_loss;
