/* SPDX-License-Identifier: MIT */
/* json.c - fuzz target: the writer of JSON, src/base/json.c. The input is a series of calls that
 * write a document. The same document is built with json-c, and Tessera's output, parsed by json-c,
 * must be equal. */
#include <math.h>
#include <stdint.h>

#include "base/json.h"
#include "json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 200, DEEPEST = 20, KEY = 8, TEXT = 24 };

struct writer {
    struct json json;
    struct json_object *stack[DEEPEST + 1];
    unsigned depth, keys;
    const uint8_t *at;
    size_t left;
};

static uint8_t take(struct writer *writer)
{
    if (!writer->left)
        return 0;
    writer->left--;
    return *writer->at++;
}

static uint64_t take_number(struct writer *writer)
{
    uint64_t number = 0;
    for (unsigned bytes = take(writer) % 9; bytes > 0; bytes--)
        number = number << 8 | take(writer);
    return number;
}

/* Adds the written value to json-c's document. All keys of an object are different. */
static void add(struct writer *writer, struct json_object *value, const char *key)
{
    struct json_object *around = writer->stack[writer->depth];
    if (json_object_is_type(around, json_type_object))
        json_object_object_add(around, key, value);
    else
        json_object_array_add(around, value);
}

static void write_float(struct writer *writer, const char *key)
{
    uint32_t bits = (uint32_t)take_number(writer);
    float value;
    memcpy(&value, &bits, sizeof value);
    json_float(&writer->json, value);
    add(writer,
        isnan(value)   ? json_object_new_string("nan")
        : isinf(value) ? json_object_new_string(value < 0 ? "-inf" : "inf")
                       : json_object_new_double((double)value),
        key);
}

/* Writes a string of any bytes. A string that is not entirely printable ASCII is parsed but not
 * compared. */
static void write_text(struct writer *writer, const char *key)
{
    char text[TEXT + 1];
    size_t length = take(writer) % TEXT, i;
    for (i = 0; i < length && writer->left; i++)
        text[i] = (char)take(writer);
    text[i] = 0;
    json_string(&writer->json, text);
    add(writer, json_is_plain(text) ? json_object_new_string(text) : NULL, key);
}

static void write_hex(struct writer *writer, const char *key)
{
    uint64_t value = take_number(writer);
    unsigned digits = take(writer) % 17;
    char text[24];
    json_hex(&writer->json, value, digits);
    snprintf(text, sizeof text, "0x%0*llx", (int)digits, (unsigned long long)value);
    add(writer, json_object_new_string(text), key);
}

static void begin(struct writer *writer, bool object, const char *key)
{
    struct json_object *value = object ? json_object_new_object() : json_object_new_array();
    add(writer, value, key);
    writer->stack[++writer->depth] = value;
    if (object)
        json_begin_object(&writer->json);
    else
        json_begin_array(&writer->json);
}

static void end(struct writer *writer)
{
    if (json_object_is_type(writer->stack[writer->depth--], json_type_object))
        json_end_object(&writer->json);
    else
        json_end_array(&writer->json);
}

static void step(struct writer *writer, uint8_t what)
{
    char key[KEY + 4] = "";
    if (what % 9 == 8 || (what % 9 > 6 && writer->depth == DEEPEST)) {
        if (writer->depth > 0)
            end(writer);
        return;
    }
    if (json_object_is_type(writer->stack[writer->depth], json_type_object)) {
        snprintf(key, sizeof key, "k%u", writer->keys++ % 10000);
        json_key(&writer->json, key);
    }
    uint64_t number;
    switch (what % 9) {
    case 0: write_text(writer, key); break;
    case 1:
        number = take_number(writer);
        json_int(&writer->json, (int64_t)number);
        add(writer, json_object_new_int64((int64_t)number), key);
        break;
    case 2:
        number = take_number(writer);
        json_uint(&writer->json, number);
        add(writer, json_object_new_uint64(number), key);
        break;
    case 3:
        json_boolean(&writer->json, what & 0x80);
        add(writer, json_object_new_boolean((what & 0x80) != 0), key);
        break;
    case 4: write_float(writer, key); break;
    case 5: write_hex(writer, key); break;
    case 6:
        json_string(&writer->json, NULL);
        add(writer, NULL, key);
        break;
    default: begin(writer, what & 0x80, key); break;
    }
}

static bool is_equal(const struct json_object *ours, const struct json_object *other);

static bool members_equal(const struct json_object *ours, const struct json_object *other)
{
    if (json_object_object_length(ours) != json_object_object_length(other))
        return false;
    json_object_object_foreach(other, key, value)
    {
        struct json_object *member;
        if (!json_object_object_get_ex(ours, key, &member) || !is_equal(member, value))
            return false;
    }
    return true;
}

static bool elements_equal(const struct json_object *ours, const struct json_object *other)
{
    size_t count = json_object_array_length(other);
    bool equal = json_object_array_length(ours) == count;
    for (size_t i = 0; equal && i < count; i++)
        equal = is_equal(json_object_array_get_idx(ours, i), json_object_array_get_idx(other, i));
    return equal;
}

/* True if a parsed value equals the value in json-c's document. A null in json-c's document
 * matches null and any string, because such strings are not compared. Floats are compared as 32-bit
 * floats. */
static bool is_equal(const struct json_object *ours, const struct json_object *other)
{
    if (!other)
        return !ours || json_object_is_type(ours, json_type_string);
    switch (json_object_get_type(other)) {
    case json_type_object:
        return json_object_is_type(ours, json_type_object) && members_equal(ours, other);
    case json_type_array:
        return json_object_is_type(ours, json_type_array) && elements_equal(ours, other);
    case json_type_double:
        return (float)json_object_get_double(ours) == (float)json_object_get_double(other);
    default:
        return json_object_equal((struct json_object *)(uintptr_t)ours,
                                 (struct json_object *)(uintptr_t)other);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buffer out = {0};
    struct writer writer = {.json = {.out = &out}, .at = data, .left = size};
    writer.stack[0] = json_object_new_array();
    json_begin_array(&writer.json);
    for (unsigned steps = 0; writer.left && steps < STEPS; steps++)
        step(&writer, take(&writer));
    while (writer.depth > 0)
        end(&writer);
    json_end_array(&writer.json);
    struct json_object *ours = json_read((const char *)out.data, out.size);
    if (!is_equal(ours, writer.stack[0]))
        abort();
    json_object_put(ours);
    json_object_put(writer.stack[0]);
    buffer_free(&out);
    return 0;
}
