/* SPDX-License-Identifier: MIT */
/* code.c - reads machine code from a file: detects the format, calls the format's reader, and
 * stores the reader's output.
 *
 * In:     a file's bytes.
 * Out:    struct code_image, sorted by address.
 * Source: formats in which vc4asm, tessera asm and public programs store QPU code. code_text.c
 *         reads text, code_elf.c ELF files, code_mbs.c MBS files, code_listing.c listings,
 *         code_xenos.c shader containers. */
#include "code/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "code/code_read.h"

enum tess_status code_refuse(const struct code_reader *reader, const char *rule, uint32_t line,
                             size_t column, const char *hint, const char *format, ...)
{
    struct tess_finding diag = {.level = TESS_ERROR,
                                .id = rule,
                                .hint = hint,
                                .file = reader->name,
                                .line = line,
                                .column = (uint32_t)column};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(reader->sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_WRONG;
}

/* --- image --- */

enum tess_status code_add_segment(struct code_image *image, uint32_t address, struct buffer *bytes,
                                  const char *name, size_t name_length)
{
    struct code_segment segment = {.address = address, .bytes = bytes->data, .size = bytes->size};
    bool failed = bytes->failed, empty = bytes->size == 0;
    if (failed || empty || !ARRAY_GROW(image->segments, image->segment_count)) {
        buffer_free(bytes);
        return !failed && empty ? TESS_OK : TESS_NO_MEMORY;
    }
    *bytes = (struct buffer){0};
    segment.name = name_length ? strndup(name, name_length) : NULL;
    image->segments[image->segment_count++] = segment;
    return name_length && !segment.name ? TESS_NO_MEMORY : TESS_OK;
}

static enum tess_status add_name(struct code_symbol **symbols, size_t *count,
                                 struct code_symbol symbol)
{
    if (!symbol.name || !ARRAY_GROW(*symbols, *count)) {
        free(symbol.name);
        return TESS_NO_MEMORY;
    }
    (*symbols)[(*count)++] = symbol;
    return TESS_OK;
}

enum tess_status code_add_symbol(struct code_image *image, const char *name, size_t length,
                                 uint32_t address, bool global)
{
    return add_name(&image->symbols, &image->symbol_count,
                    (struct code_symbol){strndup(name, length), address, global});
}

enum tess_status code_add_constant(struct code_image *image, const char *name, size_t length,
                                   uint32_t value, bool global)
{
    return add_name(&image->constants, &image->constant_count,
                    (struct code_symbol){strndup(name, length), value, global});
}

static enum tess_status add_to(struct code_range **ranges, size_t *count, struct code_range range)
{
    if (!ARRAY_GROW(*ranges, *count))
        return TESS_NO_MEMORY;
    (*ranges)[(*count)++] = range;
    return TESS_OK;
}

enum tess_status code_add_range(struct code_image *image, struct code_range range)
{
    return add_to(&image->ranges, &image->range_count, range);
}

enum tess_status code_add_reserve(struct code_image *image, struct code_range range)
{
    return add_to(&image->reserves, &image->reserve_count, range);
}

enum tess_status code_add_line(struct code_image *image, struct code_line line)
{
    if (!ARRAY_GROW(image->lines, image->line_count))
        return TESS_NO_MEMORY;
    image->lines[image->line_count++] = line;
    return TESS_OK;
}

const char *code_add_file(struct code_image *image, const char *path)
{
    for (size_t i = 0; i < image->file_count; i++)
        if (strcmp(image->files[i], path) == 0)
            return image->files[i];
    if (image->file_count >= CODE_FILES_MAX || !ARRAY_GROW(image->files, image->file_count))
        return NULL;
    char *copy = strdup(path);
    if (copy)
        image->files[image->file_count++] = copy;
    return copy;
}

void code_free(struct code_image *image)
{
    for (size_t i = 0; i < image->segment_count; i++) {
        free(image->segments[i].bytes);
        free(image->segments[i].name);
    }
    for (size_t i = 0; i < image->symbol_count; i++)
        free(image->symbols[i].name);
    for (size_t i = 0; i < image->file_count; i++)
        free(image->files[i]);
    for (size_t i = 0; i < image->constant_count; i++)
        free(image->constants[i].name);
    free(image->segments);
    free(image->symbols);
    free(image->ranges);
    free(image->lines);
    free(image->files);
    free(image->reserves);
    free(image->constants);
    free(image->steps);
    *image = (struct code_image){0};
}

/* --- order --- */

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_segments(const void *one, const void *other)
{
    const struct code_segment *a = one, *b = other;
    return compare(a->address, b->address);
}

/* Orders symbols by address. At one address, global symbols come first, and symbols are then
 * ordered by name, so that the order does not depend on qsort(). */
static int compare_symbols(const void *one, const void *other)
{
    const struct code_symbol *a = one, *b = other;
    int order = compare(a->address, b->address);
    if (order == 0)
        order = (int)b->global - (int)a->global;
    return order ? order : strcmp(a->name, b->name);
}

static int compare_ranges(const void *one, const void *other)
{
    const struct code_range *a = one, *b = other;
    return compare(a->address, b->address);
}

static int compare_lines(const void *one, const void *other)
{
    const struct code_line *a = one, *b = other;
    int order = compare(a->address, b->address);
    return order ? order : compare(a->line, b->line);
}

static void sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
    if (count > 1)
        qsort(items, count, size, order);
}

