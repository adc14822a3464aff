/* SPDX-License-Identifier: MIT */
/* qpu_block_io.c - see qpu_block_io.h.
 *
 * Source: as in qpu.c. Events within an instruction happen in the same order as in qpu.c. */
#include "vc4/qpu/qpu_block_io.h"

#include "vc4/qpu/qpu_block_run.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/tmu/tmu.h"

#include <stddef.h>

#define HANDLER(name) void name(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run)
#define TO            ((lanes *)((uint8_t *)qpu + op->to))
#define A             ((const lanes *)((const uint8_t *)qpu + op->a))

HANDLER(qpu_block_io_read)
{
    run->r5_loaded = false;
    qpu_block_enter(run, op->index);
    qpu_io_read(run, op->b, op->a, op->value, TO);
    qpu_block_leave(run, op->index);
}

HANDLER(qpu_block_io_take_c)
{
    (void)op;
    if (run->r5_loaded)
        qpu->r[5] = run->c;
}

HANDLER(qpu_block_io_write)
{
    qpu_block_enter(run, op->index);
    qpu_io_write(run, op->value, op->b, A, qpu_condition(qpu, op->condition));
    qpu_block_leave(run, op->index);
}

HANDLER(qpu_block_io_load)
{
    qpu_block_enter(run, op->index);
    qpu_io_load(run, (enum qpu_sig)op->value, TO);
    qpu_block_leave(run, op->index);
}

/* Sets the QPU's time and address to those of an instruction, without making it the current
 * instruction. Most accesses cannot report a finding, and need nothing else. */
static void begin_quietly(struct qpu_run *run, unsigned index)
{
    qpu_block_fetch(run, index);
    run->qpu->instructions += index;
    run->qpu->pc += index * 8u;
}

static void end_quietly(struct qpu *qpu, unsigned index)
{
    qpu->instructions -= index;
    qpu->pc -= index * 8u;
}

HANDLER(qpu_block_io_varying)
{
    run->r5_loaded = false;
    begin_quietly(run, op->index);
    bool done = qpu_io_take_varying(run, TO);
    end_quietly(qpu, op->index);
    if (!done)
        qpu_block_io_read(qpu, op, run);
    else
        qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_take_vector)
{
    begin_quietly(run, op->index);
    bool done = qpu_io_take_vector(run, TO);
    end_quietly(qpu, op->index);
    if (!done)
        qpu_block_io_read(qpu, op, run);
    else
        qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_give_vector)
{
    begin_quietly(run, op->index);
    bool done = qpu_io_give_vector(run, A);
    end_quietly(qpu, op->index);
    if (!done)
        qpu_block_io_write(qpu, op, run);
    else
        qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_set_up)
{
    begin_quietly(run, op->index);
    bool done = qpu_io_set_up(run, op->value, (*A)[0]);
    end_quietly(qpu, op->index);
    if (!done)
        qpu_block_io_write(qpu, op, run);
    else
        qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_wait_for_dma)
{
    begin_quietly(run, op->index);
    bool done = qpu_io_wait_for_dma(run, op->b);
    end_quietly(qpu, op->index);
    if (!done) {
        qpu_block_io_read(qpu, op, run);
        return;
    }
    qpu_block_blame(run, op->index);
    qpu_io_number(qpu, op->b, TO);
}

/* Returns the number of the TMU whose register an operation writes. */
static unsigned unit_of(const struct qpu_op *op)
{
    return (op->b - QPU_WR_TMU0_S + 0u) >> 2;
}

/* Reads the parameter that a write to a TMU consumes, and sets the place of the write. */
static uint32_t take_parameter(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run)
{
    struct tmu *tmu = run->ports->tmu;
    qpu_block_fetch(run, op->index);
    tmu->parameter_at = qpu->uniform & ~UINT32_C(3);
    uint32_t parameter = qpu_block_next_uniform(qpu, op->index, 1, run);
    tmu->pc = qpu->pc + op->index * 8u;
    tmu->origin = qpu_origin(qpu);
    return parameter;
}

