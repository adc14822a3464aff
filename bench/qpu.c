/* SPDX-License-Identifier: MIT */
/* qpu.c - measures the QPU engine in millions of instructions per second on one core, for three
 * loops. The programs are encoded without the assembler, so that only the engine and its memory are
 * needed. The argument "portable" disables AVX2 on hosts that have it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"
#include "vc4/qpu/qpu.h"

enum { CODE = 0x1000, UNIFORMS = 0x8000, MEMORY = 0x10000, RUN = 20000000 };

struct program {
    uint8_t *at;
    uint32_t words;
};

static void emit(struct program *program, struct qpu_insn insn)
{
    store_le64(program->at + 8 * program->words++, qpu_encode(&insn));
}

/* Returns an ALU instruction without operations. */
static struct qpu_insn alu(void)
{
    return (struct qpu_insn){.form = QPU_FORM_ALU,
                             .sig = QPU_SIG_NONE,
                             .raddr_a = QPU_NOP,
                             .raddr_b = QPU_NOP,
                             .waddr_add = QPU_NOP,
                             .waddr_mul = QPU_NOP,
                             .cond_add = QPU_COND_ALWAYS,
                             .cond_mul = QPU_COND_ALWAYS};
}

static struct qpu_insn both(unsigned add_op, unsigned add_to, unsigned add_a, unsigned add_b,
                            unsigned mul_op, unsigned mul_to, unsigned mul_a, unsigned mul_b)
{
    struct qpu_insn insn = alu();
    insn.op_add = (uint8_t)add_op;
    insn.waddr_add = (uint8_t)add_to;
    insn.add_a = (uint8_t)add_a;
    insn.add_b = (uint8_t)add_b;
    insn.op_mul = (uint8_t)mul_op;
    insn.waddr_mul = (uint8_t)mul_to;
    insn.mul_a = (uint8_t)mul_a;
    insn.mul_b = (uint8_t)mul_b;
    return insn;
}

static void load(struct program *program, unsigned to, uint32_t value)
{
    struct qpu_insn insn = {.form = QPU_FORM_LOAD_32,
                            .sig = QPU_SIG_LOAD_IMMEDIATE,
                            .cond_add = QPU_COND_ALWAYS,
                            .waddr_add = (uint8_t)to,
                            .waddr_mul = QPU_NOP,
                            .immediate = value};
    emit(program, insn);
}

/* Emits a branch back to the instruction at index, and three instructions for the delay slots. */
static void jump(struct program *program, uint32_t index)
{
    struct qpu_insn insn = {.form = QPU_FORM_BRANCH,
                            .sig = QPU_SIG_BRANCH,
                            .cond_br = 15,
                            .waddr_add = QPU_NOP,
                            .waddr_mul = QPU_NOP,
                            .immediate = CODE + 8 * index};
    emit(program, insn);
    for (unsigned i = 0; i < 3; i++)
        emit(program, alu());
}

/* A loop of float operations. r0 = r2 + r3 and r2 = r0 * r1 converge to finite values. */
static void floats(struct program *program)
{
    load(program, QPU_WR_ACC0, 0x3f800000);
    load(program, QPU_WR_ACC0 + 1, 0x3f000001);
    load(program, QPU_WR_ACC0 + 2, 0x3f400000);
    load(program, QPU_WR_ACC3, 0x3e800000);
    uint32_t top = program->words;
    for (unsigned i = 0; i < 60; i++)
        emit(program, both(QPU_ADD_FADD, QPU_WR_ACC0, QPU_MUX_R2, QPU_MUX_R3, QPU_MUL_FMUL,
                           QPU_WR_ACC0 + 2, QPU_MUX_R0, QPU_MUX_R1));
    jump(program, top);
}

static void integers(struct program *program)
{
    static const uint8_t operations[] = {QPU_ADD_ADD, QPU_ADD_SHL, QPU_ADD_XOR, QPU_ADD_MIN};
    load(program, QPU_WR_ACC0, 12345);
    uint32_t top = program->words;
    for (unsigned i = 0; i < 60; i++)
        emit(program, both(operations[i & 3], QPU_WR_ACC0 + (i & 1), QPU_MUX_R0, QPU_MUX_R1,
                           QPU_MUL_MUL24, QPU_WR_ACC0 + 2 + (i & 1), QPU_MUX_R0, QPU_MUX_R1));
    jump(program, top);
}

