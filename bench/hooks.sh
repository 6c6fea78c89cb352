#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What ordinary statements pay for our hooks: the SELECT of pgbench -S in a database with policies,
# on a server with the library, against the same without it.
. "$(dirname "$0")/lib.sh"
. "$bench/../scripts/server.sh"
export DATABASE=bench_hooks
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup tiny.sql
"$bindir/pgbench" -i -q -s 10 -U postgres "$DATABASE" 2>/dev/null >/dev/null
"$bindir/psql" -X -q -U postgres -d "$DATABASE" -c CHECKPOINT
# a copy, so that the server of the other benches goes on
copy=$BENCH_WORK/copy
as_server "$bindir/pg_basebackup" -h "$BENCH_WORK" -U postgres -c fast -D "$copy" 2>/dev/null
mkdir -p "$BENCH_WORK/copy_socket"
[ "$(id -u)" != 0 ] || chown postgres: "$BENCH_WORK/copy_socket"
printf '%s\n' "unix_socket_directories = '$BENCH_WORK/copy_socket'" | as_server tee -a "$copy/postgresql.conf" >/dev/null
as_server cp "$copy/postgresql.conf" "$BENCH_WORK/guarded.conf"
sed '/^shared_preload_libraries/d; /^privacct/d' "$BENCH_WORK/guarded.conf" | as_server tee "$BENCH_WORK/plain.conf" >/dev/null
trap 'as_server "$bindir/pg_ctl" -D "$copy" -m immediate stop >/dev/null 2>&1 || true' EXIT

# How long so short a transaction takes for its client depends on which processor wakes up for it; what
# the server itself takes does not, and what that grows by, the transaction does.
processor="SELECT split_part(pg_read_file('/proc/self/schedstat'), ' ', 1);"
{
	echo "$processor"
	awk 'BEGIN { for (srand(1); n < 5000; n++) print "SELECT abalance FROM pgbench_accounts WHERE aid = " 1 + int(1000000 * rand()) ";" }'
	echo "$processor"
} >"$BENCH_WORK/select.sql"

# processor time of the server for one statement
select_us()
{
	PGHOST=$BENCH_WORK/copy_socket "$bindir/psql" -X -q -At -U postgres -d "$DATABASE" -f "$BENCH_WORK/select.sql" |
		awk 'NR == 1 { begun = $1 } { ended = $1 } END { print (ended - begun) / 1000 / 5000 }'
}

# what one of pgbench -S takes for its client
transaction_us()
{
	"$bindir/pgbench" -n -S -T 1 -h "$BENCH_WORK/copy_socket" -U postgres "$DATABASE" 2>/dev/null |
		awk '/^latency average/ { print $4 * 1000 }'
}

# measure plain|guarded: ten short runs after a start
measure()
{
	as_server cp "$BENCH_WORK/$1.conf" "$copy/postgresql.conf"
	as_server "$bindir/pg_ctl" -D "$copy" -l "$BENCH_WORK/copy.log" -w start >/dev/null
	select_us >/dev/null
	for _ in $(seq 10); do keep "$1" "$(select_us)"; done
	[ "$1" = guarded ] || keep transaction "$(transaction_us)"
	as_server "$bindir/pg_ctl" -D "$copy" -m fast -w stop >/dev/null
}

# the best tenth of all runs: what disturbs a run makes it slower, never faster
best_of()
{
	sort -g "$BENCH_WORK/$1.figures" | sed -n "$((REPS))p"
}

forget plain guarded transaction
for _ in $(seq "$REPS"); do
	measure plain
	measure guarded
done
plain=$(best_of plain) guarded=$(best_of guarded) transaction=$(sort -g "$BENCH_WORK/transaction.figures" | head -1)
report hooks "$guarded us of processor time against $plain us, in a transaction of $transaction us" \
	"$(awk -v g="$guarded" -v p="$plain" -v t="$transaction" 'BEGIN { print 1 + (g - p) / t }')" most 1.01
