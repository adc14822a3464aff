/* SPDX-License-Identifier: MIT */
/* runner.c - runs a scene, or a program of any machine, and writes all results to files.
 *
 *   runner scene FILE FOLDER             runs a scene
 *   runner program MACHINE FILE FOLDER   assembles, checks and disassembles a program. A program of
 *                                        the GP or the A2xx is also run.
 *   runner pixels FILE OUTPUT            writes the pixels of a PNG file as bytes
 *
 * The results do not depend on the host. scripts/test-wasm compares the results of this machine
 * with those of WebAssembly. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/scene.h>
#include <tessera/utgard.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/image.h"
#include "scene/scene_private.h"

/* --- files --- */

static _Noreturn void stop(const char *what, const char *name)
{
    fprintf(stderr, "runner: %s %s: %s\n", what, name, strerror(errno));
    exit(2);
}

static struct buffer read_file(const char *name)
{
    struct buffer file;
    if (file_read(name, &file) != TESS_OK)
        stop("cannot read", name);
    return file;
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        stop("cannot write", path);
}

/* Writes a buffer to a file and frees the buffer. */
static void write_buffer(const char *folder, const char *name, struct buffer *buffer)
{
    write_file(folder, name, buffer->data, buffer->size);
    buffer_free(buffer);
}

/* --- findings --- */

static const char *shown(const char *text)
{
    return text ? text : "-";
}

/* Appends all members of a diagnostic to a buffer. */
static void note(void *user, const struct tess_finding *diag)
{
    const struct tess_place *place = &diag->place;
    buffer_printf(user, "%d %s %s:%u:%u %s\n  hint %s\n  line %s\n", (int)diag->level, diag->id,
                  shown(diag->file), diag->line, diag->column, diag->text, shown(diag->hint),
                  shown(diag->source_line));
    buffer_printf(user, "  place %x %u %x %u %u,%u %x shader %x %x %016llx %u %x %llx %d\n",
                  place->known, place->thread, place->list_address, place->record,
                  place->tile_column, place->tile_row, place->draw, place->shader, place->pc,
                  (unsigned long long)place->instruction, place->qpu, place->address,
                  (unsigned long long)place->qpus, diag->more);
}

static void note_check(void *user, const struct tess_finding *finding)
{
    const struct tess_check_details *details = finding->check;
    const struct tess_check_place *place = &details->place;
    buffer_printf(user, "%s %d %s:%u:%u %x %016llx %s\n  hint %s\n  other %d %x distance %u\n",
                  finding->id, (int)finding->level, shown(place->file), place->line, place->column,
                  place->address, (unsigned long long)place->instruction, finding->text,
                  shown(finding->hint), details->has_other, details->other.address,
                  details->distance);
}

/* --- scenes --- */

struct scene_run {
    const struct tess_scene *scene;
    struct buffer memory, counts;
};

static void put_counts(struct buffer *out, const char *name, const uint64_t *counts, unsigned count)
{
    buffer_printf(out, "%s", name);
    for (unsigned i = 0; i < count; i++)
        buffer_printf(out, " %llu", (unsigned long long)counts[i]);
    buffer_printf(out, "\n");
}

static void put_shaders(struct buffer *out, const struct tess_vc4 *vc4)
{
    struct tess_vc4_shader_stats shader;
    for (uint32_t i = 0; tess_vc4_get_shader_stats(vc4, i, &shader); i++) {
        const uint64_t counts[] = {
            shader.code,
            shader.runs,
            shader.instructions,
            shader.cycles,
            shader.uniforms,
            shader.tmu_requests,
            shader.texture_words,
            shader.vpm_accesses,
            shader.dma_loaded,
            shader.dma_stored,
            shader.instruction_misses,
            shader.uniform_misses,
            shader.texture_misses,
        };
        buffer_printf(out, "%s %x ", tess_vc4_shader_kind_name(shader.kind), shader.start);
        put_counts(out, "counts", counts, sizeof counts / sizeof counts[0]);
        put_counts(out, "  stalls", shader.stalls, TESS_VC4_STALLS);
    }
}

static void put_draws(struct buffer *out, const struct tess_vc4 *vc4)
{
    struct tess_vc4_draw_stats draw;
    for (uint32_t i = 0; tess_vc4_get_draw_stats(vc4, i, &draw); i++) {
        buffer_printf(out, "draw %x %u %u %llu", draw.list_address, draw.record, draw.thread,
                      (unsigned long long)draw.executed);
        put_counts(out, "", draw.counts, TESS_VC4_DRAW_COUNTS);
    }
}

