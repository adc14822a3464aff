/* SPDX-License-Identifier: MIT */
/* listing.c - see listing.h. */
#include "scene/listing.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    STEP_INDENT = 4,
    BYTES_COLUMN = 28,
    VALUE_COLUMN = 12,
    FLUSH_AT = 1 << 16,
};

static bool is_json(const struct listing *listing)
{
    return listing->format == TESS_DECODE_JSON;
}

/* Passes the buffered text to the caller if the buffer contains at least at_least bytes. */
static void flush(struct listing *listing, size_t at_least)
{
    if (listing->buffer.failed)
        listing->failed = true;
    if (listing->buffer.size < at_least)
        return;
    if (listing->out.write && listing->buffer.size)
        listing->out.write(listing->out.user, (const char *)listing->buffer.data,
                           listing->buffer.size);
    listing->buffer.size = 0;
}

static void indent(struct listing *listing, uint32_t levels)
{
    buffer_printf(&listing->buffer, "%*s", (int)(levels * STEP_INDENT), "");
}

void listing_address(const struct tess_scene *scene, uint32_t address, char *text, size_t size)
{
    uint32_t offset;
    const char *name = tess_scene_symbol(scene, address, &offset);
    if (name && offset)
        snprintf(text, size, "0x%08x <%s+0x%x>", address, name, offset);
    else if (name)
        snprintf(text, size, "0x%08x <%s>", address, name);
    else
        snprintf(text, size, "0x%08x", address);
}

static void json_address(struct listing *listing, uint32_t address)
{
    uint32_t offset;
    const char *name = tess_scene_symbol(listing->scene, address, &offset);
    json_key(&listing->json, "address");
    json_hex(&listing->json, address, 8);
    if (!name)
        return;
    json_key(&listing->json, "symbol");
    json_string(&listing->json, name);
    json_key(&listing->json, "offset");
    json_uint(&listing->json, offset);
}

static void json_text(struct listing *listing, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    json_key(&listing->json, key);
    json_string(&listing->json, text);
}

/* --- document and sections --- */

void listing_begin(struct listing *listing)
{
    listing->json.out = &listing->buffer;
    if (!is_json(listing))
        return;
    json_begin_object(&listing->json);
    json_key(&listing->json, "tessera");
    json_string(&listing->json, tess_version());
    json_key(&listing->json, "steps");
    json_begin_array(&listing->json);
}

void listing_end(struct listing *listing)
{
    if (is_json(listing)) {
        json_end_array(&listing->json);
        json_end_object(&listing->json);
    }
    flush(listing, 0);
    buffer_free(&listing->buffer);
}

static void json_open(struct listing *listing, const char *kind, uint32_t address, uint32_t line,
                      const char *title)
{
    json_begin_object(&listing->json);
    json_text(listing, "kind", kind);
    json_text(listing, "title", title);
    json_address(listing, address);
    if (line) {
        json_key(&listing->json, "line");
        json_uint(&listing->json, line);
    }
    json_key(&listing->json, "records");
    json_begin_array(&listing->json);
}

static void text_open(struct listing *listing, uint32_t address, uint32_t line, const char *title)
{
    char place[PLACE_TEXT];
    listing_address(listing->scene, address, place, sizeof place);
    if (listing->depth == 0)
        buffer_printf(&listing->buffer, "\n");
    indent(listing, listing->depth);
    if (line)
        buffer_printf(&listing->buffer, "Line %u: ", line);
    buffer_printf(&listing->buffer, "%s at %s\n", title, place);
}

/* Ends the fields of the enclosing record before its first nested section. */
static void begin_sections(struct listing *listing)
{
    enum listing_part *part = &listing->part[listing->depth];
    if (*part == LISTING_SECTIONS)
        return;
    if (*part == LISTING_FIELDS)
        json_end_array(&listing->json);
    json_key(&listing->json, "sections");
    json_begin_array(&listing->json);
    *part = LISTING_SECTIONS;
}

