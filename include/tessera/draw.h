/* SPDX-License-Identifier: MIT */
/* draw.h - pictures of what vertex programs compute: a plain rasteriser, exact and slow. docs/draw.md says what it draws. */
#ifndef TESSERA_DRAW_H
#define TESSERA_DRAW_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TESS_PICTURE_MOST = 16384 /* pixels in a row or a column */ };

enum tess_draw_primitive {
    TESS_DRAW_POINTS,
    TESS_DRAW_LINES,
    TESS_DRAW_LINE_STRIP,
    TESS_DRAW_TRIANGLES,
    TESS_DRAW_TRIANGLE_STRIP,
    TESS_DRAW_TRIANGLE_FAN,
};

/* Looks up a primitive by its name: "points", "lines", "line-strip", "triangles", "strip", "fan". False if there is
 * none; primitive may be NULL. */
TESS_API bool tess_draw_primitive_find(const char *name, enum tess_draw_primitive *primitive);

/* Which triangles are left out, by the way round that they are seen on the picture. */
enum tess_draw_cull {
    TESS_DRAW_CULL_NONE,
    TESS_DRAW_CULL_CLOCKWISE,
    TESS_DRAW_CULL_COUNTER_CLOCKWISE,
};

struct tess_draw_vertex {
    /* In pixels from the picture's top left corner, x to the right and y down; depth, 0 to 1, less is nearer; and 1/w. Or
     * clip space, see struct tess_draw. */
    float position[4];
    float colour[4];  /* red, green, blue, 0 to 1; the fourth does not count */
    float point_size; /* of points: the side of a square, in pixels */
};

/* What to draw. Zero every member that you do not care about. */
struct tess_draw {
    enum tess_draw_primitive primitive;
    enum tess_draw_cull cull;
    bool
        clip_space; /* positions are x, y, z, w before the division; the whole picture is the viewport, y up */
    bool no_depth; /* later ones always win; else the nearer one, at the same depth the later one */
    const struct tess_draw_vertex *vertices;
    size_t vertex_count;
    const uint32_t *indices; /* NULL: all vertices in their order */
    size_t index_count;
};

/* What became of it. */
struct tess_draw_counts {
    uint64_t primitives; /* whole ones */
    uint64_t skipped;    /* a position, or an index, cannot be drawn */
    uint64_t culled;     /* by the way round, or without area */
    uint64_t pixels;     /* written, some more than once */
};

struct tess_picture;

/* Makes a picture of one colour, red, green, blue from 0 to 1. Errors: TESS_INVALID (a size that is 0 or above
 * TESS_PICTURE_MOST), TESS_NO_MEMORY; *picture is NULL then. */
TESS_API enum tess_status tess_picture_create(uint32_t width, uint32_t height,
                                              const float background[3],
                                              struct tess_picture **picture);
TESS_API void tess_picture_free(struct tess_picture *picture);

/* Draws. What cannot be drawn is left out, and a finding; findings are warnings, one of a kind. counts may be NULL. Errors:
 * TESS_INVALID. */
TESS_API enum tess_status tess_picture_draw(struct tess_picture *picture,
                                            const struct tess_draw *draw, struct tess_sink sink,
                                            struct tess_draw_counts *counts);

/* The pixels, row by row from the top, red, green, blue, 8 bits each. They belong to the picture. */
TESS_API const uint8_t *tess_picture_pixels(const struct tess_picture *picture);

/* The picture as a PNG file, which the caller frees with tess_free(). Errors: TESS_NO_MEMORY. */
TESS_API enum tess_status tess_picture_png(const struct tess_picture *picture, uint8_t **bytes,
                                           size_t *size);

#ifdef __cplusplus
}
#endif

#endif
