/* SPDX-License-Identifier: MIT */
/* Tests that every scene of examples/vc4 has the same findings, statistics, memory and files in
 * all modes of a run: for any number of host threads, with and without recording, and with and
 * without the run-time sanitizer. With the sanitizer, instructions are executed one by one,
 * otherwise in blocks. A replay of a capture must have the same results, and record the same
 * capture. Runs are only compared with each other. pictures.c compares results with the expected
 * results. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "../register.h"
#include "base/file.h"
#include "base/hash.h"
#include "vc4/device/record.h"

/* Results of a run, as hashes. */
struct outcome {
    enum tess_status status;
    uint64_t findings, statistics, counters, instructions, memory, files;
    unsigned written, met; /* files written; memory blocks equal to the capture's expectations */
};

static char folder[] = "/tmp/tessera-agreement-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static uint64_t add_value(uint64_t hash, const void *value, size_t size)
{
    return hash_bytes(hash, value, size);
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? hash_bytes(hash, (const uint8_t *)text, strlen(text) + 1) : hash;
}

/* --- what is compared --- */

static void add_finding(void *user, const struct tess_finding *diag)
{
    struct outcome *outcome = user;
    if (strcmp(diag->id, "expect-met") == 0) {
        outcome->met++;
        return;
    }
    uint64_t hash = add_text(add_text(outcome->findings, diag->id), diag->text);
    const struct tess_place *place = &diag->place;
    const uint32_t numbers[] = {(uint32_t)diag->level, place->known,  place->address, place->thread,
                                place->list_address,   place->shader, place->pc};
    outcome->findings = add_value(hash, numbers, sizeof numbers);
}

/* Files that the run has written. A file has its final name only when all files are complete. */
static struct {
    char *path[64];
    unsigned count;
} written;

static void add_file(void *user, const char *path)
{
    (void)user;
    if (strstr(path, ".elf")) /* skips the capture itself */
        return;
    assert_true(written.count < sizeof written.path / sizeof *written.path);
    written.path[written.count++] = strdup(path);
}

static void add_files(struct outcome *outcome)
{
    for (unsigned i = 0; i < written.count; i++) {
        struct buffer file = {0};
        assert_int_equal(file_read(written.path[i], &file), TESS_OK);
        outcome->files = hash_bytes(add_text(outcome->files, written.path[i]), file.data,
                                    file.size);
        outcome->written++;
        buffer_free(&file);
        free(written.path[i]);
    }
    written.count = 0;
}

/* Adds the counts of each instruction to the hash. Their sums must equal the executed
 * instructions and the stalls of programs. */
static void add_instructions(struct outcome *outcome, const struct tess_vc4 *vc4)
{
    struct tess_vc4_hot *rows;
    struct tess_vc4_stats stats;
    size_t count;
    uint64_t executed = 0, stalled = 0;
    assert_int_equal(tess_vc4_get_hot(vc4, &rows, &count), TESS_OK);
    for (size_t i = 0; i < count; i++) {
        const uint64_t numbers[] = {rows[i].kind, rows[i].shader, rows[i].address, rows[i].word,
                                    rows[i].executed};
        outcome->instructions = add_value(outcome->instructions, numbers, sizeof numbers);
        outcome->instructions = add_value(outcome->instructions, rows[i].stalls,
                                          sizeof rows[i].stalls);
        executed += rows[i].executed;
        for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++)
            stalled += rows[i].stalls[cause];
    }
    tess_free(rows);
    tess_vc4_get_stats(vc4, &stats);
    assert_true(executed == stats.instructions);
    for (uint32_t i = 0; i < tess_vc4_shader_count(vc4); i++) {
        struct tess_vc4_shader_stats shader;
        tess_vc4_get_shader_stats(vc4, i, &shader);
        for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++)
            stalled -= shader.stalls[cause];
    }
    assert_true(stalled == 0);
}

static void add_device(void *user, const struct tess_vc4 *vc4)
{
    struct outcome *outcome = user;
    struct tess_vc4_stats stats;
    memset(&stats, 0, sizeof stats);
    tess_vc4_get_stats(vc4, &stats);
    outcome->statistics = add_value(outcome->statistics, &stats, sizeof stats);
    for (uint32_t i = 0; i < tess_vc4_shader_count(vc4); i++) {
        struct tess_vc4_shader_stats shader;
        memset(&shader, 0, sizeof shader);
        tess_vc4_get_shader_stats(vc4, i, &shader);
        outcome->statistics = add_value(outcome->statistics, &shader, sizeof shader);
    }
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++) {
        uint64_t count = tess_vc4_counter(vc4, id);
        outcome->counters = add_value(outcome->counters, &count, sizeof count);
    }
    add_instructions(outcome, vc4);
    size_t count;
    const struct bus_region *regions = vc4_regions(vc4, &count);
    for (size_t i = 0; i < count; i++)
        outcome->memory = hash_bytes(outcome->memory, regions[i].host, regions[i].size);
}

