/* SPDX-License-Identifier: MIT */
/* images.c - compares textures with the frames that the scene stores. Finds frames that are stored
 * over a texture that the frame's shaders read, and textures that are read in a different
 * format from the one in which they were stored.
 *
 * In:       the first two texture parameters; the stores of the scene's lists, in order.
 * Left out: texel sizes other than 16 and 32 bits; mipmap levels above 0. If several lists draw
 *           with one program, only the first of these lists is considered.
 * Source:   manual, table 18; Mesa vc4_tiling.c (LT-format). */
#include "isa/cl/images.h"
#include "check/qpu/qpu_walk.h"
#include "isa/cl/image.h"
#include "isa/cl/overlap.h"
#include "isa/cl/texture_words.h"

enum { RGBX8888 = 1, RGB565 = 4, RGBA32R = 16, LT_UTILES = 4 };

/* Computes the memory range of a texture from its first two parameters. Returns false if the
 * texture has a type that frames cannot have. */
static bool read_texture(const uint32_t word[2], struct cl_use *texture)
{
    const uint32_t type = texture_type(word);
    const uint32_t width = texture_size(TEXTURE_READ(word, TEXTURE, WIDTH));
    const uint32_t height = texture_size(TEXTURE_READ(word, TEXTURE, HEIGHT));
    struct cl_image image;
    if (type > RGB565 && type != RGBA32R)
        return false;
    texture->bits = type <= RGBX8888 || type == RGBA32R ? 32 : 16;
    cl_image_size(&image, CL_IMAGE_RASTER, width, height, texture->bits);
    bool small = width <= LT_UTILES * image.utile_width || height <= LT_UTILES * image.utile_height;
    texture->format = type == RGBA32R ? CL_IMAGE_RASTER : small ? CL_IMAGE_LT : CL_IMAGE_T;
    cl_image_size(&image, texture->format, width, height, texture->bits);
    texture->whole = texture_address(word);
    texture->address = texture->whole & UINT32_C(0x3fffffff);
    texture->size = texture->whole_size = image.bytes;
    return true;
}

/* Returns the list that renders the output of a binning list: the first list after it that stores a
 * frame, or 0 if no list does. */
static uint32_t rendering_list(const struct check_input *input, uint32_t binning)
{
    for (size_t i = 0; i < input->stored_count; i++)
        if (input->stored[i].list > binning)
            return input->stored[i].list;
    return 0;
}

/* Sets *texture to the texture that the write requests in a fragment shader of a list, and returns
 * true. */
static bool requested(const struct walk *walk, struct cl_use *texture)
{
    const struct check_entry *entry = &walk->checker->entry;
    uint32_t words[PARAMETERS_MAX];
    *texture = (struct cl_use){.kind = CL_USE_TEXTURE, .threads = CL_BY_RENDERER};
    return entry->list && entry->kind == TESS_SHADER_FRAGMENT && walk_texture(walk, words) &&
           read_texture(words, texture);
}

/* Finds a frame that the list of the request stores over the texture. */
static bool is_overwritten(const struct walk *walk, const struct cl_use *texture,
                           struct cl_overlap *overlap)
{
    const struct check_input *input = walk->checker->input;
    uint32_t list = rendering_list(input, walk->checker->entry.list);
    for (size_t i = 0; i < input->stored_count && list; i++) {
        if (input->stored[i].list != list)
            continue;
        *overlap = cl_overlap_pair(&input->stored[i].use, texture);
        if (overlap->kind == CL_OVERLAP_BROKEN)
            return true;
    }
    return false;
}

void qpu_check_overwritten(const struct walk *walk)
{
    struct cl_use texture;
    struct cl_overlap overlap;
    char text[400];
    if (!requested(walk, &texture) || !is_overwritten(walk, &texture, &overlap))
        return;
    cl_overlap_text(text, sizeof text, &overlap);
    FOUND(walk, CHECK_TEXTURE_FRAME, CHECK_NONE, 0, "%s", text);
}

/* Compares the texture with the last frame that an earlier list has stored at the texture's
 * address. */
void qpu_check_stored_format(const struct walk *walk)
{
    const struct check_input *input = walk->checker->input;
    uint32_t list = walk->checker->entry.list;
    const struct cl_use *latest = NULL;
    struct cl_use texture;
    struct cl_overlap overlap;
    char text[400];
    if (!requested(walk, &texture) || !rendering_list(input, list))
        return;
    for (size_t i = 0; i < input->stored_count && input->stored[i].list < list; i++)
        if (input->stored[i].use.kind == CL_USE_FRAME &&
            input->stored[i].use.address == texture.address)
            latest = &input->stored[i].use;
    const struct cl_view view = {texture.whole, texture.format, texture.bits, 0};
    if (latest && cl_view_differs(latest, &view, text, sizeof text) &&
        !is_overwritten(walk, &texture, &overlap))
        FOUND(walk, CHECK_TEXTURE_STORED, CHECK_NONE, 0, "the texture is read %s", text);
}
