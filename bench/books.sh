#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What grows with the number of policies and charges, and what must not: commands that
# concern no policy, beside a database without the extension, and views over the ledger.
. "$(dirname "$0")/lib.sh"
POLICIES=${POLICIES:-1000}
CHARGES=${CHARGES:-10000000}

# command_ms DATABASE COMMANDS: median time of the commands of a file, each once in a session that is warm
command_ms()
{
	DATABASE=$1 as_role postgres -f "$2" | awk '/^Time:/ { print $2 }' | tail -n +11 | median
}

# commands FILE COMMAND: the command for 60 tables
commands()
{
	echo '\timing on' >"$1"
	for i in $(seq 60); do echo "${2//%/$i};" >>"$1"; done
}

# compare_commands NAME COMMAND UNDO
compare_commands()
{
	commands "$BENCH_WORK/do.sql" "$2"
	commands "$BENCH_WORK/undo.sql" "$3"
	forget plain guarded
	for _ in $(seq "$REPS"); do
		keep plain "$(command_ms bench_books_none "$BENCH_WORK/do.sql")"
		keep guarded "$(command_ms bench_books "$BENCH_WORK/do.sql")"
		for database in bench_books_none bench_books; do
			DATABASE=$database as_role postgres -f "$BENCH_WORK/undo.sql" >/dev/null 2>&1
		done
	done
	more=$(awk -v a="$(median_of guarded)" -v b="$(median_of plain)" 'BEGIN { print a - b }')
	report "$1" "$(median_of guarded) ms against $(median_of plain) ms" "$more" most 1
}

# processor_ms ROLE QUERY: what a session that has asked it before needs on the processor; whatever else the machine
# does is not in it
processor_ms()
{
	as_role postgres -o /dev/null -c "SET log_statement_stats = on" -c "SET client_min_messages = log" \
		-c "SET SESSION AUTHORIZATION $1" -c "$2" -c "$2" -c "$2" 2>&1 |
		sed -nE 's/^!\s*([0-9.]+) s user, ([0-9.]+) s system.*elapsed$/\1 \2/p' |
		tail -1 | awk '{ print ($1 + $2) * 1000; found = 1 } END { exit !found }'
}

# view_ms NAME ROLE QUERY [MILLISECONDS]: the view, and 50 ms or another goal
view_ms()
{
	forget view
	for _ in $(seq "$REPS"); do
		keep view "$(DATABASE=bench_books processor_ms "$2" "$3")"
	done
	report "books_$1" "$(median_of view) ms on the processor against ${4:-50} ms" "$(ratio "$(median_of view)" "${4:-50}")" most 1
}

# first_ms DATABASE: a session's first statement, which concerns no policy, by somebody who protects nothing
first_ms()
{
	DATABASE=$1 run_ms postgres "SELECT count(*) FROM bench_plain"
}

# How much larger than nothing the ledger is, with its indexes.
ledger_bytes()
{
	as_role postgres -At -c "SELECT pg_total_relation_size('privacct.ledger_line') / (SELECT count(*) FROM privacct.ledger_line)"
}

"$bindir/createdb" -U postgres bench_books_none
DATABASE=bench_books_none as_role postgres -c "CREATE TABLE bench_plain (a int)"
"$bindir/createdb" -U postgres bench_books
export DATABASE=bench_books
setup books.sql -v policies="$POLICIES" -v charges="$CHARGES"
compare_commands books_temp "CREATE TEMP TABLE t% (a int, b text)" "SELECT %"
compare_commands books_table "CREATE TABLE plain% (a int PRIMARY KEY, b text)" "DROP TABLE plain%"
compare_commands books_grant "GRANT SELECT ON bench_plain TO bench_analyst" "REVOKE SELECT ON bench_plain FROM bench_analyst"

forget plain guarded
for _ in $(seq $((REPS * 3))); do
	keep plain "$(first_ms bench_books_none)"
	keep guarded "$(first_ms bench_books)"
done
more=$(awk -v a="$(median_of guarded)" -v b="$(median_of plain)" 'BEGIN { print a - b }')
report books_session "$(median_of guarded) ms against $(median_of plain) ms" "$more" most 1
report books_bytes "$(ledger_bytes) bytes a charge against 250" "$(ratio "$(ledger_bytes)" 250)" most 1

# protect_ms DATABASE: median time of declaring one table more, in a session that is warm
protect_ms()
{
	command_ms "$1" "$BENCH_WORK/protect.sql"
}

# One table more, where there are so many policies and where there is one.
"$bindir/createdb" -U postgres bench_books_one
DATABASE=bench_books_one as_role postgres -c "SET client_min_messages = warning" -c "CREATE EXTENSION privacct" -c "CREATE TABLE one (id int PRIMARY KEY, owner int NOT NULL)" \
	-c "SELECT privacct.protect('one', 'owner')" >/dev/null
for database in bench_books_one bench_books; do
	for i in $(seq 60); do echo "CREATE TABLE more$i (id int PRIMARY KEY, owner int NOT NULL, column_$i int);"; done | DATABASE=$database as_role postgres
done
commands "$BENCH_WORK/protect.sql" "SELECT privacct.protect('more%', 'owner')"
commands "$BENCH_WORK/undo.sql" "SELECT privacct.unprotect('more%')"
forget one many
for _ in $(seq "$REPS"); do
	keep one "$(protect_ms bench_books_one)"
	keep many "$(protect_ms bench_books)"
	for database in bench_books_one bench_books; do DATABASE=$database as_role postgres -f "$BENCH_WORK/undo.sql" >/dev/null; done
done
report books_protect "$(median_of many) ms against $(median_of one) ms" "$(ratio "$(median_of many)" "$(median_of one)")" most 1.5
setup losses.sql
# Every view, by whom every table is and by an analyst of all of them.  Those that list lines, or compare what is
# kept with all that it is made of, follow.
views=$(as_role postgres -At -c "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'v'
	AND c.relname !~ '^_' AND c.relname <> ALL ('{ledger,spending,daily_spending,my_ledger,discrepancy,line_discrepancy}') ORDER BY 1")
for view in $views; do
	view_ms "$view" postgres "SELECT * FROM privacct.$view"
	view_ms "${view}_analyst" bench_analyst "SELECT * FROM privacct.$view"
done
view_ms odometer_one postgres "SELECT * FROM privacct.odometer WHERE policy_id = 7"
view_ms ledger_newest postgres "SELECT * FROM privacct.ledger ORDER BY charge_id DESC LIMIT 100"
view_ms my_ledger bench_analyst "SELECT * FROM privacct.my_ledger LIMIT 100"
for view in spending daily_spending; do
	view_ms "${view}_one" postgres "SELECT * FROM privacct.$view WHERE policy_id = 7"
	view_ms "${view}_analyst" bench_analyst "SELECT * FROM privacct.$view"
done
view_ms spending_since postgres "SELECT * FROM privacct.spending WHERE charged_at >= (SELECT max(charged_at) - interval '1 hour' FROM (SELECT * FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1) l)"
# books are compared anew: what each policy says with what is kept of it
view_ms discrepancy postgres "SELECT * FROM privacct.discrepancy" 100
view_ms report postgres "SELECT privacct.report()" 1000
view_ms my_report bench_analyst "SELECT privacct.my_report()" 1000
