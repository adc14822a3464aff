/* SPDX-License-Identifier: MIT */
/* blocks.c - see blocks.h.
 *
 * In:  calls from the shim's code.
 * Out: blocks of the shim's heap.
 *
 * Source: strdup(3), realpath(3), strerror(3), qsort(3); proc(5): /proc/self/fd has the canonical
 *         name of an open file.
 * Choices: a merge sort, like the C library's, or an insertion sort if there is no memory for the
 *          merge sort. */
#include "blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "next.h"

/* --- text --- */

static char *copy_text(const char *text, size_t length)
{
    char *made = malloc(length + 1);
    if (!made)
        return NULL;
    memcpy(made, text, length);
    made[length] = 0;
    return made;
}

char *__wrap_strdup(const char *text)
{
    return copy_text(text, strlen(text));
}

char *__wrap_strndup(const char *text, size_t most)
{
    return copy_text(text, strnlen(text, most));
}

char *__wrap_strerror(int error)
{
    const char *text = strerrordesc_np(error);
    return (char *)(text ? text : "unknown error");
}

/* --- file names --- */

static bool name_of(int file, char name[PATH_MAX])
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, name, PATH_MAX - 1);
    name[length < 0 ? 0 : length] = 0;
    return length > 0;
}

char *__wrap_realpath(const char *path, char *resolved)
{
    char name[PATH_MAX];
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return NULL;
    const bool good = name_of(file, name);
    const int error = errno;
    close(file);
    errno = error;
    if (!good)
        return NULL;
    return resolved ? strcpy(resolved, name) : __wrap_strdup(name);
}

char *__wrap___realpath_chk(const char *path, char *resolved, size_t room)
{
    (void)room;
    return __wrap_realpath(path, resolved);
}

/* --- sorting --- */

struct order {
    size_t size;
    int (*compare)(const void *one, const void *other);
};

static char *copy(char *to, const char *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

/* Merges two sorted sequences, from `left` to `middle` and from `middle` to `end`, into `to`. */
static void merge(const struct order *order, char *to, const char *left, const char *middle,
                  const char *end)
{
    const char *right = middle;
    while (left < middle && right < end) {
        const bool first = order->compare(left, right) <= 0;
        to = copy(to, first ? left : right, order->size);
        *(first ? &left : &right) += order->size;
    }
    to = copy(to, left, (size_t)(middle - left));
    copy(to, right, (size_t)(end - right));
}

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* Merges neighbouring sorted sequences of `length` bytes each from `from` into `to`. `bytes` is the
 * size of all sequences together. */
static void merge_all(const struct order *order, char *to, const char *from, size_t bytes,
                      size_t length)
{
    for (size_t at = 0; at < bytes;) {
        const size_t middle = at + least(length, bytes - at);
        const size_t end = middle + least(length, bytes - middle);
        merge(order, to + at, from + at, from + middle, from + end);
        at = end;
    }
}

static void sort(const struct order *order, char *members, char *other, size_t bytes)
{
    char *from = members, *to = other;
    for (size_t length = order->size; length < bytes; length *= 2) {
        merge_all(order, to, from, bytes, length);
        char *merged = to;
        to = from;
        from = merged;
    }
    if (from != members)
        memcpy(members, from, bytes);
}

static void swap(char *one, char *other, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char byte = one[i];
        one[i] = other[i];
        other[i] = byte;
    }
}

static void insert(const struct order *order, char *members, size_t bytes)
{
    const size_t size = order->size;
    for (size_t end = size; end < bytes; end += size)
        for (char *at = members + end; at > members && order->compare(at - size, at) > 0;
             at -= size)
            swap(at - size, at, size);
}

void __wrap_qsort(void *members, size_t count, size_t size,
                  int (*compare)(const void *one, const void *other))
{
    const struct order order = {size, compare};
    if (count < 2 || !size)
        return;
    char *other = malloc(count * size);
    if (other)
        sort(&order, members, other, count * size);
    else
        insert(&order, members, count * size);
    free(other);
}