static void put_hot(struct buffer *out, const struct tess_vc4 *vc4)
{
    struct tess_vc4_hot *rows;
    size_t count;
    if (tess_vc4_get_hot(vc4, &rows, &count) != TESS_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        buffer_printf(out, "hot %x %016llx %llu", rows[i].address, (unsigned long long)rows[i].word,
                      (unsigned long long)rows[i].executed);
        put_counts(out, "", rows[i].stalls, TESS_VC4_STALLS);
    }
    tess_free(rows);
}

/* Takes memory and counts of the device after the last step. */
static void take_results(void *user, const struct tess_vc4 *vc4)
{
    struct scene_run *run = user;
    struct tess_vc4_stats stats;
    uint64_t counters[TESS_VC4_COUNTERS];
    for (uint32_t i = 0; i < run->scene->region_count; i++) {
        const struct scene_region *region = &run->scene->regions[i];
        buffer_append(&run->memory,
                      tess_vc4_memory((struct tess_vc4 *)vc4, region->base, region->size),
                      region->size);
    }
    tess_vc4_get_stats(vc4, &stats);
    put_counts(&run->counts, "device", (const uint64_t *)&stats, sizeof stats / sizeof(uint64_t));
    for (uint32_t i = 0; i < TESS_VC4_COUNTERS; i++)
        counters[i] = tess_vc4_counter(vc4, i);
    put_counts(&run->counts, "counters", counters, TESS_VC4_COUNTERS);
    put_shaders(&run->counts, vc4);
    put_draws(&run->counts, vc4);
    put_hot(&run->counts, vc4);
}

static void append_text(void *user, const char *text, size_t size)
{
    buffer_append(user, text, size);
}

static int run_scene(const char *name, const char *folder)
{
    struct buffer file = read_file(name), findings = {0}, listing = {0};
    const struct tess_sink sink = {note, &findings};
    struct scene_run run = {0};
    struct tess_scene *scene;
    struct tess_scene_options options = {.directory = folder,
                                         .threads = 2, /* WebAssembly has one thread */
                                         .profile = true,
                                         .sanitize = true,
                                         .finished = take_results,
                                         .user = &run};
    enum tess_status status = tess_scene_load_memory(&scene, file.data, file.size, "scene", sink);
    buffer_printf(&findings, "load: %s\n", tess_status_text(status));
    if (status == TESS_OK) {
        run.scene = scene;
        status = tess_scene_run(scene, &options, sink, NULL);
        buffer_printf(&findings, "run: %s\n", tess_status_text(status));
        options = (struct tess_scene_options){.quiet_files = true};
        tess_scene_decode(scene, &options, TESS_DECODE_TEXT,
                          (struct tess_text_out){append_text, &listing}, (struct tess_sink){0});
    }
    write_buffer(folder, "memory", &run.memory);
    write_buffer(folder, "counts", &run.counts);
    write_buffer(folder, "listing", &listing);
    write_buffer(folder, "findings", &findings);
    tess_scene_free(scene);
    buffer_free(&file);
    return 0;
}

/* --- data for programs --- */

/* Returns the next number of a fixed sequence of 32-bit numbers. */
static uint32_t next_number(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return *state >> 8 ^ *state << 16;
}

/* Fills an array with numbers from -4 to 4. */
static void fill_floats(float *values, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((int32_t)next_number(&seed) >> 8) / 2097152.0f;
}

/* --- the GP --- */

enum { GP_VERTICES = 300 };

static void run_gp_vertices(struct tess_gp *gp, const char *folder)
{
    static float attribute[TESS_GP_ATTRIBUTES][GP_VERTICES][4];
    static float varying[TESS_GP_VARYINGS][GP_VERTICES][4];
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES];
    struct tess_gp_varying varyings[TESS_GP_VARYINGS];
    const size_t size = sizeof attribute[0], stride = sizeof attribute[0][0];
    fill_floats(attribute[0][0], sizeof attribute / sizeof(float), 1);
    for (unsigned i = 0; i < TESS_GP_ATTRIBUTES; i++) {
        attributes[i] = (struct tess_gp_attribute){attribute[i], size, stride, TESS_GP_F32, 4};
        varyings[i] = (struct tess_gp_varying){varying[i], size, stride, TESS_GP_OUT_F32, 4};
    }
    const struct tess_gp_batch batch = {
        .attributes = attributes, .varyings = varyings, .count = GP_VERTICES};
    const enum tess_status status = tess_gp_run(gp, &batch);
    struct tess_gp_stats stats;
    tess_gp_get_stats(gp, &stats);
    struct buffer counts = {0};
    buffer_printf(&counts, "run: %s\n", tess_status_text(status));
    put_counts(&counts, "gp", (const uint64_t *)&stats, sizeof stats / sizeof(uint64_t));
    write_file(folder, "memory", varying, sizeof varying);
    write_buffer(folder, "counts", &counts);
}

