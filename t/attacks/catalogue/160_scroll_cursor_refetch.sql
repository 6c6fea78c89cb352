-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 160: scroll cursor refetch
-- class: budget
-- stopped by: P12
-- a sound design: the second look shows the same noise
\set VERBOSITY default
BEGIN; DECLARE c SCROLL CURSOR FOR SELECT region, dp_count(*) AS n FROM hr.emp GROUP BY region;
\set n x
FETCH FIRST FROM c \gset a_
FETCH LAST FROM c \gset b_
FETCH FIRST FROM c \gset c_
COMMIT;
SELECT CASE WHEN :'a_n' = :'c_n' THEN 'same value' ELSE 'LEAK: fresh noise on rewind' END;
