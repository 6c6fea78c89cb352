# SPDX-License-Identifier: GPL-3.0-or-later
# What psql prints of the tests, as PostgreSQL 15 would: words and layout of other versions.
s/^CONTEXT:  PL\/pgSQL expression /CONTEXT:  SQL expression /
s/^\( *InitPlan [0-9]*\) (returns [$0-9,]*)/\1/
s/(actual rows=\([0-9]*\)\.00 /(actual rows=\1 /
/^ *"Disabled": false,*$/d
/^ *Disabled: false$/d
s/^             List of tables$/            List of relations/
s/^WARNING:  permission denied to \(vacuum\|analyze\) "\(.*\)", skipping it$/WARNING:  skipping "\2" --- only table or database owner can \1 it/
s/\(SQL function "[^"]*"\) during startup$/\1 statement 1/
s/^ERROR:  large object metadata with OID \([0-9]*\) does not exist$/ERROR:  large object \1 does not exist/
