/* SPDX-License-Identifier: MIT */
/* cle_registers.c - the registers of the control list threads: V3D_CTnCS, V3D_CTnEA and V3D_CTnCA.
 *
 * In:     reads and writes by the host.
 * Out:    values; threads that start, stop, or are reset.
 * Source: manual tables 49 to 54. */
#include "vc4/lists/cle.h"
#include "vc4/lists/cle_private.h"

enum {
    CS_RESET = 1 << 15,
    CS_SEMAPHORE_SHIFT = 12,
    CS_DEPTH_SHIFT = 8,
    CS_RUN = 1 << 5,
    CS_SUBMODE = 1 << 4,
    CS_ERROR = 1 << 3,
    CS_PREFIXING = 1 << 0,
};

static void start(struct cle_thread *t)
{
    t->running = t->unseen = true;
    t->list_start = t->ca;
    t->halted = false;
    t->error = false;
}

uint32_t cle_read_cs(const struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    const struct cle_thread *t = &cle->thread[thread];
    uint32_t value = cle_semaphore_of(cle, thread) << CS_SEMAPHORE_SHIFT | t->depth
                                                                               << CS_DEPTH_SHIFT;
    if (t->running)
        value |= CS_RUN;
    if (t->running ? t->waiting : t->halted)
        value |= CS_SUBMODE;
    if (t->error)
        value |= CS_ERROR;
    if (thread == CLE_BINNING && ports->ptb->configured && !ports->ptb->started)
        value |= CS_PREFIXING;
    return value;
}

/* Stops the thread and resets all fields of its control and status register, V3D_CTnCS. */
static void reset_thread(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    t->running = t->halted = t->error = t->waiting = false;
    t->given = cle_thread_of(cle, !thread)->taken;
    t->pending_increments = 0;
    t->depth = 0;
    t->remaining = 0;
    t->work = CLE_RECORDS;
    t->in_tile = t->list.active = false;
    if (thread == CLE_RENDERING)
        jobs_abandon(ports->jobs, ports->jobs_ports);
    if (thread == CLE_BINNING) {
        ptb_abandon(ports->ptb);
        vertex_pipe_abandon(ports->vertices);
    }
}

/* Marks all earlier flushes of the binner as known to the rendering thread. Called when the host
 * starts a thread; does nothing for the binning thread. */
static void see_flushes(struct cle *cle, unsigned thread)
{
    if (thread == CLE_RENDERING)
        cle->thread[CLE_RENDERING].flush_known = cle->thread[CLE_BINNING].flushed;
}

static void start_if_work(struct cle_thread *t)
{
    if (t->ca != t->ea || t->work != CLE_RECORDS || t->waiting)
        start(t);
}

void cle_write_cs(struct cle *cle, const struct cle_ports *ports, unsigned thread, uint32_t value)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (value & CS_RESET) {
        reset_thread(cle, ports, thread);
        return;
    }
    if (value & CS_RUN)
        cle_stop_at(t, true);
    if (value & CS_SUBMODE && t->halted) {
        t->halted = false;
        see_flushes(cle, thread);
        start_if_work(t);
    }
}

void cle_write_ea(struct cle *cle, unsigned thread, uint32_t value)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    t->ea = value;
    see_flushes(cle, thread);
    if (!t->running && !t->halted)
        start_if_work(t);
}

void cle_write_ca(struct cle *cle, const struct cle_ports *ports, unsigned thread, uint32_t value)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (t->running) {
        fault(ports->log, FAULT_REGISTER_ACCESS,
              "V3D_CT%uCA can only be written while the thread is stopped", thread);
        return;
    }
    t->ca = value;
    t->halted = false;
    t->work = CLE_RECORDS;
    t->waiting = false;
}
