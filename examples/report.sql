-- SPDX-License-Identifier: GPL-3.0-or-later
-- For psql: \i report.sql writes privacy-budgets.html, a page about the budgets of all tables that you own.
-- \set mine 1 before it: about your own budgets; \set file, \set days: another file, another number of days.
\if :{?file} \else
	\set file privacy-budgets.html
\endif
\if :{?days} \else
	\set days 30
\endif
\set privacct_encoding :ENCODING
\encoding UTF8
\if :{?mine}
	SELECT privacct.my_report(:'days') \g (format=unaligned tuples_only=on title='') :file
\else
	SELECT privacct.report(:'days') \g (format=unaligned tuples_only=on title='') :file
\endif
\encoding :privacct_encoding
\unset privacct_encoding
\echo :file is written.
