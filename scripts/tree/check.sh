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

holds "docs/refusals.md is what the code says" scripts/tree/refusals.py --check
holds "META.json fits PGXN, and all versions are one" scripts/tree/meta.py
holds "every file says its licence, or REUSE.toml does" scripts/tree/spdx.py
holds "pages name source files that are there" scripts/tree/paths.py
