#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold of the files of the repository themselves, a line "ok" or "not ok" for each.
set -u
cd "$(dirname "$0")/../.."

# What is printed is wrong; nothing is right.
holds()	# name, command...
{
	local name=$1 wrong
	shift
	if wrong=$("$@" 2>&1) && [ -z "$wrong" ]; then
		echo "ok - $name"
	else
		printf '%s\n' "$wrong" | sed 's/^/# /'
		echo "not ok - $name"
	fi
}

# Everybody asks the row.
accountants_by_name()
{
	grep -rnE --include='*.[ch]' 'PA_ACCOUNTANT_[A-Z]' src | grep -vE '^src/(core/accounting/accountant\.[ch]|test/)'
	true
}

# What a function keeps, the first row that calls it makes.  Constant tables are none of a row's; of
# what is not, each line is followed by a comment that says why no row leaves anything in it.
kept_by_functions()
{
	grep -nE '\bfn_(extra|mcxt)\b|TopMemoryContext|^[[:space:]]*static [^(]*(;|=|\[)' src/allow/total_*.c src/allow/logistic.c src/allow/pattern.c |
		grep -vE 'static const|/\* all zero between calls \*/'
	true
}

# They are named in src/compat/, and called by their names.
versions_in_their_room()
{
	grep -rn --include='*.[ch]' 'PG_VERSION_NUM' src | grep -v '^src/compat/'
	true
}

# Values of eight bytes are so where a datum has as many.
by_value_as_types_say()
{
	grep -rnE --include='*.[ch]' '\b(fetch_att|store_att_byval)\(.*, (true|false), ' src
	grep -rnE --include='*.[ch]' '\b(makeConst|(de)?construct_(md_)?array)\(.*\b(INT8|FLOAT8|TIMESTAMP|TIMESTAMPTZ|TIME|CASH)OID, .' src | grep -v FLOAT8PASSBYVAL
	true
}

# PostgreSQL aligns by eight bytes, which PaInt128 and PaUint128 are content with.
aligned_as_allocated()
{
	grep -rnE --include='*.h' '^[[:space:]]+(const )?(unsigned )?__int128[[:space:]]' src
	true
}

# make installcheck runs in a database of another name, on servers that let in nobody but the superuser.
knows_the_server()
{
	grep -nE '^\\c(onnect)? +[^ ]+ +[^ ]' sql/*.sql
	grep -L '^CREATE DATABASE' sql/*.sql | sed 's|sql/\(.*\)\.sql|& expected/\1.out|' | xargs grep -nw regression
	true
}

holds "docs/refusals.md is what the code says" scripts/tree/refusals.py --check
holds "META.json fits PGXN, and all versions are one" scripts/tree/meta.py
holds "every file says its licence, or REUSE.toml does" scripts/tree/spdx.py
holds "pages name source files that are there" scripts/tree/paths.py
holds "calls in a circle check the stack" scripts/tree/recursion.py
holds "the sources that mutations change are as they say" scripts/tree/mutations.sh
holds "the picture of rooms is what the includes say" scripts/tree/rooms.py
holds "no accountant is known by its name" accountants_by_name
holds "no function over rows keeps anything" kept_by_functions
holds "only src/compat/ asks for the version of PostgreSQL" versions_in_their_room
holds "values are by value where their types say so" by_value_as_types_say
holds "what the lists name is tested and described" scripts/tree/lists.sh
holds "what is inserted depends on no default of others" scripts/tree/inserts.py
holds "what is missing for a build is said in one sentence" scripts/tree/requirements.sh
holds "tests of SQL know nothing of the server" knows_the_server
holds "accountants and regimes are the same in all places" scripts/tree/choices.py
holds "members of 128 bits are aligned as memory is" aligned_as_allocated
