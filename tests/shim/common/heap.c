/* SPDX-License-Identifier: MIT */
/* heap.c - tests of a shim's private heap.
 *
 * Expected: the results that malloc(3) and aligned_alloc(3) describe. If blocks overlapped, their
 * contents would change. */
#include "shim/common/heap.h"
#include "../../register.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *seed)
{
    return *seed = *seed * 1664525 + 1013904223;
}

TEST(test_sizes)
{
    static const size_t sizes[] = {0,     1,         15,        16,      17,     24,
                                   25,    48,        49,        4096,    65535,  65536,
                                   65537, 98304 - 1, 98304 + 1, 1 << 20, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *block = heap_take(sizes[i], 16, false);
        assert_non_null(block);
        assert_true(heap_has(block));
        assert_true(heap_room(block) >= sizes[i]);
        assert_int_equal((uintptr_t)block % 16, 0);
        memset(block, 1, sizes[i]);
        heap_give(block);
    }
}

TEST(test_alignment)
{
    for (size_t alignment = 16; alignment <= 4096; alignment *= 2)
        for (size_t size = 1; size < 300000; size = size * 3 + 1) {
            void *one = heap_take(size, alignment, false),
                 *other = heap_take(size, alignment, false);
            assert_int_equal((uintptr_t)one % alignment, 0);
            assert_int_equal((uintptr_t)other % alignment, 0);
            heap_give(one);
            heap_give(other);
        }
}

static bool is_zero(const char *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (block[i])
            return false;
    return true;
}

TEST(test_cleared)
{
    static const size_t sizes[] = {40, 5000, 200000, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int round = 0; round < 3; round++) {
            char *block = heap_take(sizes[i], 16, true);
            assert_true(is_zero(block, sizes[i]));
            memset(block, 0xff, sizes[i]);
            heap_give(block);
        }
}

TEST(test_too_much)
{
    errno = 0;
    assert_null(heap_take(SIZE_MAX, 16, false));
    assert_int_equal(errno, ENOMEM);
    assert_null(heap_take(SIZE_MAX / 2, 16, true));
    assert_null(heap_take(PTRDIFF_MAX / 2, 16, true));
    assert_null(heap_take(1, 8192, false));
}

TEST(test_others)
{
    int on_stack = 0;
    void *theirs = malloc(100);
    assert_false(heap_has(NULL));
    assert_false(heap_has(&on_stack));
    assert_false(heap_has(theirs));
    assert_false(heap_has((void *)UINTPTR_MAX));
    free(theirs);
}

/* Allocates and frees many blocks of all sizes in a random order. Each block is filled with its
 * number, and the bytes must not change. */
TEST(test_no_overlap)
{
    enum { BLOCKS = 256, STEPS = 20000 };
    static struct {
        unsigned char *bytes;
        size_t size;
    } block[BLOCKS];
    uint32_t seed = 1;
    for (int step = 0; step < STEPS; step++) {
        const unsigned i = next_random(&seed) >> 16 & (BLOCKS - 1);
        for (size_t at = 0; at < block[i].size; at += block[i].size / 16 + 1)
            assert_int_equal(block[i].bytes[at], i);
        if (block[i].bytes)
            heap_give(block[i].bytes);
        block[i].size = (next_random(&seed) >> 8) >> (next_random(&seed) >> 24) % 20 & 0x3ffff;
        block[i].bytes = heap_take(block[i].size, 16, false);
        assert_non_null(block[i].bytes);
        memset(block[i].bytes, (int)i, block[i].size);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (block[i].bytes)
            heap_give(block[i].bytes);
}
