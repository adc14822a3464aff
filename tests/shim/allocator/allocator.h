/* SPDX-License-Identifier: MIT */
/* allocator.h - a program's own malloc(). It ends the program with an error in two cases: free() of
 * a block from another allocator, and an allocation while allocator_open is false. The C library's
 * allocator is not used at all. */
#ifndef TESTS_ALLOCATOR_H
#define TESTS_ALLOCATOR_H

#include <stdbool.h>

/* True while the program itself allocates memory. At other times, also before and after main(),
 * only a shim could allocate memory, which is an error. The dynamic linker may always allocate,
 * because its allocations for threads belong to the program. */
extern volatile bool allocator_open;

#endif
