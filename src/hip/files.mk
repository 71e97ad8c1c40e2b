# SPDX-License-Identifier: MIT

# Compiled once: they use no type of a caller ABI.
libhip_la_CFLAGS = $(archive_cflags)
libhip_la_SOURCES = \
	src/hip/compiler_targets.c \
	src/hip/compiler_targets.h \
	src/hip/registration.c \
	src/hip/registration.h \
	src/hip/registration_bundle.c \
	src/hip/registration_bundle.h \
	src/hip/registration_memory.c \
	src/hip/registration_memory.h

# Compiled once for each caller ABI.
hip_sources = \
	src/hip/emulate.c \
	src/hip/emulate.h \
	src/hip/emulate_older.c \
	src/hip/get_proc_address.c \
	src/hip/last_error.c \
	src/hip/last_error.h \
	src/hip/registration_calls.c \
	src/hip/registration_calls.h \
	src/hip/registration_dlopen_note.c \
	src/hip/registration_emitted.c \
	src/hip/registration_emitted.h \
	src/hip/registration_modules.c \
	src/hip/registration_modules.h \
	src/hip/semantics.c \
	src/hip/semantics.h

# For libhipshim alone and for the drop-ins alone.
stable_hip_sources = \
	src/hip/find.h \
	src/hip/registration_deferred.c \
	src/hip/releases.c \
	src/hip/runtime.c
dropin_hip_sources = \
	src/hip/dropin_hooks.c \
	src/hip/registration_at_once.c

EXTRA_DIST += src/hip/private.map

# --- maps of the symbols: a name that was published stays in the node of its version ---

promises = $(srcdir)/tests/hipgen/promised.txt
map_inputs = $(promises) scripts/symbol-map.awk $(srcdir)/configure
make_map = $(AM_V_GEN)$(AWK) -f $(srcdir)/scripts/symbol-map.awk -v version=$(HIPSHIM_NODE_VERSION)

libhipshim.map: $(map_inputs) src/hip/private.map
	$(make_map) -v prefix=HIPSHIM -v names='hipshim_*' $(promises) >$@.new && \
	  cat $(srcdir)/src/hip/private.map >>$@.new && mv $@.new $@

libhipshim-kernel.map: $(map_inputs)
	$(make_map) -v prefix=HIPSHIM_KERNEL -v names='hipshim_*' $(promises) >$@.new && mv $@.new $@

# A node of its own, so that no library that was linked with AMD's libamdhip64 binds here.
libhipshim-rocm.map: $(map_inputs)
	$(make_map) -v prefix=HIPSHIM_ROCM -v names='__hip* hip*' -v forwards=1 $(promises) >$@.new && \
	  mv $@.new $@
