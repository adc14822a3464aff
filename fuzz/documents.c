/* SPDX-License-Identifier: MIT */
/* documents.c - fuzz target: the JSON output of the disassembler and of the decoder of scenes, and
 * the traces and statistics of scenes in JSON. json-c must be able to parse all output. If the
 * input's first character is "q", "g" or "x", the other bytes are machine code of the QPU, the GP
 * or the A2xx. Otherwise the input is the source of a scene. */
#include <stdint.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "front/stats.h"
#include "front/trace.h"
#include "json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void disassemble(const uint8_t *data, size_t size, enum tess_machine machine)
{
    const struct tess_dis_options options = {
        .machine = machine, .output = TESS_DIS_JSON, .name = "fuzz", .base = 0x100};
    char *text = NULL;
    size_t length;
    if (tess_disassemble(data, size, &options, (struct tess_sink){0}, &text, &length) == TESS_OK)
        json_object_put(json_read(text, length));
    tess_free(text);
}

static void write_text(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

/* State of a run. The trace has one JSON document per line. The statistics are one document. */
struct run {
    struct trace trace;
    FILE *stats;
};

static bool trace_step(void *user, const struct tess_vc4_step *step)
{
    struct run *run = user;
    return trace_qpu(&run->trace, step);
}

static void finish(void *user, const struct tess_vc4 *vc4)
{
    struct run *run = user;
    const struct address_names names = {0};
    stats_print(run->stats, vc4, NULL, &names, true);
}

static struct tess_scene_options bounded(void)
{
    return (struct tess_scene_options){.max_instructions = 200,
                                       .max_total_instructions = 500,
                                       .max_records = 500,
                                       .quiet_files = true,
                                       .threads = 1};
}

static void run_scene(struct tess_scene *scene)
{
    char *texts[2];
    size_t sizes[2];
    struct run run = {.trace = {.stream = open_memstream(&texts[0], &sizes[0]), .json = true},
                      .stats = open_memstream(&texts[1], &sizes[1])};
    struct tess_scene_options options = bounded();
    options.trace = trace_step;
    options.profile = true;
    options.finished = finish;
    options.user = &run;
    tess_scene_run(scene, &options, (struct tess_sink){0}, NULL);
    fclose(run.trace.stream);
    fclose(run.stats);
    for (int i = 0; i < 2; i++) {
        json_read_lines(texts[i], sizes[i], NULL, NULL);
        free(texts[i]);
    }
}

static void decode_scene(struct tess_scene *scene)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const struct tess_scene_options options = bounded();
    tess_scene_decode(scene, &options, TESS_DECODE_JSON, (struct tess_text_out){write_text, stream},
                      (struct tess_sink){0});
    fclose(stream);
    if (size)
        json_object_put(json_read(text, size));
    free(text);
}

static void look_at_scene(const uint8_t *data, size_t size)
{
    const struct tess_asm_options options = {.format = TESS_ASM_ELF, .skip_check = true};
    struct tess_scene *scene = NULL;
    uint8_t *elf = NULL;
    size_t length;
    if (tess_assemble_text((const char *)data, size, "fuzz.qasm", &options, (struct tess_sink){0},
                           &elf, &length) == TESS_OK &&
        length < 1 << 20 &&
        tess_scene_load_memory(&scene, elf, length, "fuzz.elf", (struct tess_sink){0}) == TESS_OK) {
        run_scene(scene);
        decode_scene(scene);
    }
    tess_scene_free(scene);
    tess_free(elf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    switch (data[0]) {
    case 'q': disassemble(data + 1, size - 1, TESS_MACHINE_QPU); break;
    case 'g': disassemble(data + 1, size - 1, TESS_MACHINE_GP); break;
    case 'x': disassemble(data + 1, size - 1, TESS_MACHINE_A2XX); break;
    default: look_at_scene(data, size); break;
    }
    return 0;
}
