/* SPDX-License-Identifier: MIT */
/* json.c - see json.h. Source: RFC 8259. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { TEXT_MOST = 400 }; /* bytes of the longest number and a NUL */

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static void put(struct json *json, const void *bytes, size_t size)
{
    if (json->stream)
        fwrite(bytes, 1, size, json->stream);
    else
        buffer_append(json->out, bytes, size);
}

static void put_byte(struct json *json, char byte)
{
    put(json, &byte, 1);
}

__attribute__((format(printf, 2, 3))) static void put_format(struct json *json, const char *format,
                                                             ...)
{
    char text[TEXT_MOST];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        put(json, text, (size_t)length);
}

/* Writes the comma and the space or line break before a key, or before a value in an array. A value
 * after a key needs neither. */
static void separate(struct json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    uint64_t bit = UINT64_C(1) << json->depth;
    bool first = !(json->has_members & bit);
    json->has_members |= bit;
    const uint8_t rows = json->rows[json->depth];
    bool breaks = rows || (!json->flow && json->depth > 0);
    if (!first)
        put(json, ", ", breaks ? 1 : 2);
    if (breaks)
        put_format(json, "\n%*s", rows ? rows - 1 : (int)json->depth, "");
}

/* rows: 1 + number of spaces before a member on a line of its own, or 0. */
static void begin(struct json *json, char bracket, uint8_t rows)
{
    separate(json);
    put_byte(json, bracket);
    assert(json->depth + 1 < JSON_DEPTH);
    json->depth++;
    json->has_members &= ~(UINT64_C(1) << json->depth);
    json->rows[json->depth] = rows;
}

static void end(struct json *json, char bracket)
{
    assert(json->depth > 0);
    if (json->rows[json->depth])
        put_byte(json, '\n');
    put_byte(json, bracket);
    json->depth--;
    if (json->depth > 0)
        return;
    put_byte(json, '\n');
    json->has_members = 0;
}

void json_begin_object(struct json *json)
{
    begin(json, '{', 0);
}

void json_begin_object_rows(struct json *json)
{
    begin(json, '{', 1);
}

void json_end_object(struct json *json)
{
    end(json, '}');
}

void json_begin_array(struct json *json)
{
    begin(json, '[', 0);
}

void json_begin_array_rows(struct json *json)
{
    begin(json, '[', 3);
}

void json_end_array(struct json *json)
{
    end(json, ']');
}

static void put_character(struct json *json, const char *text, size_t bytes, uint32_t value)
{
    if (bytes == 0)
        put(json, REPLACEMENT, strlen(REPLACEMENT));
    else if (value == '"' || value == '\\')
        put_format(json, "\\%c", (int)value);
    else if (value == '\n' || value == '\t')
        put_format(json, value == '\n' ? "\\n" : "\\t");
    else if (value < 0x20 || (value >= 0x7f && value < 0xa0))
        put_format(json, "\\u%04" PRIx32, value);
    else
        put(json, text, bytes);
}

static void put_text(struct json *json, const char *text)
{
    put_byte(json, '"');
    while (*text) {
        uint32_t value = 0;
        size_t bytes = utf8_character(text, &value);
        put_character(json, text, bytes, value);
        text += bytes ? bytes : 1;
    }
    put_byte(json, '"');
}

void json_key(struct json *json, const char *key)
{
    separate(json);
    put_text(json, key);
    put(json, ": ", 2);
    json->after_key = true;
}

void json_string(struct json *json, const char *text)
{
    separate(json);
    if (text)
        put_text(json, text);
    else
        put(json, "null", 4);
}

void json_int(struct json *json, int64_t value)
{
    separate(json);
    put_format(json, "%" PRId64, value);
}

void json_uint(struct json *json, uint64_t value)
{
    char digits[20]; /* the largest value has 20 digits */
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    separate(json);
    put(json, digits + at, sizeof digits - at);
}

void json_boolean(struct json *json, bool value)
{
    separate(json);
    put_format(json, "%s", value ? "true" : "false");
}

void json_float(struct json *json, float value)
{
    if (isnan(value)) {
        json_string(json, "nan");
    } else if (isinf(value)) {
        json_string(json, value < 0 ? "-inf" : "inf");
    } else {
        separate(json);
        put_format(json, "%.9g", (double)value);
    }
}

void json_decimal(struct json *json, double value, int digits)
{
    separate(json);
    put_format(json, "%.*f", digits, value);
}

void json_hex(struct json *json, uint64_t value, unsigned digits)
{
    separate(json);
    put_format(json, "\"0x%0*" PRIx64 "\"", (int)digits, value);
}

void json_bytes(struct json *json, const uint8_t *bytes, size_t size)
{
    separate(json);
    put_byte(json, '"');
    for (size_t i = 0; i < size; i++)
        put_format(json, "%02x", bytes[i]);
    put_byte(json, '"');
}

void json_raw(struct json *json, const void *text, size_t size)
{
    separate(json);
    put(json, text, size);
}

void json_null(struct json *json)
{
    json_string(json, NULL);
}

/* --- members --- */

void json_member_object(struct json *json, const char *key)
{
    json_key(json, key);
    json_begin_object(json);
}

void json_member_array(struct json *json, const char *key)
{
    json_key(json, key);
    json_begin_array(json);
}

void json_member_string(struct json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text);
}

void json_member_text(struct json *json, const char *key, const char *text)
{
    if (text)
        json_member_string(json, key, text);
}

void json_member_int(struct json *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_int(json, value);
}

void json_member_uint(struct json *json, const char *key, uint64_t value)
{
    json_key(json, key);
    json_uint(json, value);
}

void json_member_bool(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    json_boolean(json, value);
}

void json_member_hex(struct json *json, const char *key, uint64_t value, unsigned digits)
{
    json_key(json, key);
    json_hex(json, value, digits);
}
