/* SPDX-License-Identifier: MIT */
/* Tests of the QPU engine, one instruction form at a time. Programs are hand-assembled from fields
 * (manual section 3, figures 4 to 8). Words in hexadecimal name their source. The units around the
 * QPU are fakes that record their inputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"
#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu.h"
#include "vc4/qpu/qpu_run.h"
#include "vc4/qpu/sfu.h"

enum { CODE = 0x1000, UNIFORMS = 0x3000, MEMORY = 0x4000 };

/* --- fakes of the units --- */

static struct {
    unsigned tmu_writes, tmu_unit, tmu_parameters[8];
    uint32_t parameter[8];
    lanes tmu_value, tmu_result[4];
    unsigned tmu_results, tmu_next;
    bool tmu_was_reset;
    unsigned tlb_writes;
    const char *tlb_last;
    lanes tlb_value;
    lane_mask tlb_mask;
    uint32_t stencil;
    uint32_t vpm_word;
    const char *vpm_last;
    lanes vpm_value;
    unsigned vpm_reads, vpm_values; /* vectors read, and how many of these were used */
} seen;

void tmu_reset(struct tmu *tmu)
{
    (void)tmu;
    seen.tmu_was_reset = true;
    seen.tmu_results = seen.tmu_next = 0;
}

bool tmu_needs_parameter(const struct tmu *tmu, unsigned unit, enum tmu_register reg)
{
    return reg != TMU_S || tmu->unit[unit].written;
}

void tmu_write(struct tmu *tmu, const struct tmu_ports *ports, unsigned unit, enum tmu_register reg,
               const lanes *value, uint32_t parameter)
{
    (void)ports;
    seen.parameter[seen.tmu_writes++ & 7] = parameter;
    seen.tmu_unit = unit;
    seen.tmu_value = *value;
    tmu->unit[unit].written = reg == TMU_S ? 0 : 1;
    if (reg == TMU_S)
        seen.tmu_result[seen.tmu_results++ & 3] = *value + 1000;
}

bool tmu_look_up_quietly(struct tmu *tmu, const struct tmu_ports *ports, unsigned unit,
                         const lanes *address)
{
    (void)tmu, (void)ports, (void)unit, (void)address;
    return false;
}

bool tmu_read(struct tmu *tmu, unsigned unit, lanes *result)
{
    (void)tmu, (void)unit;
    if (seen.tmu_next == seen.tmu_results)
        return false;
    *result = seen.tmu_result[seen.tmu_next++ & 3];
    return true;
}

/* Fake of the TMU: returns the number of slots that memory lookups use. */
uint32_t tmu_slots_used(const struct tmu *tmu, unsigned unit)
{
    (void)tmu;
    return unit == seen.tmu_unit ? seen.tmu_results - seen.tmu_next : 0;
}

uint32_t tmu_pending(const struct tmu *tmu)
{
    (void)tmu;
    return seen.tmu_results - seen.tmu_next;
}

/* Fake of the VRI: varying n has the partial result 16 n + element, and the C coefficient 1000 n
 * + quad. */
bool vri_read(struct vri *vri, lanes *partial, lanes *c)
{
    *partial = *c = (lanes){0};
    if (vri->next == vri->count)
        return false;
    for (unsigned i = 0; i < LANES; i++) {
        (*partial)[i] = 16 * vri->next + i;
        (*c)[i] = 1000 * vri->next + (i >> 2);
    }
    vri->next++;
    return true;
}

static void note_tlb(const char *what, const lanes *value, lane_mask mask)
{
    seen.tlb_writes++;
    seen.tlb_last = what;
    seen.tlb_value = *value;
    seen.tlb_mask = mask;
}

void tlb_stencil_setup(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t word)
{
    (void)tlb, (void)fragment;
    seen.stencil = word;
}

void tlb_write_z(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                 const lanes *z, lane_mask mask)
{
    (void)tlb, (void)ports, (void)fragment;
    note_tlb("z", z, mask);
}

void tlb_write_colour(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *colour, lane_mask mask, bool all)
{
    (void)tlb, (void)ports, (void)fragment;
    note_tlb(all ? "all" : "ms", colour, mask);
}

void tlb_write_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                    const lanes *value, lane_mask mask)
{
    (void)tlb, (void)ports, (void)fragment;
    note_tlb("mask", value, mask);
}

void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    (void)tlb, (void)fragment;
    *out = 0xc0 + (lanes){0};
}

void tlb_read_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                   lanes *out)
{
    (void)tlb, (void)ports, (void)fragment;
    *out = 0xa0 + (lanes){0};
}

void tlb_read_coverage(struct tlb *tlb, const struct tlb_ports *ports,
                       struct tlb_fragment *fragment, lanes *out)
{
    (void)tlb, (void)ports, (void)fragment;
    *out = 0xb0 + (lanes){0};
}

static void note_vpm(const char *what, uint32_t word)
{
    seen.vpm_last = what;
    seen.vpm_word = word;
}

void vpm_read_setup(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                    uint32_t word)
{
    (void)vpm, (void)ports;
    port->reads_left = word;
    port->fetched_at = port->now + 16;
    note_vpm("read setup", word);
}

void vpm_write_setup(const struct vpm_ports *ports, struct vpm_port *port, uint32_t word)
{
    (void)ports, (void)port;
    note_vpm("write setup", word);
}

bool vpm_read(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port, lanes *value)
{
    (void)vpm;
    if (port->reads_left == 0) {
        fault(ports->log, FAULT_VPM_EMPTY, "nothing is set up");
        return false;
    }
    port->reads_left--;
    *value = 500 + seen.vpm_reads++ + (lanes){0};
    return true;
}

void vpm_check_latency(const struct vpm_ports *ports, const struct vpm_port *port)
{
    (void)ports, (void)port;
    seen.vpm_values++;
}

bool vpm_sets_up_quietly(const struct vpm_ports *ports, const struct vpm_port *port, bool reads,
                         uint32_t word)
{
    (void)ports, (void)port, (void)reads, (void)word;
    return false;
}

bool vpm_reads_quietly(const struct vpm_ports *ports, const struct vpm_port *port)
{
    (void)ports, (void)port;
    return false;
}

bool vpm_writes_quietly(const struct vpm_ports *ports, const struct vpm_port *port)
{
    (void)ports, (void)port;
    return false;
}

uint64_t vpm_read_stall(const struct vpm_port *port)
{
    return port->fetched_at > port->now ? port->fetched_at - port->now : 0;
}

uint64_t vpm_write(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                   const lanes *value, lane_mask mask)
{
    (void)vpm, (void)ports, (void)port, (void)mask;
    note_vpm("write", 0);
    seen.vpm_value = *value;
    return 6;
}

uint64_t vpm_load(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                  uint32_t address)
{
    (void)vpm, (void)ports;
    port->load.pending = true;
    note_vpm("load", address);
    return 0;
}

uint64_t vpm_store(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                   uint32_t address)
{
    (void)vpm, (void)ports;
    port->store.pending = true;
    note_vpm("store", address);
    return 0;
}

bool vpm_load_busy(const struct vpm_ports *ports, struct vpm_port *port)
{
    (void)ports;
    return port->load.pending;
}

bool vpm_store_busy(const struct vpm_ports *ports, struct vpm_port *port)
{
    (void)ports;
    return port->store.pending;
}

uint64_t vpm_wait_load(const struct vpm_ports *ports, struct vpm_port *port)
{
    (void)ports;
    port->load.pending = false;
    return 0;
}

uint64_t vpm_wait_store(const struct vpm_ports *ports, struct vpm_port *port)
{
    (void)ports;
    port->store.pending = false;
    return port->store.ready;
}

void vpm_end(const struct vpm_ports *ports, struct vpm_port *port)
{
    if (port->reads_left)
        fault(ports->log, FAULT_VPM_LEFT, "%u vectors are left", port->reads_left);
}

/* --- a QPU with the units around it --- */

struct rig {
    struct fault_log log;
    struct bus bus;
    struct qpu_shared shared;
    struct tmu tmu;
    struct tlb *tlb;
    struct tlb_fragment fragment;
    struct vri vri;
    struct vpm vpm;
    struct vpm_ports vpm_ports;
    struct vpm_port port;
    struct qpu_cache cache;
    struct shared_units slices;
    struct qpu_ports ports;
    struct qpu qpu;
    uint32_t words;
    struct tess_place place; /* place of the latest finding */
};

static struct rig *rig;

static void keep_place(void *user, const struct tess_finding *diag)
{
    ((struct rig *)user)->place = diag->place;
}

static int set_up(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    rig = aligned_alloc(64, (sizeof *rig + 63) / 64 * 64);
    memset(rig, 0, sizeof *rig);
    rig->tlb = calloc(1, sizeof *rig->tlb);
    rig->log.sink = (struct tess_sink){keep_place, rig};
    rig->bus.log = rig->vpm_ports.log = &rig->log;
    assert_int_equal(bus_map(&rig->bus, 0, MEMORY, NULL), TESS_OK);
    rig->ports = (struct qpu_ports){.bus = &rig->bus,
                                    .log = &rig->log,
                                    .shared = &rig->shared,
                                    .tmu = &rig->tmu,
                                    .vpm = &rig->vpm,
                                    .vpm_ports = &rig->vpm_ports,
                                    .vpm_port = &rig->port,
                                    .cache = &rig->cache,
                                    .slices = &rig->slices};
    shared_units_clear(&rig->slices);
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bus_free(&rig->bus);
    free(rig->tlb);
    free(rig);
    return 0;
}

/* Configures the QPU for a fragment shader with this number of varyings. */
static void as_fragment(uint32_t varyings)
{
    qpu_start(&rig->qpu, QPU_FRAGMENT, 5, CODE, UNIFORMS);
    rig->vri.count = varyings;
    rig->ports.tlb = rig->tlb;
    rig->ports.fragment = &rig->fragment;
    rig->ports.vri = &rig->vri;
    rig->ports.vpm = NULL;
    rig->ports.vpm_port = NULL;
}

static void word(uint64_t value)
{
    store_le64(rig->bus.regions[0].host + CODE + 8 * rig->words++, value);
}

static void emit(struct qpu_insn insn)
{
    word(qpu_encode(&insn));
}

static void nop(void)
{
    word(QPU_WORD_NOP);
}

/* Emits the program end and its two delay slots. The word is the canonical nop with signal 3,
 * "pe" in the NV demo (0x300009e7, 0x009e7000). */
static void end(void)
{
    word(0x300009e7009e7000);
    nop();
    nop();
}

static void uniform(unsigned index, uint32_t value)
{
    store_le32(rig->bus.regions[0].host + UNIFORMS + 4 * index, value);
}

static enum qpu_state run(void)
{
    return qpu_run(&rig->qpu, &rig->ports, 10000);
}

/* Ends the program, runs it, and expects no finding. */
static void run_clean(void)
{
    end();
    assert_int_equal(run(), QPU_ENDED);
    for (unsigned rule = 0; rule < FAULT_RULES; rule++)
        if (rig->log.count[rule])
            fail_msg("unexpected finding %s", fault_id((enum fault_rule)rule));
}

/* Ends the program, runs it to the end, and expects this finding `times` times, and no other
 * finding. */
static void run_finding(enum fault_rule rule, unsigned times)
{
    end();
    run();
    for (unsigned other = 0; other < FAULT_RULES; other++)
        if (other != (unsigned)rule && rig->log.count[other])
            fail_msg("unexpected finding %s", fault_id((enum fault_rule)other));
    assert_int_equal(rig->log.count[rule], times);
}

/* --- assembling --- */

static struct qpu_insn alu(void)
{
    return (struct qpu_insn){.form = QPU_FORM_ALU,
                             .sig = QPU_SIG_NONE,
                             .cond_add = QPU_COND_ALWAYS,
                             .cond_mul = QPU_COND_ALWAYS,
                             .waddr_add = QPU_NOP,
                             .waddr_mul = QPU_NOP,
                             .raddr_a = QPU_NOP,
                             .raddr_b = QPU_NOP};
}

static struct qpu_insn add(unsigned to, unsigned op, unsigned a, unsigned b)
{
    struct qpu_insn insn = alu();
    insn.waddr_add = (uint8_t)to;
    insn.op_add = (uint8_t)op;
    insn.add_a = (uint8_t)a;
    insn.add_b = (uint8_t)b;
    return insn;
}

static struct qpu_insn mul(unsigned to, unsigned op, unsigned a, unsigned b)
{
    struct qpu_insn insn = alu();
    insn.waddr_mul = (uint8_t)to;
    insn.op_mul = (uint8_t)op;
    insn.mul_a = (uint8_t)a;
    insn.mul_b = (uint8_t)b;
    return insn;
}

static struct qpu_insn small(struct qpu_insn insn, unsigned immediate)
{
    insn.form = QPU_FORM_ALU_IMMEDIATE;
    insn.sig = QPU_SIG_SMALL_IMMEDIATE;
    insn.raddr_b = (uint8_t)immediate;
    return insn;
}

/* Returns a mov, encoded as "or x, x". */
static struct qpu_insn mov(unsigned to, unsigned mux)
{
    return add(to, QPU_ADD_OR, mux, mux);
}

static struct qpu_insn read_a(unsigned to, unsigned address)
{
    struct qpu_insn insn = mov(to, QPU_MUX_A);
    insn.raddr_a = (uint8_t)address;
    return insn;
}

static struct qpu_insn read_b(unsigned to, unsigned address)
{
    struct qpu_insn insn = mov(to, QPU_MUX_B);
    insn.raddr_b = (uint8_t)address;
    return insn;
}

static struct qpu_insn ldi(unsigned to, uint32_t value)
{
    return (struct qpu_insn){.form = QPU_FORM_LOAD_32,
                             .sig = QPU_SIG_LOAD_IMMEDIATE,
                             .cond_add = QPU_COND_ALWAYS,
                             .cond_mul = QPU_COND_NEVER,
                             .waddr_add = (uint8_t)to,
                             .waddr_mul = QPU_NOP,
                             .immediate = value};
}

static struct qpu_insn ldi_elements(unsigned to, bool is_signed, uint32_t bits)
{
    struct qpu_insn insn = ldi(to, bits);
    insn.form = is_signed ? QPU_FORM_LOAD_SIGNED : QPU_FORM_LOAD_UNSIGNED;
    insn.unpack = is_signed ? 1 : 3;
    return insn;
}

static struct qpu_insn semaphore(unsigned number, bool acquire)
{
    struct qpu_insn insn = ldi(QPU_NOP, number | (uint32_t)acquire << 4);
    insn.form = QPU_FORM_SEMAPHORE;
    insn.unpack = 4;
    return insn;
}

static struct qpu_insn branch(unsigned condition, bool relative, uint32_t immediate)
{
    return (struct qpu_insn){.form = QPU_FORM_BRANCH,
                             .sig = QPU_SIG_BRANCH,
                             .cond_br = (uint8_t)condition,
                             .rel = relative,
                             .waddr_add = QPU_NOP,
                             .waddr_mul = QPU_NOP,
                             .immediate = immediate};
}

static struct qpu_insn signal(unsigned sig)
{
    struct qpu_insn insn = alu();
    insn.sig = (uint8_t)sig;
    return insn;
}

static struct qpu_insn if_add(struct qpu_insn insn, unsigned condition)
{
    insn.cond_add = (uint8_t)condition;
    return insn;
}

static struct qpu_insn setf(struct qpu_insn insn)
{
    insn.sf = 1;
    return insn;
}

enum { R0 = QPU_WR_ACC0, R1, R2, R3, R5 = QPU_WR_ACC5 };

static void assert_all(const lanes *value, uint32_t expected)
{
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal((*value)[i], expected);
}

static void assert_near(uint32_t result, double expected)
{
    if (fabs((double)bits_float(result) - expected) > 0.0003 * fabs(expected))
        fail_msg("%08x, expected about %g", result, expected);
}

/* Sets r0 to the element number - 8, with flags: N and C are set for elements below 8, and Z for
 * element 8. */
static void flags_around_8(void)
{
    emit(read_a(R0, QPU_RD_ELEMENT_QPU));
    emit(setf(small(add(R0, QPU_ADD_SUB, QPU_MUX_R0, QPU_MUX_B), 8)));
}

/* --- flags and conditions --- */

TEST_WITH(conditions, set_up, tear_down)
{
    static const lane_mask expected[8] = {0x0000, 0xffff, 0x0100, 0xfeff,
                                          0x00ff, 0xff00, 0x00ff, 0xff00};
    flags_around_8();
    for (unsigned condition = 0; condition < 8; condition++) {
        struct qpu_insn insn = ldi(condition, 7);
        insn.cond_add = (uint8_t)condition;
        insn.cond_mul = (uint8_t)condition;
        insn.waddr_mul = (uint8_t)condition;
        emit(insn);
        emit(if_add(mov(8 + condition, QPU_MUX_R0), condition));
    }
    run_clean();
    assert_int_equal(rig->qpu.n, 0x00ff);
    assert_int_equal(rig->qpu.z, 0x0100);
    assert_int_equal(rig->qpu.c, 0x00ff);
    for (unsigned condition = 0; condition < 8; condition++)
        for (unsigned i = 0; i < LANES; i++) {
            bool passes = expected[condition] >> i & 1;
            assert_int_equal(rig->qpu.ra[condition][i], passes ? 7 : 0);
            assert_int_equal(rig->qpu.rb[condition][i], passes ? 7 : 0);
            assert_int_equal(rig->qpu.ra[8 + condition][i], passes ? i - 8 : 0);
        }
}

