-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Indexes over what functions of the extension compute.
--

CREATE INDEX IF NOT EXISTS history_names ON privacct.history
	USING gin (privacct._lower(privacct._bare_names(names)) COLLATE "C") WITH (fastupdate = off);
COMMENT ON INDEX privacct.history_names IS 'histories of tables that had a name';

CREATE INDEX IF NOT EXISTS history_columns ON privacct.history USING gin (privacct._hashes(column_lists))
	WITH (fastupdate = off);
COMMENT ON INDEX privacct.history_columns IS 'histories of tables that had columns';
