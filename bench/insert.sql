-- SPDX-License-Identifier: GPL-3.0-or-later
INSERT INTO entry (amount) VALUES (1);
