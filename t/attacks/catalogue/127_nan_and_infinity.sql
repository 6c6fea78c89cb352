-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 127: nan and infinity
-- class: numeric
-- stopped by: P9
-- a sound design: NaN is a value to clamp or drop, never an output
\set VERBOSITY default
SELECT lab.val($q$SELECT dp_sum(CASE WHEN salary=777000+777 THEN 'NaN'::float8 ELSE 0 END, 0, 1) FROM hr.emp$q$) AS a, lab.val($q$SELECT dp_sum(CASE WHEN salary=777000+777 THEN 'Infinity'::float8 ELSE 0 END, -1, 1) FROM hr.emp$q$) AS b \gset
SELECT CASE WHEN :'a' IN ('NaN','Infinity') OR :'b' IN ('NaN','Infinity') THEN 'LEAK: '||:'a'||' '||:'b' ELSE 'no special value' END;
