/* SPDX-License-Identifier: MIT */
/* v3d.c - see v3d.h.
 *
 * Source:   manual section 10; registers.def lists every register, and the sources of the
 *           undocumented ones.
 * Modelled: all registers that act on a modelled block; identity values of a BCM2835; the
 *           performance counters, which are computed from the blocks' event counts (pctr.h).
 * Left out: the scheduler's hints and the allocator's timeouts, which are stored but have no
 *           effect; the debug signals of the FEP and the PSE, except one; the undocumented debug
 *           registers, which read as 0.
 * Differs:  the level 2 cache is enabled after reset, although L2CENA reads 0 until it is written.
 *           No known software enables the cache, because the firmware has already enabled it. */
#include "vc4/device/v3d.h"

#include "base/bits.h"
#include "vc4/fault/fault.h"
#include "vc4/watch/race.h"

enum access { ACCESS_R = 1, ACCESS_W = 2, ACCESS_RW = 3 };

struct v3d_register {
    const char *name;
    enum access access;
    uint32_t reset;
};

static const struct v3d_register registers[] = {
#define REGISTER(offset, name, access, reset, synopsis) {"V3D_" #name, ACCESS_##access, reset},
#include "vc4/device/registers.def"
#undef REGISTER
};

enum {
#define REGISTER(offset, name, access, reset, synopsis) ROW_##name,
#include "vc4/device/registers.def"
#undef REGISTER
};

/* Number of each register's row + 1 by the register's offset in words, or 0. */
static const uint8_t rows[0x1000 / 4] = {
#define REGISTER(offset, name, access, reset, synopsis) [(offset) / 4] = ROW_##name + 1,
#include "vc4/device/registers.def"
#undef REGISTER
};

/* Offsets of all registers, including registers that are not in the public header. */
enum {
#define REGISTER(offset, name, access, reset, synopsis) OFFSET_##name = (offset),
#include "vc4/device/registers.def"
#undef REGISTER
};

enum {
    INT_BITS = 0xf,
    COUNTER_BITS = 0xffff,
    L2C_ENABLE = 1 << 0,
    L2C_DISABLE = 1 << 1,
    L2C_CLEAR = 1 << 2,
    LIST_COUNT_RESET_MAJOR = 1 << 16,
    LIST_COUNT_RESET_SUB = 1 << 0,
    PCS_BMOOM = 1 << 8,
    PCS_RMBUSY = 1 << 3,
    PCS_RMACTIVE = 1 << 2,
    PCS_BMBUSY = 1 << 1,
    PCS_BMACTIVE = 1 << 0,
    FDBGB_RAST_BUSY = 1 << 26,
    DBCFG_QITENA = 1 << 0,
    COUNTER_STRIDE = 8, /* bytes from one register V3D_PCTRn to the next */
};

/* Master enable bit of V3D_PCTRE. The manual does not have this bit (vc4asm addendum, kernel
 * vc4_perfmon.c). */
static const uint32_t counters_enable = UINT32_C(1) << 31;

static const struct v3d_register *find(uint32_t offset)
{
    const unsigned row = offset % 4 == 0 && offset < 4 * sizeof rows ? rows[offset / 4] : 0;
    return row ? &registers[row - 1] : NULL;
}

const char *tess_vc4_register_name(uint32_t offset)
{
    const struct v3d_register *reg = find(offset);
    return reg ? reg->name : NULL;
}

void v3d_reset(struct v3d *v3d)
{
    *v3d = (struct v3d){0};
}

/* Returns the register at offset if the register allows the access. Otherwise reports a finding and
 * returns NULL. */
static const struct v3d_register *checked(const struct v3d_ports *ports, uint32_t offset,
                                          enum access access)
{
    const struct v3d_register *reg = find(offset);
    if (!reg) {
        fault_at(ports->log, FAULT_REGISTER_UNKNOWN, offset, "%s of unknown V3D register 0x%03x",
                 access == ACCESS_R ? "read" : "write", offset);
        return NULL;
    }
    if (!(reg->access & access)) {
        fault_at(ports->log, FAULT_REGISTER_ACCESS, offset, "%s is %s-only", reg->name,
                 reg->access == ACCESS_R ? "read" : "write");
        return NULL;
    }
    return reg;
}

