/* SPDX-License-Identifier: MIT */
/* system.c - in place of allocator.c, for programs whose allocator is another one, which asks
 * nobody. */
#include "allocator.h"

volatile bool allocator_open;
