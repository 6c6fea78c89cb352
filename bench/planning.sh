#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Planning of guarded statements, as EXPLAIN reports it, in a session that has planned before.
. "$(dirname "$0")/lib.sh"
setup planning.sql

report_planning planning 2 "SELECT ward, count(*), sum(cost), avg(cost) FROM stay WHERE cost > 10 GROUP BY ward"
report_planning planning_join 2 "SELECT w.building, count(*) FROM stay JOIN hall w USING (ward) WHERE lower(ward) LIKE 'a%' AND cost IN (SELECT floor FROM hall) GROUP BY 1"
