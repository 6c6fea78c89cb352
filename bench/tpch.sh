#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The TPC-H queries over protected tables that are answered as printed, by the analyst against the tables'
# owner.  TPCH_SCALE is the scale factor.
. "$(dirname "$0")/lib.sh"
DATABASE=tpch
as_role postgres -d postgres -c 'CREATE DATABASE tpch OWNER bench_owner'
as_role postgres -o /dev/null -c 'CREATE EXTENSION privacct'
as_role bench_owner -o /dev/null -v sf="${TPCH_SCALE:-0.1}" -f "$bench/tpch/load.sql"
as_role postgres -o /dev/null -v owner=bench_owner -v analyst=bench_analyst -v epsilon=1000000 -f "$bench/tpch/protect.sql"
# the least price is a ten-thousandth of the budget
as_role postgres -c 'ALTER ROLE bench_analyst IN DATABASE tpch SET privacct.epsilon = 100'
for file in "$bench"/tpch/queries/*.sql; do
	grep -q ': answered' "$file" || continue
	query=$(grep -v '^--' "$file")
	compare_queries "tpch_$(basename "$file" .sql)" "$query" "$query" 2.5
	report_planning "tpch_$(basename "$file" .sql)_planning" 10 "$query"
done
