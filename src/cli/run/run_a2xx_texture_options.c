/* SPDX-License-Identifier: MIT */
/* run_a2xx_texture_options.c - see run_a2xx_texture_options.h. */
#include "cli/run/run_a2xx_texture_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* A keyword and its hardware value. */
struct word {
    const char *text;
    uint32_t value;
};

static const struct word filters[] = {{"point", 0}, {"linear", 1}, {NULL, 0}};
static const struct word mip_filters[] = {{"point", 0}, {"linear", 1}, {"base", 2}, {NULL, 0}};
static const struct word wraps[] = {
    /* clang-format off */
    {"repeat",      0},
    {"mirror",      1},
    {"clamp",       2},
    {"mirror-once", 3},
    {"half-border", 4},
    {"border",      6},
    {NULL,          0},
    /* clang-format on */
};
static const struct word signs[] = {
    /* clang-format off */
    {"unsigned", 0},
    {"signed",   1},
    {"biased",   2},
    {"gamma",    3},
    {NULL,       0},
    /* clang-format on */
};

static bool find_word(const struct word *words, const char *text, uint32_t *value)
{
    for (; words->text; words++) {
        if (strcmp(words->text, text) != 0)
            continue;
        *value = words->value;
        return true;
    }
    return false;
}

static bool take_filter(struct a2xx_texture_options *options, const char *value)
{
    return find_word(filters, value, &options->texture.mag) &&
           find_word(filters, value, &options->texture.min);
}

static bool take_mag(struct a2xx_texture_options *options, const char *value)
{
    return find_word(filters, value, &options->texture.mag);
}

static bool take_min(struct a2xx_texture_options *options, const char *value)
{
    return find_word(filters, value, &options->texture.min);
}

static bool take_mip(struct a2xx_texture_options *options, const char *value)
{
    options->has_mip = true;
    return find_word(mip_filters, value, &options->texture.mip);
}

static bool take_wrap(struct a2xx_texture_options *options, const char *value)
{
    for (unsigned i = 0; i < 3; i++)
        if (!find_word(wraps, value, &options->texture.clamp[i]))
            return false;
    return true;
}

static bool take_wrap_s(struct a2xx_texture_options *options, const char *value)
{
    return find_word(wraps, value, &options->texture.clamp[0]);
}

static bool take_wrap_t(struct a2xx_texture_options *options, const char *value)
{
    return find_word(wraps, value, &options->texture.clamp[1]);
}

static bool take_wrap_r(struct a2xx_texture_options *options, const char *value)
{
    return find_word(wraps, value, &options->texture.clamp[2]);
}

static bool take_border(struct a2xx_texture_options *options, const char *value)
{
    options->texture.white_border = strcmp(value, "white") == 0;
    return options->texture.white_border || strcmp(value, "black") == 0;
}

static bool take_sign(struct a2xx_texture_options *options, const char *value)
{
    for (unsigned i = 0; i < 4; i++)
        if (!find_word(signs, value, &options->texture.sign[i]))
            return false;
    return true;
}

static bool take_swizzle(struct a2xx_texture_options *options, const char *value)
{
    static const char letters[] = "xyzw01";
    options->texture.swizzled = true;
    for (unsigned i = 0; i < 4; i++) {
        const char *found = value[i] ? strchr(letters, value[i]) : NULL;
        if (!found)
            return false;
        options->texture.swizzle[i] = (uint32_t)(found - letters);
    }
    return value[4] == 0;
}

static bool take_format(struct a2xx_texture_options *options, const char *value)
{
    return tess_a2xx_format_find(value, options->texture.variant, &options->texture.format);
}

static bool take_pitch(struct a2xx_texture_options *options, const char *value)
{
    uint64_t pitch;
    options->texture.pitch = cli_number(value, &pitch) && pitch < 16384 ? (uint32_t)pitch : 0;
    return options->texture.pitch != 0 && options->texture.pitch % 32 == 0;
}

static bool take_bias(struct a2xx_texture_options *options, const char *value)
{
    char *end;
    double bias = strtod(value, &end);
    bool good = *value && !*end && bias >= -16 && bias < 16;
    options->texture.lod_bias = good ? (int32_t)(bias * 32) : 0;
    return good;
}

static bool take_tiled(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    return options->texture.tiled = true;
}

static bool take_whole(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    return options->texture.whole_numbers = true;
}

static bool take_mips(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    return options->mips = true;
}

static bool take_flip(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    return options->flip = true;
}

static bool take_1d(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    options->texture.dimension = A2XX_DIMENSION_1D;
    return true;
}

static bool take_cube(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    options->texture.dimension = A2XX_DIMENSION_CUBE;
    return true;
}

static bool take_volume(struct a2xx_texture_options *options, const char *value)
{
    (void)value;
    options->texture.dimension = A2XX_DIMENSION_3D;
    return true;
}

/* The options. wants describes the valid values, or is NULL if the option has no value. */
static const struct texture_option {
    const char *name, *wants;
    bool (*take)(struct a2xx_texture_options *options, const char *value);
} texture_options[] = {
    /* clang-format off */
    /* clang-format off */
    {"format",  "a format such as 8_8_8_8 or 5_6_5",                         take_format},
    {"filter",  "point or linear",                                           take_filter},
    {"mag",     "point or linear",                                           take_mag},
    {"min",     "point or linear",                                           take_min},
    {"mip",     "point, linear or base",                                     take_mip},
    {"wrap",    "repeat, mirror, clamp, mirror-once, half-border or border", take_wrap},
    {"wrap-s",  "repeat, mirror, clamp, mirror-once, half-border or border", take_wrap_s},
    {"wrap-t",  "repeat, mirror, clamp, mirror-once, half-border or border", take_wrap_t},
    {"wrap-r",  "repeat, mirror, clamp, mirror-once, half-border or border", take_wrap_r},
    {"border",  "black or white",                                            take_border},
    {"sign",    "unsigned, signed, biased or gamma",                         take_sign},
    {"swizzle", "four letters of x, y, z, w, 0, 1",                          take_swizzle},
    {"pitch",   "a multiple of 32 texels",                                   take_pitch},
    {"bias",    "a number from -16 to below 16",                             take_bias},
    {"tiled",   NULL,                                                        take_tiled},
    {"whole",   NULL,                                                        take_whole},
    {"mips",    NULL,                                                        take_mips},
    {"flip",    NULL,                                                        take_flip},
    {"1d",      NULL,                                                        take_1d},
    {"cube",    NULL,                                                        take_cube},
    {"volume",  NULL,                                                        take_volume},
    /* clang-format on */
    /* clang-format on */
};

enum { TEXTURE_OPTIONS = sizeof texture_options / sizeof texture_options[0] };

bool a2xx_texture_option_take(struct a2xx_texture_options *options, char *text, char *mistake,
                              size_t size)
{
    char *value = strchr(text, '=');
    if (value)
        *value++ = 0;
    for (size_t i = 0; i < TEXTURE_OPTIONS; i++) {
        const struct texture_option *option = &texture_options[i];
        if (strcmp(option->name, text) != 0)
            continue;
        if (!option->wants == !value && option->take(options, value))
            return true;
        snprintf(mistake, size, option->wants ? "%s must be %s" : "%s takes no value", option->name,
                 option->wants ? option->wants : "");
        return false;
    }
    size_t length = (size_t)snprintf(mistake, size, "unknown option '%.40s'; expected one of",
                                     text);
    for (size_t i = 0; i < TEXTURE_OPTIONS && length < size; i++)
        length += (size_t)snprintf(mistake + length, size - length, " %s", texture_options[i].name);
    return false;
}
