/* SPDX-License-Identifier: MIT */
/* blocks.h - functions of the C library that allocate, for the code of a shim alone: with memory of
 * the shim's heap (heap.h), or with none. The linker leads the shim's calls here (--wrap,
 * meson.build). */
#ifndef SHIM_COMMON_BLOCKS_H
#define SHIM_COMMON_BLOCKS_H

#include <stddef.h>

char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);

/* resolved: NULL, or room for PATH_MAX bytes. */
char *__wrap_realpath(const char *path, char *resolved);
char *__wrap___realpath_chk(const char *path, char *resolved, size_t room);

/* In English, which takes no memory. */
char *__wrap_strerror(int error);

/* Equal members stay in their order. */
void __wrap_qsort(void *members, size_t count, size_t size,
                  int (*compare)(const void *one, const void *other));

#endif
