#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How many looks at the time of a release tell whether one owner is in the table, whose
# row takes as long as a row may, and what they cost: as releases come, on a time grid,
# with noise on time.  No benchmark: the table of docs/security.md.
#	LOOKS=10000			looks at each of the two tables, in random turn; four times as many as they come
#
# The test that is counted on: how often a release takes longer than a threshold.  The
# threshold is chosen on the first half of the looks, its rates are measured on the second,
# and looks are as many as make both errors 5 %.  Where the rates differ by less than three
# standard errors, looks are at least those for what they may differ by.
. "$(dirname "$0")/lib.sh"
looks=${LOOKS:-10000}
export DATABASE=bench_timing
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup timing_looks.sql -v length="${LENGTH_OF_NOTE:-9000}"

# look NUMBER: 0 (with the owner) or 1 (without) and microseconds, one line each, as they came
look()
{
	rm -f "$BENCH_WORK"/look.*
	"$bindir/pgbench" -n -M prepared -U bench_analyst -c 1 -t "$((2 * $1))" -l --log-prefix="$BENCH_WORK/look" \
		-f "$bench/timing_looks_with.sql" -f "$bench/timing_looks_without.sql" "$DATABASE" >"$BENCH_WORK/look.out" 2>&1 ||
		{ cat "$BENCH_WORK/look.out" >&2; return 1; }
	cat "$BENCH_WORK"/look.[0-9]* | awk '{ print $4, $3 }' >"$BENCH_WORK/looks"
	awk '{ print $2 }' "$BENCH_WORK/looks" | sort -n >"$BENCH_WORK/sorted"
}

# summary NAME PRICE: of the looks
summary()
{
	awk -v name="$1" -v price="$2" '
	function rate(who, from, to, limit,    i, above) {
		for (i = from; i <= to; i++) above += time[who, i] > limit
		return above / (to - from + 1)
	}
	function spread(p) { return sqrt(p * (1 - p)) }
	function looks_for(p, q, gap) { return (1.6449 * (spread(p) + spread(q)) / gap) ^ 2 }
	FNR == NR { all[NR] = $1; total = NR; next }
	{ time[$1, ++n[$1]] = $2 }
	END {
		m = n[0] < n[1] ? n[0] : n[1]; half = int(m / 2)
		for (k = 1; k < 200; k++) {
			limit = all[int(total * k / 200)]
			p = rate(0, 1, half, limit); q = rate(1, 1, half, limit)
			score = p == q ? 0 : (p - q) ^ 2 / (spread(p) + spread(q) + 1 / half) ^ 2
			if (score > best) { best = score; threshold = limit }
		}
		p = rate(0, half + 1, m, threshold); q = rate(1, half + 1, m, threshold)
		gap = p - q; error = sqrt((p * (1 - p) + q * (1 - q)) / (m - half))
		told = gap > 3 * error
		gap = told ? gap : (gap > 0 ? gap : 0) + 3 * error
		count = gap > 0 ? looks_for(p > 0 && p < 1 ? p : 0.5, q > 0 && q < 1 ? q : 0.5, gap) : half
		printf "| %s | %.2f ms | %.1f %% and %.1f %% above %.2f ms | %s%.0f | %g | %s%.3g |\n",
			name, all[int(total / 2)] / 1000, 100 * p, 100 * q, threshold / 1000, told ? "" : "more than ", count, price, told ? "" : "more than ", count * price
	}' "$BENCH_WORK/sorted" "$BENCH_WORK/looks"
}

terms()
{
	as_role postgres -o /dev/null -c "SET client_min_messages = warning" \
		-c "SELECT privacct.set_release_terms(t, $1) FROM unnest(ARRAY['watched', 'unwatched']::regclass[]) t"
}

echo "| time of releases | median | with and without the owner | looks | price of each | epsilon |"
echo "|---|---|---|---|---|---|"
look "$((4 * looks))"
summary "as they come" 0.0008
terms "min_epsilon => 0.0008, time_grid => '5 ms'"
look "$looks"
summary "\`time_grid => '5 ms'\`" 0.0008
terms "min_epsilon => 0.0008, time_epsilon => 0.1"
look "$looks"
summary "\`time_epsilon => 0.1\`" 0.1008
