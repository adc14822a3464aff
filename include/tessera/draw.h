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
    TESS_DRAW_VARYINGS = 16,   /* largest number of varyings of a vertex; each has four floats */
    TESS_DRAW_BATCH = 16384,   /* largest number of pixels that are shaded at once; a multiple of
                                * 4 */
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

/* Orientation of the triangles that are not drawn: the order of their corners as seen on the
 * picture. */
enum tess_draw_cull {
    TESS_DRAW_CULL_NONE,
    TESS_DRAW_CULL_CLOCKWISE,
    TESS_DRAW_CULL_COUNTER_CLOCKWISE,
};

struct tess_draw_vertex {
    /* Window coordinates: x to the right and y down, in pixels from the picture's top left corner;
     * depth from 0 to 1, where smaller values are nearer; and 1/w. If .clip_space of struct
     * tess_draw is true, clip-space coordinates x, y, z, w. */
    float position[4];
    float colour[4];  /* red, green, blue, 0 to 1; the fourth is ignored */
    float point_size; /* points only: side of the square, in pixels */
};

/* A pixel that a program shades. */
struct tess_draw_pixel {
    uint32_t x, y; /* pixels from the picture's top left corner; helpers may be outside of the
                    * picture */
    /* True for a pixel that is not covered and exists only so that its neighbours have gradients.
     * Its results are ignored. */
    bool helper;
    bool clockwise; /* for triangles, true if the corners are clockwise on the picture */
    float depth, inverse_w;
    float point[2]; /* for points, position in the square, 0 to 1 from the square's top left
                     * corner */
};

/* Pixels that are shaded together. The pixels form quads: upper left, upper right, lower left,
 * lower right. Arrays have an element for each pixel. */
struct tess_draw_pixels {
    size_t count; /* number of pixels, a multiple of 4 */
    const struct tess_draw_pixel *pixels;
    /* Varyings, interpolated with perspective. NULL for varyings that the draw does not have. */
    const float (*varyings[TESS_DRAW_VARYINGS])[4];
    /* Results, which the program writes. colours has red, green, blue and a fourth value that is
     * ignored; they are 0 before the call. depths has the interpolated depths before the call.
     * killed is 0 before the call; 1 means that the pixel is not drawn. */
    float (*colours)[4];
    float *depths;
    uint8_t *killed;
};

/* A draw. Must be zero-initialised; members that are 0 have defaults. */
struct tess_draw {
    enum tess_draw_primitive primitive;
    enum tess_draw_cull cull;
    /* True if positions are clip-space coordinates x, y, z, w before the division by w. The
     * viewport is then the whole picture, with y up. */
    bool clip_space;
    /* If true, a later pixel always replaces an earlier pixel. If false, it does so only if it is
     * nearer or has the same depth. */
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
    uint64_t primitives; /* number of primitives that the vertices form */
    uint64_t skipped;    /* primitives that are not drawn because of an invalid position, index or
                          * point size */
    uint64_t culled;     /* primitives that are not drawn because of their orientation or because
                          * they have no area */
    uint64_t no_area;    /* primitives of .culled without area */
    uint64_t clipped;    /* primitives that are clipped completely, because they are not in front of
                          * the eye or are far outside of the picture */
    uint64_t outside;    /* primitives outside of the picture */
    uint64_t uncovered;  /* primitives on the picture that contain no pixel centre */
    uint64_t covered;    /* pixels of the picture inside primitives */
    uint64_t beyond;     /* pixels of .covered with a depth outside 0 to 1 */
    uint64_t hidden;     /* pixels of .covered that a nearer pixel hides */
    uint64_t pixels;     /* pixel writes; a pixel that is written twice counts twice */
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
 * TESS_BAD_INPUT if the bytes are not the start of a PNG file, and TESS_INVALID if a pointer is
 * NULL. */
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