void listing_open(struct listing *listing, const char *kind, uint32_t address, uint32_t line,
                  const char *title)
{
    assert(listing->depth + 1 < LISTING_DEPTH);
    if (!is_json(listing)) {
        text_open(listing, address, line, title);
    } else {
        if (listing->depth > 0)
            begin_sections(listing);
        json_open(listing, kind, address, line, title);
    }
    listing->depth++;
    listing->part[listing->depth] = LISTING_NONE;
}

void listing_close(struct listing *listing)
{
    listing->depth--;
    if (is_json(listing)) {
        json_end_array(&listing->json);
        json_end_object(&listing->json);
    }
    flush(listing, FLUSH_AT);
}

/* --- records --- */

static void put_bytes(struct buffer *out, const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        buffer_printf(out, i ? " %02x" : "%02x", bytes[i]);
}

static void text_record(struct listing *listing, const struct listing_record *record)
{
    char place[PLACE_TEXT];
    listing_address(listing->scene, record->address, place, sizeof place);
    indent(listing, listing->depth);
    buffer_printf(&listing->buffer, "%s: ", place);
    if (!record->identifier && record->size) {
        put_bytes(&listing->buffer, record->bytes, record->size);
        buffer_printf(&listing->buffer, "  ");
    }
    bool noted = !record->identifier && record->note;
    buffer_printf(&listing->buffer, "%s%s%s\n", record->name, noted ? "; " : "",
                  noted ? record->note : "");
    if (!record->identifier)
        return;
    indent(listing, listing->depth + 1);
    buffer_printf(&listing->buffer, "%-*.2x %-*u cl.%s%s%s\n", BYTES_COLUMN, record->bytes[0],
                  VALUE_COLUMN, record->bytes[0], record->identifier, record->note ? ": " : "",
                  record->note ? record->note : "");
}

static void json_record(struct listing *listing, const struct listing_record *record)
{
    json_begin_object(&listing->json);
    json_text(listing, "kind", record->kind);
    json_address(listing, record->address);
    if (record->size) {
        json_key(&listing->json, "bytes");
        json_bytes(&listing->json, record->bytes, record->size);
    }
    if (record->identifier) {
        json_key(&listing->json, "id");
        json_uint(&listing->json, record->bytes[0]);
        json_text(listing, "identifier", record->identifier);
    }
    json_text(listing, "name", record->name);
    json_text(listing, "note", record->note);
}

void listing_record(struct listing *listing, const struct listing_record *record)
{
    listing->part[listing->depth] = LISTING_HEAD;
    if (is_json(listing))
        json_record(listing, record);
    else
        text_record(listing, record);
}

void listing_end_record(struct listing *listing)
{
    if (is_json(listing)) {
        if (listing->part[listing->depth] != LISTING_HEAD)
            json_end_array(&listing->json);
        json_end_object(&listing->json);
    }
    listing->part[listing->depth] = LISTING_NONE;
    flush(listing, FLUSH_AT);
}

void listing_note(struct listing *listing, const char *text)
{
    bool in_record = listing->part[listing->depth] != LISTING_NONE;
    if (is_json(listing)) {
        if (in_record)
            begin_sections(listing);
        json_begin_object(&listing->json);
        json_text(listing, "kind", "note");
        json_text(listing, "note", text);
        json_end_object(&listing->json);
    } else {
        indent(listing, listing->depth + in_record);
        buffer_printf(&listing->buffer, "(%s)\n", text);
    }
}

/* --- fields --- */

/* Writes the bytes that contain a field. If the field does not use all bits of these bytes, also
 * writes the range of bits. */
static void put_field_bytes(struct buffer *out, const struct cl_field *field, const uint8_t *data)
{
    uint32_t first = field->bit / 8, last = (field->bit + field->width - 1u) / 8;
    size_t start = out->size;
    put_bytes(out, data + first, last - first + 1);
    if (field->width % 8 || field->bit % 8) {
        uint32_t low = field->bit % 8, high = low + field->width - 1u;
        if (high == low)
            buffer_printf(out, " [%u]", low);
        else
            buffer_printf(out, " [%u:%u]", high, low);
    }
    while (!out->failed && out->size < start + BYTES_COLUMN)
        buffer_byte(out, ' ');
    buffer_byte(out, ' ');
}

