/* SPDX-License-Identifier: MIT */
/* buffer.c - tests of growable byte buffers. Expected bytes are written down by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../register.h"
#include "base/buffer.h"

TEST(appends_in_order)
{
    struct buffer buffer = {0};
    buffer_append(&buffer, "ab", 2);
    buffer_append(&buffer, NULL, 0);
    buffer_byte(&buffer, 'c');
    buffer_le32(&buffer, 0x12345678);
    assert_int_equal(buffer.size, 7);
    assert_memory_equal(buffer.data, "abc\x78\x56\x34\x12", 7);
    assert_false(buffer.failed);
    buffer_free(&buffer);
    assert_null(buffer.data);
    assert_int_equal(buffer.size, 0);
}

TEST(formats_without_nul)
{
    struct buffer buffer = {0};
    buffer_printf(&buffer, "%d-%s", 7, "x");
    buffer_printf(&buffer, "%s", "");
    buffer_byte(&buffer, '!');
    assert_int_equal(buffer.size, 4);
    assert_memory_equal(buffer.data, "7-x!", 4);
    buffer_free(&buffer);
}

TEST(grows)
{
    struct buffer buffer = {0};
    for (unsigned i = 0; i < 100000; i++)
        buffer_byte(&buffer, (uint8_t)i);
    assert_int_equal(buffer.size, 100000);
    for (unsigned i = 0; i < 100000; i += 777)
        assert_int_equal(buffer.data[i], (uint8_t)i);
    buffer_free(&buffer);
}

TEST(impossible_sizes_fail)
{
    struct buffer buffer = {0};
    buffer_append(&buffer, "abc", 3);
    buffer_append(&buffer, "abc", SIZE_MAX / 2 + 1);
    assert_true(buffer.failed);
    assert_int_equal(buffer.size, 3);
    buffer_free(&buffer);
}
