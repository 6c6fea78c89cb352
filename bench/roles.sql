-- SPDX-License-Identifier: GPL-3.0-or-later
-- Who takes part, in the whole server.
CREATE ROLE bench_owner LOGIN;
CREATE ROLE bench_analyst LOGIN;
ALTER ROLE bench_analyst SET privacct.epsilon = 0.001;
CREATE EXTENSION privacct;
GRANT privacct_admin TO bench_owner;
GRANT CREATE ON SCHEMA public TO bench_owner;
