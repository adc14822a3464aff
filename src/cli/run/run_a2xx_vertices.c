/* SPDX-License-Identifier: MIT */
/* run_a2xx_vertices.c - see run_a2xx_vertices.h.
 *
 * The buffers hold only a window of the vertices, so that the memory used does not grow with the
 * data. R0.x is the number of a vertex within the window. */
#include "cli/run/run_a2xx_vertices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input_file.h"

enum {
    FIRST_ADDRESS = 0x10000000, /* first address of buffers (textures begin at 0x80000000) */
    PAGE = 4096,
    ELEMENT = 16,          /* bytes of the largest element */
    MOST_BYTES = 1 << 26,  /* maximum size of a buffer, the limit of the constant's size field */
    MOST_ALL = 0x70000000, /* maximum size of all buffers together, in bytes */
    WINDOW = 1 << 18,      /* largest window, in vertices */
};

static bool fail(const struct a2xx_vertices *vertices, const char *rule, const char *text,
                 const char *hint)
{
    const struct tess_finding diag = {.level = TESS_ERROR, .id = rule, .text = text, .hint = hint};
    if (vertices->sink.report)
        vertices->sink.report(vertices->sink.user, &diag);
    return false;
}

/* --- formats --- */

static bool find_format(const char *name, enum tess_a2xx_variant variant,
                        struct shader_format *format)
{
    uint32_t code;
    *format = (struct shader_format){A2XX_PLAIN_FORMAT, sizeof(float), false};
    if (strcmp(name, "f32") == 0)
        return true;
    if (!tess_a2xx_format_find(name, variant, &code))
        return false;
    *format = (struct shader_format){(int)code, tess_a2xx_format_size(code, variant), true};
    return format->bytes != 0;
}

bool a2xx_vertices_adreno_format(const char *name, struct shader_format *format)
{
    return find_format(name, TESS_A2XX_ADRENO, format);
}

bool a2xx_vertices_xenos_format(const char *name, struct shader_format *format)
{
    return find_format(name, TESS_A2XX_XENOS, format);
}

const char *a2xx_vertices_adreno_name(uint32_t code)
{
    return tess_a2xx_format_name(code, TESS_A2XX_ADRENO);
}

const char *a2xx_vertices_xenos_name(uint32_t code)
{
    return tess_a2xx_format_name(code, TESS_A2XX_XENOS);
}

/* Returns the number of bytes that a fetch reads per vertex, or 0 if the model cannot pack values
 * into the fetch's format. */
static size_t bytes_of(const struct a2xx_vertices *vertices,
                       const struct tess_a2xx_vertex_fetch *fetch)
{
    return tess_a2xx_format_size(fetch->format, vertices->variant);
}

/* --- given buffers --- */

static bool take_buffer(struct a2xx_vertices *vertices, const char *argument)
{
    const char *equals = strchr(argument, '=');
    char number[8] = "";
    uint64_t constant;
    if (equals && equals - argument < (ptrdiff_t)sizeof number)
        memcpy(number, argument, (size_t)(equals - argument));
    if (!equals || !cli_number(number, &constant) || constant >= A2XX_VERTEX_BUFFERS)
        return cli_refuse(vertices->title,
                          "invalid buffer '%s': expected CONSTANT=FILE, CONSTANT from 0 to %d",
                          argument, A2XX_VERTEX_BUFFERS - 1);
    struct a2xx_buffer *buffer = &vertices->buffers[constant];
    if (buffer->given)
        return cli_refuse(vertices->title, "the buffer of vertex constant %s is given twice",
                          number);
    buffer->given = true;
    return input_file_read(equals + 1, MOST_BYTES, vertices->sink, &buffer->bytes, &buffer->size);
}

bool a2xx_vertices_buffers(struct a2xx_vertices *vertices, const struct option_list *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (!take_buffer(vertices, arguments->items[i]))
            return false;
    return true;
}

