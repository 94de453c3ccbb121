# SPDX-License-Identifier: GPL-3.0-or-later
# make            builds ./faultscale
# make run        installs what is missing, builds, measures how this machine scales into $(RESULTS)
# make check      installs what the tests need, runs them all and counts them
# make check-vm   tests odd machines emulated by QEMU; make check VM=1 does both
# make bench      measures what the harness itself costs
# make trials     measures things against themselves: whether the verdicts keep their promise (hours)
# make lint       asks both compilers and the checkers; make format lays out the C files;
#                 make docs brings the documents' tables up to date
# make install    PREFIX=/usr/local DESTDIR=
# V=1 shows the commands, WERROR= lets warnings pass.  Another BUILD is another faultscale beside
# the first: BUILD=build/clang CC=clang, or BUILD=build/asan SANITIZE=address,undefined.

CFLAGS ?= -O2 -g
WERROR ?= -Werror
PREFIX ?= /usr/local
BUILD ?= build
RESULTS ?= build/run-$(shell date +%Y%m%d-%H%M%S)

sources := $(sort $(wildcard harness/*.[ch] workers/*.[ch]))
objects := $(patsubst %.c,$(BUILD)/%.o,$(filter %.c,$(sources)))
unit_tests := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
benches := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
program := $(if $(filter build,$(BUILD)),,$(BUILD)/)faultscale

# libpfm4, where it is, gives the names of the CPU's own events; PFM= builds without it.
ifeq ($(origin PFM),undefined)
PFM := $(shell CC='$(CC)' tests/packages.sh has perfmon/pfmlib_perf_event.h && echo -lpfm)
endif
package = $(or $(shell pkg-config $1 $2 2>/dev/null),$3)
libraries := $(call package,--libs,numa,-lnuma) $(call package,--libs,hwloc,-lhwloc) \
	$(call package,--libs,gsl,-lgsl -lgslcblas) $(PFM) -lm
warnings := -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wimplicit-fallthrough -Wvla
flags := -std=gnu11 -D_GNU_SOURCE -pthread -Iharness -Iworkers \
	$(call package,--cflags,numa hwloc gsl) $(if $(PFM),-DHAVE_LIBPFM) \
	$(warnings) $(WERROR) $(CPPFLAGS) $(CFLAGS)
sanitize := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all)
probe := tests/packages.sh probe
compiler := $(CC): $(shell $(CC) --version 2>/dev/null | head -n 1)
version = $(or $(shell git --git-dir=.git describe --tags --always --dirty 2>/dev/null),unreleased)
build_id = $(shell cat $(sources) $(BUILD)/flags | sha256sum | cut -c 1-12)

hide := $(if $(V),,@)
say = @printf '  %-4s %s\n' $1 $2
# Puts a line into a file, touched only when the line differs and the command $2 succeeds.
keep = @mkdir -p $(@D); echo "$1" | cmp -s - $@ || { $(if $2,$2 &&) echo "$1" >$@; }

.PHONY: all unit run check check-vm bench trials lint docs format install uninstall clean FORCE
all: $(program)
unit: $(unit_tests)

$(program): $(objects)
$(unit_tests) $(benches): %: %.o $(filter-out $(BUILD)/harness/main.o,$(objects))
$(unit_tests): libraries += -lcmocka
$(program) $(unit_tests) $(benches):
	$(call say,LD,$@)
	$(hide)$(CC) $(CFLAGS) $(LDFLAGS) $(sanitize) -pthread -o $@ $^ $(libraries)

# The workers are never instrumented: a sanitizer adds page faults of its own.
$(BUILD)/workers/%.o: sanitize :=
$(BUILD)/harness/version.o: flags += @$(BUILD)/version
$(BUILD)/harness/version.o: $(BUILD)/version
$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(hide)$(CC) $(flags) $(sanitize) -MMD -MP -c -o $@ $<

$(BUILD)/flags: FORCE
	$(call keep,$(compiler) $(flags) $(sanitize) $(LDFLAGS),CC='$(CC) $(flags)' $(probe))
$(BUILD)/version: FORCE $(BUILD)/flags
	$(call keep,'-DVERSION_TEXT=\"$(version)\"' '-DBUILD_ID=\"$(build_id)\"')
-include $(objects:.o=.d) $(unit_tests:=.d) $(benches:=.d)

run:
	-@tests/packages.sh install build run
	@$(MAKE) --no-print-directory -j$$(nproc) all
	./faultscale sweep -n topo -r 3 -d 2s --warmup=500ms -o $(RESULTS)
	-./faultscale plot $(RESULTS)

check:
	-@tests/packages.sh install build run check $(if $(VM),vm)
	@MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' tests/run.sh $(if $(VM),all)

check-vm:
	-@tests/packages.sh install build check vm
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@tests/run.sh vm
bench: all $(benches)
	@status=0; for bench in $(benches) $(sort $(wildcard tests/bench/*.sh)); do \
		$$bench || status=1; done; exit $$status
trials: all
	@status=0; for trial in $(sort $(wildcard tests/trials/*.sh)); do \
		$$trial || status=1; done; exit $$status

lint:
	@FLAGS='$(flags)' tests/lint.sh
docs: all
	@tests/tables.sh write
format:
	clang-format -i harness/*.[ch] workers/*.[ch] tests/unit/*.[ch]

share := $(DESTDIR)$(PREFIX)/share
install: all
	install -D -m 755 faultscale $(DESTDIR)$(PREFIX)/bin/faultscale
	install -D -m 644 faultscale.1 $(share)/man/man1/faultscale.1
	install -D -m 644 -t $(share)/faultscale/plots $(wildcard plots/*.gp)
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/faultscale $(share)/man/man1/faultscale.1
	rm -rf $(share)/faultscale
# What `make run` measured stays.
clean:
	rm -rf faultscale $(filter-out build/run-%,$(wildcard build/*))
