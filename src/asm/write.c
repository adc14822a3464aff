/* SPDX-License-Identifier: MIT */
/* write.c - writes an assembled program as plain bytes or hexadecimal text, from the lowest to the
 * highest address with gaps filled by zeros. Also functions that all writers share.
 *
 * Source: the layout of the text is that of vc4asm's option -C (src/WriteC.cpp), including
 *         comments. */
#include "asm/write.h"

#include <stdlib.h>
#include <string.h>

#include "asm/source.h"
#include "asm/write_private.h"
#include "base/array.h"
#include "base/ascii.h"
#include "base/bits.h"
#include "base/diag.h"
#include "base/sort_runs.h"

/* --- names --- */

const char *asm_base_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\' || *path == ':')
            name = path + 1;
    return name;
}

char *asm_symbol_name(const char *path)
{
    const char *base = asm_base_name(path), *ending = strrchr(base, '.');
    size_t length = ending ? (size_t)(ending - base) : strlen(base);
    bool prefix = length == 0 || ascii_is_digit(base[0]);
    char *name = malloc(length + prefix + 1);
    if (!name)
        return NULL;
    name[0] = '_';
    for (size_t i = 0; i < length; i++) {
        bool good = ascii_in_name(base[i]) && base[i] != '.';
        name[i + prefix] = good ? base[i] : '_';
    }
    name[length + prefix] = '\0';
    return name;
}

/* --- exports --- */

static bool is_exported(const struct asm_symbol *symbol)
{
    return symbol->global && symbol->pass != 0 && !symbol->changed &&
           symbol->value.kind != ASM_OPERAND;
}

static int compare_exports(const void *one, const void *other)
{
    const struct asm_export *a = one, *b = other;
    int kind_a = a->label ? 2 : a->value->kind == ASM_FLOAT;
    int kind_b = b->label ? 2 : b->value->kind == ASM_FLOAT;
    if (kind_a != kind_b)
        return kind_a - kind_b;
    double real_a = kind_a == 1 ? a->value->real : 0, real_b = kind_b == 1 ? b->value->real : 0;
    if (real_a != real_b)
        return real_a < real_b ? -1 : 1;
    if (kind_a != 1 && a->value->integer != b->value->integer)
        return a->value->integer < b->value->integer ? -1 : 1;
    return strcmp(a->name, b->name);
}

static size_t add_exports(const struct asm_symbols *symbols, bool labels, struct asm_export *to)
{
    size_t count = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        const struct asm_symbol *symbol = &symbols->items[i];
        if (is_exported(symbol))
            to[count++] = (struct asm_export){symbol->name, &symbol->value,
                                              labels || symbol->value.label};
    }
    return count;
}

struct asm_export *asm_exports(const struct asm_program *program, size_t *count)
{
    size_t most = program->labels.count + program->constants.count;
    struct asm_export *exports = calloc(most + 1, sizeof *exports);
    if (!exports)
        return NULL;
    *count = add_exports(&program->labels, true, exports);
    *count += add_exports(&program->constants, false, exports + *count);
    qsort(exports, *count, sizeof *exports, compare_exports);
    return exports;
}

/* --- origins --- */

static int compare_origins(const void *one, const void *other)
{
    const struct asm_origin *a = one, *b = other;
    return a->address < b->address ? -1 : a->address > b->address;
}

struct asm_origin *asm_origins(const struct asm_program *program, size_t *count)
{
    struct asm_origin *origins = calloc(program->origin_count + 1, sizeof *origins);
    if (!origins)
        return NULL;
    *count = 0;
    for (size_t i = 0; i < program->origin_count; i++)
        if (program->origins[i].size > 0 && program->origins[i].line)
            origins[(*count)++] = program->origins[i];
    sort_runs(origins, *count, sizeof *origins, compare_origins);
    return origins;
}

size_t asm_origin_from(const struct asm_origin *origins, size_t count, uint64_t address)
{
    return ARRAY_BELOW(origins, count, address, address);
}

/* --- plain bytes --- */

/* Returns the number of bytes from the lowest address to the end of the highest region, and sets
 * *start to the lowest address. */