/* Returns the value of IDENT1. Its field NSLC, bits 7:4, is the number of slices of 4 QPUs (manual
 * table 80). */
static uint32_t read_ident1(const struct v3d_ports *ports, uint32_t value)
{
    return (uint32_t)bits_set(value, 7, 4, ports->qpus / 4);
}

/* Returns the value of PCS. A thread is busy while it makes progress, and active while it has work.
 * A thread that has finished a frame and waits for the other thread has no work. */
static uint32_t read_pcs(const struct v3d_ports *ports)
{
    const struct cle_thread *bin = &ports->cle->thread[CLE_BINNING],
                            *render = &ports->cle->thread[CLE_RENDERING];
    uint32_t value = ports->ptb->out_of_memory ? PCS_BMOOM : 0;
    if (bin->running && (!bin->waiting || ports->ptb->started))
        value |= PCS_BMACTIVE;
    if (bin->running && !bin->waiting && !ports->ptb->out_of_memory && !ports->vertices->hung)
        value |= PCS_BMBUSY;
    if (render->running && (!render->waiting || render->in_tile))
        value |= PCS_RMACTIVE;
    if (render->running && !render->waiting && !ports->jobs->hung)
        value |= PCS_RMBUSY;
    return value;
}

/* Returns the value of ERRSTAT: all errors since reset, and whether the VCD is idle now. */
static uint32_t read_errstat(const struct v3d_ports *ports)
{
    return ports->counts->errors | (qps_is_loading(ports->qps) ? 0u : V3D_ERRSTAT_VCDI);
}

static uint32_t return_address(const struct cle_thread *t)
{
    return t->depth ? t->stack[t->depth - 1] : 0;
}

static uint32_t list_counter(const struct cle_thread *t)
{
    return t->flushes << 16 | t->returns;
}

static bool is_counter(uint32_t offset)
{
    return offset >= OFFSET_PCTR0 && offset <= OFFSET_PCTRS15;
}

/* Returns the total number of events of counter n's source. */
static uint64_t events(const struct v3d *v3d, const struct v3d_ports *ports, uint32_t n)
{
    uint32_t source = v3d->counter_source[n];
    return source < PCTR_SOURCES ? ports->counts->of[source] : 0;
}

static uint32_t counter_value(const struct v3d *v3d, const struct v3d_ports *ports, uint32_t n)
{
    bool counts = v3d->counter_enable & counters_enable && v3d->counter_enable >> n & 1;
    return v3d->counter[n] + (counts ? (uint32_t)(events(v3d, ports, n) - v3d->counted[n]) : 0);
}

/* Adds to counter n's value the events that it has counted so far. Called before the counter's
 * settings change. */
static void settle_counter(struct v3d *v3d, const struct v3d_ports *ports, uint32_t n)
{
    v3d->counter[n] = counter_value(v3d, ports, n);
    v3d->counted[n] = events(v3d, ports, n);
}

/* Reports a counter that is read although it has never counted, because bit 31 of V3D_PCTRE is 0.
 * Programs enable single counters first, and then all enabled counters with bit 31 (maazl/vc4asm's
 * hello_fft). */
static void check_counted(struct v3d *v3d, const struct v3d_ports *ports, uint32_t n,
                          uint32_t offset)
{
    if (!(v3d->counter_enable >> n & 1) || v3d->counter_ran >> n & 1)
        return;
    fault_at(ports->log, FAULT_COUNTER, offset,
             "V3D_PCTRE 0x%08x enables counter %u, but bit 31 is 0, so no counter counts",
             v3d->counter_enable, n);
    v3d->counter_ran |= 1u << n; /* so that the finding is reported only once */
}

