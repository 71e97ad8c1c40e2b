# SPDX-License-Identifier: MIT

# Says what keeps this tree from being published, also where the generated files cannot be checked.
release-check:
	@status=0; $(MAKE) check-generated || status=1; \
	PYTHON='$(PYTHON)' $(SHELL) $(srcdir)/scripts/release-check.sh || status=1; exit $$status

# --- packages: of the tarball, in ./packages.  The source package of Debian has what autoreconf
# makes removed, since debhelper makes it anew. ---

deb: dist
	rm -rf packages/deb && $(MKDIR_P) packages/deb
	tar -x -f $(distdir).tar.xz -C packages/deb
	cd packages/deb/$(distdir) && \
	  rm -rf Makefile.in aclocal.m4 build-aux configure m4/libtool.m4 m4/lt*.m4 && \
	  dpkg-buildpackage --no-sign $(DEB_FLAGS)

rpm: dist
	rm -rf packages/rpm && $(MKDIR_P) packages/rpm
	+rpmbuild --define "_topdir $(abs_builddir)/packages/rpm" $(RPM_FLAGS) -ta $(distdir).tar.xz

# --- tarball: its time is that of the last commit, or that of the tarball it is made from ---

dist_epoch = $${SOURCE_DATE_EPOCH:-`cd $(srcdir) && \
  { test -e .git && git log -1 --format=%ct 2>/dev/null || date -r configure.ac +%s; }`}

# Not optimised: it shows that nothing is missing.
AM_DISTCHECK_CONFIGURE_FLAGS = --enable-werror CFLAGS=-O0 CXXFLAGS=-O0

# The tarball has whole directories, but not the files that Python leaves in them.
dist-hook:
	-find "$(distdir)" -name __pycache__ -type d -prune -exec rm -rf {} +
	-cd $(srcdir) && test -e .git && git ls-files -o debian generator packaging scripts 2>/dev/null | \
	  (cd "$(abs_builddir)/$(distdir)" && xargs rm -f)
