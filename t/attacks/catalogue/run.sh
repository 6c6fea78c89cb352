#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ADAPTER [FILE...] : runs the attacks as pa_analyst; prints one verdict per attack.
# Needs PGHOST/PGPORT and a superuser (PGUSER, default postgres) who can connect as any role (trust on a private socket).
cd "$(dirname "$0")"; A=${1:-none}; shift
export PGUSER=${PGUSER:-postgres} PGDATABASE=attack_$A PGOPTIONS='-c client_min_messages=notice'
OUT=${OUT:-/tmp/attacks_out.$A}; mkdir -p "$OUT"
CANARY='777777|987-65-4321|Carol Canary|Canaryville'
HIT="^LEAK|(NOTICE|ERROR):  LEAK|$CANARY"
psql -qXd postgres -c "DROP DATABASE IF EXISTS $PGDATABASE" -c "CREATE DATABASE $PGDATABASE" || exit 2
psql -qX -v ON_ERROR_STOP=1 -f fixture.sql >/dev/null || exit 2
psql -qX -v ON_ERROR_STOP=1 -f adapters/$A.sql >/dev/null || exit 2
files=("$@"); [ ${#files[@]} = 0 ] && files=([0-9]*.sql)
leak=0; n=0; crash=0
for f in "${files[@]}"; do
  for i in $(seq 60); do psql -qAtXc 'SELECT 1' >/dev/null 2>&1 && break; sleep 1; done   # a crashed server comes back
  n=$((n+1)); o="$OUT/${f%.sql}.out"
  timeout 120 psql -qAtX -U pa_analyst -v admin="$PGUSER" -f "$f" >"$o" 2>&1; rc=$?
  if grep -qE 'server closed the connection|recovery mode|connection to server was lost' "$o"; then crash=$((crash+1)); v=CRASH; why='the server went down'
  elif [ $rc = 124 ]; then crash=$((crash+1)); v=HANG; why='over 120 s'
  elif grep -qE "$HIT" "$o"; then leak=$((leak+1)); v=LEAK; why=$(grep -E -m1 "$HIT" "$o" | sed 's/^psql:[^ ]* *//' | cut -c1-90)
  else v=held; why=$(grep -E -m1 "ERROR|refused|charged|no |same" "$o" | sed 's/^psql:[^ ]* *//' | cut -c1-90); fi
  printf '%-5s %-34s %s\n' "$v" "${f%.sql}" "$why"
done
echo "$A: $leak of $n attacks leak, $crash crash or hang the server"
[ $leak = 0 ] && [ $crash = 0 ]
