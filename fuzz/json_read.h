/* SPDX-License-Identifier: MIT */
/* json_read.h - parses Tessera's JSON with an independent library (json-c). Invalid JSON ends the
 * process. */
#ifndef FUZZ_JSON_READ_H
#define FUZZ_JSON_READ_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define json_bool json_c_bool /* The name is a type in json-c and a function in Tessera. */
#include <json-c/json.h>
#undef json_bool

/* Parses a document. The caller frees the result with json_object_put(). */
static inline struct json_object *json_read(const char *text, size_t size)
{
    enum { DEEPEST = 64 };
    struct json_tokener *reader = json_tokener_new_ex(DEEPEST);
    json_tokener_set_flags(reader, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *found = json_tokener_parse_ex(reader, text, (int)size);
    if (json_tokener_get_error(reader) == json_tokener_continue)
        found = json_tokener_parse_ex(reader, "", 1); /* the NUL ends a number */
    enum json_tokener_error error = json_tokener_get_error(reader);
    if (error != json_tokener_success) {
        fprintf(stderr, "no JSON: %s at %zu of\n%.*s\n", json_tokener_error_desc(error),
                json_tokener_get_parse_end(reader), (int)size, text);
        abort();
    }
    json_tokener_free(reader);
    return found;
}

/* Parses a text with one document per line, and calls see for each document. see may be NULL.
 * Returns the number of documents. */
static inline size_t json_read_lines(const char *text, size_t size,
                                     void (*see)(const struct json_object *line, void *user),
                                     void *user)
{
    size_t lines = 0;
    for (const char *at = text, *end; at < text + size; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + size - at));
        if (!end)
            abort();
        struct json_object *line = json_read(at, (size_t)(end - at));
        if (see)
            see(line, user);
        json_object_put(line);
        lines++;
    }
    return lines;
}

/* Returns a member, or NULL if the object has no such member. */
static inline struct json_object *json_member(const struct json_object *object, const char *key)
{
    struct json_object *member;
    return json_object_object_get_ex(object, key, &member) ? member : NULL;
}

/* Returns the number of elements of an array. Ends the process if the value is not an array. */
static inline size_t json_count(const struct json_object *array)
{
    if (!json_object_is_type(array, json_type_array))
        abort();
    return json_object_array_length(array);
}

/* True if a text consists of printable ASCII characters. Such a text must be read back
 * unchanged. */
static inline bool json_is_plain(const char *text)
{
    for (; *text; text++)
        if (*text < 0x20 || *text > 0x7e)
            return false;
    return true;
}

/* Ends the process unless the object has a member with this key and text. If the text is NULL, the
 * member must not exist. A text for which json_is_plain() is false is not compared. */
static inline void json_expect(const struct json_object *object, const char *key, const char *text)
{
    struct json_object *member = json_member(object, key);
    if ((member != NULL) != (text != NULL))
        abort();
    if (text && json_is_plain(text) && strcmp(json_object_get_string(member), text) != 0)
        abort();
}

#endif
