/* SPDX-License-Identifier: MIT */
/* places.c - see places.h.
 *
 * Source: the OpenGL ES 2.0 specification, section 3.7.5, for the faces of cube maps, which the
 *         manual does not define. */
#include "vc4/tmu/places.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"

double places_number(uint32_t bits)
{
    const float limit = 0x1p30f;
    float value = bits_float(bits);
    if (value >= -limit && value <= limit)
        return (double)value;
    return value > limit ? limit : value < -limit ? -limit : 0;
}

/* For each cube face (+X -X +Y -Y +Z -Z): which component of the direction (s, t, r) becomes the
 * face's own s and t, and with which sign (OpenGL ES 2.0, table 3.10). */
static const struct {
    uint8_t s, t;
    int8_t s_sign, t_sign;
} cube_faces[TEXTURE_FACES] = {
    /* clang-format off */
    {2, 1, -1, -1},
    {2, 1, 1,  -1},
    {0, 2, 1,  1},
    {0, 2, 1,  -1},
    {0, 1, 1,  -1},
    {0, 1, -1, -1},
    /* clang-format on */
};

/* Returns the face to which the largest component of the direction points. If components are
 * equally large, the first of s, t, r counts. */
static uint32_t find_face(const struct places *places, unsigned lane)
{
    uint32_t major = 0;
    double direction[3];
    for (uint32_t i = 0; i < 3; i++) {
        direction[i] = places_number(places->coordinate[i][lane]);
        if (fabs(direction[i]) > fabs(direction[major]))
            major = i;
    }
    return major * 2 + (direction[major] < 0);
}

/* Returns a lane's position on a face. The program must have divided the direction by its largest
 * component. */
static struct point project(const struct places *places, unsigned lane, uint32_t face)
{
    return (struct point){
        .s = cube_faces[face].s_sign * places_number(places->coordinate[cube_faces[face].s][lane]),
        .t = cube_faces[face].t_sign * places_number(places->coordinate[cube_faces[face].t][lane]),
    };
}

/* Returns a lane's position on a face that may differ from the lane's own face. If the lane's own
 * face belongs to another axis, the program divided the direction by the component of that axis. A
 * direction that is parallel to the face, or points away from the face, results in a position far
 * away. */
static struct point project_beyond(const struct places *places, unsigned lane, uint32_t face)
{
    const double least = 0x1p-6;
    double depth = places_number(places->coordinate[face / 2][lane]) * (face & 1 ? -1 : 1);
    struct point point = project(places, lane, face);
    depth = depth > least ? depth : least;
    return (struct point){.s = point.s / depth, .t = point.t / depth};
}

struct point places_point(const struct places *places, const struct texture *texture, unsigned lane,
                          uint32_t face)
{
    if (texture->cube)
        return project_beyond(places, lane, face);
    return (struct point){.s = places_number(places->place[0][lane]),
                          .t = places_number(places->place[1][lane])};
}

static void find_faces(struct places *places)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        places->face[lane] = (uint8_t)find_face(places, lane);
        struct point point = project(places, lane, places->face[lane]);
        places->projected[0][lane] = float_bits((float)point.s);
        places->projected[1][lane] = float_bits((float)point.t);
    }
}

void places_find(struct places *places, const struct texture *texture, const lanes coordinate[4])
{
    places->coordinate = coordinate;
    places->centred = texture->cube;
    places->place = coordinate;
    if (!texture->cube) {
        memset(places->face, 0, sizeof places->face);
        return;
    }
    find_faces(places);
    places->place = places->projected;
}
