/* SPDX-License-Identifier: MIT */
/* findings.c - the sanitizer of the A2xx. For each row of src/a2xx/shader/faults.def, the program
 * in tests/programs/a2xx_findings must raise this finding and no other. The place, severity and
 * remedy must be those of the row, for any number of threads. Other tests check the lane and
 * instruction of a finding, and the limit of repetitions.
 *
 * The programs run over vertices or pixels. Writable memory is at 0x10000. Vertex constant 0 covers
 * all of it, and vertex constant 1 its first four vertices. Read-only memory is at 0x30000. A
 * texture at 0x20000 is in texture constant 1. */
#include <stdlib.h>

#include "../../register.h"
#include "a2xx/shader/fault.h"
#include "base/file.h"
#include "finding/rules.h"
#include "rig.h"

enum {
    LANES = 100,
    MANY = 5000,
    DATA = 0x10000,
    TEXTURE = 0x20000,
    FIXED = 0x30000,
    NOTHING = 0x900000
};

struct found {
    unsigned count;
    struct tess_finding first;
    char rule[40], text[256], hint[300];
};

static void note(void *user, const struct tess_finding *diag)
{
    struct found *found = user;
    if (found->count++)
        return;
    found->first = *diag;
    snprintf(found->rule, sizeof found->rule, "%s", diag->id);
    snprintf(found->text, sizeof found->text, "%s", diag->text);
    snprintf(found->hint, sizeof found->hint, "%s", diag->hint);
}

static struct tess_a2xx_program *read_program(const char *id)
{
    char path[512];
    struct buffer text = {0};
    struct found found = {0};
    struct tess_a2xx_program *program;
    struct tess_asm_options options = {.skip_check = true};
    options.variant = strcmp(id, "a2xx-fetch-mini") == 0 || strcmp(id, "a2xx-fetch-dimension") == 0
                          ? TESS_A2XX_XENOS
                          : TESS_A2XX_ADRENO;
    snprintf(path, sizeof path, "%s/programs/a2xx_findings/%s.a2xx", TEST_DATA, id);
    assert_int_equal(file_read(path, &text), TESS_OK);
    if (tess_a2xx_program_read(text.data, text.size, path, &options,
                               (struct tess_sink){note, &found}, &program))
        fail_msg("%s: %s", id, found.text);
    buffer_free(&text);
    return program;
}

static float data[0x4000 / 4], fixed[0x4000 / 4];
static uint8_t texels[0x8000];

static void set_fetch(struct tess_a2xx *a2xx)
{
    uint32_t words[6];
    struct tess_a2xx_texture texture = {
        .address = TEXTURE, .width = 4, .height = 4, .format = 6, .dimension = 1};
    const struct {
        uint32_t number, address, size;
    } buffers[] = {{0, DATA, sizeof data}, {1, DATA, 64}, {2, NOTHING, 4096}};
    for (unsigned i = 0; i < 3; i++) {
        tess_a2xx_vertex_constant(buffers[i].address, buffers[i].size, words);
        assert_int_equal(tess_a2xx_set_fetch(a2xx, 2 * buffers[i].number, words, 2), TESS_OK);
    }
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(tess_a2xx_set_fetch(a2xx, 6, words, 6), TESS_OK);
    texture.width = 64;
    texture.pitch = 32;
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(tess_a2xx_set_fetch(a2xx, 12, words, 6), TESS_OK);
    words[0] = TEXTURE | 2; /* vertex constant 12 has the type of a texture constant */
    words[1] = 4096;
    assert_int_equal(tess_a2xx_set_fetch(a2xx, 24, words, 2), TESS_OK);
}

static struct tess_a2xx *make(unsigned threads, struct found *found)
{
    struct tess_a2xx_options options = {.machine.threads = threads,
                                        .machine.max_instructions = 1000};
    struct tess_a2xx *a2xx;
    options.machine.sink = (struct tess_sink){note, found};
    for (unsigned i = 0; i < sizeof data / sizeof data[0]; i++)
        data[i] = 1; /* makes w of positions non-zero, and erases earlier exports */
    assert_int_equal(tess_a2xx_create(&a2xx, &options), TESS_OK);
    assert_int_equal(tess_a2xx_map(a2xx, DATA, data, sizeof data, true), TESS_OK);
    assert_int_equal(tess_a2xx_map(a2xx, TEXTURE, texels, sizeof texels, false), TESS_OK);
    assert_int_equal(tess_a2xx_map(a2xx, FIXED, fixed, sizeof fixed, false), TESS_OK);
    set_fetch(a2xx);
    return a2xx;
}