/* vc4asm addendum: flags change only in elements where the instruction's condition is true. */
TEST_WITH(flags_change_where_written, set_up, tear_down)
{
    flags_around_8();
    emit(setf(if_add(mov(R1, QPU_MUX_R1), QPU_COND_NS))); /* r1 is 0: sets Z in elements that had
                                                             N */
    run_clean();
    assert_int_equal(rig->qpu.z, 0x01ff);
    assert_int_equal(rig->qpu.n, 0x0000);
    assert_int_equal(rig->qpu.c, 0x0000);
}

TEST_WITH(conditions_see_old_flags, set_up, tear_down)
{
    flags_around_8();
    struct qpu_insn insn = setf(mov(R1, QPU_MUX_R2)); /* sets Z in all elements */
    insn.op_mul = QPU_MUL_V8MIN;
    insn.mul_a = insn.mul_b = QPU_MUX_R0;
    insn.cond_mul = QPU_COND_ZS;
    insn.waddr_mul = R3;
    emit(ldi(R3, 5));
    emit(insn);
    run_clean();
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.r[3][i], i == 8 ? 0 : 5);
}

TEST_WITH(flags_source, set_up, tear_down)
{
    struct qpu_insn insn = setf(mul(QPU_NOP, QPU_MUL_V8MIN, QPU_MUX_R0, QPU_MUX_R0));
    emit(ldi(R1, 0x80000000));
    emit(insn); /* the add ALU is a nop, so the mul ALU sets flags: Z */
    emit(mov(R2, QPU_MUX_R2));
    run_clean();
    assert_int_equal(rig->qpu.z, 0xffff);

    insn = setf(add(QPU_NOP, QPU_ADD_OR, QPU_MUX_R1, QPU_MUX_R1)); /* the add ALU sets flags: N */
    insn.op_mul = QPU_MUL_V8MIN;
    rig->words = 0;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    emit(ldi(R1, 0x80000000));
    emit(insn);
    run_clean();
    assert_int_equal(rig->qpu.n, 0xffff);
    assert_int_equal(rig->qpu.z, 0x0000);
}

/* The condition "never" in the add ALU does not make the mul ALU set the flags (vc4asm
 * addendum). */
TEST_WITH(never_keeps_flags, set_up, tear_down)
{
    struct qpu_insn insn = setf(
        if_add(add(QPU_NOP, QPU_ADD_OR, QPU_MUX_R1, QPU_MUX_R1), QPU_COND_NEVER));
    insn.op_mul = QPU_MUL_V8MIN;
    emit(ldi(R1, 0x80000000));
    emit(insn);
    run_clean();
    assert_int_equal(rig->qpu.n, 0);
    assert_int_equal(rig->qpu.z, 0);
}

TEST_WITH(loads_set_flags, set_up, tear_down)
{
    emit(setf(ldi_elements(R0, true, 0xff0000f0))); /* elements 8..15 are -2, 4..7 are 1, and
                                                       0..3 are 0 */
    run_clean();
    assert_int_equal(rig->qpu.n, 0xff00);
    assert_int_equal(rig->qpu.z, 0x000f);
    assert_int_equal(rig->qpu.c, 0);
}

TEST_WITH(carry_from_add, set_up, tear_down)
{
    emit(ldi(R0, 0xffffffff));
    emit(setf(small(add(R1, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_B), 1)));
    run_clean();
    assert_int_equal(rig->qpu.c, 0xffff);
    assert_int_equal(rig->qpu.z, 0xffff);
}

/* --- immediates --- */

TEST_WITH(load_forms, set_up, tear_down)
{
    uint32_t bits = 0xff0ff0f0;
    emit(ldi(3, 0xdeadbeef));
    emit(ldi_elements(4, true, bits));
    emit(ldi_elements(5, false, bits));
    struct qpu_insn swapped = ldi(6, 0x12345678);
    swapped.ws = 1;
    swapped.cond_mul = QPU_COND_ALWAYS;
    swapped.waddr_mul = 7;
    emit(swapped);
    run_clean();
    assert_all(&rig->qpu.ra[3], 0xdeadbeef);
    assert_all(&rig->qpu.rb[6], 0x12345678);
    assert_all(&rig->qpu.ra[7], 0x12345678);
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t two = (bits >> (16 + i) & 1) * 2 + (bits >> i & 1);
        static const uint32_t as_signed[4] = {0, 1, (uint32_t)-2, (uint32_t)-1};
        assert_int_equal(rig->qpu.ra[4][i], as_signed[two]);
        assert_int_equal(rig->qpu.ra[5][i], two);
    }
}

TEST_WITH(packed_load, set_up, tear_down)
{
    struct qpu_insn insn = ldi(3, 0x000000ab);
    insn.pack = 6;
    emit(ldi(3, 0x11223344));
    emit(insn);
    run_clean();
    assert_all(&rig->qpu.ra[3], 0x11ab3344);
}

/* Small immediates of manual table 5. The codes of rotations read as -16..-1 (vc4asm addendum). */
TEST_WITH(small_immediates, set_up, tear_down)
{
    for (unsigned field = 0; field < 64; field++) {
        struct qpu_insn insn = small(mov(field & 31, QPU_MUX_B), field);
        insn.ws = field >= 32;
        emit(insn);
    }
    run_clean();
    for (unsigned field = 0; field < 64; field++) {
        uint32_t expected = field < 16   ? field
                            : field < 32 ? field - 32
                            : field < 40 ? float_bits((float)(1 << (field - 32)))
                            : field < 48 ? float_bits(1.0f / (float)(1 << (48 - field)))
                                         : field - 64;
        assert_all(field < 32 ? &rig->qpu.ra[field] : &rig->qpu.rb[field - 32], expected);
    }
}

/* --- rotation --- */

TEST_WITH(rotations, set_up, tear_down)
{
    emit(read_a(R0, QPU_RD_ELEMENT_QPU));
    emit(read_a(31, QPU_RD_ELEMENT_QPU));
    for (unsigned n = 1; n < 16; n++) {
        struct qpu_insn insn = small(mul(n, QPU_MUL_V8MAX, QPU_MUX_R0, QPU_MUX_R0), 48 + n);
        emit(insn); /* the result goes to file B */
        insn = small(mul(n, QPU_MUL_V8MAX, QPU_MUX_A, QPU_MUX_A), 48 + n);
        insn.raddr_a = 31;
        insn.ws = 1;
        emit(insn); /* the result goes to file A */
    }
    emit(ldi(R5, 21)); /* r5's low four bits are 5 */
    nop();
    emit(small(mul(R1, QPU_MUL_V8MAX, QPU_MUX_R0, QPU_MUX_R0), 48));
    struct qpu_insn mixed = small(mul(R2, QPU_MUL_V8MAX, QPU_MUX_R0, QPU_MUX_A), 48 + 5);
    mixed.raddr_a = 31;
    emit(mixed);
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned n = 1; n < 16; n++) {
            assert_int_equal(rig->qpu.rb[n][i], (i - n) & 15);
            assert_int_equal(rig->qpu.ra[n][i], (i & ~3u) | ((i - n) & 3));
        }
        assert_int_equal(rig->qpu.r[1][i], (i - 5) & 15);
        assert_int_equal(rig->qpu.r[2][i], (i & ~3u) | ((i - 5) & 3));
    }
}

/* The condition applies to the destination element. Only the mul ALU's result is rotated. */
TEST_WITH(rotation_and_condition, set_up, tear_down)
{
    flags_around_8();
    emit(read_a(R0, QPU_RD_ELEMENT_QPU));
    nop();
    struct qpu_insn insn = small(mul(R1, QPU_MUL_V8MAX, QPU_MUX_R0, QPU_MUX_R0), 48 + 3);
    insn.cond_mul = QPU_COND_NS;
    insn.op_add = QPU_ADD_OR;
    insn.waddr_add = R2;
    emit(insn); /* add ALU: or r2, r0, r0 */
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(rig->qpu.r[1][i], i < 8 ? (i - 3) & 15 : 0);
        assert_int_equal(rig->qpu.r[2][i], i);
    }
}

TEST_WITH(rotation_too_early, set_up, tear_down)
{
    emit(read_a(R0, QPU_RD_ELEMENT_QPU));
    emit(small(mul(R1, QPU_MUL_V8MAX, QPU_MUX_R0, QPU_MUX_R0), 48 + 1));
    emit(ldi(R5, 1));
    emit(small(mul(R1, QPU_MUL_V8MAX, QPU_MUX_R0, QPU_MUX_R0), 48));
    run_finding(FAULT_QPU_ROTATE, 2);
}

/* Follows examples/sgemm_1thread.py of nineties/py-videocore, which ran on boards. The
 * instruction before the rotation writes element 15 of r2 only. r5 receives element 4 of r2, or
 * element 1 of each quad, which is not stale. A finding is due only if r5 receives a stale
 * element, or if flags are set from all elements. */
TEST_WITH(rotation_of_other_elements, set_up, tear_down)
{
    enum { ELEMENT_15 = 0x7fff };
    emit(read_a(R2, QPU_RD_ELEMENT_QPU));
    struct qpu_insn masks = ldi_elements(QPU_NOP, false, ELEMENT_15);
    masks.sf = 1;
    emit(masks);
    struct qpu_insn fresh = ldi(R2, 99);
    fresh.cond_add = QPU_COND_ZS;
    struct qpu_insn early = small(mul(R5, QPU_MUL_V8MAX, QPU_MUX_R2, QPU_MUX_R2), 48 + 12);
    emit(fresh);
    emit(early); /* ws = 0: file B, r5 receives element 4 of r2 */
    emit(mov(R0, QPU_MUX_R5));
    early.ws = 1; /* file A: r5 receives elements 4, 8, 12, 0 */
    emit(fresh);
    emit(early);
    emit(mov(R1, QPU_MUX_R5));
    run_clean();
    assert_all(&rig->qpu.r[0], 4);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.r[1][i], (i / 4 * 4 + 4) & 15);
}

TEST_WITH(rotation_of_the_element_too_early, set_up, tear_down)
{
    emit(read_a(R2, QPU_RD_ELEMENT_QPU));
    struct qpu_insn to_element_0 = small(mul(R5, QPU_MUL_V8MAX, QPU_MUX_R2, QPU_MUX_R2), 48 + 12);
    emit(ldi(R2, 7));
    emit(to_element_0);
    nop();
    emit(mov(R2, QPU_MUX_R0));
    to_element_0.sf = 1;
    to_element_0.raddr_b = 48 + 16 -
                           3; /* r5 receives the stale element; flags come from all elements */
    emit(to_element_0);
    run_finding(FAULT_QPU_ROTATE, 2);
}

/* --- pack and unpack, through instructions --- */

static const uint32_t samples[] = {0x00000000, 0x12345678, 0x89abcdef,
                                   0x3c00bc00, 0xff7f8001, 0x7c01fc02};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

TEST_WITH(unpacks_of_file_a, set_up, tear_down)
{
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned mode = 0; mode < 8; mode++) {
            rig->words = 0;
            qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
            emit(ldi(3, samples[s]));
            nop();
            struct qpu_insn insn = read_a(R0, 3);
            insn.unpack = (uint8_t)mode;
            emit(insn);                 /* or: an integer operation */
            insn.op_add = QPU_ADD_FMAX; /* fmax: a float operation */
            insn.waddr_add = R1;
            emit(insn);
            insn.op_add = QPU_ADD_OR; /* both ALUs unpack as float */
            insn.waddr_add = R2;
            insn.op_mul = QPU_MUL_FMUL;
            insn.mul_a = QPU_MUX_A;
            insn.mul_b = QPU_MUX_R0;
            emit(insn);
            insn.mul_a = QPU_MUX_R0; /* the mul ALU does not read r4: integer unpack */
            insn.waddr_add = R3;
            emit(insn);
            run_clean();
            assert_all(&rig->qpu.r[0], unpack_element(mode, false, samples[s]));
            assert_all(&rig->qpu.r[1], unpack_element(mode, true, samples[s]));
            assert_all(&rig->qpu.r[2], unpack_element(mode, true, samples[s]));
            assert_all(&rig->qpu.r[3], unpack_element(mode, false, samples[s]));
        }
}

/* The unpack unit sits on port A (figure 2), so it also applies to values that peripherals
 * supply on that port. The manual mentions only registers, and vc4asm rejects such an unpack. */
TEST_WITH(unpack_of_a_uniform, set_up, tear_down)
{
    uniform(0, 0x89abcdef);
    struct qpu_insn insn = read_a(R0, QPU_RD_UNIFORM);
    insn.unpack = 5; /* selects byte b */
    emit(insn);
    run_finding(FAULT_QPU_UNDOCUMENTED, 1);
    assert_all(&rig->qpu.r[0], 0xcd);
}

TEST_WITH(unpacks_of_r4, set_up, tear_down)
{
    for (unsigned mode = 0; mode < 8; mode++) {
        rig->words = 0;
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        emit(ldi(3, 0x89abcdef));
        nop();
        struct qpu_insn insn = read_a(R1, 3);
        insn.pm = 1;
        insn.unpack = (uint8_t)mode;
        insn.op_mul = QPU_MUL_V8MIN;
        insn.waddr_mul = R0;
        insn.mul_a = insn.mul_b = QPU_MUX_R4;
        rig->qpu.r[4] = 0x3c0080ff + (lanes){0};
        emit(insn);
        run_clean();
        assert_all(&rig->qpu.r[0], unpack_element(mode, true, 0x3c0080ff));
        assert_all(&rig->qpu.r[1], 0x89abcdef); /* register file A is not unpacked */
    }
}

/* Manual table 8 prints "8a" for all of the modes 4 to 7. The modes select bytes a to d, which
 * become numbers from 0 to 1. */
TEST_WITH(unpacks_of_r4_bytes, set_up, tear_down)
{
    static const uint8_t bytes[4] = {0x00, 0x33, 0x66, 0xff}; /* become 0, 1/5, 2/5, 1 */
    for (unsigned i = 0; i < 4; i++) {
        rig->words = 0;
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        struct qpu_insn insn = mov(R1, QPU_MUX_R4);
        insn.pm = 1;
        insn.unpack = (uint8_t)(4 + i);
        insn.op_add = QPU_ADD_FMIN;
        rig->qpu.r[4] = 0xff663300 + (lanes){0};
        emit(insn);
        run_clean();
        assert_near(rig->qpu.r[1][0], bytes[i] / 255.0);
        assert_all(&rig->qpu.r[1], rig->qpu.r[1][0]);
    }
}

TEST_WITH(packs_of_file_a, set_up, tear_down)
{
    const uint32_t old = 0x55667788;
    for (unsigned s = 0; s < SAMPLES; s++)
        for (unsigned mode = 0; mode < 16; mode++) {
            rig->words = 0;
            qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
            emit(ldi(R0, samples[s]));
            for (unsigned i = 1; i < 5; i++) {
                struct qpu_insn both = ldi(i, old);
                both.cond_mul = QPU_COND_ALWAYS;
                both.waddr_mul = (uint8_t)i;
                emit(both);
            }
            struct qpu_insn insn = add(1, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_R0); /* may overflow */
            insn.pack = (uint8_t)mode;
            emit(insn);
            insn = add(2, QPU_ADD_FADD, QPU_MUX_R0, QPU_MUX_R1);
            insn.pack = (uint8_t)mode;
            emit(insn);
            insn = mul(3, QPU_MUL_MUL24, QPU_MUX_R0, QPU_MUX_R0); /* the mul result goes to file
                                                                     A */
            insn.ws = 1;
            insn.pack = (uint8_t)mode;
            emit(insn);
            insn = add(4, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_R0); /* results to file B are not
                                                                   packed */
            insn.ws = 1;
            insn.pack = (uint8_t)mode;
            emit(insn);
            insn = add(R3, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_R0); /* results to accumulators are
                                                                    not packed */
            insn.pack = (uint8_t)mode;
            emit(insn);
            run_clean();

            uint32_t x = samples[s];
            struct alu_result sum = alu_add_ops[QPU_ADD_ADD].element(x, x);
            struct alu_result fsum = alu_add_ops[QPU_ADD_FADD].element(x, 0);
            struct alu_result product = alu_mul_ops[QPU_MUL_MUL24].element(x, x);
            struct pack_input inputs[3] = {{sum.value, false, sum.carry, sum.overflow},
                                           {fsum.value, true, fsum.carry, false},
                                           {product.value, false, product.carry, false}};
            for (unsigned i = 0; i < 3; i++)
                assert_all(&rig->qpu.ra[1 + i], pack_element(mode, inputs[i], old));
            assert_all(&rig->qpu.rb[4], sum.value);
            assert_all(&rig->qpu.r[3], sum.value);
        }
}