static uint32_t read_counter(struct v3d *v3d, const struct v3d_ports *ports, uint32_t offset)
{
    uint32_t n = (offset - OFFSET_PCTR0) / COUNTER_STRIDE;
    if (offset % COUNTER_STRIDE)
        return v3d->counter_source[n];
    check_counted(v3d, ports, n, offset);
    return counter_value(v3d, ports, n);
}

static void map_counter(struct v3d *v3d, const struct v3d_ports *ports, uint32_t n, uint32_t source)
{
    if (source >= PCTR_SOURCES)
        fault_at(ports->log, FAULT_COUNTER, OFFSET_PCTR0 + n * COUNTER_STRIDE + 4,
                 "counter %u is mapped to source %u, which does not exist", n, source);
    v3d->counter_source[n] = (uint8_t)source;
    v3d->counted[n] = events(v3d, ports, n);
}

static void write_counter(struct v3d *v3d, const struct v3d_ports *ports, uint32_t offset,
                          uint32_t value)
{
    uint32_t n = (offset - OFFSET_PCTR0) / COUNTER_STRIDE;
    settle_counter(v3d, ports, n);
    if (offset % COUNTER_STRIDE)
        map_counter(v3d, ports, n, value & 31);
    else
        v3d->counter[n] = value;
}

uint32_t v3d_read(struct v3d *v3d, const struct v3d_ports *ports, uint32_t offset)
{
    const struct v3d_register *reg = checked(ports, offset, ACCESS_R);
    if (!reg)
        return 0;
    const struct cle_thread *bin = &ports->cle->thread[CLE_BINNING],
                            *render = &ports->cle->thread[CLE_RENDERING];
    if (is_counter(offset))
        return read_counter(v3d, ports, offset);
    switch (offset) {
    case OFFSET_IDENT1: return read_ident1(ports, reg->reset);
    case OFFSET_SCRATCH: return v3d->scratch;
    case OFFSET_L2CACTL: return v3d->l2_cache_enabled;
    case OFFSET_INTCTL: return v3d->int_status | (ports->ptb->out_of_memory ? V3D_INT_OUTOMEM : 0u);
    case OFFSET_INTENA:
    case OFFSET_INTDIS: return v3d->int_enabled;
    case OFFSET_CT0CS: return cle_read_cs(ports->cle, ports->cle_ports, CLE_BINNING);
    case OFFSET_CT1CS: return cle_read_cs(ports->cle, ports->cle_ports, CLE_RENDERING);
    case OFFSET_CT0EA: return bin->ea;
    case OFFSET_CT1EA: return render->ea;
    case OFFSET_CT0CA: return bin->ca;
    case OFFSET_CT1CA: return render->ca;
    case OFFSET_CT00RA0: return return_address(bin);
    case OFFSET_CT01RA0: return return_address(render);
    case OFFSET_CT0LC: return list_counter(bin);
    case OFFSET_CT1LC: return list_counter(render);
    case OFFSET_CT0PC: return bin->remaining;
    case OFFSET_CT1PC: return render->remaining;
    case OFFSET_PCS: return read_pcs(ports);
    case OFFSET_BFC: return v3d->flush_count;
    case OFFSET_RFC: return v3d->frame_count;
    case OFFSET_BPCA: return ports->ptb->pool_address;
    case OFFSET_BPCS: return ports->ptb->pool_left;
    case OFFSET_BPOA: return ports->ptb->overspill_address;
    case OFFSET_BPOS: return ports->ptb->overspill_size;
    case OFFSET_BXCF: return v3d->binner_debug;
    case OFFSET_SQRSV0: return v3d->reserve[0];
    case OFFSET_SQRSV1: return v3d->reserve[1];
    case OFFSET_SQCNTL: return v3d->scheduler_control;
    case OFFSET_SRQUA: return ports->qps->uniforms;
    case OFFSET_SRQUL: return ports->qps->uniforms_length;
    case OFFSET_SRQCS: return qps_read_status(ports->qps);
    case OFFSET_VPACNTL: return v3d->vpm_allocator;
    case OFFSET_VPMBASE: return v3d->vpm_base;
    case OFFSET_PCTRE: return v3d->counter_enable;
    case OFFSET_DBCFG: return ports->shared->interrupt_allowed;
    case OFFSET_DBQITE: return ports->shared->interrupt_enabled;
    case OFFSET_DBQITC: return ports->shared->interrupt_latched;
    case OFFSET_FDBGB: return ports->jobs->hung ? FDBGB_RAST_BUSY : 0u;
    case OFFSET_ERRSTAT: return read_errstat(ports);
    default: return reg->reset;
    }
}

