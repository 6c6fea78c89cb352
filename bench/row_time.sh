#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What one row can add to the time of a release: every function at extremes of its arguments,
# as many copies as the bound on the work per row admits, met by all rows against none.
. "$(dirname "$0")/lib.sh"
export DATABASE=bench_row_time

# The largest time of a row in a table of figures, against so many microseconds.
report_largest()	# name, table, microseconds
{
	local most
	most=$(as_role bench_analyst -A -t -c "SELECT max(measured) / 1000 FROM $2")
	report "$1" "$most us" "$(ratio "$most" "$3")" most 1
}
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
rows=${ROW_TIME_ROWS:-500}
setup row_time.sql -v rows="$rows" -v calls="${ROW_TIME_CALLS:-10}"
as_role bench_analyst -o /dev/null <<END
SET bench.rows = $rows;
SET client_min_messages = warning;
DO \$\$ DECLARE c record; b float8; BEGIN
	FOR c IN SELECT expression FROM call ORDER BY expression LOOP
		b := bound(c.expression);
		CONTINUE WHEN b IS NULL OR b > 18000;
		INSERT INTO figure VALUES (c.expression, b, floor(18000 / b), row_time(c.expression, floor(18000 / b)::int, $REPS));
	END LOOP;
END \$\$;
END
echo "== expressions: $(as_role bench_analyst -A -t -c "SELECT count(*) FROM figure"); those that come nearest to their bound:"
as_role bench_analyst -c "SELECT round(measured::numeric / 1000, 2) AS measured_us, round((bound * copies)::numeric / 1000, 2) AS bound_us, round((measured / copies)::numeric) AS measured_ns, round(bound::numeric) AS bound_ns, copies, left(expression, 90) AS expression
	FROM figure ORDER BY measured / (bound * copies) DESC LIMIT ${ROW_TIME_LINES:-10}"
as_role bench_analyst -o /dev/null <<END
SET bench.rows = $rows;
SET client_min_messages = warning;
DO \$\$ DECLARE f record; n int; BEGIN
	FOR f IN SELECT query FROM form LOOP
		n := form_copies(f.query);
		INSERT INTO form_figure VALUES (f.query, n, CASE WHEN n > 0 THEN form_time(f.query, n, $REPS) END);
	END LOOP;
END \$\$;
END
echo "== places of an expression: $(as_role bench_analyst -A -t -c "SELECT count(*) FILTER (WHERE copies > 0) || ' of ' || count(*) FROM form_figure") are allowed; the slowest:"
as_role bench_analyst -c "SELECT round(measured::numeric / 1000, 2) AS measured_us, copies, query FROM form_figure WHERE copies > 0 ORDER BY measured DESC LIMIT ${ROW_TIME_LINES:-10}"
report_largest row_time_form form_figure 20
as_role bench_analyst -o /dev/null <<END
SET bench.rows = $rows;
SET client_min_messages = warning;
INSERT INTO join_figure SELECT form, tables, join_time(query, 10 * $REPS) FROM join_form;
END
echo "== joins of protected tables: one row that meets its owner's"
as_role bench_analyst -c "SELECT round(measured::numeric / 1000, 2) AS measured_us, tables, form FROM join_figure ORDER BY measured DESC LIMIT ${ROW_TIME_LINES:-10}"
report_largest row_time_join join_figure 200
as_role bench_analyst -o /dev/null <<END
SET bench.rows = $rows;
SET client_min_messages = warning;
INSERT INTO levels_figure SELECT keys, several, n, levels_time(keys, aggregates, n, $REPS) FROM levels_form, most_levels(keys, aggregates) n;
END
echo "== groupings of selected groups: one row that is a group of its own in all of them"
as_role bench_analyst -c "SELECT round(measured::numeric / 1000, 2) AS measured_us, groupings, several AS aggregates, keys FROM levels_figure ORDER BY measured DESC LIMIT ${ROW_TIME_LINES:-10}"
report_largest row_time_levels levels_figure 20
as_role bench_analyst -A -t -F ' ' -c "SELECT max(measured) / 1000, max(measured / (bound * copies)) FROM figure" | while read -r most share; do
	report row_time "$most us" "$(ratio "$most" 20)" most 1
	report row_time_bound "largest share of its bound" "$share" most 1
done