bool a2xx_vertices_wants(const struct a2xx_vertices *vertices, uint32_t attribute)
{
    return !vertices->buffers[vertices->fetches[attribute]->constant].given;
}

/* Returns the number of vertices for which a buffer contains all bytes that a fetch reads. Returns
 * UINT64_MAX if the fetch reads the same bytes for all vertices. */
static uint64_t count_in(const struct a2xx_vertices *vertices, const struct a2xx_buffer *buffer,
                         const struct tess_a2xx_vertex_fetch *fetch)
{
    size_t bytes = bytes_of(vertices, fetch);
    int64_t left = (int64_t)buffer->size - fetch->offset - (int64_t)bytes;
    if (left < 0)
        return 0;
    return fetch->stride ? (uint64_t)left / fetch->stride + 1 : UINT64_MAX;
}

uint64_t a2xx_vertices_count(const struct a2xx_vertices *vertices)
{
    uint64_t fewest = UINT64_MAX;
    for (uint32_t i = 0; i < vertices->names->limit; i++) {
        const struct tess_a2xx_vertex_fetch *fetch = vertices->fetches[i];
        const struct a2xx_buffer *buffer = &vertices->buffers[fetch->constant];
        uint64_t count = buffer->given ? count_in(vertices, buffer, fetch) : UINT64_MAX;
        fewest = count < fewest ? count : fewest;
    }
    return fewest == UINT64_MAX ? 0 : fewest;
}

/* --- layout --- */

/* Returns the size in bytes that a buffer needs for count vertices. For a buffer of --buffer,
 * returns the file's size. */
static uint64_t bytes_for(const struct a2xx_vertices *vertices, uint32_t constant, uint64_t count)
{
    const struct a2xx_buffer *buffer = &vertices->buffers[constant];
    uint64_t most = buffer->given ? buffer->size : 0;
    for (uint32_t i = 0; i < vertices->names->limit && !buffer->given; i++) {
        const struct tess_a2xx_vertex_fetch *fetch = vertices->fetches[i];
        uint64_t offset = fetch->offset > 0 ? (uint64_t)fetch->offset : 0;
        uint64_t bytes = offset + (count - 1) * fetch->stride + ELEMENT;
        if (fetch->constant == constant && bytes > most)
            most = bytes;
    }
    return most;
}

/* Assigns an address to every buffer. Returns false if the buffers are too large. */
static bool place_all(struct a2xx_vertices *vertices, uint64_t count)
{
    uint64_t at = FIRST_ADDRESS;
    for (uint32_t i = 0; i < A2XX_VERTEX_BUFFERS; i++) {
        uint64_t bytes = bytes_for(vertices, i, count);
        vertices->buffers[i].address = bytes ? (uint32_t)at : 0;
        if (bytes > MOST_BYTES)
            return false;
        at += bytes ? (bytes / PAGE + 2) * PAGE : 0;
        if (at > FIRST_ADDRESS + (uint64_t)MOST_ALL)
            return false;
    }
    return true;
}

/* Maps a buffer and sets its vertex constant. */
static enum tess_status show_buffer(struct a2xx_vertices *vertices, uint32_t constant)
{
    const struct a2xx_buffer *buffer = &vertices->buffers[constant];
    uint32_t words[2];
    tess_a2xx_vertex_constant(buffer->address, (uint32_t)buffer->size, words);
    enum tess_status status = tess_a2xx_map(vertices->a2xx, buffer->address, buffer->bytes,
                                            buffer->size, false);
    return status == TESS_OK ? tess_a2xx_set_fetch(vertices->a2xx, 2 * constant, words, 2) : status;
}

