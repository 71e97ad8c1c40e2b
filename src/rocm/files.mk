# SPDX-License-Identifier: MIT

# A tree of ROCm's shape over hipshim, for projects that look for ROCm by its files and symbols.
# configure leaves it out where src/rocm/forward.S does not know the machine.
rocmdir = $(pkglibdir)/rocm
rocmbindir = $(rocmdir)/bin
rocminfodir = $(rocmdir)/.info
rocmhipdir = $(rocmdir)/lib/cmake/hip
rocmhiplangdir = $(rocmdir)/lib/cmake/hip-lang
rocmhiprtcdir = $(rocmdir)/lib/cmake/hiprtc
cmakedir = $(libdir)/cmake/hipshim

# LINK:LIBRARY in its lib, which bindings/apis.mk adds to.
ROCM_LINKS =

if ROCM_TREE

# --- its library: libamdhip64.so and libhiprtc.so of the tree are links to it ---

lib_LTLIBRARIES += libhipshim-rocm.la
libhipshim_rocm_la_SOURCES = src/rocm/forward.S
libhipshim_rocm_la_CPPFLAGS = -I$(srcdir)/bindings/stable -I$(srcdir)/src
libhipshim_rocm_la_LIBADD =
# libhipshim directly, for the reason in src/kernel/files.mk.  The link editor finds it by the
# rpath, where a probe names no other library.
libhipshim_rocm_la_LDFLAGS = \
	-shared \
	-version-info $(HIPSHIM_ABI) \
	-no-undefined \
	-Wl,-z,defs \
	-Wl,-z,relro \
	-Wl,--version-script=libhipshim-rocm.map \
	-Wl,-rpath,'$$ORIGIN' \
	-Wl,.libs/libhipshim.so
EXTRA_libhipshim_rocm_la_DEPENDENCIES = libhipshim-rocm.map libhipshim.la

# --- its other files ---

rocmbin_SCRIPTS = rocm/hipconfig
rocminfo_DATA = rocm/version
rocmhip_DATA = src/rocm/cmake/hip-config.cmake rocm/hip-config-version.cmake
rocmhiplang_DATA = src/rocm/cmake/hip-lang-config.cmake rocm/hip-lang-config-version.cmake
rocmhiprtc_DATA = src/rocm/cmake/hiprtc-config.cmake rocm/hiprtc-config-version.cmake

# Relative links, so that the tree may be moved with the libraries and headers.
link_into = link_into() { \
	  rm -f "$(DESTDIR)$(rocmdir)/$$2" && $(MKDIR_P) "$(DESTDIR)$(rocmdir)/$${2%/*}" && \
	  $(LN_S) "`realpath -m --relative-to="$(rocmdir)/$${2%/*}" "$$1"`" "$(DESTDIR)$(rocmdir)/$$2"; \
	}; link_into

install-data-hook:
	@$(link_into) '$(includedir)/hipshim' ./include

install-exec-hook:
	@$(link_into) '$(libdir)/libhipshim-rocm.so' lib/libamdhip64.so && \
	  link_into '$(libdir)/libhipshim-rocm.so' lib/libhiprtc.so && \
	  link_into '$(libdir)/libhipshim-rocm.so' lib/libhiprtc-builtins.so && \
	  link_into '$(libdir)/libhipshim-rocm.so.0' lib/libhipshim-rocm.so.0 && \
	  link_into '$(libdir)/libhipshim.so.0' lib/libhipshim.so.0 && \
	  for pair in $(ROCM_LINKS); do \
	    link_into "$(libdir)/$${pair#*:}" "lib/$${pair%:*}" || exit 1; \
	  done

endif

uninstall-rocm:
	-cd "$(DESTDIR)$(rocmdir)" 2>/dev/null && rm -f include lib/lib*.so lib/lib*.so.0 && \
	  rmdir lib/cmake/* lib/cmake lib bin .info "$(DESTDIR)$(rocmdir)"

.PHONY: uninstall-rocm uninstall-trees

# --- find_package(hipshim), and files made for the tree ---

cmake_DATA = rocm/hipshim-config.cmake rocm/hipshim-config-version.cmake
cmake_versions = \
	rocm/hip-config-version.cmake \
	rocm/hip-lang-config-version.cmake \
	rocm/hiprtc-config-version.cmake \
	rocm/hipshim-config-version.cmake
CLEANFILES += rocm/hipconfig rocm/version rocm/hipshim-config.cmake $(cmake_versions)
EXTRA_DIST += \
	src/rocm/cmake/config-version.cmake.in \
	src/rocm/cmake/dropin-config.cmake \
	src/rocm/cmake/hip-config.cmake \
	src/rocm/cmake/hip-lang-config.cmake \
	src/rocm/cmake/hiprtc-config.cmake \
	src/rocm/cmake/hipshim-config.cmake.in \
	src/rocm/cmake/sibling-config.cmake.in \
	src/rocm/forward.S \
	src/rocm/hipconfig.in \
	src/rocm/version.in

# A line of releases.list has HIP's release, its bindings and its ROCm.
tree_release = $(TREE_RELEASE)
rocm_edit = \
	@$(MKDIR_P) rocm; echo "  GEN      $@"; \
	set -- `$(AWK) '$$1 == "$(tree_release)"' $(srcdir)/bindings/releases.list`; \
	release=$$1; case $$3 in *.*.*) rocm=$$3 ;; *) rocm=$$3.0 ;; esac; \
	headers=`realpath -m --relative-to='$(cmakedir)' '$(includedir)/hipshim'`; \
	case $@ in */hipshim-*) version=$(PACKAGE_VERSION) ;; *) version=$$release ;; esac; \
	edit() { \
	  $(SED) -e "s|@hip_release[@]|$$release|; s|@rocm_release[@]|$$rocm|; s|@version[@]|$$version|" \
	    -e "s|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|; s|@path_to_headers[@]|$$headers|" "$$1"; \
	}; edit