TEST_WITH(packed_conditionally, set_up, tear_down)
{
    emit(ldi(3, 0x11111111));
    flags_around_8();
    struct qpu_insn insn = small(add(3, QPU_ADD_OR, QPU_MUX_B, QPU_MUX_B), 5);
    insn.pack = 5;
    insn.cond_add = QPU_COND_NC;
    emit(insn);
    run_clean();
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.ra[3][i], i < 8 ? 0x11111111 : 0x11110511);
}

TEST_WITH(colour_packs, set_up, tear_down)
{
    const uint32_t half = 0x3f000000; /* 0.5 becomes 128 of 255 */
    emit(ldi(R0, half));
    emit(ldi(R1, 0x3f800000));
    emit(ldi(R2, 0x11223344));
    struct qpu_insn both = ldi(5, 0x11223344);
    both.cond_mul = QPU_COND_ALWAYS;
    both.waddr_mul = 5;
    emit(both);
    struct qpu_insn insn = mul(R2, QPU_MUL_FMUL, QPU_MUX_R0, QPU_MUX_R1);
    insn.pm = 1;
    insn.pack = 5;
    emit(insn);
    insn.waddr_mul = 5;
    insn.pack = 7;
    emit(insn); /* writes rb5 */
    insn.ws = 1;
    insn.pack = 4;
    emit(insn); /* writes ra5 */
    insn.waddr_mul = R3;
    insn.pack = 3;
    emit(insn);
    insn.pack = 0;
    insn.waddr_mul = 6;
    emit(insn); /* moved without conversion */
    run_clean();
    assert_all(&rig->qpu.r[2], 0x11228044);
    assert_all(&rig->qpu.rb[5], 0x80223344);
    assert_all(&rig->qpu.ra[5], 0x11223380);
    assert_all(&rig->qpu.r[3], 0x80808080);
    assert_all(&rig->qpu.ra[6], half);
}

/* --- branches --- */

/* Tests the branch conditions of table 11 with all flags set, all clear, and set for some
 * elements. */
TEST_WITH(branch_conditions, set_up, tear_down)
{
    for (unsigned flags = 0; flags < 3; flags++)
        for (unsigned condition = 0; condition < 16; condition++) {
            rig->words = 0;
            memset(rig->log.count, 0, sizeof rig->log.count);
            qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
            rig->qpu.n = rig->qpu.z = rig->qpu.c = flags == 0 ? 0 : flags == 1 ? 0x0100 : 0xffff;
            emit(branch(condition, true, 0)); /* branches to CODE + 32 */
            emit(small(add(R0, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_B), 1));
            emit(small(add(R0, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_B), 1));
            emit(small(add(R0, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_B), 1));
            end();
            rig->words = 0;
            emit(branch(condition, true, 8)); /* if taken, skips one instruction after the delay
                                                 slots */
            rig->words = 4;
            emit(small(add(R1, QPU_ADD_ADD, QPU_MUX_R1, QPU_MUX_B), 1)); /* skipped if taken */
            end();
            assert_int_equal(run(), QPU_ENDED);
            /* Bits of these masks: all set, all clear, any set, any clear. */
            static const uint8_t holds[3] = {0xa, 0xc, 0x5};
            bool taken = condition < 12 ? holds[flags] >> (condition & 3) & 1 : condition == 15;
            assert_all(&rig->qpu.r[0], 3);
            assert_all(&rig->qpu.r[1], !taken);
            bool reserved = condition >= 12 && condition <= 14;
            assert_int_equal(rig->log.count[FAULT_QPU_RESERVED], reserved);
            assert_int_equal(rig->log.errors,
                             rig->log.count[FAULT_QPU_RESERVED] ? rig->log.errors : 0);
            rig->log.errors = 0;
        }
}

TEST_WITH(link_and_return, set_up, tear_down)
{
    struct qpu_insn call = branch(15, false, CODE + 8 * 10);
    call.waddr_add = 2; /* return address to ra2 */
    call.waddr_mul = 3; /* return address to rb3 */
    emit(call);         /* is instruction 0 */
    nop();              /* 1 */
    nop();              /* 2 */
    nop();              /* 3 */
    emit(ldi(R1, 4));   /* instruction 4, at the return address */
    end();              /* 5, 6, 7 */
    rig->words = 10;
    emit(ldi(R0, 10)); /* 10 */
    struct qpu_insn back = branch(15, false, 0);
    back.reg = 1;
    back.raddr_a = 2;
    emit(back);
    nop();
    nop();
    nop();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.errors, 0);
    assert_all(&rig->qpu.ra[2], CODE + 32);
    assert_all(&rig->qpu.rb[3], CODE + 32);
    assert_all(&rig->qpu.r[0], 10);
    assert_all(&rig->qpu.r[1], 4);
}

/* Element 15 supplies the target (vc4asm addendum), not element 0 as in the manual. */
TEST_WITH(register_branch_takes_element_15, set_up, tear_down)
{
    emit(read_a(2, QPU_RD_ELEMENT_QPU)); /* in element 15, this is 15 */
    nop();
    struct qpu_insn jump = branch(15, true, (uint32_t)-15 + 8);
    jump.reg = 1;
    jump.raddr_a = 2;
    emit(jump); /* jumps to 2 + 4 + 1 */
    nop();
    nop();
    nop();
    emit(ldi(R0, 1)); /* instruction 6 is skipped */
    run_clean();      /* 7 */
    assert_all(&rig->qpu.r[0], 0);
}

TEST_WITH(untaken_branch_links_nothing, set_up, tear_down)
{
    struct qpu_insn insn = branch(2, true, 0); /* condition "any Z set": not taken */
    insn.waddr_add = 2;
    emit(insn);
    nop();
    nop();
    nop();
    run_clean();
    assert_all(&rig->qpu.ra[2], 0);
}

/* Bit 45 is both the lowest bit of raddr_a and the bit that enables flag setting (vc4asm
 * addendum). */
TEST_WITH(odd_branch_register_sets_flags, set_up, tear_down)
{
    rig->qpu.z = 0xffff;
    rig->qpu.c = 0xffff;
    struct qpu_insn insn = branch(15, true, 0);
    insn.raddr_a = 3;
    emit(insn);
    nop();
    nop();
    nop();
    run_clean();
    assert_int_equal(rig->qpu.z, 0);
    assert_int_equal(rig->qpu.c, 0);
}

TEST_WITH(loop, set_up, tear_down)
{
    emit(ldi(R0, 10));
    emit(setf(small(add(R0, QPU_ADD_SUB, QPU_MUX_R0, QPU_MUX_B), 1))); /* instruction 1 */
    /* condition "any Z clear": back to instruction 1 */
    emit(branch(3, true, (uint32_t)-40));
    emit(small(add(R1, QPU_ADD_ADD, QPU_MUX_R1, QPU_MUX_B), 1));
    nop();
    nop();
    run_clean();
    assert_all(&rig->qpu.r[0], 0);
    assert_all(&rig->qpu.r[1], 10);
    assert_int_equal(rig->qpu.instructions, 1 + 10 * 5 + 3);
}

/* A branch may be in the last delay slot of another branch (vc4asm addendum). */
TEST_WITH(branch_in_last_slot, set_up, tear_down)
{
    emit(branch(15, false, CODE + 8 * 8)); /* instruction 0 */
    nop();
    nop();
    emit(branch(15, false, CODE + 8 * 12)); /* 3 */
    rig->words = 8;
    emit(ldi(R0, 1)); /* instructions 8 to 10: the second branch's delay slots */
    emit(ldi(R1, 1));
    emit(ldi(R2, 1));
    emit(ldi(R3, 1)); /* 11 */
    run_clean();      /* 12 */
    assert_all(&rig->qpu.r[0], 1);
    assert_all(&rig->qpu.r[2], 1);
    assert_all(&rig->qpu.r[3], 0);
}

TEST_WITH(branch_too_early, set_up, tear_down)
{
    emit(branch(15, true, 0));
    nop();
    emit(branch(2, true, 0)); /* a finding even if the branch is not taken */
    nop();
    run_finding(FAULT_QPU_BRANCH_SLOT, 1);
}

/* --- semaphores and mutex --- */

TEST_WITH(semaphores_between_two, set_up, tear_down)
{
    emit(semaphore(3, true));
    emit(ldi(R0, 1));
    end();
    uint32_t second = CODE + 8 * rig->words;
    emit(semaphore(3, false));
    end();
    struct qpu other = {0};
    qpu_start(&other, QPU_USER, 1, second, 0);

    assert_int_equal(run(), QPU_WAITING);
    assert_int_equal(rig->qpu.wait, QPU_WAIT_SEMAPHORE_ACQUIRE);
    assert_int_equal(rig->qpu.instructions, 0);
    char text[80];
    assert_string_equal(qpu_wait_text(&rig->qpu, &rig->shared, text, sizeof text),
                        "semaphore 3 to be released by another QPU");
    assert_int_equal(run(), QPU_WAITING);
    assert_int_equal(qpu_run(&other, &rig->ports, 100), QPU_ENDED);
    assert_int_equal(rig->shared.semaphore[3], 1);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->shared.semaphore[3], 0);
    assert_all(&rig->qpu.r[0], 1);
    assert_int_equal(rig->log.errors, 0);
}

TEST_WITH(semaphore_stops_at_15, set_up, tear_down)
{
    for (unsigned i = 0; i < 16; i++)
        emit(semaphore(9, false));
    end();
    assert_int_equal(run(), QPU_WAITING);
    assert_int_equal(rig->qpu.wait, QPU_WAIT_SEMAPHORE_RELEASE);
    assert_int_equal(rig->qpu.instructions, 15);
    assert_int_equal(rig->shared.semaphore[9], 15);
}

TEST_WITH(semaphore_is_a_load, set_up, tear_down)
{
    struct qpu_insn insn = semaphore(2, false);
    insn.immediate |= 0xabc00;
    insn.waddr_add = 4;
    emit(setf(insn));
    run_clean();
    assert_all(&rig->qpu.ra[4], 0xabc02);
    assert_int_equal(rig->qpu.z, 0);
    assert_int_equal(rig->shared.semaphore[2], 1);
}

TEST_WITH(mutex, set_up, tear_down)
{
    uniform(0, 77);
    struct qpu_insn lock = read_b(R0, QPU_RD_MUTEX);
    lock.raddr_a = QPU_RD_UNIFORM;
    lock.add_b = QPU_MUX_A; /* "or r0, mutex, unif" */
    emit(lock);
    emit(mov(QPU_WR_MUTEX_RELEASE, QPU_MUX_R0));
    rig->shared.mutex_held = true;
    rig->shared.mutex_owner = 2;
    end();
    assert_int_equal(run(), QPU_WAITING);
    assert_int_equal(rig->qpu.wait, QPU_WAIT_MUTEX);
    char text[80];
    assert_string_equal(qpu_wait_text(&rig->qpu, &rig->shared, text, sizeof text),
                        "the mutex, which QPU 2 holds");
    assert_int_equal(run(), QPU_WAITING);
    assert_int_equal(rig->qpu.uniform, UNIFORMS); /* the uniform was not read */
    rig->shared.mutex_held = false;
    assert_int_equal(qpu_run(&rig->qpu, &rig->ports, 1), QPU_LIMIT);
    assert_true(rig->shared.mutex_held);
    assert_int_equal(rig->shared.mutex_owner, 5);
    assert_int_equal(run(), QPU_ENDED);
    assert_false(rig->shared.mutex_held);
    assert_all(&rig->qpu.r[0], 77 | 5);
    assert_int_equal(rig->log.errors, 0);
}

/* The author of vc4asm found: if the owner reads the mutex again, the read continues at once,
 * and a single release frees the mutex. */
TEST_WITH(mutex_twice, set_up, tear_down)
{
    emit(read_a(QPU_NOP, QPU_RD_MUTEX));
    emit(read_a(QPU_NOP, QPU_RD_MUTEX));
    emit(mov(QPU_WR_MUTEX_RELEASE, QPU_MUX_R0));
    run_finding(FAULT_QPU_MUTEX_TWICE, 1);
    assert_false(rig->shared.mutex_held);
    assert_int_equal(rig->log.errors, 0);
}

/* Manual section 3: "The read data is the default unmapped I/O location read data, which is the
 * SIMD element_number or qpu_number." */
TEST_WITH(mutex_reads_as_nothing, set_up, tear_down)
{
    emit(read_a(R0, QPU_RD_MUTEX));
    emit(mov(QPU_WR_MUTEX_RELEASE, QPU_MUX_R0));
    emit(read_b(R1, QPU_RD_MUTEX));
    emit(mov(QPU_WR_MUTEX_RELEASE, QPU_MUX_R0));
    run_clean();
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.r[0][i], i);
    assert_all(&rig->qpu.r[1], 5);
}

TEST_WITH(mutex_left, set_up, tear_down)
{
    emit(read_a(QPU_NOP, QPU_RD_MUTEX));
    run_finding(FAULT_QPU_MUTEX_LEFT, 1);
    assert_true(rig->shared.mutex_left);
    struct qpu other = {0}; /* another QPU, which also reads the mutex */
    char text[80];
    qpu_start(&other, QPU_USER, 1, CODE, 0);
    assert_int_equal(qpu_run(&other, &rig->ports, 100), QPU_WAITING);
    assert_string_equal(qpu_wait_text(&other, &rig->shared, text, sizeof text),
                        "the mutex, which QPU 5 holds; the program that acquired it has ended");
    /* The next program on a QPU does not own the mutex that the previous program left locked. */
    uint32_t next = CODE + 8 * rig->words;
    end();
    qpu_start(&rig->qpu, QPU_USER, 5, next, 0);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.count[FAULT_QPU_MUTEX_LEFT], 1);
}

/* --- instructions that run outside of blocks --- */

/* Runs three instructions and then the instruction under test, in a branch's delay slot (how &
 * 2) or not, with blocks (how & 1) or without. The run stops before instruction `stop`; a second
 * run completes the program. */
static void run_alone(struct qpu_insn insn, uint32_t stop, unsigned how)
{
    rig->words = 0;
    memset(&rig->cache, 0, sizeof rig->cache);
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    rig->ports.cache = how & 1 ? &rig->cache : NULL;
    emit(ldi(R0, 1));
    emit(how & 2 ? branch(15, true, 0) : ldi(R1, 2));
    nop();
    emit(insn);
    nop();
    end();
    rig->shared.mutex_held = false;
    rig->ports.alone = true;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(run(), QPU_LIMIT);
        assert_int_equal(rig->qpu.pc, CODE + 8 * stop);
        assert_int_equal(rig->qpu.instructions, stop);
    }
    rig->ports.alone = false;
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->qpu.instructions, 8);
}

TEST_WITH(alone_it_stops_before_what_others_see, set_up, tear_down)
{
    struct qpu_insn store = ldi(QPU_WR_VPM_ADDRESS, 0x4000), in_mul = mov(R0, QPU_MUX_R1);
    store.ws = 1;
    in_mul.waddr_mul = QPU_WR_VPM_SETUP;
    in_mul.op_mul = QPU_MUL_V8MIN;
    const struct qpu_insn seen_by_others[] = {
        semaphore(3, false),
        read_a(R0, QPU_RD_MUTEX),
        read_b(QPU_NOP, QPU_RD_MUTEX),
        mov(QPU_WR_MUTEX_RELEASE, QPU_MUX_R0),
        ldi(QPU_WR_VPM, 1),
        ldi(QPU_WR_VPM_SETUP, 0),
        store,
        in_mul,
        read_a(R0, QPU_RD_VPM_BUSY),
        read_b(R0, QPU_RD_VPM_BUSY),
        read_b(R0, QPU_RD_VPM_WAIT),
        mov(QPU_WR_HOST_INT, QPU_MUX_R0),
    };
    const struct qpu_insn own[] = {
        read_a(R0, QPU_RD_UNIFORM),
        read_a(R0, QPU_RD_ELEMENT_QPU),
        ldi(QPU_WR_TMU0_S, 0x100),
        ldi(QPU_WR_SFU_RECIP, 0),
        ldi(QPU_WR_UNIFORM_ADDRESS, UNIFORMS),
        ldi(20, 1),
        small(mov(R0, QPU_MUX_B), 48 - 32), /* 48 is a small immediate here, not a register */
    };
    for (unsigned how = 0; how < 4; how++) {
        for (size_t i = 0; i < sizeof seen_by_others / sizeof *seen_by_others; i++)
            run_alone(seen_by_others[i], 3, how);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            run_alone(own[i], 5, how); /* stops at the end of the program */
    }
}

/* --- uniforms --- */