/* Returns the number of lanes for a program. Programs of some findings can run with LANES lanes
 * at most. */
static size_t lanes_for(const char *id, size_t lanes)
{
    bool beyond = strcmp(id, "a2xx-fetch-result") == 0 || strncmp(id, "a2xx-fetch-", 11) == 0 ||
                  strncmp(id, "a2xx-memory-", 12) == 0;
    return beyond && lanes > LANES ? LANES : lanes;
}

static enum tess_a2xx_stage stage_of(const struct tess_a2xx_program *program, const char *id)
{
    return strcmp(id, "a2xx-position-missing") == 0 ? TESS_A2XX_VERTEX
                                                    : tess_a2xx_program_stage(program);
}

static void run(const char *id, unsigned threads, size_t lanes, struct found *found)
{
    struct tess_a2xx_program *program = read_program(id);
    struct tess_a2xx *a2xx = make(threads, found);
    enum tess_a2xx_stage stage = stage_of(program, id);
    float(*pixels)[4] = calloc(lanes, sizeof *pixels);
    struct tess_a2xx_batch batch = {.stage = stage, .count = lanes_for(id, lanes)};
    assert_non_null(pixels);
    if (stage == TESS_A2XX_PIXEL)
        batch.registers[0] = (const float(*)[4])pixels;
    memset(found, 0, sizeof *found);
    assert_int_equal(tess_a2xx_load(a2xx, stage, program), TESS_OK);
    assert_int_equal(tess_a2xx_run(a2xx, &batch),
                     strcmp(id, "a2xx-runaway") == 0 ? TESS_WRONG : TESS_OK);
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
    free(pixels);
}

/* Returns false for findings about exports, which have no line. */
static bool has_line(const char *id)
{
    static const char *const without[] = {"a2xx-export-unwritten", "a2xx-position-missing",
                                          "a2xx-position-zero", "a2xx-colour-missing"};
    for (unsigned i = 0; i < sizeof without / sizeof without[0]; i++)
        if (strcmp(id, without[i]) == 0)
            return false;
    return true;
}

/* Returns true if messages of the finding have a hint that differs from the table's. */
static bool has_own_hint(const char *id)
{
    return strcmp(id, "a2xx-fetch-beyond") == 0 || strcmp(id, "a2xx-runaway") == 0;
}

TEST(test_each)
{
    for (size_t i = 0; i < A2XX_FAULTS; i++) {
        const struct tess_rule *finding = tess_rule_get(RULE_A2XX_FIRST + i);
        struct found one, more;
        run(finding->id, 1, LANES, &one);
        run(finding->id, 2, MANY, &more);
        if (one.count != 1 || strcmp(one.rule, finding->id) != 0)
            fail_msg("%s: %u findings, the first %s: %s", finding->id, one.count, one.rule,
                     one.text);
        assert_string_equal(more.rule, finding->id);
        assert_int_equal(more.count, 1);
        assert_int_equal(one.first.level, finding->level);
        if (!has_own_hint(finding->id))
            assert_string_equal(one.hint, finding->instead);
        assert_int_equal(one.first.line != 0, has_line(finding->id));
        assert_ptr_equal(tess_rule_find(finding->id, TESS_RULES_OF_RUNS), finding);
    }
    assert_null(tess_rule_find("a2xx-nothing", TESS_RULES_OF_RUNS));
}

TEST(test_place)
{
    struct found found;
    run("a2xx-fetch-beyond", 1, LANES, &found);
    assert_int_equal(found.first.line, 5);
    assert_string_equal(found.text, "slot 2, vertex 4: bytes 64 to 79 are read (offset 0, stride "
                                    "16), but the buffer of CONST(0, 1) has only 64 bytes (96 "
                                    "times)");
    assert_string_equal(found.hint,
                        "make that buffer at least 80 bytes long, or fetch with a smaller "
                        "index; R0.x is the vertex's number at the start");
    run("a2xx-runaway", 1, LANES, &found);
    assert_string_equal(found.text, "control flow 1, pixel 0: the loop from control flow 0 to 1 "
                                    "jumps back without a condition (64 times)");
    run("a2xx-memory-index", 1, LANES, &found);
    assert_string_equal(
        found.text,
        "slot 3, vertex 16: export33: index 16 is out of range; the limit is 16 (84 times)");
    run("a2xx-divergent-jump", 1, LANES, &found);
    assert_string_equal(found.text, "control flow 1, vertex 1: 63 of 64 lanes jump (63 times)");
    run("a2xx-export-unwritten", 1, LANES, &found);
    assert_string_equal(
        found.text, "vertex 0, export0: export0 has not been written, but other lanes write it");
}