/* Empties the sanitizer's caches when the host clears the level 2 cache. The sanitizer's TMU caches
 * are emptied too, because most hosts clear all caches together. */
static void clear_watched_caches(const struct v3d_ports *ports)
{
    if (ports->race)
        race_clear_caches(ports->race);
}

static void write_l2cactl(struct v3d *v3d, const struct v3d_ports *ports, uint32_t value)
{
    if (value & L2C_CLEAR)
        shared_units_clear_l2(ports->slices);
    if (value & L2C_CLEAR)
        clear_watched_caches(ports);
    if (value & (L2C_DISABLE | L2C_ENABLE))
        v3d->l2_cache_enabled = value & L2C_ENABLE;
    if (value & (L2C_DISABLE | L2C_ENABLE))
        ports->slices->l2_disabled = !v3d->l2_cache_enabled;
}

static void write_list_counter(struct cle_thread *t, uint32_t value)
{
    if (value & LIST_COUNT_RESET_MAJOR)
        t->flushes = 0;
    if (value & LIST_COUNT_RESET_SUB)
        t->returns = 0;
}

static void check_vpm_base(const struct v3d_ports *ports, uint32_t units)
{
    if (ports->ptb->primitives)
        fault_at(ports->log, FAULT_VPM_RESERVATION, V3D_VPMBASE,
                 "V3D_VPMBASE is changed after vertices have been shaded; the hardware allows "
                 "changes only before the first vertex");
    if (units * VPM_RESERVE_ROWS > VPM_USER_ROWS)
        fault_at(ports->log, FAULT_VPM_RESERVATION, V3D_VPMBASE,
                 "V3D_VPMBASE reserves %u rows, but user programs cannot access rows above %u "
                 "(erratum HW-2253)",
                 units * VPM_RESERVE_ROWS, VPM_USER_ROWS - 1);
}

static void write_vpm_base(struct v3d *v3d, const struct v3d_ports *ports, uint32_t value)
{
    if (ports->cle->thread[CLE_BINNING].running || ports->cle->thread[CLE_RENDERING].running ||
        qps_busy(ports->qps)) {
        fault(ports->log, FAULT_REGISTER_ACCESS,
              "V3D_VPMBASE can only be written while V3D is idle");
        ports->counts->errors |= V3D_ERRSTAT_VPAEABB;
        return;
    }
    uint32_t units = value & 31;
    if (units != v3d->vpm_base)
        check_vpm_base(ports, units);
    v3d->vpm_base = units;
}

/* Returns a mask with a bit for each QPU that the chip has. */
static uint32_t qpu_bits(const struct v3d_ports *ports)
{
    return (1u << ports->qpus) - 1;
}

static void clear_counters(struct v3d *v3d, const struct v3d_ports *ports, uint32_t value)
{
    for (unsigned n = 0; n < V3D_COUNTERS; n++) {
        settle_counter(v3d, ports, n);
        if (value >> n & 1)
            v3d->counter[n] = 0;
    }
}