static void run_gp(const struct buffer *file, const char *name, const char *folder)
{
    static float rows[TESS_GP_ROWS][4];
    struct buffer findings = {0};
    const struct tess_sink sink = {note, &findings};
    struct tess_gp_program *program;
    struct tess_gp *gp;
    fill_floats(rows[0], sizeof rows / sizeof(float), 2);
    if (tess_gp_program_read(file->data, file->size, name, NULL, sink, &program) != TESS_OK ||
        tess_gp_create(&gp, &(const struct tess_gp_options){.machine.sink = sink}) != TESS_OK)
        stop("cannot run", name);
    tess_gp_set_rows(gp, 0, rows[0], TESS_GP_ROWS);
    tess_gp_load(gp, program);
    run_gp_vertices(gp, folder);
    tess_gp_destroy(gp);
    tess_gp_program_free(program);
    write_buffer(folder, "run-findings", &findings);
}

/* --- the A2xx --- */

enum {
    A2XX_LANES = 256,
    A2XX_REGISTERS = 16, /* number of registers with initial values */
    A2XX_ADDRESS = 0x10000,
    A2XX_BYTES = 0x10000,
    A2XX_SIDE = 64, /* of textures, in texels */
};

static uint8_t a2xx_memory[A2XX_BYTES];

/* Makes all fetch constants refer to the memory: textures where the program samples textures, and
 * arrays of vertices elsewhere. */
static void set_fetch_constants(struct tess_a2xx *a2xx, const struct tess_a2xx_program *program)
{
    struct tess_a2xx_texture texture = {.address = A2XX_ADDRESS,
                                        .width = A2XX_SIDE,
                                        .height = A2XX_SIDE,
                                        .dimension = 1,
                                        .mag = 1,
                                        .min = 1,
                                        .mip = 2};
    const uint32_t textures = tess_a2xx_program_textures(program);
    uint32_t words[6];
    if (!tess_a2xx_format_find("FMT_8_8_8_8", TESS_A2XX_ADRENO, &texture.format))
        stop("cannot find", "FMT_8_8_8_8");
    for (uint32_t i = 0; i < TESS_A2XX_FETCH_WORDS / 6; i++) {
        if (!(textures >> i & 1))
            for (uint32_t part = 0; part < 6; part += 2)
                tess_a2xx_vertex_constant(A2XX_ADDRESS, A2XX_BYTES, words + part);
        else if (tess_a2xx_texture_constant(&texture, words) != TESS_OK)
            stop("cannot encode", "a texture");
        tess_a2xx_set_fetch(a2xx, 6 * i, words, 6);
    }
}

static void run_a2xx_lanes(struct tess_a2xx *a2xx, enum tess_a2xx_stage stage, const char *folder)
{
    static float registers[A2XX_REGISTERS][A2XX_LANES][4];
    static float exports[TESS_A2XX_EXPORTS][A2XX_LANES][4];
    static uint8_t killed[A2XX_LANES];
    struct tess_a2xx_batch batch = {
        .stage = stage, .count = A2XX_LANES, .quads = stage == TESS_A2XX_PIXEL, .killed = killed};
    fill_floats(registers[0][0], sizeof registers / sizeof(float), 3);
    for (unsigned i = 0; i < A2XX_REGISTERS && stage == TESS_A2XX_PIXEL; i++)
        batch.registers[i] = registers[i];
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++)
        batch.exports[i] = exports[i];
    const enum tess_status status = tess_a2xx_run(a2xx, &batch);
    struct tess_a2xx_stats stats;
    tess_a2xx_get_stats(a2xx, &stats);
    struct buffer counts = {0};
    buffer_printf(&counts, "run: %s\n", tess_status_text(status));
    put_counts(&counts, "a2xx", (const uint64_t *)&stats, sizeof stats / sizeof(uint64_t));
    write_file(folder, "memory", exports, sizeof exports);
    write_file(folder, "killed", killed, sizeof killed);
    write_buffer(folder, "counts", &counts);
}

static void run_a2xx(const struct buffer *file, const char *name, const char *folder)
{
    static float constants[256][4];
    struct buffer findings = {0};
    const struct tess_sink sink = {note, &findings};
    struct tess_a2xx_program *program;
    struct tess_a2xx *a2xx;
    fill_floats(constants[0], sizeof constants / sizeof(float), 4);
    fill_floats((float *)a2xx_memory, A2XX_BYTES / sizeof(float), 5);
    if (tess_a2xx_program_read(file->data, file->size, name, NULL, sink, &program) != TESS_OK ||
        tess_a2xx_create(&a2xx, &(const struct tess_a2xx_options){.machine.sink = sink}) !=
            TESS_OK ||
        tess_a2xx_map(a2xx, A2XX_ADDRESS, a2xx_memory, A2XX_BYTES, true) != TESS_OK)
        stop("cannot run", name);
    const enum tess_a2xx_stage stage = tess_a2xx_program_stage(program);
    set_fetch_constants(a2xx, program);
    tess_a2xx_set_constants(a2xx, stage, 0, constants[0], 256);
    tess_a2xx_load(a2xx, stage, program);
    run_a2xx_lanes(a2xx, stage, folder);
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
    write_buffer(folder, "run-findings", &findings);
}

