/* SPDX-License-Identifier: MIT */
/* drm_job.c - fuzz target: the checks of jobs that programs submit to the DRM device,
 * src/shim/drm/vc4/validate.c and render_list.c. The input is combined by XOR with a valid job, so
 * a zero bit leaves the job's bit unchanged. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "shim/drm/vc4/render_list.h"
#include "shim/drm/vc4/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAGMENT, VERTEX, COORDINATE, VERTICES, TEXTURE, INDICES, COLOUR, BOS };
enum { LIST = 128, RECORDS = 256, UNIFORMS = 128, SLOT = 512 * 1024 };

struct submitted {
    uint8_t list[LIST], records[RECORDS], uniforms[UNIFORMS];
    /* pages: size of each buffer object, in pages, minus 1 */
    uint8_t list_size, records_size, uniforms_size, record_count, pages;
    struct shader_sample sample;
    struct drm_vc4_submit_cl arguments;
};

static void seed(struct submitted *s)
{
    static const uint8_t list[] = {
        112, 0,       0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 4, 3, 0, /* 4 x 3 tiles */
        6,   64,      1, 0, 0, 0,                                /* a record with one attribute */
        254, INDICES, 0, 0, 0, 0, 0,  0, 0,                      /* buffer object of the indices */
        32,  0x14,    6, 0, 0, 0, 64, 0, 0, 0, 9, 0, 0, 0,       /* six indices */
        33,  4,       3, 0, 0, 0, 5,  0, 0, 0,                   /* three vertices */
        7,   4};
    static const uint8_t bos[] = {FRAGMENT, VERTEX, COORDINATE, VERTICES};
    *s = (struct submitted){.list_size = sizeof list,
                            .records_size = 60,
                            .uniforms_size = 20,
                            .record_count = 1,
                            .pages = 8};
    memcpy(s->list, list, sizeof list);
    for (unsigned i = 0; i < sizeof bos; i++)
        s->records[4 * i] = bos[i];
    s->records[16] = 1;       /* single-threaded */
    s->records[16 + 40] = 11; /* bytes of the attribute minus 1 */
    s->records[16 + 41] = 16; /* stride */
    s->uniforms[0] = TEXTURE;
    store_le32(s->uniforms + 4, 4096);
    store_le32(s->uniforms + 8, 64 << 20 | 64 << 8);
    s->sample = (struct shader_sample){.offset = {0, 4, SHADER_NOWHERE, SHADER_NOWHERE}};
    const struct drm_vc4_submit_rcl_surface nothing = {.hindex = UINT32_MAX};
    s->arguments = (struct drm_vc4_submit_cl){.bin_cl_size = 1,
                                              .width = 64,
                                              .height = 64,
                                              .color_read = nothing,
                                              .color_write = {.hindex = COLOUR, .bits = 1 << 2},
                                              .zs_read = nothing,
                                              .zs_write = nothing,
                                              .msaa_color_write = nothing,
                                              .msaa_zs_write = nothing};
}

static void lay_over(struct submitted *s, const uint8_t *data, size_t size)
{
    uint8_t *bytes = (uint8_t *)s;
    for (size_t i = 0; i < size && i < sizeof *s; i++)
        bytes[i] ^= data[i];
    s->list_size %= LIST + 1;
    s->uniforms_size %= UNIFORMS + 1;
    s->record_count %= 8;
    /* shader_validate() returns only offsets that are multiples of 4, and at least two parameters
     * per request. Changes the sample so that both rules hold. */
    for (unsigned i = 0; i < SHADER_PARAMETERS; i++)
        if (s->sample.offset[i] != SHADER_NOWHERE || i < 2)
            s->sample.offset[i] = s->sample.offset[i] % 16 * 4;
    s->sample.is_direct = s->sample.offset[0] % 8 && s->pages & 1;
}

/* Returns a copy in an allocation of exactly size bytes, so that sanitizers detect accesses outside
 * of the copy. */
static void *copy_of(const void *from, size_t size)
{
    void *copy = malloc(size ? size : 1);
    memcpy(copy, from, size);
    return copy;
}

static void render(const struct submitted *s, struct bo *const *bos, const struct validation *v)
{
    struct refusal why;
    struct render_list list = {
        .has_bin = true, .tile_lists = v->tile_lists, .tiles_across = v->tiles_across};
    if (render_list_check(&list, &s->arguments, bos, BOS, v->tiles_down, &why)) {
        if (!*why.text || !why.instead)
            __builtin_trap();
        return;
    }
    const uint32_t size = render_list_write(&list, NULL);
    uint8_t *bytes = malloc(size);
    if (render_list_write(&list, bytes) != size)
        __builtin_trap();
    free(bytes);
}

static void validate(struct submitted *s, struct bo *const *bos)
{
    uint32_t records, uniforms, size;
    struct refusal why;
    if (!validate_place(s->list_size, s->records_size, s->uniforms_size, &records, &uniforms,
                        &size))
        __builtin_trap();
    uint8_t *from_list = copy_of(s->list, s->list_size),
            *from_records = copy_of(s->records, s->records_size),
            *from_uniforms = copy_of(s->uniforms, s->uniforms_size),
            *to_list = malloc(s->list_size + 1u), *to_records = malloc(s->records_size + 1u),
            *to_uniforms = malloc(s->uniforms_size + 1u);
    struct validate_record *seen = malloc((s->record_count + 1u) * sizeof *seen);
    struct validation v = {
        .list = from_list,
        .list_size = s->list_size,
        .list_to = to_list,
        .records = {.from = from_records,
                    .left = s->records_size,
                    .to = to_records,
                    .address = 0x10000000},
        .uniforms = {.from = from_uniforms,
                     .left = s->uniforms_size,
                     .to = to_uniforms,
                     .address = 0x10001000},
        .seen = seen,
        .record_count = s->record_count,
        .bos = bos,
        .bo_count = BOS,
        .binner_address = 0x20000000,
        .binner_size = SLOT,
    };
    if (validate_job(&v, &why) == 0) {
        if (v.list_bytes > s->list_size || v.tile_lists - v.binner_address >= SLOT)
            __builtin_trap();
        render(s, bos, &v);
    } else if (!*why.text || !why.instead || !why.rule) {
        __builtin_trap();
    }
    free(from_list), free(from_records), free(from_uniforms), free(to_list), free(to_records),
        free(to_uniforms), free(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t slots[] = {1};
    struct submitted s;
    struct bo objects[BOS], *bos[BOS];
    seed(&s);
    lay_over(&s, data, size);
    struct shader shaders[] = {
        {.uniforms_size = 8, .source_size = 12, .samples = &s.sample, .sample_count = 1},
        {.uniforms_size = 8, .source_size = 8, .address_slots = slots, .address_count = 1},
        {0},
    };
    for (unsigned i = 0; i < BOS; i++) {
        objects[i] = (struct bo){
            .memory.address = (i + 1) << 24, .size = (s.pages + 1u) * MEMORY_PAGE, .number = i + 1};
        objects[i].is_shader = i <= COORDINATE;
        objects[i].data = objects[i].is_shader ? &shaders[i] : NULL;
        bos[i] = &objects[i];
    }
    validate(&s, bos);
    return 0;
}
