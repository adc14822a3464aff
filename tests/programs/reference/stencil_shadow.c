/* SPDX-License-Identifier: MIT */
/* stencil_shadow.c - draws two lit boxes on a floor. A pixel is in shadow if the ray from the
 * camera enters more shadow volumes than it leaves. If two depths of 24 bits differ by less than
 * the float32 error, the pixel is an edge pixel. */
#include <math.h>

#include "reference.h"

enum { WIDTH = 320, HEIGHT = 240, BOXES = 2 };

struct point {
    double x, y, z;
};

/* A box: two opposite corners, and its colour. */
struct box {
    struct point low, high;
    double rgb[3];
};

static const struct box boxes[BOXES] = {{{-0.5, 0.25, -1}, {1, 1.5, 0.5}, {1, 0.4, 0.2}},
                                        {{2, 0, -1.5}, {2.75, 3, -0.75}, {0.3, 0.6, 1}}};

struct scene {
    struct drawing *drawing;
    double depth[HEIGHT][WIDTH]; /* from 0 to 0xffffff */
    int stencil[HEIGHT][WIDTH];
};

static double float32(double value)
{
    return (float)value;
}

static struct corner project(struct point p)
{
    static const double pitch = 0.487, focus = 300, near = 2, far = 20;
    double ahead = (5 - p.y) * sin(pitch) + (8.5 - p.z) * cos(pitch);
    double above = (p.y - 5) * cos(pitch) + (8.5 - p.z) * sin(pitch);
    struct corner corner = {
        .x = sixteenths(WIDTH / 2 + focus * (p.x - 1.5) / ahead),
        .y = sixteenths(HEIGHT / 2 - focus * above / ahead),
        .z = float32(far / (far - near) * (1 - near / ahead)),
        .inverse_w = float32(1 / ahead),
    };
    return corner;
}

/* Returns true if the fragment is in front of the stored depth. Marks an edge pixel if float32
 * errors may change the result. */
static bool in_front(struct scene *scene, const struct fragment *f)
{
    static const double doubt = 4; /* in steps of 1 / 0xffffff */
    double *depth = &scene->depth[f->y][f->x], mine = f->z * 0xffffff;
    if (fabs(mine - *depth) < doubt)
        pixel_at(scene->drawing, f->x, f->y)->edge = true;
    return mine < *depth;
}

static void lit(void *user, const struct fragment *f)
{
    struct scene *scene = user;
    if (!in_front(scene, f))
        return;
    scene->depth[f->y][f->x] = f->z * 0xffffff;
    const double *v = f->values;
    set_pixel(scene->drawing, f->x, f->y, (struct colour){255 * v[0], 255 * v[1], 255 * v[2], 255});
}

static void count(void *user, const struct fragment *f)
{
    struct scene *scene = user;
    if (in_front(scene, f))
        scene->stencil[f->y][f->x] += f->forward ? 1 : -1;
}

/* Draws a strip of four points. rgb is the brightness at each point. */
static void draw_face(struct scene *scene, const struct point p[4], const double rgb[4][3])
{
    struct raster raster = centres(scene->drawing);
    struct corner corners[4];
    for (int i = 0; i < 4; i++) {
        corners[i] = project(p[i]);
        for (int channel = 0; channel < 3; channel++)
            corners[i].values[channel] = float32(rgb[i][channel]);
    }
    rasterise_quad(&raster, corners, lit, scene);
}

/* Faces of a box. A corner's number has bit 1 for the greater x, 2 for the greater y, and 4 for
 * the greater z. */
static const struct face {
    int corners[4];
    double shades[4];
} faces[6] = {
    /* clang-format off */
    {{0, 4, 1, 5}, {1,   0.8, 1,   0.8}},
    {{2, 6, 3, 7}, {1,   0.8, 1,   0.8}},
    {{0, 4, 2, 6}, {0.7, 0.7, 0.7, 0.7}},
    {{1, 5, 3, 7}, {0.7, 0.7, 0.7, 0.7}},
    {{0, 1, 2, 3}, {0.5, 0.5, 0.9, 0.9}},
    {{4, 5, 6, 7}, {0.5, 0.5, 0.9, 0.9}},
    /* clang-format on */
};

static struct point corner_of(const struct box *box, int bits)
{
    return (struct point){bits & 1 ? box->high.x : box->low.x, bits & 2 ? box->high.y : box->low.y,
                          bits & 4 ? box->high.z : box->low.z};
}

static void draw_box(struct scene *scene, const struct box *box)
{
    for (int face = 0; face < 6; face++) {
        struct point points[4];
        double rgb[4][3];
        for (int i = 0; i < 4; i++) {
            points[i] = corner_of(box, faces[face].corners[i]);
            for (int channel = 0; channel < 3; channel++)
                rgb[i][channel] = box->rgb[channel] * faces[face].shades[i];
        }
        draw_face(scene, points, rgb);
    }
}

/* Returns the point at height -0.25, below the floor, on the ray from the light through a point. */
static struct point shadow_of(struct point p)
{
    double way = p.y + 0.25;
    return (struct point){p.x - 0.7 * way, p.y - way, p.z + 0.35 * way};
}

/* Draws the shadow volume from the edges between lit faces (top, right, back) and dark faces
 * (bottom, left, front). */
static void draw_volume(struct scene *scene, const struct box *box)
{
    static const int outline[7] = {6, 7, 5, 1, 0, 2, 6};
    struct raster raster = centres(scene->drawing);
    for (int i = 0; i < 6; i++) {
        struct point a = corner_of(box, outline[i]), b = corner_of(box, outline[i + 1]);
        struct corner side[4] = {project(a), project(shadow_of(a)), project(b),
                                 project(shadow_of(b))};
        rasterise_quad(&raster, side, count, scene);
    }
}

static void darken(struct scene *scene)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (scene->stencil[y][x] != 0) {
                struct colour *c = &pixel_at(scene->drawing, x, y)->want[0];
                c->r *= 96 / 255.0;
                c->g *= 96 / 255.0;
                c->b *= 128 / 255.0;
            }
}

static void draw_floor(struct scene *scene)
{
    static const struct point points[4] = {{-5, 0, -5}, {-5, 0, 5}, {5, 0, -5}, {5, 0, 5}};
    static const double rgb[4][3] = {
        /* clang-format off */
        {0.3, 0.4, 0.3},
        {0.9, 0.8, 0.6},
        {0.3, 0.4, 0.6},
        {0.9, 0.9, 0.8},
        /* clang-format on */
    };
    draw_face(scene, points, rgb);
}

void draw_stencil_shadow(struct drawing *drawing)
{
    static struct scene scene;
    scene = (struct scene){.drawing = drawing};
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        scene.depth[i / WIDTH][i % WIDTH] = 0xffffff;
    fill(drawing, (struct colour){0x20, 0x30, 0x50, 255});
    draw_floor(&scene);
    for (int i = 0; i < BOXES; i++)
        draw_box(&scene, &boxes[i]);
    for (int i = 0; i < BOXES; i++)
        draw_volume(&scene, &boxes[i]);
    darken(&scene);
}
