/* SPDX-License-Identifier: MIT */
/* vg_tiger.c - draws the paths of tiger.qinc, one over the other. A pixel has 16 samples in a
 * regular grid (docs/vc4/cap.md). By the non-zero rule, a sample is inside if the path's winding
 * number around it is not 0. By the odd rule, a sample is inside if the number of lines to its
 * right is odd. A line includes its upper end, and does not count for samples that lie on it. */
#include <stdio.h>
#include <string.h>

#include "reference.h"

enum { MAX_POINTS = 8192, MAX_CONTOURS = 128, GRID = 4, SAMPLES = GRID * GRID };

struct point {
    double x, y;
};

/* The points of each contour are contiguous. Contour n extends from first[n] to first[n + 1]. */
struct contours {
    struct point point[MAX_POINTS];
    int first[MAX_CONTOURS + 1];
    int points, count;
};

struct path {
    bool odd;
    int contour[MAX_CONTOURS];
    int contours;
    int colour[3];
};

static FILE *open_file(void)
{
    return fopen(TEST_DATA "/../examples/vc4/vg-tiger/tiger.qinc", "r");
}

static void read_contours(struct contours *contours)
{
    FILE *file = open_file();
    char line[256];
    int number;
    contours->points = contours->count = 0;
    while (file && fgets(line, sizeof line, file)) {
        struct point *point = &contours->point[contours->points % MAX_POINTS];
        if (sscanf(line, "contour_%d:", &number) == 1)
            contours->first[contours->count++ % MAX_CONTOURS] = contours->points;
        contours->points += sscanf(line, " vertex.vg x=%lf, y=%lf", &point->x, &point->y) == 2;
        contours->first[contours->count % MAX_CONTOURS] = contours->points;
    }
    if (file)
        fclose(file);
}

/* Returns the contribution of one line to the sample's winding number. */
static int crossing(struct point a, struct point b, double x, double y)
{
    bool down = a.y < b.y;
    struct point low = down ? a : b, high = down ? b : a;
    if (y < low.y || y >= high.y)
        return 0;
    bool left_of_line = (x - low.x) * (high.y - low.y) < (y - low.y) * (high.x - low.x);
    return left_of_line ? (down ? 1 : -1) : 0;
}

static bool inside(const struct contours *contours, const struct path *path, double x, double y)
{
    int winding = 0;
    for (int i = 0; i < path->contours; i++) {
        int n = path->contour[i];
        for (int p = contours->first[n]; p + 1 < contours->first[n + 1]; p++)
            winding += crossing(contours->point[p], contours->point[p + 1], x, y);
    }
    return path->odd ? winding % 2 != 0 : winding != 0;
}

/* Returns the coverage of a pixel, 0 to 255. */
static int coverage(const struct contours *contours, const struct path *path, int x, int y)
{
    int samples = 0;
    for (int i = 0; i < SAMPLES; i++)
        samples += inside(contours, path, x + (1 + 2 * (i % GRID)) / 8.0,
                          y + (1 + 2 * (i / GRID)) / 8.0);
    return (samples * 255 + SAMPLES / 2) / SAMPLES;
}

static double over(int colour, double under, int level)
{
    return byte_sum(byte_product(colour, level), byte_product((int)under, 255 - level));
}

static void paint(struct drawing *drawing, const struct contours *contours, const struct path *path,
                  const int box[4])
{
    for (int y = box[1]; y < box[3]; y++)
        for (int x = box[0]; x < box[2]; x++) {
            struct colour *c = &pixel_at(drawing, x, y)->want[0];
            int level = coverage(contours, path, x, y);
            c->r = over(path->colour[0], c->r, level);
            c->g = over(path->colour[1], c->g, level);
            c->b = over(path->colour[2], c->b, level);
        }
}

void draw_vg_tiger(struct drawing *drawing)
{
    static struct contours contours;
    struct path path = {0};
    char line[256], rule[16];
    int *c = path.colour, box[4];
    fill(drawing, (struct colour){0x14, 0x46, 0x3c, 255});
    read_contours(&contours);
    FILE *file = open_file();
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, " begin_path %15[a-z],", rule) == 1)
            path = (struct path){.odd = strcmp(rule, "odd") == 0};
        if (path.contours < MAX_CONTOURS)
            path.contours += sscanf(line, " contour contour_%d,", &path.contour[path.contours]) ==
                             1;
        if (sscanf(line, " end_path %d, %d, %d, %d, %d, %d, %d", &c[0], &c[1], &c[2], &box[0],
                   &box[1], &box[2], &box[3]) == 7)
            paint(drawing, &contours, &path, box);
    }
    if (file)
        fclose(file);
}
