/* SPDX-License-Identifier: MIT */
/* draw.h - pictures of what vertex and pixel programs compute: a plain rasteriser, exact and slow. docs/draw.md says what it
 * draws. */
#ifndef TESSERA_DRAW_H
#define TESSERA_DRAW_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TESS_PICTURE_MOST = 16384, /* pixels in a row or a column */
    TESS_DRAW_VARYINGS = 16,   /* of a vertex, four numbers each */
    TESS_DRAW_BATCH = 16384,   /* pixels that are shaded at once, at most; a multiple of 4 */
};

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

/* A pixel that a program is to colour. */
struct tess_draw_pixel {
    uint32_t x, y; /* from the top left corner; those of helpers may lie beyond the picture */
    bool
        helper; /* not covered: only shows its neighbours how values change; what it gives does not count */
    bool clockwise; /* of triangles: the way round that they are seen */
    float depth, inverse_w;
    float point[2]; /* of points: where in the square, 0 to 1 from its top left corner */
};

/* Pixels that are shaded together. They come in fours: upper left, upper right, lower left, lower right. Arrays have an element for
 * each. */
struct tess_draw_pixels {
    size_t count; /* a multiple of 4 */
    const struct tess_draw_pixel *pixels;
    const float (
        *varyings[TESS_DRAW_VARYINGS])[4]; /* interpolated in perspective; NULL: not there */
    /* To be set: red, green, blue, which are 0 before; depth, if it is to be another; 1 for what is not to be drawn. */
    float (*colours)[4];
    float *depths;
    uint8_t *killed;
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
    /* A program for pixels: it is called for many pixels at once, in the order of drawing. Without, the colours of vertices are
     * interpolated. What is not TESS_OK ends the drawing, and is its result. */
    enum tess_status (*shade)(void *user, const struct tess_draw_pixels *pixels);
    void *user;
    const float (*varyings)[4]; /* varying_count of each vertex, one vertex behind the other */
    uint32_t varying_count;     /* up to TESS_DRAW_VARYINGS */
};

/* What became of it. */
struct tess_draw_counts {
    uint64_t primitives; /* whole ones */
    uint64_t skipped;    /* a position, or an index, cannot be drawn */
    uint64_t culled;     /* by the way round, or without area */
    uint64_t no_area;    /* of .culled: without area */
    uint64_t clipped;    /* nothing is left of them in front of the eye, or near the picture */
    uint64_t outside;    /* of the picture */
    uint64_t uncovered;  /* on the picture, but with no centre of a pixel inside */
    uint64_t covered;    /* pixels of the picture inside of primitives */
    uint64_t beyond;     /* of .covered: the depth is not within 0 to 1 */
    uint64_t hidden;     /* of .covered: something nearer has been drawn */
    uint64_t pixels;     /* written, some more than once */
    uint64_t unchanged;  /* of .pixels: with the colour that was there */
    uint64_t shaded;     /* given to .shade, without helpers */
    uint64_t killed;     /* of these */
};

struct tess_picture;

/* Makes a picture of one colour, red, green, blue from 0 to 1. Errors: TESS_INVALID (a size that is 0 or above
 * TESS_PICTURE_MOST), TESS_NO_MEMORY; *picture is NULL then. */
TESS_API enum tess_status tess_picture_create(uint32_t width, uint32_t height,
                                              const float background[3],
                                              struct tess_picture **picture);
TESS_API void tess_picture_free(struct tess_picture *picture);

/* Draws. What cannot be drawn is left out, and a finding; findings are warnings, one of a kind. counts may be NULL. Errors:
 * TESS_INVALID, TESS_NO_MEMORY, what .shade returns. */
TESS_API enum tess_status tess_picture_draw(struct tess_picture *picture,
                                            const struct tess_draw *draw, struct tess_sink sink,
                                            struct tess_draw_counts *counts);

/* The pixels, row by row from the top, red, green, blue, 8 bits each. They belong to the picture. */
TESS_API const uint8_t *tess_picture_pixels(const struct tess_picture *picture);

/* The picture as a PNG file, which the caller frees with tess_free(). Errors: TESS_NO_MEMORY. */
TESS_API enum tess_status tess_picture_png(const struct tess_picture *picture, uint8_t **bytes,
                                           size_t *size);

/* The size that a PNG file says it has, from its first bytes. Errors: TESS_INVALID, TESS_BAD_INPUT if it is no PNG file. */
TESS_API enum tess_status tess_png_size(const void *bytes, size_t size, uint32_t *width,
                                        uint32_t *height);

/* Reads a PNG file of any kind as pixels, row by row from the top, red, green, blue, alpha, 8 bits each, which the caller
 * frees with tess_free(). Errors: TESS_INVALID, TESS_BAD_INPUT, TESS_NO_MEMORY; *rgba is NULL then. */
TESS_API enum tess_status tess_png_read(const void *bytes, size_t size, uint32_t *width,
                                        uint32_t *height, uint8_t **rgba);

#ifdef __cplusplus
}
#endif

#endif
