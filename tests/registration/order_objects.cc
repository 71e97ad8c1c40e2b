// SPDX-License-Identifier: MIT
//
// Global objects that launch before main and use HIP after it.  This file is linked after
// order.hip, whose kernels are therefore registered before these constructors run.
#include <hip/hip_runtime_api.h>

#include "check.h"
#include "order.h"

namespace
{

class Early
{
  public:
    int *device = nullptr;
    int level = order_level();
    bool is_right = false;

    Early()
    {
        is_right = hipMalloc(&device, sizeof *device) == hipSuccess &&
                   hipMemset(device, 0, sizeof *device) == hipSuccess && order_launches(device, 2, 14);
    }
    ~Early()
    {
        std::printf("# after main: %s\n", hipGetErrorName(hipFree(device)));
    }
};

Early early;

} // namespace

int main()
{
    CHECK(early.level == 7, "a constructor reads a managed variable without a call");
    CHECK(early.is_right, "a constructor launches");
    CHECK(order_reads_variable(), "a variable has its initial value");
    CHECK(order_launches(early.device, 3, 21), "main launches");
    order_level()++;
    CHECK(order_level() == 8 && order_launches(early.device, 3, 24),
          "the host writes a managed variable, and the kernel reads it");
    return check_end();
}
