/* SPDX-License-Identifier: MIT */
/* run_a2xx_textures.c - see run_a2xx_textures.h.
 *
 * Choices: a box filter computes each mipmap level from the unrounded values of the previous level.
 *          Values are rounded to the texture's format only when a level is stored. */
#include "cli/run/run_a2xx_textures.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/draw.h>

#include "cli/cli.h"
#include "cli/input_file.h"
#include "cli/run/run_a2xx_texture_options.h"

enum {
    FIRST_ADDRESS = (int)0x80000000,
    PAGE = 4096,
    MOST_FILES = 64,
    MOST_PNG = 256 << 20,
    FACES = 6,
};

/* State while a texture is created. */
struct making {
    struct a2xx_textures *textures;
    const char *argument;
    uint32_t number;
    struct a2xx_texture_options options;
    char *files; /* copy of argument, split in place into the strings of paths */
    const char *paths[MOST_FILES];
    uint32_t path_count;
    /* Size of the current level. depth is the number of layers of a volume or faces of a cube. */
    uint32_t width, height, depth;
    float (*texels)[4]; /* values of the current level */
};

static bool refuse(const struct making *making, const char *mistake)
{
    return cli_refuse(making->textures->title, "--texture %s: %s", making->argument, mistake);
}

static bool no_memory(const struct making *making)
{
    return cli_no_memory(making->textures->title);
}

/* --- arguments --- */

static bool find_number(struct making *making, const char *text)
{
    uint64_t number;
    for (unsigned i = 0; i < 2; i++) {
        const struct tess_a2xx_symbol *symbol = tess_a2xx_program_find(
            making->textures->programs[i], TESS_A2XX_SAMPLER, text);
        if (!symbol)
            continue;
        making->number = symbol->number;
        return true;
    }
    if (!cli_number(text, &number) || number >= A2XX_TEXTURES)
        return refuse(making, "unknown sampler; expected the name of a sampler, or 0 to 31");
    making->number = (uint32_t)number;
    return true;
}

/* Splits FILE+FILE+... into paths. Returns false after an error message. */
static bool take_files(struct making *making, char *files)
{
    char *at = files;
    while (at) {
        char *plus = strchr(at, '+');
        if (plus)
            *plus++ = 0;
        if (making->path_count == MOST_FILES)
            return refuse(making, "more than 64 files");
        if (!*at)
            return refuse(making, "missing file name");
        making->paths[making->path_count++] = at;
        at = plus;
    }
    return true;
}

static bool parse(struct making *making)
{
    char mistake[300];
    making->files = strdup(making->argument);
    char *equals = making->files ? strchr(making->files, '=') : NULL;
    if (!making->files)
        return no_memory(making);
    if (!equals)
        return refuse(making, "expected NAME=FILE.png");
    *equals++ = 0;
    char *options = strchr(equals, ',');
    if (options)
        *options++ = 0;
    if (!find_number(making, making->files) || !take_files(making, equals))
        return false;
    while (options) {
        char *next = strchr(options, ',');
        if (next)
            *next++ = 0;
        if (!a2xx_texture_option_take(&making->options, options, mistake, sizeof mistake))
            return refuse(making, mistake);
        options = next;
    }
    return true;
}

/* --- texels --- */

#define SIZES "sizes are at most 8192, for volumes 2048 with 1024 layers"

/* Checks the size in a file's header before memory is allocated for its pixels. Returns false after
 * an error message. */
static bool check_size(const struct making *making, uint32_t layer, const uint8_t *file,
                       size_t size)
{
    enum { MOST_SIDE = 8192, MOST_TEXELS = 1 << 27 };
    uint32_t width, height;
    if (tess_png_size(file, size, &width, &height) != TESS_OK)
        return refuse(making, "not a PNG file");
    if (width <= MOST_SIDE && height <= MOST_SIDE &&
        (uint64_t)width * height * making->path_count <= MOST_TEXELS)
        return true;
    char mistake[PATH_MAX + 128];
    snprintf(mistake, sizeof mistake, "%s has %u x %u pixels: " SIZES, making->paths[layer], width,
             height);
    return refuse(making, mistake);
}

/* Reads a file's pixels as one layer. Layer 0 determines the size of all layers. Returns false
 * after an error message. */
static bool read_layer(struct making *making, uint32_t layer)
{
    uint8_t *file, *rgba;
    size_t size;
    uint32_t width, height;
    if (!input_file_read(making->paths[layer], MOST_PNG, making->textures->sink, &file, &size))
        return false;
    if (!check_size(making, layer, file, size)) {
        free(file);
        return false;
    }
    enum tess_status status = tess_png_read(file, size, &width, &height, &rgba);
    free(file);
    if (status != TESS_OK)
        return refuse(making, "not a PNG file");
    if (layer == 0) {
        making->width = width;
        making->height = height;
        making->depth = making->path_count;
        making->texels = calloc((size_t)width * height * making->depth, sizeof *making->texels);
    }
    bool good = making->texels && width == making->width && height == making->height;
    for (size_t i = 0; good && i < (size_t)width * height; i++) {
        size_t y = making->options.flip ? height - 1 - i / width : i / width;
        float *to = making->texels[((size_t)layer * height + y) * width + i % width];
        for (unsigned c = 0; c < 4; c++)
            to[c] = (float)rgba[4 * i + c] / 255;
    }
    tess_free(rgba);
    if (!making->texels)
        return no_memory(making);
    return good || refuse(making, "the files differ in size");
}