static void sort_image(struct code_image *image)
{
    sort(image->segments, image->segment_count, sizeof *image->segments, compare_segments);
    sort(image->symbols, image->symbol_count, sizeof *image->symbols, compare_symbols);
    sort(image->ranges, image->range_count, sizeof *image->ranges, compare_ranges);
    sort(image->lines, image->line_count, sizeof *image->lines, compare_lines);
    sort(image->reserves, image->reserve_count, sizeof *image->reserves, compare_ranges);
    sort(image->constants, image->constant_count, sizeof *image->constants, compare_symbols);
}

/* Adds the parts of the range from start to stop that are outside of all segments as reserved
 * memory. *next is the index of the first segment that may overlap the range, and is advanced.
 * Returns the end of the last part or segment. */
static uint64_t add_pieces(struct code_image *image, uint64_t start, uint64_t stop, size_t *next,
                           enum tess_status *status)
{
    while (start < stop && *status == TESS_OK) {
        bool last = *next == image->segment_count;
        const struct code_segment *segment = last ? NULL : &image->segments[*next];
        uint64_t end = last || segment->address > stop ? stop : segment->address;
        if (end > start) {
            *status = code_add_reserve(
                image, (struct code_range){(uint32_t)start, (uint32_t)(end - start), CODE_UNKNOWN});
            start = end;
            continue;
        }
        end = segment->address + (uint64_t)segment->size;
        start = end > start ? end : start;
        ++*next;
    }
    return start;
}

/* Shortens and splits the ranges of reserved memory so that they overlap neither each other nor a
 * segment. All arrays are already sorted. */
static enum tess_status settle_reserves(struct code_image *image)
{
    struct code_range *old = image->reserves;
    size_t count = image->reserve_count, next = 0;
    enum tess_status status = TESS_OK;
    image->reserves = NULL;
    image->reserve_count = 0;
    uint64_t end = 0;
    for (size_t i = 0; i < count && status == TESS_OK; i++) {
        uint64_t start = old[i].address, stop = start + old[i].size;
        stop = stop < UINT32_MAX ? stop : UINT32_MAX;
        start = start > end ? start : end;
        end = add_pieces(image, start, stop, &next, &status);
    }
    free(old);
    return status;
}

