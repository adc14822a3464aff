/* SPDX-License-Identifier: MIT */
/* qpu_io_vpm.c - accesses of a program to the VPM and to its DMA engines.
 *
 * In:     reads and writes of register addresses 48 to 50.
 * Out:    vectors, setup words and DMA transfers of the VPM; the program's stalls.
 * Source: manual section 3, "Register-Mapped Input/Output"; docs/vc4/vpm.md. */
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/qpu/qpu_io_private.h"
#include "vc4/vpm/vpm.h"

void qpu_io_report_time(const struct qpu *qpu, struct vpm_port *port)
{
    port->now = qpu_time(qpu);
    port->pc = qpu->pc;
    port->executed = qpu->instructions;
}

static bool has_vpm(struct qpu_run *run)
{
    if (run->ports->vpm && run->ports->vpm_port) {
        qpu_io_report_time(run->qpu, run->ports->vpm_port);
        return true;
    }
    QPU_FAULT(run, FAULT_QPU_VPM_FRAGMENT, "the VPM is used in a fragment shader");
    return false;
}

static void stall_vpm(struct qpu_run *run, uint64_t clocks)
{
    qpu_stall_until(run->qpu, qpu_clock(run->qpu) + clocks, QPU_STALL_VPM);
    qpu_io_report_time(run->qpu, run->ports->vpm_port);
}

bool qpu_io_take_vector(struct qpu_run *run, lanes *value)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->vpm || !ports->vpm_port || !vpm_reads_quietly(ports->vpm_ports, ports->vpm_port))
        return false;
    qpu_io_report_time(run->qpu, ports->vpm_port);
    run->qpu->times.vpm_accesses++;
    stall_vpm(run, vpm_read_stall(ports->vpm_port));
    return vpm_read(ports->vpm, ports->vpm_ports, ports->vpm_port, value);
}

bool qpu_io_give_vector(struct qpu_run *run, const lanes *value)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->vpm || !ports->vpm_port || !vpm_writes_quietly(ports->vpm_ports, ports->vpm_port))
        return false;
    qpu_io_report_time(run->qpu, ports->vpm_port);
    run->qpu->times.vpm_accesses++;
    stall_vpm(run, vpm_write(ports->vpm, ports->vpm_ports, ports->vpm_port, value, ALL_LANES));
    return true;
}

bool qpu_io_set_up(struct qpu_run *run, bool reads, uint32_t word)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->vpm || !ports->vpm_port ||
        !vpm_sets_up_quietly(ports->vpm_ports, ports->vpm_port, reads, word))
        return false;
    qpu_io_report_time(run->qpu, ports->vpm_port);
    if (reads)
        vpm_read_setup(ports->vpm, ports->vpm_ports, ports->vpm_port, word);
    else
        vpm_write_setup(ports->vpm_ports, ports->vpm_port, word);
    return true;
}

bool qpu_io_wait_for_dma(struct qpu_run *run, bool loads)
{
    const struct qpu_ports *ports = run->ports;
    if (!ports->vpm || !ports->vpm_port || ports->vpm_ports->sanitize)
        return false;
    qpu_io_report_time(run->qpu, ports->vpm_port);
    stall_vpm(run, (loads ? vpm_wait_load : vpm_wait_store)(ports->vpm_ports, ports->vpm_port));
    return true;
}

void qpu_io_read_vpm(struct qpu_run *run, bool used, lanes *value)
{
    if (!has_vpm(run))
        return;
    qpu_outside(run);
    run->qpu->times.vpm_accesses++;
    stall_vpm(run, vpm_read_stall(run->ports->vpm_port));
    if (used)
        vpm_check_latency(run->ports->vpm_ports, run->ports->vpm_port);
    bool found = vpm_read(run->ports->vpm, run->ports->vpm_ports, run->ports->vpm_port, value);
    qpu_inside(run);
    if (!found)
        qpu_break(run);
}

void qpu_io_read_dma_busy(struct qpu_run *run, bool file_a, lanes *value)
{
    if (!has_vpm(run))
        return;
    qpu_outside(run);
    bool busy = (file_a ? vpm_load_busy : vpm_store_busy)(run->ports->vpm_ports,
                                                          run->ports->vpm_port);
    qpu_inside(run);
    alu_splat(value, busy);
}

bool qpu_io_finish_dma(struct qpu_run *run, bool file_a)
{
    if (!has_vpm(run))
        return false;
    qpu_outside(run);
    stall_vpm(run, (file_a ? vpm_wait_load : vpm_wait_store)(run->ports->vpm_ports,
                                                             run->ports->vpm_port));
    qpu_inside(run);
    return true;
}

/* Starts a DMA transfer. */
static void transfer(struct qpu_run *run, bool load, uint32_t address)
{
    struct vpm_port *port = run->ports->vpm_port;
    port->origin = qpu_origin(run->qpu);
    stall_vpm(run,
              (load ? vpm_load : vpm_store)(run->ports->vpm, run->ports->vpm_ports, port, address));
    run->qpu->times.dma_loaded = port->loaded;
    run->qpu->times.dma_stored = port->stored;
}

void qpu_io_write_vpm(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                      lane_mask mask)
{
    if (!has_vpm(run))
        return;
    struct vpm *vpm = run->ports->vpm;
    const struct vpm_ports *ports = run->ports->vpm_ports;
    struct vpm_port *port = run->ports->vpm_port;
    uint32_t word = (*value)[0];
    if (address == QPU_WR_VPM) {
        qpu_outside(run);
        run->qpu->times.vpm_accesses++;
        stall_vpm(run, vpm_write(vpm, ports, port, value, mask));
        qpu_inside(run);
        return;
    }
    if (!(mask & 1))
        return;
    qpu_outside(run);
    if (address == QPU_WR_VPM_SETUP && file_a)
        vpm_read_setup(vpm, ports, port, word);
    else if (address == QPU_WR_VPM_SETUP)
        vpm_write_setup(ports, port, word);
    else
        transfer(run, file_a, word);
    qpu_inside(run);
}
