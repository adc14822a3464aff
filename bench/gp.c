/* SPDX-License-Identifier: MIT */
/* gp.c - measures the GP engine in millions of instructions per second, summed over vertices. The
 * programs are two examples, and a loop that each vertex executes a different number of times.
 * Measures with one host thread, with two, and without the sanitizer. The argument "portable"
 * disables AVX2 on hosts that have it. */
#include <stdio.h>
#include <string.h>

#include <tessera/utgard.h>

#include "base/file.h"
#include "exec/cpu.h"
#include "rate.h"

enum { VERTICES = 100000, TRIES = 7 };

static const char loop[] =
    ".attribute start, 0\n"
    ".varying sum, 0\n"
    ".constant numbers, 1, 0.5, 2, 0\n"
    "    load.attr start; acc0.mov attr.x; acc1.mov attr.y; store0.reg 0, acc0, acc1\n"
    "    nop\n"
    "    nop\n"
    "again:\n"
    "    load.reg0 0; load.unif numbers; acc0.add reg0.x, -unif.x\n"
    "    ; mul0.mul reg0.y, unif.y; store0.reg 0, acc0, mul0\n"
    "    load.unif numbers; acc0.lt unif.w, acc0[-1]; mul0.mul mul0[-1], unif.z\n"
    "    pass.mov acc0[-1]; branch again\n"
    "    load.reg0 0; acc0.mov reg0.y\n"
    "    ; store0.varying sum, acc0, acc0; store1.varying sum, acc0, acc0\n";

static const struct {
    const char *name, *file; /* file is NULL for the source in loop */
} programs[] = {
    {"mvp", "mvp/mvp.gp"},
    {"lighting, with complex functions", "lighting/lighting.gp"},
    {"loop, 1 to 32 times", NULL},
};

static struct tess_gp_program *read_program(const char *file)
{
    struct tess_asm_options options = {0};
    struct tess_gp_program *program;
    struct buffer text = {0};
    char path[512] = "loop.gp";
    if (file) {
        snprintf(path, sizeof path, "%s/../examples/utgard/%s", BENCH_SOURCE, file);
        if (file_read(path, &text))
            rate_stop(path);
    } else {
        buffer_printf(&text, "%s", loop);
    }
    if (tess_gp_program_read(text.data, text.size, path, &options, (struct tess_sink){0}, &program))
        rate_stop(path);
    buffer_free(&text);
    return program;
}

static float in[VERTICES][4], out[TESS_GP_VARYINGS][VERTICES][4];

static void fill(void)
{
    uint32_t seed = 1;
    for (unsigned i = 0; i < VERTICES * 4; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i / 4][i % 4] = i % 4 ? (float)(seed >> 8) * 0x1p-24f : (float)(1 + (seed >> 27));
    }
}

/* Every attribute reads the same data. Each varying has a separate buffer. */
static struct rate_run run(const void *program, unsigned threads, bool sanitize)
{
    struct rate_run measured = {0};
    struct tess_gp_options options = {.machine.threads = threads,
                                      .machine.sanitize = sanitize ? TESS_SANITIZE_ON
                                                                   : TESS_SANITIZE_OFF};
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES];
    struct tess_gp_varying varyings[TESS_GP_VARYINGS] = {0};
    struct tess_gp *gp;
    float rows[64][4];
    for (unsigned i = 0; i < TESS_GP_ATTRIBUTES; i++)
        attributes[i] = (struct tess_gp_attribute){in, sizeof in, 16, TESS_GP_F32, 4};
    for (unsigned i = 0; i < TESS_GP_VARYINGS; i++)
        if (tess_gp_program_stores(program, i) == 15)
            varyings[i] = (struct tess_gp_varying){out[i], sizeof out[i], 16, TESS_GP_OUT_F32, 4};
    for (unsigned i = 0; i < 64; i++)
        for (unsigned c = 0; c < 4; c++)
            rows[i][c] = i % 4 == c ? 1.0f : 0.125f;
    options.machine.sink = rate_sink(&measured.findings);
    if (tess_gp_create(&gp, &options) || tess_gp_set_rows(gp, 0, rows[0], 64) ||
        tess_gp_load(gp, program))
        rate_stop("no memory");
    struct tess_gp_batch batch = {attributes, varyings, 0, VERTICES, 0, false};
    double start = rate_now();
    if (tess_gp_run(gp, &batch))
        rate_stop("the program does not run");
    measured.seconds = rate_now() - start;
    struct tess_gp_stats stats;
    tess_gp_get_stats(gp, &stats);
    measured.instructions = stats.instructions;
    tess_gp_destroy(gp);
    return measured;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "portable") == 0)
        cpu_use_portable(true);
    fill();
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct tess_gp_program *program = read_program(programs[i].file);
        rate_print(programs[i].name, run, program, TRIES);
        tess_gp_program_free(program);
    }
    return 0;
}
