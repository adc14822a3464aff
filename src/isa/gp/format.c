/* SPDX-License-Identifier: MIT */
/* format.c - names and sizes of the attribute formats in memory.
 *
 * Source: Mesa 22.3.6, src/gallium/drivers/lima/lima_draw.c, lima_pipe_format_to_attrib_type()
 *         (codes); docs/hardware/utgard.md, section 15. */
#include <string.h>

#include <tessera/utgard.h>

static const struct {
    enum tess_gp_format format;
    const char *name;
    size_t size; /* bytes per component */
} formats[] = {
    /* clang-format off */
    {TESS_GP_F32,   "f32",   4},
    {TESS_GP_I32,   "i32",   4},
    {TESS_GP_U32,   "u32",   4},
    {TESS_GP_F16,   "f16",   2},
    {TESS_GP_I16,   "i16",   2},
    {TESS_GP_U16,   "u16",   2},
    {TESS_GP_I8,    "i8",    1},
    {TESS_GP_U8,    "u8",    1},
    {TESS_GP_I8N,   "i8n",   1},
    {TESS_GP_U8N,   "u8n",   1},
    {TESS_GP_I16N,  "i16n",  2},
    {TESS_GP_U16N,  "u16n",  2},
    {TESS_GP_I32N,  "i32n",  4},
    {TESS_GP_U32N,  "u32n",  4},
    {TESS_GP_FIXED, "fixed", 4},
    /* clang-format on */
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

bool tess_gp_format_find(const char *name, enum tess_gp_format *format)
{
    for (size_t i = 0; name && i < FORMATS; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            if (format)
                *format = formats[i].format;
            return true;
        }
    }
    return false;
}

const char *tess_gp_format_name(enum tess_gp_format format)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].format == format)
            return formats[i].name;
    return NULL;
}

size_t tess_gp_format_size(enum tess_gp_format format)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].format == format)
            return formats[i].size;
    return 0;
}
