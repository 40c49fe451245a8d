# hlocc: `make help` lists the targets, README.md tells what it is. Everything that is made goes under $(BUILD).
BUILD ?= build
AR ?= ar
FLEX ?= flex
BISON ?= bison
PREFIX ?= /usr/local
OPT ?= -O2
JOBS ?= 2

# Rules that make has of its own would turn lexer.l into lexer.c.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

# V=1 shows the commands.
Q := $(if $(V),,@)
SAY = $(if $(V),@:,@echo " $(1)")

# SAN=1: the compiler and the code that tests generate run under the address and undefined-behaviour sanitizers;
# SAN=thread: under the thread sanitizer.
ifeq ($(SAN),thread)
OUT := $(BUILD)/tsan
SANITIZE := -fsanitize=thread -fno-omit-frame-pointer
else ifneq ($(SAN),)
OUT := $(BUILD)/san
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
OUT := $(BUILD)
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wvla -Werror
COMPILE = $(CC) -std=c11 -g $(OPT) $(SANITIZE) -I. -I$(OUT)/gen -MMD -MP $(CPPFLAGS) $(CFLAGS)
COMPILE_RUNTIME = $(CC) -std=c99 -g $(OPT) $(SANITIZE) -I. -I$(OUT)/include $(WARNINGS) -MMD -MP $(CPPFLAGS) $(CFLAGS)

# ---- sources: every .c file of a room belongs to the library, the mains excepted ------------------------------------
ROOMS := base ir ir/infer ir/eval lexer parser passes passes/bounds passes/expand passes/indexing passes/fuse \
	passes/tile passes/buffers passes/lower codegen driver
TOOLS := hlocc hlocc-run hlocc-test
SOURCES := $(filter-out $(TOOLS:%=driver/%.c),$(foreach room,$(ROOMS),$(wildcard $(room)/*.c)))
GENERATED := $(patsubst lexer/%.l,%,$(wildcard lexer/*.l)) $(patsubst parser/%.y,%,$(wildcard parser/*.y))
EMBEDDED := $(patsubst driver/harness/%.c,%,$(wildcard driver/harness/*.c))
OBJECTS := $(SOURCES:%.c=$(OUT)/%.o) $(GENERATED:%=$(OUT)/gen/%.o) $(EMBEDDED:%=$(OUT)/gen/embedded_%.o) \
	$(OUT)/gen/runtime_text.o
# The MPI half is a library of its own, made where there is an MPI.
MPICC ?= mpicc
HAS_MPI := $(shell command -v $(MPICC) 2>/dev/null)
MPI_OBJECTS := $(patsubst runtime/%.c,$(OUT)/runtime/%.o,$(wildcard runtime/mpi/*.c))
RUNTIME_OBJECTS := $(filter-out $(MPI_OBJECTS),$(patsubst runtime/%.c,$(OUT)/runtime/%.o,$(wildcard runtime/*.c runtime/*/*.c)))
# The runtime's headers are expanded from templates by a tool that shares the expansion with hlocc --self-contained.
TEMPLATES := $(wildcard runtime/hlocc/*.h) $(sort $(wildcard runtime/templates/*.h))
UNIT_TESTS := $(patsubst tests/unit/%.c,$(OUT)/unit/%,$(wildcard tests/unit/*.c))

all: $(TOOLS:%=$(OUT)/%) $(OUT)/libhlocc-rt.a $(OUT)/include/hlocc $(if $(HAS_MPI),$(OUT)/libhlocc-rt-mpi.a)

# ---- the compiler ---------------------------------------------------------------------------------------------------
# Members of equal names from different rooms may stand in one archive: q, not r, and from scratch.
$(OUT)/libhlocc.a: $(OBJECTS)
	$(call SAY,AR   $@)
	@rm -f $@
	$(Q)$(AR) qcs $@ $^

$(OUT)/libhlocc-rt.a: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	$(call SAY,AR   $@)
	@rm -f $@
	$(Q)$(AR) qcs $@ $^

$(OUT)/libhlocc-rt-mpi.a: $(MPI_OBJECTS)
	@mkdir -p $(@D)
	$(call SAY,AR   $@)
	@rm -f $@
	$(Q)$(AR) qcs $@ $^

$(TOOLS:%=$(OUT)/%): $(OUT)/%: $(OUT)/driver/%.o $(OUT)/libhlocc.a
	$(call SAY,LINK $@)
	$(Q)$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lm -lpthread

# The tools find the runtime beside themselves, here as after installation.
$(OUT)/include/hlocc: $(OUT)/runtime-headers $(TEMPLATES) runtime/mpi/rt_mpi.h
	@if [ -L $@ ]; then rm $@; fi
	@mkdir -p $@
	$(call SAY,EXPAND $@)
	$(Q)$(OUT)/runtime-headers $(OUT)/include
	$(Q)for h in runtime/hlocc/*.h runtime/mpi/rt_mpi.h; do cmp -s $$h $@/$${h##*/} || cp $$h $@; done
	@touch $@

