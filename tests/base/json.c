/* SPDX-License-Identifier: MIT */
/* json.c - tests the JSON writer. Expected texts are written by hand from RFC 8259. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../register.h"
#include "base/json.h"

static void expect(struct buffer *buffer, const char *text)
{
    buffer_byte(buffer, 0);
    assert_string_equal((const char *)buffer->data, text);
    buffer_free(buffer);
}

TEST(nests)
{
    struct buffer out = {0};
    struct json json = {.out = &out};
    json_begin_object(&json);
    json_key(&json, "a");
    json_begin_array(&json);
    json_int(&json, -1);
    json_uint(&json, UINT64_MAX);
    json_begin_object(&json);
    json_end_object(&json);
    json_end_array(&json);
    json_key(&json, "b");
    json_boolean(&json, true);
    json_key(&json, "c");
    json_string(&json, NULL);
    json_end_object(&json);
    expect(&out,
           "{\n \"a\": [\n  -1,\n  18446744073709551615,\n  {}],\n \"b\": true,\n \"c\": null}\n");
}

TEST(strings)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        /* clang-format off */
        {"",                                     "\"\""},
        {"plain",                                "\"plain\""},
        {"q\"b\\",                               "\"q\\\"b\\\\\""},
        {"\n\t\x01\x7f",                         "\"\\n\\t\\u0001\\u007f\""},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"\xff",                                 "\"\xef\xbf\xbd\""}, /* not a first byte */
        {"\xc3",                                 "\"\xef\xbf\xbd\""}, /* truncated sequence */
        /* overlong sequence */
        {"\xc0\x80",                             "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        /* encoded surrogate */
        {"\xed\xa0\x80",                         "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buffer out = {0};
        struct json json = {.out = &out};
        json_string(&json, cases[i].text);
        expect(&out, cases[i].json);
    }
}

/* Characters U+0080 to U+009F are control characters (ISO 6429), which terminals interpret. */
TEST(escapes_control_characters)
{
    struct buffer out = {0};
    struct json json = {.out = &out};
    json_string(&json, "\xc2\x80\xc2\x9b\xc2\xa0");
    expect(&out, "\"\\u0080\\u009b\xc2\xa0\"");
}

/* A flow is one line; rows are lines in it. */
TEST(writes_on_one_line)
{
    struct buffer out = {0};
    struct json json = {.out = &out, .flow = true};
    json_begin_object(&json);
    json_member_uint(&json, "a", 1);
    json_member_text(&json, "absent", NULL);
    json_member_array(&json, "b");
    json_int(&json, -1);
    json_decimal(&json, 0.5, 2);
    json_end_array(&json);
    json_key(&json, "c");
    json_begin_array_rows(&json);
    json_begin_object(&json);
    json_member_bool(&json, "d", false);
    json_member_hex(&json, "e", 10, 3);
    json_end_object(&json);
    json_null(&json);
    json_end_array(&json);
    json_member_object(&json, "f");
    json_end_object(&json);
    json_key(&json, "g");
    json_begin_object_rows(&json);
    json_member_string(&json, "h", "i");
    json_key(&json, "j");
    json_raw(&json, "[]", 2);
    json_end_object(&json);
    json_end_object(&json);
    json_begin_object(&json); /* another document */
    json_end_object(&json);
    expect(&out, "{\"a\": 1, \"b\": [-1, 0.50], \"c\": [\n"
                 "  {\"d\": false, \"e\": \"0x00a\"},\n"
                 "  null\n"
                 "], \"f\": {}, \"g\": {\n"
                 "\"h\": \"i\",\n"
                 "\"j\": []\n"
                 "}}\n"
                 "{}\n");
}

TEST(writes_to_a_stream)
{
    char text[16] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    struct json json = {.stream = stream, .flow = true};
    json_begin_array(&json);
    json_string(&json, "x");
    json_end_array(&json);
    fclose(stream);
    assert_string_equal(text, "[\"x\"]\n");
}

TEST(numbers)
{
    struct buffer out = {0};
    struct json json = {.out = &out};
    json_begin_array(&json);
    json_float(&json, 0.5f);
    json_float(&json, 0.1f);
    json_float(&json, NAN);
    json_float(&json, INFINITY);
    json_float(&json, -INFINITY);
    json_hex(&json, 0x1f40, 8);
    json_bytes(&json, (const uint8_t *)"\x00\xfe", 2);
    json_end_array(&json);
    expect(&out, "[\n 0.5,\n 0.100000001,\n \"nan\",\n \"inf\",\n \"-inf\",\n \"0x00001f40\",\n "
                 "\"00fe\"]\n");
}

/* The caller may empty the buffer between calls. */
TEST(streams)
{
    struct buffer out = {0};
    struct json json = {.out = &out};
    json_begin_array(&json);
    json_int(&json, 1);
    out.size = 0;
    json_int(&json, 2);
    json_end_array(&json);
    expect(&out, ",\n 2]\n");
}
