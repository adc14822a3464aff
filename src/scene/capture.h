/* SPDX-License-Identifier: MIT */
/* capture.h - what a capture gathers, as capture.c fills it and capture_write.c puts it into a file. */
#ifndef SCENE_CAPTURE_H
#define SCENE_CAPTURE_H

#include <tessera/scene.h>

#include "base/buffer.h"
#include "vc4/record.h"

/* A page that the device has reached. Bytes that are not mapped are zero. */
struct capture_page {
    uint8_t first[BUS_PAGE]; /* before it was reached */
    uint8_t now[BUS_PAGE];   /* as far as the steps know */
};

/* Memory that has been mapped at any time: without gaps, by base, none touching. */
struct capture_span {
    uint32_t base, end; /* without alias bits */
};

struct capture_symbol {
    uint32_t value, size;
    uint8_t info; /* type and binding, as in ELF */
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
    bool failed; /* out of memory */

    struct capture_page **pages; /* BUS_PAGES of them; NULL: not reached */
    uint32_t *reached;           /* their numbers; see capture_sort_pages() */
    uint32_t reached_count, reached_room;
    bool sorted;
    struct capture_span *spans;
    uint32_t span_count;
    struct capture_symbol *symbols;
    uint32_t symbol_count;

    struct capture_write *writes; /* since the latest run */
    uint32_t write_count;
    uint32_t interrupts;      /* during the current run */
    bool again;               /* the latest run left something to do */
    struct buffer handled;    /* steps: what the interrupt handler wrote during the current run */
    struct buffer text, data; /* sections ".tessera" and ".tessera.data" */
};

/* Puts the numbers of the reached pages into order. */
void capture_sort_pages(struct tess_capture *capture);

/* Calls use for each piece of a page that lies in mapped memory: offset and size in the page. */
void capture_pieces(const struct tess_capture *capture, uint32_t page,
                    void (*use)(void *user, uint32_t offset, uint32_t size), void *user);

/* A global symbol without a type. */
enum { CAPTURE_LABEL = 1 << 4 };

/* Adds a copy of a symbol. Error: TESS_NO_MEMORY. */
enum tess_status capture_add_symbol(struct tess_capture *capture,
                                    const struct capture_symbol *symbol);

/* Appends the scene's file. The pages are in order. Errors: TESS_NO_MEMORY; TESS_INVALID if the memory is in more pieces than
 * a scene can have segments, or the file grows beyond 4 GiB. */
enum tess_status capture_write(const struct tess_capture *capture, const struct buffer *text,
                               struct buffer *out);

#endif