static struct outcome run(struct tess_scene *scene, struct tess_scene_options options)
{
    struct outcome outcome = {.findings = HASH_START,
                              .statistics = HASH_START,
                              .counters = HASH_START,
                              .instructions = HASH_START,
                              .memory = HASH_START,
                              .files = HASH_START};
    options.profile = true;
    options.directory = folder;
    options.wrote = add_file;
    options.finished = add_device;
    options.user = &outcome;
    outcome.status = tess_scene_run(scene, &options, (struct tess_sink){add_finding, &outcome},
                                    NULL);
    add_files(&outcome);
    return outcome;
}

static void assert_agree(const struct outcome *one, const struct outcome *other)
{
    assert_int_equal(one->status, other->status);
    assert_true(one->findings == other->findings);
    assert_true(one->statistics == other->statistics);
    assert_true(one->counters == other->counters);
    assert_true(one->instructions == other->instructions);
    assert_true(one->memory == other->memory);
    assert_int_equal(one->written, other->written);
    assert_true(one->files == other->files);
}

/* --- scenes --- */

static struct tess_scene *load(const char *name)
{
    static const struct tess_asm_define few = {"FRAMES", "2"}; /* shortens scenes with many
                                                                  frames */
    const struct tess_asm_options options = {
        .format = TESS_ASM_ELF, .defines = &few, .define_count = 1, .skip_check = true};
    struct tess_scene *scene;
    char source[512];
    const char *path = source;
    uint8_t *elf;
    size_t size;
    snprintf(source, sizeof source, "%s/../examples/vc4/%s/%s.qasm", TEST_DATA, name, name);
    assert_int_equal(tess_assemble(&path, 1, &options, (struct tess_sink){0}, &elf, &size),
                     TESS_OK);
    assert_int_equal(tess_scene_load_memory(&scene, elf, size, name, (struct tess_sink){0}),
                     TESS_OK);
    tess_free(elf);
    return scene;
}

static void for_each_example(void (*test)(struct tess_scene *scene))
{
    unsigned count = 0;
    DIR *examples = opendir(TEST_DATA "/../examples/vc4");
    assert_non_null(examples);
    for (struct dirent *entry; (entry = readdir(examples)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        print_message("%s\n", entry->d_name);
        struct tess_scene *scene = load(entry->d_name);
        test(scene);
        tess_scene_free(scene);
        count++;
    }
    closedir(examples);
    assert_true(count >= 20);
}

/* --- tests --- */

static void compare_threads(struct tess_scene *scene)
{
    static const uint32_t numbers[] = {2, 3, 4, 8};
    for (unsigned sanitize = 0; sanitize < 2; sanitize++) {
        struct outcome one = run(scene,
                                 (struct tess_scene_options){.threads = 1, .sanitize = sanitize});
        assert_int_equal(one.status, TESS_OK);
        assert_true(one.written > 0);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            struct outcome more = run(
                scene, (struct tess_scene_options){.threads = numbers[i], .sanitize = sanitize});
            assert_agree(&more, &one);
            if (sanitize)
                break; /* the sanitizer only adds findings, so one number of threads is enough */
        }
    }
}

TEST(any_number_of_threads)
{
    for_each_example(compare_threads);
}

static void compare_engines(struct tess_scene *scene)
{
    struct outcome blocks = run(scene, (struct tess_scene_options){.quiet_files = true});
    struct outcome steps = run(scene,
                               (struct tess_scene_options){.quiet_files = true, .sanitize = true});
    assert_agree(&steps, &blocks); /* examples cause no findings */
}

TEST(blocks_and_single_steps)
{
    for_each_example(compare_engines);
}

static void assert_same_files(const char *one, const char *other)
{
    struct buffer a = {0}, b = {0};
    assert_int_equal(file_read(path_of(one), &a), TESS_OK);
    assert_int_equal(file_read(path_of(other), &b), TESS_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    buffer_free(&a);
    buffer_free(&b);
}

static void compare_captures(struct tess_scene *scene)
{
    struct tess_scene *captured;
    struct outcome plain = run(scene, (struct tess_scene_options){0});
    struct outcome recorded = run(scene,
                                  (struct tess_scene_options){.capture = path_of("one.elf")});
    assert_agree(&recorded, &plain);
    run(scene, (struct tess_scene_options){
                   .threads = 4, .capture = path_of("four.elf"), .quiet_files = true});
    assert_same_files("one.elf", "four.elf");

    assert_int_equal(tess_scene_load(&captured, path_of("one.elf"), (struct tess_sink){0}),
                     TESS_OK);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct outcome replayed = run(
            captured,
            (struct tess_scene_options){.threads = threads, .capture = path_of("again.elf")});
        assert_int_equal(replayed.status, TESS_OK);
        assert_int_equal(replayed.met, 1);
        assert_int_equal(replayed.written, plain.written);
        assert_true(replayed.files == plain.files);
        assert_true(replayed.statistics == plain.statistics);
        assert_true(replayed.counters == plain.counters);
        assert_true(replayed.instructions == plain.instructions);
        assert_same_files("one.elf", "again.elf");
    }
    tess_scene_free(captured);
}

TEST(captures)
{
    for_each_example(compare_captures);
}

/* --- setup and teardown --- */

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files)) != NULL;)
        unlink(path_of(entry->d_name));
    if (files)
        closedir(files);
    return rmdir(folder);
}

TEST_GROUP(make_folder, remove_folder)
