-- SPDX-License-Identifier: GPL-3.0-or-later
\set person random(1, 50)
SELECT income FROM tiny WHERE person_id = :person;
