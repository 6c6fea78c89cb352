#!/bin/bash
# The figures of two papers beside exact ones: the tables of docs/research/paper-brdp.md (budget
# recycling) and docs/research/paper-bpf.md (the Bayesian privacy filter).  Needs no server.
#	bench/paper.sh [all | brdp [adult.csv] | bpf]
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-all}
case $wanted in all | brdp | bpf) ;; *) echo "usage: $0 [all | brdp [adult.csv] | bpf]" >&2; exit 2 ;; esac
[ "$wanted" = bpf ] ||
	make -s -f bench/paper/paper.mk paper-brdp ADULT="${2:-data/adult.csv}"
[ "$wanted" = brdp ] ||
	make -s -f bench/paper/paper.mk paper-bpf
