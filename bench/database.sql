-- SPDX-License-Identifier: GPL-3.0-or-later
-- The extension, in a database of its own.
CREATE EXTENSION privacct;
GRANT CREATE ON SCHEMA public TO bench_owner;
