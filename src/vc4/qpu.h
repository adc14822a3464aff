/* SPDX-License-Identifier: MIT */
/* qpu.h - Quad Processor (manual section 3): one hardware thread executing one program.
 *
 * In:  a start address, a uniform stream and, for fragment shaders, the FEP's quads.
 * Out: effects on the units that the QPU is wired to (struct qpu_ports).
 *
 * Instruction words are decoded by isa/qpu; arithmetic is in alu.c, pack.c and sfu.c; this block
 * fetches, sequences, moves operands and talks to the closely coupled units. */
#ifndef VC4_QPU_H
#define VC4_QPU_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/hot.h"
#include "vc4/lanes.h"
#include "vc4/pctr.h"
#include "vc4/qpu_block.h"
#include "vc4/qpu_cycles.h"
#include "vc4/qpu_decoded.h"
#include "vc4/qpu_shadow.h"
#include "vc4/timing.h"
#include "vc4/tlb.h"
#include "vc4/tmu.h"
#include "vc4/vpm.h"
#include "vc4/vri.h"

enum {
    QPU_COUNT = 16, /* at most: 4 slices of 4 (V3D_IDENT1) */
    QPU_SEMAPHORES = 16,
    QPU_SEMAPHORE_MAX = 15,
};

enum qpu_kind { QPU_USER, QPU_FRAGMENT, QPU_VERTEX, QPU_COORDINATE };

/* What all QPUs share. */
struct qpu_shared {
    uint8_t semaphore[QPU_SEMAPHORES];
    bool mutex_held;
    bool mutex_left; /* the program that took it has ended */
    struct qpu_times_given given[QPU_SEMAPHORES];
    uint64_t mutex_time;        /* when a user program released it last */
    uint8_t mutex_owner;        /* QPU number, while held */
    uint32_t mutex_pc;          /* the instruction that acquired it */
    bool mutex_once;            /* a user program takes it once in its turn, so that others get it at their time */
    uint16_t mutex_taken;       /* QPUs whose programs have done so, a bit for each */
    /* QPUs whose user programs have raised the host interrupt since none was running: bit each. */
    uint32_t interrupted;
    /* The instructions that released the semaphores last, and their QPUs. */
    uint32_t released_at[QPU_SEMAPHORES];
    uint8_t released_by[QPU_SEMAPHORES];
    uint32_t interrupt_latched; /* V3D_DBQITC: bit per QPU */
    uint32_t interrupt_enabled; /* V3D_DBQITE */
    bool interrupt_allowed;     /* V3D_DBCFG bit 0 */
    struct race *race;          /* NULL unless the run-time sanitizer is on */
};

/* Decoded instructions, by address, and blocks of them. Zero-initialise it; any number of QPUs that take turns can
 * share one. An entry is used only if the instruction word still is the one it was made from. */
enum { QPU_CACHE = 1024 };

struct qpu_cache {
    struct qpu_decoded entry[QPU_CACHE];
    struct qpu_blocks blocks;
};

struct qpu_trace;

/* What one QPU is wired to while it runs a program. */
struct qpu_ports {
    struct bus *bus;
    struct fault_log *log;
    struct qpu_shared *shared;
    struct tmu *tmu;
    struct tlb *tlb;               /* fragment shaders, else NULL */
    struct tlb_fragment *fragment; /* fragment shaders, else NULL */
    struct vri *vri;               /* fragment shaders, else NULL */
    struct vpm *vpm;               /* all but fragment shaders, else NULL */
    struct vpm_port *vpm_port;     /* likewise */
    struct qpu_cache *cache;       /* may be NULL: slower */
    struct slices *slices;         /* may be NULL: no cache misses, and no stalls for others */
    struct traffic *traffic;       /* may be NULL: nobody else is on the way to memory */
    struct trips *trips;           /* if not NULL, what would go that way is kept here */
    struct pctr_counts *counts;    /* may be NULL: events are not counted */
    struct hot *hot;               /* counts instructions and their stalls; may be NULL */
    struct qpu_trace *trace;       /* is told of each instruction; may be NULL */
    bool sanitize;                 /* watch what the program reads; slower */
    bool alone; /* stop before an access to what QPUs share, or the program's end */
    uint64_t more; /* instructions that may follow the most of qpu_run(), up to the end of a branch */
};

enum qpu_state {
    QPU_IDLE,
    QPU_RUNNING,
    QPU_WAITING, /* stalled on something that another QPU must change; see .wait */
    QPU_ENDED,
    QPU_BROKEN, /* the hardware would hang or run wild; the finding is in the log */
    QPU_LIMIT,  /* ran out of the budget given to qpu_run(), or cannot go on alone */
};

enum qpu_wait {
    QPU_WAIT_NONE,
    QPU_WAIT_SEMAPHORE_ACQUIRE, /* its value is 0 */
    QPU_WAIT_SEMAPHORE_RELEASE, /* its value is 15 */
    QPU_WAIT_MUTEX,
};

