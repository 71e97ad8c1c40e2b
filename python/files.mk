# SPDX-License-Identifier: MIT

# The Python package, of ./configure --with-python: an extension module for each API, the files that
# hipgen writes, and those of python/hipshim.
python_extensions =
python_generated =
python_written = \
	python/hipshim/__init__.py \
	python/hipshim/__main__.py \
	python/hipshim/_library.py \
	python/hipshim/_types.pyi \
	python/hipshim/errors.py \
	python/hipshim/kernel.py \
	python/hipshim/py.typed \
	python/hipshim/runtime.py
python_sources = \
	src/python/arguments.c \
	src/python/array.c \
	src/python/call.c \
	src/python/callback.c \
	src/python/classes.c \
	src/python/dlpack.c \
	src/python/give.c \
	src/python/kernel_arguments.c \
	src/python/lists.c \
	src/python/module.c \
	src/python/module.h \
	src/python/place.c \
	src/python/pointer.c \
	src/python/protocols.c \
	src/python/record.c \
	src/python/results.c \
	src/python/shape.c \
	src/python/state.h \
	src/python/take.c
python_cppflags = $(PYTHON_INCLUDE) $(PYTHON_LIMITED)
# The arguments of a call pass through slots of one type.
python_cflags = $(archive_cflags) -fno-strict-aliasing
# -rpath of a directory makes libtool build a shared module that it does not install.
python_ldflags = -module -avoid-version -shared -rpath /nowhere -Wl,-z,relro $(python_rpath)

include $(srcdir)/bindings/python.mk
EXTRA_DIST += src/python/entry.c

EXTRA_DIST += $(python_written) python/hip_python python/wheel_backend.py

# In ./wheels; scripts/wheel.py says what it needs, and WHEEL_FLAGS are for it.
wheel:
	$(PYTHON) $(srcdir)/scripts/wheel.py $(WHEEL_FLAGS)

if PYTHON_PACKAGE

noinst_LTLIBRARIES += libpython.la $(python_extensions)
libpython_la_SOURCES = $(python_sources)
libpython_la_CPPFLAGS = $(python_cppflags) $(AM_CPPFLAGS)
libpython_la_CFLAGS = $(python_cflags)

# The dynamic linker finds libhipshim beside the package's own copy, or where it was installed.
python_rpath = `case '$(libdir)' in /usr/lib*) ;; *) echo -Wl,-rpath,'$(libdir)' ;; esac`

# The package in the build tree, as it is installed.
python/package/.stamp: $(python_written) $(python_generated) $(python_extensions)
	@rm -rf python/package; for file in $(python_written) $(python_generated); do \
	  name=hipshim/$${file#*python/hipshim/}; $(MKDIR_P) "python/package/$${name%/*}" && \
	  cp "$(srcdir)/$$file" "python/package/$$name" || exit 1; \
	done; \
	for file in $(python_extensions); do \
	  name=$${file##*/}; name=$${name%.la}; \
	  cp "python/hipshim/.libs/$$name.so" "python/package/hipshim/$${name%.abi3}$(PYTHON_SUFFIX)" || exit 1; \
	done; touch $@

python_built = python/package/.stamp
python_installed = install-python
python_uninstalled = uninstall-python
python_cleaned = clean-python

install-python: python/package/.stamp
	@$(MKDIR_P) "$(DESTDIR)$(pythondir)" && cp -R python/package/hipshim "$(DESTDIR)$(pythondir)/"
	-@$(PROGRAM_OF_PYTHON) -m compileall -q "$(DESTDIR)$(pythondir)/hipshim" -s "$(DESTDIR)"
uninstall-python:
	rm -rf "$(DESTDIR)$(pythondir)/hipshim"
clean-python:
	rm -rf python/package

endif
