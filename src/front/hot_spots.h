/* SPDX-License-Identifier: MIT */
/* hot_spots.h - prints the profile of a run: the programs and instructions that took the most
 * time. */
#ifndef FRONT_HOT_SPOTS_H
#define FRONT_HOT_SPOTS_H

#include <stdio.h>

#include "front/names.h"

/* A device's profile, which is empty if profiling was off. The current program's rows begin at
 * .first, and .some is their number. */
struct hot_spots {
    struct tess_vc4_hot *rows;
    size_t count;
    const struct tess_vc4_hot *first;
    size_t some;
    /* Row whose name is being looked up, or NULL while the name of a program is looked up. */
    const struct tess_vc4_hot *named;
};

void hot_spots_begin(struct hot_spots *hot, const struct tess_vc4 *vc4);
void hot_spots_end(struct hot_spots *hot);

/* Looks up the name of a program, and stores it in *name. If the program's code is no longer in
 * memory, the instructions in the profile are used to recognise it. */
void hot_spots_name(struct hot_spots *hot, const struct address_names *names,
                    const struct tess_vc4_shader_stats *program, struct address_name *name);

/* Prints the instructions that took the most time, for each program that took a sufficient share of
 * the time. docs/profile.md explains the table. */
void hot_spots_print(FILE *stream, struct hot_spots *hot, const struct address_names *names);

/* Writes all instructions of one program, ordered by address, as member "hot" of the JSON object
 * that the caller is writing. Writes nothing if the profile is empty. */
void hot_spots_json(struct json *json, struct hot_spots *hot, const struct address_names *names,
                    const struct tess_vc4_shader_stats *program);

#endif