static bool check_attribute(const struct a2xx_vertices *vertices, const struct shader_input *input,
                            uint32_t attribute)
{
    const struct shader_attribute *from = &input->attributes[attribute];
    const struct tess_a2xx_vertex_fetch *fetch = vertices->fetches[attribute];
    const char *name = vertices->names->items[attribute].name;
    char text[300];
    if (from->components == 0 || from->missing)
        return true;
    if (fetch->offset < 0 || bytes_of(vertices, fetch) == 0) {
        snprintf(text, sizeof text, "values cannot be stored for the fetch of attribute '%.80s'",
                 name);
        return fail(vertices, "run-format", text,
                    "give the bytes of its buffer with --buffer CONSTANT=FILE");
    }
    if (from->format == A2XX_PLAIN_FORMAT || from->format == (int)fetch->format)
        return true;
    snprintf(text, sizeof text, "attribute '%.80s' is fetched in another format", name);
    return fail(vertices, "run-format", text, "use format=f32, or the format of the fetch");
}

static bool overlap(const struct a2xx_vertices *vertices, const struct tess_a2xx_vertex_fetch *a,
                    const struct tess_a2xx_vertex_fetch *b)
{
    int64_t a_end = a->offset + (int64_t)bytes_of(vertices, a),
            b_end = b->offset + (int64_t)bytes_of(vertices, b);
    return a->constant == b->constant &&
           (a->stride != b->stride || (a->offset < b_end && b->offset < a_end));
}

/* Warns if two attributes from tables share bytes of a buffer. The values of the attribute that is
 * stored last then overwrite the values of the other attribute. */
static void warn_of_overlap(const struct a2xx_vertices *vertices, uint32_t one, uint32_t other)
{
    const struct tess_a2xx_vertex_fetch *a = vertices->fetches[one], *b = vertices->fetches[other];
    char text[320];
    const struct tess_finding diag = {
        .level = TESS_WARNING,
        .id = "a2xx-fetch-overlap",
        .text = text,
        .hint = "give each attribute its own constant, as in CONST(20, 0) and CONST(20, 1)"};
    if (!overlap(vertices, a, b))
        return;
    snprintf(text, sizeof text,
             "attributes '%.60s' (FMT_%s) and '%.60s' (FMT_%s) are fetched from the same bytes of "
             "CONST(%u, %u): the values of one replace those of the other",
             vertices->names->items[one].name, tess_a2xx_format_name(a->format, vertices->variant),
             vertices->names->items[other].name,
             tess_a2xx_format_name(b->format, vertices->variant), (unsigned)a->constant / 3,
             (unsigned)a->constant % 3);
    vertices->sink.report(vertices->sink.user, &diag);
}

/* --- attributes without a fetch --- */

/* Writes the list of the program's fetches: "'position' from CONST(20, 0), CONST(20, 1)". */
static void list_fetches(const struct tess_a2xx_program *program, char *text, size_t size)
{
    const struct tess_a2xx_vertex_fetch *fetch;
    size_t length = 0;
    *text = 0;
    for (size_t i = 0; (fetch = tess_a2xx_program_fetch(program, i)) != NULL; i++)
        if (length + 120 < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s%.60s%sCONST(%u, %u)",
                                       i ? ", " : "", fetch->name ? "'" : "",
                                       fetch->name ? fetch->name : "", fetch->name ? "' from " : "",
                                       (unsigned)fetch->constant / 3,
                                       (unsigned)fetch->constant % 3);
}

void a2xx_vertices_unread(const struct a2xx_vertices *vertices,
                          const struct tess_a2xx_program *program, const char *file,
                          const char *name)
{
    char text[600], list[400];
    const struct tess_finding diag = {
        .level = TESS_WARNING,
        .id = "a2xx-attribute-unread",
        .text = text,
        .hint = "declare the attribute with @attribute for the register "
                "that its fetch writes, or remove the columns",
        .file = file};
    if (tess_a2xx_program_find(program, TESS_A2XX_ATTRIBUTE, name))
        return;
    list_fetches(program, list, sizeof list);
    snprintf(text, sizeof text, "no fetch reads the columns of '%.60s': the program fetches %s",
             name, *list ? list : "nothing");
    vertices->sink.report(vertices->sink.user, &diag);
}

