# hlocc: see README.md; `make help` lists the targets.
CC ?= gcc
AR ?= ar
FLEX ?= flex
BISON ?= bison
BUILD ?= build
OPT ?= -O2
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wvla -Werror
HLOCC_CFLAGS := -std=c11 -g $(OPT) -I. -I$(BUILD)/gen $(WARNINGS) -MMD -MP

ROOMS := base ir ir/eval lexer parser passes passes/indexing passes/fuse passes/tile passes/buffers passes/lower codegen driver
SOURCES := $(foreach room,$(ROOMS),$(wildcard $(room)/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
GENERATED := $(BUILD)/gen/lexer.o $(BUILD)/gen/grammar.o
MAINS := driver/hlocc driver/hlocc-run driver/hlocc-test
LIBRARY_OBJECTS := $(filter-out $(MAINS:%=$(BUILD)/%.o),$(OBJECTS)) $(if $(wildcard lexer/lexer.l),$(BUILD)/gen/lexer.o) \
	$(if $(wildcard parser/parser.y),$(BUILD)/gen/parser.o)

all: $(patsubst driver/%,$(BUILD)/%,$(wildcard $(MAINS:%=%.c)))

$(BUILD)/libhlocc.a: $(LIBRARY_OBJECTS)
	$(AR) rcs $@ $^

$(BUILD)/hlocc $(BUILD)/hlocc-run $(BUILD)/hlocc-test: $(BUILD)/%: $(BUILD)/driver/%.o $(BUILD)/libhlocc.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ -lm