static uint32_t half(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

/* Computes the mean of the texels that one texel of the next level covers. */
static void average(const struct making *making, uint32_t x, uint32_t y, uint32_t z,
                    uint32_t layers, float out[4])
{
    uint32_t columns = making->width > 1 ? 2 : 1, rows = making->height > 1 ? 2 : 1;
    float count = (float)(columns * rows * layers);
    memset(out, 0, 4 * sizeof *out);
    for (uint32_t i = 0; i < columns * rows * layers; i++) {
        size_t from_x = x * columns + i % columns, from_y = y * rows + i / columns % rows;
        size_t from_z = z * layers + i / (columns * rows);
        const float *from =
            making->texels[(from_z * making->height + from_y) * making->width + from_x];
        for (unsigned c = 0; c < 4; c++)
            out[c] += from[c] / count;
    }
}

static bool next_level(struct making *making)
{
    bool volume = making->options.texture.dimension == A2XX_DIMENSION_3D;
    uint32_t layers = volume && making->depth > 1 ? 2 : 1;
    uint32_t width = half(making->width), height = half(making->height);
    uint32_t depth = making->depth / layers;
    float(*texels)[4] = calloc((size_t)width * height * depth, sizeof *texels);
    if (!texels)
        return no_memory(making);
    for (uint32_t i = 0; i < width * height * depth; i++)
        average(making, i % width, i / width % height, i / (width * height), layers, texels[i]);
    free(making->texels);
    making->texels = texels;
    making->width = width;
    making->height = height;
    making->depth = depth;
    return true;
}

/* --- memory --- */

static bool describe(struct making *making)
{
    struct tess_a2xx_texture *texture = &making->options.texture;
    bool volume = texture->dimension == A2XX_DIMENSION_3D,
         cube = texture->dimension == A2XX_DIMENSION_CUBE;
    if (cube && making->path_count != FACES)
        return refuse(making, "a cube needs six files: +x, -x, +y, -y, +z, -z");
    if (!cube && !volume && making->path_count != 1)
        return refuse(making, "several files need the option cube or volume");
    if (texture->dimension == A2XX_DIMENSION_1D && making->height != 1)
        return refuse(making, "1d needs a picture of one row");
    texture->width = making->width;
    texture->height = making->height;
    texture->depth = volume ? making->depth : 0;
    texture->levels = 1;
    uint32_t longest = making->width > making->height ? making->width : making->height;
    longest = volume && making->depth > longest ? making->depth : longest;
    for (; making->options.mips && longest > 1; longest /= 2)
        texture->levels++;
    if (!making->options.has_mip)
        texture->mip = making->options.mips ? 1 : 2;
    return true;
}

static bool fill_level(struct making *making, uint32_t level, uint8_t *to, size_t size)
{
    for (size_t i = 0; i < (size_t)making->width * making->height * making->depth; i++) {
        uint32_t x = (uint32_t)(i % making->width);
        uint32_t y = (uint32_t)(i / making->width % making->height);
        uint32_t z = (uint32_t)(i / ((size_t)making->width * making->height));
        uint8_t bytes[16];
        size_t count = tess_a2xx_format_pack(making->options.texture.format,
                                             making->textures->variant, false, true,
                                             making->texels[i], bytes);
        size_t at = tess_a2xx_texture_offset(&making->options.texture, level, x, y, z);
        if (count == 0 || at > size || size - at < count)
            return refuse(making, "pictures cannot be stored in this format");
        memcpy(to + at, bytes, count);
    }
    return true;
}

/* Allocates host memory for a texture's bytes and a range of GPU addresses. Returns NULL if the
 * host memory or the addresses are exhausted. */
static uint8_t *make_room(struct making *making, size_t size, uint32_t *address)
{
    struct a2xx_textures *textures = making->textures;
    uint64_t wanted = (size / PAGE + 2) * PAGE;
    if (!textures->next)
        textures->next = (uint32_t)FIRST_ADDRESS;
    if (textures->next + wanted > UINT32_MAX)
        return NULL;
    *address = textures->next;
    textures->next += (uint32_t)wanted;
    return calloc(1, size);
}

static bool upload(struct making *making)
{
    struct a2xx_textures *textures = making->textures;
    size_t base, mips;
    uint32_t words[6];
    /* One allocation holds the base level and, from the next page on, the other levels. Here, PAGE
     * is a placeholder address with which the constant can be checked. */
    making->options.texture.mip_address = PAGE;
    if (tess_a2xx_texture_constant(&making->options.texture, words) != TESS_OK)
        return refuse(making, "the hardware does not support this texture: " SIZES);
    tess_a2xx_texture_size(&making->options.texture, &base, &mips);
    size_t second = (base + PAGE - 1) / PAGE * PAGE, all = second + mips;
    uint8_t *bytes = make_room(making, all, &making->options.texture.address);
    if (!bytes)
        return no_memory(making);
    textures->bytes[making->number] = bytes;
    making->options.texture.mip_address = making->options.texture.address + (uint32_t)second;
    bool good = fill_level(making, 0, bytes, base);
    for (uint32_t level = 1; level < making->options.texture.levels && good; level++)
        good = next_level(making) && fill_level(making, level, bytes + second, mips);
    if (!good)
        return false;
    if (tess_a2xx_texture_constant(&making->options.texture, words) != TESS_OK ||
        tess_a2xx_map(textures->a2xx, making->options.texture.address, bytes, all, false) !=
            TESS_OK ||
        tess_a2xx_set_fetch(textures->a2xx, 6 * making->number, words, 6) != TESS_OK)
        return no_memory(making);
    return true;
}

/* --- all textures --- */

static bool take_texture(struct a2xx_textures *textures, const char *argument)
{
    struct making making = {
        .textures = textures,
        .argument = argument,
        .options = {.texture = {.variant = textures->variant,
                                .dimension = A2XX_DIMENSION_2D,
                                .mag = 1,
                                .min = 1}},
    };
    tess_a2xx_format_find("8_8_8_8", textures->variant, &making.options.texture.format);
    bool good = parse(&making);
    if (good && textures->bytes[making.number])
        good = refuse(&making, "the texture is given twice");
    for (uint32_t i = 0; i < making.path_count && good; i++)
        good = read_layer(&making, i);
    good = good && describe(&making) && upload(&making);
    free(making.files);
    free(making.texels);
    return good;
}

bool a2xx_textures_take(struct a2xx_textures *textures, const struct option_list *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (!take_texture(textures, arguments->items[i]))
            return false;
    return true;
}

/* Returns the name of a texture's sampler in the source, or NULL if the source names no sampler for
 * the texture. */
static const char *sampler_name(const struct tess_a2xx_program *program, uint32_t number)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == TESS_A2XX_SAMPLER && number - symbol->number < symbol->count)
            return symbol->name;
    return NULL;
}