/* "mov -, vpm" reads and discards a vector. GPU_FFT does so right after the setup. */
TEST_WITH(vectors_for_nothing, set_up, tear_down)
{
    rig->port.reads_left = 2;
    emit(read_a(QPU_NOP, QPU_RD_VPM));
    emit(read_a(R0, QPU_RD_VPM));
    run_clean();
    assert_int_equal(seen.vpm_reads, 2);
    assert_int_equal(seen.vpm_values, 1);
}

TEST_WITH(uniforms, set_up, tear_down)
{
    for (unsigned i = 0; i < 8; i++)
        uniform(i, 100 + i);
    emit(read_a(R0, QPU_RD_UNIFORM));
    emit(read_b(R1, QPU_RD_UNIFORM));
    struct qpu_insn both = add(R2, QPU_ADD_ADD, QPU_MUX_A, QPU_MUX_B); /* reads one uniform on
                                                                          two ports */
    both.raddr_a = both.raddr_b = QPU_RD_UNIFORM;
    emit(both);
    struct qpu_insn unused = alu(); /* reads a uniform and does not use its value */
    unused.raddr_a = QPU_RD_UNIFORM;
    emit(unused);
    emit(read_a(R3, QPU_RD_UNIFORM));
    run_clean();
    assert_all(&rig->qpu.r[0], 100);
    assert_all(&rig->qpu.r[1], 101);
    assert_all(&rig->qpu.r[2], 204);
    assert_all(&rig->qpu.r[3], 104);
}

TEST_WITH(uniform_address, set_up, tear_down)
{
    uniform(4, 44);
    uniform(6, 66);
    emit(ldi(QPU_WR_UNIFORM_ADDRESS, UNIFORMS + 16)); /* absolute address, through file A */
    nop();
    nop();
    emit(read_a(R0, QPU_RD_UNIFORM));
    struct qpu_insn relative = ldi(QPU_WR_UNIFORM_ADDRESS, 4); /* through file B: address plus 4 */
    relative.ws = 1;
    emit(relative);
    nop();
    nop();
    emit(read_a(R1, QPU_RD_UNIFORM));
    run_clean();
    assert_all(&rig->qpu.r[0], 44);
    assert_all(&rig->qpu.r[1], 66);
}

TEST_WITH(uniform_address_latency, set_up, tear_down)
{
    emit(ldi(QPU_WR_UNIFORM_ADDRESS, UNIFORMS));
    emit(read_a(R0, QPU_RD_UNIFORM));
    emit(read_a(R0, QPU_RD_UNIFORM));
    emit(read_a(R0, QPU_RD_UNIFORM));
    run_finding(FAULT_QPU_UNIFORM_LATENCY, 2);
}

TEST_WITH(uniforms_missing, set_up, tear_down)
{
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, 0);
    emit(read_a(R0, QPU_RD_UNIFORM));
    run_finding(FAULT_QPU_UNIFORM_DISABLED, 1);
    assert_all(&rig->qpu.r[0], 0);
}

TEST_WITH(uniforms_used_up, set_up, tear_down)
{
    uniform(0, 1);
    rig->qpu.uniforms_left = 1;
    emit(read_a(R0, QPU_RD_UNIFORM));
    emit(read_a(R1, QPU_RD_UNIFORM));
    run_finding(FAULT_QPU_UNIFORM_OVERRUN, 1);
    assert_all(&rig->qpu.r[0], 1);
}

TEST_WITH(uniforms_unmapped, set_up, tear_down)
{
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, 0x100000);
    emit(read_a(R0, QPU_RD_UNIFORM));
    run_finding(FAULT_BUS_UNMAPPED, 1);
    assert_int_equal(rig->place.address, 0x100000);
    assert_int_equal(rig->place.pc, CODE);
}

/* --- delayed results --- */

TEST_WITH(sfu_latency, set_up, tear_down)
{
    rig->qpu.r[4] = 9 + (lanes){0};
    emit(ldi(R0, 0x40000000));
    emit(mov(QPU_WR_SFU_RECIP, QPU_MUX_R0));
    nop();
    nop();
    emit(mov(R1, QPU_MUX_R4));
    emit(ldi(QPU_WR_SFU_EXP, 0x3f800000));
    nop();
    nop();
    emit(mov(R2, QPU_MUX_R4));
    run_clean();
    assert_all(&rig->qpu.r[1], 0x3efffc00); /* recip(2) as measured on silicon, see
                                               tests/vc4/qpu/sfu.c */
    assert_all(&rig->qpu.r[2], 0x40000100);
}

/* Runs a program that writes the float x to the SFU register `target`. Returns r4. */
static uint32_t through_sfu(uint32_t target, uint32_t x)
{
    rig->words = 0;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    emit(ldi(R0, x));
    emit(mov(target, QPU_MUX_R0));
    nop();
    nop();
    emit(mov(R1, QPU_MUX_R4));
    run_clean();
    assert_all(&rig->qpu.r[1], rig->qpu.r[1][0]);
    return rig->qpu.r[1][0];
}

/* The next tests, and unpacks_of_r4_bytes, check the statements of APPENDIX.rst in nineties/py-
 * videocore, whose author found them on silicon. The bound of the error is the one in
 * tests/vc4/qpu/sfu.c. */
TEST_WITH(log_is_base_2, set_up, tear_down)
{
    assert_near(through_sfu(QPU_WR_SFU_LOG, float_bits(8)), 3);
    assert_near(through_sfu(QPU_WR_SFU_LOG, float_bits(10)), 3.3219280948873623);
    assert_near(through_sfu(QPU_WR_SFU_LOG, float_bits(0.125f)), -3);
}

TEST_WITH(exp_is_base_2, set_up, tear_down)
{
    assert_near(through_sfu(QPU_WR_SFU_EXP, float_bits(3)), 8);
    assert_near(through_sfu(QPU_WR_SFU_EXP, float_bits(0.5f)), 1.4142135623730951);
    assert_near(through_sfu(QPU_WR_SFU_EXP, float_bits(-3)), 0.125);
}

TEST_WITH(recip_of_0_is_infinite, set_up, tear_down)
{
    assert_int_equal(through_sfu(QPU_WR_SFU_RECIP, float_bits(0)), 0x7f800000);
}

TEST_WITH(recipsqrt_of_0_is_infinite, set_up, tear_down)
{
    assert_int_equal(through_sfu(QPU_WR_SFU_RECIPSQRT, float_bits(0)), 0x7f800000);
}

TEST_WITH(recipsqrt_takes_the_magnitude, set_up, tear_down)
{
    assert_near(through_sfu(QPU_WR_SFU_RECIPSQRT, float_bits(-4)), 0.5);
    for (uint32_t x = 0x00800000; x < 0x7f800000; x += 0x00345679)
        assert_int_equal(through_sfu(QPU_WR_SFU_RECIPSQRT, x | 0x80000000),
                         through_sfu(QPU_WR_SFU_RECIPSQRT, x));
}

TEST_WITH(log_takes_the_magnitude, set_up, tear_down)
{
    assert_near(through_sfu(QPU_WR_SFU_LOG, float_bits(-8)), 3);
    for (uint32_t x = 0x00800000; x < 0x7f800000; x += 0x00345679)
        assert_int_equal(through_sfu(QPU_WR_SFU_LOG, x | 0x80000000),
                         through_sfu(QPU_WR_SFU_LOG, x));
}

TEST_WITH(sfu_read_early, set_up, tear_down)
{
    rig->qpu.r[4] = 9 + (lanes){0};
    emit(ldi(QPU_WR_SFU_RECIP, 0x40000000));
    emit(mov(R0, QPU_MUX_R4));
    emit(mov(R1, QPU_MUX_R4));
    emit(mov(R2, QPU_MUX_R4));
    run_finding(FAULT_QPU_SFU_R4, 2);
    assert_all(&rig->qpu.r[0], 9);
    assert_all(&rig->qpu.r[1], 9);
    assert_all(&rig->qpu.r[2], 0x3efffc00);
}

TEST_WITH(sfu_twice, set_up, tear_down)
{
    emit(ldi(QPU_WR_SFU_RECIP, 0x40000000));
    emit(ldi(QPU_WR_SFU_RECIP, 0x40000000));
    run_finding(FAULT_QPU_SFU_R4, 1);
}

/* "Any other instruction that results in r4 being written (that is, TMU read, TLB read, SFU lookup)
 * cannot occur in the two instructions following an SFU lookup." */
TEST_WITH(r4_loaded_behind_the_sfu, set_up, tear_down)
{
    static const unsigned signals[] = {QPU_SIG_LOAD_TMU0, QPU_SIG_LOAD_TMU1, QPU_SIG_COLOUR_LOAD,
                                       QPU_SIG_COVERAGE_LOAD, QPU_SIG_ALPHA_MASK_LOAD};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned between = 0; between < 3; between++) {
            rig->words = 0;
            memset(rig->log.count, 0, sizeof rig->log.count);
            seen.tmu_results = i < 2;
            seen.tmu_next = 0;
            as_fragment(0);
            nop();
            nop();
            emit(ldi(QPU_WR_SFU_RECIP, 0x40000000));
            for (unsigned k = 0; k < between; k++)
                nop();
            emit(signal(signals[i]));
            run_finding(FAULT_QPU_SFU_R4, between < 2);
        }
}

TEST_WITH(read_after_write, set_up, tear_down)
{
    emit(ldi(3, 1));
    nop();
    emit(ldi(3, 2));
    emit(read_a(R0, 3)); /* reads the old value */
    emit(read_a(R1, 3)); /* reads the new value */
    struct qpu_insn to_b = ldi(4, 7);
    to_b.ws = 1;
    emit(to_b);
    emit(read_b(R2, 4)); /* reads the old value */
    emit(read_b(R3, 4));
    run_finding(FAULT_QPU_READ_AFTER_WRITE, 2);
    assert_all(&rig->qpu.r[0], 1);
    assert_all(&rig->qpu.r[1], 2);
    assert_all(&rig->qpu.r[2], 0);
    assert_all(&rig->qpu.r[3], 7);
}

/* Instructions without signals or peripherals take another path through the engine. The rule of
 * read after write is the same. */
TEST_WITH(read_after_plain_write, set_up, tear_down)
{
    emit(ldi(R0, 1));
    emit(mov(3, QPU_MUX_R0));
    emit(ldi(R0, 2));
    emit(mov(3, QPU_MUX_R0));
    emit(read_a(R1, 3));
    emit(read_a(R2, 3));
    run_finding(FAULT_QPU_READ_AFTER_WRITE, 1);
    assert_all(&rig->qpu.r[1], 1);
    assert_all(&rig->qpu.r[2], 2);
    assert_int_equal(rig->place.pc, CODE + 8 * 4);
    assert_int_equal(rig->place.shader, CODE);
    assert_int_equal(rig->place.qpu, 5);
    assert_true(rig->place.known & TESS_PLACE_SHADER);
    struct qpu_insn insn = read_a(R1, 3);
    assert_true(rig->place.instruction == qpu_encode(&insn));
    assert_false(rig->log.place.known & TESS_PLACE_SHADER);
}

TEST_WITH(read_after_write_over_a_branch, set_up, tear_down)
{
    emit(branch(15, false, CODE + 8 * 8));
    nop();
    nop();
    emit(ldi(3, 6)); /* in the last delay slot */
    rig->words = 8;
    emit(read_a(R0, 3));
    run_finding(FAULT_QPU_READ_AFTER_WRITE, 1);
    assert_all(&rig->qpu.r[0], 0);
}

TEST_WITH(branch_register_too_early, set_up, tear_down)
{
    emit(ldi(2, CODE + 8 * 8));
    nop();
    emit(ldi(2, 0x3f0000)); /* the branch does not read this value */
    struct qpu_insn jump = branch(15, false, 0);
    jump.reg = 1;
    jump.raddr_a = 2;
    emit(jump);
    nop();
    nop();
    nop();
    rig->words = 8;
    run_finding(FAULT_QPU_READ_AFTER_WRITE, 1);
    assert_int_equal(rig->qpu.state, QPU_ENDED);
}

/* No finding is reported if the value is not used, or if the used elements are not those just
 * written. */
TEST_WITH(harmless_reads, set_up, tear_down)
{
    emit(ldi(3, 1));
    struct qpu_insn unused = mov(R0, QPU_MUX_R1);
    unused.raddr_a = 3;
    emit(unused);
    flags_around_8();
    emit(if_add(ldi(3, 2), QPU_COND_NS));
    emit(if_add(read_a(R0, 3), QPU_COND_NC));
    run_clean();
    for (unsigned i = 8; i < LANES; i++)
        assert_int_equal(rig->qpu.r[0][i], 1);
}

/* --- accumulator r5, element numbers, nop registers --- */

TEST_WITH(r5_forms, set_up, tear_down)
{
    flags_around_8();
    struct qpu_insn quad = read_a(R5, QPU_RD_ELEMENT_QPU);
    emit(quad); /* ws = 0, file A: element 0 of each quad is copied */
    emit(mov(R0, QPU_MUX_R5));
    struct qpu_insn rep = small(add(R5, QPU_ADD_ADD, QPU_MUX_A, QPU_MUX_B), 3);
    rep.raddr_a = QPU_RD_ELEMENT_QPU;
    rep.ws = 1; /* file B: element 0 is copied to all elements */
    emit(rep);
    emit(mov(R1, QPU_MUX_R5));
    quad = small(add(R5, QPU_ADD_ADD, QPU_MUX_A, QPU_MUX_B), 4);
    quad.raddr_a = QPU_RD_ELEMENT_QPU;
    quad.cond_add = QPU_COND_ZS; /* only element 8 passes, so only quad 2 changes */
    emit(quad);
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(rig->qpu.r[0][i], i & ~3u);
        assert_int_equal(rig->qpu.r[1][i], 3);
        assert_int_equal(rig->qpu.r[5][i], i >> 2 == 2 ? 12 : 3);
    }
}

TEST_WITH(numbers, set_up, tear_down)
{
    emit(read_a(R0, QPU_RD_ELEMENT_QPU));
    emit(read_b(R1, QPU_RD_ELEMENT_QPU));
    emit(read_a(R2, QPU_RD_XY_COORD)); /* the register has patterns outside of fragment shaders */
    emit(read_b(R3, QPU_RD_XY_COORD));
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(rig->qpu.r[0][i], i);
        assert_int_equal(rig->qpu.r[1][i], 5);
        assert_int_equal(rig->qpu.r[2][i], i & 1);
        assert_int_equal(rig->qpu.r[3][i], i >> 1 & 1);
    }
}

/* Reading register 39 returns the port's previous value (vc4asm addendum, "Secret access to
 * previous input values"). The test runs the addendum's examples. */
TEST_WITH(nop_registers, set_up, tear_down)
{
    uniform(0, 50);
    struct qpu_insn read = alu();
    read.raddr_a = QPU_RD_ELEMENT_QPU;
    emit(read);
    emit(read_a(R0, QPU_NOP));
    emit(small(read_a(R1, QPU_RD_UNIFORM), 8)); /* also reads 8 on port B */
    emit(read_a(R2, QPU_NOP));
    emit(read_b(R3, QPU_NOP));
    run_finding(FAULT_QPU_UNDOCUMENTED, 3);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.r[0][i], 12 + (i & 3));
    assert_all(&rig->qpu.r[2], 50);
    assert_all(&rig->qpu.r[3], 8);
}

/* "or.setf -, ra39, ra39" serves as a nop in jetpacapp/qpu-asm and elorimer/rpi-playground. py-
 * videocore releases a mutex with "mov mutex_rel, ra39", and sets flags from ra39. In all of
 * these, the value of ra39 has no effect, so no finding is due. */
TEST_WITH(nop_register_for_nothing, set_up, tear_down)
{
    struct qpu_insn something = alu();
    something.raddr_a = QPU_RD_ELEMENT_QPU;
    emit(something);
    struct qpu_insn nothing = read_a(QPU_NOP, QPU_NOP);
    nothing.sf = 1;
    emit(nothing);
    emit(read_a(R0, QPU_RD_MUTEX));
    nothing.waddr_add = QPU_WR_MUTEX_RELEASE;
    emit(nothing);
    nothing.waddr_add = QPU_WR_HOST_INT;
    emit(nothing);
    emit(something);
    nothing.waddr_add = R1;
    nothing.op_add = QPU_ADD_XOR; /* vc4asm's "mov r1, 0" if no immediate can be used */
    emit(nothing);
    run_clean();
    assert_all(&rig->qpu.r[1], 0);
}

TEST_WITH(plain_reads_stay_on_the_ports, set_up, tear_down)
{
    emit(read_a(3, QPU_RD_ELEMENT_QPU));
    nop();
    emit(read_a(R0, 3)); /* a read without signals */
    emit(read_a(R1, QPU_NOP));
    emit(small(mov(R2, QPU_MUX_B), 6)); /* a small immediate without signals */
    emit(read_b(R2, QPU_NOP));
    run_finding(FAULT_QPU_UNDOCUMENTED, 2);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.r[1][i], 12 + (i & 3));
    assert_all(&rig->qpu.r[2], 6);
}

