/* SPDX-License-Identifier: MIT */
/* fake_scene.h - builds scenes in memory, and replaces the device by memory that tests can
 * inspect and a log of register writes and runs. The file defines every tess_vc4_ function that
 * scenes use, so that the tests need no model. */
#ifndef TESTS_FAKE_SCENE_H
#define TESTS_FAKE_SCENE_H

#include <stdlib.h>
#include <string.h>

#include <tessera/scene.h>

#include "base/bits.h"
#include "base/buffer.h"
#include "vc4/device/images.h"

/* --- ELF --- */

struct fake_segment {
    uint32_t address, size;
    const void *bytes;
    uint32_t file_size;
};

struct fake_symbol {
    const char *name;
    uint32_t value;
};

enum { FAKE_EHDR = 52, FAKE_PHDR = 32, FAKE_SHDR = 40, FAKE_SYM = 16, FAKE_SECTIONS = 5 };

static inline void fake_half(struct buffer *out, uint32_t value)
{
    buffer_byte(out, (uint8_t)value);
    buffer_byte(out, (uint8_t)(value >> 8));
}

static inline void fake_section(struct buffer *out, uint32_t name, uint32_t type, uint32_t offset,
                                uint32_t size, uint32_t link, uint32_t entry)
{
    const uint32_t words[10] = {name, type, 0, 0, offset, size, link, 0, 1, entry};
    for (int i = 0; i < 10; i++)
        buffer_le32(out, words[i]);
}

/* Builds an ELF file. The file contains, in order, the header, program headers, sections, text,
 * section names, symbols, symbol names, contents of segments. The sections are null, .tessera,
 * .shstrtab, .symtab, .strtab. */
static inline struct buffer fake_elf(const char *text, const struct fake_segment *segments,
                                     uint32_t segment_count, const struct fake_symbol *symbols,
                                     uint32_t symbol_count)
{
    static const char names[] = "\0.tessera\0.shstrtab\0.symtab\0.strtab";
    struct buffer strings = {0}, table = {0}, out = {0};
    buffer_byte(&strings, 0);
    for (int i = 0; i < FAKE_SYM; i++)
        buffer_byte(&table, 0);
    for (uint32_t i = 0; i < symbol_count; i++) {
        buffer_le32(&table, (uint32_t)strings.size);
        buffer_le32(&table, symbols[i].value);
        buffer_le32(&table, 0);
        buffer_byte(&table, 0x10);
        buffer_byte(&table, 0);
        fake_half(&table, 1);
        buffer_append(&strings, symbols[i].name, strlen(symbols[i].name) + 1);
    }

    uint32_t sections_at = FAKE_EHDR + segment_count * FAKE_PHDR;
    uint32_t text_at = sections_at + FAKE_SECTIONS * FAKE_SHDR, text_size = (uint32_t)strlen(text);
    uint32_t names_at = text_at + text_size, table_at = names_at + sizeof names;
    uint32_t strings_at = table_at + (uint32_t)table.size;
    uint32_t content_at = strings_at + (uint32_t)strings.size;

    buffer_append(&out, "\177ELF\1\1\1\0\0\0\0\0\0\0\0\0", 16);
    fake_half(&out, 2);
    fake_half(&out, 0);
    buffer_le32(&out, 1);
    buffer_le32(&out, 0);
    buffer_le32(&out, FAKE_EHDR);
    buffer_le32(&out, sections_at);
    buffer_le32(&out, 0);
    fake_half(&out, FAKE_EHDR);
    fake_half(&out, FAKE_PHDR);
    fake_half(&out, segment_count);
    fake_half(&out, FAKE_SHDR);
    fake_half(&out, FAKE_SECTIONS);
    fake_half(&out, 2);

    for (uint32_t i = 0; i < segment_count; i++) {
        const uint32_t words[8] = {1,
                                   content_at,
                                   segments[i].address,
                                   segments[i].address,
                                   segments[i].file_size,
                                   segments[i].size,
                                   7,
                                   1};
        for (int k = 0; k < 8; k++)
            buffer_le32(&out, words[k]);
        content_at += segments[i].file_size;
    }
    fake_section(&out, 0, 0, 0, 0, 0, 0);
    fake_section(&out, 1, 1, text_at, text_size, 0, 0);
    fake_section(&out, 10, 3, names_at, sizeof names, 0, 0);
    fake_section(&out, 20, 2, table_at, (uint32_t)table.size, 4, FAKE_SYM);
    fake_section(&out, 28, 3, strings_at, (uint32_t)strings.size, 0, 0);
    buffer_append(&out, text, text_size);
    buffer_append(&out, names, sizeof names);
    buffer_append(&out, table.data, table.size);
    buffer_append(&out, strings.data, strings.size);
    for (uint32_t i = 0; i < segment_count; i++)
        buffer_append(&out, segments[i].bytes, segments[i].file_size);
    buffer_free(&table);
    buffer_free(&strings);
    return out;
}

