/* SPDX-License-Identifier: MIT */
/* qpu_run.h - what the parts of the QPU share while one runs: qpu.c sequences and computes,
 * qpu_io.c serves the register addresses above 31 and the signals. */
#ifndef VC4_QPU_RUN_H
#define VC4_QPU_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/fpmode.h"
#include "vc4/qpu.h"

/* Instructions after program end: 0 the signal's own, 1 and 2 its delay slots. */
enum { QPU_NOT_ENDING = 3 };

struct qpu_run {
    struct qpu *qpu;
    const struct qpu_ports *ports;
    const struct qpu_decoded *insn; /* being executed */
    struct qpu_wrote before;        /* by the previous instruction */
    unsigned end_phase;
    bool r5_loaded; /* a varying read brings c to r5 */
    lanes c;
    struct fpmode fpmode;

    uint32_t next;                 /* where the block goes on */
    bool taken;                    /* a branch of the block */
    bool turns;                    /* a branch and its slots have just been executed */
    const struct qpu_block *block; /* being executed */
    const struct qpu_op *last_op;  /* behind the block's operations; NULL when it must stop */

    struct qpu_decoded *entries; /* the cache, entry_mask + 1 entries */
    uint32_t entry_mask;
    struct qpu_decoded entry; /* stands in for a cache */

    const struct slice *slice; /* NULL: not modelled */

    const uint8_t *code; /* the mapped region that the program runs in */
    uint32_t code_base, code_size;
    const uint8_t *uniforms; /* likewise, its uniforms */
    uint32_t uniforms_base, uniforms_size;
};

/* Everything outside of the QPU is called between these two: they keep the place of findings up to
 * date and the host's float unit as others expect it. */
void qpu_outside(struct qpu_run *run);
void qpu_inside(struct qpu_run *run);

/* Reports a finding at the current instruction. */
#define QPU_FAULT(run, rule, ...) \
    (qpu_outside(run), fault((run)->ports->log, (rule), __VA_ARGS__), qpu_inside(run))

/* Reports what shows later at the instruction that is the cause. */
void qpu_fault_from(struct qpu_run *run, enum fault_rule rule, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The uniforms that the program has read from its stream. */
static inline struct origin qpu_origin(const struct qpu *qpu)
{
    return (struct origin){qpu->uniform_first & ~UINT32_C(3), qpu->uniform & ~UINT32_C(3)};
}

/* What reads address 32..63 of a file gets; an address that both ports name is read once, by the
 * caller. used: an ALU takes the value. Breaks the QPU where hardware would hang. */
void qpu_io_read(struct qpu_run *run, bool file_a, unsigned address, bool used, lanes *value);

/* A write to address 32..63 with the elements in mask; waddr 39 is not for here. */
void qpu_io_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                  lane_mask mask);

/* A vector from the VPM or to it, by all elements. False, and nothing is done, if there could be anything to tell of it. */
bool qpu_io_take_vector(struct qpu_run *run, lanes *value);
bool qpu_io_give_vector(struct qpu_run *run, const lanes *value);

/* The same: a setup word for reads or writes of the VPM; waiting for DMA that loads or stores. */
bool qpu_io_set_up(struct qpu_run *run, bool reads, uint32_t word);
bool qpu_io_wait_for_dma(struct qpu_run *run, bool loads);

/* Parts of these for instructions that need nothing else: the next uniform; the element numbers (file A)
 * or the QPU number; writes to r5, to the SFU, and to the uniform address. */
uint32_t qpu_io_uniform(struct qpu_run *run, bool used);
void qpu_io_number(const struct qpu *qpu, bool file_a, lanes *value);
void qpu_io_write_r5(struct qpu *qpu, bool file_a, const lanes *value, lane_mask mask);
void qpu_io_write_sfu(struct qpu *qpu, unsigned function, const lanes *value, lane_mask mask);
void qpu_io_set_uniform(struct qpu *qpu, bool file_a, uint32_t value, uint32_t pc);

/* Fetches the lines of the block up to an instruction of it. An operation that takes time does so first. The
 * function is for the byte at an address whose line is not the latest one. */
void qpu_block_fetch_lines(struct qpu_run *run, uint32_t last);

static inline void qpu_block_fetch(struct qpu_run *run, unsigned index)
{
    uint32_t last = (run->qpu->pc & BUS_ADDRESS_MASK) + index * 8u;
    if (run->qpu->times.line <= last / TIMING_LINE)
        qpu_block_fetch_lines(run, last);
}

/* Counts stalls that no instruction has been blamed for as those of the one at address; or of the one of the block. */
void qpu_blame(struct qpu_run *run, uint32_t address, uint64_t word);
void qpu_blame_in_block(struct qpu_run *run, unsigned index);

/* The same if anybody wants to know. */
static inline void qpu_block_blame(struct qpu_run *run, unsigned index)
{
    if (run->ports->hot)
        qpu_blame_in_block(run, index);
}

/* Makes an instruction of the block the current one, for what is outside of the QPU; and goes back. */
void qpu_block_enter(struct qpu_run *run, unsigned index);
void qpu_block_leave(struct qpu_run *run, unsigned index);

/* A uniform, for an operation of a block. */
uint32_t qpu_block_uniform(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run);

/* Whether a branch condition (manual table 11) holds. */
bool qpu_is_taken(const struct qpu *qpu, unsigned condition);

/* Where an element comes from in a rotation of all elements, or of those of each quad; and which of the two an
 * instruction asks for. */
static inline unsigned qpu_rotated_from(unsigned element, unsigned amount, bool all)
{
    return all ? (element - amount) & 15 : (element & ~3u) | ((element - amount) & 3);
}

static inline bool qpu_rotates_all(const struct qpu_insn *insn)
{
    return insn->mul_a <= QPU_MUX_R3 && insn->mul_b <= QPU_MUX_R3;
}

extern const struct qpu_wrote qpu_wrote_nothing;

/* Whether the QPU must wait for what an instruction may have to (qpu_may_wait()); it does from then on. */
bool qpu_waits(struct qpu_run *run, uint8_t wait);

/* Whether the program that runs on the QPU has the mutex. */
static inline bool qpu_has_mutex(const struct qpu_shared *shared, const struct qpu *qpu)
{
    return shared->mutex_held && !shared->mutex_left && shared->mutex_owner == qpu->number;
}

/* Changes a semaphore that allows it. */
void qpu_semaphore(struct qpu_run *run, unsigned number, bool acquire);

/* What a load signal (7..12) brings to r4. */
void qpu_io_load(struct qpu_run *run, enum qpu_sig sig, lanes *value);

/* Scoreboard signals 4 and 5. */
void qpu_io_scoreboard(struct qpu_run *run, enum qpu_sig sig);

/* Tells the sanitizer that a program has got (acquire) or given a semaphore, or number QPU_SEMAPHORES: the
 * mutex. */
void qpu_io_sync(const struct qpu_run *run, uint32_t number, bool acquire);

/* What the units outside have to say at the end of a program. */
void qpu_io_end(struct qpu_run *run);

#endif