/* The addendum's example: a mul nop reads the previous mul result of elements 12..15 again. */
TEST_WITH(mul_nop, set_up, tear_down)
{
    emit(read_a(R1, QPU_RD_ELEMENT_QPU));
    emit(ldi_elements(R0, false, 0x66bb5aaa));
    emit(mul(R3, QPU_MUL_V8ADDS, QPU_MUX_R1, QPU_MUX_R0)); /* an ordinary mul */
    emit(mul(R2, QPU_MUL_NOP, QPU_MUX_R0, QPU_MUX_R0));
    run_finding(FAULT_QPU_UNDOCUMENTED, 1);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(rig->qpu.r[2][i], rig->qpu.r[3][12 + (i & 3)]);
}

/* --- both ALUs --- */

TEST_WITH(crossed_operands, set_up, tear_down)
{
    struct qpu_insn swap = mov(R0, QPU_MUX_R1); /* r0 = r1; r1 = r0 */
    swap.op_mul = QPU_MUL_V8MIN;
    swap.mul_a = swap.mul_b = QPU_MUX_R0;
    swap.waddr_mul = R1;
    emit(ldi(R0, 1));
    emit(ldi(R1, 2));
    emit(swap);
    struct qpu_insn from_a = mov(0, QPU_MUX_R1); /* ra0 = r1; r2 = old ra0 */
    from_a.op_mul = QPU_MUL_V8MIN;
    from_a.mul_a = from_a.mul_b = QPU_MUX_A;
    from_a.raddr_a = 0;
    from_a.waddr_mul = R2;
    emit(from_a);
    run_clean();
    assert_all(&rig->qpu.r[0], 2);
    assert_all(&rig->qpu.r[1], 1);
    assert_all(&rig->qpu.ra[0], 1);
    assert_all(&rig->qpu.r[2], 0);
}

TEST_WITH(write_swap, set_up, tear_down)
{
    struct qpu_insn insn = small(mov(6, QPU_MUX_B), 3);
    insn.op_mul = QPU_MUL_MUL24;
    insn.mul_a = insn.mul_b = QPU_MUX_B;
    insn.waddr_mul = 7;
    emit(insn);
    insn.ws = 1;
    insn.waddr_add = 8;
    insn.waddr_mul = 9;
    emit(insn);
    run_clean();
    assert_all(&rig->qpu.ra[6], 3);
    assert_all(&rig->qpu.rb[7], 9);
    assert_all(&rig->qpu.rb[8], 3);
    assert_all(&rig->qpu.ra[9], 9);
}

TEST_WITH(one_target, set_up, tear_down)
{
    struct qpu_insn insn = mov(R3, QPU_MUX_R0);
    insn.op_mul = QPU_MUL_V8MIN;
    insn.mul_a = insn.mul_b = QPU_MUX_R1;
    insn.waddr_mul = R3;
    emit(ldi(R1, 2));
    emit(insn);
    flags_around_8();
    insn.cond_add = QPU_COND_NS; /* opposite conditions are allowed */
    insn.cond_mul = QPU_COND_NC;
    emit(insn);
    run_finding(FAULT_QPU_ONE_TARGET, 1);
}

/* All programs of py-videocore end with mov r0, r0 in both ALUs. Two writes of one value to one
 * target are allowed. */
TEST_WITH(one_target_one_value, set_up, tear_down)
{
    struct qpu_insn insn = mov(R0, QPU_MUX_R0);
    insn.op_mul = QPU_MUL_V8MIN;
    insn.mul_a = insn.mul_b = QPU_MUX_R0;
    insn.waddr_mul = R0;
    emit(ldi(R0, 0x01020304));
    emit(insn);
    run_clean();
    assert_all(&rig->qpu.r[0], 0x01020304);
}

TEST_WITH(reserved_codes, set_up, tear_down)
{
    emit(ldi(R0, 5));
    emit(add(R0, 9, QPU_MUX_R0, QPU_MUX_R0));
    run_finding(FAULT_QPU_RESERVED, 1);
    assert_all(&rig->qpu.r[0], 0);
}

TEST_WITH(reserved_load, set_up, tear_down)
{
    struct qpu_insn insn = ldi(R0, 5);
    insn.form = QPU_FORM_LOAD_RESERVED;
    insn.unpack = 2;
    emit(insn);
    run_finding(FAULT_QPU_RESERVED, 1);
    assert_all(&rig->qpu.r[0], 0);
}

TEST_WITH(reserved_mul_pack, set_up, tear_down)
{
    struct qpu_insn insn = mul(R0, QPU_MUL_FMUL, QPU_MUX_R1, QPU_MUX_R1);
    insn.pm = 1;
    insn.pack = 9;
    emit(insn);
    run_finding(FAULT_QPU_RESERVED, 1);
}

TEST_WITH(reserved_read, set_up, tear_down)
{
    emit(read_a(R0, 33));
    emit(read_b(R1, 60));
    run_finding(FAULT_QPU_RESERVED, 2);
    assert_int_equal(rig->qpu.r[0][7], 7); /* unmapped reads return the element number */
    assert_all(&rig->qpu.r[1], 5);
}

/* --- the end --- */

TEST_WITH(delay_slots_of_the_end, set_up, tear_down)
{
    word(0x300009e7009e7000);
    emit(ldi(R0, 1));
    emit(ldi(R1, 1));
    emit(ldi(R2, 1));
    assert_int_equal(run(), QPU_ENDED);
    assert_all(&rig->qpu.r[0], 1);
    assert_all(&rig->qpu.r[1], 1);
    assert_all(&rig->qpu.r[2], 0);
    assert_int_equal(rig->qpu.instructions, 3);
    assert_int_equal(rig->log.errors, 0);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->qpu.instructions, 3);
}

TEST_WITH(end_rules, set_up, tear_down)
{
    static const struct {
        unsigned at; /* 0: instruction with the end signal; 1, 2: delay slots */
        unsigned raddr_a, waddr;
        bool wrong;
    } rows[] = {
        {0, QPU_NOP, 3, true},  /* writes a register file in the signal's instruction */
        {1, QPU_NOP, 3, false}, /* the same write is allowed after the signal */
        {2, QPU_NOP, 14, true}, /* register 14 is reserved here */
        {1, 14, QPU_NOP, true},
        {0, QPU_RD_UNIFORM, QPU_NOP, true},
        {2, QPU_RD_UNIFORM, QPU_NOP, true},
        {1, QPU_NOP, QPU_WR_VPM, true},
        {1, QPU_NOP, QPU_WR_VPM_SETUP, true},
        {2, QPU_NOP, R0, false},
        {2, QPU_RD_ELEMENT_QPU, R0, false},
        {1, QPU_NOP, QPU_WR_HOST_INT, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig->words = 0;
        memset(rig->log.count, 0, sizeof rig->log.count);
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        for (unsigned at = 0; at < 3; at++) {
            struct qpu_insn insn = alu();
            if (at == rows[i].at) {
                insn = mov(rows[i].waddr, QPU_MUX_R0);
                insn.raddr_a = (uint8_t)rows[i].raddr_a;
            }
            insn.sig = at == 0 ? QPU_SIG_PROGRAM_END : QPU_SIG_NONE;
            emit(insn);
        }
        assert_int_equal(run(), QPU_ENDED);
        assert_int_equal(rig->log.count[FAULT_QPU_END_RULES], rows[i].wrong);
    }
}

TEST_WITH(z_write_at_the_end, set_up, tear_down)
{
    for (unsigned at = 1; at < 3; at++) {
        rig->words = 0;
        memset(rig->log.count, 0, sizeof rig->log.count);
        as_fragment(0);
        word(0x300009e7009e7000);
        if (at == 2)
            nop();
        emit(mov(QPU_WR_TLB_Z, QPU_MUX_R0));
        nop();
        assert_int_equal(run(), QPU_ENDED);
        assert_int_equal(rig->log.count[FAULT_QPU_END_RULES], at == 2);
    }
}

/* Manual section 6: "a fragment shader must finish reading varyings before issuing the Program
 * End instruction". The last instruction before the Program End may still read a varying. */
TEST_WITH(varyings_at_the_end, set_up, tear_down)
{
    for (unsigned at = 0; at < 4; at++) {
        rig->words = 0;
        memset(rig->log.count, 0, sizeof rig->log.count);
        as_fragment(1);
        for (unsigned i = 0; i < 4; i++) {
            struct qpu_insn insn = i == at ? read_a(R0, QPU_RD_VARYING) : alu();
            insn.sig = i == 1 ? QPU_SIG_PROGRAM_END : QPU_SIG_NONE;
            emit(insn);
        }
        assert_int_equal(run(), QPU_ENDED);
        assert_int_equal(rig->log.count[FAULT_QPU_END_RULES], at > 0);
        assert_int_equal(rig->log.count[FAULT_QPU_VARYING_UNREAD], 0);
    }
}

TEST_WITH(left_at_the_end, set_up, tear_down)
{
    emit(ldi(QPU_WR_TMU0_S, 0));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.count[FAULT_TMU_LEFT], 1);
    assert_true(seen.tmu_was_reset);

    rig->words = 0;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, 0);
    emit(ldi(QPU_WR_VPM_SETUP, 2));
    nop();
    emit(read_a(R0, QPU_RD_VPM));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.count[FAULT_VPM_LEFT], 1);
    assert_all(&rig->qpu.r[0], 500);

    rig->words = 0;
    as_fragment(2);
    emit(read_a(R0, QPU_RD_VARYING));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.count[FAULT_QPU_VARYING_UNREAD], 1);
}

/* Points and lines have implicit varyings that the shader record does not count (Mesa,
 * vc4_program.c). If a shader leaves one unread, the finding's rule differs from that for other
 * varyings. */
TEST_WITH(implicit_varyings_left, set_up, tear_down)
{
    as_fragment(2);
    rig->vri.implicit = 2;
    run_finding(FAULT_QPU_VARYING_IMPLICIT, 1);
    rig->words = 0;
    memset(rig->log.count, 0, sizeof rig->log.count);
    as_fragment(3);
    rig->vri.next = 0;
    rig->vri.implicit = 2;
    run_finding(FAULT_QPU_VARYING_UNREAD, 1);
}

TEST_WITH(host_interrupt, set_up, tear_down)
{
    for (unsigned row = 0; row < 4; row++) {
        rig->words = 0;
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        rig->shared.interrupt_latched = 0;
        rig->shared.interrupt_allowed = row != 1;
        rig->shared.interrupt_enabled = row == 2 ? 0xffdf : 0xffff;
        word(0xd00209a7159c1fc0); /* the NV demo, "ori host_int, 1, 1" (0x159c1fc0, 0xd00209a7) */
        if (row == 3) {
            rig->words = 0;
            emit(ldi(QPU_WR_HOST_INT, 0));
        }
        run_clean();
        assert_int_equal(rig->shared.interrupt_latched, row == 0 ? 1 << 5 : 0);
    }
}

TEST_WITH(budget, set_up, tear_down)
{
    for (unsigned i = 0; i < 10; i++)
        emit(small(add(R0, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_B), 1));
    end();
    assert_int_equal(qpu_run(&rig->qpu, &rig->ports, 0), QPU_LIMIT);
    assert_int_equal(qpu_run(&rig->qpu, &rig->ports, 4), QPU_LIMIT);
    assert_all(&rig->qpu.r[0], 4);
    assert_int_equal(qpu_run(&rig->qpu, &rig->ports, UINT64_MAX), QPU_ENDED);
    assert_all(&rig->qpu.r[0], 10);
    assert_int_equal(rig->qpu.instructions, 13);
}

TEST_WITH(bad_addresses, set_up, tear_down)
{
    emit(branch(15, false, 0x00800000));
    nop();
    nop();
    nop();
    run_finding(FAULT_QPU_PC, 1);
    assert_int_equal(rig->qpu.state, QPU_BROKEN);
    assert_int_equal(rig->qpu.pc, 0x00800000);
    assert_int_equal(rig->place.known, TESS_PLACE_SHADER | TESS_PLACE_INSTRUCTION);
    assert_int_equal(rig->place.pc, CODE); /* the finding names the branch */
    assert_int_equal(run(), QPU_BROKEN);

    qpu_start(&rig->qpu, QPU_USER, 5, MEMORY - 8, 0); /* runs past the end of memory */
    store_le64(rig->bus.regions[0].host + MEMORY - 8, QPU_WORD_NOP);
    assert_int_equal(run(), QPU_BROKEN);
    assert_int_equal(rig->qpu.instructions, 1);

    qpu_start(&rig->qpu, QPU_USER, 5, MEMORY - 4, 0);
    assert_int_equal(run(), QPU_BROKEN);
}

TEST_WITH(unaligned_start, set_up, tear_down)
{
    qpu_start(&rig->qpu, QPU_USER, 5, CODE + 4, 0);
    run_finding(FAULT_QPU_PC, 1);
    assert_int_equal(rig->qpu.state, QPU_ENDED);
}

/* Addresses with different alias bits select the same memory. */
TEST_WITH(aliased_code, set_up, tear_down)
{
    qpu_start(&rig->qpu, QPU_USER, 5, 0xc0000000 + CODE, 0xc0000000 + UNIFORMS);
    uniform(0, 3);
    emit(read_a(R0, QPU_RD_UNIFORM));
    run_clean();
    assert_all(&rig->qpu.r[0], 3);
}

TEST_WITH(breakpoint, set_up, tear_down)
{
    struct qpu_insn insn = mov(R0, QPU_MUX_R1);
    insn.sig = QPU_SIG_BREAKPOINT;
    emit(insn);
    run_finding(FAULT_QPU_BREAKPOINT, 1);
    assert_int_equal(rig->qpu.state, QPU_BROKEN);
    assert_int_equal(rig->qpu.pc, CODE);
}

TEST_WITH(thread_switch, set_up, tear_down)
{
    emit(ldi(R0, 1));
    emit(signal(QPU_SIG_THREAD_SWITCH));
    emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
    run_clean();
    assert_all(&rig->qpu.r[0], 1);
}

/* If code changes between two runs, the engine decodes it again. */
TEST_WITH(changed_code, set_up, tear_down)
{
    emit(ldi(R0, 1));
    run_clean();
    rig->words = 0;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    emit(ldi(R0, 2));
    run_clean();
    assert_all(&rig->qpu.r[0], 2);
    rig->ports.cache = NULL;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    assert_int_equal(run(), QPU_ENDED);
    assert_all(&rig->qpu.r[0], 2);
}

/* --- the units around --- */

TEST_WITH(texture_requests, set_up, tear_down)
{
    uniform(0, 0x1000);
    uniform(1, 0x2000);
    uniform(2, 0x3000);
    emit(ldi(QPU_WR_TMU1_S + TMU_T, 7)); /* TMU T: reads a uniform */
    emit(ldi(QPU_WR_TMU1_S, 8));         /* S after T: also reads a uniform */
    emit(ldi(QPU_WR_TMU0_S, 9));         /* S alone: reads no uniform */
    emit(signal(QPU_SIG_LOAD_TMU1));
    emit(mov(R0, QPU_MUX_R4));
    struct qpu_insn load = mov(R1, QPU_MUX_R4); /* r4 changes before the next instruction */
    load.sig = QPU_SIG_LOAD_TMU0;
    emit(load);
    emit(mov(R2, QPU_MUX_R4));
    emit(read_a(R3, QPU_RD_UNIFORM));
    run_clean();
    assert_int_equal(seen.tmu_writes, 3);
    assert_int_equal(seen.parameter[0], 0x1000);
    assert_int_equal(seen.parameter[1], 0x2000);
    assert_int_equal(seen.parameter[2], 0);
    assert_all(&rig->qpu.r[0], 1008);
    assert_all(&rig->qpu.r[1], 1008);
    assert_all(&rig->qpu.r[2], 1009);
    assert_all(&rig->qpu.r[3], 0x3000);
}

/* Manual section 3: "a texture lookup instruction writing to a texture unit must not also be
 * used to fetch a uniform". A lookup that writes only S reads no uniform. */
TEST_WITH(uniform_beside_a_lookup, set_up, tear_down)
{
    for (enum tmu_register reg = TMU_S; reg <= TMU_B; reg++) {
        rig->words = 0;
        memset(rig->log.count, 0, sizeof rig->log.count);
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        emit(read_a(QPU_WR_TMU0_S + reg, QPU_RD_UNIFORM));
        if (reg != TMU_S)
            emit(ldi(QPU_WR_TMU0_S, 0));
        emit(signal(QPU_SIG_LOAD_TMU0));
        run_finding(FAULT_QPU_PERIPHERAL, reg != TMU_S);
    }
}

TEST_WITH(texture_hang, set_up, tear_down)
{
    emit(signal(QPU_SIG_LOAD_TMU0));
    run_finding(FAULT_TMU_EMPTY, 1);
    assert_int_equal(rig->qpu.state, QPU_BROKEN);
}