/* --- programs --- */

/* clang-format off */
static const struct {
    enum tess_asm_format format;
    const char *name;
} formats[] = {
    {TESS_ASM_BIN, "program.bin"},
    {TESS_ASM_HEX, "program.hex"},
    {TESS_ASM_ELF, "program.elf"},
    {TESS_ASM_C_FILE, "program.c"},
    {TESS_ASM_HEADER, "program.h"},
    {TESS_ASM_HEADER_EXTERN, "program-extern.h"},
    {TESS_ASM_OBJECT, "program.o"},
};
/* clang-format on */
enum { FORMATS = sizeof formats / sizeof formats[0] };

static void assemble(const char *name, enum tess_machine machine, const char *folder,
                     struct buffer *findings)
{
    const struct tess_asm_options options = {.machine = machine};
    const struct tess_sink sink = {note, findings};
    for (unsigned i = 0; i < FORMATS; i++) {
        struct tess_asm_output output = {.format = formats[i].format, .name = formats[i].name};
        const enum tess_status status = tess_assemble_outputs(&name, 1, &options, sink, &output, 1);
        buffer_printf(findings, "%s: %s\n", formats[i].name, tess_status_text(status));
        write_file(folder, formats[i].name, output.bytes, output.size);
        tess_free(output.bytes);
    }
}

static void disassemble(enum tess_machine machine, const char *folder, struct buffer *findings)
{
    static const enum tess_dis_output outputs[] = {TESS_DIS_TEXT, TESS_DIS_EXPLAIN, TESS_DIS_JSON};
    static const char *const names[] = {"text", "explain", "json"};
    char path[4096];
    snprintf(path, sizeof path, "%s/program.elf", folder);
    struct buffer file = read_file(path);
    for (unsigned i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const struct tess_dis_options options = {
            .machine = machine, .output = outputs[i], .name = "program.elf"};
        char *text;
        size_t size = 0;
        const enum tess_status status = tess_disassemble(
            file.data, file.size, &options, (struct tess_sink){note, findings}, &text, &size);
        buffer_printf(findings, "%s: %s\n", names[i], tess_status_text(status));
        write_file(folder, names[i], text, text ? size : 0);
        tess_free(text);
    }
    buffer_free(&file);
}

static int run_program(const char *machine_name, const char *name, const char *folder)
{
    struct buffer file = read_file(name), findings = {0};
    enum tess_machine machine;
    if (!tess_machine_find(machine_name, &machine))
        stop("unknown machine", machine_name);
    assemble(name, machine, folder, &findings);
    const struct tess_check_options options = {.machine = machine};
    const enum tess_status status = tess_check(&name, 1, &options,
                                               (struct tess_sink){note, &findings},
                                               (struct tess_sink){note_check, &findings});
    buffer_printf(&findings, "check: %s\n", tess_status_text(status));
    disassemble(machine, folder, &findings);
    if (machine == TESS_MACHINE_GP)
        run_gp(&file, name, folder);
    if (machine == TESS_MACHINE_A2XX)
        run_a2xx(&file, name, folder);
    write_buffer(folder, "findings", &findings);
    buffer_free(&file);
    return 0;
}

/* --- pictures --- */

static int write_pixels(const char *name, const char *output)
{
    struct buffer file = read_file(name);
    struct image image;
    if (image_decode(&image, IMAGE_RGBA, file.data, file.size) != TESS_OK)
        stop("cannot decode", name);
    write_file(NULL, output, image.pixels, (size_t)image.width * image.height * image.channels);
    image_free(&image);
    buffer_free(&file);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "scene") == 0)
        return run_scene(argv[2], argv[3]);
    if (argc == 5 && strcmp(argv[1], "program") == 0)
        return run_program(argv[2], argv[3], argv[4]);
    if (argc == 4 && strcmp(argv[1], "pixels") == 0)
        return write_pixels(argv[2], argv[3]);
    fprintf(stderr, "usage: runner scene FILE FOLDER | program MACHINE FILE FOLDER | "
                    "pixels FILE OUTPUT\n");
    return 2;
}