$(OUT)/runtime-headers: $(OUT)/codegen/tool/runtime-headers.o $(OUT)/libhlocc.a
	$(call SAY,LINK $@)
	$(Q)$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lm

# A folder is newer than what was made from it when a file came or went.
$(OUT)/gen/runtime_text.c: codegen/tool/embed-runtime $(TEMPLATES) runtime/templates
	@mkdir -p $(@D)
	$(call SAY,EMBED runtime)
	$(Q)sh codegen/tool/embed-runtime $(TEMPLATES) > $@

$(OUT)/gen/runtime_text.o: $(OUT)/gen/runtime_text.c
	$(call SAY,CC   $<)
	$(Q)$(COMPILE) $(WARNINGS) -c -o $@ $<

GENERATED_HEADERS := $(GENERATED:%=$(OUT)/gen/%.h)

$(OUT)/%.o: %.c | $(GENERATED_HEADERS)
	@mkdir -p $(@D)
	$(call SAY,CC   $<)
	$(Q)$(COMPILE) $(WARNINGS) -c -o $@ $<

# Ranks as threads: POSIX threads and C11 atomics.
$(OUT)/runtime/threads/%.o: runtime/threads/%.c | $(OUT)/include/hlocc
	@mkdir -p $(@D)
	$(call SAY,CC   $<)
	$(Q)$(COMPILE_RUNTIME) -std=c11 -pthread -c -o $@ $<

$(OUT)/runtime/mpi/%.o: runtime/mpi/%.c | $(OUT)/include/hlocc
	@mkdir -p $(@D)
	$(call SAY,CC   $<)
	$(Q)$(COMPILE_RUNTIME:$(CC)%=$(MPICC)%) -c -o $@ $<

$(OUT)/runtime/%.o: runtime/%.c | $(OUT)/include/hlocc
	@mkdir -p $(@D)
	$(call SAY,CC   $<)
	$(Q)$(COMPILE_RUNTIME) -c -o $@ $<

# What flex and bison write has its own style: their own code must be free of errors, not of every warning.
$(OUT)/gen/%.c $(OUT)/gen/%.h: lexer/%.l | $(OUT)/have-flex
	@mkdir -p $(@D)
	$(call SAY,FLEX $<)
	$(Q)$(FLEX) --header-file=$(OUT)/gen/$*.h -o $(OUT)/gen/$*.c $<

$(OUT)/gen/%.c $(OUT)/gen/%.h: parser/%.y | $(OUT)/have-bison
	@mkdir -p $(@D)
	$(call SAY,BISON $<)
	$(Q)$(BISON) -Werror --header=$(OUT)/gen/$*.h -o $(OUT)/gen/$*.c $<

$(GENERATED:%=$(OUT)/gen/%.o): $(OUT)/gen/%.o: $(OUT)/gen/%.c | $(GENERATED_HEADERS)
	$(call SAY,CC   $<)
	$(Q)$(COMPILE) -Wall -Wextra -Wno-sign-compare -Wno-unused-function -Werror -c -o $@ $<

