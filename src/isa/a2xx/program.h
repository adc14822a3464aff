/* SPDX-License-Identifier: MIT */
/* program.h - an A2xx program as it is run: words, what is in its slots, interface, and where they come from. */
#ifndef ISA_A2XX_PROGRAM_H
#define ISA_A2XX_PROGRAM_H

#include <tessera/a2xx.h>

#include "isa/a2xx/interface.h"
#include "isa/program_read.h"

/* What a slot is, bits: clauses may overlap with each other and, if a program is wrong, with control flow. */
enum {
    A2XX_SLOT_CONTROL = 1,
    A2XX_SLOT_ALU = 2,
    A2XX_SLOT_FETCH = 4,
};

struct a2xx_view;

struct tess_a2xx_program {
    struct program_file file; /* .words is the same */
    uint32_t *words;          /* A2XX_WORDS for each slot */
    uint8_t *kinds;           /* of each slot; 0: no clause has it */
    size_t slots;             /* 1 to A2XX_SLOTS_MAX */
    size_t cf_slots;          /* those with control flow, at the start */
    enum tess_a2xx_variant variant;
    struct a2xx_interface interface;
    struct a2xx_view *view;                 /* how it is written */
    struct tess_a2xx_vertex_fetch *fetches; /* in the order of their slots */
    size_t fetch_count;
};

/* Fills kinds, one for each slot. */
void a2xx_slot_kinds(const uint32_t *words, size_t slots, size_t cf_slots, uint8_t *kinds);

#endif
