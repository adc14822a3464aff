/* SPDX-License-Identifier: MIT */
/* a2xx.c - measures the shader core of the Adreno A2xx, in millions of vec4 ALU instructions per
 * second, summed over lanes. Each program has a loop with a few kinds of operations. Measures with
 * one host thread, with two, and without the sanitizer. The argument "portable" disables AVX2 on
 * hosts that have it. */
#include <string.h>

#include <tessera/a2xx.h>

#include "exec/cpu.h"
#include "rate.h"

enum { LANES = 65536, TRIES = 5 };

#define PROLOGUE                            \
    "@const(C0) 0.5, 0.25, 1.0, 2.0\n"      \
    "@loop(0) 16, 0, 1\n"                   \
    "EXEC\n"                                \
    "    ALU: MAXv R1 = C0, C0\n"           \
    "    ALU: MAXv R2 = C0.wzyx, C0.wzyx\n" \
    "    ALU: MAXv R3 = C0.yyyy, C0.yyyy\n" \
    "LOOP_START ADDR(5) LOOP_ID(0)\n"       \
    "EXEC\n"
#define EPILOGUE                    \
    "LOOP_END ADDR(2) LOOP_ID(0)\n" \
    "NOP\n"                         \
    "ALLOC COORD SIZE(0)\n"         \
    "EXEC_END\n"                    \
    "    ALU: MAXv export62 = C0, C0\n"

static const struct {
    const char *name, *source;
} programs[] = {
    {"MULADDv, DOT4v, MAXv, ADDv", PROLOGUE "    ALU: MULADDv R1 = R2, R1, C0\n"
                                            "    ALU: MULADDv R2 = R1, R2, R3.xxxx\n"
                                            "    ALU: DOT4v R3.x___ = R1, R2\n"
                                            "    ALU: MAXv R1 = R1, -R2\n"
                                            "    ALU: ADDv R2.xyz_ = R2, C0\n"
                                            "    ALU: MULv R1 = R1, C0\n" EPILOGUE},
    {"MULADDv", PROLOGUE "    ALU: MULADDv R1 = R2, R1, R3\n"
                         "    ALU: MULADDv R2 = R3, R2, R1\n"
                         "    ALU: MULADDv R3 = R1, R3, R2\n"
                         "    ALU: MULADDv R1 = R2, R1, R3\n"
                         "    ALU: MULADDv R2 = R3, R2, R1\n"
                         "    ALU: MULADDv R3 = R1, R3, R2\n" EPILOGUE},
    {"MULv with RECIP_IEEE, RECIPSQ_IEEE",
     PROLOGUE "    ALU: MULv R1 = R1, R2\n          RECIP_IEEE R3.x___ = R1\n"
              "    ALU: MULv R2 = R2, R1\n          RECIPSQ_IEEE R3._y__ = |R2|\n"
              "    ALU: MAXv R1 = R1, C0\n"
              "    ALU: MULv R1 = R1, R2\n          RECIP_IEEE R3.x___ = R1\n"
              "    ALU: MULv R2 = R2, R1\n          RECIPSQ_IEEE R3._y__ = |R2|\n"
              "    ALU: MAXv R2 = R1, C0\n" EPILOGUE},
    {"MULv with EXP_IEEE, LOG_IEEE, SIN, COS",
     PROLOGUE "    ALU: MULv R1 = R1, R2\n          EXP_IEEE R3.x___ = R1\n"
              "    ALU: MULv R2 = R2, R1\n          LOG_IEEE R3._y__ = |R2|\n"
              "    ALU: MAXv R1 = R1, C0\n          SIN R3.__z_ = R2\n"
              "    ALU: MULv R1 = R1, C0\n          COS R3.x___ = R1\n"
              "    ALU: MAXv R2 = R1, C0\n" EPILOGUE},
};

static float out[LANES][4];

static struct rate_run run(const void *program, unsigned threads, bool sanitize)
{
    struct rate_run measured = {0};
    struct tess_a2xx_options options = {.machine.threads = threads,
                                        .machine.sanitize = sanitize ? TESS_SANITIZE_ON
                                                                     : TESS_SANITIZE_OFF};
    struct tess_a2xx_batch batch = {.count = LANES, .exports = {[TESS_A2XX_POSITION] = out}};
    struct tess_a2xx *a2xx;
    options.machine.sink = rate_sink(&measured.findings);
    if (tess_a2xx_create(&a2xx, &options) || tess_a2xx_load(a2xx, TESS_A2XX_VERTEX, program))
        rate_stop("no memory");
    double start = rate_now();
    if (tess_a2xx_run(a2xx, &batch))
        rate_stop("the program does not run");
    measured.seconds = rate_now() - start;
    struct tess_a2xx_stats stats;
    tess_a2xx_get_stats(a2xx, &stats);
    measured.instructions = stats.alu;
    tess_a2xx_destroy(a2xx);
    return measured;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "portable") == 0)
        cpu_use_portable(true);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const struct tess_asm_options options = {0};
        struct tess_a2xx_program *program;
        unsigned findings = 0;
        if (tess_a2xx_program_read(programs[i].source, strlen(programs[i].source), "bench.a2xx",
                                   &options, rate_sink(&findings), &program))
            rate_stop(programs[i].name);
        rate_print(programs[i].name, run, program, TRIES);
        tess_a2xx_program_free(program);
    }
    return 0;
}
