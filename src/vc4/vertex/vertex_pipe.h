/* SPDX-License-Identifier: MIT */
/* vertex_pipe.h - the path of vertices to the PTB and the PSE (manual sections 7 and 8). The path
 * consists of the VCM, the VCD, the VPM and a QPU.
 *
 * In:  a shader record and vertex indices.
 * Out: shaded vertices. NV mode fetches them (vcm.h). GL mode collects up to 16 vertices that are
 *      not in the vertex cache, loads their attributes (vcd.h), runs the vertex or coordinate
 *      shader once for these vertices, and reads the shader's output from the VPM (manual figures
 *      10 and 11).
 *
 * Shaded vertices are cached by index. If a vertex is shaded again, the result is the same, and
 * only counts change. */
#ifndef VC4_VERTEX_VERTEX_PIPE_H
#define VC4_VERTEX_VERTEX_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/budget.h"
#include "vc4/qpu/profile.h"
#include "vc4/qpu/qpu.h"
#include "vc4/state/state.h"
#include "vc4/time/pctr.h"
#include "vc4/tmu/tmu.h"
#include "vc4/vertex/vcd.h"
#include "vc4/vertex/vcm.h"
#include "vc4/vpm/vpm.h"

/* The vertex cache. Each index can be stored in one set only. */
enum { VERTEX_SETS = 32, VERTEX_WAYS = 8 };

struct vertex_cache {
    uint32_t index[VERTEX_SETS][VERTEX_WAYS]; /* ~0 if the entry is empty */
    uint8_t next[VERTEX_SETS];                /* entry of each set that is replaced next */
    struct vertex vertex[VERTEX_SETS][VERTEX_WAYS];
};

struct vertex_pipe {
    /* The owner sets the first two members. */
    uint32_t reserve[2];       /* values of V3D_SQRSV0 and V3D_SQRSV1 */
    uint32_t allocation_limit; /* limit of VPM rows for a batch (V3D_VPACNTL), or 0 if there is no
                                   limit */

    uint64_t executed, shader_runs; /* executed instructions and batches since vertex_pipe_init() */
    /* True if a shader will never end. No further vertices are shaded until
     * vertex_pipe_abandon(). */
    bool hung;

    struct qpu qpu;
    struct tmu tmu;
    struct vpm vpm;
    struct vpm_port port;
    uint32_t next_qpu; /* number of the next batch's QPU */

    uint32_t record_address; /* address of the shader record of the vertices in the cache; .stage is
                                the shader that shaded them */
    enum shader_stage stage;
    struct vertex_cache cache;
};

/* What the path of vertices is connected to. */
struct vertex_pipe_ports {
    /* The owner sets these members, then calls vertex_pipe_connect(). */
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;
    struct budget *budget; /* limits of the run; each program spends from it */
    struct qpu_shared *shared;
    struct shared_units *slices;
    struct profile *profile;        /* NULL if the run has no profile */
    struct qpu_trace *trace;        /* NULL if the run is not traced */
    struct qpu_cache *instructions; /* decoded instructions */
    struct tmu_textures *textures;
    bool sanitize; /* true if the sanitizer watches the shaders */

    /* vertex_pipe_connect() sets these members. */
    struct tmu_ports tmu;
    struct vpm_ports vpm;
    struct qpu_ports qpu;
};

/* Stores in index[] the indices of the next vertices that will be requested, in order. Stores at
 * most max indices and returns their number. Must not report findings. */
typedef uint32_t vertex_look_ahead(void *user, uint32_t index[], uint32_t max);

/* Source of the indices that follow the requested vertices. look is NULL if these indices are
 * unknown. */
struct vertex_source {
    vertex_look_ahead *look;
    void *user;
};

enum vertex_result {
    VERTEX_READY,
    VERTEX_MISSING, /* a vertex cannot be read; the caller does not draw the primitive */
    VERTEX_HUNG,    /* the shader will never end, or every QPU is reserved */
    VERTEX_BUDGET,  /* the shader has reached the instruction limit */
};

/* Connects the parts of the path with each other. *pipe and *ports must stay where they are. */
void vertex_pipe_connect(struct vertex_pipe_ports *ports, struct vertex_pipe *pipe);

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void vertex_pipe_fields(struct state_stream *stream, struct vertex_pipe *pipe);

/* Resets everything except the members that the owner sets. */
void vertex_pipe_init(struct vertex_pipe *pipe);

/* Empties the vertex cache, for a new primitive list, tile or shader record. */
void vertex_pipe_reset(struct vertex_pipe *pipe);

/* Drops a shader that will never end. Called when its control-list thread is reset. */
void vertex_pipe_abandon(struct vertex_pipe *pipe);

/* Returns in out[] the shaded vertices for 1 to 3 indices. kind is QPU_VERTEX or QPU_COORDINATE.
 * out[k] is valid until the next call. If the result is not VERTEX_READY, a finding has been
 * reported. Vertices for the PTB (QPU_COORDINATE) have no varyings. Vertices for the PSE
 * (QPU_VERTEX) have no clip coordinates in GL mode. */
enum vertex_result vertex_pipe_get(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                                   const struct cl_state *state, const struct shader_record *record,
                                   enum qpu_kind kind, struct vertex_source source,
                                   const uint32_t index[], uint32_t count,
                                   const struct vertex *out[3]);

#endif
