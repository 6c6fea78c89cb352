#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every test: the tree of sources, core (cmocka, vectors), regress, isolation, TAP.
# Ends with one line: N passed, N failed, and N skipped if any.  CHECK_KEEP=1 keeps the work directory;
# ONLY="tree sql/guard.sql specs/ledger.spec t/013_plan.pl core" runs just those.
set -u
cd "$(dirname "$0")/.."

# Nothing may depend on how fast the machine is: what is waited for comes, however
# late; these limits only end a run that hangs.
export PG_TEST_TIMEOUT_DEFAULT=3600 PGCTLTIMEOUT=3600 PGISOLATIONTIMEOUT=3600

# Memory that was given back says nothing: whatever is read of it fails in any test.
export MALLOC_PERTURB_=165
scripts/install-packages.sh test || exit 1
. scripts/server.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/privacct-check.XXXXXX")
chmod 755 "$work"
passed=0
failed=0
skipped=0
failures=						# what they are in
core=							# process that tests what needs no server
tree=							# ... and one that looks at the sources

tally()
{
	passed=$((passed + $1))
	failed=$((failed + $2))
	[ "$2" = 0 ] || failures+="$3; "
	printf '== %s: %d passed, %d failed\n' "$3" "$1" "$2"
}

count()
{
	grep -cE "$1" "$2" || true
}

finish()
{
	kill $core $tree 2>/dev/null
	if [ "$failed" = 0 ] && [ "${CHECK_KEEP:-0}" = 0 ]; then rm -rf "$work"; else echo "kept $work"; fi
	[ "$failed" = 0 ] || echo "failed: ${failures%; }"
	echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}

# The names that ONLY lists below a directory, without directory and ending; all, if there is no list.
wanted()	# directory, ending
{
	if [ -z "${ONLY:-}" ]; then (cd "$1" && ls *"$2"); else printf '%s\n' $ONLY | sed -nE "s|^$1/(.*\\$2)\$|\1|p"; fi |
		sed "s/\\$2\$//" | tr '\n' ' '
}

run_tree()
{
	scripts/tree/check.sh >"$work/tree.log" 2>&1
}

tell_tree()
{
	grep -vE '^ok ' "$work/tree.log"
	tally "$(count '^ok ' "$work/tree.log")" "$(count '^not ok ' "$work/tree.log")" tree
}

run_core()
{
	make -s -k -O -j"$(nproc)" core-test >"$work/core.log" 2>&1
	echo $? >"$work/core.code"
}

tell_core()
{
	code=$(cat "$work/core.code")
	grep -E 'FAILED|FAIL|SKIPPED|passed,' "$work/core.log"
	ok=$(count '^\[ +OK +\]' "$work/core.log")
	bad=$(grep -cE '^\[  FAILED  \] [a-z_]+$' "$work/core.log")
	vectors_ok=$(sed -nE 's/^([0-9]+) passed, [0-9]+ failed.*/\1/p' "$work/core.log" | awk '{n += $1} END {print n + 0}')
	vectors_bad=$(sed -nE 's/^[0-9]+ passed, ([0-9]+) failed.*/\1/p' "$work/core.log" | awk '{n += $1} END {print n + 0}')
	[ "$code" = 0 ] || [ $((bad + vectors_bad)) -gt 0 ] || { tail -30 "$work/core.log"; bad=1; }
	skipped=$((skipped + $(grep -E '^\[  SKIPPED \] [a-z_]+$' "$work/core.log" | sort -u | wc -l)))
	tally $((ok + vectors_ok)) $((bad + vectors_bad)) core
}

for name in ${ONLY:-}; do
	case $name in core | tree) ;; *) [ -f "$name" ] || { tally 0 1 "$name: no such test"; finish; } ;; esac
done

# Beside all that follows.
case " ${ONLY:-core} " in *" core "*) run_core & core=$! ;; esac
case " ${ONLY:-tree} " in *" tree "*) run_tree & tree=$! ;; esac

echo "== build"
if ! stage_build "$work" >"$work.build.log" 2>&1; then
	tail -30 "$work.build.log"
	tally 0 1 build
	finish
fi
grep -E 'warning:' "$work.build.log" && tally 0 1 "build without warnings" || tally 1 0 "build without warnings"
rm -f "$work.build.log"

cp -r sql expected specs t docs demo bench examples scripts privacct.control README.md CHANGELOG.md LICENSE migrations migrations/privacct--0.1.sql "$work/"
adult=${ADULT_CSV:-data/adult.csv}  # the Adult census, which is not ours to hand on
[ ! -f "$adult" ] || cp "$adult" "$work/adult.csv"
staged=$(staged_settings "$work") || { tally 0 1 "a server that finds what is not installed"; finish; }
{ server_conf "$work"; echo "privacct.ledger_timeout = '1h'"
	echo "autovacuum_naptime = '20d'  # statistics of the catalog would depend on how long the tests take"
	echo "privacct.require_durable_storage = off  # pg_regress starts the server without fsync"; } >"$work/temp.conf"
[ "$(id -u)" != 0 ] || chown -R postgres: "$work"
bindir=$("$PG_CONFIG" --bindir)
pgxs_src=$(dirname "$("$PG_CONFIG" --pgxs)")/..

