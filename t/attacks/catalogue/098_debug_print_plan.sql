-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 098: debug print plan
-- class: explain
-- stopped by: P10
-- a sound design: messages of the planner are kept from the client while a protected block is planned
\set VERBOSITY default
SET client_min_messages=log; SET debug_pretty_print=off; SET debug_print_plan=on;
SELECT dp_count(*) FROM hr.emp WHERE region='west' \g |cat >/dev/null
\! psql -U pa_analyst -qAtX -c "SET client_min_messages=log; SET debug_print_plan=on; SELECT dp_count(*) FROM hr.emp WHERE region='west'" 2>&1 | grep -o 'plan_rows [0-9]*' | sort -u | tail -1 | sed 's/^/LEAK debug_print_plan: /'