# --- trees of one major, over its drop-ins ---

# Complete in the build tree, because their links into dropin/ are relative and the same there.
$(DROPIN_TREES): $(srcdir)/src/rocm/hipconfig.in $(srcdir)/src/rocm/version.in \
		$(srcdir)/src/rocm/cmake/config-version.cmake.in \
		$(srcdir)/src/rocm/cmake/dropin-config.cmake $(srcdir)/bindings/releases.list Makefile
	$(rocm_edit) /dev/null; \
	tree=`echo $@ | $(SED) 's|/.*||'`; major=$${tree#rocm-}; rm -rf $$tree; \
	for package in hip hiprtc; do \
	  place=$$tree/lib/cmake/$$package; $(MKDIR_P) $$place && \
	  cp $(srcdir)/src/rocm/cmake/dropin-config.cmake $$place/$$package-config.cmake && \
	  edit $(srcdir)/src/rocm/cmake/config-version.cmake.in \
	    >$$place/$$package-config-version.cmake || exit 1; \
	done; \
	for library in $(DROPIN_LINKS); do \
	  case $$library in $$major:*) file=$${library#*:}; \
	    $(LN_S) ../../dropin/$$file $$tree/lib/$$file && \
	    $(LN_S) $$file $$tree/lib/$${file%.so.*}.so || exit 1 ;; \
	  esac; \
	done; \
	$(MKDIR_P) $$tree/bin $$tree/.info && \
	edit $(srcdir)/src/rocm/hipconfig.in >$$tree/bin/hipconfig && \
	chmod +x $$tree/bin/hipconfig && edit $(srcdir)/src/rocm/version.in >$@

all-local: $(DROPIN_TREES) $(python_built)

install-data-local: $(DROPIN_TREES) $(python_installed)
	@$(MKDIR_P) "$(DESTDIR)$(pkglibdir)"; for file in $(DROPIN_TREES); do \
	  tree=`echo $$file | $(SED) 's|/.*||'`; rm -rf "$(DESTDIR)$(pkglibdir)/$$tree" && \
	  cp -R -P $$tree "$(DESTDIR)$(pkglibdir)/" || exit 1; \
	done

uninstall-trees:
	-for file in $(DROPIN_TREES); do \
	  rm -rf "$(DESTDIR)$(pkglibdir)/`echo $$file | $(SED) 's|/.*||'`"; \
	done

clean-local: $(python_cleaned)
	-for file in $(DROPIN_TREES); do rm -rf `echo $$file | $(SED) 's|/.*||'`; done

# --- files of the stable tree ---

rocm/hipconfig: $(srcdir)/src/rocm/hipconfig.in $(srcdir)/bindings/releases.list Makefile
	$(rocm_edit) $(srcdir)/src/rocm/hipconfig.in >$@ && chmod +x $@

rocm/version: $(srcdir)/src/rocm/version.in $(srcdir)/bindings/releases.list Makefile
	$(rocm_edit) $(srcdir)/src/rocm/version.in >$@

rocm/hipshim-config.cmake: $(srcdir)/src/rocm/cmake/hipshim-config.cmake.in Makefile
	$(rocm_edit) $(srcdir)/src/rocm/cmake/hipshim-config.cmake.in >$@

$(cmake_versions): $(srcdir)/src/rocm/cmake/config-version.cmake.in \
		$(srcdir)/bindings/releases.list Makefile
	$(rocm_edit) $(srcdir)/src/rocm/cmake/config-version.cmake.in >$@