TEST_WITH(vpm_hang, set_up, tear_down)
{
    emit(read_a(R0, QPU_RD_VPM));
    run_finding(FAULT_VPM_EMPTY, 1);
    assert_int_equal(rig->qpu.state, QPU_BROKEN);
}

TEST_WITH(vpm_registers, set_up, tear_down)
{
    static const struct {
        unsigned address;
        bool file_a;
        const char *what;
    } rows[] = {
        {QPU_WR_VPM_SETUP, true, "read setup"},
        {QPU_WR_VPM_SETUP, false, "write setup"},
        {QPU_WR_VPM_ADDRESS, true, "load"},
        {QPU_WR_VPM_ADDRESS, false, "store"},
        {QPU_WR_VPM, true, "write"},
        {QPU_WR_VPM, false, "write"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig->words = 0;
        rig->port = (struct vpm_port){.now = 0};
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        struct qpu_insn insn = ldi(rows[i].address, rows[i].address == QPU_WR_VPM_SETUP ? 0 : 0x40);
        insn.ws = !rows[i].file_a;
        emit(insn);
        struct qpu_insn wait = read_a(R0, QPU_RD_VPM_BUSY);
        wait.raddr_b = QPU_RD_VPM_WAIT;
        emit(wait);
        run_clean();
        assert_string_equal(seen.vpm_last, rows[i].what);
        /* the busy register is nonzero during a load only */
        assert_all(&rig->qpu.r[0], strcmp(rows[i].what, "load") == 0);
        assert_false(rig->port.store.pending); /* the program has waited */
    }
}

/* Sets r0 to base + element number. */
static void count_from(uint32_t base)
{
    emit(ldi(R1, base));
    emit(read_a(R0, QPU_RD_ELEMENT_QPU));
    emit(add(R0, QPU_ADD_ADD, QPU_MUX_R0, QPU_MUX_R1));
}

/* Manual sections 3 and 7: VPM and DMA setups, DMA addresses and the address of uniforms are
 * taken from element 0. The stencil setup is also taken from element 0, and applies to all
 * elements. */
TEST_WITH(element_0_sets_up, set_up, tear_down)
{
    static const unsigned targets[] = {QPU_WR_VPM_SETUP, QPU_WR_VPM_ADDRESS};
    for (unsigned i = 0; i < 4; i++) {
        rig->words = 0;
        rig->port = (struct vpm_port){.now = 0};
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
        count_from(0xc0000040);
        struct qpu_insn insn = mov(targets[i / 2], QPU_MUX_R0);
        insn.ws = i & 1;
        emit(insn);
        end();
        assert_int_equal(run(), QPU_ENDED);
        assert_int_equal(seen.vpm_word, 0xc0000040);
    }

    rig->words = 0;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
    uniform(5, 55);
    count_from(UNIFORMS + 20);
    emit(mov(QPU_WR_UNIFORM_ADDRESS, QPU_MUX_R0));
    nop();
    nop();
    emit(read_a(R2, QPU_RD_UNIFORM));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_all(&rig->qpu.r[2], 55);

    rig->words = 0;
    as_fragment(0);
    count_from(0x40000000);
    emit(mov(QPU_WR_STENCIL_SETUP, QPU_MUX_R0));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(seen.stencil, 0x40000000);
}

TEST_WITH(vpm_read_on_both_ports, set_up, tear_down)
{
    emit(ldi(QPU_WR_VPM_SETUP, 2));
    struct qpu_insn both = add(R0, QPU_ADD_ADD, QPU_MUX_A, QPU_MUX_B);
    both.raddr_a = both.raddr_b = QPU_RD_VPM;
    emit(both);
    emit(read_b(R1, QPU_RD_VPM));
    run_clean();
    assert_all(&rig->qpu.r[0], 1000);
    assert_all(&rig->qpu.r[1], 501);
}

TEST_WITH(vpm_in_fragment, set_up, tear_down)
{
    as_fragment(0);
    emit(read_a(R0, QPU_RD_VPM));
    emit(ldi(QPU_WR_VPM, 1));
    run_finding(FAULT_QPU_VPM_FRAGMENT, 2);
    assert_all(&rig->qpu.r[0], 0);
    assert_int_equal(rig->qpu.state, QPU_ENDED);
}

TEST_WITH(conditional_lookup, set_up, tear_down)
{
    flags_around_8();
    emit(if_add(mov(QPU_WR_TMU0_S, QPU_MUX_R0), QPU_COND_NS));
    emit(signal(QPU_SIG_LOAD_TMU0));
    run_finding(FAULT_TMU_CONDITION, 1);
    assert_int_equal(seen.tmu_writes, 1);
}

TEST_WITH(varyings, set_up, tear_down)
{
    as_fragment(3);
    rig->qpu.r[5] = 9 + (lanes){0};
    struct qpu_insn insn = add(R0, QPU_ADD_ADD, QPU_MUX_A,
                               QPU_MUX_R5); /* r5 still has its old value */
    insn.raddr_a = QPU_RD_VARYING;
    emit(insn);
    emit(mov(R1, QPU_MUX_R5));
    emit(read_b(R2, QPU_RD_VARYING));
    insn = alu();
    insn.raddr_a = insn.raddr_b = QPU_RD_VARYING;
    emit(insn);
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(rig->qpu.r[0][i], i + 9);
        assert_int_equal(rig->qpu.r[1][i], i >> 2);
        assert_int_equal(rig->qpu.r[2][i], 16 + i);
        assert_int_equal(rig->qpu.r[5][i], 2000 + (i >> 2));
    }
}

TEST_WITH(too_many_varyings, set_up, tear_down)
{
    as_fragment(0);
    emit(read_a(R0, QPU_RD_VARYING));
    run_finding(FAULT_QPU_VARYING_NONE, 1);
    assert_int_equal(rig->qpu.state, QPU_ENDED);
}

TEST_WITH(fragment_registers, set_up, tear_down)
{
    as_fragment(0);
    for (unsigned quad = 0; quad < 4; quad++) {
        rig->fragment.x[quad] = (uint16_t)(100 + 2 * quad);
        rig->fragment.y[quad] = (uint16_t)(200 + 2 * quad);
    }
    for (unsigned i = 0; i < LANES; i++)
        rig->fragment.ms_flags[i] = (uint8_t)(15 - i);
    rig->fragment.rev_flag = 0xf00f;
    emit(read_a(R0, QPU_RD_XY_COORD));
    emit(read_b(R1, QPU_RD_XY_COORD));
    emit(read_a(R2, QPU_RD_MS_REV));
    emit(read_b(R3, QPU_RD_MS_REV));
    struct qpu_insn insn = ldi(QPU_WR_MS_REV,
                               0x1ff); /* writes both: MS_FLAGS from the add ALU, REV_FLAG from
                                          the mul ALU */
    insn.waddr_mul = QPU_WR_MS_REV;
    insn.cond_mul = QPU_COND_ALWAYS;
    emit(insn);
    insn = ldi(QPU_WR_QUAD_XY, 0x51);
    emit(insn);
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(rig->qpu.r[0][i], 100 + 2 * (i >> 2) + (i & 1));
        assert_int_equal(rig->qpu.r[1][i], 200 + 2 * (i >> 2) + (i >> 1 & 1));
        assert_int_equal(rig->qpu.r[2][i], 15 - i);
        assert_int_equal(rig->qpu.r[3][i], 0xf00f >> i & 1);
        assert_int_equal(rig->fragment.ms_flags[i], 15);
    }
    assert_int_equal(rig->fragment.rev_flag, 0xffff);
    assert_int_equal(rig->fragment.x[3], 0x50);
    assert_int_equal(rig->fragment.y[3], 206);
}

/* Manual table 29: X_PIXEL_COORD and Y_PIXEL_COORD have 11 bits. */
TEST_WITH(coordinates_have_eleven_bits, set_up, tear_down)
{
    as_fragment(0);
    for (unsigned quad = 0; quad < 4; quad++) {
        rig->fragment.x[quad] = (uint16_t)(2044 + 2 * quad);
        rig->fragment.y[quad] = (uint16_t)(4096 + 2 * quad);
    }
    emit(read_a(R0, QPU_RD_XY_COORD));
    emit(read_b(R1, QPU_RD_XY_COORD));
    run_clean();
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(rig->qpu.r[0][i], (2044 + 2 * (i >> 2) + (i & 1)) % 2048);
        assert_int_equal(rig->qpu.r[1][i], 2 * (i >> 2) + (i >> 1 & 1));
    }
}

/* Tests every register address from 32 on. Manual table 14 lists the addresses that can be read.
 * Reading register 39 returns no data and is allowed. All addresses can be written. */
TEST_WITH(every_register_address, set_up, tear_down)
{
    static const uint8_t readable[] = {32, 35, 38, 39, 41, 42, 48, 49, 50, 51};
    for (unsigned address = 32; address < 64; address++)
        for (unsigned file = 0; file < 2; file++) {
            rig->words = 0;
            memset(rig->log.count, 0, sizeof rig->log.count);
            rig->shared.mutex_held = false;
            if (address >= 48 && address < 51)
                qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
            else
                as_fragment(1);
            rig->port.reads_left = 1;
            rig->ports.vpm = &rig->vpm;
            rig->ports.vpm_port = &rig->port;
            emit(file ? read_b(R0, address) : read_a(R0, address));
            end();
            assert_int_equal(run(), QPU_ENDED);
            assert_int_equal(rig->log.count[FAULT_QPU_RESERVED],
                             memchr(readable, (int)address, sizeof readable) == NULL);
        }
}

TEST_WITH(not_a_fragment, set_up, tear_down)
{
    static const unsigned reads[] = {QPU_RD_VARYING, QPU_RD_MS_REV};
    static const unsigned writes[] = {QPU_WR_TLB_Z,   QPU_WR_TLB_COLOUR_ALL, QPU_WR_STENCIL_SETUP,
                                      QPU_WR_QUAD_XY, QPU_WR_MS_REV,         QPU_WR_TLB_ALPHA_MASK};
    static const unsigned signals[] = {QPU_SIG_COLOUR_LOAD, QPU_SIG_COVERAGE_LOAD,
                                       QPU_SIG_ALPHA_MASK_LOAD};
    for (unsigned i = 0; i < 11; i++) {
        rig->words = 0;
        memset(rig->log.count, 0, sizeof rig->log.count);
        qpu_start(&rig->qpu, QPU_VERTEX, 5, CODE, UNIFORMS);
        emit(i < 2 ? read_a(R0, reads[i]) : i < 8 ? ldi(writes[i - 2], 0) : signal(signals[i - 8]));
        run_finding(FAULT_QPU_NOT_FRAGMENT, 1);
        assert_int_equal(rig->qpu.state, QPU_BROKEN);
    }
}

TEST_WITH(tile_buffer, set_up, tear_down)
{
    static const struct {
        unsigned address;
        const char *what;
    } rows[] = {{QPU_WR_TLB_Z, "z"},
                {QPU_WR_TLB_COLOUR_MS, "ms"},
                {QPU_WR_TLB_COLOUR_ALL, "all"},
                {QPU_WR_TLB_ALPHA_MASK, "mask"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig->words = 0;
        as_fragment(0);
        flags_around_8();
        emit(if_add(mov(rows[i].address, QPU_MUX_R0), QPU_COND_NS));
        run_clean();
        assert_string_equal(seen.tlb_last, rows[i].what);
        assert_int_equal(seen.tlb_mask, 0x00ff);
        assert_int_equal(seen.tlb_value[3], 0xfffffffb); /* 3 - 8 */
    }
    rig->words = 0;
    as_fragment(0);
    emit(ldi(QPU_WR_STENCIL_SETUP, 0x1234));
    nop();
    struct qpu_insn blend = mov(QPU_WR_TLB_COLOUR_ALL, QPU_MUX_R0); /* one instruction loads and
                                                                       writes colour */
    blend.sig = QPU_SIG_COLOUR_LOAD;
    emit(blend);
    emit(mov(R0, QPU_MUX_R4));
    emit(signal(QPU_SIG_COVERAGE_LOAD));
    emit(mov(R1, QPU_MUX_R4));
    emit(signal(QPU_SIG_ALPHA_MASK_LOAD));
    emit(mov(R2, QPU_MUX_R4));
    emit(signal(QPU_SIG_COLOUR_LOAD_END));
    nop();
    nop();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.errors, 0);
    assert_int_equal(seen.stencil, 0x1234);
    assert_all(&rig->qpu.r[0], 0xc0);
    assert_all(&rig->qpu.r[1], 0xb0);
    assert_all(&rig->qpu.r[2], 0xa0);
    assert_all(&rig->qpu.r[4], 0xc0);
}

TEST_WITH(scoreboard_early, set_up, tear_down)
{
    as_fragment(0);
    nop();
    emit(ldi(QPU_WR_TLB_COLOUR_ALL, 0)); /* the second instruction causes the finding */
    emit(ldi(QPU_WR_TLB_COLOUR_ALL, 0));
    run_finding(FAULT_QPU_SCOREBOARD_EARLY, 1);

    rig->words = 0;
    memset(rig->log.count, 0, sizeof rig->log.count);
    as_fragment(0);
    emit(signal(QPU_SIG_SCOREBOARD_WAIT));
    run_finding(FAULT_QPU_SCOREBOARD_EARLY, 1);

    rig->words = 0;
    memset(rig->log.count, 0, sizeof rig->log.count);
    as_fragment(0);
    nop();
    nop();
    emit(signal(QPU_SIG_SCOREBOARD_WAIT));
    run_clean();
}

TEST_WITH(scoreboard_unlocked, set_up, tear_down)
{
    as_fragment(0);
    nop();
    nop();
    struct qpu_insn insn = mov(QPU_WR_TLB_COLOUR_ALL, QPU_MUX_R0);
    insn.sig = QPU_SIG_SCOREBOARD_UNLOCK; /* allowed if both are in one instruction */
    emit(insn);
    emit(mov(QPU_WR_TLB_COLOUR_ALL, QPU_MUX_R0));
    run_finding(FAULT_QPU_SCOREBOARD_UNLOCKED, 1);
}

TEST_WITH(two_peripherals, set_up, tear_down)
{
    struct qpu_insn insn = ldi(QPU_WR_TMU0_S, 0); /* writes TMU and SFU in one instruction */
    insn.waddr_mul = QPU_WR_SFU_EXP;
    insn.cond_mul = QPU_COND_ALWAYS;
    emit(insn);
    nop();
    nop();
    nop();
    insn = mov(QPU_WR_SFU_EXP, QPU_MUX_R0); /* loads from a TMU and writes the SFU */
    insn.sig = QPU_SIG_LOAD_TMU0;
    emit(insn);
    insn = semaphore(0, false);
    insn.waddr_add = QPU_WR_SFU_EXP;
    nop();
    nop();
    nop();
    emit(insn);
    run_finding(FAULT_QPU_PERIPHERAL, 3);
}

/* Kinds of accesses of which an instruction may contain only one (manual section 3, "Summary of
 * Instruction Restrictions"). */
static const struct {
    unsigned write, read, sig;
    bool colour; /* a colour load may accompany a colour write (section 5, "Access Restrictions") */
} accesses[] = {
    /* clang-format off */
    /* clang-format off */
    {QPU_WR_TMU0_S,         0,            QPU_SIG_NONE,            false},
    {QPU_WR_TMU1_S,         0,            QPU_SIG_NONE,            false},
    {QPU_WR_SFU_RECIP,      0,            QPU_SIG_NONE,            false},
    {QPU_WR_SFU_LOG,        0,            QPU_SIG_NONE,            false},
    {QPU_WR_TLB_Z,          0,            QPU_SIG_NONE,            false},
    {QPU_WR_TLB_COLOUR_MS,  0,            QPU_SIG_NONE,            true},
    {QPU_WR_TLB_COLOUR_ALL, 0,            QPU_SIG_NONE,            true},
    {QPU_WR_TLB_ALPHA_MASK, 0,            QPU_SIG_NONE,            false},
    {0,                     QPU_RD_MUTEX, QPU_SIG_NONE,            false},
    {0,                     0,            QPU_SIG_LOAD_TMU0,       false},
    {0,                     0,            QPU_SIG_LOAD_TMU1,       false},
    {0,                     0,            QPU_SIG_COLOUR_LOAD,     true},
    {0,                     0,            QPU_SIG_COVERAGE_LOAD,   false},
    {0,                     0,            QPU_SIG_ALPHA_MASK_LOAD, false},
    /* clang-format on */
    /* clang-format on */
};
enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

/* Builds an instruction with the two accesses. Returns false if one instruction cannot encode
 * both. */
static bool pair_of_accesses(unsigned first, unsigned second, struct qpu_insn *insn)
{
    *insn = alu();
    insn->sig = (uint8_t)(accesses[first].sig != QPU_SIG_NONE ? accesses[first].sig
                                                              : accesses[second].sig);
    if (accesses[first].read || accesses[second].read)
        insn->raddr_a = QPU_RD_MUTEX;
    if (accesses[first].write) {
        insn->op_add = QPU_ADD_OR;
        insn->waddr_add = (uint8_t)accesses[first].write;
    }
    if (accesses[second].write) {
        insn->op_mul = QPU_MUL_V8MIN;
        insn->waddr_mul = (uint8_t)accesses[second].write;
    }
    return accesses[first].sig == QPU_SIG_NONE || accesses[second].sig == QPU_SIG_NONE;
}

