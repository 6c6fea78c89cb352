-- SPDX-License-Identifier: GPL-3.0-or-later
\set least random(1, 50)
SELECT count(*) FROM tiny WHERE income > :least;
