/* SPDX-License-Identifier: MIT */
/* spinning_teapot.c - the first three pictures of a teapot that turns in three steps, from the
 * vertices of teapot.qinc.
 *
 * Vertices are truncated to sixteenths of pixels, so an error of float32 may move a vertex by a
 * sixteenth. Two kinds of pixels are therefore edge pixels: pixels near the outline, where a
 * triangle that faces the camera has a neighbour that does not, and pixels where two surfaces
 * cross. A pixel is not an edge pixel if all surfaces that may be visible at the pixel have the
 * same colour. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { WIDTH = 320, HEIGHT = 240, MAX_VERTICES = 4096, MAX_TRIANGLES = 8192, MAX_LAYERS = 8 };

static const double tolerance = 1, near_outline = 0.08, near_depth = 3e-4;

struct mesh {
    int vertices, triangles;
    double vertex[MAX_VERTICES][6]; /* position and normal of each vertex */
    int index[MAX_TRIANGLES][3];
    /* Data of the current frame. */
    struct corner corner[MAX_VERTICES];
    bool faces[MAX_TRIANGLES];
    int other[MAX_TRIANGLES][3]; /* other triangle at the edge from corner i to i + 1, or -1 */
};

/* A surface that is visible at a pixel, or that may be visible. */
struct layer {
    struct colour colour;
    double z;
    bool covered, edge;
};

struct canvas {
    struct drawing *drawing;
    int count[HEIGHT][WIDTH];
    struct layer layers[HEIGHT][WIDTH][MAX_LAYERS];
};

static struct mesh mesh;

static void read_mesh(void)
{
    FILE *file = fopen(TEST_DATA "/../examples/vc4/spinning-teapot/teapot.qinc", "r");
    char line[256];
    mesh.vertices = mesh.triangles = 0;
    while (file && fgets(line, sizeof line, file)) {
        double *v = mesh.vertex[mesh.vertices % MAX_VERTICES];
        int *i = mesh.index[mesh.triangles % MAX_TRIANGLES];
        mesh.vertices += sscanf(line, " .float %lf, %lf, %lf, %lf, %lf, %lf", &v[0], &v[1], &v[2],
                                &v[3], &v[4], &v[5]) == 6;
        mesh.triangles += sscanf(line, " .short %d, %d, %d", &i[0], &i[1], &i[2]) == 3;
    }
    if (file)
        fclose(file);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Rotates a point to the camera's coordinates: x to the right, y upwards, z towards the camera. */
static void turn(const double from[3], double angle, double to[3])
{
    static const double pitch = 0.4;
    double ahead = from[2] * cos(angle) - from[0] * sin(angle);
    to[0] = from[0] * cos(angle) + from[2] * sin(angle);
    to[1] = from[1] * cos(pitch) - ahead * sin(pitch);
    to[2] = from[1] * sin(pitch) + ahead * cos(pitch);
}

static struct corner shade(const double vertex[6], double angle)
{
    static const double light[3] = {-0.48, 0.64, 0.6}, halfway[3] = {-0.26833, 0.35777, 0.89443};
    static const double distance = 6, focus = 3.2, near = 3, far = 9;
    double place[3], normal[3];
    turn(vertex, angle, place);
    turn(vertex + 3, angle, normal);
    double w = distance - place[2];
    struct corner corner = {
        .x = WIDTH / 2 + trunc(focus * place[0] / w * (HEIGHT / 2) * 16) / 16,
        .y = HEIGHT / 2 - trunc(focus * place[1] / w * (HEIGHT / 2) * 16) / 16,
        .z = far / (far - near) * (1 - near / w),
        .inverse_w = 1 / w,
        .values = {0.2 + 0.8 * fmax(dot(normal, light), 0),
                   0.5 * pow(fmax(dot(normal, halfway), 0), 32)},
    };
    return corner;
}

/* True if a triangle faces the camera. By record 96, these are the triangles that are clockwise
 * with row 0 at the bottom. */
static bool faces_camera(const int index[3])
{
    const struct corner *a = &mesh.corner[index[0]], *b = &mesh.corner[index[1]],
                        *c = &mesh.corner[index[2]];
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x) < 0;
}

