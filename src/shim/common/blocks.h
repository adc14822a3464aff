/* SPDX-License-Identifier: MIT */
/* blocks.h - replacements for functions of the C library that allocate memory. Only the shim's code
 * uses the replacements. They take memory from the shim's heap (heap.h), or need none. The linker
 * redirects the shim's calls to them (--wrap, meson.build). */
#ifndef SHIM_COMMON_BLOCKS_H
#define SHIM_COMMON_BLOCKS_H

#include <stddef.h>

char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);

/* Returns the canonical name of a file, in resolved or in an allocated block. `resolved` is
 * NULL, or has room for PATH_MAX bytes. Returns NULL with errno set on error. */
char *__wrap_realpath(const char *path, char *resolved);
char *__wrap___realpath_chk(const char *path, char *resolved, size_t room);

/* Returns a static English text: translating would allocate memory. */
char *__wrap_strerror(int error);

/* Sorts like qsort(). Members that compare equal keep their order. */
void __wrap_qsort(void *members, size_t count, size_t size,
                  int (*compare)(const void *one, const void *other));

#endif