TEST_WITH(peripherals_in_pairs, set_up, tear_down)
{
    for (unsigned first = 0; first < ACCESSES; first++)
        for (unsigned second = first + 1; second < ACCESSES; second++) {
            struct qpu_insn insn;
            if (!pair_of_accesses(first, second, &insn))
                continue;
            rig->words = 0;
            memset(rig->log.count, 0, sizeof rig->log.count);
            rig->shared.mutex_held = false;
            seen.tmu_results = 1;
            seen.tmu_next = 0;
            as_fragment(0);
            nop();
            nop();
            emit(insn);
            nop();
            nop();
            end();
            assert_int_equal(run(), QPU_ENDED);
            bool together = accesses[first].colour && accesses[second].colour &&
                            insn.sig == QPU_SIG_COLOUR_LOAD;
            if (rig->log.count[FAULT_QPU_PERIPHERAL] != !together)
                fail_msg("accesses %u and %u: %u findings", first, second,
                         (unsigned)rig->log.count[FAULT_QPU_PERIPHERAL]);
        }
}

/* Manual section 3: a semaphore instruction must not write to the TLB, a TMU or the SFU. */
TEST_WITH(semaphores_with_peripherals, set_up, tear_down)
{
    for (unsigned i = 0; i < ACCESSES; i++) {
        if (!accesses[i].write)
            continue;
        rig->words = 0;
        memset(rig->log.count, 0, sizeof rig->log.count);
        as_fragment(0);
        nop();
        nop();
        struct qpu_insn insn = semaphore(i, false);
        insn.waddr_add = (uint8_t)accesses[i].write;
        emit(insn);
        nop();
        nop();
        end();
        assert_int_equal(run(), QPU_ENDED);
        assert_int_equal(rig->log.count[FAULT_QPU_PERIPHERAL], 1);
    }
}

/* --- public programs --- */

/* The fragment shader of asurati's triangle (x03/demo/d50.c, 2021), which ran on a Raspberry Pi. */
TEST_WITH(triangle_shader, set_up, tear_down)
{
    static const uint64_t words[] = {
        0x100049e0203e303e, 0x10020827019e7140, 0x100049e1203e303e, 0x10020867019e7340,
        0x100049e2203e303e, 0x100208a7019e7540, 0xe00208e7ff000000, 0xd16049e3209e0007,
        0xd15049e3209e000f, 0xd14049e3209e0017, 0x50020ba7159e76c0, 0xd00209a7159c1fc0,
        0x300009e7009e7000, 0x100009e7009e7000, 0x100009e7009e7000,
    };
    as_fragment(3);
    rig->shared.interrupt_allowed = true;
    rig->shared.interrupt_enabled = 0xffff;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        word(words[i]);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.errors, 0);
    assert_string_equal(seen.tlb_last, "all");
    assert_int_equal(seen.tlb_value[0] >> 24, 0xff);
    assert_int_equal(rig->shared.interrupt_latched, 1 << 5);
}

/* The start of the fragment shader of the "Texturing" post. Its third instruction reads a
 * varying on a port that no ALU uses. This read is past the last varying, and causes no finding
 * because the value is not used. */
TEST_WITH(texture_shader, set_up, tear_down)
{
    static const uint64_t words[] = {
        0x110059e0203e3df7, 0x11024821213e3177, 0x11020e67013e3377,
        0x10020e27159e7000, 0xa00009e7009e7000, 0x10020ba7159e7924,
    };
    as_fragment(2);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        word(words[i]);
    run_clean();
    assert_int_equal(seen.tmu_writes, 2);
    assert_int_equal(rig->qpu.uniform, UNIFORMS + 8);
    assert_string_equal(seen.tlb_last, "all");
}

/* The vertex shader of the "Vertex and Coordinate Shaders" post: VPM read setup, three reads, write
 * setup, three writes, scoreboard unlock (harmless here), end. */
TEST_WITH(vertex_shader, set_up, tear_down)
{
    static const uint64_t words[] = {
        0xe0020c671a341ac0, QPU_WORD_NOP,       QPU_WORD_NOP,       QPU_WORD_NOP,
        0x1002002715c27df7, 0x1002006715c27df7, 0x100200a715c27df7, 0xe0021c6717bc1ac0,
        0x10020c2715027df7, 0x10020c2715067df7, 0x10020c27150a7df7, 0x500009e7009e7000,
        0x300009e7009e7000, QPU_WORD_NOP,       QPU_WORD_NOP,
    };
    qpu_start(&rig->qpu, QPU_VERTEX, 5, CODE, 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        word(words[i]);
    assert_int_equal(qpu_run(&rig->qpu, &rig->ports, 4), QPU_LIMIT);
    assert_int_equal(seen.vpm_word, 0x1a341ac0);
    rig->port.reads_left = 3;
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(rig->log.errors, 0);
    assert_all(&rig->qpu.ra[2], 502);
    assert_all(&seen.vpm_value, 502);
}

/* --- the sanitizer: each rule with a program that breaks it and a program that just follows it
 * --- */

static void watch(void)
{
    rig->ports.sanitize = true;
    memset(rig->log.count, 0, sizeof rig->log.count);
    rig->words = 0;
    qpu_start(&rig->qpu, QPU_USER, 5, CODE, UNIFORMS);
}

TEST_WITH(uninitialised, set_up, tear_down)
{
    watch();
    emit(read_a(R0, 3));
    nop();
    emit(read_a(R1, 3)); /* a second read is not reported */
    run_finding(FAULT_QPU_UNINITIALISED, 1);
    watch();
    emit(mov(R1, QPU_MUX_R2));
    run_finding(FAULT_QPU_UNINITIALISED, 1);
    watch();
    emit(add(R0, QPU_ADD_XOR, QPU_MUX_R0, QPU_MUX_R0));
    emit(mov(3, QPU_MUX_R0));
    nop();
    emit(read_a(R1, 3));
    run_clean();
}

/* The sanitizer tracks each element of a register separately. */
TEST_WITH(uninitialised_elements, set_up, tear_down)
{
    for (unsigned all = 0; all < 2; all++) {
        watch();
        struct qpu_insn part = read_a(R0, QPU_RD_ELEMENT_QPU);
        part.sf = 1;
        part.waddr_add = QPU_NOP;
        emit(part);
        part = ldi(R1, 1);
        part.cond_add = QPU_COND_ZS;
        emit(part);
        part.cond_add = QPU_COND_ZC;
        if (all)
            emit(part);
        emit(mov(R2, QPU_MUX_R1));
        if (all)
            run_clean();
        else
            run_finding(FAULT_QPU_UNINITIALISED, 1);
    }
}

/* In fragment shaders, register 15 of the files holds W and Z at the start. */
TEST_WITH(fragment_payload, set_up, tear_down)
{
    for (unsigned file = 0; file < 2; file++) {
        as_fragment(0);
        rig->ports.sanitize = true;
        rig->words = 0;
        emit(file ? read_b(R0, 15) : read_a(R0, 15));
        run_clean();
    }
    as_fragment(0);
    rig->words = 0;
    emit(read_a(R0, 14));
    nop();
    nop();
    run_finding(FAULT_QPU_UNINITIALISED, 1);
}

TEST_WITH(flags_unset, set_up, tear_down)
{
    for (unsigned set = 0; set < 2; set++) {
        watch();
        struct qpu_insn insn = ldi(R0, 1);
        insn.sf = set & 1;
        emit(insn);
        insn = mov(R1, QPU_MUX_R0);
        insn.cond_add = QPU_COND_ZS;
        emit(insn);
        if (set)
            run_clean();
        else
            run_finding(FAULT_QPU_FLAGS_UNSET, 1);
    }
    watch();
    emit(branch(0, true, 0));
    for (unsigned i = 0; i < 3; i++)
        nop();
    run_finding(FAULT_QPU_FLAGS_UNSET, 1);
}

/* Accumulators keep their values in the two delay slots of a thread switch, and lose them after. */
TEST_WITH(lost_in_switch, set_up, tear_down)
{
    for (unsigned slots = 1; slots < 3; slots++) {
        watch();
        emit(ldi(R0, 1));
        emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
        for (unsigned i = 0; i < slots; i++)
            nop();
        emit(mov(1, QPU_MUX_R0));
        if (slots == 1)
            run_clean();
        else
            run_finding(FAULT_QPU_SWITCH_LOST, 1);
    }
}

TEST_WITH(r4_overwritten, set_up, tear_down)
{
    for (unsigned used = 0; used < 2; used++) {
        watch();
        seen.tmu_results = 2;
        seen.tmu_next = 0;
        emit(signal(QPU_SIG_LOAD_TMU0));
        struct qpu_insn insn = mov(R0, QPU_MUX_R4);
        if (used)
            emit(insn);
        emit(signal(QPU_SIG_LOAD_TMU0));
        emit(insn);
        if (used)
            run_clean();
        else
            run_finding(FAULT_QPU_R4_LOST, 1);
    }
}

/* mul24 operands must be 24-bit numbers: 0x00ffffff and -1 are, and 0x01000000 is not. */
TEST_WITH(mul24_overflow, set_up, tear_down)
{
    static const uint32_t values[] = {0x00ffffff, 0xffffffff, 0xff800000, 0x01000000, 0xff7fffff};
    for (unsigned i = 0; i < 5; i++) {
        watch();
        emit(ldi(R0, values[i]));
        emit(ldi(R1, 3));
        emit(mul(R2, QPU_MUL_MUL24, QPU_MUX_R0, QPU_MUX_R1));
        if (i < 3)
            run_clean();
        else
            run_finding(FAULT_QPU_MUL24, 1);
    }
}

/* The rule of mul24 also applies to operands that are not registers. */
TEST_WITH(mul24_of_other_operands, set_up, tear_down)
{
    for (unsigned wide = 0; wide < 2; wide++) {
        watch();
        uniform(0, wide ? 0x01000000 : 0x00ffffff);
        emit(ldi(R0, 3));
        struct qpu_insn insn = mul(R2, QPU_MUL_MUL24, QPU_MUX_R0, QPU_MUX_A);
        insn.raddr_a = QPU_RD_UNIFORM;
        emit(insn);
        if (wide)
            run_finding(FAULT_QPU_MUL24, 1);
        else
            run_clean();
    }
}

TEST_WITH(uniform_count, set_up, tear_down)
{
    for (unsigned known = 0; known < 4; known++) {
        watch();
        rig->qpu.shadow.uniforms = known;
        emit(read_a(R0, QPU_RD_UNIFORM));
        emit(read_a(R1, QPU_RD_UNIFORM));
        if (known == 1)
            run_finding(FAULT_QPU_UNIFORM_COUNT, 1);
        else
            run_clean();
    }
}

TEST_WITH(scoreboard_order, set_up, tear_down)
{
    for (unsigned kind = 0; kind < 3; kind++) {
        watch();
        as_fragment(0);
        nop();
        nop();
        if (kind != 0)
            emit(signal(QPU_SIG_SCOREBOARD_WAIT));
        emit(signal(QPU_SIG_SCOREBOARD_UNLOCK));
        if (kind == 2)
            emit(signal(QPU_SIG_SCOREBOARD_UNLOCK));
        if (kind == 1)
            run_clean();
        else
            run_finding(FAULT_QPU_SCOREBOARD_ORDER, 1);
    }
}

TEST_WITH(switch_order, set_up, tear_down)
{
    for (unsigned slots = 1; slots < 3; slots++) {
        watch();
        emit(signal(QPU_SIG_THREAD_SWITCH));
        for (unsigned i = 0; i < slots; i++)
            nop();
        emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
        if (slots == 1)
            run_finding(FAULT_QPU_SWITCH, 1);
        else
            run_clean();
    }
    watch();
    as_fragment(0);
    nop();
    nop();
    emit(signal(QPU_SIG_SCOREBOARD_WAIT));
    emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
    run_finding(FAULT_QPU_SWITCH, 1);
}

/* Manual section 3, Thread Control: no thread switch may follow the final switch. */
TEST_WITH(last_switch, set_up, tear_down)
{
    watch();
    emit(signal(QPU_SIG_THREAD_SWITCH));
    nop();
    nop();
    run_finding(FAULT_QPU_SWITCH_NO_LAST, 1);
    watch();
    emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
    nop();
    nop();
    emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
    run_finding(FAULT_QPU_SWITCH, 1);
}

/* Manual section 4: a thread may use half of a TMU's slots. Each memory lookup uses one slot. */
TEST_WITH(queues_at_a_switch, set_up, tear_down)
{
    for (unsigned requests = 4; requests < 6; requests++)
        for (unsigned reads = 0; reads < 2; reads++) {
            watch();
            for (unsigned i = 0; i < requests; i++)
                emit(ldi(QPU_WR_TMU0_S, UNIFORMS));
            emit(signal(QPU_SIG_LAST_THREAD_SWITCH));
            nop();
            emit(signal(reads ? QPU_SIG_LOAD_TMU0 : QPU_SIG_NONE)); /* executed before the switch
                                                                       takes effect */
            if (reads)
                emit(mov(QPU_NOP, QPU_MUX_R4));
            for (unsigned i = reads; i < requests; i++) {
                emit(signal(QPU_SIG_LOAD_TMU0));
                emit(mov(QPU_NOP, QPU_MUX_R4));
            }
            end();
            run();
            assert_int_equal(rig->log.count[FAULT_TMU_HALF], requests == 5 && !reads);
        }
}

TEST_WITH(distances, set_up, tear_down)
{
    for (unsigned between = 0; between < 4; between++) {
        watch();
        emit(ldi(QPU_WR_TMU_NOSWAP, 1));
        for (unsigned i = 0; i < between; i++)
            nop();
        emit(ldi(QPU_WR_TMU0_S, UNIFORMS));
        emit(signal(QPU_SIG_LOAD_TMU0));
        if (between < 2)
            run_finding(FAULT_QPU_NOSWAP, 1);
        else
            run_clean();
    }
}

TEST_WITH(ms_flags_early, set_up, tear_down)
{
    for (unsigned between = 1; between < 3; between++) {
        watch();
        as_fragment(0);
        nop();
        nop();
        emit(signal(QPU_SIG_SCOREBOARD_WAIT));
        emit(read_b(QPU_WR_TLB_Z, 15));
        for (unsigned i = 0; i < between; i++)
            nop();
        emit(read_a(R0, QPU_RD_MS_REV));
        if (between == 1)
            run_finding(FAULT_QPU_MS_FLAGS, 1);
        else
            run_clean();
        rig->ports.fragment = NULL;
    }
}

/* Erratum HW-2806: Broadcom's driver (glsl_allocator_4.c) writes no Z in the last four
 * instructions: the instruction before the program end signal, the instruction with the signal,
 * and its two delay slots. In the last of the four a write of Z is an error (manual section 3). */
TEST_WITH(late_z, set_up, tear_down)
{
    enum { END_AT = 2, LAST = 4 };
    for (unsigned z_at = 0; z_at <= LAST; z_at++) {
        watch();
        as_fragment(0);
        nop();
        nop();
        emit(signal(QPU_SIG_SCOREBOARD_WAIT));
        for (unsigned i = 0; i <= LAST; i++) {
            struct qpu_insn insn = i == z_at ? read_b(QPU_WR_TLB_Z, 15) : signal(QPU_SIG_NONE);
            insn.sig = i == END_AT ? QPU_SIG_PROGRAM_END : QPU_SIG_NONE;
            emit(insn);
        }
        if (z_at == 0)
            run_clean();
        else
            run_finding(z_at == LAST ? FAULT_QPU_END_RULES : FAULT_QPU_LATE_Z, 1);
        rig->ports.fragment = NULL;
    }
}

/* --- time: expected values are worked out by hand from the sources that timing.h names --- */

static uint64_t stalled(enum qpu_stall cause)
{
    return qpu_cycles(&rig->qpu).stall[cause];
}

TEST_WITH(clocks_of_instructions, set_up, tear_down)
{
    rig->ports.slices = NULL;
    for (unsigned i = 0; i < 10; i++)
        nop();
    run_clean();
    assert_int_equal(qpu_cycles(&rig->qpu).issue, 13 * 4);
    assert_int_equal(qpu_clock(&rig->qpu), 13 * 4);
}

/* 20 instructions lie in three cache lines. The second run finds them in the cache of the same
 * slice. */
TEST_WITH(instruction_misses, set_up, tear_down)
{
    for (unsigned i = 0; i < 17; i++)
        nop();
    run_clean();
    struct qpu_cycles first = qpu_cycles(&rig->qpu);
    assert_int_equal(first.instruction_misses, 3);
    assert_int_equal(first.instruction_hits, 17);
    assert_int_equal(stalled(QPU_STALL_INSTRUCTION), 3 * 44);
    qpu_start(&rig->qpu, QPU_USER, 6, CODE, 0);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(stalled(QPU_STALL_INSTRUCTION), 0);
    qpu_start(&rig->qpu, QPU_USER, 8, CODE, 0); /* in another slice: fetched through the level 2
                                                   cache */
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(stalled(QPU_STALL_INSTRUCTION), 3 * 12);
    rig->slices.l2_disabled = true;
    qpu_start(&rig->qpu, QPU_USER, 0, CODE, 0);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(stalled(QPU_STALL_INSTRUCTION), 3 * 44);
}

TEST_WITH(uniform_misses, set_up, tear_down)
{
    for (unsigned i = 0; i < 17; i++)
        emit(read_a(R0, QPU_RD_UNIFORM));
    run_clean();
    assert_int_equal(qpu_cycles(&rig->qpu).uniform_misses, 2);
    assert_int_equal(qpu_cycles(&rig->qpu).uniform_hits, 15);
    assert_int_equal(stalled(QPU_STALL_UNIFORM), 2 * 44);
}

/* A read waits until 16 clocks after the setup. The setup is the fourth instruction. */
TEST_WITH(vpm_read_stalls, set_up, tear_down)
{
    for (unsigned between = 0; between < 4; between++) {
        rig->words = 0;
        rig->ports.slices = NULL;
        qpu_start(&rig->qpu, QPU_USER, 5, CODE, 0);
        emit(ldi(QPU_WR_VPM_SETUP, 1)); /* the setup of one vector, see vpm_read_setup() above */
        for (unsigned i = 0; i < between; i++)
            nop();
        emit(read_a(R0, QPU_RD_VPM));
        end();
        rig->log.errors = 0;
        assert_int_equal(run(), QPU_ENDED);
        assert_int_equal(stalled(QPU_STALL_VPM), 12 - 4 * between);
    }
}

/* A write takes six clocks per vector, see vpm_write() above. */
TEST_WITH(vpm_write_stalls, set_up, tear_down)
{
    rig->ports.cache = NULL;
    emit(ldi(QPU_WR_VPM, 1));
    emit(ldi(QPU_WR_VPM, 1));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(stalled(QPU_STALL_VPM), 12);
}

TEST_WITH(dma_stalls, set_up, tear_down)
{
    rig->ports.slices = NULL;
    rig->port.store.ready = 11;
    struct qpu_insn store = ldi(QPU_WR_VPM_ADDRESS, 0x4000);
    store.ws = 1;
    emit(store);
    emit(read_b(R0, QPU_RD_VPM_WAIT));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(stalled(QPU_STALL_VPM), 11);
}

/* The result is ready nine instructions after the request. A second request at the same time is
 * ready later. */
TEST_WITH(tmu_stalls, set_up, tear_down)
{
    static struct tmu tmu;
    struct qpu *qpu = &rig->qpu;
    struct qpu_ports ports = {.tmu = &tmu};
    struct qpu_run run = {.qpu = qpu, .ports = &ports};
    tmu.last = (struct tmu_cost){.misses = 0};
    qpu_tmu_request(&run, 0, 1);
    tmu.last = (struct tmu_cost){.misses = 1, .l2_misses = 1};
    qpu_tmu_request(&run, 0, 1);
    qpu->instructions = 3;
    qpu_tmu_result(&run, 0);
    assert_int_equal(stalled(QPU_STALL_TMU), 36 - 12);
    qpu_tmu_result(&run, 0);
    assert_int_equal(qpu_clock(qpu), 16 + 80);
    qpu_tmu_request(&run, 0, 1);
    qpu_thread_switch(&run);
    qpu_tmu_result(&run, 0);
    assert_int_equal(qpu_clock(qpu), 16 + 80);
}

/* A waiting QPU continues at the clock at which the other QPU changes the semaphore. */
TEST_WITH(wait_stalls, set_up, tear_down)
{
    static struct qpu other;
    rig->ports.slices = NULL;
    emit(semaphore(2, true));
    end();
    assert_int_equal(run(), QPU_WAITING);
    uint32_t second = CODE + 8 * rig->words;
    for (unsigned i = 0; i < 9; i++)
        nop();
    emit(semaphore(2, false));
    end();
    qpu_start(&other, QPU_USER, 1, second, 0);
    assert_int_equal(qpu_run(&other, &rig->ports, 100), QPU_ENDED);
    assert_int_equal(run(), QPU_ENDED);
    assert_int_equal(stalled(QPU_STALL_WAIT), 36);
}

TEST_WITH(events, set_up, tear_down)
{
    struct pctr_counts counts = {.clocks = 0};
    rig->ports.counts = &counts;
    as_fragment(1);
    struct qpu_insn read = read_a(R0, QPU_RD_VARYING);
    emit(read);
    run_clean();
    assert_int_equal(counts.of[PCTR_QPU_VALID], 4 * 4);
    assert_int_equal(counts.of[PCTR_QPU_INSTRUCTION_MISSES], 1);
    assert_int_equal(counts.of[PCTR_QPU_INSTRUCTION_HITS], 3);
    assert_int_equal(counts.of[PCTR_QPU_FRAGMENT], qpu_clock(&rig->qpu));
    assert_int_equal(counts.of[PCTR_QPU_VERTEX], 0);
}

/* --- the two paths through the engine, and random programs --- */

static uint64_t random_state = 88172645463325252u;

static uint64_t random_word(void)
{
    return next_random64(&random_state);
}

static void fill(struct qpu *qpu)
{
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned r = 0; r < 32; r++) {
            qpu->ra[r][i] = (uint32_t)random_word();
            qpu->rb[r][i] = (uint32_t)random_word();
        }
        for (unsigned r = 0; r < 6; r++)
            qpu->r[r][i] = (uint32_t)random_word();
    }
}