static uint64_t measure(const struct asm_regions *regions, uint32_t *start)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < regions->count; i++) {
        const struct asm_region *region = &regions->items[i];
        uint64_t end = (uint64_t)region->address + region_size(region);
        if (region_size(region) == 0)
            continue;
        low = region->address < low ? region->address : low;
        high = end > high ? end : high;
    }
    *start = high > low ? (uint32_t)low : 0;
    return high > low ? high - low : 0;
}

enum tess_status asm_flatten(const struct asm_program *program, struct tess_sink sink,
                             struct asm_image *image)
{
    uint64_t span = measure(&program->regions, &image->start);
    if (span > ASM_STORED_MAX) {
        struct tess_finding diag = {.level = TESS_ERROR,
                                    .id = "asm-limit",
                                    .hint = "write an ELF file (-f elf), which stores each region "
                                            "separately"};
        diag_report(sink, &diag, "the regions span %llu bytes; plain output is limited to %d MiB",
                    (unsigned long long)span, ASM_STORED_MAX >> 20);
        return TESS_WRONG;
    }
    image->size = (size_t)span;
    image->bytes = calloc(1, image->size + ASM_INSTRUCTION_MAX);
    if (!image->bytes)
        return TESS_NO_MEMORY;
    for (size_t i = 0; i < program->regions.count; i++) {
        const struct asm_region *region = &program->regions.items[i];
        if (region->bytes.size > 0)
            memcpy(image->bytes + (region->address - image->start), region->bytes.data,
                   region->bytes.size);
    }
    return TESS_OK;
}

/* --- hexadecimal text --- */

uint32_t asm_unit(const struct asm_program *program)
{
    enum { LEAST = 8 };
    return program->unit > LEAST ? program->unit : LEAST;
}

uint32_t asm_alignment(const struct asm_program *program)
{
    uint32_t unit = asm_unit(program);
    return unit & -unit;
}

struct listing {
    const struct asm_image *image;
    struct buffer *out;
    uint32_t unit;              /* bytes per line of text, which is one instruction */
    struct asm_origin *origins; /* origins of the bytes, NULL if comments are off */
    size_t origin_count, origin;
    const struct asm_symbol **labels;
    size_t label_count, label;
};

static int compare_labels(const void *one, const void *other)
{
    const struct asm_symbol *const *a = one, *const *b = other;
    if ((*a)->value.integer != (*b)->value.integer)
        return (*a)->value.integer < (*b)->value.integer ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static bool start_comments(struct listing *l, const struct asm_program *program)
{
    const struct asm_symbols *labels = &program->labels;
    l->origins = asm_origins(program, &l->origin_count);
    l->labels = calloc(labels->count + 1, sizeof *l->labels);
    if (!l->origins || !l->labels)
        return false;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].pass != 0)
            l->labels[l->label_count++] = &labels->items[i];
    qsort(l->labels, l->label_count, sizeof *l->labels, compare_labels);
    return true;
}

/* Writes the labels whose addresses are below the end of the line of text at offset, each on a
 * separate line. Labels that are already written are skipped. */
static void write_labels(struct listing *l, size_t offset)
{
    for (; l->label < l->label_count; l->label++) {
        const struct asm_symbol *label = l->labels[l->label];
        int64_t inside = label->value.integer - l->image->start - (int64_t)offset;
        if (inside >= l->unit)
            return;
        buffer_printf(l->out, "// :%s%s", label->global ? ":" : "", label->name);
        if (inside != 0)
            buffer_printf(l->out, " %+lld", (long long)inside);
        buffer_byte(l->out, '\n');
    }
}

/* Appends a source line as a comment. The comment must not continue on the next line, so
 * backslashes at its end are dropped. */
static void write_source(struct buffer *out, const struct source_line *line)
{
    size_t length = strlen(line->raw), end = length;
    while (end > 0 && (asm_is_blank(line->raw[end - 1]) || line->raw[end - 1] == '\\' ||
                       (uint8_t)line->raw[end - 1] < ' '))
        end--;
    if (!memchr(line->raw + end, '\\', length - end))
        end = length;
    buffer_printf(out, " // ");
    for (size_t i = 0; i < end; i++) {
        char character = line->raw[i];
        if (character != '\r')
            buffer_byte(out,
                        (uint8_t)character < ' ' && character != '\t' ? '?' : (uint8_t)character);
    }
}

