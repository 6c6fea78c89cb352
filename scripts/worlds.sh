#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two worlds by hand, as long as one likes: builds, stages and runs t/worlds/worlds.py
# with the given options.  WORLDS_PAIRS and WORLDS_SEED as in t/060_two_worlds.pl.
set -eu
cd "$(dirname "$0")/.."
scripts/install-packages.sh test
. scripts/server.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/privacct-worlds.XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
stage_build "$work" >"$work.build.log" 2>&1 || { tail -30 "$work.build.log"; rm -f "$work.build.log"; exit 2; }
rm -f "$work.build.log"
cp -r t/worlds "$work/worlds"
mkdir "$work/run"
chmod -R a+rX "$work"
[ "$(id -u)" != 0 ] || chown -R postgres: "$work"
mapfile -t staged < <(staged_settings "$work" | sed 's/^/--setting=/')
as_server env PYTHONDONTWRITEBYTECODE=1 python3 "$work/worlds/worlds.py" --directory "$work/run" --bindir "$("$PG_CONFIG" --bindir)" \
	"${staged[@]}" \
	--pairs "${WORLDS_PAIRS:-10000}" ${WORLDS_SEED:+--seed "$WORLDS_SEED"} "$@"
