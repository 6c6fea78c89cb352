# SPDX-License-Identifier: GPL-3.0-or-later
# privacct: see README.md.  Two commands do everything: make demo, make check.
EXTENSION = privacct
MODULE_big = privacct
EXTVERSION = 0.2
# A fresh install is the parts; an upgrade is the parts and, between them in the order
# of their names, the steps of the version: see migrations/README.md
DATA_built = migrations/privacct--$(EXTVERSION).sql migrations/privacct--0.1--$(EXTVERSION).sql
SCRIPTS = bin/privacct-report
DOCS = examples/report.sql examples/grafana.json
PARTS = $(sort $(wildcard migrations/parts/*.sql))
STEPS = $(sort $(wildcard migrations/$(EXTVERSION)/*.sql))
by_name = $(foreach name,$(sort $(notdir $(1))),$(filter %/$(name),$(1)))
# the one in the path, or the newest that Debian has
PG_CONFIG ?= $(or $(shell command -v pg_config),$(lastword $(sort $(wildcard /usr/lib/postgresql/*/bin/pg_config))),pg_config)

MODULE_SOURCES = $(filter-out src/test/%, $(wildcard src/*.c src/*/*.c src/*/*/*.c))
OBJS = $(MODULE_SOURCES:.c=.o)
MODULE_HEADERS = $(wildcard src/*.h src/*/*.h src/*/*/*.h)

# PostgreSQL 15 leaves exported symbols to the default visibility; ours is hidden
PG_CPPFLAGS = -Isrc -DPA_EXTVERSION='"$(EXTVERSION)"' '-DPGDLLEXPORT=__attribute__((visibility("default")))'
PG_CFLAGS = -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	-Wno-missing-field-initializers -Wno-declaration-after-statement \
	-Werror=switch -Werror=switch-enum -ffp-contract=off -fvisibility=hidden
SHLIB_LINK = -lsodium -lgsl -lgslcblas -lglpk -lm

# These goals work without the server's headers; what they need they install.
SELF_CONTAINED = demo check check-tools check-majors dist installcheck bench faults worlds mutations sanitize core-test core-valgrind core-bench core-clean vectors

ifeq ($(filter $(SELF_CONTAINED),$(MAKECMDGOALS)),)
override with_llvm = no
MISSING := $(shell scripts/requirements.sh "$(PG_CONFIG)" $(CC) $(CPPFLAGS))
ifneq ($(MISSING),)
$(error $(MISSING))
endif
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
$(OBJS): $(MODULE_HEADERS)

migrations/privacct--0.1--$(EXTVERSION).sql: migrations/install.sql $(call by_name,$(PARTS) $(STEPS))
	cat $^ >$@
migrations/privacct--$(EXTVERSION).sql: migrations/install.sql $(PARTS)
	cat $^ >$@

# A switch names every value of an enum of ours.  These are about the server's node
# tags, and the like, of which there are hundreds: what is not named is refused.
OPEN_SWITCHES = $(addprefix src/, catalog/granted catalog/maintenance guard/bounds \
	guard/lock_tables guard/locks guard/named guard/owner guard/place guard/rights guard/total \
	guard/validate guard/measure local/form lookup/lookup_path node/closed_world node/plan_tree \
	quiet/serializable quiet/silence)
$(OPEN_SWITCHES:=.o): CFLAGS += -Wno-switch-enum

# loops over large tables of numbers
src/core/pufferfish/chain_table.o: CFLAGS += $(CFLAGS_UNROLL_LOOPS) $(CFLAGS_VECTORIZE)
else
.PHONY: $(filter-out core-% vectors,$(SELF_CONTAINED))

# The main job, end to end, on a throw-away server.
demo:
	@scripts/demo.sh

# Every test; the last line is "N passed, N failed".
check:
	@scripts/check.sh

# What analysts' tools build, with those that "check" does not install: of Debian and of npm.
check-tools:
	@scripts/check-tools.sh

# ... on other versions of PostgreSQL, each in a Debian of its own: MAJORS="17 18".
check-majors:
	@scripts/check-majors.sh

# The tests of SQL on a server that runs, with the extension as it is installed there.
installcheck:
	@PG_CONFIG="$(PG_CONFIG)" scripts/installcheck.sh

# What PGXN distributes: a zip of what is committed.
dist:
	@git archive --format=zip --prefix=privacct-$(EXTVERSION).0/ -o privacct-$(EXTVERSION).0.zip HEAD
	@echo privacct-$(EXTVERSION).0.zip

# Speed, side by side, as ratios.
bench:
	@bench/run.sh

# Two databases that differ in one owner's rows, driven alike: PAIRS=100000 for a night.
worlds:
	@WORLDS_PAIRS=$(PAIRS) scripts/worlds.sh $(WORLDS_OPTIONS)

# Kills, power cuts, failing disks and failovers, ROUNDS times as often as in "check".
ROUNDS ?= 20
faults:
	@FAULT_ROUNDS=$(ROUNDS) ONLY=t/028_faults.pl scripts/check.sh

# Whether that finds a difference when one mend after the other is taken out.
mutations:
	@t/worlds/mutate.sh $(MUTATIONS)

# SQL tests and a fuzzer of every function on a server that checks its memory: an hour.
sanitize:
	@scripts/sanitize.sh

include src/test/core.mk
endif