HANDLER(qpu_block_io_coordinate)
{
    const struct qpu_ports *ports = run->ports;
    if (!tmu_writes_quietly(ports->tmu, unit_of(op))) {
        qpu_block_io_write(qpu, op, run);
        return;
    }
    uint32_t parameter = take_parameter(qpu, op, run);
    tmu_write(ports->tmu, ports->tmu_ports, unit_of(op), (enum tmu_register)(op->b & 3), A,
              parameter);
    qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_request)
{
    const struct qpu_ports *ports = run->ports;
    struct tmu *tmu = ports->tmu;
    unsigned unit = unit_of(op);
    if (!tmu_needs_parameter(tmu, unit, TMU_S)) {
        qpu_block_io_look_up(qpu, op, run);
        return;
    }
    uint32_t parameter = take_parameter(qpu, op, run);
    uint32_t before = tmu_pending(tmu);
    fpmode_leave(&run->fpmode);
    fault_enter_shader(ports->log, qpu->start, tmu->pc,
                       &ports->cache->blocks.word[run->block->first_word + op->index], qpu->number);
    tmu_write(tmu, ports->tmu_ports, unit, TMU_S, A, parameter);
    fpmode_enter(&run->fpmode);
    begin_quietly(run, op->index);
    qpu_tmu_request(run, unit, tmu_pending(tmu) - before);
    end_quietly(qpu, op->index);
    qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_look_up)
{
    unsigned unit = unit_of(op);
    qpu_block_fetch(run, op->index); /* before the lookup, because the instruction fetch and the
                                        lookup use the same level 2 cache */
    run->ports->tmu->pc = qpu->pc + op->index * 8u;
    if (!tmu_look_up_quietly(run->ports->tmu, run->ports->tmu_ports, unit, A)) {
        qpu_block_io_write(qpu, op, run);
        return;
    }
    begin_quietly(run, op->index);
    qpu_tmu_request(run, unit, 1);
    end_quietly(qpu, op->index);
    qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_result)
{
    unsigned unit = op->value == QPU_SIG_LOAD_TMU1;
    if (!tmu_read(run->ports->tmu, unit, TO)) {
        struct qpu_op none = *op; /* r4 keeps its value */
        none.to = offsetof(struct qpu, loaded);
        qpu_block_io_load(qpu, &none, run);
        qpu_block_io_check(qpu, op, run);
        return;
    }
    begin_quietly(run, op->index);
    qpu_tmu_result(run, unit);
    end_quietly(qpu, op->index);
    qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_write_tile)
{
    begin_quietly(run, op->index);
    bool done = qpu_io_write_tile(run, op->b, A);
    end_quietly(qpu, op->index);
    if (!done)
        qpu_block_io_write(qpu, op, run);
    else
        qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_load_colour)
{
    begin_quietly(run, op->index);
    bool done = qpu_io_load_colour(run, TO);
    end_quietly(qpu, op->index);
    if (!done)
        qpu_block_io_load(qpu, op, run);
    else
        qpu_block_blame(run, op->index);
}

HANDLER(qpu_block_io_scoreboard)
{
    if (op->value == QPU_SIG_SCOREBOARD_UNLOCK) { /* reports no finding */
        begin_quietly(run, op->index);
        qpu_io_scoreboard(run, QPU_SIG_SCOREBOARD_UNLOCK);
        end_quietly(qpu, op->index);
        qpu_block_blame(run, op->index);
        return;
    }
    qpu_block_enter(run, op->index);
    qpu_io_scoreboard(run, (enum qpu_sig)op->value);
    qpu_block_leave(run, op->index);
}

HANDLER(qpu_block_io_check)
{
    if (qpu->state != QPU_BROKEN)
        return;
    run->last_op = NULL;
    qpu_block_enter(run, op->index); /* sets the program's address to this instruction */
}