/* A loop with typical instructions of fragment shaders, which read uniforms and registers, compare,
 * write conditionally and unpack colours. Textures and the tile buffer are not used. */
static void mixed(struct program *program)
{
    load(program, QPU_WR_ACC0, 0x3f400000);
    uint32_t top = program->words;
    load(program, QPU_WR_UNIFORM_ADDRESS, UNIFORMS);
    for (unsigned i = 0; i < 8; i++) {
        struct qpu_insn insn = both(QPU_ADD_FADD, 1, QPU_MUX_R0, QPU_MUX_R1, QPU_MUL_FMUL, 2,
                                    QPU_MUX_R0, QPU_MUX_R2);
        emit(program, insn);
        insn = both(QPU_ADD_FMAX, QPU_WR_ACC0 + 1, QPU_MUX_R0, QPU_MUX_B, QPU_MUL_NOP, QPU_NOP, 0,
                    0);
        insn.form = QPU_FORM_ALU_IMMEDIATE;
        insn.sig = QPU_SIG_SMALL_IMMEDIATE;
        insn.raddr_b = 0;
        emit(program, insn);
        insn = both(QPU_ADD_FADD, QPU_WR_ACC0, QPU_MUX_A, QPU_MUX_B, QPU_MUL_FMUL, QPU_WR_ACC0 + 2,
                    QPU_MUX_R0, QPU_MUX_A);
        insn.raddr_a = 1;
        insn.raddr_b = 2;
        emit(program, insn);
        insn = both(QPU_ADD_NOP, QPU_NOP, 0, 0, QPU_MUL_FMUL, QPU_WR_ACC3, QPU_MUX_R0, QPU_MUX_A);
        insn.raddr_a = QPU_RD_UNIFORM;
        emit(program, insn);
        insn = both(QPU_ADD_FSUB, QPU_NOP, QPU_MUX_R3, QPU_MUX_R0, QPU_MUL_NOP, QPU_NOP, 0, 0);
        insn.sf = 1;
        emit(program, insn);
        insn = both(QPU_ADD_OR, QPU_WR_ACC0, QPU_MUX_R3, QPU_MUX_R3, QPU_MUL_NOP, QPU_NOP, 0, 0);
        insn.cond_add = QPU_COND_NS;
        emit(program, insn);
        insn = both(QPU_ADD_NOP, QPU_NOP, 0, 0, QPU_MUL_FMUL, QPU_WR_ACC0 + 1, QPU_MUX_R0,
                    QPU_MUX_A);
        insn.raddr_a = 3;
        insn.unpack = 4;
        emit(program, insn);
        insn = both(QPU_ADD_FADD, QPU_WR_ACC0, QPU_MUX_R0, QPU_MUX_R1, QPU_MUL_FMUL,
                    QPU_WR_ACC0 + 2, QPU_MUX_R3, QPU_MUX_R3);
        emit(program, insn);
    }
    jump(program, top);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void measure(const char *name, void (*build)(struct program *), bool portable)
{
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    struct qpu_shared shared = {0};
    struct tmu tmu = {.bus = &bus, .log = &log};
    struct qpu_cache *cache = calloc(1, sizeof *cache);
    if (!cache || bus_map(&bus, 0, MEMORY, NULL) != TESS_OK)
        return;
    cache->blocks.portable = portable;
    struct program program = {.at = bus.regions[0].host + CODE};
    build(&program);
    struct qpu_ports ports = {
        .bus = &bus, .log = &log, .shared = &shared, .tmu = &tmu, .cache = cache};
    struct qpu qpu;
    qpu_start(&qpu, QPU_USER, 0, CODE, UNIFORMS);
    qpu_run(&qpu, &ports, RUN / 20);
    double start = now();
    qpu_run(&qpu, &ports, RUN);
    printf("%-24s %7.1f M instructions/s, %llu findings\n", name, RUN / (now() - start) * 1e-6,
           (unsigned long long)log.errors);
    bus_free(&bus);
    free(cache);
}

int main(int count, char **arguments)
{
    bool portable = count > 1 && strcmp(arguments[1], "portable") == 0;
    measure("float, both ALUs", floats, portable);
    measure("integer, both ALUs", integers, portable);
    measure("mixed, fragment-like", mixed, portable);
    return 0;
}
