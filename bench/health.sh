#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No benchmark: Section 6.3 of the paper on the Bayesian privacy filter through SQL, as shown
# in docs/research/paper-bpf.md.
. "$(dirname "$0")/lib.sh"
as_role postgres -f "$bench/health.sql"
