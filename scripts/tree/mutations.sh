#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every patch by which the harness of two worlds is tested applies; prints those that do not.
set -u
cd "$(dirname "$0")/../.."
for patch in t/worlds/mutations/*.patch; do
	patch -s -p1 --dry-run <"$patch" >/dev/null 2>&1 || echo "$patch does not apply"
done