static bool is_one_place(const struct tess_a2xx_vertex_fetch *a,
                         const struct tess_a2xx_vertex_fetch *b)
{
    return a->constant == b->constant && a->format == b->format && a->stride == b->stride &&
           a->offset == b->offset;
}

void a2xx_vertices_check_shared(const struct a2xx_vertices *vertices,
                                const struct tess_a2xx_program *program)
{
    const struct tess_a2xx_vertex_fetch *a, *b;
    char text[320];
    struct tess_finding diag = {
        .level = TESS_WARNING,
        .id = "a2xx-fetch-overlap",
        .text = text,
        .hint = "give each attribute its own constant, as in CONST(20, 0) and CONST(20, 1)"};
    for (size_t i = 0; (a = tess_a2xx_program_fetch(program, i)) != NULL; i++) {
        for (size_t k = 0; k < i; k++) {
            b = tess_a2xx_program_fetch(program, k);
            if (!a->name || !b->name || a->reg == b->reg || strcmp(a->name, b->name) == 0 ||
                !is_one_place(a, b))
                continue;
            tess_a2xx_program_line(program, a->slot, 0, &diag.file, &diag.line);
            snprintf(text, sizeof text,
                     "attributes '%.60s' and '%.60s' are fetched from the same bytes of "
                     "CONST(%u, %u): both have the values of '%.60s'",
                     b->name, a->name, (unsigned)a->constant / 3, (unsigned)a->constant % 3,
                     b->name);
            vertices->sink.report(vertices->sink.user, &diag);
        }
    }
}

static bool is_from_table(const struct a2xx_vertices *vertices, const struct shader_input *input,
                          uint32_t attribute)
{
    return input->attributes[attribute].components && !input->attributes[attribute].missing &&
           !vertices->buffers[vertices->fetches[attribute]->constant].given;
}

bool a2xx_vertices_begin(struct a2xx_vertices *vertices, const struct shader_input *input)
{
    for (uint32_t i = 0; i < vertices->names->limit; i++)
        if (!check_attribute(vertices, input, i))
            return false;
    for (uint32_t i = 0; i < vertices->names->limit; i++)
        for (uint32_t k = 0; k < i; k++)
            if (is_from_table(vertices, input, i) && is_from_table(vertices, input, k))
                warn_of_overlap(vertices, k, i);
    vertices->span = WINDOW;
    while (!place_all(vertices, vertices->span) && vertices->span > SHADER_PIECE)
        vertices->span /= 2;
    if (!place_all(vertices, vertices->span))
        return fail(vertices, "run-buffer", "the buffers do not fit into memory",
                    "use at most 64 MiB per buffer, and 1792 MiB for all buffers");
    for (uint32_t i = 0; i < A2XX_VERTEX_BUFFERS; i++)
        if (vertices->buffers[i].given && show_buffer(vertices, i) != TESS_OK)
            return fail(vertices, "run-buffer", "a given buffer cannot be used",
                        "give a file that is not empty");
    return true;
}

/* --- vertices --- */

/* Stores a vertex's value at `to`, in the format of the fetch. */
static void put_value(const struct a2xx_vertices *vertices,
                      const struct tess_a2xx_vertex_fetch *fetch,
                      const struct shader_attribute *from, size_t vertex, uint8_t *to)
{
    const uint8_t *at = (const uint8_t *)from->data + vertex * from->stride;
    float values[4] = {0, 0, 0, 1};
    if (from->format == A2XX_PLAIN_FORMAT) {
        memcpy(values, at, from->components * sizeof *values);
        tess_a2xx_format_pack(fetch->format, vertices->variant, fetch->is_signed, fetch->normalized,
                              values, to);
        return;
    }
    memcpy(to, at, bytes_of(vertices, fetch));
}

