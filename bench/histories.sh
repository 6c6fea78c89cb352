#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Owners with many unlike histories in the local regime: forty questions in one
# session, over a listed column of 200 values (tables are large) and over four
# intervals (losses are searched for), and what sessions keep of it, shared or not.
. "$(dirname "$0")/../scripts/server.sh"
. "$(dirname "$0")/lib.sh"
questions=40

# What sessions share is gone then.
restart_with_shared()
{
	as_server "$bindir/pg_ctl" -D "$BENCH_WORK/data" -l "$BENCH_WORK/server.log" -w -o "-c privacct.shared_book_memory=$1" restart >/dev/null
}

# Different questions about the number.
listed_question()
{
	echo "privacct.ldp_avg((x * $((2 * $1 + 3)) + $((7 * $1))) % 200)"
}

# Linear forms in directions that do not repeat for long.
box_question()
{
	echo "privacct.ldp_avg($(($1 * 7 % 5 > 2 ? 1 : 2)) * a + ($(($1 * 3 % 7)) - 3) * b + ($(($1 * 5 % 9)) - 4) * c - $(($1 * 2 % 3)) * d)"
}

session()
{
	echo "\\o /dev/null"
	echo "SET privacct.epsilon = 0.3;"
	echo "SET client_min_messages = warning;"
	echo "SET ROLE bench_analyst;"
	for i in $(seq "$questions"); do
		printf '%s\n' "\\echo $i" "\\timing on" "SELECT $("$2" "$i") FROM $1;" "\\timing off"
	done
}

keep_figures()
{
	while read -r what figure _; do
		case $what in
			Time:) keep "$1_$side" "$figure" ;;
			*) side=$what ;;
		esac
	done
}

# What a new session needs for its first answer: milliseconds.  The first leaves a copy of the states for the next.
first_answer()
{
	printf '%s\n' "\\o /dev/null" "SET privacct.epsilon = 0.3;" "SET client_min_messages = warning;" "SET ROLE bench_analyst;" '\timing on' "SELECT $("$2" 41) FROM $1;" |
		as_role postgres | awk '/^Time:/ { print $2 }'
}

# What a new session needs to look at the states, and keeps of them beside 30 bytes an owner: "milliseconds kilobytes".
new_session()
{
	as_role postgres -At -c '\timing on' -c "SELECT privacct.owners_left('asked', 0.1)" -c '\timing off' \
		-c "SELECT 'kB', sum(total_bytes) / 1024 FROM pg_backend_memory_contexts WHERE name = 'privacct states'" |
		awk -F'[ |]' '/^Time:/ { ms = $2 } /^kB/ { printf "%s %d\n", ms, $2 }'
}

# one_series NAME QUESTION SETUP
one_series()
{
	for i in $(seq "$questions"); do forget "$1_$i"; done
	forget "$1_new" "$1_kB" "$1_folded" "$1_first" "$1_second" "$1_shared" "$1_shared_new" "$1_shared_kB"
	for _ in $(seq "$REPS"); do
		restart_with_shared 1GB
		setup histories.sql -v case="$3"
		session asked "$2" | as_role postgres >"$BENCH_WORK/histories.out"
		keep_figures "$1" <"$BENCH_WORK/histories.out"
		keep "$1_shared" "$(first_answer asked "$2")"
		read -r ms kb <<<"$(new_session)"
		keep "$1_shared_new" "$ms"
		keep "$1_shared_kB" "$kb"
		restart_with_shared 0
		keep "$1_first" "$(first_answer asked "$2")"
		keep "$1_second" "$(first_answer asked "$2")"
		read -r ms kb <<<"$(new_session)"
		keep "$1_new" "$ms"
		keep "$1_kB" "$kb"
		keep "$1_folded" "$(as_role postgres -At -c "SELECT folded FROM privacct.local_odometer WHERE relation = 'asked'::regclass")"
	done
	tenth=$(median_of "$1_10")
	last=$(median_of "$1_$questions")
	report "$1" "question $questions, $last ms against $tenth ms of question 10" "$(ratio "$last" "$tenth")" most 5
	report "$1_memory" "$(median_of "$1_kB") kB in a session against 262144 (tables of $(median_of "$1_folded") owners do not fit)" "$(ratio "$(median_of "$1_kB")" 262144)" most 1
	report "$1_session" "first answer in a new session $(median_of "$1_second") ms against $(median_of "$1_first") ms without a copy" \
		"$(ratio "$(median_of "$1_second")" "$(median_of "$1_first")")" most 1
	report "$1_shared_memory" "$(median_of "$1_shared_kB") kB in a second session against $(median_of "$1_kB") kB where nothing is shared" \
		"$(ratio "$(median_of "$1_shared_kB")" "$(median_of "$1_kB")")" most 0.1
	report "$1_shared_session" "first answer in a new session $(median_of "$1_shared") ms against $(median_of "$1_second") ms where nothing is shared" \
		"$(ratio "$(median_of "$1_shared")" "$(median_of "$1_second")")" most 1
	echo "$1_look: $(median_of "$1_shared_new") ms to look at the states in a new session, $(median_of "$1_new") ms where nothing is shared"
}

one_series histories_listed listed_question listed
one_series histories_box box_question box
