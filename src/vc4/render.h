/* SPDX-License-Identifier: MIT */
/* render.h - what draws a tile: everything between the rendering control list and the stored tile.
 *
 * In:  tile records, state and primitives, in the order of the tile's lists.
 * Out: the tile buffer's contents, in memory after a store.
 *
 * A rendering context has its own tile buffer, rasteriser, QPU, texture unit and log, and reaches
 * everything else through pointers; so contexts can work side by side. */
#ifndef VC4_RENDER_H
#define VC4_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/draws.h"
#include "vc4/fep.h"
#include "vc4/pctr.h"
#include "vc4/profile.h"
#include "vc4/qpu.h"
#include "vc4/state.h"
#include "vc4/tlb.h"
#include "vc4/tmu.h"
#include "vc4/vertex_pipe.h"

/* A primitive of a tile list, as it stands there. */
struct render_primitive {
    uint8_t type;             /* enum primitive_type */
    uint8_t vertices;         /* 1..3 */
    uint8_t clipped_flags;    /* record 49: which vertices are replaced; 0 none */
    bool coordinates;         /* VG mode: index[] holds x | y << 16 */
    uint32_t draw;            /* that it belongs to, struct draws */
    bool counted;             /* a primitive of a rendering list, which no binner has counted */
    uint32_t index[3];        /* of the vertices */
    uint32_t clipped_address; /* record 49: of the replacements */
};

/* What a context has done. */
struct render_work {
    uint64_t instructions, shader_runs, primitives, tiles, quads, texture_lookups;
};

/* The latest fragment shader of this tile that the sanitizer has seen to its end, in which nothing is wrong and
 * every run does the same: further ones need not be watched. */
struct render_sound {
    bool known;
    uint32_t code, uniform_count;
};

struct render {
    struct bus *bus;
    struct fault_log *log;
    struct qpu_shared *shared;
    struct pctr_counts *counts;
    struct profile *profile;
    struct draw_tally *tally;
    struct qpu_trace *trace; /* may be NULL */
    struct qpu_cache *instructions;
    struct vertex_source upcoming; /* what comes after the primitive being drawn */
    uint32_t qpus;                 /* of the chip */

    /* What render_reset() clears. */
    struct tlb tlb;
    struct fep fep;
    struct tmu tmu;
    struct qpu qpu;      /* the fragment pipeline runs one batch at a time on it */
    uint32_t next_qpu;   /* number for the next batch, for QPU_NUMBER and interrupts */
    uint32_t reserve[2]; /* V3D_SQRSV0, V3D_SQRSV1 */

    struct cl_state state; /* of the primitives that follow */
    struct shader_record shader;

    struct render_sound sound;

    uint64_t program_limit;     /* instructions of one program */
    bool sanitize;              /* its shaders are watched */
    uint64_t total_limit;       /* of all programs of one run; only to be told */
    uint64_t instructions_left; /* of them */
    bool hung; /* a shader will never end: nothing is drawn until the rendering thread is reset */
    bool out_of_budget; /* because it ran out of instructions */

    struct render_work work;

    /* Last: render_reset() leaves the caches' contents, and coverage that is not in use. */
    struct vertex_pipe vertices;
    struct cap cap[TLB_HALVES];
    struct slices slices;
};

/* Clears all but the pointers, which the owner sets first; the tile buffer's contents only if the owner does not clear them
 * himself. */
void render_reset(struct render *render, bool keeps_contents);

/* Records 113, 114, 27, 29 and 115; data points behind the id. */
void render_tile_record(struct render *render, uint8_t record, const uint8_t *data);

/* State for the primitives that follow. */
void render_set_state(struct render *render, const struct cl_state *state,
                      const struct shader_record *shader);

/* Draws one primitive into the tile. */
void render_draw(struct render *render, const struct render_primitive *primitive);

/* Shades what is left of earlier primitives. */
void render_flush(struct render *render);

/* Records 24 to 26 and 28; data is NULL for 24 and 25. Does nothing while hung. */
void render_store(struct render *render, uint8_t record, const uint8_t *data);

/* Drops a hung fragment shader and the quads waiting behind it: the rendering thread was reset. */
void render_abandon(struct render *render);

#endif