static void enable_counters(struct v3d *v3d, const struct v3d_ports *ports, uint32_t value)
{
    for (unsigned n = 0; n < V3D_COUNTERS; n++)
        settle_counter(v3d, ports, n);
    v3d->counter_enable = value & (counters_enable | COUNTER_BITS);
    v3d->counter_ran = value & counters_enable ? value & COUNTER_BITS : v3d->counter_ran & value;
}

bool v3d_write(struct v3d *v3d, const struct v3d_ports *ports, uint32_t offset, uint32_t value)
{
    if (!checked(ports, offset, ACCESS_W))
        return false;
    if (is_counter(offset)) {
        write_counter(v3d, ports, offset, value);
        return false;
    }
    switch (offset) {
    case OFFSET_SCRATCH: v3d->scratch = value; break;
    case OFFSET_L2CACTL: write_l2cactl(v3d, ports, value); break;
    case OFFSET_SLCACTL: shared_units_clear_some(ports->slices, value); break;
    case OFFSET_INTCTL: v3d->int_status &= ~(value & INT_BITS); break;
    case OFFSET_INTENA: v3d->int_enabled |= value & INT_BITS; break;
    case OFFSET_INTDIS: v3d->int_enabled &= ~(value & INT_BITS); break;
    case OFFSET_CT0CS: cle_write_cs(ports->cle, ports->cle_ports, CLE_BINNING, value); break;
    case OFFSET_CT1CS: cle_write_cs(ports->cle, ports->cle_ports, CLE_RENDERING, value); break;
    case OFFSET_CT0EA: cle_write_ea(ports->cle, CLE_BINNING, value); break;
    case OFFSET_CT1EA: cle_write_ea(ports->cle, CLE_RENDERING, value); break;
    case OFFSET_CT0CA: cle_write_ca(ports->cle, ports->cle_ports, CLE_BINNING, value); break;
    case OFFSET_CT1CA: cle_write_ca(ports->cle, ports->cle_ports, CLE_RENDERING, value); break;
    case OFFSET_CT0LC: write_list_counter(&ports->cle->thread[CLE_BINNING], value); break;
    case OFFSET_CT1LC: write_list_counter(&ports->cle->thread[CLE_RENDERING], value); break;
    case OFFSET_BFC: v3d->flush_count = value & 1 ? 0 : v3d->flush_count; break;
    case OFFSET_RFC: v3d->frame_count = value & 1 ? 0 : v3d->frame_count; break;
    case OFFSET_BPOA: ports->ptb->overspill_address = value; break;
    case OFFSET_BPOS: ptb_overspill(ports->ptb, value); break;
    case OFFSET_BXCF:
        v3d->binner_debug = value & 3;
        ports->ptb->clip_disabled = value >> 1 & 1;
        break;
    case OFFSET_SQRSV0: v3d->reserve[0] = value; break;
    case OFFSET_SQRSV1: v3d->reserve[1] = value; break;
    case OFFSET_SQCNTL: v3d->scheduler_control = value & 0xf; break;
    case OFFSET_SRQPC: qps_request_program(ports->qps, ports->qps_ports, value); break;
    case OFFSET_SRQUA: ports->qps->uniforms = value; break;
    case OFFSET_SRQUL: ports->qps->uniforms_length = value & 0xfff; break;
    case OFFSET_SRQCS: qps_write_status(ports->qps, value); break;
    case OFFSET_VPACNTL: v3d->vpm_allocator = value & 0x3fff; break;
    case OFFSET_VPMBASE: write_vpm_base(v3d, ports, value); break;
    case OFFSET_PCTRC: clear_counters(v3d, ports, value); break;
    case OFFSET_PCTRE: enable_counters(v3d, ports, value); break;
    case OFFSET_DBCFG: ports->shared->interrupt_allowed = value & DBCFG_QITENA; break;
    case OFFSET_DBQITE: ports->shared->interrupt_enabled = value & qpu_bits(ports); break;
    case OFFSET_DBQITC: ports->shared->interrupt_latched &= ~value; break;
    default: break; /* debug registers have no effect in this model */
    }
    return true;
}
