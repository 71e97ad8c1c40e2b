# SPDX-License-Identifier: MIT

EXTRA_DIST += \
	tests/lib/fakes/carriers.py \
	tests/lib/fakes/fake.c \
	tests/lib/fakes/fake.h \
	tests/lib/fakes/layout.py \
	tests/lib/fakes/make_fake.py \
	tests/lib/fakes/parameters.py \
	tests/lib/fakes/properties.py \
	tests/lib/fetch-bindings \
	tests/lib/fetch-hipcc \
	tests/lib/fetch-runtimes \
	tests/lib/fetch-siblings \
	tests/lib/fetch.sh \
	tests/lib/hip-trees.sh \
	tests/lib/plain-header.sh \
	tests/lib/programs/facts.cpp \
	tests/lib/programs/halves.cpp \
	tests/lib/programs/number_facts.cpp \
	tests/lib/programs/overloads.cpp \
	tests/lib/programs/plugin.cpp \
	tests/lib/programs/plugin_host.c \
	tests/lib/programs/recorded_calls.cpp \
	tests/lib/programs/stream.c \
	tests/lib/programs/zeroed_heap.h \
	tests/lib/on_terminal.py \
	tests/lib/real.sh \
	tests/lib/relay.sh \
	tests/lib/run-python \
	tests/lib/siblings.txt \
	tests/lib/tap.sh \
	tests/lib/timed-driver \
	tests/lib/tsan.supp \
	tests/lib/without_cmocka.t