void a2xx_textures_check(const struct a2xx_textures *textures,
                         const struct tess_a2xx_program *program, const char *file)
{
    uint32_t sampled = program ? tess_a2xx_program_textures(program) : 0;
    for (uint32_t i = 0; i < A2XX_TEXTURES; i++) {
        char text[200], hint[120];
        if (!(sampled >> i & 1) || textures->bytes[i])
            continue;
        const char *name = sampler_name(program, i);
        snprintf(text, sizeof text, "texture %u%s%s%s is sampled but not given", (unsigned)i,
                 name ? " of sampler '" : "", name ? name : "", name ? "'" : "");
        if (name)
            snprintf(hint, sizeof hint, "give it with --texture %s=FILE.png", name);
        else
            snprintf(hint, sizeof hint, "give it with --texture %u=FILE.png", (unsigned)i);
        const struct tess_finding diag = {.level = TESS_WARNING,
                                          .id = "run-texture-missing",
                                          .text = text,
                                          .hint = hint,
                                          .file = file};
        if (textures->sink.report)
            textures->sink.report(textures->sink.user, &diag);
    }
}

bool a2xx_textures_check_vertices(const struct a2xx_textures *textures,
                                  const struct tess_a2xx_program *program, const char *file)
{
    const struct tess_a2xx_vertex_fetch *fetch;
    for (size_t i = 0; (fetch = tess_a2xx_program_fetch(program, i)) != NULL; i++) {
        char text[120];
        if (!textures->bytes[fetch->constant / 3])
            continue;
        snprintf(text, sizeof text,
                 "texture %u occupies the same constant as the program's vertex constant %u",
                 (unsigned)fetch->constant / 3, (unsigned)fetch->constant);
        const struct tess_finding diag = {.level = TESS_ERROR,
                                          .id = "run-overlap",
                                          .text = text,
                                          .hint = "give the texture another number",
                                          .file = file};
        if (textures->sink.report)
            textures->sink.report(textures->sink.user, &diag);
        return false;
    }
    return true;
}

void a2xx_textures_free(struct a2xx_textures *textures)
{
    for (uint32_t i = 0; i < A2XX_TEXTURES; i++)
        free(textures->bytes[i]);
    *textures = (struct a2xx_textures){0};
}
