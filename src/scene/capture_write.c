/* SPDX-License-Identifier: MIT */
/* capture_write.c - writes a capture as a scene's ELF file.
 *
 * In:      pages, mapped memory, symbols, steps.
 * Out:     an ELF file with PT_LOAD segments, sections and symbols. A segment begins with pages
 *          whose contents are not zero, and continues with the mapped memory after them, which is
 *          filled with zeros. Each segment has a section. The sections ".tessera" and
 *          ".tessera.data" contain the steps and the host's changes.
 * Source:  System V ABI, chapter 4 (object files). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/write_elf.h"
#include "base/array.h"
#include "scene/capture.h"
#include "scene/scene_elf.h"

enum { SEGMENT_LOAD = 1, SEGMENT_READ_WRITE_EXECUTE = 7 };

/* A segment. Its first file_size bytes are in the file, and the others are zero. */
struct segment {
    uint32_t base, size, file_size;
    uint32_t alias;           /* alias bits of the address (bits 31:30) */
    uint32_t offset, section; /* offset of the content in the file; number of the section */
};

struct writer {
    const struct tess_capture *capture;
    struct elf_file file;
    struct segment *segments;
    uint32_t count;
    uint32_t gap; /* maximum number of consecutive pages of zeros in a segment's content */
    bool sparse;  /* true to leave out spans that no block has accessed */
    bool failed;
};

/* --- splitting memory into segments --- */

static bool has_content(const struct tess_capture *capture, uint32_t page)
{
    static const uint8_t zeros[BUS_PAGE];
    const struct capture_page *content = capture->pages[page];
    return content && memcmp(content->first, zeros, BUS_PAGE) != 0;
}

static void add_segment(struct writer *w, uint32_t base, uint32_t end, uint32_t content_end)
{
    if (!ARRAY_GROW(w->segments, w->count)) {
        w->failed = true;
        return;
    }
    w->segments[w->count++] = (struct segment){
        .base = base, .size = end - base, .file_size = content_end > base ? content_end - base : 0};
}

/* Returns the index of the first accessed page whose number is at least `page`. */
static uint32_t reached_from(const struct tess_capture *capture, uint32_t page)
{
    return (uint32_t)array_below(capture->reached, capture->reached_count, sizeof *capture->reached,
                                 0, page);
}

/* Returns the first page with content in the range from `page` to `last` - 1. Returns `last` if
 * there is no such page. */
static uint32_t next_content(const struct tess_capture *capture, uint32_t page, uint32_t last)
{
    uint32_t at = reached_from(capture, page);
    while (at < capture->reached_count && !has_content(capture, capture->reached[at]))
        at++;
    return at < capture->reached_count && capture->reached[at] < last ? capture->reached[at] : last;
}

/* True if a block has accessed memory of the span. */
static bool is_reached(const struct tess_capture *capture, const struct capture_span *span)
{
    uint32_t at = reached_from(capture, span->base / BUS_PAGE);
    return at < capture->reached_count && capture->reached[at] <= (span->end - 1) / BUS_PAGE;
}

/* Returns the first page after the content that begins at `page`. The content may include gaps of
 * at most w->gap pages of zeros. */
static uint32_t content_end(const struct writer *w, uint32_t page, uint32_t last)
{
    uint32_t end = page;
    while (page < last && page - end <= w->gap) {
        if (has_content(w->capture, page))
            end = page + 1;
        page++;
    }
    return end;
}

static uint32_t page_address(uint32_t page, const struct capture_span *span)
{
    uint32_t address = page * BUS_PAGE;
    return address < span->base ? span->base : address > span->end ? span->end : address;
}

static void cut_span(struct writer *w, const struct capture_span *span)
{
    uint32_t last = (span->end - 1) / BUS_PAGE + 1;
    uint32_t page = next_content(w->capture, span->base / BUS_PAGE, last);
    uint32_t base = span->base;
    if (page_address(page, span) > base)
        add_segment(w, base, page_address(page, span), base);
    while (page < last && !w->failed) {
        uint32_t end = content_end(w, page, last), next = next_content(w->capture, end, last);
        base = page_address(page, span);
        add_segment(w, base, next < last ? page_address(next, span) : span->end,
                    page_address(end, span));
        page = next;
    }
}

static void cut_spans(struct writer *w)
{
    w->count = 0;
    for (uint32_t i = 0; i < w->capture->span_count; i++)
        if (!w->sparse || is_reached(w->capture, &w->capture->spans[i]))
            cut_span(w, &w->capture->spans[i]);
}

/* Splits memory into segments. A larger w->gap produces fewer segments, so the function increases
 * w->gap until there are at most ELF_MAX_SEGMENTS segments. If there are more spans
 * than ELF_MAX_SEGMENTS, leaves out spans that no block has accessed. Drivers may have very many
 * buffers, of which the captured jobs use few. */
static enum tess_status cut(struct writer *w)
{
    w->sparse = w->capture->span_count > ELF_MAX_SEGMENTS;
    for (w->gap = 0; w->gap <= BUS_PAGES; w->gap = 2 * w->gap + 1) {
        cut_spans(w);
        if (w->failed)
            return TESS_NO_MEMORY;
        if (w->count <= ELF_MAX_SEGMENTS)
            return TESS_OK;
    }
    return TESS_INVALID;
}