/* Enlarges a buffer to hold count vertices. */
static enum tess_status grow(struct a2xx_vertices *vertices, uint32_t constant, uint64_t count)
{
    struct a2xx_buffer *buffer = &vertices->buffers[constant];
    size_t wanted = (size_t)bytes_for(vertices, constant, count);
    if (buffer->size)
        tess_a2xx_unmap(vertices->a2xx, buffer->address);
    if (wanted > buffer->capacity) {
        size_t capacity = (size_t)bytes_for(vertices, constant, vertices->span);
        capacity = 2 * wanted < capacity ? 2 * wanted : capacity;
        uint8_t *larger = realloc(buffer->bytes, capacity);
        if (!larger)
            return TESS_NO_MEMORY;
        memset(larger + buffer->capacity, 0, capacity - buffer->capacity);
        buffer->bytes = larger;
        buffer->capacity = capacity;
    }
    buffer->size = wanted;
    return TESS_OK;
}

/* Reduces a buffer's size to the end of the last element that a fetch reads, rounded up to 4 bytes.
 * The previous size is from bytes_for(), which counts every element as ELEMENT bytes. */
static void trim(struct a2xx_vertices *vertices, uint32_t constant, uint64_t count)
{
    struct a2xx_buffer *buffer = &vertices->buffers[constant];
    uint64_t end = 0;
    for (uint32_t i = 0; i < vertices->names->limit; i++) {
        const struct tess_a2xx_vertex_fetch *fetch = vertices->fetches[i];
        uint64_t behind = (uint64_t)(fetch->offset > 0 ? fetch->offset : 0) +
                          (count - 1) * fetch->stride + bytes_of(vertices, fetch);
        if (fetch->constant == constant && behind > end)
            end = behind;
    }
    buffer->size = (size_t)((end + 3) & ~UINT64_C(3));
}

static bool is_fed(const struct a2xx_vertices *vertices, const struct shader_input *input,
                   uint32_t constant)
{
    for (uint32_t i = 0; i < vertices->names->limit; i++)
        if (vertices->fetches[i]->constant == constant && input->attributes[i].components)
            return !vertices->buffers[constant].given;
    return false;
}

enum tess_status a2xx_vertices_fill(struct a2xx_vertices *vertices,
                                    const struct shader_input *input, uint64_t first, size_t count)
{
    enum tess_status status = TESS_OK;
    if (first + count - vertices->window > vertices->span)
        vertices->window = first;
    uint64_t at = first - vertices->window;
    for (uint32_t i = 0; i < A2XX_VERTEX_BUFFERS && status == TESS_OK; i++)
        if (is_fed(vertices, input, i))
            status = grow(vertices, i, at + count);
    for (uint32_t i = 0; i < vertices->names->limit && status == TESS_OK; i++) {
        const struct tess_a2xx_vertex_fetch *fetch = vertices->fetches[i];
        const struct a2xx_buffer *buffer = &vertices->buffers[fetch->constant];
        if (!input->attributes[i].components || buffer->given || fetch->offset < 0 ||
            bytes_of(vertices, fetch) == 0)
            continue;
        for (size_t v = 0; v < count && (fetch->stride || at + v == 0); v++)
            put_value(vertices, fetch, &input->attributes[i], v,
                      buffer->bytes + fetch->offset + (at + v) * fetch->stride);
    }
    for (uint32_t i = 0; i < A2XX_VERTEX_BUFFERS && status == TESS_OK; i++) {
        if (!is_fed(vertices, input, i))
            continue;
        trim(vertices, i, at + count);
        status = show_buffer(vertices, i);
    }
    return status;
}

void a2xx_vertices_free(struct a2xx_vertices *vertices)
{
    for (uint32_t i = 0; i < A2XX_VERTEX_BUFFERS; i++)
        free(vertices->buffers[i].bytes);
    *vertices = (struct a2xx_vertices){0};
}
