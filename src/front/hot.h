/* SPDX-License-Identifier: MIT */
/* hot.h - which instructions a run has spent its time in. */
#ifndef FRONT_HOT_H
#define FRONT_HOT_H

#include <stdio.h>

#include "front/names.h"

/* What a device has counted: nothing, if it was not asked to. Rows of one program are the current ones. */
struct hot {
    struct tess_vc4_hot *rows;
    size_t count;
    const struct tess_vc4_hot *first;
    size_t some;
    const struct tess_vc4_hot *named; /* the one that is being named; NULL: the program */
};

void hot_begin(struct hot *hot, const struct tess_vc4 *vc4);
void hot_end(struct hot *hot);

/* The name of a program. It may be gone from memory; its rows still have its instructions. */
void hot_name(struct hot *hot, const struct address_names *names,
              const struct tess_vc4_shader_stats *program, struct address_name *name);

/* Prints for each program that took its share of the time the instructions that took most. docs/profile.md explains the
 * table. */
void hot_print(FILE *stream, struct hot *hot, const struct address_names *names);

/* Writes all instructions of one program in the order of their addresses, as the member "hot" of an object that is being
 * written; nothing if none were counted. */
void hot_json(FILE *stream, struct hot *hot, const struct address_names *names,
              const struct tess_vc4_shader_stats *program);

#endif
