/* SPDX-License-Identifier: MIT */
/* allocator.h - malloc() of a program's own, which ends the program where something is wrong: a
 * block that is freed is none of its own, or anybody asks for memory while the program itself does
 * not want any. The C library's allocator is not used at all. */
#ifndef TESTS_ALLOCATOR_H
#define TESTS_ALLOCATOR_H

#include <stdbool.h>

/* Whether the program wants memory now. Otherwise a call can only be one that somebody makes while
 * a device is used, before main() or after it. The dynamic linker may always allocate: what it does
 * for threads is the program's. */
extern volatile bool allocator_open;

#endif
