-- From 0.1 to 0.2.  These steps run after 0.1 in a fresh install, and alone in an upgrade.

\echo Use "ALTER EXTENSION privacct UPDATE" to load this file. \quit

