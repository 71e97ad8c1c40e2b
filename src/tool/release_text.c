/* SPDX-License-Identifier: MIT */
#include "tool/release_text.h"

#include <stdio.h>
#include <string.h>

const char *tool_release_text(char text[TOOL_RELEASE_TEXT], hipshim_release_t release)
{
    snprintf(text, TOOL_RELEASE_TEXT, "%u.%u.%u", release.major, release.minor, release.patch);
    return release.major ? text : NULL;
}

hipshim_release_info_t tool_release_at(unsigned index)
{
    hipshim_release_info_t info = {.size = sizeof info};
    hipshim_release_info(index, &info);
    return info;
}

int tool_release_index(hipshim_release_t release)
{
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        hipshim_release_t one = tool_release_at(i).release;
        if (one.major == release.major && one.minor == release.minor &&
            one.patch == release.patch) {
            return (int)i;
        }
    }
    return -1;
}

int tool_release_newest(unsigned major)
{
    for (unsigned i = hipshim_release_count(); i-- > 0;) {
        if (tool_release_at(i).release.major == major) {
            return (int)i;
        }
    }
    return -1;
}

unsigned tool_release_next_major(unsigned major)
{
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        unsigned one = tool_release_at(i).release.major;
        if (one > major) {
            return one;
        }
    }
    return 0;
}

const char *tool_release_majors(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned major = tool_release_next_major(0); major != 0 && used < size;
         major = tool_release_next_major(major)) {
        int length = snprintf(text + used, size - used, "%s%u", used ? ", " : "", major);
        used += length > 0 ? (size_t)length : 0;
    }
    return text;
}
