/* SPDX-License-Identifier: MIT */
/* qpu_state.h - state of a QPU and of the units that all QPUs share (qpu.h). */
#ifndef VC4_QPU_QPU_STATE_H
#define VC4_QPU_QPU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/qpu/qpu_decoded.h"
#include "vc4/qpu/qpu_times.h"
#include "vc4/time/timing.h"

enum {
    QPU_COUNT = 16, /* limit: 4 slices with 4 QPUs each (V3D_IDENT1) */
    QPU_SEMAPHORES = 16,
    QPU_SEMAPHORE_MAX = 15,
};

enum qpu_kind { QPU_USER, QPU_FRAGMENT, QPU_VERTEX, QPU_COORDINATE };

/* State that all QPUs share. */
struct qpu_shared {
    uint8_t semaphore[QPU_SEMAPHORES];
    bool mutex_held;
    bool mutex_left; /* true if the program that acquired the mutex has ended without releasing
                        it */
    struct qpu_times_given given[QPU_SEMAPHORES];
    uint64_t mutex_time; /* time at which a user program last released the mutex */
    uint8_t mutex_owner; /* number of the QPU that holds the mutex, valid while .mutex_held
                                   is true */
    uint32_t mutex_pc;   /* address of the instruction that acquired the mutex */
    /* True if a user program may acquire the mutex only once per turn, so that the programs whose
     * turns come later can also acquire the mutex. */
    bool mutex_once;
    uint16_t mutex_taken; /* bit n is 1 if QPU n has acquired the mutex in this turn */
    /* Bit n is 1 if QPU n's user program has raised the host interrupt since the resident programs
     * started. */
    uint32_t interrupted;
    /* Address of the instruction that last released each semaphore, and the number of its QPU. */
    uint32_t released_at[QPU_SEMAPHORES];
    uint8_t released_by[QPU_SEMAPHORES];
    uint32_t interrupt_latched; /* value of V3D_DBQITC, with bit n for QPU n */
    uint32_t interrupt_enabled; /* value of V3D_DBQITE */
    bool interrupt_allowed;     /* bit 0 of V3D_DBCFG */
};

/* Elements of each register that hold a value. After a finding for an element, the element counts
 * as written. */
struct qpu_shadow {
    lane_mask a[32], b[32], r[6], flags;
    bool switched;     /* true if a thread switch has made the accumulators and flags
                              undefined */
    bool last_switch;  /* true if the last-thread-switch signal was executed */
    bool other_switch; /* true if a thread switch without the last-thread-switch signal was
                              executed */
    uint32_t switch_at;
    uint32_t switch_delay; /* instructions until the thread switch takes effect, or 0 */
    bool r4_fresh;         /* true if r4 contains a result that has not been read */
    uint32_t uniforms;     /* number of uniforms that the shader record declares, or 0 if unknown */
    bool rewound;          /* true if the uniform address was written, so that .uniforms does not
                              apply */
    bool varies;           /* true if the run depends on data, so that another run may have other
                              findings */

    /* Number, plus 1, of the latest instruction that wrote TMU_NOSWAP (noswap) or tile buffer Z
     * (depth), or 0 if there is none. */
    uint64_t noswap, depth;
};

enum qpu_state {
    QPU_IDLE,
    QPU_RUNNING,
    QPU_WAITING, /* stalled until another QPU acts; see .wait */
    QPU_ENDED,
    QPU_BROKEN, /* the hardware would hang or execute undefined code; a finding has been reported */
    QPU_LIMIT,  /* reached the limit of qpu_run(), or has to wait until other QPUs have run */
};

enum qpu_wait {
    QPU_WAIT_NONE,
    QPU_WAIT_SEMAPHORE_ACQUIRE, /* the semaphore's value is 0 */
    QPU_WAIT_SEMAPHORE_RELEASE, /* the semaphore's value is 15 */
    QPU_WAIT_MUTEX,
};

/* Constants that blocks read as registers. A small immediate's index is its code. The other
 * constants are the element numbers and the QPU's number. */
enum qpu_constant { QPU_CONSTANT_ELEMENTS = 48, QPU_CONSTANT_NUMBER, QPU_CONSTANTS };

