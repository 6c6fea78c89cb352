-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a DBA does so that the time of an answer tells nothing either.
\set ECHO queries
SELECT privacct.set_release_terms('visit', time_epsilon => 0.1);
SELECT relation, least_epsilon, time_epsilon, time_delta::float4, mean_delay, longest_delay FROM privacct.release_terms WHERE time_epsilon > 0;