/* --- symbols --- */

/* Returns the segment that contains a symbol's address, or that ends at this address. Returns NULL
 * for constants and unmapped addresses. */
static struct segment *segment_of(const struct writer *w, const struct capture_symbol *symbol)
{
    uint32_t at = symbol->value & ELF_ADDRESS_MASK;
    size_t next = ARRAY_BELOW(w->segments, w->count, base, at + UINT64_C(1));
    bool inside = next > 0 && at - w->segments[next - 1].base <= w->segments[next - 1].size;
    return inside && !symbol->constant ? &w->segments[next - 1] : NULL;
}

/* Sets the alias bits of each segment's address to those of the first symbol in the segment. Tools
 * compare the addresses of symbols and segments including the alias bits. */
static void choose_aliases(struct writer *w)
{
    for (uint32_t i = w->capture->symbol_count; i-- > 0;) {
        struct segment *segment = segment_of(w, &w->capture->symbols[i]);
        if (segment)
            segment->alias = w->capture->symbols[i].value & ~ELF_ADDRESS_MASK;
    }
}

/* --- parts of the file --- */

static void write_headers(struct writer *w)
{
    uint64_t offset = ELF_HEADER_SIZE + (uint64_t)w->count * ELF_SEGMENT_SIZE;
    for (uint32_t i = 0; i < w->count; i++) {
        struct segment *s = &w->segments[i];
        s->offset = (uint32_t)offset;
        const uint32_t words[] = {
            SEGMENT_LOAD, s->offset, s->base | s->alias,         s->base | s->alias,
            s->file_size, s->size,   SEGMENT_READ_WRITE_EXECUTE, 1};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            buffer_le32(w->file.out, words[k]);
        offset += s->file_size;
    }
}

static void write_content(struct writer *w, const struct segment *s)
{
    static const uint8_t zeros[BUS_PAGE];
    for (uint32_t at = s->base; at < s->base + s->file_size;) {
        uint32_t page = at / BUS_PAGE, in_page = at % BUS_PAGE;
        uint32_t size = BUS_PAGE - in_page, left = s->base + s->file_size - at;
        const struct capture_page *content = w->capture->pages[page];
        size = size < left ? size : left;
        buffer_append(w->file.out, (content ? content->first : zeros) + in_page, size);
        at += size;
    }
}

static void write_segments(struct writer *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        struct segment *s = &w->segments[i];
        char name[32];
        snprintf(name, sizeof name, ".%08x", s->base | s->alias);
        const struct elf_section section = {
            .name = name,
            .type = s->file_size ? ELF_SECTION_PROGRAM : ELF_SECTION_ZEROS,
            .flags = ELF_FLAG_WRITE | ELF_FLAG_ALLOCATE | ELF_FLAG_EXECUTE,
            .address = s->base | s->alias,
            .offset = s->offset,
            .size = s->file_size ? s->file_size : s->size,
            .alignment = 1};
        s->section = elf_file_section(&w->file, &section);
        write_content(w, s);
    }
}

static void write_symbols(struct writer *w, bool local)
{
    for (uint32_t i = 0; i < w->capture->symbol_count; i++) {
        const struct capture_symbol *symbol = &w->capture->symbols[i];
        if ((symbol->info < ELF_BIND_GLOBAL) != local)
            continue;
        const struct segment *segment = segment_of(w, symbol);
        const struct elf_symbol_entry entry = {.name = symbol->name,
                                               .value = symbol->value,
                                               .size = symbol->size,
                                               .info = symbol->info,
                                               .section = segment ? segment->section
                                                                  : ELF_INDEX_ABSOLUTE};
        elf_file_symbol(&w->file, &entry);
    }
}

static void write_sections(struct writer *w, const struct buffer *text)
{
    const struct elf_section steps = {
        .name = ".tessera", .type = ELF_SECTION_PROGRAM, .alignment = 1};
    const struct elf_section data = {
        .name = ".tessera.data", .type = ELF_SECTION_PROGRAM, .alignment = 1};
    elf_file_content(&w->file, steps, text->data, text->size);
    if (w->capture->data.size)
        elf_file_content(&w->file, data, w->capture->data.data, w->capture->data.size);
    write_symbols(w, true);
    w->file.local_count = w->file.symbol_count;
    write_symbols(w, false);
    elf_file_symbol_table(&w->file);
}

enum tess_status capture_write(const struct tess_capture *capture, const struct buffer *text,
                               struct buffer *out)
{
    struct writer w = {.capture = capture};
    enum tess_status status = cut(&w);
    if (status == TESS_OK) {
        choose_aliases(&w);
        elf_file_begin(&w.file, out, ELF_TYPE_EXECUTABLE, ELF_MACHINE_NONE, 0, w.count);
        write_headers(&w);
        write_segments(&w);
        write_sections(&w, text);
        bool good = elf_file_end(&w.file);
        status = out->size > UINT32_MAX ? TESS_INVALID : good ? TESS_OK : TESS_NO_MEMORY;
    }
    free(w.segments);
    return status;
}