/* What blocks read that never changes: small immediates by their code, element numbers, the QPU's number. */
enum qpu_constant { QPU_CONSTANT_ELEMENTS = 48, QPU_CONSTANT_NUMBER, QPU_CONSTANTS };

/* All state of a program. Plain data, no pointers; zero-initialise it. What follows .uniforms_left is private. */
struct qpu {
    lanes ra[32], rb[32]; /* physical register files */
    lanes r[6];           /* accumulators r0..r5 */
    union {
        struct {
            lane_mask never, z, n, c; /* flags; .never is 0 */
        };
        lane_mask flag[6]; /* by condition / 2; the last two: qpu_block.c */
    };

    enum qpu_state state;
    enum qpu_kind kind;
    enum qpu_wait wait;
    uint32_t wait_semaphore;

    uint32_t number;  /* 0..QPU_COUNT-1 */
    uint32_t start;   /* bus address of the first instruction */
    uint64_t code;    /* as in struct tess_vc4_shader_stats */
    uint32_t pc;      /* bus address of the next instruction */
    uint32_t uniform; /* bus address of the next uniform */
    bool uniforms_enabled;
    uint32_t uniforms_left; /* ~0: unlimited */

    /* Where the stream comes from: its first address, and the instruction that set it, if one did. */
    bool uniform_set;
    uint32_t uniform_set_at, uniform_first;

    /* Branches and program end take effect after their delay slots. */
    uint32_t branch_target, branch_delay; /* instructions left before the jump; 0: none */
    uint32_t end_delay;                   /* likewise */
    uint32_t branch_recent;               /* instructions left that must not be branches */
    uint32_t branched_at, branched_to; /* the latest branch taken, 0: none, and its target */
    bool delays;                          /* whether any count here or below runs */

    /* Results on their way. */
    lanes sfu_result;
    uint32_t sfu_delay; /* instructions until r4 takes sfu_result; 0: none */
    uint32_t
        uniform_delay; /* instructions since a uniform address write during which reads are wrong */

    /* What the previous instruction wrote: registers (QPU_NO_REGISTER: none), their content before,
     * the elements written; accumulators, bit per register. */
    lanes old_a, old_b;
    struct qpu_wrote wrote;

    /* Values that stay on the read ports and at the mul ALU's output (elements 12..15). */
    uint32_t last_a[4], last_b[4], last_mul[4];

    bool scoreboard_held, scoreboard_done;
    uint64_t instructions; /* executed since start */
    struct qpu_times times;
    struct qpu_shadow shadow;

    /* What follows is as the last program left it. */

    /* Between the operations of an instruction; of no meaning after it. */
    lanes port_a, port_b, unpacked, rotated[2];
    lanes loaded;     /* by a signal, for r4 */
    lanes discard[2]; /* results of the add and mul ALU that nothing takes, or that must wait */

    uint64_t written;        /* of ra and then rb, since they were zero: bit each */
    uint64_t constants_made; /* those of the following that are there, bit each */
    lanes constant[QPU_CONSTANTS];
};

/* The bit of a register in a set of them. */
static inline uint64_t qpu_register_bit(bool file_a, unsigned number)
{
    return UINT64_C(1) << (file_a ? number : 32 + number);
}

/* The elements for which a condition holds. */
static inline lane_mask qpu_condition(const struct qpu *qpu, unsigned condition)
{
    return (lane_mask)(qpu->flag[condition >> 1] ^ (0u - (condition & 1)));
}

/* Clocks since the program's start, all instructions that are counted included. */
static inline uint64_t qpu_clock(const struct qpu *qpu)
{
    return qpu->instructions * TIMING_INSTRUCTION + qpu->times.stalled;
}

/* The same on the clock that all programs of a phase share (slices.h). */
static inline uint64_t qpu_time(const struct qpu *qpu)
{
    return qpu->times.start + qpu_clock(qpu);
}

/* Prepares a program; every register and flag is zero. uniforms = 0 disables the stream. */
void qpu_start(struct qpu *qpu, enum qpu_kind kind, uint32_t number, uint32_t pc,
               uint32_t uniforms);

/* What a fragment shader finds in register 15 of both files. */
void qpu_give_fragment(struct qpu *qpu, const lanes *w, const lanes *z);

/* Runs until the program ends, waits or breaks, or max_instructions have been executed, and then a branch with its slots
 * or ports->more instructions; ports->alone: or it would do what others can see. Updates the log's place as it goes. Returns qpu->state. */
enum qpu_state qpu_run(struct qpu *qpu, const struct qpu_ports *ports, uint64_t max_instructions);

/* "semaphore 3 to be released by another QPU": what a waiting QPU waits for, as things stand. */
const char *qpu_wait_text(const struct qpu *qpu, const struct qpu_shared *shared, char *text,
                          uint32_t size);

/* What to do about it, if nothing ends the wait. */
const char *qpu_wait_hint(const struct qpu *qpu, const struct qpu_shared *shared, char *text,
                          uint32_t size);

#endif
