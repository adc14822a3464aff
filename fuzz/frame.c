/* SPDX-License-Identifier: MIT */
/* frame.c - see frame.h. The frame is assembled only once per process. */
#include "frame.h"

#include <stdio.h>
#include <stdlib.h>

#include <tessera/isa.h>

enum { FRAME_START = FRAME_BIN_LIST };

static void show(void *user, const struct tess_finding *diag)
{
    (void)user;
    fprintf(stderr, "%s:%u: %s\n", diag->file ? diag->file : "", diag->line, diag->text);
}

static void need(enum tess_status status)
{
    if (status == TESS_OK)
        return;
    fprintf(stderr, "the fuzz target's own source does not assemble\n");
    abort();
}

uint8_t *frame_assemble(const char *text, size_t *size)
{
    const struct tess_asm_options options = {.format = TESS_ASM_BIN};
    uint8_t *bytes = NULL;
    need(tess_assemble_text(text, strlen(text), "target", &options, (struct tess_sink){show, NULL},
                            &bytes, size));
    return bytes;
}

/* Sizes in bytes of the records that follow bin_tail and render_tail in frame.qasm. */
enum { FLUSH_BYTES = 1, TILE_BYTES = 3 + 5 + 1, TILES = 2 };

static uint32_t end_of_list(const uint8_t *memory, uint32_t start, uint32_t limit)
{
    uint32_t end = limit;
    while (end > start && memory[end - 1] == 0)
        end--;
    return end;
}

struct tess_vc4 *frame_device(const struct tess_vc4_options *options, struct frame_lists *lists)
{
    static uint8_t *frame;
    static size_t frame_size;
    const char *path = FUZZ_SOURCE "/frame.qasm";
    const struct tess_asm_options assembly = {.format = TESS_ASM_BIN};
    struct tess_vc4 *vc4;
    if (!frame)
        need(tess_assemble(&path, 1, &assembly, (struct tess_sink){show, NULL}, &frame,
                           &frame_size));
    if (tess_vc4_create(&vc4, options) != TESS_OK)
        return NULL;
    if (tess_vc4_map(vc4, 0, FRAME_MEMORY, NULL) != TESS_OK) {
        tess_vc4_destroy(vc4);
        return NULL;
    }
    uint8_t *memory = tess_vc4_memory(vc4, 0, FRAME_MEMORY);
    memcpy(memory + FRAME_START, frame, frame_size);
    lists->bin_end = end_of_list(memory, FRAME_BIN_LIST, FRAME_RENDER_LIST);
    lists->bin_tail = lists->bin_end - FLUSH_BYTES;
    lists->render_end = end_of_list(memory, FRAME_RENDER_LIST, FRAME_RECORD);
    lists->render_tail = lists->render_end - TILES * TILE_BYTES;
    return vc4;
}
