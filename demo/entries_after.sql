-- SPDX-License-Identifier: GPL-3.0-or-later
\set ECHO queries
SELECT epsilon, round(epsilon_spent::numeric, 3) AS spent, active_b AS b, round(active_a::numeric, 3) AS a, entry_epsilon_spent AS entry_spent, round(entry_epsilon_cap, 3) AS entry_cap,
	   round(paper_sum::numeric, 3) AS paper_sum, round(naive_sum::numeric, 3) AS naive_sum FROM privacct.pufferfish_budget;
\set ECHO none
