/* SPDX-License-Identifier: MIT */
/* draw.h - draws pictures with vertex and pixel programs: a simple rasteriser, exact and slow.
 * docs/draw.md describes its rules. */
#ifndef TESSERA_DRAW_H
#define TESSERA_DRAW_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TESS_PICTURE_MOST = 16384, /* largest width and height of a picture, in pixels */
    TESS_DRAW_VARYINGS = 16,   /* varyings of a vertex, four floats each */
    TESS_DRAW_BATCH = 16384,   /* limit of pixels shaded at once; a multiple of 4 */
};

enum tess_draw_primitive {
    TESS_DRAW_POINTS,
    TESS_DRAW_LINES,
    TESS_DRAW_LINE_STRIP,
    TESS_DRAW_TRIANGLES,
    TESS_DRAW_TRIANGLE_STRIP,
    TESS_DRAW_TRIANGLE_FAN,
};

/* Finds a primitive type by its name: "points", "lines", "line-strip", "triangles", "strip", "fan".
 * primitive may be NULL. Returns false for an unknown name. */
TESS_API bool tess_draw_primitive_find(const char *name, enum tess_draw_primitive *primitive);

/* Triangles that are not drawn, by the orientation of their corners on the picture. */
enum tess_draw_cull {
    TESS_DRAW_CULL_NONE,
    TESS_DRAW_CULL_CLOCKWISE,
    TESS_DRAW_CULL_COUNTER_CLOCKWISE,
};

struct tess_draw_vertex {
    /* Window coordinates: x to the right and y down, in pixels from the picture's top left corner;
     * depth, 0 to 1, smaller is nearer; and 1/w. Or clip space, see struct tess_draw. */
    float position[4];
    float colour[4];  /* red, green, blue, 0 to 1; the fourth is ignored */
    float point_size; /* points only: side of the square, in pixels */
};

/* A pixel that a program shades. */
struct tess_draw_pixel {
    uint32_t x, y; /* from the top left corner; helpers may lie outside the picture */
    /* True for a pixel that is not covered and exists only so that its neighbours have gradients.
     * Its results are ignored. */
    bool helper;
    bool clockwise; /* triangles: corners are clockwise on the picture */
    float depth, inverse_w;
    float point[2]; /* points: position in the square, 0 to 1 from its top left corner */
};

/* Pixels that are shaded together. The pixels form quads: upper left, upper right, lower left,
 * lower right. Arrays have an element for each pixel. */
struct tess_draw_pixels {
    size_t count; /* number of pixels, a multiple of 4 */
    const struct tess_draw_pixel *pixels;
    /* Varyings, interpolated with perspective. NULL for varyings that the draw does not have. */
    const float (*varyings[TESS_DRAW_VARYINGS])[4];
    /* Results. colours is red, green, blue and initially 0. depths is initially the interpolated
     * depth. killed is 1 for pixels that are not drawn, initially 0. */
    float (*colours)[4];
    float *depths;
    uint8_t *killed;
};

/* A draw. Must be zero-initialised; members that are 0 have defaults. */
struct tess_draw {
    enum tess_draw_primitive primitive;
    enum tess_draw_cull cull;
    /* If true, positions are x, y, z, w before the division. The viewport is then the whole
     * picture, with y up. */
    bool clip_space;
    /* If true, later pixels always win. If false, the nearer pixel wins, and at equal depth the
     * later pixel. */
    bool no_depth;
    const struct tess_draw_vertex *vertices;
    size_t vertex_count;
    const uint32_t *indices; /* NULL to use all vertices in their order */
    size_t index_count;
    /* Program for pixels, called for many pixels at once in drawing order. If NULL, the colours of
     * vertices are interpolated. A result other than TESS_OK ends the drawing and becomes the
     * result of tess_picture_draw(). */
    enum tess_status (*shade)(void *user, const struct tess_draw_pixels *pixels);
    void *user;
    const float (*varyings)[4]; /* varying_count elements for each vertex, vertex by vertex */
    uint32_t varying_count;     /* 0 to TESS_DRAW_VARYINGS */
};

/* Counts of a draw's primitives and pixels. */
struct tess_draw_counts {
    uint64_t primitives; /* primitives that could be assembled */
    uint64_t skipped;    /* not drawn because of an invalid position, index or point size */
    uint64_t culled;     /* not drawn because of orientation or for lack of area */
    uint64_t no_area;    /* primitives of .culled without area */
    uint64_t clipped;    /* clipped completely: not in front of the eye, or far outside the
                            picture */
    uint64_t outside;    /* outside the picture */
    uint64_t uncovered;  /* on the picture, but without a pixel centre inside */
    uint64_t covered;    /* pixels of the picture inside primitives */
    uint64_t beyond;     /* pixels of .covered with a depth outside 0 to 1 */
    uint64_t hidden;     /* pixels of .covered that a nearer pixel hides */
    uint64_t pixels;     /* pixels written, counted each time */
    uint64_t unchanged;  /* pixels of .pixels that already had the colour */
    uint64_t shaded;     /* pixels passed to .shade, without helpers */
    uint64_t killed;     /* pixels of .shaded that were killed */
};

struct tess_picture;

/* Creates a picture of one colour: red, green, blue from 0 to 1. width and height are 1 to
 * TESS_PICTURE_MOST. The caller frees *picture with tess_picture_free(). On failure, *picture is
 * NULL, and TESS_INVALID or TESS_NO_MEMORY is returned. */
TESS_API enum tess_status tess_picture_create(uint32_t width, uint32_t height,
                                              const float background[3],
                                              struct tess_picture **picture);

/* Frees a picture. NULL is allowed. */
TESS_API void tess_picture_free(struct tess_picture *picture);

/* Draws primitives onto a picture. Primitives that cannot be drawn are left out and reported to
 * sink as warnings, once per kind. counts may be NULL. Returns TESS_INVALID or TESS_NO_MEMORY on
 * failure, or the result of .shade if that is not TESS_OK. */
TESS_API enum tess_status tess_picture_draw(struct tess_picture *picture,
                                            const struct tess_draw *draw, struct tess_sink sink,
                                            struct tess_draw_counts *counts);

/* Returns the pixels, row by row from the top: red, green, blue, 8 bits each. The picture owns
 * them. Returns NULL if picture is NULL. */
TESS_API const uint8_t *tess_picture_pixels(const struct tess_picture *picture);

/* Encodes the picture as a PNG file. The caller frees *bytes with tess_free(). On failure, *bytes
 * is NULL, and TESS_INVALID or TESS_NO_MEMORY is returned. */
TESS_API enum tess_status tess_picture_png(const struct tess_picture *picture, uint8_t **bytes,
                                           size_t *size);

/* Reads the size of a picture, in pixels, from the first bytes of a PNG file. Returns
 * TESS_BAD_INPUT if they are not those of a PNG file, TESS_INVALID if a pointer is NULL. */
TESS_API enum tess_status tess_png_size(const void *bytes, size_t size, uint32_t *width,
                                        uint32_t *height);

/* Decodes a PNG file of any kind to pixels, row by row from the top: red, green, blue, alpha, 8
 * bits each. The caller frees *rgba with tess_free(). On failure, *rgba is NULL, and TESS_INVALID,
 * TESS_BAD_INPUT or TESS_NO_MEMORY is returned. */
TESS_API enum tess_status tess_png_read(const void *bytes, size_t size, uint32_t *width,
                                        uint32_t *height, uint8_t **rgba);

#ifdef __cplusplus
}
#endif

#endif
