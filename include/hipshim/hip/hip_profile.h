/* SPDX-License-Identifier: MIT */
/* hipshim: markers for a profiler that ROCm no longer has; they do nothing, as in ROCm. */
#ifndef HIPSHIM_HIP_HIP_PROFILE_H
#define HIPSHIM_HIP_HIP_PROFILE_H

#define HIP_SCOPED_MARKER(markerName, group)
#define HIP_BEGIN_MARKER(markerName, group)
#define HIP_END_MARKER()

#endif
