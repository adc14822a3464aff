/* SPDX-License-Identifier: MIT */
/* job_lists.c - see job_lists.h.
 *
 * Source: manual section 9 (records); Linux, drivers/gpu/drm/vc4/vc4_render_cl.c (storage of
 *         pictures); Mesa, src/gallium/drivers/vc4/vc4_emit.c and
 *         src/mesa/state_tracker/st_atom_viewport.c (orientation).
 * Choices: records do not contain the order of red and blue in 32-bit pixels. The order is guessed
 *          from the orientation. GL's first row is the lowest row of a picture, so drivers draw
 *          windows upside down, with a negative height of the viewport. If the height is negative,
 *          the picture is taken for a window, whose pixels are BGRA. Otherwise it is taken for a
 *          texture, whose pixels are RGBA. */
#include "scene/job_lists.h"

#include "isa/cl/cl.h"

enum {
    STATE_BYTES = 48,    /* size of a tile's state (manual section 6) */
    FORMAT_RGBA8888 = 1, /* value in record 113 */
};

/* --- walking --- */

struct walk {
    const uint8_t *at;
    uint32_t left;
};

static struct walk walk_begin(const struct job_list *list)
{
    return (struct walk){list->bytes, list->size};
}

static bool goes_elsewhere(uint8_t code)
{
    switch (code) {
    case CL_HALT:
    case CL_BRANCH:
    case CL_RETURN_FROM_SUB_LIST:
    case CL_VG_INLINE_PRIMITIVES: /* followed by a list of unknown length */
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return true;
    default: return false;
    }
}

/* Returns the next record and sets *data to the bytes after the record's id. Returns NULL at the
 * end of the list, and at a record that is unknown, truncated or listed in goes_elsewhere(). */
static const struct cl_packet *walk_next(struct walk *walk, const uint8_t **data)
{
    const struct cl_packet *packet = walk->left ? cl_packet(*walk->at) : NULL;
    if (!packet || packet->bytes > walk->left || goes_elsewhere(packet->code))
        return NULL;
    *data = walk->at + 1;
    walk->at += packet->bytes;
    walk->left -= packet->bytes;
    return packet;
}

/* Returns the data of the first record with an id, or NULL if the list has no such record. */
static const uint8_t *find_record(const struct job_list *list, uint8_t code)
{
    struct walk walk = walk_begin(list);
    const struct cl_packet *packet;
    const uint8_t *data;
    while ((packet = walk_next(&walk, &data)) != NULL)
        if (packet->code == code)
            return data;
    return NULL;
}

/* --- tile lists --- */

bool job_tiles(const struct job_list *bin, struct job_tiles *tiles)
{
    const uint8_t *data = find_record(bin, CL_TILE_BINNING_MODE);
    if (!data)
        return false;
    *tiles = (struct job_tiles){
        .lists = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_ADDRESS),
        .lists_size = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_SIZE),
        .state = CL_GET(data, TILE_BINNING_MODE, STATE_ADDRESS),
        .state_size = STATE_BYTES * CL_GET(data, TILE_BINNING_MODE, WIDTH) *
                      CL_GET(data, TILE_BINNING_MODE, HEIGHT),
    };
    return true;
}

bool job_makes(const struct job_list *bin, uint32_t tile_list)
{
    struct job_tiles tiles;
    return job_tiles(bin, &tiles) && tile_list - tiles.lists < tiles.lists_size;
}

uint32_t job_flushed(const struct job_list *bin)
{
    struct walk walk = walk_begin(bin);
    const struct cl_packet *packet;
    const uint8_t *data;
    while ((packet = walk_next(&walk, &data)) != NULL)
        if (packet->code == CL_FLUSH || packet->code == CL_FLUSH_ALL_STATE)
            return bin->size - walk.left;
    return 0;
}

bool job_waits(const struct job_list *render)
{
    return find_record(render, CL_WAIT_ON_SEMAPHORE) != NULL;
}

bool job_first_tile_list(const struct job_list *render, uint32_t *address)
{
    struct walk walk = walk_begin(render);
    const struct cl_packet *packet;
    const uint8_t *data;
    bool found = false;
    while ((packet = walk_next(&walk, &data)) != NULL) {
        if (packet->code != CL_BRANCH_TO_SUB_LIST)
            continue;
        uint32_t target = load_le32(data);
        if (!found || target < *address)
            *address = target;
        found = true;
    }
    return found;
}

/* --- pictures --- */

/* True if row 0 of the drawing is the top row. */
static bool is_upright(const struct job_list *bin)
{
    const uint8_t *data = find_record(bin, CL_CLIPPER_XY_SCALING);
    return !data || CL_GET(data, CLIPPER_XY_SCALING, HALF_HEIGHT) >> 31;
}

bool job_picture(const struct job_list *bin, const struct job_list *render,
                 struct job_picture *picture)
{
    const uint8_t *frame = find_record(render, CL_TILE_RENDERING_MODE);
    if (!frame || CL_GET(frame, TILE_RENDERING_MODE, COLOR_64BIT))
        return false;
    if (!find_record(render, CL_STORE_MS_TILE_BUFFER) &&
        !find_record(render, CL_STORE_MS_TILE_BUFFER_AND_EOF))
        return false;
    uint32_t layout = CL_GET(frame, TILE_RENDERING_MODE, MEMORY_FORMAT);
    if (layout > LAYOUT_LT)
        return false;
    bool is_wide = CL_GET(frame, TILE_RENDERING_MODE, COLOR_FORMAT) == FORMAT_RGBA8888;
    *picture = (struct job_picture){
        .address = CL_GET(frame, TILE_RENDERING_MODE, ADDRESS),
        .width = CL_GET(frame, TILE_RENDERING_MODE, WIDTH),
        .height = CL_GET(frame, TILE_RENDERING_MODE, HEIGHT),
        .bits = is_wide ? 32 : 16,
        .format = !is_wide          ? "rgb565"
                  : is_upright(bin) ? "bgra8888"
                                    : "rgba8888",
        .layout = (enum layout)layout,
    };
    return picture->width && picture->height;
}
