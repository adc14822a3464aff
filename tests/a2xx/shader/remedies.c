/* SPDX-License-Identifier: MIT */
/* remedies.c - follows the hint of each row of src/a2xx/shader/faults.def. The program
 * tests/programs/a2xx_findings/ID.a2xx raises the finding and contains the wrong example of tessera
 * help (src/front/examples/findings_a2xx.def). The test replaces the wrong example by the right
 * one. Then the checker must report neither errors nor warnings, and a run must raise no finding.
 *
 * Writable memory is at 0x10000. Vertex constant 0 covers all of it. A texture at 0x20000 is in
 * texture constant 1. */
#include <stdlib.h>

#include "../../register.h"
#include "a2xx/shader/fault.h"
#include "base/file.h"
#include "finding/rules.h"
#include "rig.h"

enum { LANES = 100, DATA = 0x10000, TEXTURE = 0x20000, TEXT = 4096 };

#define EXAMPLE(id, kind, wrong, right) {id, #kind, wrong, right},
static const struct remedy {
    const char *id, *kind, *wrong, *right;
} remedies[] = {
#include "front/examples/findings_a2xx.def"
};

enum { REMEDIES = sizeof remedies / sizeof remedies[0] };

static char said[1024];

/* Stores the first diagnostic, except notes. */
static void note(void *user, const struct tess_finding *diag)
{
    (void)user;
    if (diag->level != TESS_NOTE && !said[0])
        snprintf(said, sizeof said, "line %u: %s [%s]", diag->line, diag->text, diag->id);
}

/* --- programs --- */

/* Replaces the wrong example by the right one. The wrong example is the whole program except for
 * the licence line. */
static void replace(char text[TEXT], const struct remedy *remedy)
{
    size_t old = strlen(remedy->wrong), new = strlen(remedy->right);
    char *at = strstr(text, remedy->wrong);
    if (!at || strstr(at + 1, remedy->wrong))
        fail_msg("%s: the program does not have the wrong lines once", remedy->id);
    assert_true(strlen(text) + new < TEXT);
    memmove(at + new, at + old, strlen(at + old) + 1);
    memcpy(at, remedy->right, new);
}

/* Returns true if the remedy changes the program. It does not for a2xx-fetch-pitch: the run sets
 * the texture constant with the pitch. */
static bool is_program(const struct remedy *remedy)
{
    return strcmp(remedy->kind, "TEXT") != 0;
}

static struct tess_a2xx_program *read_mended(const struct remedy *remedy)
{
    char path[512], text[TEXT];
    struct buffer file = {0};
    struct tess_a2xx_program *program;
    struct tess_asm_options options = {.variant = TESS_A2XX_ADRENO};
    if (strcmp(remedy->id, "a2xx-fetch-mini") == 0 ||
        strcmp(remedy->id, "a2xx-fetch-dimension") == 0)
        options.variant = TESS_A2XX_XENOS;
    snprintf(path, sizeof path, "%s/programs/a2xx_findings/%s.a2xx", TEST_DATA, remedy->id);
    assert_int_equal(file_read(path, &file), TESS_OK);
    snprintf(text, sizeof text, "%.*s", (int)file.size, (const char *)file.data);
    buffer_free(&file);
    replace(text, remedy);
    if (tess_a2xx_program_read(text, strlen(text), remedy->id, &options,
                               (struct tess_sink){note, NULL}, &program))
        fail_msg("%s: %s", remedy->id, said);
    return program;
}

/* --- runs --- */

static float data[0x4000 / 4];
static uint8_t texels[0x8000];

static void set_memory(struct tess_a2xx *a2xx)
{
    const struct tess_a2xx_texture texture = {
        .address = TEXTURE, .width = 4, .height = 4, .format = 6, .dimension = 1};
    uint32_t words[6];
    for (unsigned i = 0; i < sizeof data / sizeof data[0]; i++)
        data[i] = 1; /* makes w of positions non-zero */
    assert_int_equal(tess_a2xx_map(a2xx, DATA, data, sizeof data, true), TESS_OK);
    assert_int_equal(tess_a2xx_map(a2xx, TEXTURE, texels, sizeof texels, false), TESS_OK);
    tess_a2xx_vertex_constant(DATA, sizeof data, words);
    assert_int_equal(tess_a2xx_set_fetch(a2xx, 0, words, 2), TESS_OK);
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(tess_a2xx_set_fetch(a2xx, 6, words, 6), TESS_OK);
}

static void run_mended(const struct remedy *remedy, const struct tess_a2xx_program *program)
{
    static const float pixels[LANES][4];
    struct tess_a2xx_options options = {.machine.threads = 1, .machine.max_instructions = 1000};
    struct tess_a2xx *a2xx;
    struct tess_a2xx_batch batch = {.stage = tess_a2xx_program_stage(program), .count = LANES};
    if (batch.stage == TESS_A2XX_PIXEL)
        batch.registers[0] = pixels;
    options.machine.sink = (struct tess_sink){note, NULL};
    assert_int_equal(tess_a2xx_create(&a2xx, &options), TESS_OK);
    set_memory(a2xx);
    assert_int_equal(tess_a2xx_load(a2xx, batch.stage, program), TESS_OK);
    if (tess_a2xx_run(a2xx, &batch) != TESS_OK)
        fail_msg("%s: the run fails: %s", remedy->id, said);
    tess_a2xx_destroy(a2xx);
}

TEST(test_remedies)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < REMEDIES; i++) {
        if (!is_program(&remedies[i]))
            continue;
        said[0] = 0;
        struct tess_a2xx_program *program = read_mended(&remedies[i]);
        run_mended(&remedies[i], program);
        tess_a2xx_program_free(program);
        if (said[0])
            print_error("%s: %s\n", remedies[i].id, said);
        wrong += said[0] != 0;
    }
    assert_int_equal(wrong, 0);
}

TEST(test_each_finding_has_a_remedy)
{
    unsigned wrong = 0;
    assert_int_equal(REMEDIES, A2XX_FAULTS);
    for (size_t i = 0; i < A2XX_FAULTS; i++) {
        const char *id = tess_rule_get(RULE_A2XX_FIRST + i)->id;
        bool found = false;
        for (unsigned k = 0; k < REMEDIES; k++)
            found |= strcmp(remedies[k].id, id) == 0;
        if (!found)
            print_error("%s has no remedy\n", id);
        wrong += !found;
    }
    assert_int_equal(wrong, 0);
}
