/* SPDX-License-Identifier: MIT */
/* capture.h - the data of a capture. capture.c collects the data, and capture_write.c writes the
 * data to a file. */
#ifndef SCENE_CAPTURE_H
#define SCENE_CAPTURE_H

#include <tessera/scene.h>

#include "base/buffer.h"
#include "vc4/device/record.h"

/* A page that the device has accessed. Unmapped bytes are zero. */
struct capture_page {
    uint8_t first[BUS_PAGE]; /* contents before the first access */
    uint8_t now[BUS_PAGE];   /* contents after the steps that have been written so far */
};

/* A range of memory that was mapped at some time during the capture. Spans are sorted by base, and
 * do not overlap or touch. */
struct capture_span {
    uint32_t base, end; /* bus addresses without alias bits */
};

struct capture_symbol {
    uint32_t value, size;
    uint8_t info; /* type and binding as in ELF */
    bool constant;
    char *name;
};

struct capture_write {
    uint32_t offset, value;
};

struct tess_capture {
    struct tess_vc4 *vc4;
    struct vc4_recorder recorder;
    struct bus_watch watch;
    bool failed; /* true if the host ran out of memory */

    /* Array of BUS_PAGES pointers, NULL for pages that were not accessed. */
    struct capture_page **pages;
    uint32_t *reached; /* numbers of the accessed pages, in ascending order if sorted is true */
    uint32_t reached_count;
    bool sorted;
    struct capture_span *spans;
    uint32_t span_count;
    struct capture_symbol *symbols;
    uint32_t symbol_count;

    struct capture_write *writes; /* register writes since the latest run */
    uint32_t write_count;
    uint32_t interrupts; /* number of interrupts during the current run */
    bool again;          /* true if the latest run stopped before the device was idle */
    /* "interrupt" steps for the register writes of the interrupt handler during the current run. */
    struct buffer handled;
    struct buffer text, data; /* contents of the sections ".tessera" and ".tessera.data" */
};

/* st_info of an ELF symbol that is global and has no type. */
enum { CAPTURE_LABEL = 1 << 4 };

/* Adds a copy of a symbol. Error: TESS_NO_MEMORY. */
enum tess_status capture_add_symbol(struct tess_capture *capture,
                                    const struct capture_symbol *symbol);

/* Appends the scene's ELF file to *out. capture_sort_pages() must be called before. text contains
 * the steps. Errors: TESS_NO_MEMORY; TESS_INVALID if the memory needs more segments than a scene
 * can have, or if the file exceeds 4 GiB. */
enum tess_status capture_write(const struct tess_capture *capture, const struct buffer *text,
                               struct buffer *out);

#endif
