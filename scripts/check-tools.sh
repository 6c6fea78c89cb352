#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the test of analysts' tools with all of them: packages of Debian, and of npm in a directory
# that is removed again.  What cannot be installed is skipped and counted.  Ends as check.sh does.
set -u
cd "$(dirname "$0")/.."
scripts/install-packages.sh test tools || scripts/install-packages.sh test || exit 1

npm=$(mktemp -d "${TMPDIR:-/tmp}/privacct-npm.XXXXXX")
trap 'rm -rf "$npm"' EXIT
chmod 755 "$npm"
if ! command -v npm >/dev/null; then
	echo "npm is not installed"
elif ! npm install --prefix "$npm" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-retries=1 --fetch-timeout=60000 \
	pg@8.23.1 pg-query-stream@4.17.0 sequelize@6.37.8 knex@3.3.0 typeorm@1.1.1 reflect-metadata@0.2.2 drizzle-orm@0.45.4 kysely@0.28.19; then
	echo "the registry of npm does not answer"
fi
NODE_PATH="$npm/node_modules" ONLY=t/043_tools.pl scripts/check.sh
