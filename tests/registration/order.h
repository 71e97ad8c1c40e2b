// SPDX-License-Identifier: MIT
//
// What order.hip has for order_objects.cc.
#ifndef HIPSHIM_TESTS_REGISTRATION_ORDER_H
#define HIPSHIM_TESTS_REGISTRATION_ORDER_H

// Launches a kernel that adds the managed variable in each block; true if the sum is as wanted.
bool order_launches(int *device, int blocks, int wanted);

// True if a device variable has its initial value.
bool order_reads_variable();

// A managed variable.
int &order_level();

#endif
