#!/bin/bash
# No benchmark: Section 6.3 of the paper on the Bayesian privacy filter through SQL, as shown
# in docs/research/paper-bpf.md.
. "$(dirname "$0")/lib.sh"
as_role postgres -f "$bench/health.sql"