/* Returns the source line of the first statement with bytes in the line of text at address, or
 * NULL. */
static const struct source_line *line_at(struct listing *l, uint64_t address)
{
    while (l->origin < l->origin_count &&
           (uint64_t)l->origins[l->origin].address + l->origins[l->origin].size <= address)
        l->origin++;
    bool there = l->origin < l->origin_count && l->origins[l->origin].address < address + l->unit;
    return there ? l->origins[l->origin].line : NULL;
}

/* Writes one instruction. The last word is padded with zeros and not followed by a comma. */
static void write_line(struct listing *l, size_t offset, const char *indent)
{
    const struct asm_image *image = l->image;
    bool last = image->size - offset <= l->unit;
    if (l->origins) {
        write_labels(l, offset);
        buffer_printf(l->out, "/* [0x%08zx] */ ", offset);
    }
    buffer_printf(l->out, "%s0x%08x", indent, load_le32(image->bytes + offset));
    for (size_t at = 4; at < l->unit && at < image->size - offset; at += 4)
        buffer_printf(l->out, ", 0x%08x", load_le32(image->bytes + offset + at));
    if (!last || *indent)
        buffer_byte(l->out, ',');
    else if (l->origins)
        buffer_byte(l->out, ' ');
    const struct source_line *line = l->origins ? line_at(l, (uint64_t)image->start + offset)
                                                : NULL;
    if (line)
        write_source(l->out, line);
    buffer_byte(l->out, '\n');
}

bool asm_write_hex(const struct asm_program *program, const struct asm_image *image, bool comments,
                   struct buffer *out)
{
    struct listing listing = {.image = image, .out = out, .unit = asm_unit(program)};
    bool good = !comments || start_comments(&listing, program);
    for (size_t at = 0; good && at < image->size; at += listing.unit)
        write_line(&listing, at, "");
    if (good && comments)
        write_labels(&listing, (image->size + listing.unit - 1) / listing.unit * listing.unit);
    free(listing.origins);
    free(listing.labels);
    return good;
}

/* Writes the initialiser of an array. */
static void write_initialiser(const struct asm_program *program, const struct asm_image *image,
                              struct buffer *out)
{
    struct listing listing = {.image = image, .out = out, .unit = asm_unit(program)};
    buffer_printf(out, "{\n");
    for (size_t at = 0; at < image->size; at += listing.unit)
        write_line(&listing, at, "    ");
    buffer_printf(out, "}\n");
}

/* --- all formats --- */

static enum tess_status write_image(const struct asm_program *program,
                                    const struct asm_output *output, struct tess_sink sink,
                                    const struct asm_image *image, struct buffer *out)
{
    bool good = true;
    switch (output->format) {
    case TESS_ASM_BIN: buffer_append(out, image->bytes, image->size); break;
    case TESS_ASM_HEX: good = asm_write_hex(program, image, output->comments, out); break;
    case TESS_ASM_C: write_initialiser(program, image, out); break;
    case TESS_ASM_OBJECT: return asm_write_object(program, image, output, sink, out);
    default: good = asm_write_c(program, image, output, out); break;
    }
    return good ? TESS_OK : TESS_NO_MEMORY;
}

enum tess_status asm_write(const struct asm_program *program, const struct asm_output *output,
                           struct tess_sink sink, struct buffer *out)
{
    struct asm_image image = {0};
    *out = (struct buffer){0};
    enum tess_status status;
    if (output->format == TESS_ASM_ELF) {
        status = asm_write_scene(program, out);
    } else {
        status = asm_flatten(program, sink, &image);
        if (status == TESS_OK)
            status = write_image(program, output, sink, &image, out);
        free(image.bytes);
    }
    return status == TESS_OK && out->failed ? TESS_NO_MEMORY : status;
}
