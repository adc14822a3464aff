/* SPDX-License-Identifier: MIT */
/* allocator.h - a program's own malloc(), which ends the program on an error: a free() of a block
 * from another allocator, or an allocation while the program itself does not allocate. The C
 * library's allocator is not used at all. */
#ifndef TESTS_ALLOCATOR_H
#define TESTS_ALLOCATOR_H

#include <stdbool.h>

/* True while the program itself allocates. At other times an allocation can only come from the use
 * of a device, also before main() or after it. The dynamic linker may always allocate, since its
 * allocations for threads belong to the program. */
extern volatile bool allocator_open;

#endif