# The cluster that the first server of each script is a copy of: see t/PrivacctTest.pm.
as_server env -u LANGUAGE -u LC_ALL LC_MESSAGES=C "$bindir/initdb" -D "$work/cluster" -A trust -N >"$work/cluster.log" 2>&1 ||
	{ tail -20 "$work/cluster.log"; tally 0 1 initdb; finish; }

# An older server, for pg_upgrade from it: PG_CONFIG_OLD.
old_staged=
if [ -n "${PG_CONFIG_OLD:-}" ]; then
	mkdir "$work/old"
	tar -c --exclude='*.o' --exclude='*.so' Makefile src migrations bin examples scripts privacct.control | tar -x -C "$work/old"
	old_staged=$(cd "$work/old" && PG_CONFIG=$PG_CONFIG_OLD && stage_build "$work/old-build" >"$work/old.log" 2>&1 && staged_settings "$work/old-build") ||
		{ tail -20 "$work/old.log"; tally 0 1 "build for $PG_CONFIG_OLD"; }
fi

run_regress()	# program, output directory, file list, launcher
{
	as_server mkdir "$2"
	(cd "$work" && as_server "$1" --bindir="$bindir" --temp-instance="$2/pg" --temp-config="$work/temp.conf" \
		--inputdir="$work" --outputdir="$2" --no-locale --encoding=UTF8 ${4:+"--launcher=$4"} $3) >"$2.log" 2>&1
}

tell_regress()	# output directory
{
	grep -E '\.\.\. FAILED|^not ok' "$1.log"
	[ ! -f "$1/regression.diffs" ] || head -${CHECK_DIFF_LINES:-80} "$1/regression.diffs"
	ok=$(count '\.\.\. ok|^ok ' "$1.log")
	bad=$(count '\.\.\. FAILED|^not ok ' "$1.log")
	bad_names=$(sed -nE 's/^test (\S+) +\.\.\. FAILED.*/\1/p; s/^not ok [0-9]+ +[-+] (\S+).*/\1/p' "$1.log" | tr '\n' ' ')
	[ $((ok + bad)) -gt 0 ] || { tail -20 "$1.log"; bad=1; }
	tally "$ok" "$bad" "$(basename "$1")${bad_names:+ (${bad_names% })}"
}

run_tap()	# name
{
	(cd "$work" && as_server env PATH="$bindir:$PATH" PG_REGRESS="$pgxs_src/test/regress/pg_regress" \
		PA_DESTDIR="$work/inst" PA_LIBDIR="$("$PG_CONFIG" --pkglibdir)" PA_STAGED="$staged" PA_OLD="$old_staged" PA_WORK="$work" PA_CLUSTER="$work/cluster" \
		TESTDIR="$work" TESTDATADIR="$work/tmp_check" TESTLOGDIR="$work/log" PGPORT=65432 \
		perl -I "$pgxs_src/test/perl" -I t "t/$1.pl") >"$work/$1.log" 2>&1
	echo $? >"$work/$1.code"
}

tell_tap()	# name
{
	ok=$(grep -E '^ok ' "$work/$1.log" | grep -vci '# skip')
	bad=$(count '^not ok ' "$work/$1.log")
	skips=$(count '^ok .*# skip|^1\.\.0 # SKIP' "$work/$1.log")
	skipped=$((skipped + skips))
	grep -E '^not ok |# SKIP|# skip' "$work/$1.log"
	[ "$(cat "$work/$1.code")" = 0 ] || [ "$bad" -gt 0 ] || { tail -15 "$work/$1.log"; bad=1; }
	tally "$ok" "$bad" "$1"
}

# Three at a time for each processor, since servers wait for disks and clients; each has a server of its own.
begin()	# command...
{
	while [ "$(jobs -rp | wc -l)" -ge $((3 * $(nproc))) ]; do wait -n; done
	"$@" &
}

# Tests of SQL, which do not concern each other, in lists of 25; a single one is below regress.
echo "== regress, isolation, tap"
sql=($(wanted sql .sql))
lists=$(((${#sql[@]} + 24) / 25))
for ((list = 0; list < lists; list++)); do
	names=
	for ((i = list; i < ${#sql[@]}; i += lists)); do names+=" ${sql[i]}"; done
	begin run_regress "$pgxs_src/test/regress/pg_regress" "$work/regress${list#0}" "$names" "$work/scripts/fresh_database.sh $bindir"
done
specs=$(wanted specs .spec)
[ -z "$specs" ] || begin run_regress "$pgxs_src/test/isolation/pg_isolation_regress" "$work/isolation" "$specs"

# Scripts that take longest begin first, so that none is alone at the end.
longest="027_restore 030_attacks 033_day 028_faults 029_copies 060_two_worlds 053_local_units 061_derive 056_marks
	057_timelines 054_session_settings 070_docs 043_tools 061_drawn 059_join_keys 062_report 050_metadata 058_any_way"
names=$(wanted t .pl)
first=$(for name in $longest; do case " $names " in *" $name "*) echo "$name" ;; esac; done)
for name in $first $(printf '%s\n' $names | grep -vxF "$first"); do begin run_tap "$name"; done
wait
[ -z "$tree" ] || tell_tree
for ((list = 0; list < lists; list++)); do tell_regress "$work/regress${list#0}"; done
[ -z "$specs" ] || tell_regress "$work/isolation"
for name in $names; do tell_tap "$name"; done
[ -z "$core" ] || tell_core
finish
