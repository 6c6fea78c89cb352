#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of a charge when few and when many were made before: of a table protected as usual,
# and of one with a Pufferfish budget, whose filter looks at a sum and not at what came before.
# The small ledger is made anew for each repetition, since measuring makes it grow.
# And while another transaction keeps every version of the accounts, of a plan's slots and of owners' accounts.
. "$(dirname "$0")/lib.sh"
transactions=500

# new_ledger DATABASE TABLE
new_ledger()
{
	export DATABASE=$1
	"$bindir/dropdb" -U postgres --if-exists "$DATABASE" 2>/dev/null
	"$bindir/createdb" -U postgres "$DATABASE"
	setup database.sql
	setup "$2"
}

releases()
{
	as_role postgres -At -c "SELECT count(*) FROM privacct.ledger"
}

# large_then_small TABLE QUERY
large_then_small()
{
	# shortly before, so that the worker of either database is awake
	DATABASE=bench_ledger_large
	typical_ms bench_analyst "$2" -t 10 >/dev/null
	keep large "$(typical_ms bench_analyst "$2" -t $transactions)"
	new_ledger bench_ledger_small "$1"
	typical_ms bench_analyst "$2" -t 10 >/dev/null
	[ "$(releases)" = 10 ]
	keep small "$(typical_ms bench_analyst "$2" -t $transactions)"
}

# compare_ledgers NAME TABLE QUERY RELEASES
compare_ledgers()
{
	new_ledger bench_ledger_large "$2"
	pgbench_result bench_analyst "$3" 16 -t "$((($4 + 15) / 16))" >/dev/null
	count=$(releases)
	forget small large
	for _ in $(seq "$REPS"); do
		large_then_small "$2" "$3"
	done
	small=$(median_of small)
	large=$(median_of large)
	report "$1" "$large ms at $count releases and more against $small ms at 10 and more" "$(ratio "$large" "$small")" most 1.1
}

compare_ledgers ledger tiny.sql guarded.sql "$RELEASES"
compare_ledgers ledger_entries entries.sql guarded_entries.sql "$((RELEASES < 5000 ? RELEASES : 5000))"

# held_for COMMAND...: runs it while a transaction of another session keeps its snapshot
held_for()
{
	coproc as_role postgres -At
	echo "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM privacct.account;" >&"${COPROC[1]}"
	read -r _ <&"${COPROC[0]}"
	"$@"
	echo "COMMIT;" >&"${COPROC[1]}"
	exec {COPROC[1]}>&-
	wait "$COPROC_PID"
}

# many_then_few QUERY
many_then_few()
{
	pgbench_result bench_analyst "$1" 1 -t 8000 >/dev/null
	keep large "$(typical_ms bench_analyst "$1" -t $transactions)"
}

# compare_held NAME TABLE QUERY
compare_held()
{
	forget small large
	for _ in $(seq "$REPS"); do
		new_ledger bench_ledger_small "$2"
		typical_ms bench_analyst "$3" -t 10 >/dev/null
		keep small "$(typical_ms bench_analyst "$3" -t $transactions)"
		held_for many_then_few "$3"
	done
	small=$(median_of small)
	large=$(median_of large)
	report "$1" "$large ms after 8000 charges beside an open transaction against $small ms" "$(ratio "$large" "$small")" most 1.5
}

compare_held ledger_held tiny.sql guarded.sql
compare_held ledger_held_plan planned.sql guarded.sql
compare_held ledger_held_owners entries.sql guarded_owners.sql
