/* SPDX-License-Identifier: MIT */
/* qpu_run.h - state and functions that the parts of the QPU share while a program runs. qpu.c
 * sequences instructions, and qpu_execute.c computes their results. qpu_io.c handles register
 * addresses above 31 and the signals. qpu_block_run.c has what operations of blocks share. */
#ifndef VC4_QPU_QPU_RUN_H
#define VC4_QPU_QPU_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/memory/bus.h"
#include "vc4/qpu/fpmode.h"
#include "vc4/qpu/qpu_cache.h"
#include "vc4/qpu/qpu_ports.h"
#include "vc4/qpu/qpu_state.h"
#include "vc4/time/shared_units.h"
#include "vc4/watch/instruction_profile.h"
#include "vc4/watch/origin.h"

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

/* Ends the program where the hardware would hang, or where the program cannot continue. */
static inline void qpu_break(struct qpu_run *run)
{
    run->qpu->state = QPU_BROKEN;
}

/* True if a branch condition (manual table 11) holds. */
bool qpu_is_taken(const struct qpu *qpu, unsigned condition);

/* Returns the element that a rotation moves to `element`. The rotation is over all elements if
 * `all` is true, otherwise within each quad. */
static inline unsigned qpu_rotated_from(unsigned element, unsigned amount, bool all)
{
    return all ? (element - amount) & 15 : (element & ~3u) | ((element - amount) & 3);
}

extern const struct qpu_wrote qpu_wrote_nothing;

/* True if the program on the QPU holds the mutex. */
static inline bool qpu_has_mutex(const struct qpu_shared *shared, const struct qpu *qpu)
{
    return shared->mutex_held && !shared->mutex_left && shared->mutex_owner == qpu->number;
}

/* True if the program must not acquire the mutex again in this turn. */
static inline bool qpu_had_mutex(const struct qpu_shared *shared, const struct qpu *qpu)
{
    return shared->mutex_once && qpu->kind == QPU_USER && shared->mutex_taken >> qpu->number & 1;
}

/* Returns the event for which the QPU must wait now. wait is the result of qpu_may_wait(). */
static inline enum qpu_wait qpu_must_wait(const struct qpu_shared *shared, const struct qpu *qpu,
                                          uint8_t wait)
{
    uint8_t value = shared->semaphore[wait & 15];
    if ((wait & QPU_MAY_ACQUIRE) && value == 0)
        return QPU_WAIT_SEMAPHORE_ACQUIRE;
    if ((wait & QPU_MAY_RELEASE) && value >= QPU_SEMAPHORE_MAX)
        return QPU_WAIT_SEMAPHORE_RELEASE;
    if (!(wait & QPU_MAY_TAKE) || qpu_has_mutex(shared, qpu))
        return QPU_WAIT_NONE;
    return shared->mutex_held || qpu_had_mutex(shared, qpu) ? QPU_WAIT_MUTEX : QPU_WAIT_NONE;
}

/* Returns true and sets the QPU's state to QPU_WAITING if the QPU must wait. wait is the result of
 * qpu_may_wait(). */
static inline bool qpu_waits(struct qpu_run *run, uint8_t wait)
{
    struct qpu *qpu = run->qpu;
    qpu->wait = wait ? qpu_must_wait(run->ports->shared, qpu, wait) : QPU_WAIT_NONE;
    if (qpu->wait == QPU_WAIT_NONE)
        return false;
    qpu->wait_semaphore = wait & 15;
    qpu->state = QPU_WAITING;
    return true;
}

/* True if qpu_fetch_line() has nothing to do, because the line is in the cache and has arrived. */
static inline bool qpu_is_at_hand(const struct qpu_run *run, uint32_t address)
{
    const struct slice *slice = run->slice;
    uint32_t number = address / TIMING_LINE, place = number % SLICES_LINES;
    return slice && cache_is_latest(&slice->instructions, address) &&
           (slice->coming.line[place] != number + 1 ||
            slice->coming.there[place] <= qpu_time(run->qpu));
}

/* Returns the program on the QPU, for the profile of instructions. */
static inline struct profile_program qpu_program_of(const struct qpu *qpu)
{
    return (struct profile_program){(enum tess_vc4_shader_kind)qpu->kind, qpu->start, qpu->code};
}

/* Attributes the stalls that are not attributed yet to the instruction at address. */
void qpu_blame(struct qpu_run *run, uint32_t address, uint64_t word);

/* Sets run->insn to the decoded instruction at pc, whose instruction word is `word`. */
static inline void qpu_set_instruction(struct qpu_run *run, uint64_t word)
{
    struct qpu_decoded *entry = &run->entries[qpu_spread(run->qpu->pc) & run->entry_mask];
    if (entry->word != word || entry->path == QPU_PATH_NONE)
        qpu_prepare(entry, word);
    run->insn = entry;
}

/* Sets run->insn to an instruction of a block, so that findings refer to the instruction. `word` is
 * its instruction word. */
static inline void qpu_set_block_instruction(struct qpu_run *run, uint64_t word)
{
    qpu_prepare(&run->entry, word);
    run->insn = &run->entry;
}

/* Executes the instruction run->insn: reports the rules that the instruction breaks, carries out
 * its signal, its operations and its writes, and begins a branch or the end of the program. Sets
 * the state to QPU_BROKEN if the program cannot continue. */
void qpu_execute(struct qpu_run *run);

#endif
