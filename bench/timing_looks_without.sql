-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT count(*) FROM unwatched WHERE md5(note) = '0';
