/* SPDX-License-Identifier: MIT */
/* json.c - see json.h. Source: RFC 8259. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static void new_line(struct json *json)
{
    if (json->depth > 0)
        buffer_printf(json->out, "\n%*s", (int)json->depth, "");
}

/* Writes the comma and line break before a key, or before a value in an array. A value after a key
 * needs neither. */
static void separate(struct json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    uint64_t bit = UINT64_C(1) << json->depth;
    if (json->has_members & bit)
        buffer_byte(json->out, ',');
    json->has_members |= bit;
    new_line(json);
}

static void begin(struct json *json, char bracket)
{
    separate(json);
    buffer_byte(json->out, (uint8_t)bracket);
    assert(json->depth + 1 < JSON_DEPTH);
    json->depth++;
    json->has_members &= ~(UINT64_C(1) << json->depth);
}

static void end(struct json *json, char bracket)
{
    assert(json->depth > 0);
    json->depth--;
    buffer_byte(json->out, (uint8_t)bracket);
    if (json->depth == 0)
        buffer_byte(json->out, '\n');
}

void json_begin_object(struct json *json)
{
    begin(json, '{');
}

void json_end_object(struct json *json)
{
    end(json, '}');
}

void json_begin_array(struct json *json)
{
    begin(json, '[');
}

void json_end_array(struct json *json)
{
    end(json, ']');
}

/* Returns the length in bytes of the UTF-8 sequence at text, or 0 if the sequence is invalid
 * (Unicode 15, table 3-7). */
static size_t utf8_length(const uint8_t *text)
{
    static const struct {
        /* first to last: range of the first byte. low to high: range of the second byte. length:
         * number of bytes in the sequence. */
        uint8_t first, last, low, high, length;
    } forms[] = {
        /* clang-format off */
        {0x00, 0x7f, 0x00, 0xff, 1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((text[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

static void put_ascii(struct buffer *out, uint8_t byte)
{
    if (byte == '"' || byte == '\\')
        buffer_printf(out, "\\%c", byte);
    else if (byte == '\n')
        buffer_append(out, "\\n", 2);
    else if (byte == '\t')
        buffer_append(out, "\\t", 2);
    else if (byte < 0x20 || byte == 0x7f)
        buffer_printf(out, "\\u%04x", byte);
    else
        buffer_byte(out, byte);
}

static void put_text(struct buffer *out, const char *text)
{
    const uint8_t *at = (const uint8_t *)text;
    buffer_byte(out, '"');
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0)
            buffer_append(out, REPLACEMENT, strlen(REPLACEMENT));
        else if (length == 1)
            put_ascii(out, *at);
        else
            buffer_append(out, at, length);
        at += length ? length : 1;
    }
    buffer_byte(out, '"');
}

void json_key(struct json *json, const char *key)
{
    separate(json);
    put_text(json->out, key);
    buffer_append(json->out, ": ", 2);
    json->after_key = true;
}

void json_string(struct json *json, const char *text)
{
    separate(json);
    if (text)
        put_text(json->out, text);
    else
        buffer_append(json->out, "null", 4);
}

void json_int(struct json *json, int64_t value)
{
    separate(json);
    buffer_printf(json->out, "%" PRId64, value);
}

void json_uint(struct json *json, uint64_t value)
{
    separate(json);
    buffer_printf(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, bool value)
{
    separate(json);
    buffer_printf(json->out, "%s", value ? "true" : "false");
}

void json_float(struct json *json, float value)
{
    if (isnan(value)) {
        json_string(json, "nan");
    } else if (isinf(value)) {
        json_string(json, value < 0 ? "-inf" : "inf");
    } else {
        separate(json);
        buffer_printf(json->out, "%.9g", (double)value);
    }
}

void json_hex(struct json *json, uint64_t value, unsigned digits)
{
    separate(json);
    buffer_printf(json->out, "\"0x%0*" PRIx64 "\"", (int)digits, value);
}

void json_bytes(struct json *json, const uint8_t *bytes, size_t size)
{
    separate(json);
    buffer_byte(json->out, '"');
    for (size_t i = 0; i < size; i++)
        buffer_printf(json->out, "%02x", bytes[i]);
    buffer_byte(json->out, '"');
}