/* Complete state of a program. The structure contains no pointers and must be zero-initialised.
 * Members after .uniforms_left are private. */
struct qpu {
    lanes ra[32], rb[32]; /* physical register files */
    lanes r[6];           /* accumulators r0..r5 */
    union {
        struct {
            lane_mask never, z, n, c; /* flags; .never is always 0 */
        };
        lane_mask flag[6]; /* indexed by a condition's code / 2; qpu_block.c saves conditions in the
                              last two */
    };

    enum qpu_state state;
    enum qpu_kind kind;
    enum qpu_wait wait;
    uint32_t wait_semaphore;

    uint32_t number;  /* 0..QPU_COUNT-1 */
    uint32_t start;   /* bus address of the first instruction */
    uint64_t code;    /* hash of a profiled user program's instructions, else 0 */
    uint32_t pc;      /* bus address of the next instruction */
    uint32_t uniform; /* bus address of the next uniform */
    bool uniforms_enabled;
    uint32_t uniforms_left; /* ~0 if unlimited */

    /* Origin of the uniform stream. .uniform_first is the stream's first address. If .uniform_set
     * is true, an instruction has set the uniform address, and .uniform_set_at is the address of
     * that instruction. */
    bool uniform_set;
    uint32_t uniform_set_at, uniform_first;

    /* Branches and the program's end take effect after their delay slots. */
    uint32_t branch_target, branch_delay; /* instructions that remain before the jump, or 0 if no
                                             branch is pending */
    uint32_t end_delay;                   /* instructions that remain before the end, or 0 if the
                                             program is not ending */
    uint32_t branch_recent;               /* number of following instructions that must not be
                                             branches */
    uint32_t branched_at, branched_to; /* address of the latest taken branch (0 if none) and of its
                                          target */
    bool delays;                       /* true if any delay counter above or below is not 0 */

    /* Results that are computed but have not arrived yet. */
    lanes sfu_result;
    uint32_t sfu_delay; /* instructions until r4 receives sfu_result, or 0 */
    /* Instructions until the latest write of the uniform address takes effect, or 0. Until then,
     * reads of uniforms are wrong. */
    uint32_t uniform_delay;

    /* Registers that the previous instruction wrote. old_a and old_b are their old values. wrote
     * has their numbers (QPU_NO_REGISTER if none) and their written elements, and one bit for each
     * written accumulator. */
    lanes old_a, old_b;
    struct qpu_wrote wrote;

    /* Elements 12..15 of the values that were last on the read ports and at the mul ALU's
     * output. */
    uint32_t last_a[4], last_b[4], last_mul[4];

    bool scoreboard_held, scoreboard_done;
    uint64_t instructions; /* instructions executed since the program's start */
    struct qpu_times times;
    struct qpu_shadow shadow;

    /* Members below are not reset when a program starts. */

    /* Temporary values of one instruction. */
    lanes port_a, port_b, unpacked, rotated[2];
    lanes loaded;     /* result of a load signal, which is copied to r4 */
    lanes discard[2]; /* results of the add and mul ALU that are unused, or not yet written to their
                         registers */

    uint64_t written;        /* one bit per register (ra, then rb) that was written since it was
                                last zeroed */
    uint64_t constants_made; /* bit n is 1 if constant[n] has been computed */
    lanes constant[QPU_CONSTANTS];
};

/* Returns the bit of a register in a set of registers. */
static inline uint64_t qpu_register_bit(bool file_a, unsigned number)
{
    return UINT64_C(1) << (file_a ? number : 32 + number);
}

/* Returns the elements for which a condition holds. */
static inline lane_mask qpu_condition(const struct qpu *qpu, unsigned condition)
{
    return (lane_mask)(qpu->flag[condition >> 1] ^ (0u - (condition & 1)));
}

/* Returns the clocks that the program has used since its start. */
static inline uint64_t qpu_clock(const struct qpu *qpu)
{
    return qpu->instructions * TIMING_INSTRUCTION + qpu->times.stalled;
}

/* Returns the program's time on the clock that all programs of a phase share (shared_units.h). */
static inline uint64_t qpu_time(const struct qpu *qpu)
{
    return qpu->times.start + qpu_clock(qpu);
}

#endif