/* --- device --- */

enum { FAKE_REGIONS = 16 };

struct fake_region {
    uint32_t base, size;
    uint8_t *memory;
};

struct tess_vc4 {
    struct fake_region regions[FAKE_REGIONS];
    uint32_t count;
};

/* Log of the scene's accesses, with "[100]=1000" for a write and "run" for a run. */
static struct buffer fake_log;
static enum tess_vc4_stop fake_stop;
static uint64_t fake_errors;

enum tess_status tess_vc4_create(struct tess_vc4 **out, const struct tess_vc4_options *options)
{
    (void)options;
    *out = calloc(1, sizeof **out);
    return *out ? TESS_OK : TESS_NO_MEMORY;
}

void tess_vc4_destroy(struct tess_vc4 *vc4)
{
    for (uint32_t i = 0; vc4 && i < vc4->count; i++)
        free(vc4->regions[i].memory);
    free(vc4);
}

enum tess_status tess_vc4_map(struct tess_vc4 *vc4, uint32_t bus, uint32_t size, void *host)
{
    (void)host;
    if (vc4->count == FAKE_REGIONS)
        return TESS_INVALID;
    vc4->regions[vc4->count++] = (struct fake_region){bus, size, calloc(size, 1)};
    return TESS_OK;
}

void *tess_vc4_memory(struct tess_vc4 *vc4, uint32_t bus, uint32_t size)
{
    uint32_t address = bus & 0x3fffffff;
    for (uint32_t i = 0; i < vc4->count; i++) {
        const struct fake_region *region = &vc4->regions[i];
        if (address >= region->base && address - region->base < region->size &&
            size <= region->size - (address - region->base))
            return region->memory + (address - region->base);
    }
    return NULL;
}

void tess_vc4_write(struct tess_vc4 *vc4, uint32_t offset, uint32_t value)
{
    (void)vc4;
    buffer_printf(&fake_log, "[%x]=%x ", offset, value);
}

/* Number of runs. In every run all lists end normally, so V3D_BFC and V3D_RFC return this
 * number. All other registers read as 0. */
static uint32_t fake_runs;

uint32_t tess_vc4_read(struct tess_vc4 *vc4, uint32_t offset)
{
    (void)vc4;
    return offset == V3D_BFC || offset == V3D_RFC ? fake_runs : 0;
}

enum tess_vc4_stop tess_vc4_run(struct tess_vc4 *vc4)
{
    (void)vc4;
    fake_runs++;
    buffer_printf(&fake_log, "run ");
    return fake_stop;
}

const char *tess_vc4_register_name(uint32_t offset)
{
    return offset == V3D_CT0CA ? "V3D_CT0CA" : NULL;
}

bool vc4_lacked_memory(const struct tess_vc4 *vc4)
{
    (void)vc4;
    return false;
}

/* A stub: stored images are not modelled. */
void vc4_watch_images(struct tess_vc4 *vc4)
{
    (void)vc4;
}

void vc4_forget_images(struct tess_vc4 *vc4)
{
    (void)vc4;
}

void vc4_read_image(struct tess_vc4 *vc4, const struct cl_view *view)
{
    (void)vc4;
    (void)view;
}

void tess_vc4_report_stuck(struct tess_vc4 *vc4)
{
    (void)vc4;
}

uint64_t tess_vc4_error_count(const struct tess_vc4 *vc4)
{
    (void)vc4;
    return fake_errors;
}

void tess_vc4_get_stats(const struct tess_vc4 *vc4, struct tess_vc4_stats *stats)
{
    *stats = (struct tess_vc4_stats){.records = vc4->count};
}

#endif
