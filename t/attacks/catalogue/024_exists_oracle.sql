-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 024: exists oracle
-- class: raw
-- stopped by: P2
-- a sound design: refused
\set VERBOSITY default
SELECT lab.val('SELECT 1 WHERE EXISTS (SELECT 1 FROM hr.emp WHERE salary=777000+777)') AS h, lab.val('SELECT 1 WHERE EXISTS (SELECT 1 FROM hr.emp WHERE salary=777000+778)') AS m \gset
SELECT CASE WHEN :'h' <> :'m' THEN 'LEAK: exists oracle' ELSE 'no difference '||:'h' END;
