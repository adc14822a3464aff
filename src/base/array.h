/* SPDX-License-Identifier: MIT */
/* array.h - arrays that grow by one element at a time, and the search in sorted arrays.
 *
 * Choice: an array has room for ARRAY_LEAST elements, or for its number of elements rounded up to a
 *         power of two. The room follows from the number of elements, so it is not stored. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAY_LEAST = 16 };

/* Makes room for one more element in the array that the pointer `array`, an lvalue, points to. The
 * pointer is NULL before the first element. Returns false, with the array unchanged, if the host is
 * out of memory. */
#define ARRAY_GROW(array, count) array_grow(&(array), count, sizeof *(array))

/* Returns the number of elements to allocate for an array of `count` elements that may grow. */
static inline size_t array_room(size_t count)
{
    size_t room = ARRAY_LEAST;
    while (room < count)
        room *= 2;
    return room;
}

static inline bool array_grow(void *array, size_t count, size_t size)
{
    void *items;
    memcpy(&items, array, sizeof items);
    if (items && (count < ARRAY_LEAST || count & (count - 1)))
        return true;
    items = count > SIZE_MAX / 2 / size ? NULL : realloc(items, array_room(count + 1) * size);
    if (items)
        memcpy(array, &items, sizeof items);
    return items != NULL;
}

/* Returns the number of elements whose member, a uint32_t, is less than limit. The array must be
 * sorted by this member. */
#define ARRAY_BELOW(array, count, member, limit) \
    array_below(array, count, sizeof *(array), offsetof(__typeof__(*(array)), member), limit)

static inline size_t array_below(const void *array, size_t count, size_t size, size_t member,
                                 uint64_t limit)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        uint32_t value;
        memcpy(&value, (const uint8_t *)array + middle * size + member, sizeof value);
        if (value < limit)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

#endif
