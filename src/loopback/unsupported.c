/* SPDX-License-Identifier: MIT */
/*
 * Functions that the runtimes import and a machine may lack.  They are refused by name,
 * with the status of a machine without the feature, or accepted without an effect, because
 * the host cannot see their effect.
 */
#include "internal.h"

/* Most arguments make no difference to the answer. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define UNSUPPORTED ((hsa_status_t)HSA_STATUS_ERROR_NOT_SUPPORTED)

/* --- refused --- */

hsa_status_t hsa_amd_interop_map_buffer(uint32_t count, hsa_agent_t *agents, hsa_handle_t handle,
                                        uint32_t flags, size_t *size, void **ptr,
                                        size_t *metadata_size, const void **metadata)
{
    return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__, "no graphics interoperation");
}

hsa_status_t hsa_amd_interop_unmap_buffer(void *ptr)
{
    return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__, "no graphics interoperation");
}

hsa_status_t hsa_amd_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *asked,
                                  const hsa_amd_image_descriptor_t *layout, const void *data,
                                  hsa_access_permission_t permission, hsa_ext_image_t *image)
{
    return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__, "no graphics interoperation");
}

hsa_status_t hsa_amd_portable_export_dmabuf(const void *ptr, size_t size, int *file,
                                            uint64_t *offset)
{
    return lb_refuse(HSA_STATUS_ERROR, __func__, "no dmabuf");
}

hsa_status_t hsa_amd_ais_file_write(hsa_amd_ais_file_handle_t handle, void *ptr, uint64_t size,
                                    int64_t offset, uint64_t *copied, int32_t *status)
{
    return lb_refuse(UNSUPPORTED, __func__, "no accelerator file input and output");
}

hsa_status_t hsa_amd_ais_file_read(hsa_amd_ais_file_handle_t handle, void *ptr, uint64_t size,
                                   int64_t offset, uint64_t *copied, int32_t *status)
{
    return hsa_amd_ais_file_write(handle, ptr, size, offset, copied, status);
}

hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t *handle)
{
    return lb_refuse(UNSUPPORTED, __func__, "no signals of other processes");
}

hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t *handle, hsa_signal_t *signal)
{
    return lb_refuse(UNSUPPORTED, __func__, "no signals of other processes");
}

/* HIP 7.14 imports these; the headers of 7.2 do not declare them.  No argument is used. */
#define REFUSED(name, why)                                                                         \
    hsa_status_t name(void);                                                                       \
    hsa_status_t name(void)                                                                        \
    {                                                                                              \
        return lb_refuse(UNSUPPORTED, #name, why);                                                 \
    }
REFUSED(hsa_amd_external_semaphore_handle_open, "no external semaphores")
REFUSED(hsa_amd_external_semaphore_handle_close, "no external semaphores")
REFUSED(hsa_amd_svm_discard_batch_async, "no discarding in batches")
REFUSED(hsa_amd_vmem_export_fabric_handle, "no fabric")
REFUSED(hsa_amd_vmem_import_fabric_handle, "no fabric")
REFUSED(hsa_ext_image_mipmap_array_get_level, "no mipmapped images")

/* --- accepted, without an effect --- */

hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type)
{
    return lb_agent_index(agent) < 1 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t threshold)
{
    return lb_agent_index(agent) < 1 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback,
                                                   void *data)
{
    return callback ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_enable_logging(uint8_t *flags, void *file)
{
    return HSA_STATUS_SUCCESS;
}