static enum tess_status check_segments(const struct code_reader *reader)
{
    const struct code_image *image = reader->image;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct code_segment *segment = &image->segments[i], *before = segment - 1;
        if (segment->size > UINT64_C(0x100000000) - segment->address)
            return code_refuse(reader, "code-range", 0, 0, "give a smaller base address",
                               "%zu bytes at 0x%08x exceed the 32-bit address space", segment->size,
                               (unsigned)segment->address);
        if (i && segment->address - before->address < before->size)
            return code_refuse(reader, "code-range", 0, 0, NULL,
                               "the contents at 0x%08x and 0x%08x overlap",
                               (unsigned)before->address, (unsigned)segment->address);
    }
    return TESS_OK;
}

/* --- format of the file --- */

static enum tess_status read_raw(struct code_reader *reader)
{
    struct buffer bytes = {0};
    buffer_append(&bytes, reader->bytes, reader->size);
    return code_add_segment(reader->image, reader->base, &bytes, NULL, 0);
}

/* Returns the length of the first character in bytes if the character is printable, white space or
 * UTF-8. Returns 0 otherwise. */
static size_t text_character(const uint8_t *bytes, size_t size)
{
    uint8_t first = bytes[0];
    if (first < 0x80)
        return (first >= 0x20 && first < 0x7f) || (first && strchr("\t\n\v\f\r", first)) ? 1 : 0;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Returns true if the whole file is text. The first words of a program in binary form always
 * contain bytes that text does not contain, such as zero bytes. */
static bool is_text(const struct code_reader *reader)
{
    for (size_t i = 0, length; i < reader->size; i += length)
        if ((length = text_character(reader->bytes + i, reader->size - i)) == 0)
            return false;
    return true;
}

static enum code_format find_format(const struct code_reader *reader)
{
    static const struct {
        uint8_t magic[4];
        enum code_format format;
    } binaries[] = {
        {{0x7f, 'E', 'L', 'F'}, CODE_ELF},
        {{'M', 'B', 'S', '1'}, CODE_MBS},
        {{0x10, 0x2a, 0x11, 0x00}, CODE_XENOS}, /* container of a pixel shader; the next row is that
                                                 * of a vertex shader */
        {{0x10, 0x2a, 0x11, 0x01}, CODE_XENOS},
    };
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (reader->size >= 4 && memcmp(reader->bytes, binaries[i].magic, 4) == 0)
            return binaries[i].format;
    if (!is_text(reader))
        return CODE_RAW;
    if (code_is_listing(reader))
        return CODE_LISTING;
    return code_has_brace(reader) ? CODE_C : CODE_HEX;
}

enum tess_status code_read(const void *data, size_t size, const struct code_options *options,
                           struct tess_sink sink, struct code_image *image)
{
    static enum tess_status (*const readers[])(struct code_reader *) = {
        [CODE_RAW] = read_raw,          [CODE_HEX] = code_read_hex,
        [CODE_C] = code_read_c,         [CODE_ELF] = code_read_elf,
        [CODE_MBS] = code_read_mbs,     [CODE_LISTING] = code_read_listing,
        [CODE_XENOS] = code_read_xenos,
    };
    struct code_reader reader = {.bytes = data,
                                 .size = size,
                                 .name = options->name,
                                 .base = options->base,
                                 .alignment = options->alignment ? options->alignment : 8,
                                 .sink = sink,
                                 .image = image};
    *image = (struct code_image){0};
    image->format = options->format == CODE_AUTO ? find_format(&reader) : options->format;
    enum tess_status status = readers[image->format](&reader);
    if (status == TESS_OK && image->format == CODE_HEX && code_is_vc4c(&reader))
        status = code_mark_vc4c(&reader);
    if (status != TESS_OK)
        return status;
    sort_image(image);
    status = check_segments(&reader);
    return status == TESS_OK ? settle_reserves(image) : status;
}

const struct code_line *code_line_at(const struct code_image *image, uint32_t address)
{
    size_t count = ARRAY_BELOW(image->lines, image->line_count, address, address + UINT64_C(1));
    return count && image->lines[count - 1].line ? &image->lines[count - 1] : NULL;
}
