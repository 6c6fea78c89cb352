# SPDX-License-Identifier: GPL-3.0-or-later
# core.mk
#		Builds the mathematics without a server, and tests it.
#
# Included by the project's Makefile, after whatever sets its default goal, and
# complete by itself:
#	make -f src/test/core.mk core-test
# Targets: core-test (sanitizers, unit tests, vectors), core-valgrind,
# vectors (VECTORS=file.json), core-bench (BENCH=samplers, accounting,
# calibration, regression or pufferfish), core-clean.

CORE_BUILD = build/core
CORE_CC ?= $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CORE_CFLAGS = -std=gnu11 -Wall -Wextra -Werror=switch -Werror=switch-enum -Wmissing-prototypes -Wstrict-prototypes \
	-ffp-contract=off -fvisibility=hidden -g -Isrc -Isrc/test
CORE_SANITIZE = -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CORE_LIBS = -lglpk -lgsl -lgslcblas -lm

# What src/core consists of is what lies there.
CORE_SOURCES := $(sort $(wildcard src/core/*.c src/core/*/*.c))
CORE_SUPPORT := src/test/source.c src/test/synthetic.c src/test/experiment.c \
	src/test/chain_budget.c src/test/ranking.c src/test/order_law.c src/test/exact.c
CORE_VECTORS := $(patsubst src/%.c,%,$(sort $(wildcard src/test/vectors*.c)))
CORE_TESTS := $(patsubst src/test/test_%.c,test_%,$(sort $(wildcard src/test/test_*.c)))
CORE_HEADERS := $(wildcard src/core/*.h src/core/*/*.h src/test/*.h)
BENCH_HEADERS := $(wildcard bench/*.h)

CORE_CHECKED = $(patsubst src/%.c,$(CORE_BUILD)/checked/%.o,$(CORE_SOURCES) $(CORE_SUPPORT))
CORE_FAST = $(patsubst src/%.c,$(CORE_BUILD)/fast/%.o,$(CORE_SOURCES) $(CORE_SUPPORT))
BENCH_SHARED = $(CORE_BUILD)/fast/bench/figures.o $(CORE_BUILD)/fast/bench/stream.o

$(CORE_BUILD)/checked/%.o: src/%.c $(CORE_HEADERS)
	@mkdir -p $(@D)
	$(CORE_CC) $(CORE_CFLAGS) $(CORE_SANITIZE) -c -o $@ $<

$(CORE_BUILD)/fast/core/pufferfish/chain_table.o: CORE_CFLAGS += -funroll-loops -ftree-vectorize
$(CORE_BUILD)/fast/%.o: src/%.c $(CORE_HEADERS)
	@mkdir -p $(@D)
	$(CORE_CC) $(CORE_CFLAGS) -O2 -c -o $@ $<

$(CORE_BUILD)/fast/bench/%.o: bench/%.c $(CORE_HEADERS) $(BENCH_HEADERS)
	@mkdir -p $(@D)
	$(CORE_CC) $(CORE_CFLAGS) -Ibench -O2 -c -o $@ $<

$(CORE_BUILD)/checked/test_%: $(CORE_BUILD)/checked/test/test_%.o $(CORE_CHECKED)
	$(CORE_CC) $(CORE_SANITIZE) -o $@ $^ -lcmocka $(CORE_LIBS)

$(CORE_BUILD)/fast/test_%: $(CORE_BUILD)/fast/test/test_%.o $(CORE_FAST)
	$(CORE_CC) -o $@ $^ -lcmocka $(CORE_LIBS)

$(CORE_BUILD)/%/vectors:
	$(CORE_CC) $(if $(filter checked,$*),$(CORE_SANITIZE)) -o $@ $^ -ljansson $(CORE_LIBS)

$(CORE_BUILD)/checked/vectors: $(CORE_VECTORS:%=$(CORE_BUILD)/checked/%.o) $(CORE_CHECKED)
$(CORE_BUILD)/fast/vectors: $(CORE_VECTORS:%=$(CORE_BUILD)/fast/%.o) $(CORE_FAST)

$(CORE_BUILD)/bench_%: $(CORE_BUILD)/fast/bench/%.o $(BENCH_SHARED) $(CORE_FAST)
	$(CORE_CC) -o $@ $^ $(CORE_LIBS)

.SECONDARY:
.PHONY: core-test core-valgrind vectors core-bench core-clean

# With -j tests run side by side, with -k all of them, though one fails.
CORE_RUNS := $(CORE_TESTS:%=core-run-%) $(patsubst src/test/vectors/%.json,core-vectors-%,$(sort $(wildcard src/test/vectors/*.json)))
.PHONY: $(CORE_RUNS)
core-test: $(CORE_RUNS)

$(CORE_TESTS:%=core-run-%): core-run-%: $(CORE_BUILD)/checked/%
	@$<

$(filter core-vectors-%,$(CORE_RUNS)): core-vectors-%: $(CORE_BUILD)/checked/vectors
	@$< src/test/vectors/$*.json

# Valgrind computes long double in 64 bits, so comparisons that need more may
# fail there: only its own findings (status 99) count.
core-valgrind: $(CORE_TESTS:%=$(CORE_BUILD)/fast/%)
	@rc=0; for t in $(CORE_TESTS); do \
	PA_TEST_DRAWS=20000 valgrind -q --error-exitcode=99 --leak-check=full \
	$(CORE_BUILD)/fast/$$t; [ $$? -ne 99 ] || rc=1; \
	done; exit $$rc

vectors: $(CORE_BUILD)/fast/vectors
	@test -n "$(VECTORS)" || { echo "usage: make vectors VECTORS=file.json" >&2; exit 2; }
	@$(CORE_BUILD)/fast/vectors $(VECTORS)

BENCH ?= samplers
core-bench: $(CORE_BUILD)/bench_$(BENCH)
	@$<

core-clean:
	rm -rf $(CORE_BUILD)
