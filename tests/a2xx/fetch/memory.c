/* SPDX-License-Identifier: MIT */
/* memory.c - tests ranges of memory: overlaps, gaps, ends, and accesses that span several ranges.
 *
 * Expected values follow from src/a2xx/fetch/memory.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "../../register.h"
#include "a2xx/fetch/memory.h"

static uint8_t bytes[3][16];

TEST(test_map)
{
    struct a2xx_memory memory = {0};
    assert_int_equal(a2xx_memory_map(&memory, 100, bytes[0], 16, true), TESS_OK);
    assert_int_equal(a2xx_memory_map(&memory, 115, bytes[1], 1, true), TESS_INVALID);
    assert_int_equal(a2xx_memory_map(&memory, 90, bytes[1], 11, true), TESS_INVALID);
    assert_int_equal(a2xx_memory_map(&memory, 90, bytes[1], 10, true), TESS_OK);
    assert_int_equal(a2xx_memory_map(&memory, 116, bytes[2], 16, true), TESS_OK);
    assert_int_equal(a2xx_memory_map(&memory, 0, NULL, 1, true), TESS_INVALID);
    assert_int_equal(a2xx_memory_map(&memory, 0, NULL, 0, true), TESS_OK);
    assert_int_equal(a2xx_memory_map(&memory, 0, bytes[0], 91, true), TESS_INVALID);
    a2xx_memory_unmap(&memory, 101); /* no range starts here, so this has no effect */
    assert_int_equal(memory.count, 3);
    a2xx_memory_unmap(&memory, 100);
    assert_int_equal(memory.count, 2);
    assert_int_equal(a2xx_memory_map(&memory, 100, bytes[0], 16, true), TESS_OK);
    a2xx_memory_free(&memory);
    assert_int_equal(memory.count, 0);
}

TEST(test_end)
{
    struct a2xx_memory memory = {0};
    uint8_t got[4];
    size_t size;
    assert_int_equal(a2xx_memory_map(&memory, 0xfffffff0, bytes[0], 17, true), TESS_INVALID);
    assert_int_equal(a2xx_memory_map(&memory, 0xfffffff0, bytes[0], 16, true), TESS_OK);
    bytes[0][15] = 9;
    assert_false(a2xx_memory_load(&memory, 0xffffffff, got, 4)); /* an address must not wrap to 0 */
    assert_int_equal(got[0], 9);
    assert_int_equal(got[1], 0);
    assert_ptr_equal(a2xx_memory_at(&memory, 0xfffffffe, &size), &bytes[0][14]);
    assert_int_equal(size, 2);
    assert_null(a2xx_memory_at(&memory, 0xffffffef, &size));
    assert_int_equal(size, 0);
    a2xx_memory_free(&memory);
}

TEST(test_spans)
{
    struct a2xx_memory memory = {0};
    for (unsigned i = 0; i < 48; i++)
        bytes[i / 16][i % 16] = (uint8_t)i;
    assert_int_equal(a2xx_memory_map(&memory, 100, bytes[0], 16, true), TESS_OK);
    assert_int_equal(a2xx_memory_map(&memory, 116, bytes[1], 16, false), TESS_OK);
    assert_int_equal(a2xx_memory_map(&memory, 134, bytes[2], 16, true), TESS_OK);
    uint8_t got[8];
    assert_true(a2xx_memory_load(&memory, 112, got, 8));
    assert_memory_equal(got, ((uint8_t[]){12, 13, 14, 15, 16, 17, 18, 19}), 8);
    assert_false(a2xx_memory_load(&memory, 129, got, 8)); /* the access spans a gap */
    assert_memory_equal(got, ((uint8_t[]){29, 30, 31, 0, 0, 32, 33, 34}), 8);

    const uint8_t new[4] = {201, 202, 203, 204};
    assert_int_equal(a2xx_memory_store(&memory, 101, new, 4), A2XX_STORE_OK);
    assert_int_equal(bytes[0][4], 204);
    assert_int_equal(a2xx_memory_store(&memory, 114, new, 4), A2XX_STORE_READ_ONLY);
    assert_int_equal(bytes[0][15], 202);
    assert_int_equal(bytes[1][0], 16);
    assert_int_equal(a2xx_memory_store(&memory, 132, new, 4), A2XX_STORE_UNMAPPED);
    assert_int_equal(bytes[2][1], 204);
    a2xx_memory_free(&memory);
}
