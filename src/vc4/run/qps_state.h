/* SPDX-License-Identifier: MIT */
/* qps_state.h - state of user programs and of their queue (qps.h). */
#ifndef VC4_RUN_QPS_STATE_H
#define VC4_RUN_QPS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu.h"
#include "vc4/tmu/tmu.h"
#include "vc4/vpm/vpm.h"

enum {
    QPS_QUEUE = 16,
    QPS_TURN = 256, /* instructions per turn; then the turn continues to the next branch */
    QPS_MORE = 256, /* limit of further instructions until the turn ends without a branch */
};

struct qps_request {
    uint32_t pc, uniforms, uniforms_length;
};

struct qps {
    struct qps_request queue[QPS_QUEUE];
    uint32_t first, count;
    uint32_t uniforms, uniforms_length; /* values of V3D_SRQUA and V3D_SRQUL */
    uint8_t requests, completed;        /* counts that V3D_SRQCS contains */
    bool error;
    bool stuck; /* true if a program hangs; other programs may continue */

    uint32_t turn; /* number of the QPU whose turn is next, while a round of turns has paused;
                      otherwise 0 */
    bool moved;    /* true if a program has executed an instruction or ended in this round */

    uint8_t semaphore[QPU_SEMAPHORES]; /* values at the time when the resident programs started */

    struct qpu user[QPU_COUNT];
    struct tmu user_tmu[QPU_COUNT];
    struct vpm_port user_vpm[QPU_COUNT];

    uint64_t instructions, shader_runs; /* executed instructions, and programs, since power-up */
};

#endif
