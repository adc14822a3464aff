/* SPDX-License-Identifier: MIT */
/* qpu_block_run.c - see qpu_block_run.h. */
#include "vc4/qpu/qpu_block_run.h"

#include "base/bits.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"

enum { WORD = 8 }; /* bytes of an instruction */

/* Sets run->uniforms to the cache line of the next uniform, so that the line's other words can be
 * read directly. Returns false if the next read of a uniform needs the full checks, or must be
 * reported to an observer. */
static bool open_uniform_line(struct qpu_run *run, unsigned ahead)
{
    const struct qpu *qpu = run->qpu;
    uint32_t address = qpu->uniform & BUS_ADDRESS_MASK & ~UINT32_C(3), available;
    run->uniforms_size = 0;
    const uint8_t *uniforms = bus_span(run->ports->bus, address, &available);
    if (!uniforms || available < 4 || !qpu->uniforms_enabled || qpu->uniforms_left != UINT32_MAX ||
        run->ports->bus->observer)
        return false;
    uint32_t left = TIMING_LINE - address % TIMING_LINE;
    run->uniforms = uniforms;
    run->uniforms_base = address;
    run->uniforms_size = left < available ? left : available;
    qpu_uniform_line(run, address, ahead);
    return true;
}

void qpu_blame_in_block(struct qpu_run *run, unsigned index)
{
    if (run->qpu->times.attributed != run->qpu->times.stalled)
        qpu_blame(run, run->qpu->pc + index * (uint32_t)WORD,
                  run->ports->cache->blocks.word[run->block->first_word + index]);
}

void qpu_block_fetch_lines(struct qpu_run *run, uint32_t last)
{
    uint32_t first = run->qpu->pc & BUS_ADDRESS_MASK;
    if (!run->slice) { /* no cache is modelled, so no fetch takes time */
        run->qpu->times.line = last / TIMING_LINE + 1;
        return;
    }
    while (run->qpu->times.line <= last / TIMING_LINE) {
        uint32_t line = run->qpu->times.line * TIMING_LINE;
        if (qpu_is_at_hand(run, line)) {
            run->qpu->times.line++;
            continue;
        }
        qpu_fetch_line(run, line);
        qpu_block_blame(run, (line - first) / WORD);
    }
}

void qpu_block_enter(struct qpu_run *run, unsigned index)
{
    struct qpu *qpu = run->qpu;
    qpu_block_fetch(run, index);
    qpu->pc += index * (uint32_t)WORD;
    qpu->instructions += index;
    qpu_set_instruction(run, run->ports->cache->blocks.word[run->block->first_word + index]);
}

void qpu_block_leave(struct qpu_run *run, unsigned index)
{
    run->qpu->pc -= index * (uint32_t)WORD;
    run->qpu->instructions -= index;
    qpu_block_blame(run, index);
}

uint32_t qpu_block_uniform(struct qpu *qpu, unsigned index, uint32_t used, struct qpu_run *run)
{
    uint32_t first = qpu->pc;
    qpu_block_fetch(run, index);
    if (open_uniform_line(run, index)) {
        uint32_t address = qpu->uniform & BUS_ADDRESS_MASK & ~UINT32_C(3);
        qpu->uniform += 4;
        qpu->times.uniforms++;
        qpu_block_blame(run, index);
        return load_le32(run->uniforms + (address - run->uniforms_base));
    }
    qpu_set_block_instruction(run, run->ports->cache->blocks.word[run->block->first_word + index]);
    qpu->pc += index * (uint32_t)WORD;
    qpu->instructions += index;
    uint32_t value = qpu_io_uniform(run, used);
    qpu->instructions -= index;
    qpu->pc = first;
    qpu_block_blame(run, index);
    return value;
}
