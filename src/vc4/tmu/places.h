/* SPDX-License-Identifier: MIT */
/* places.h - the lanes' positions on a texture: on the image, or on the faces of a cube map. */
#ifndef VC4_TMU_PLACES_H
#define VC4_TMU_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/tmu/texture.h"

/* Positions of all lanes of a request. */
struct places {
    const lanes *coordinate; /* coordinates s, t, r and b, as float32 bits */
    const lanes *place;      /* s and t on the image or the lane's face, as float32 bits */
    bool centred;            /* true if .place runs from -1 to 1, as on a cube's faces, instead of
                                from 0 to 1 */
    uint8_t face[LANES];
    lanes projected[2]; /* the array of .place for a cube map */
};

/* A lane's position on the texture. */
struct point {
    double s, t;
};

/* Finds the places of a request. *places refers to coordinate[], which has s, t, r and b. */
void places_find(struct places *places, const struct texture *texture, const lanes coordinate[4]);

/* Returns a lane's position on a face that may differ from the lane's own face, or on the image. */
struct point places_point(const struct places *places, const struct texture *texture, unsigned lane,
                          uint32_t face);

/* Converts a float32 to a number that the following steps can handle. NaN becomes 0. Numbers are
 * clamped to -2^30..2^30. All floats outside that range are even integers, so clamping does not
 * change the result of repeat and mirror. */
double places_number(uint32_t bits);

#endif
