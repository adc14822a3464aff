/* SPDX-License-Identifier: MIT */
/* a2xx_program.h - an A2xx program ready to run: words, kinds of slots, interface, and source
 * positions. */
#ifndef PROGRAM_A2XX_PROGRAM_H
#define PROGRAM_A2XX_PROGRAM_H

#include <tessera/a2xx.h>

#include "program/program_read.h"

struct a2xx_view;
struct text;

struct tess_a2xx_program {
    struct program_file file; /* .file.words is the same pointer as .words */
    uint32_t *words;          /* A2XX_WORDS words per slot */
    uint8_t *kinds;           /* for each slot, bits as above; 0 if no clause contains the slot */
    size_t slots;             /* number of slots, 1 to A2XX_SLOTS_MAX */
    size_t cf_slots;          /* number of slots with control flow, which are at the start of the
                               * program */
    enum tess_a2xx_variant variant;
    struct a2xx_view *view;                 /* view that provides the text of instructions */
    struct tess_a2xx_vertex_fetch *fetches; /* vertex fetches, in the order of their slots */
    size_t fetch_count;
};

/* Writes a control-flow instruction, whose number is 2 * slot + half. */
void a2xx_program_put_control(struct text *text, const struct tess_a2xx_program *program,
                              size_t number);

#endif