static bool has_edge(const int index[3], int a, int b)
{
    return (index[0] == a && index[1] == b) || (index[1] == a && index[2] == b) ||
           (index[2] == a && index[0] == b);
}

/* A neighbour has the common edge in the opposite direction. */
static void find_neighbours(void)
{
    for (int t = 0; t < mesh.triangles; t++)
        for (int i = 0; i < 3; i++) {
            int a = mesh.index[t][i], b = mesh.index[t][(i + 1) % 3];
            mesh.other[t][i] = -1;
            for (int n = 0; n < mesh.triangles && mesh.other[t][i] < 0; n++)
                if (has_edge(mesh.index[n], b, a))
                    mesh.other[t][i] = n;
        }
}

static double byte(double value)
{
    return fmin(fmax(255 * value, 0), 255);
}

static void add_layer(void *user, const struct fragment *f)
{
    struct canvas *canvas = user;
    int *count = &canvas->count[f->y][f->x];
    double light = f->values[0], reflection = f->values[1];
    struct colour colour = {byte(0.25 * light + reflection), byte(0.62 * light + reflection),
                            byte(0.72 * light + reflection), 255};
    if (*count < MAX_LAYERS)
        canvas->layers[f->y][f->x][(*count)++] = (struct layer){colour, f->z, f->covered, f->edge};
}

static bool alike(struct colour a, struct colour b)
{
    return fabs(a.r - b.r) <= tolerance && fabs(a.g - b.g) <= tolerance &&
           fabs(a.b - b.b) <= tolerance;
}

/* The nearest layer is visible. Layers in front of the nearest certain layer may be visible. */
static void resolve(struct canvas *canvas, int x, int y)
{
    struct layer seen = {{0x18, 0x20, 0x30, 255}, 1, true, false}, sure = seen;
    const struct layer *layers = canvas->layers[y][x];
    bool edge = canvas->count[y][x] == MAX_LAYERS;
    for (int i = 0; i < canvas->count[y][x]; i++) {
        if (layers[i].covered && layers[i].z < seen.z)
            seen = layers[i];
        if (layers[i].covered && !layers[i].edge && layers[i].z < sure.z)
            sure = layers[i];
    }
    edge = edge || !alike(seen.colour, sure.colour);
    for (int i = 0; i < canvas->count[y][x]; i++)
        if (layers[i].z < sure.z + near_depth)
            edge = edge || !alike(seen.colour, layers[i].colour);
    set_pixel(canvas->drawing, x, y, seen.colour);
    pixel_at(canvas->drawing, x, y)->edge = edge;
}

static void draw_triangle(struct canvas *canvas, int t)
{
    struct raster raster = centres(canvas->drawing);
    struct corner corners[3];
    raster.doubt = near_outline;
    raster.sure_edges = 0;
    for (int i = 0; i < 3; i++) {
        int other = mesh.other[t][i];
        corners[i] = mesh.corner[mesh.index[t][i]];
        raster.sure_edges |= (unsigned)(other >= 0 && mesh.faces[other]) << i;
    }
    rasterise(&raster, corners, add_layer, canvas);
}

static void draw_teapot(struct drawing *drawing, int frame)
{
    static struct canvas canvas;
    read_mesh();
    find_neighbours();
    canvas.drawing = drawing;
    memset(canvas.count, 0, sizeof canvas.count);
    for (int i = 0; i < mesh.vertices; i++)
        mesh.corner[i] = shade(mesh.vertex[i], frame * 6.28318530717958647693 / 3);
    for (int t = 0; t < mesh.triangles; t++)
        mesh.faces[t] = faces_camera(mesh.index[t]);
    for (int t = 0; t < mesh.triangles; t++)
        if (mesh.faces[t])
            draw_triangle(&canvas, t);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            resolve(&canvas, x, y);
}

void draw_spinning_teapot_0(struct drawing *drawing)
{
    draw_teapot(drawing, 0);
}

void draw_spinning_teapot_1(struct drawing *drawing)
{
    draw_teapot(drawing, 1);
}

void draw_spinning_teapot_2(struct drawing *drawing)
{
    draw_teapot(drawing, 2);
}
