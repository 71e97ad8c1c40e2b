/* SPDX-License-Identifier: MIT */
#include "base/path.h"

#include <sys/stat.h>
#include <unistd.h>

int hs_path_is_executable(const char *path)
{
    struct stat status;

    return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}