# A C file as an array of its lines: C99 compilers need not take a string of more than 4095 bytes.
$(OUT)/gen/embedded_%.c: driver/harness/%.c
	@mkdir -p $(@D)
	$(Q){ echo 'extern const char *const embedded_$*[];'; echo 'const char *const embedded_$*[] = {'; \
	  sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n",/' $<; echo '0};'; } > $@

$(EMBEDDED:%=$(OUT)/gen/embedded_%.o): $(OUT)/gen/%.o: $(OUT)/gen/%.c
	$(call SAY,CC   $<)
	$(Q)$(COMPILE) $(WARNINGS) -c -o $@ $<

# ---- what must be installed on the machine --------------------------------------------------------------------------
# `make` only says what is missing; check, demo and deps install it.
check demo deps: DEPS := install
$(OUT)/have-%: .ci/deps
	@sh .ci/deps '$(DEPS)' $*
	@mkdir -p $(@D)
	@touch $@

deps:
	@sh .ci/deps install flex bison cmocka

# ---- tests ----------------------------------------------------------------------------------------------------------
# T=run/dot: only tests whose path begins with tests/run/dot; T=unit/npy: one unit test. UPDATE=1 rewrites goldens.
check: all unit-tests
	@CFLAGS='$(SANITIZE)' sh tests/check $(OUT) $(JOBS) '$(T)' '$(UPDATE)'

# Breaks access rules one after the other: printed maps and compiled code must both show it.
one-truth: all
	@sh tests/one-truth $(OUT)

unit-tests: $(if $(filter-out unit/%,$(T)),,$(UNIT_TESTS))

$(OUT)/unit/%: $(OUT)/tests/unit/%.o $(OUT)/libhlocc.a $(OUT)/libhlocc-rt.a
	@mkdir -p $(@D)
	$(call SAY,LINK $@)
	$(Q)$(CC) $(OPT) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lcmocka -lm -lpthread

$(UNIT_TESTS:$(OUT)/unit/%=$(OUT)/tests/unit/%.o): $(OUT)/tests/unit/%.o: tests/unit/%.c | $(OUT)/include/hlocc $(GENERATED_HEADERS) $(OUT)/have-cmocka
	@mkdir -p $(@D)
	$(call SAY,CC   $<)
	$(Q)$(COMPILE) -I$(OUT)/include $(WARNINGS) -c -o $@ $<

.PRECIOUS: $(OUT)/have-%
.SECONDARY: $(UNIT_TESTS:$(OUT)/unit/%=$(OUT)/tests/unit/%.o)

# What is written from the sources and the tests.
docs: all
	$(Q)sh docs/make-diagnostics $(OUT)/hlocc > docs/diagnostics.md
	$(Q)sh tests/check-docs $(OUT) update

# T=cmake: only that journey.
journeys: all
	@sh tests/journeys/run $(OUT) $(T)

demo: all
	@sh examples/demo $(OUT)

# ---- installation ---------------------------------------------------------------------------------------------------
install: all
	$(Q)sh packaging/install $(OUT) '$(PREFIX)' '$(DESTDIR)'

uninstall:
	$(Q)sh packaging/install --remove $(OUT) '$(PREFIX)' '$(DESTDIR)'

deb: all
	$(Q)sh packaging/deb $(OUT)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make                 build/hlocc, build/hlocc-run, build/hlocc-test, build/libhlocc-rt.a'
	@echo 'make demo            compiles an example and runs it (installs what is missing)'
	@echo 'make check           all tests (installs what is missing)'
	@echo 'make one-truth       that printed maps and compiled code come from the same rules (a minute)'
	@echo '  T=run/dot            those whose path begins so'
	@echo '  UPDATE=1             rewrites golden texts; review the diff'
	@echo '  SAN=1                under the address and undefined-behaviour sanitizers'
	@echo '  SAN=thread           under the thread sanitizer'
	@echo 'make docs            docs/diagnostics.md, and the C that README.md quotes'
	@echo 'make deps            installs flex, bison and cmocka (Debian, Ubuntu)'
	@echo 'make journeys        installs to a temporary folder, and does there what users do (T=cmake: one of them)'
	@echo 'make install         to PREFIX=/usr/local, staged in DESTDIR='
	@echo 'make uninstall       takes these files away'
	@echo 'make deb             build/hlocc_VERSION_ARCHITECTURE.deb'
	@echo 'make clean           removes build/'
	@echo 'CC, CFLAGS, LDFLAGS, OPT (-O2), BUILD (build), JOBS (2) as usual'

.PHONY: all deps check one-truth unit-tests docs demo install clean help
.DELETE_ON_ERROR:

-include $(OBJECTS:%.o=%.d) $(RUNTIME_OBJECTS:%.o=%.d) $(MPI_OBJECTS:%.o=%.d) $(TOOLS:%=$(OUT)/driver/%.d) \
	$(UNIT_TESTS:$(OUT)/unit/%=$(OUT)/tests/unit/%.d)
