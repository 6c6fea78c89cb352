# paper.mk
#		The comparisons with two papers; see docs/research/paper-brdp.md and docs/research/paper-bpf.md.
#
#	make -f bench/paper/paper.mk paper-brdp [ADULT=adult.csv]
#	make -f bench/paper/paper.mk paper-bpf

ADULT ?= data/adult.csv

include src/test/core.mk

PAPER_HEADERS := $(wildcard bench/paper/*.h)
PAPER_OBJECTS := $(patsubst %.c,$(CORE_BUILD)/fast/%.o,$(sort $(wildcard bench/paper/*.c)))

$(PAPER_OBJECTS): $(PAPER_HEADERS)

$(CORE_BUILD)/paper: $(PAPER_OBJECTS) $(BENCH_SHARED) $(CORE_FAST)
	$(CORE_CC) -o $@ $^ $(CORE_LIBS)

.PHONY: paper-brdp paper-bpf
paper-brdp: $(CORE_BUILD)/paper
	@$(CORE_BUILD)/paper brdp $(ADULT)

paper-bpf: $(CORE_BUILD)/paper
	@$(CORE_BUILD)/paper bpf
