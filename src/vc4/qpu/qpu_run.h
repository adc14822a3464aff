/* SPDX-License-Identifier: MIT */
/* qpu_run.h - state and functions that the parts of the QPU share while a program runs. qpu.c
 * sequences instructions and computes results. qpu_io.c handles register addresses above 31 and the
 * signals. */
#ifndef VC4_QPU_QPU_RUN_H
#define VC4_QPU_QPU_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/fpmode.h"
#include "vc4/qpu/qpu.h"

/* Value of end_phase if the program is not ending. end_phase is 0 in the instruction with the
 * program-end signal, and 1 and 2 in its delay slots. */
enum { QPU_NOT_ENDING = 3 };

struct qpu_run {
    struct qpu *qpu;
    const struct qpu_ports *ports;
    const struct qpu_decoded *insn; /* the instruction being executed */
    struct qpu_wrote before;        /* registers written by the previous instruction */
    unsigned end_phase;
    bool r5_loaded; /* true if a read of a varying writes .c to r5 */
    lanes c;
    struct fpmode fpmode;

    uint32_t next;                 /* address after the block */
    bool taken;                    /* true if the block's branch was taken */
    bool turns;                    /* true if a branch and its delay slots have just been
                                      executed */
    const struct qpu_block *block; /* the block being executed */
    const struct qpu_op *last_op;  /* end of the block's operations; an operation sets it to NULL to
                                      leave the block */

    struct qpu_decoded *entries; /* decoded instructions, entry_mask + 1 entries */
    uint32_t entry_mask;
    struct qpu_decoded entry; /* used for blocks, and for all instructions if there is no cache */

    const struct slice *slice; /* NULL if caches and the SFU of slices are not modelled */

    const uint8_t *code; /* the mapped region that contains the program */
    uint32_t code_base, code_size;
    const uint8_t *uniforms; /* the mapped memory line that contains the next uniforms */
    uint32_t uniforms_base, uniforms_size;
};

/* qpu_outside() leaves the QPU's float mode, and qpu_inside() enters it again. Every call to code
 * outside the QPU is made between these two calls. qpu_outside() also sets the place of findings to
 * the current instruction. */
void qpu_outside(struct qpu_run *run);
void qpu_inside(struct qpu_run *run);

/* Reports a finding at the current instruction. */
#define QPU_FAULT(run, rule, ...) \
    (qpu_outside(run), fault((run)->ports->log, (rule), __VA_ARGS__), qpu_inside(run))

/* Reports a finding at the instruction at pc, which caused an effect that became visible later. */
void qpu_fault_from(struct qpu_run *run, enum fault_rule rule, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the range of uniforms that the program has read from its stream. */
static inline struct origin qpu_origin(const struct qpu *qpu)
{
    return (struct origin){qpu->uniform_first & ~UINT32_C(3), qpu->uniform & ~UINT32_C(3)};
}

/* Reads register address 32..63 of a file. If both ports read the same address, the caller calls
 * the function once. used is true if an ALU uses the value. Breaks the QPU where the hardware would
 * hang. */
void qpu_io_read(struct qpu_run *run, bool file_a, unsigned address, bool used, lanes *value);

/* Writes the elements in mask to register address 32..63. Must not be called with address 39, which
 * has no effect. */
void qpu_io_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                  lane_mask mask);

/* qpu_io_take_vector() reads a vector from the VPM. qpu_io_give_vector() writes all elements of a
 * vector to the VPM. Both return false and do nothing if the access could report a finding. */
bool qpu_io_take_vector(struct qpu_run *run, lanes *value);
bool qpu_io_give_vector(struct qpu_run *run, const lanes *value);

/* qpu_io_set_up() writes a setup word for reads or writes of the VPM. qpu_io_wait_for_dma() waits
 * for DMA loads or stores. Both return false and do nothing if the access could report a
 * finding. */
bool qpu_io_set_up(struct qpu_run *run, bool reads, uint32_t word);
bool qpu_io_wait_for_dma(struct qpu_run *run, bool loads);

/* Parts of qpu_io_read() and qpu_io_write() for callers that have already selected the register. In
 * the order of the functions: reads the next uniform, reads the element numbers (file A) or the QPU
 * number (file B), writes r5, writes an SFU register, and writes the uniform address. */