static void value_text(const struct cl_field *field, uint32_t value, char *text, size_t size)
{
    switch (field->kind) {
    case CL_HEX: snprintf(text, size, "0x%x", value); return;
    case CL_ADDRESS: snprintf(text, size, "0x%08x", value); return;
    case CL_INT: snprintf(text, size, "%d", (int32_t)value); return;
    case CL_FLOAT:
    case CL_FLOAT187: snprintf(text, size, "%.9g", (double)bits_float(value)); return;
    case CL_FIX4: snprintf(text, size, "%.4f", (int32_t)value / 16.0); return;
    default: snprintf(text, size, "%u", value); return;
    }
}

/* Writes the meaning of a boolean, enumeration or address to text. Writes an empty text for values
 * of other kinds. */
static void kind_meaning(const struct listing *listing, const struct cl_field *field,
                         uint32_t value, char *text, size_t size)
{
    *text = 0;
    if (field->kind == CL_BOOL) {
        snprintf(text, size, "%s", value ? "on" : "off");
    } else if (field->kind == CL_ENUM && field->meanings) {
        const char *name = field->meanings[value];
        snprintf(text, size, "%s", name ? name : "a reserved value");
    } else if (field->kind == CL_ADDRESS) {
        uint32_t offset;
        const char *name = tess_scene_symbol(listing->scene, value, &offset);
        if (name)
            snprintf(text, size, offset ? "%s+0x%x" : "%s", name, offset);
    }
}

static void text_field(struct listing *listing, const struct cl_field *field, const uint8_t *data,
                       uint32_t value, const char *meaning)
{
    char number[32];
    value_text(field, value, number, sizeof number);
    indent(listing, listing->depth + 1);
    put_field_bytes(&listing->buffer, field, data);
    buffer_printf(&listing->buffer, "%-*s %s%s%s\n", VALUE_COLUMN, number, field->words,
                  *meaning ? ": " : "", meaning);
}

static void json_value(struct json *json, const struct cl_field *field, uint32_t value)
{
    switch (field->kind) {
    case CL_HEX: json_hex(json, value, (field->width + 3u) / 4); return;
    case CL_ADDRESS: json_hex(json, value, 8); return;
    case CL_BOOL: json_boolean(json, value != 0); return;
    case CL_INT: json_int(json, (int32_t)value); return;
    case CL_FLOAT:
    case CL_FLOAT187: json_float(json, bits_float(value)); return;
    case CL_FIX4: json_float(json, (float)(int32_t)value / 16.0f); return;
    default: json_uint(json, value); return;
    }
}

static void json_field(struct listing *listing, const struct cl_field *field, uint32_t value,
                       const char *meaning)
{
    struct json *json = &listing->json;
    if (listing->part[listing->depth] == LISTING_HEAD) {
        json_key(json, "fields");
        json_begin_array(json);
        listing->part[listing->depth] = LISTING_FIELDS;
    }
    json_begin_object(json);
    json_text(listing, "name", field->identifier);
    json_key(json, "bit");
    json_uint(json, field->bit);
    json_key(json, "width");
    json_uint(json, field->width);
    json_key(json, "value");
    json_value(json, field, value);
    json_text(listing, "words", field->words);
    json_text(listing, "meaning", meaning);
    json_end_object(json);
}

void listing_field(struct listing *listing, const struct cl_field *field, const uint8_t *data,
                   const char *comment)
{
    char meaning[2 * PLACE_TEXT];
    uint32_t value = cl_field_value(field, data);
    kind_meaning(listing, field, value, meaning, sizeof meaning);
    if (comment && *comment) {
        size_t used = strlen(meaning);
        snprintf(meaning + used, sizeof meaning - used, "%s%s", used ? "; " : "", comment);
    }
    if (is_json(listing))
        json_field(listing, field, value, meaning);
    else
        text_field(listing, field, data, value, meaning);
}