/* --- endless loops --- */

static const struct endless {
    const char *text, *found;
} endless[] = {
    /* The nested loops would execute more than 2 * 200 * 255 instructions. */
    {"@loop(0) 255, 0, 1\n@loop(1) 200, 0, 1\nLOOP_START ADDR(done) LOOP_ID(0)\nouter:\n"
     "LOOP_START ADDR(next) LOOP_ID(1)\ninner:\nEXEC\nLOOP_END ADDR(inner) LOOP_ID(1)\nnext:\n"
     "LOOP_END ADDR(outer) LOOP_ID(0)\ndone:\n",
     "control flow 3, pixel 0: the loop from control flow 1 to 3 is in iteration 98 of 200 (loop "
     "constant 1), and the loop around that from control flow 0 to 4 is in iteration 3 of 255 "
     "(loop "
     "constant 0) after 1000 instructions, which is the limit (64 times)"},
    /* In this program, the loop contains a call. */
    {"@loop(0) 255, 0, 1\n@loop(1) 200, 0, 1\nLOOP_START ADDR(done) LOOP_ID(0)\nouter:\n"
     "COND_CALL ADDR(sub) FORCE_CALL\nLOOP_END ADDR(outer) LOOP_ID(0)\nEXEC_END\nsub:\n"
     "EXEC\nEXEC\nEXEC\nEXEC\nEXEC\nEXEC\nRETURN FORCE_CALL\ndone:\n",
     "control flow 2, pixel 0: the loop from control flow 0 to 2 is in iteration 112 of 255 "
     "(loop "
     "constant 0) after 1000 instructions, which is the limit (64 times)"},
    /* The backward jump also surrounds a call. */
    {"again:\nCOND_CALL ADDR(sub) FORCE_CALL\nCOND_JMP ADDR(again) FORCE_CALL\nsub:\n"
     "EXEC\nEXEC\nRETURN FORCE_CALL\n",
     "control flow 1, pixel 0: the loop from control flow 0 to 1 jumps back without a condition "
     "(64 times)"},
};

TEST(test_endless)
{
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; i++) {
        char text[1000];
        struct found found = {0};
        struct tess_a2xx *a2xx = make(1, &found);
        struct tess_a2xx_program *program;
        const struct tess_asm_options options = {.skip_check = true};
        const struct tess_a2xx_batch batch = {.stage = TESS_A2XX_PIXEL, .count = LANES};
        snprintf(text, sizeof text,
                 "%sALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nALU: MAXv export0 = C0, C0\n",
                 endless[i].text);
        assert_int_equal(tess_a2xx_program_read(text, strlen(text), "endless", &options,
                                                (struct tess_sink){note, &found}, &program),
                         TESS_OK);
        assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
        assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_WRONG);
        assert_string_equal(found.rule, "a2xx-runaway");
        assert_string_equal(found.text, endless[i].found);
        tess_a2xx_destroy(a2xx);
        tess_a2xx_program_free(program);
    }
}

/* A finding is reported once per load of the program. `more` makes the next run report findings
 * again. */
TEST(test_told)
{
    struct found found = {0};
    struct tess_a2xx_program *program = read_program("a2xx-constant-unset");
    struct tess_a2xx *a2xx = make(1, &found);
    struct tess_a2xx_batch batch = {.stage = TESS_A2XX_PIXEL, .count = 1, .more = true};
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    assert_int_equal(found.count, 0);
    batch = (struct tess_a2xx_batch){.stage = TESS_A2XX_PIXEL, .base = 1};
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    assert_int_equal(found.count, 1);
    batch.count = 1;
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    assert_int_equal(found.count, 2);
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
}
