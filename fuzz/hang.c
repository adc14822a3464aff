/* SPDX-License-Identifier: MIT */
/* hang.c - fuzz target: loads a file with the state of a hung GPU, and runs, records and decodes
 * the scene with small limits. The file is the state of a job with the valid frame. The input's
 * first two bytes truncate the file. Each further group of three bytes replaces one byte of the
 * file: two bytes are its offset, and the third is the new value. */
#include "frame.h"

#include <stdlib.h>

#include <tessera/scene.h>

enum { WORDS = 41, BOS = 3, BO_WORDS = 4, HEADER = 4 * (WORDS + BOS * BO_WORDS), CHANGED = 0x8000 };

struct bo {
    uint32_t base, end;
};

/* Buffer objects that cover the frame's memory. A driver divides memory in a similar manner. */
static const struct bo bos[BOS] = {
    {FRAME_BIN_LIST, FRAME_RECORD},
    {FRAME_RECORD, FRAME_TILE_LISTS},
    {FRAME_TILE_LISTS, FRAME_MEMORY},
};

static void put(uint8_t *file, uint32_t word, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        file[4 * word + i] = (uint8_t)(value >> (8 * i));
}

/* Writes struct drm_vc4_get_hang_state and the table of buffer objects. The version word stays
 * 0. */
static void write_state(uint8_t *file, const struct frame_lists *lists)
{
    put(file, 3, BOS);
    put(file, 4, FRAME_BIN_LIST);
    put(file, 5, FRAME_RENDER_LIST);
    put(file, 6, lists->bin_tail);
    put(file, 7, lists->bin_end);
    put(file, 8, lists->render_tail);
    put(file, 9, lists->render_end);
    put(file, 10, 0x20);
    for (uint32_t i = 0; i < BOS; i++) {
        put(file, WORDS + BO_WORDS * i + 1, bos[i].base);
        put(file, WORDS + BO_WORDS * i + 2, bos[i].end - bos[i].base);
    }
}

static size_t make_file(uint8_t *file)
{
    struct frame_lists lists;
    struct tess_vc4 *vc4 = frame_device(NULL, &lists);
    size_t size = HEADER;
    if (!vc4)
        return 0;
    write_state(file, &lists);
    for (uint32_t i = 0; i < BOS; i++) {
        memcpy(file + size, tess_vc4_memory(vc4, bos[i].base, bos[i].end - bos[i].base),
               bos[i].end - bos[i].base);
        size += bos[i].end - bos[i].base;
    }
    tess_vc4_destroy(vc4);
    return size;
}

/* Copies the unchanged file to file. The file is created only in the first call. */
static size_t write_file(uint8_t *file)
{
    static uint8_t made[HEADER + FRAME_MEMORY];
    static size_t size;
    if (!size)
        size = make_file(made);
    memcpy(file, made, size);
    return size;
}

static void drop(void *user, const char *text, size_t size)
{
    (void)user;
    (void)text;
    (void)size;
}

static void use(const uint8_t *file, size_t size, bool json)
{
    const struct tess_scene_options options = {.max_instructions = 2000,
                                               .max_records = 2000,
                                               .capture = json ? "/dev/null" : NULL,
                                               .quiet_files = true};
    struct tess_scene *scene;
    if (tess_scene_load_memory(&scene, file, size, "fuzz", (struct tess_sink){0}) != TESS_OK)
        return;
    tess_scene_decode(scene, &options, json ? TESS_DECODE_JSON : TESS_DECODE_TEXT,
                      (struct tess_text_out){drop, NULL}, (struct tess_sink){0});
    tess_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    uint8_t *file = malloc(HEADER + FRAME_MEMORY);
    size_t have = file ? write_file(file) : 0;
    size_t cut = input_bits(&input, 2);
    while (have && input.left > 0) {
        uint32_t place = input_bits(&input, 2) % CHANGED;
        file[place] = (uint8_t)input_bits(&input, 1);
    }
    if (have)
        use(file, cut < have && cut ? cut : have, size & 1);
    free(file);
    return 0;
}
