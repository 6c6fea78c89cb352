-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT count(*) FROM tiny WHERE state = 1 AND person_id IN (1, 2, 3);
