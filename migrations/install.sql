-- What must hold before a fresh install creates anything.

\echo Use "CREATE EXTENSION privacct" to load this file. \quit

