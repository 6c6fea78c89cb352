#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Twenty questions to every owner, in one session, each next to the plain mean of the
# same rows: the same question again and again, different ones (nearly every owner with
# a history of their own at the end), and under a cap that leaves most owners out.
. "$(dirname "$0")/lib.sh"
owners=$((ROWS / 10))
questions=20

same_question()
{
	echo "privacct.ldp_avg(answer)"
}

# No two histories say the same: 2^20 states are possible.
different_question()
{
	echo "privacct.ldp_avg((answer * $(($1 / 2)) + answer * answer * $(($1 % 2))) % 11)"
}

# The session's commands.  \timing's lines and ours tell the time and where the WAL is.
session()
{
	echo "\\o /dev/null"
	echo "SET privacct.epsilon = 0.1;"
	echo "SET ROLE bench_owner;"
	echo "SELECT avg(answer) FROM $1;"
	echo "RESET ROLE;"
	for i in $(seq "$questions"); do
		timed plain bench_owner "avg(answer) FROM $1"
		wal_position
		timed "$i" bench_analyst "$("$2" "$((i + 1))") FROM $1"
		wal_position
	done
}

timed()
{
	printf '%s\n' "\\echo $1" "SET ROLE $2;" "\\timing on" "SELECT $3;" "\\timing off" "RESET ROLE;"
}

wal_position()
{
	echo "SELECT pg_current_wal_insert_lsn() - '0/0' AS wal \\gset"
	echo "\\echo wal :wal"
}

# keep_figures NAME: of a session's output
keep_figures()
{
	while read -r what figure _; do
		case $what in
			Time:) keep "$1_$side" "$figure" ;;
			wal) keep "$1_wal" "$figure" ;;
			*) side=$what ;;
		esac
	done
}

# ratio_of NAME QUESTION: its median against that of all plain means
ratio_of()
{
	ratio "$(median_of "$1_$2")" "$(median_of "$1_plain")"
}

# report_question NAME WHICH QUESTION
report_question()
{
	report "$1_$2" "question $3, $(median_of "$1_$3") ms against $(median_of "$1_plain") ms" "$(ratio_of "$1" "$3")" most 3
}

# The first question (owners get their keys), the last, and the slowest between; WAL of all.
report_series()
{
	slowest=$(for i in $(seq 2 $((questions - 1))); do echo "$(ratio_of "$1" "$i") $i"; done | sort -g | tail -1 | cut -d' ' -f2)
	report_question "$1" first 1
	report_question "$1" slowest "$slowest"
	report_question "$1" last "$questions"
	bytes=$(awk 'NR % 2 { from = $1; next } { sum += $1 - from; n++ } END { printf "%.0f", sum / n }' "$BENCH_WORK/$1_wal.figures")
	report "$1_wal" "$bytes bytes a question against 1000000" "$(ratio "$bytes" 1000000)" most 1
}

# one_series NAME QUESTION CAP: all questions, REPS times on a table that was never asked
one_series()
{
	forget "$1_plain" "$1_wal"
	for i in $(seq "$questions"); do forget "$1_$i"; done
	for _ in $(seq "$REPS"); do
		setup local.sql -v table=asked -v owners="$owners" -v cap="$3" 2>/dev/null
		session asked "$2" | as_role postgres >"$BENCH_WORK/local.out"
		keep_figures "$1" <"$BENCH_WORK/local.out"
		as_role postgres -c "DROP TABLE asked"
	done
	report_series "$1"
}

one_series local_same same_question 4
one_series local_different different_question 4
one_series local_capped same_question 0.35

# What many histories cost, to know: admitting each and making the next ones.
histories=$(ratio "$(median_of "local_different_$questions")" "$(median_of "local_same_$questions")")
echo "local_histories: the last question, different before it against the same before it: ratio $histories"
