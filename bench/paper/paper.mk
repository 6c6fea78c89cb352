# paper.mk
#		The comparison with the paper on budget recycling; see docs/paper-brdp.md.
#
#	make -f bench/paper/paper.mk paper [ADULT=adult.csv]

ADULT ?= ../shared/data/adult.csv

include src/test/core.mk

PAPER_HEADERS := $(wildcard bench/paper/*.h)
PAPER_OBJECTS := $(patsubst %.c,$(CORE_BUILD)/fast/%.o,$(sort $(wildcard bench/paper/*.c)))

$(PAPER_OBJECTS): $(PAPER_HEADERS)

$(CORE_BUILD)/paper: $(PAPER_OBJECTS) $(CORE_FAST)
	$(CORE_CC) -o $@ $^ $(CORE_LIBS)

.PHONY: paper
paper: $(CORE_BUILD)/paper
	@$(CORE_BUILD)/paper $(ADULT)
