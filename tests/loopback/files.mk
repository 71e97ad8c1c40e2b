# SPDX-License-Identifier: MIT

long_tests += \
	tests/loopback/isa_faults.t \
	tests/loopback/processors.t \
	tests/loopback/sanitized.t

shell_tests += \
	tests/loopback/coverage.t \
	tests/loopback/finishes_at_exit.t \
	tests/loopback/hip_5_2.t \
	tests/loopback/hip_5_7.t \
	tests/loopback/hip_6_4.t \
	tests/loopback/hip_7_0_amd.t \
	tests/loopback/hip_7_14_amd.t \
	tests/loopback/hip_7_2.t \
	tests/loopback/hip_7_2_amd.t \
	tests/loopback/hsa_facts.t \
	tests/loopback/is_strict.t \
	tests/loopback/vendor_programs.t

gpu_programs += \
	tests/loopback/gpu/array_copies_t \
	tests/loopback/gpu/arrays_t \
	tests/loopback/gpu/callbacks_t \
	tests/loopback/gpu/computes_t \
	tests/loopback/gpu/contexts_t \
	tests/loopback/gpu/cooperative_t \
	tests/loopback/gpu/copies_t \
	tests/loopback/gpu/copy_forms_t \
	tests/loopback/gpu/devices_t \
	tests/loopback/gpu/errors_tracing_t \
	tests/loopback/gpu/external_t \
	tests/loopback/gpu/faults_t \
	tests/loopback/gpu/fills_t \
	tests/loopback/gpu/graph_capture_t \
	tests/loopback/gpu/graph_driver_t \
	tests/loopback/gpu/graph_params_t \
	tests/loopback/gpu/graph_structure_t \
	tests/loopback/gpu/graphs_t \
	tests/loopback/gpu/groups_t \
	tests/loopback/gpu/guarded_t \
	tests/loopback/gpu/instructions_t \
	tests/loopback/gpu/ipc_t \
	tests/loopback/gpu/launches_t \
	tests/loopback/gpu/linking_t \
	tests/loopback/gpu/managed_t \
	tests/loopback/gpu/matrices_t \
	tests/loopback/gpu/memory_t \
	tests/loopback/gpu/missing_functions_t \
	tests/loopback/gpu/modules_launch_t \
	tests/loopback/gpu/pointer_attributes_t \
	tests/loopback/gpu/properties_attributes_t \
	tests/loopback/gpu/release_differences_t \
	tests/loopback/gpu/samples_t \
	tests/loopback/gpu/sharing_t \
	tests/loopback/gpu/stream_attributes_t \
	tests/loopback/gpu/streams_events_t \
	tests/loopback/gpu/symbols_t \
	tests/loopback/gpu/texture_references_t \
	tests/loopback/gpu/textures_t \
	tests/loopback/gpu/thread_streams_t \
	tests/loopback/gpu/threads_t \
	tests/loopback/gpu/two_gpus_t \
	tests/loopback/gpu/virtual_memory_t

EXTRA_DIST += \
	tests/loopback/build.sh \
	tests/loopback/checks/faulty.c \
	tests/loopback/checks/strict.c \
	tests/loopback/coverage/build.sh \
	tests/loopback/coverage/kinds.c \
	tests/loopback/coverage/proofs.awk \
	tests/loopback/coverage/reasons.txt \
	tests/loopback/coverage/recorder.c \
	tests/loopback/coverage/table.awk \
	tests/loopback/gpu/gpu.h \
	tests/loopback/gpu/registered.h \
	tests/loopback/release.sh \
	tests/loopback/run.sh \
	tests/loopback/stress.sh \
	tests/loopback/tsan.supp

tests_loopback_gpu_computes_t_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
tests_loopback_gpu_computes_t_LDADD = $(LDADD) -lm
tests_loopback_gpu_samples_t_LDADD = $(LDADD) -lm

MOSTLYCLEANFILES = tests/loopback/records/*

# Its records are made by these, which need the programs: `make coverage` must see new ones.
coverage_runs = \
	tests/dispatch/real_hip_5_2.log \
	tests/dispatch/real_hip_5_7.log \
	tests/dispatch/real_hip_6_4.log \
	tests/dispatch/real_hip_7_2.log \
	tests/loopback/hip_5_2.log \
	tests/loopback/hip_5_7.log \
	tests/loopback/hip_6_4.log \
	tests/loopback/hip_7_2.log
tests/loopback/coverage.log: $(coverage_runs)
if HAVE_CMOCKA
$(coverage_runs): libhipshim.la $(gpu_programs) $(real_programs)
endif
