# SPDX-License-Identifier: MIT

bin_PROGRAMS = hipshim

hipshim_SOURCES = \
	bindings/dropins.c \
	bindings/words.c \
	src/tool/abi/abi.c \
	src/tool/abi/abi.h \
	src/tool/abi/functions.c \
	src/tool/action.c \
	src/tool/cache.c \
	src/tool/devices.c \
	src/tool/devices.h \
	src/tool/doctor/devices.c \
	src/tool/doctor/doctor.c \
	src/tool/doctor/doctor.h \
	src/tool/doctor/findings.c \
	src/tool/doctor/installations.c \
	src/tool/doctor/process.c \
	src/tool/doctor/runtime.c \
	src/tool/doctor/trial.c \
	src/tool/dropins.c \
	src/tool/dropins.h \
	src/tool/embed/cuda.c \
	src/tool/embed/depfile.c \
	src/tool/embed/embed.c \
	src/tool/embed/embed.h \
	src/tool/embed/find.c \
	src/tool/embed/headers.c \
	src/tool/embed/outputs.c \
	src/tool/embed/work.c \
	src/tool/embed/write.c \
	src/tool/embed/write_rust.c \
	src/tool/foreign.c \
	src/tool/foreign.h \
	src/tool/info.c \
	src/tool/json.c \
	src/tool/json.h \
	src/tool/list.c \
	src/tool/list.h \
	src/tool/main.c \
	src/tool/release_text.c \
	src/tool/release_text.h \
	src/tool/run/abi.c \
	src/tool/run/check.c \
	src/tool/run/run.c \
	src/tool/run/run.h \
	src/tool/scan/code.c \
	src/tool/scan/code.h \
	src/tool/scan/file.c \
	src/tool/scan/needs.c \
	src/tool/scan/package.c \
	src/tool/scan/package.h \
	src/tool/scan/places.c \
	src/tool/scan/scan.c \
	src/tool/scan/scan.h \
	src/tool/scan/siblings.h \
	src/tool/terminal.c \
	src/tool/terminal.h \
	src/tool/tool.h \
	src/tool/which.c \
	src/tool/words.h

hipshim_CPPFLAGS = $(AM_CPPFLAGS) -DHIPSHIM_LOOPBACK_DIR='"$(loopbackdir)"' \
	-DHIPSHIM_DROPIN_DIR='"$(dropindir)"' -DHIPSHIM_BIN_DIR='"$(bindir)"'
hipshim_LDADD = libhipshim-kernel.la libhipshim.la libcache.la libkernelbase.la libelffile.la \
	libelf.la
hipshim_LDFLAGS =

# Where each shell looks for completions of installed programs.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = src/tool/completion/hipshim
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = src/tool/completion/hipshim.fish
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = src/tool/completion/_hipshim

if TOOL_RUNS
# The tables for programs that do not run this one.
pkgdata_DATA = abi.json
CLEANFILES += abi.json

abi.json: hipshim$(EXEEXT)
	@echo "  GEN      $@"; $(HIPSHIM_FOR_BUILD) abi export >$@.new && mv $@.new $@
endif
