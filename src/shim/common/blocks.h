/* SPDX-License-Identifier: MIT */
/* blocks.h - replacements for functions of the C library that allocate memory, for the shim's code
 * only. The linker redirects the shim's calls to the replacements (--wrap, meson.build). A
 * replacement takes its memory from the shim's heap (heap.h). */
#ifndef SHIM_COMMON_BLOCKS_H
#define SHIM_COMMON_BLOCKS_H

#include <stddef.h>

char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);

/* Like realpath(3). If `resolved` is NULL, returns the canonical name in a block that the caller
 * frees. Otherwise writes the name to `resolved`, which has room for PATH_MAX bytes. Returns NULL
 * with errno set on error. */
char *__wrap_realpath(const char *path, char *resolved);
char *__wrap___realpath_chk(const char *path, char *resolved, size_t room);

/* Returns the English text for an errno. The text is static, because a translation would need
 * memory. */
char *__wrap_strerror(int error);

/* Sorts like qsort(). Members that compare equal keep their order. */
void __wrap_qsort(void *members, size_t count, size_t size,
                  int (*compare)(const void *one, const void *other));

#endif
