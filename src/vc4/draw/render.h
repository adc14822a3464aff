/* SPDX-License-Identifier: MIT */
/* render.h - draws a tile: the stages between the rendering control list and the stored tile.
 *
 * In:  tile records, state and primitives, in the order of the tile's lists.
 * Out: the tile buffer's contents, in memory after a store.
 *
 * A rendering context has its own tile buffer, rasteriser, QPU, texture unit and log. Everything
 * else is accessed through pointers, so host threads can run several contexts in parallel. */
#ifndef VC4_DRAW_RENDER_H
#define VC4_DRAW_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/budget.h"
#include "vc4/qpu/profile.h"
#include "vc4/qpu/qpu.h"
#include "vc4/raster/fep.h"
#include "vc4/raster/vri.h"
#include "vc4/state/state.h"
#include "vc4/tile/tlb.h"
#include "vc4/time/pctr.h"
#include "vc4/tmu/tmu.h"
#include "vc4/vertex/vertex_pipe.h"
#include "vc4/watch/draws.h"

/* A primitive of a tile list before shading. */
struct render_primitive {
    uint8_t type;             /* value of enum primitive_type */
    uint8_t vertices;         /* number of vertices, 1 to 3 */
    uint8_t clipped_flags;    /* record 49: bit n is set if vertex n is replaced; 0 for other
                                 records */
    bool coordinates;         /* true in VG mode, where index[] has coordinates (x | y << 16) */
    uint32_t draw;            /* number of the primitive's draw in struct draws */
    bool counted;             /* true if the primitive is from a rendering list, so that the binner
                                 has not counted it */
    uint32_t index[3];        /* numbers of the vertices */
    uint32_t clipped_address; /* record 49: address of the replacement vertices */
};

/* Counts of a context's work. */
struct render_work {
    uint64_t instructions, shader_runs, primitives, tiles, quads, texture_lookups;
};

/* The latest fragment shader of this tile that ended without findings while the sanitizer watched.
 * Later runs of the same shader are not watched, because all runs are alike. A shader is not stored
 * here if its runs depend on data. */
struct render_sound {
    bool known;
    uint32_t code, uniform_count;
};

struct render {
    /* Members from here to .vertices are cleared by render_reset(). */
    struct tlb tlb;
    struct fep fep;
    struct tmu tmu;
    struct qpu qpu;      /* runs all fragment batches, one at a time */
    uint32_t next_qpu;   /* number of the next batch's QPU, for QPU_NUMBER and interrupts */
    uint32_t reserve[2]; /* values of V3D_SQRSV0 and V3D_SQRSV1 */

    struct cl_state state; /* state for the primitives that follow */
    struct shader_record shader;

    struct render_sound sound;

    /* True if a shader will never end. Nothing is drawn until the rendering thread is reset. */
    bool hung;

    struct render_work work;

    /* The following members are last because render_reset() does not clear them completely. It
     * keeps the contents of caches, and coverage that is not in use. */
    struct vertex_pipe vertices;
    struct cap cap[TLB_HALVES];
    struct shared_units slices;
};

/* Memory in which a context works. Nothing in it is used after a primitive, except decoded
 * textures, which can be rebuilt. Must be zero-initialised. */
struct render_scratch {
    struct tlb_fragment fragment; /* inputs of the fragment shader that runs */
    struct vri vri;
    struct tmu_textures textures, vertex_textures;
};

/* What a context is connected to. */
struct render_ports {
    /* The owner sets these members, then calls render_connect(). */
    struct bus *bus;      /* for shaders and vertices */
    struct bus *tile_bus; /* for loads and stores of tiles */
    struct fault_log *log;
    struct pctr_counts *counts;
    struct budget *budget; /* limits of the run; each program spends from it */
    struct qpu_shared *shared;
    struct profile *profile;
    struct draw_tally *tally;
    struct qpu_trace *trace;               /* NULL if the run is not traced */
    struct qpu_cache *instructions;        /* decoded instructions */
    const struct list_memory *list_memory; /* memory that control lists use */
    struct vertex_source upcoming;         /* the primitives that follow the current one */
    uint32_t qpus;                         /* number of QPUs of the chip */
    bool sanitize;                         /* true if the sanitizer watches the shaders */

    /* render_connect() sets these members. */
    struct render *render;
    struct render_scratch *scratch;
    struct tlb_ports tlb;
    struct fep_ports fep;
    struct tmu_ports tmu;
    struct qpu_ports qpu, watched; /* ports of fragment shaders, without and with the sanitizer */
    struct vertex_pipe_ports vertices;
};

/* Connects the parts of a context with each other. The arguments must stay where they are. */
void render_connect(struct render_ports *ports, struct render *render,
                    struct render_scratch *scratch);

/* Resets the context. If keeps_contents is true, the contents of the tile buffer stay, and the
 * owner clears them. */
void render_reset(struct render *render, bool keeps_contents);

struct state_stream;

/* Lists the fields for saved states (base/state.h). When reading, the context must be reset. */
void render_fields(struct state_stream *stream, struct render *render);

/* Executes record 113, 114, 27, 29 or 115. data points to the bytes after the record's code. */
void render_tile_record(struct render *render, const struct render_ports *ports, uint8_t record,
                        const uint8_t *data);

/* Sets the state for the primitives that follow. */
void render_set_state(struct render *render, const struct render_ports *ports,
                      const struct cl_state *state, const struct shader_record *shader);

/* Draws one primitive into the tile. */
void render_draw(struct render *render, const struct render_ports *ports,
                 const struct render_primitive *primitive);

/* Shades the quads that were collected from earlier primitives and not yet shaded. */
void render_flush(struct render *render, const struct render_ports *ports);

/* Executes record 24, 25, 26 or 28. data is NULL for records 24 and 25. Does nothing while .hung is
 * set. */
void render_store(struct render *render, const struct render_ports *ports, uint8_t record,
                  const uint8_t *data);

/* Drops a hung fragment shader and the quads that wait for the shader. Called when the rendering
 * thread is reset. */
void render_abandon(struct render *render);

#endif