uint32_t qpu_io_uniform(struct qpu_run *run, bool used);
void qpu_io_number(const struct qpu *qpu, bool file_a, lanes *value);
void qpu_io_write_r5(struct qpu *qpu, bool file_a, const lanes *value, lane_mask mask);
void qpu_io_write_sfu(struct qpu *qpu, unsigned function, const lanes *value, lane_mask mask);
void qpu_io_set_uniform(struct qpu *qpu, bool file_a, uint32_t value, uint32_t pc);

/* Accounts for the instruction lines of the block up to the instruction at index. Operations whose
 * time matters call qpu_block_fetch() first. qpu_block_fetch_lines() handles an instruction at
 * address `last` whose line has not been fetched yet. */
void qpu_block_fetch_lines(struct qpu_run *run, uint32_t last);

static inline void qpu_block_fetch(struct qpu_run *run, unsigned index)
{
    uint32_t last = (run->qpu->pc & BUS_ADDRESS_MASK) + index * 8u;
    if (run->qpu->times.line <= last / TIMING_LINE)
        qpu_block_fetch_lines(run, last);
}

/* Attribute the stalls that are not attributed yet. qpu_blame() attributes the stalls to the
 * instruction at address, qpu_blame_in_block() to the instruction at index in the block. */
void qpu_blame(struct qpu_run *run, uint32_t address, uint64_t word);
void qpu_blame_in_block(struct qpu_run *run, unsigned index);

/* Attributes stalls like qpu_blame_in_block() if the run has an instruction profile. */
static inline void qpu_block_blame(struct qpu_run *run, unsigned index)
{
    if (run->ports->insn_profile)
        qpu_blame_in_block(run, index);
}

/* qpu_block_enter() sets an instruction of the block as the current instruction, before a call to
 * code outside the QPU. qpu_block_leave() sets the start of the block as the current position
 * again. */
void qpu_block_enter(struct qpu_run *run, unsigned index);
void qpu_block_leave(struct qpu_run *run, unsigned index);

/* Returns the next uniform, for an operation of a block. */
uint32_t qpu_block_uniform(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run);

/* True if a branch condition (manual table 11) holds. */
bool qpu_is_taken(const struct qpu *qpu, unsigned condition);

/* qpu_rotated_from() returns the element that a rotation moves to `element`. The rotation is over
 * all elements if `all` is true, otherwise within each quad. qpu_rotates_all() returns true if an
 * instruction rotates over all elements. */
static inline unsigned qpu_rotated_from(unsigned element, unsigned amount, bool all)
{
    return all ? (element - amount) & 15 : (element & ~3u) | ((element - amount) & 3);
}

static inline bool qpu_rotates_all(const struct qpu_insn *insn)
{
    return insn->mul_a <= QPU_MUX_R3 && insn->mul_b <= QPU_MUX_R3;
}

extern const struct qpu_wrote qpu_wrote_nothing;

/* Returns true and sets the QPU's state to QPU_WAITING if the QPU must wait. wait is the result of
 * qpu_may_wait(). */
bool qpu_waits(struct qpu_run *run, uint8_t wait);

/* True if the program on the QPU holds the mutex. */
static inline bool qpu_has_mutex(const struct qpu_shared *shared, const struct qpu *qpu)
{
    return shared->mutex_held && !shared->mutex_left && shared->mutex_owner == qpu->number;
}

/* Acquires or releases a semaphore. The caller has checked that the semaphore's value allows the
 * change. */
void qpu_semaphore(struct qpu_run *run, unsigned number, bool acquire);

/* Reads the value that a load signal (7..12) loads into r4. */
void qpu_io_load(struct qpu_run *run, enum qpu_sig sig, lanes *value);

/* Executes a scoreboard signal: 4 (wait) or 5 (unlock). */
void qpu_io_scoreboard(struct qpu_run *run, enum qpu_sig sig);

/* Informs the sanitizer that a program has acquired or released a semaphore, or the mutex if number
 * is QPU_SEMAPHORES. */
void qpu_io_sync(const struct qpu_run *run, uint32_t number, bool acquire);

/* Checks the QPU's units at the end of a program and reports findings. */
void qpu_io_end(struct qpu_run *run);

#endif