/* Returns a random instruction. Most of its fields are chosen so that the instruction can be
 * part of a block. */
static struct qpu_insn random_simple(void)
{
    static const uint8_t targets[] = {0,  1,  2,       31,      R0,      R1,      R2, R3,
                                      R5, 52, QPU_NOP, QPU_NOP, QPU_NOP, QPU_NOP, 40, 55};
    static const uint8_t sources[] = {0, 1, 2, 31, 32, 38, QPU_NOP, QPU_NOP};
    uint64_t bits = random_word(), more = random_word();
    struct qpu_insn insn = qpu_decode(random_word());
    insn.form = bits & 1 ? QPU_FORM_ALU : QPU_FORM_ALU_IMMEDIATE;
    if ((bits >> 1 & 7) == 0)
        insn.form = (enum qpu_form)(QPU_FORM_LOAD_32 + (bits >> 4) % 3);
    bool load = insn.form >= QPU_FORM_LOAD_32, small = insn.form == QPU_FORM_ALU_IMMEDIATE;
    insn.sig = load ? QPU_SIG_LOAD_IMMEDIATE : small ? QPU_SIG_SMALL_IMMEDIATE : QPU_SIG_NONE;
    insn.op_add = (uint8_t)(bits >> 8 & 31);
    insn.op_mul = (uint8_t)(bits >> 13 & 7);
    insn.add_a = (uint8_t)(bits >> 16 & 7);
    insn.add_b = (uint8_t)(bits >> 19 & 7);
    insn.mul_a = (uint8_t)(bits >> 22 & 7);
    insn.mul_b = (uint8_t)(bits >> 25 & 7);
    insn.raddr_a = sources[bits >> 28 & 7];
    insn.raddr_b = small ? (uint8_t)(bits >> 31 & 63) : sources[bits >> 31 & 7];
    insn.waddr_add = targets[bits >> 40 & 15];
    insn.waddr_mul = targets[bits >> 44 & 15];
    insn.ws = bits >> 48 & 1;
    insn.cond_add = more & 1 ? QPU_COND_ALWAYS : (uint8_t)(more >> 1 & 7);
    insn.cond_mul = more & 16 ? QPU_COND_ALWAYS : (uint8_t)(more >> 5 & 7);
    insn.sf = (more >> 8 & 3) == 0;
    insn.pm = more >> 10 & 1;
    insn.pack = more >> 11 & 1 ? 0 : (uint8_t)(more >> 12 & 15);
    insn.unpack = more >> 16 & 1 ? 0 : (uint8_t)(more >> 17 & 7);
    if (!alu_add_ops[insn.op_add].element)
        insn.op_add = QPU_ADD_FADD;
    if (load || (insn.pm && !qpu_mul_pack_defined(insn.pack)))
        insn.pack = 0;
    insn.immediate = (uint32_t)random_word();
    if (load)
        insn.unpack = insn.form == QPU_FORM_LOAD_32 ? 0 : insn.form == QPU_FORM_LOAD_SIGNED ? 1 : 3;
    return insn;
}

/* Returns a random plain instruction, semaphore instruction, or access to the mutex. */
static struct qpu_insn random_step(void)
{
    uint64_t bits = random_word();
    switch (bits & 31) {
    case 0: return semaphore((unsigned)(bits >> 8 & 1), bits >> 9 & 1);
    case 1: return read_a(R0, QPU_RD_MUTEX);
    case 2: return mov(QPU_WR_MUTEX_RELEASE, QPU_MUX_R0);
    default: return random_simple();
    }
}

/* Returns a random branch. Every second branch saves the return address. */
static struct qpu_insn random_branch(void)
{
    uint64_t bits = random_word();
    struct qpu_insn insn = branch((unsigned)(bits % 12), true, 64);
    if (bits >> 8 & 1)
        *(bits >> 9 & 1 ? &insn.waddr_add : &insn.waddr_mul) = (uint8_t)(bits >> 10 & 31);
    return insn;
}

static void assert_same_register(const lanes *one, const lanes *other)
{
    assert_memory_equal(one, other, sizeof *one);
}

/* Compares all state of two QPUs that a program can observe. */
static void assert_same_state(const struct qpu *one, const struct qpu *other)
{
    assert_int_equal(one->state, other->state);
    assert_int_equal(one->pc, other->pc);
    assert_int_equal(one->instructions, other->instructions);
    assert_memory_equal(&one->times, &other->times, sizeof other->times);
    assert_memory_equal(one->ra, other->ra, sizeof other->ra);
    assert_memory_equal(one->rb, other->rb, sizeof other->rb);
    assert_memory_equal(one->r, other->r, sizeof other->r);
    assert_int_equal(one->n, other->n);
    assert_int_equal(one->z, other->z);
    assert_int_equal(one->c, other->c);
    assert_int_equal(one->uniform, other->uniform);
    assert_int_equal(one->uniform_delay, other->uniform_delay);
    assert_int_equal(one->sfu_delay, other->sfu_delay);
    if (one->sfu_delay)
        assert_same_register(&one->sfu_result, &other->sfu_result);
    assert_memory_equal(one->last_a, other->last_a, sizeof other->last_a);
    assert_memory_equal(one->last_b, other->last_b, sizeof other->last_b);
    assert_memory_equal(one->last_mul, other->last_mul, sizeof other->last_mul);
    assert_int_equal(one->wrote.a, other->wrote.a);
    assert_int_equal(one->wrote.b, other->wrote.b);
    assert_int_equal(one->wrote.accumulators, other->wrote.accumulators);
    assert_int_equal(one->wrote.accumulator_lanes, other->wrote.accumulator_lanes);
    if (one->wrote.a != QPU_NO_REGISTER)
        assert_same_register(&one->old_a, &other->old_a);
    if (one->wrote.b != QPU_NO_REGISTER)
        assert_same_register(&one->old_b, &other->old_b);
}

static uint64_t findings(void)
{
    uint64_t all = 0;
    for (unsigned rule = 0; rule < FAULT_RULES; rule++)
        all += rig->log.count[rule];
    return all;
}

static void assert_same_counts(const struct instruction_profile *one,
                               const struct instruction_profile *other)
{
    size_t count, expected;
    struct tess_vc4_hot *rows = instruction_profile_rows(one, &count),
                        *others = instruction_profile_rows(other, &expected);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].address, others[i].address);
        assert_int_equal(rows[i].word, others[i].word);
        assert_int_equal(rows[i].executed, others[i].executed);
        assert_memory_equal(rows[i].stalls, others[i].stalls, sizeof rows[i].stalls);
    }
    free(rows);
    free(others);
}

/* Runs random programs, with floats that are close to each other and with extreme floats.
 * Execution in blocks, in blocks of portable operations, and instruction by instruction must
 * leave the same state and the same findings. */
TEST_WITH(paths_agree, set_up, tear_down)
{
    enum { PROGRAM = 12 };
    struct qpu_ports stepping = rig->ports;
    struct instruction_profile counts[3] = {{0}};
    struct shared_units *fresh = malloc(sizeof *fresh);
    *fresh = rig->slices;
    stepping.cache = NULL;
    stepping.insn_profile = &counts[2];
    fill(&rig->qpu);
    uint64_t in_blocks = 0;
    for (unsigned round = 0; round < 6000; round++) {
        rig->words = 0;
        for (unsigned i = 0; i < PROGRAM; i++)
            emit(random_step());
        if (round % 3 == 0)
            emit(random_branch());
        for (unsigned i = 0; i < 3; i++)
            emit(random_step());
        uint64_t budget = random_word() % (PROGRAM + 6);
        struct qpu *one = &rig->qpu, before, other;
        one->state = QPU_RUNNING;
        one->pc = CODE;
        one->uniform = UNIFORMS;
        one->branch_delay = one->branch_recent = one->end_delay = 0;
        before = other = *one;
        rig->shared.semaphore[0] = 1;
        rig->shared.semaphore[1] = QPU_SEMAPHORE_MAX;
        rig->shared.mutex_held = round % 5 == 0;
        const struct qpu_shared shared = rig->shared;
        uint64_t start = findings();
        rig->slices = *fresh;
        qpu_run(&other, &stepping, budget);
        uint64_t stepped = findings();
        const struct qpu_shared left = rig->shared;
        for (unsigned kind = 0; kind < 2; kind++) {
            *one = before;
            rig->shared = shared;
            memset(&rig->cache, 0, sizeof rig->cache);
            rig->cache.blocks.portable = kind;
            rig->ports.insn_profile = &counts[kind];
            rig->slices = *fresh;
            qpu_run(one, &rig->ports, budget);
            rig->ports.insn_profile = NULL;
            assert_memory_equal(&rig->shared, &left, sizeof left);
            assert_same_state(one, &other);
            for (unsigned i = 0; i < QPU_BLOCKS; i++)
                in_blocks += rig->cache.blocks.block[i].count;
        }
        assert_int_equal(findings() - stepped, 2 * (stepped - start));
    }
    assert_true(in_blocks > 20000);
    assert_same_counts(&counts[0], &counts[2]);
    assert_same_counts(&counts[1], &counts[2]);
    for (unsigned i = 0; i < 3; i++)
        instruction_profile_free(&counts[i]);
    free(fresh);
}

/* The engine runs random words. It must stop within its budget, and report findings instead of
 * crashing. */
TEST_WITH(random_programs, set_up, tear_down)
{
    for (unsigned round = 0; round < 3000; round++) {
        rig->words = 0;
        for (unsigned i = 0; i < 64; i++)
            word(random_word());
        if (round & 1)
            as_fragment(3);
        else
            qpu_start(&rig->qpu, QPU_USER, (uint32_t)(round % QPU_COUNT), CODE, UNIFORMS);
        fill(&rig->qpu);
        memset(rig->shared.semaphore, (int)(round % 16), sizeof rig->shared.semaphore);
        rig->shared.mutex_held = false;
        seen.tmu_results = 4;
        seen.tmu_next = 0;
        for (unsigned at = 0; at < 64; at++) { /* continues after each finding that stops the
                                                  program */
            qpu_run(&rig->qpu, &rig->ports, 100);
            rig->qpu.state = QPU_RUNNING;
            rig->qpu.pc = CODE + 8 * at;
        }
    }
}

static volatile float one = 1.0f, three = 3.0f;
static float third_in_sink;

static void divide_in_sink(void *user, const struct tess_finding *diag)
{
    (void)user, (void)diag;
    third_in_sink = one / three;
}

/* The engine must keep the floating-point environment that the embedding program has set, also
 * during callbacks. */
TEST_WITH(host_float_mode, set_up, tear_down)
{
    float before = one / three;
    rig->log.sink = (struct tess_sink){divide_in_sink, NULL};
    emit(add(R0, 9, QPU_MUX_R0, QPU_MUX_R0)); /* a reserved operation, which causes a finding */
    emit(ldi(R1, 0x3f800000));
    emit(ldi(R2, 0xb0000000)); /* after the callback the QPU still truncates: 1 - 2^-31 is below
                                  1 */
    emit(add(R3, QPU_ADD_FADD, QPU_MUX_R1, QPU_MUX_R2));
    end();
    assert_int_equal(run(), QPU_ENDED);
    assert_true(third_in_sink == before);
    assert_true(one / three == before);
    assert_all(&rig->qpu.r[3], 0x3f7fffff);
}
