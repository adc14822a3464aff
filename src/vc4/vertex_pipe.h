/* SPDX-License-Identifier: MIT */
/* vertex_pipe.h - the way of vertices to the PTB and the PSE (manual sections 7 and 8): VCM, VCD, VPM and
 * a QPU.
 *
 * In:  a shader record and vertex indices.
 * Out: shaded vertices. NV mode fetches them (vcm.h); GL mode collects up to 16 that are not in the vertex
 *      cache, loads their attributes (vcd.h), runs the vertex or the coordinate shader once for all of
 *      them, and reads what it has written to the VPM (manual figures 10 and 11).
 *
 * Vertices are kept by index. Whether one is shaded once or again cannot be seen, but for the counts. */
#ifndef VC4_VERTEX_PIPE_H
#define VC4_VERTEX_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/pctr.h"
#include "vc4/profile.h"
#include "vc4/qpu.h"
#include "vc4/state.h"
#include "vc4/tmu.h"
#include "vc4/vcd.h"
#include "vc4/vcm.h"
#include "vc4/vpm.h"

/* The vertex cache: an index has its place in one set. */
enum { VERTEX_SETS = 32, VERTEX_WAYS = 8 };

struct vertex_cache {
    uint32_t index[VERTEX_SETS][VERTEX_WAYS]; /* ~0: empty */
    uint8_t next[VERTEX_SETS];                /* the way that is replaced next */
    struct vertex vertex[VERTEX_SETS][VERTEX_WAYS];
};

struct vertex_pipe {
    /* The owner sets these. */
    struct bus *bus;
    struct fault_log *log;
    struct qpu_shared *shared;
    struct qpu_cache *instructions;
    struct slices *slices;
    struct pctr_counts *counts;
    struct profile *profile;    /* may be NULL */
    struct qpu_trace *trace;    /* may be NULL */
    uint32_t reserve[2];        /* V3D_SQRSV0, V3D_SQRSV1 */
    uint32_t allocation_limit;  /* VPM rows that a batch may ask for (V3D_VPACNTL); 0: any */
    uint64_t program_limit;     /* instructions of one program */
    bool sanitize;              /* shaders are watched */
    uint64_t total_limit;       /* of all programs of one run; only to be told */
    uint64_t instructions_left; /* of them; what programs execute is taken off */

    uint64_t executed, shader_runs; /* instructions and batches since vertex_pipe_init() */
    bool hung; /* a shader will never end; no vertex comes until vertex_pipe_abandon() */

    struct qpu qpu;
    struct tmu tmu;
    struct vpm vpm;
    struct vpm_port port;
    uint32_t next_qpu; /* number for the next batch */

    uint32_t record_address; /* of the vertices in the cache, with the shader that made them */
    enum shader_stage stage;
    struct vertex_cache cache;
};

/* Gives the indices of vertices that will be asked for next, in their order: up to max. Returns how many.
 * It must report nothing. */
typedef uint32_t vertex_look_ahead(void *user, uint32_t index[], uint32_t max);

/* What comes after the vertices being asked for; look = NULL: unknown. */
struct vertex_source {
    vertex_look_ahead *look;
    void *user;
};

enum vertex_result {
    VERTEX_READY,
    VERTEX_MISSING, /* it cannot be read; the primitive is left out */
    VERTEX_HUNG,    /* the shader will never end, or no QPU may run it: the pipe stands still */
    VERTEX_BUDGET,  /* the shader has used up its instructions */
};

/* Clears all but what the owner sets. */
void vertex_pipe_init(struct vertex_pipe *pipe);

/* Forgets cached vertices: a new primitive list, tile or shader record. */
void vertex_pipe_reset(struct vertex_pipe *pipe);

/* Drops a shader that hangs: its control-list thread was reset. */
void vertex_pipe_abandon(struct vertex_pipe *pipe);

/* Shaded vertices for count (1 to 3) indices; kind is QPU_VERTEX or QPU_COORDINATE. out[k] is good until the
 * next call. A result other than VERTEX_READY comes with a finding. Vertices for the PTB (QPU_COORDINATE) have
 * no varyings, those for the PSE no clip coordinates in GL mode. */
enum vertex_result vertex_pipe_get(struct vertex_pipe *pipe, const struct cl_state *state,
                                   const struct shader_record *record, enum qpu_kind kind,
                                   struct vertex_source source, const uint32_t index[],
                                   uint32_t count, const struct vertex *out[3]);

#endif
