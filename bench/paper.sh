#!/bin/bash
# The figures of the paper on budget recycling beside exact ones: the tables of
# docs/paper-brdp.md.  Needs no server.
#	bench/paper.sh [adult.csv]
set -eu
cd "$(dirname "$0")/.."
make -s -f bench/paper/paper.mk paper ADULT="${1:-../shared/data/adult.csv}"
