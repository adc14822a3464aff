/* SPDX-License-Identifier: MIT */
/* render_list.c - see render_list.h.
 *
 * In:  arguments.
 * Out: control records.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_render_cl.c; VideoCore IV 3D Architecture Reference Guide,
 *         section 9.
 * Choices: like the kernel, this code accepts a last tile one beyond the binner's tiles, and a last
 *          full-resolution tile one beyond the end of its buffer object. Like the kernel, it draws
 *          nothing for 256 rows or columns of tiles. The kernel writes the mode (packet 113) after
 *          it clears the first tile. This code writes the mode before, like the copy of the
 *          kernel's code in Mesa. V3D behaves the same with both orders. */
#include "shim/drm/vc4/render_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "shim/drm/vc4/surface.h"

/* A bit, or all bits, of a field, counted from bit `from` of a packet's data. */
#define BIT(packet, field, from) (1 << (CL_##packet##_##field##_BIT - (from)))
#define BITS(packet, field, from) \
    (((1 << CL_##packet##_##field##_WIDTH) - 1) << (CL_##packet##_##field##_BIT - (from)))

/* Fields of the 16-bit word and of the address in packets 28 and 29. */
enum {
    ADDRESS_BIT = 16,
    GENERAL_BUFFER = BITS(STORE_TILE_BUFFER_GENERAL, BUFFER, 0),
    GENERAL_FORMAT = BITS(STORE_TILE_BUFFER_GENERAL, FORMAT, 0),
    GENERAL_PIXELS = BITS(STORE_TILE_BUFFER_GENERAL, PIXEL_FORMAT, 0),
    GENERAL_KEEP_COLOUR = BIT(STORE_TILE_BUFFER_GENERAL, DISABLE_COLOR_CLEAR, 0),
    GENERAL_KEEP_ZS = BIT(STORE_TILE_BUFFER_GENERAL, DISABLE_ZS_CLEAR, 0),
    GENERAL_KEEP_MASK = BIT(STORE_TILE_BUFFER_GENERAL, DISABLE_MASK_CLEAR, 0),
    GENERAL_LAST = BIT(STORE_TILE_BUFFER_GENERAL, LAST_TILE, ADDRESS_BIT),
};

/* Bits of the address of packets 26 and 27. */
enum {
    FULL_NO_COLOUR = BIT(STORE_FULL_RES_TILE_BUFFER, DISABLE_COLOR, 0),
    FULL_NO_ZS = BIT(STORE_FULL_RES_TILE_BUFFER, DISABLE_ZS, 0),
    FULL_KEEP = BIT(STORE_FULL_RES_TILE_BUFFER, DISABLE_CLEAR, 0),
    FULL_LAST = BIT(STORE_FULL_RES_TILE_BUFFER, LAST_TILE, 0),
};

/* Fields of the last word of packet 113. Of the decimation modes, the kernel permits only 4x. */
enum {
    MODE_BIT = CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT,
    MODE_MULTISAMPLE = BIT(TILE_RENDERING_MODE, MULTISAMPLE, MODE_BIT),
    MODE_PIXELS = BITS(TILE_RENDERING_MODE, COLOR_FORMAT, MODE_BIT),
    MODE_DECIMATE = BIT(TILE_RENDERING_MODE, DECIMATE, MODE_BIT),
    MODE_FORMAT = BITS(TILE_RENDERING_MODE, MEMORY_FORMAT, MODE_BIT),
};

enum { FULL_RES_TILE_BYTES = 64 * 64 * 4, FULL_RES_TILE_PIXELS = 32, ALIGNMENT = 16, ZS_BYTES = 4 };
enum { ABSENT = -1 };

/* Bytes per pixel by pixel format. 0 means that the format does not exist. The first table is for
 * packets 28 and 29, the second for packet 113. */
static const uint8_t general_pixel_bytes[4] = {4, 2, 2, 0}, mode_pixel_bytes[4] = {2, 4, 2, 0};

/* --- surfaces --- */

static const char *const names[RENDER_SURFACES] = {
    [RENDER_COLOUR_READ] = "color_read",
    [RENDER_COLOUR_WRITE] = "color_write",
    [RENDER_ZS_READ] = "zs_read",
    [RENDER_ZS_WRITE] = "zs_write",
    [RENDER_MSAA_COLOUR_WRITE] = "msaa_color_write",
    [RENDER_MSAA_ZS_WRITE] = "msaa_zs_write",
};

static const struct drm_vc4_submit_rcl_surface *surface(const struct render_list *list,
                                                        enum render_surface which)
{
    const struct drm_vc4_submit_cl *arguments = list->arguments;
    switch (which) {
    case RENDER_COLOUR_READ: return &arguments->color_read;
    case RENDER_COLOUR_WRITE: return &arguments->color_write;
    case RENDER_ZS_READ: return &arguments->zs_read;
    case RENDER_ZS_WRITE: return &arguments->zs_write;
    case RENDER_MSAA_COLOUR_WRITE: return &arguments->msaa_color_write;
    default: return &arguments->msaa_zs_write;
    }
}

static bool is_full_res(const struct render_list *list, enum render_surface which)
{
    return surface(list, which)->flags & VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES;
}

static uint32_t tiles_in_a_row(const struct render_list *list)
{
    return (list->arguments->width + FULL_RES_TILE_PIXELS - 1u) / FULL_RES_TILE_PIXELS;
}

/* --- checks --- */

struct check {
    struct render_list *list;
    struct bo *const *bos;
    uint32_t bo_count;
    struct refusal *why;
};

/* Finds the buffer object of a surface that the job uses. */
static int find(struct check *c, enum render_surface which)
{
    const uint32_t index = surface(c->list, which)->hindex;
    if (index >= c->bo_count)
        return refuse(c->why, "use the index of a submitted buffer object, or ~0 for none",
                      "buffer object index %u is out of range; the job has %u buffer objects",
                      index, c->bo_count);
    if (c->bos[index]->is_shader)
        return refuse(
            c->why,
            "use a buffer object that is not a shader: only shader records may refer to shaders",
            "buffer object %u is a shader", c->bos[index]->number);
    c->list->bos[which] = c->bos[index];
    return 0;
}

static int check_alignment(struct check *c, uint32_t offset)
{
    if (offset % ALIGNMENT)
        return refuse(c->why, "align the offset to 16 bytes", "offset %u is not a multiple of 16",
                      offset);
    return 0;
}

static int check_full_res(struct check *c, enum render_surface which)
{
    const struct drm_vc4_submit_cl *arguments = c->list->arguments;
    const struct bo *bo = c->list->bos[which];
    const uint32_t offset = surface(c->list, which)->offset;
    const uint32_t last = tiles_in_a_row(c->list) * arguments->max_y_tile + arguments->max_x_tile;
    if (offset > bo->size || (bo->size - offset) / FULL_RES_TILE_BYTES < last)
        return refuse(
            c->why,
            "make the buffer object larger: it needs 16 KiB for each tile of 32 x 32 pixels",
            "tile %u,%u begins at byte %" PRIu64 ", but buffer object %u has only %u bytes",
            arguments->max_x_tile, arguments->max_y_tile,
            offset + (uint64_t)FULL_RES_TILE_BYTES * last, bo->number, bo->size);
    return 0;
}

static int check_picture(struct check *c, enum render_surface which, unsigned format,
                         uint32_t pixel_bytes)
{
    const struct drm_vc4_submit_cl *arguments = c->list->arguments;
    return surface_check(c->list->bos[which], surface(c->list, which)->offset,
                         (enum surface_format)format, arguments->width, arguments->height,
                         pixel_bytes, c->why);
}

/* Returns the bytes per pixel of a surface of packet 28 or 29. If the bits are invalid, fills in
 * *c->why and returns 0. */
static uint32_t general_pixels(struct check *c, uint32_t bits)
{
    const uint32_t pixels = (bits & GENERAL_PIXELS) >>
                            CL_STORE_TILE_BUFFER_GENERAL_PIXEL_FORMAT_BIT;
    const uint32_t buffer = bits & GENERAL_BUFFER;
    if (buffer != CL_BUFFER_COLOUR && buffer != CL_BUFFER_ZS) {
        refuse(c->why, "select the colour buffer (1), or the depth and stencil buffer (2)",
               "invalid buffer %u", buffer);
        return 0;
    }
    const uint32_t bytes = buffer == CL_BUFFER_COLOUR ? general_pixel_bytes[pixels]
                           : pixels                   ? 0
                                                      : ZS_BYTES;
    if (!bytes)
        refuse(c->why,
               "use pixel format 0 (RGBA8888), 1 or 2 (BGR565); for depth and stencil, use 0",
               "invalid pixel format %u", pixels);
    return bytes;
}

/* Checks a surface of packets 27 to 29. */
static int check_general(struct check *c, enum render_surface which)
{
    const struct drm_vc4_submit_rcl_surface *s = surface(c->list, which);
    if (s->flags & ~VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES)
        return refuse(c->why, "set only flag 1 (full resolution), or no flags",
                      "invalid flags 0x%x", s->flags);
    if (s->hindex == (uint32_t)ABSENT)
        return 0;
    if (find(c, which))
        return EINVAL;
    if (is_full_res(c->list, which)) {
        if (which == RENDER_ZS_WRITE)
            return refuse(c->why, "use msaa_zs_write to store in full resolution",
                          "full resolution is not allowed");
        if (s->bits)
            return refuse(c->why, "set the bits to 0",
                          "bits 0x%04x are not allowed for a load in full resolution", s->bits);
        return check_full_res(c, which);
    }
    if (s->bits & ~(uint32_t)(GENERAL_BUFFER | GENERAL_FORMAT | GENERAL_PIXELS))
        return refuse(c->why, "set only buffer, memory format and pixel format",
                      "invalid bits 0x%04x", s->bits);
    const uint32_t format = (s->bits & GENERAL_FORMAT) >> CL_STORE_TILE_BUFFER_GENERAL_FORMAT_BIT;
    if (format >= SURFACE_FORMATS)
        return refuse(c->why, "use memory format 0 (raster), 1 (T) or 2 (LT)",
                      "invalid memory format %u", format);
    const uint32_t pixel_bytes = general_pixels(c, s->bits);
    if (!pixel_bytes || check_alignment(c, s->offset))
        return EINVAL;
    return check_picture(c, which, format, pixel_bytes);
}

/* Checks the surface of packet 113. */
static int check_mode(struct check *c)
{
    const struct drm_vc4_submit_rcl_surface *s = surface(c->list, RENDER_COLOUR_WRITE);
    if (s->flags)
        return refuse(c->why, "set the flags to 0", "invalid flags 0x%x", s->flags);
    if (s->bits & ~(uint32_t)(MODE_MULTISAMPLE | MODE_PIXELS | MODE_DECIMATE | MODE_FORMAT))
        return refuse(c->why, "set only multi-sampling, pixel format, decimation and memory format",
                      "invalid bits 0x%04x", s->bits);
    if (s->hindex == (uint32_t)ABSENT)
        return 0;
    if (find(c, RENDER_COLOUR_WRITE))
        return EINVAL;
    const uint32_t format = (s->bits & MODE_FORMAT) >>
                            (CL_TILE_RENDERING_MODE_MEMORY_FORMAT_BIT - MODE_BIT),
                   pixels = (s->bits & MODE_PIXELS) >>
                            (CL_TILE_RENDERING_MODE_COLOR_FORMAT_BIT - MODE_BIT);
    if (format >= SURFACE_FORMATS)
        return refuse(c->why, "use memory format 0 (raster), 1 (T) or 2 (LT)",
                      "invalid memory format %u", format);
    if (!mode_pixel_bytes[pixels])
        return refuse(c->why, "use pixel format 0 (BGR565), 1 (RGBA8888) or 2 (BGR565)",
                      "invalid pixel format %u", pixels);
    return check_picture(c, RENDER_COLOUR_WRITE, format, mode_pixel_bytes[pixels]);
}

static int check_msaa(struct check *c, enum render_surface which)
{
    const struct drm_vc4_submit_rcl_surface *s = surface(c->list, which);
    if (s->flags || s->bits)
        return refuse(c->why, "set flags and bits to 0",
                      "flags 0x%x and bits 0x%04x are not allowed", s->flags, s->bits);
    if (s->hindex == (uint32_t)ABSENT)
        return 0;
    if (find(c, which) || check_alignment(c, s->offset))
        return EINVAL;
    return check_full_res(c, which);
}

static int check_surface(struct check *c, enum render_surface which)
{
    switch (which) {
    case RENDER_COLOUR_WRITE: return check_mode(c);
    case RENDER_MSAA_COLOUR_WRITE:
    case RENDER_MSAA_ZS_WRITE: return check_msaa(c, which);
    default: return check_general(c, which);
    }
}

static int check_tiles(const struct render_list *list, uint32_t tiles_down, struct refusal *why)
{
    const struct drm_vc4_submit_cl *a = list->arguments;
    if (a->min_x_tile > a->max_x_tile || a->min_y_tile > a->max_y_tile)
        return refuse(why, "set a minimum tile that is not after the maximum tile",
                      "the minimum tile %u,%u is after the maximum tile %u,%u", a->min_x_tile,
                      a->min_y_tile, a->max_x_tile, a->max_y_tile);
    if (list->has_bin && (a->max_x_tile > list->tiles_across || a->max_y_tile > tiles_down))
        return refuse(why, "draw only tiles that packet 112 configures",
                      "the maximum tile is %u,%u, but packet 112 configures %u x %u tiles",
                      a->max_x_tile, a->max_y_tile, list->tiles_across, tiles_down);
    return 0;
}

int render_list_check(struct render_list *list, const struct drm_vc4_submit_cl *arguments,
                      struct bo *const *bos, uint32_t bo_count, uint32_t tiles_down,
                      struct refusal *why)
{
    static const enum render_surface order[RENDER_SURFACES] = {
        RENDER_COLOUR_WRITE, RENDER_COLOUR_READ,       RENDER_ZS_READ,
        RENDER_ZS_WRITE,     RENDER_MSAA_COLOUR_WRITE, RENDER_MSAA_ZS_WRITE};
    struct check c = {list, bos, bo_count, why};
    struct bo *written[RENDER_SURFACES];
    *why = (struct refusal){.rule = "drm-render"};
    list->arguments = arguments;
    int error = check_tiles(list, tiles_down, why);
    for (unsigned i = 0; i < RENDER_SURFACES && !error; i++) {
        list->bos[order[i]] = NULL;
        error = refused_at(why, check_surface(&c, order[i]), "%s", names[order[i]]);
    }
    if (error)
        return error;
    return render_list_written(list, written) ? 0
                                              : refuse(why, "store colour, or depth and stencil",
                                                       "the job stores neither colour nor depth");
}

unsigned render_list_written(const struct render_list *list, struct bo *written[RENDER_SURFACES])
{
    unsigned count = 0;
    for (unsigned i = 0; i < RENDER_SURFACES; i++)
        if (list->bos[i] && i != RENDER_COLOUR_READ && i != RENDER_ZS_READ)
            written[count++] = list->bos[i];
    return count;
}

/* --- writing --- */

struct writer {
    const struct render_list *list;
    uint8_t *bytes; /* output, or NULL if the bytes are only counted */
    uint32_t used;
};

static void write8(struct writer *w, uint32_t value)
{
    if (w->bytes)
        w->bytes[w->used] = (uint8_t)value;
    w->used++;
}

static void write16(struct writer *w, uint32_t value)
{
    if (w->bytes)
        store_le16(w->bytes + w->used, (uint16_t)value);
    w->used += 2;
}

static void write32(struct writer *w, uint32_t value)
{
    if (w->bytes)
        store_le32(w->bytes + w->used, value);
    w->used += 4;
}

static void write_tile(struct writer *w, uint32_t x, uint32_t y)
{
    write8(w, CL_TILE_COORDINATES);
    write8(w, x);
    write8(w, y);
}

static uint32_t address_of(const struct render_list *list, enum render_surface which)
{
    return list->bos[which]->memory.address + surface(list, which)->offset;
}

static void write_general(struct writer *w, unsigned packet, uint32_t bits, uint32_t address)
{
    write8(w, packet);
    write16(w, bits);
    write32(w, address);
}

/* Writes packet 26 or 27. V3D ignores the tile coordinates for full-resolution loads and stores, so
 * the address in the packet selects the tile. */
static void write_full_res(struct writer *w, unsigned packet, enum render_surface which, uint32_t x,
                           uint32_t y, uint32_t bits)
{
    write8(w, packet);
    write32(w,
            (address_of(w->list, which) + FULL_RES_TILE_BYTES * (tiles_in_a_row(w->list) * y + x)) |
                bits);
}

static void write_load(struct writer *w, enum render_surface which, uint32_t x, uint32_t y)
{
    if (is_full_res(w->list, which))
        write_full_res(w, CL_LOAD_FULL_RES_TILE_BUFFER, which, x, y,
                       which == RENDER_COLOUR_READ ? FULL_NO_ZS : FULL_NO_COLOUR);
    else
        write_general(w, CL_LOAD_TILE_BUFFER_GENERAL, surface(w->list, which)->bits,
                      address_of(w->list, which));
}

/* Writes the loads of a tile. A packet with tile coordinates starts the load before it. Between two
 * loads, V3D needs a store, so this function writes a store that stores no buffer. */
static void write_loads(struct writer *w, uint32_t x, uint32_t y)
{
    struct bo *const *bos = w->list->bos;
    if (bos[RENDER_COLOUR_READ])
        write_load(w, RENDER_COLOUR_READ, x, y);
    if (bos[RENDER_COLOUR_READ] && bos[RENDER_ZS_READ]) {
        write_tile(w, x, y);
        write_general(w, CL_STORE_TILE_BUFFER_GENERAL,
                      CL_BUFFER_NONE | GENERAL_KEEP_COLOUR | GENERAL_KEEP_ZS | GENERAL_KEEP_MASK,
                      0);
    }
    if (bos[RENDER_ZS_READ])
        write_load(w, RENDER_ZS_READ, x, y);
    write_tile(w, x, y);
}

/* Writes the stores of a tile. A packet with tile coordinates is between two stores. The last store
 * clears the tile buffer. */
static void write_stores(struct writer *w, uint32_t x, uint32_t y, bool is_last_tile)
{
    static const enum render_surface order[] = {RENDER_MSAA_COLOUR_WRITE, RENDER_MSAA_ZS_WRITE,
                                                RENDER_ZS_WRITE, RENDER_COLOUR_WRITE};
    const struct render_list *list = w->list;
    struct bo *written[RENDER_SURFACES];
    unsigned left = render_list_written(list, written);
    bool is_first = true;
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        const enum render_surface which = order[i];
        if (!list->bos[which])
            continue;
        const bool is_last = --left == 0, ends_frame = is_last && is_last_tile;
        if (!is_first)
            write_tile(w, x, y);
        is_first = false;
        if (which == RENDER_COLOUR_WRITE)
            write8(w, ends_frame ? CL_STORE_MS_TILE_BUFFER_AND_EOF : CL_STORE_MS_TILE_BUFFER);
        else if (which == RENDER_ZS_WRITE)
            write_general(w, CL_STORE_TILE_BUFFER_GENERAL,
                          surface(list, which)->bits | (is_last ? 0 : GENERAL_KEEP_COLOUR),
                          address_of(list, which) | (ends_frame ? GENERAL_LAST : 0));
        else
            write_full_res(w, CL_STORE_FULL_RES_TILE_BUFFER, which, x, y,
                           (which == RENDER_MSAA_COLOUR_WRITE ? FULL_NO_ZS : FULL_NO_COLOUR) |
                               (is_last ? 0 : FULL_KEEP) | (ends_frame ? FULL_LAST : 0));
    }
}

static void draw_tile(struct writer *w, uint32_t x, uint32_t y, bool is_first, bool is_last)
{
    const struct render_list *list = w->list;
    write_loads(w, x, y);
    if (is_first && list->has_bin)
        write8(w, CL_WAIT_ON_SEMAPHORE);
    if (list->has_bin) {
        write8(w, CL_BRANCH_TO_SUB_LIST);
        write32(w, list->tile_lists + (y * list->tiles_across + x) * 32);
    }
    write_stores(w, x, y, is_last);
}

/* Writes the clear colours. The last store of a tile clears the tile buffer for the next tile. The
 * first tile has no tile before it, so this function writes a store that stores no buffer. */
static void write_clear(struct writer *w)
{
    const struct drm_vc4_submit_cl *arguments = w->list->arguments;
    write8(w, CL_CLEAR_COLORS);
    write32(w, arguments->clear_color[0]);
    write32(w, arguments->clear_color[1]);
    write32(w, arguments->clear_z);
    write8(w, arguments->clear_s);
    write_tile(w, 0, 0);
    write_general(w, CL_STORE_TILE_BUFFER_GENERAL, CL_BUFFER_NONE, 0);
}

static void write_mode(struct writer *w)
{
    const struct drm_vc4_submit_cl *arguments = w->list->arguments;
    write8(w, CL_TILE_RENDERING_MODE);
    write32(w, w->list->bos[RENDER_COLOUR_WRITE] ? address_of(w->list, RENDER_COLOUR_WRITE) : 0);
    write16(w, arguments->width);
    write16(w, arguments->height);
    write16(w, arguments->color_write.bits);
}

/* True if tiles are drawn in increasing order. A program that reads pixels while it draws them may
 * request an order. */
static bool is_increasing(const struct drm_vc4_submit_cl *arguments, uint32_t flag)
{
    return !(arguments->flags & VC4_SUBMIT_CL_FIXED_RCL_ORDER) || arguments->flags & flag;
}

uint32_t render_list_write(const struct render_list *list, uint8_t *bytes)
{
    const struct drm_vc4_submit_cl *a = list->arguments;
    struct writer w = {.list = list, .bytes = bytes};
    const uint8_t columns = (uint8_t)(a->max_x_tile - a->min_x_tile + 1),
                  rows = (uint8_t)(a->max_y_tile - a->min_y_tile + 1);
    const bool right = is_increasing(a, VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X),
               down = is_increasing(a, VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y);
    write_mode(&w);
    if (a->flags & VC4_SUBMIT_CL_USE_CLEAR_COLOR)
        write_clear(&w);
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++)
            draw_tile(&w, right ? a->min_x_tile + x : a->max_x_tile - x,
                      down ? a->min_y_tile + y : a->max_y_tile - y, !x && !y,
                      x + 1u == columns && y + 1u == rows);
    return w.used;
}
