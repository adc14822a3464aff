/* SPDX-License-Identifier: MIT */
/* qpu_io_tlb.c - accesses of a fragment shader to the tile buffer, and the scoreboard.
 *
 * In:     writes of register addresses 43 to 47; the signals that load from the tile buffer or that
 *         belong to the scoreboard.
 * Out:    reads and writes of the tile buffer; findings about their order.
 * Source: manual section 3, "Register-Mapped Input/Output"; docs/vc4/tlb.md. */
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/qpu/qpu_io_private.h"
#include "vc4/tile/tlb.h"

bool qpu_io_is_fragment(struct qpu_run *run, const void *port, const char *what)
{
    if (port && run->ports->fragment)
        return true;
    QPU_FAULT(run, FAULT_QPU_NOT_FRAGMENT, "%s outside of a fragment shader", what);
    qpu_break(run);
    return false;
}

/* Records an access to the tile buffer. The program waits for the scoreboard at its first access.
 * An access after the scoreboard was unlocked is reported. */
static void touch_scoreboard(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    if (!qpu->scoreboard_held)
        qpu_scoreboard_wait(run);
    if (!qpu->scoreboard_held && qpu->instructions < 2)
        QPU_FAULT(run, FAULT_QPU_SCOREBOARD_EARLY,
                  "the program waits for the scoreboard %u instruction%s after its start; at least "
                  "2 are required",
                  (unsigned)qpu->instructions, qpu->instructions == 1 ? "" : "s");
    if (qpu->scoreboard_done)
        QPU_FAULT(run, FAULT_QPU_SCOREBOARD_UNLOCKED,
                  "the tile buffer is used after the scoreboard was unlocked");
    qpu->scoreboard_held = true;
}

void qpu_io_scoreboard(struct qpu_run *run, enum qpu_sig sig)
{
    if (run->qpu->kind != QPU_FRAGMENT)
        return;
    if (sig == QPU_SIG_SCOREBOARD_WAIT) {
        touch_scoreboard(run);
    } else {
        qpu_scoreboard_unlock(run);
        run->qpu->scoreboard_done = true;
    }
}

/* True for tile buffer writes that cannot report a finding and use no float arithmetic. These are
 * colour writes, and Z writes without a stencil test. The host's float mode need not be changed for
 * such a write. */
static bool writes_tlb_quietly(const struct tlb_fragment *fragment, unsigned address)
{
    return address == QPU_WR_TLB_COLOUR_ALL || address == QPU_WR_TLB_COLOUR_MS ||
           (address == QPU_WR_TLB_Z && !fragment->front.enabled && !fragment->back.enabled);
}

/* Reports a Z write after a colour write. A depth or stencil test at the Z write cannot remove
 * colours that were written before. If no test can reject a fragment, the order does not matter. */
static void check_test_order(struct qpu_run *run, unsigned address)
{
    struct tlb_fragment *fragment = run->ports->fragment;
    bool rejects = fragment->depth_function != TLB_ALWAYS || fragment->front.enabled ||
                   fragment->back.enabled;
    bool colour = address == QPU_WR_TLB_COLOUR_MS || address == QPU_WR_TLB_COLOUR_ALL;
    if (colour && !fragment->tested && !fragment->untested_colour)
        fragment->untested_colour = run->qpu->pc;
    if (address != QPU_WR_TLB_Z)
        return;
    if (fragment->untested_colour && rejects)
        QPU_FAULT(run, FAULT_TLB_Z_LATE,
                  "Z is written after the colour, which the instruction at 0x%08x wrote without a "
                  "depth or stencil test",
                  fragment->untested_colour);
    fragment->tested = true;
}

void qpu_io_write_tlb(struct qpu_run *run, unsigned address, const lanes *value, lane_mask mask)
{
    const struct qpu_ports *ports = run->ports;
    if (!qpu_io_is_fragment(run, ports->tlb, "tile buffer write"))
        return;
    if (address != QPU_WR_STENCIL_SETUP)
        touch_scoreboard(run);
    check_test_order(run, address);
    const bool quiet = writes_tlb_quietly(ports->fragment, address);
    if (!quiet)
        qpu_outside(run);
    switch (address) {
    case QPU_WR_STENCIL_SETUP:
        if (mask & 1)
            tlb_stencil_setup(ports->tlb, ports->fragment, (*value)[0]);
        break;
    case QPU_WR_TLB_Z:
        tlb_write_z(ports->tlb, ports->tlb_ports, ports->fragment, value, mask);
        break;
    case QPU_WR_TLB_ALPHA_MASK:
        tlb_write_mask(ports->tlb, ports->tlb_ports, ports->fragment, value, mask);
        break;
    default:
        tlb_write_colour(ports->tlb, ports->tlb_ports, ports->fragment, value, mask,
                         address == QPU_WR_TLB_COLOUR_ALL);
        break;
    }
    if (!quiet)
        qpu_inside(run);
}

void qpu_io_load_tlb(struct qpu_run *run, enum qpu_sig sig, lanes *value)
{
    const struct qpu_ports *ports = run->ports;
    if (!qpu_io_is_fragment(run, ports->tlb, "tile buffer load"))
        return;
    touch_scoreboard(run);
    const bool coverage = sig == QPU_SIG_COVERAGE_LOAD;
    if (!coverage && sig != QPU_SIG_ALPHA_MASK_LOAD) { /* colour reads, like colour writes, work in
                                                          the QPU's float mode */
        tlb_read_colour(ports->tlb, ports->fragment, value);
        return;
    }
    qpu_outside(run);
    (coverage ? tlb_read_coverage : tlb_read_mask)(ports->tlb, ports->tlb_ports, ports->fragment,
                                                   value);
    qpu_inside(run);
}
