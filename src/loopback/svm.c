/* SPDX-License-Identifier: MIT */
/*
 * Attributes of shared virtual memory, for each page.  hipMemAdvise and
 * hipMemPrefetchAsync set them, and hipMemRangeGetAttribute reads them.  For a range
 * whose pages differ the answer is "no" or "no place".
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"

struct page {
    uint64_t number;
    uint64_t coarse, read_only, hive_local, granularity, preferred, prefetched, read_mostly, exec;
    uint32_t access[LB_GPUS_MAX + 1]; /* 0 or HSA_AMD_SVM_ATTRIB_AGENT_... */
};

enum { PAGES_MAX = 1 << 20 };

static struct page *pages; /* by number */
static size_t page_count, page_room;

static size_t place_locked(uint64_t number)
{
    size_t low = 0;
    size_t high = page_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (pages[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const struct page *look_locked(uint64_t number)
{
    static const struct page none;
    size_t at = place_locked(number);
    return at < page_count && pages[at].number == number ? pages + at : &none;
}

static struct page *get_locked(uint64_t number)
{
    size_t at = place_locked(number);
    if (at < page_count && pages[at].number == number) {
        return pages + at;
    }
    if (page_count == page_room) {
        page_room = page_room ? 2 * page_room : 1024;
        struct page *more = realloc(pages, page_room * sizeof *pages);
        if (!more || page_room > PAGES_MAX) {
            lb_fatal("too many pages with attributes");
        }
        pages = more;
    }
    memmove(pages + at + 1, pages + at, (page_count - at) * sizeof *pages);
    memset(pages + at, 0, sizeof *pages);
    pages[at].number = number;
    page_count++;
    return pages + at;
}

static uint64_t *value_of(struct page *page, uint64_t attribute)
{
    switch (attribute) {
    case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        return &page->coarse;
    case HSA_AMD_SVM_ATTRIB_READ_ONLY:
        return &page->read_only;
    case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
        return &page->hive_local;
    case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
        return &page->granularity;
    case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
        return &page->preferred;
    case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
        return &page->prefetched;
    case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
        return &page->read_mostly;
    case HSA_AMD_SVM_ATTRIB_GPU_EXEC:
        return &page->exec;
    default:
        return NULL;
    }
}

static hsa_status_t set_locked(struct page *page, const hsa_amd_svm_attribute_pair_t *pair)
{
    hsa_agent_t agent = {pair->value};
    int index = lb_agent_index(agent);
    uint64_t *value = value_of(page, pair->attribute);
    if (value) {
        *value = pair->value;
        return HSA_STATUS_SUCCESS;
    }
    if (pair->attribute < HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE ||
        pair->attribute > HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS || index < 0) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    page->access[index] = (uint32_t)pair->attribute;
    return HSA_STATUS_SUCCESS;
}

static uint64_t first_page(const void *ptr)
{
    return (uint64_t)ptr / LB_PAGE;
}

static uint64_t end_page(const void *ptr, size_t size)
{
    return ((uint64_t)ptr + size + LB_PAGE - 1) / LB_PAGE;
}

/*
 * HIP 5 and 6 map managed memory themselves, and set attributes so that GPUs may access it. Nothing
 * says when they unmap it, so the kernel is asked whether the pages are there.
 */
bool lb_svm_range_locked(const void *address, uint64_t *start, uint64_t *size)
{
    static const size_t most = 1024;
    unsigned char resident[1024];
    uint64_t number = first_page(address);
    size_t at = place_locked(number);
    if (at == page_count || pages[at].number != number) {
        return false;
    }
    size_t end = at;
    while (end < page_count && end - at < most && pages[end].number == number + (end - at)) {
        end++;
    }
    *start = number * LB_PAGE;
    *size = (end - at) * LB_PAGE;
    return mincore((void *)*start, *size, resident) == 0; /* NOLINT: the number is an address */
}

hsa_status_t hsa_amd_svm_attributes_set(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *list,
                                        size_t count)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!ptr || size == 0 || !list || end_page(ptr, size) - first_page(ptr) > PAGES_MAX) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    for (uint64_t at = first_page(ptr); at < end_page(ptr, size); at++) {
        struct page *page = get_locked(at);
        for (size_t i = 0; i < count && status == HSA_STATUS_SUCCESS; i++) {
            status = set_locked(page, list + i);
        }
    }
    lb_unlock();
    return status == HSA_STATUS_SUCCESS
               ? status
               : lb_unknown(status, "unknown attribute of shared memory set");
}

static uint64_t answer_locked(uint64_t first, uint64_t end, uint64_t attribute)
{
    struct page page = *look_locked(first);
    uint64_t value = *value_of(&page, attribute);
    for (uint64_t at = first + 1; at < end; at++) {
        struct page other = *look_locked(at);
        if (*value_of(&other, attribute) != value) {
            return attribute == HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG
                       ? HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE
                       : 0;
        }
    }
    return value;
}

static uint32_t access_locked(uint64_t first, uint64_t end, int agent)
{
    uint32_t access = look_locked(first)->access[agent];
    for (uint64_t at = first + 1; at < end; at++) {
        if (look_locked(at)->access[agent] != access) {
            access = 0;
        }
    }
    return access ? access : HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
}

hsa_status_t hsa_amd_svm_attributes_get(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *list,
                                        size_t count)
{
    struct page any;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!ptr || size == 0 || !list) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    uint64_t first = first_page(ptr);
    uint64_t end = end_page(ptr, size);
    for (size_t i = 0; i < count; i++) {
        hsa_agent_t agent = {list[i].value};
        if (value_of(&any, list[i].attribute)) {
            list[i].value = answer_locked(first, end, list[i].attribute);
        } else if (list[i].attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY &&
                   lb_agent_index(agent) >= 0) {
            list[i].attribute = access_locked(first, end, lb_agent_index(agent));
        } else {
            status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
        }
    }
    lb_unlock();
    return status == HSA_STATUS_SUCCESS
               ? status
               : lb_unknown(status, "unknown attribute of shared memory asked");
}

hsa_status_t hsa_amd_svm_prefetch_async(void *ptr, size_t size, hsa_agent_t agent,
                                        uint32_t wait_count, const hsa_signal_t *waits,
                                        hsa_signal_t done)
{
    hsa_amd_svm_attribute_pair_t place = {HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, agent.handle};
    hsa_status_t status = hsa_amd_svm_attributes_set(ptr, size, &place, 1);
    if (status != HSA_STATUS_SUCCESS) {
        return status;
    }
    struct lb_copy nothing = {.waits = waits, .wait_count = wait_count, .done = done};
    return lb_copy_submit(&nothing);
}
