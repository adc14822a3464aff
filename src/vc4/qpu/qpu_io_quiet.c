/* SPDX-License-Identifier: MIT */
/* qpu_io_quiet.c - see qpu_io.h.
 *
 * Source: as in qpu_io.c. Events within an access happen in the same order as in qpu_io.c. */
#include "vc4/qpu/qpu_io.h"

#include "vc4/qpu/qpu_cycles.h"
#include "vc4/raster/vri.h"
#include "vc4/tile/tlb.h"
#include "vc4/tmu/tmu.h"

bool qpu_io_take_varying(struct qpu_run *run, lanes *value)
{
    struct vri *vri = run->ports->vri;
    if (!vri || !run->ports->fragment || vri->next >= vri->prepared)
        return false;
    qpu_varying(run->qpu);
    run->r5_loaded = vri_read(vri, value, &run->c);
    run->qpu->shadow.r[5] = ALL_LANES;
    return true;
}

/* True if the program may access the tile buffer now. A later access than the first one needs no
 * wait. */
static bool may_access_tile(const struct qpu_run *run)
{
    const struct qpu *qpu = run->qpu;
    return run->ports->tlb && run->ports->fragment && !qpu->scoreboard_done &&
           (qpu->scoreboard_held || qpu->instructions >= 2);
}

static void hold_scoreboard(struct qpu_run *run)
{
    if (!run->qpu->scoreboard_held)
        qpu_scoreboard_wait(run);
    run->qpu->scoreboard_held = true;
}

bool qpu_io_write_tile(struct qpu_run *run, unsigned address, const lanes *value)
{
    const struct qpu_ports *ports = run->ports;
    struct tlb_fragment *fragment = ports->fragment;
    const bool z = address == QPU_WR_TLB_Z;
    if (!may_access_tile(run) ||
        (z && (fragment->front.enabled || fragment->back.enabled || fragment->untested_colour)))
        return false;
    hold_scoreboard(run);
    if (z) {
        fragment->tested = true;
        tlb_write_z(ports->tlb, ports->tlb_ports, fragment, value, ALL_LANES);
        return true;
    }
    if (!fragment->tested && !fragment->untested_colour)
        fragment->untested_colour = run->qpu->pc;
    tlb_write_colour(ports->tlb, ports->tlb_ports, fragment, value, ALL_LANES,
                     address == QPU_WR_TLB_COLOUR_ALL);
    return true;
}

bool qpu_io_load_colour(struct qpu_run *run, lanes *value)
{
    if (!may_access_tile(run))
        return false;
    hold_scoreboard(run);
    tlb_read_colour(run->ports->tlb, run->ports->fragment, value);
    return true;
}

bool qpu_io_end_quietly(struct qpu_run *run)
{
    const struct qpu_ports *ports = run->ports;
    const struct qpu_shadow *shadow = &run->qpu->shadow;
    if ((ports->vri && ports->vri->next < ports->vri->count) ||
        (ports->tmu && (tmu_pending(ports->tmu) || tmu_unfinished(ports->tmu))) ||
        (ports->vpm && ports->vpm_port) || (shadow->other_switch && !shadow->last_switch) ||
        qpu_has_mutex(ports->shared, run->qpu))
        return false;
    if (!run->qpu->scoreboard_done)
        qpu_scoreboard_unlock(run);
    return true;
}
