#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The suite on other versions of PostgreSQL: each in a Debian of its own, in a directory (debootstrap, as
# root), where the tree is copied, built and checked.  A version of which the machine itself has a
# server, at PG_CONFIG_16 and the like, is checked with that one.
#	MAJORS="17 18"	which
#	MAJORS_DIR		where the Debians are; they are kept for the next run, with what was compiled
#	MAJORS_MIRROR	where packages are from: as a rule where the machine's own are from
#	MAJORS_TARGET	what make makes there: check
#	ONLY, CHECK_KEEP, PG_CONFIG_OLD as for check.sh, the last where it is in that Debian
set -u -o pipefail
cd "$(dirname "$0")/.."
MAJORS=${MAJORS:-17 18}
MAJORS_DIR=${MAJORS_DIR:-/var/tmp/privacct-majors}
MAJORS_TARGET=${MAJORS_TARGET:-check}

# Which Debian has it.
suite_of()	# major
{
	case $1 in
		15) echo bookworm ;;
		17) echo trixie ;;
		18) echo forky ;;
		*) return 1 ;;
	esac
}

mirror()
{
	apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Created-By: Packages' | head -1
}

give_up()
{
	echo "check-majors: $1" >&2
	exit 1
}

# A Debian without anything; the options of apt go with the packages.
make_root()	# suite, directory
{
	local from=${MAJORS_MIRROR:-$(mirror)}
	[ -n "$from" ] || give_up "apt does not say where Debian's packages are from; set MAJORS_MIRROR"
	echo "== $1: debootstrap, once"
	rm -rf "$2"
	# what an old debootstrap does not know is made like sid
	local as=$1
	[ -e "/usr/share/debootstrap/scripts/$1" ] || as=sid
	debootstrap --variant=minbase --include=ca-certificates "$1" "$2.new" "$from" "$as" >"$2.log" 2>&1 || { tail -5 "$2.log"; return 1; }
	apt-config dump | grep -E '^Acquire::(Check|http|https|ftp)' >"$2.new/etc/apt/apt.conf.d/90machine"
	# services of packages are not started
	printf '#!/bin/sh\nexit 101\n' >"$2.new/usr/sbin/policy-rc.d"
	chmod +x "$2.new/usr/sbin/policy-rc.d"
	mv "$2.new" "$2"
}

# With /proc, /dev/shm and processes of its own, which all end with the command.
within()	# directory, command...
{
	unshare --mount --pid --fork --kill-child bash -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" || exit
		mount -t devpts devpts "$root/dev/pts"
		exec chroot "$root" "$@"' within "$@"
}

# Only what is in git or may be; objects stay as the last run left them.
copy_tree()	# directory
{
	mkdir -p "$1"
	# a file that is no more would be compiled
	(cd "$1" && find . -type f ! -name '*.o' ! -name '*.so' -delete)
	git ls-files -z --cached --others --exclude-standard | xargs -0 -r ls -d 2>/dev/null | tar -c -T - | tar -x -C "$1"
	(cd "$1" && find src -name '*.o' | while read -r object; do [ -e "${object%.o}.c" ] || rm "$object"; done)
}

check_in_debian()	# major
{
	local suite root
	suite=$(suite_of "$1") || give_up "no Debian has PostgreSQL $1; set PG_CONFIG_$1 to the pg_config of one"
	root=$MAJORS_DIR/$suite
	[ "$(id -u)" = 0 ] || give_up "debootstrap and chroot are for root"
	command -v debootstrap >/dev/null || give_up "install debootstrap"
	mkdir -p "$MAJORS_DIR"
	[ -d "$root" ] || make_root "$suite" "$root" || return
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	copy_tree "$root/build/privacct"
	within "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb \
		ONLY="${ONLY:-}" CHECK_KEEP="${CHECK_KEEP:-0}" PG_CONFIG="/usr/lib/postgresql/$1/bin/pg_config" PG_CONFIG_OLD="${PG_CONFIG_OLD:-}" \
		make -C /build/privacct --no-print-directory "$MAJORS_TARGET"
}

failed=
for major in $MAJORS; do
	own=PG_CONFIG_$major
	echo "== PostgreSQL $major"
	if [ -n "${!own:-}" ]; then
		PG_CONFIG=${!own} make --no-print-directory "$MAJORS_TARGET"
	else
		check_in_debian "$major"
	fi 2>&1 | sed "s/^/$major: /" || failed="$failed $major"
done
[ -z "$failed" ] || { echo "failed on:$failed"; exit 1; }
