# SPDX-License-Identifier: MIT

api_sources = \
	src/api/find.h \
	src/api/forward.c \
	src/api/releases.c \
	src/api/runtime.c

EXTRA_DIST += \
	src/api/private.map

# --- maps of the symbols: a name that was published stays in the node of its version ---

promises = $(srcdir)/tests/hipgen/promised.txt
map_inputs = $(promises) scripts/symbol-map.awk $(srcdir)/configure
make_map = $(AM_V_GEN)$(AWK) -f $(srcdir)/scripts/symbol-map.awk -v version=$(HIPSHIM_NODE_VERSION)

libhipshim.map: $(map_inputs) src/api/private.map
	$(make_map) -v prefix=HIPSHIM -v names='hipshim_*' $(promises) >$@.new && \
	  cat $(srcdir)/src/api/private.map >>$@.new && mv $@.new $@

libhipshim-kernel.map: $(map_inputs)
	$(make_map) -v prefix=HIPSHIM_KERNEL -v names='hipshim_*' $(promises) >$@.new && mv $@.new $@

# A node of its own, so that no library that was linked with AMD's libamdhip64 binds here.
libhipshim-rocm.map: $(map_inputs)
	$(make_map) -v prefix=HIPSHIM_ROCM -v names='__hip* hip*' -v forwards=1 $(promises) >$@.new && \
	  mv $@.new $@
