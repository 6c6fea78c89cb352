-- SPDX-License-Identifier: GPL-3.0-or-later
-- Where the generated rows go, and what to expect of them (see ../activity.sh).
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS activity CASCADE;
CREATE SCHEMA activity;
GRANT ALL ON SCHEMA activity TO bench_owner;
GRANT USAGE ON SCHEMA activity TO bench_analyst;
CREATE TABLE activity.generated (train boolean, person int, cohort int, at int, state int);
CREATE TABLE activity.expected (way text, epsilon float8, figure text, mean float8, deviation float8, allowed float8);
CREATE TABLE activity.rate (epsilon float8, entry_epsilon float8, b int, a float8);
CREATE TABLE activity.answer (way text, epsilon float8, run int, cohort int, top int[]);
GRANT INSERT ON activity.answer TO bench_analyst;
GRANT SELECT ON ALL TABLES IN SCHEMA activity TO bench_owner, bench_analyst;
