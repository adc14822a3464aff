/* SPDX-License-Identifier: MIT */
/* remedies.c - follows the hint of each row of src/a2xx/faults.def literally: in tests/programs/a2xx_findings/ID.a2xx, which
 * raises the finding, texts are replaced as the hint says; then the checker has neither errors nor warnings, and a run finds
 * nothing. The rules of the checker have such pairs in tests/isa/a2xx_check.c.
 *
 * Memory that can be written is at 0x10000, vertex constant 0 has all of it; a texture at 0x20000 is in texture constant 1. */
#include <stdlib.h>

#include "base/file.h"
#include "rig.h"

enum { LANES = 100, DATA = 0x10000, TEXTURE = 0x20000, REPLACED = 3, TEXT = 4096 };

struct pair {
    const char *old, *new;
};

/* clang-format off */
static const struct remedy {
    const char *id;
    struct pair pairs[REPLACED];
    const char *without; /* why there is no pair */
} remedies[] = {
    {"a2xx-runaway",            {{"COND_JMP ADDR(again) FORCE_CALL\n", ""}}, NULL},
    {"a2xx-control-outside",    {{"ADDR(100)", "ADDR(done)"}, {"EXEC_END\n", "done:\nEXEC_END\n"}}, NULL},
    {"a2xx-control-in-code",    {{"ADDR(4)", "ADDR(3)"}}, NULL},
    {"a2xx-clause-outside",     {{"CNT(3)", "CNT(2)"}}, NULL},
    {"a2xx-clause-long",        {{".layout memory\n", ""}, {"EXEC_END ADDR(1) CNT(7)", "EXEC"}, {"    ALU: MAXv export0", "EXEC_END\n    ALU: MAXv export0"}}, NULL},
    {"a2xx-loop-depth",         {{"LOOP_START ADDR(end4) LOOP_ID(0)\nLOOP_END ADDR(0) LOOP_ID(0)\nend4:\n", ""},
                                 {"LOOP_END ADDR(0) LOOP_ID(0)\nend3:\nLOOP_END ADDR(0) LOOP_ID(0)\nend2:\nLOOP_END ADDR(0) LOOP_ID(0)\nend1:\nLOOP_END ADDR(0)",
                                  "LOOP_END ADDR(4) LOOP_ID(0)\nend3:\nLOOP_END ADDR(3) LOOP_ID(0)\nend2:\nLOOP_END ADDR(2) LOOP_ID(0)\nend1:\nLOOP_END ADDR(1)"}}, NULL},
    {"a2xx-loop-end",           {{"LOOP_END ADDR(0)", "LOOP_START ADDR(done) LOOP_ID(0)\nLOOP_END ADDR(1)"}, {"ALLOC", "done:\nALLOC"}}, NULL},
    {"a2xx-loop-id",            {{"LOOP_END ADDR(body) LOOP_ID(1)", "LOOP_END ADDR(body) LOOP_ID(0)"}}, NULL},
    {"a2xx-loop-unset",         {{"LOOP_START", "@loop(5) 1, 0, 1\nLOOP_START"}}, NULL},
    {"a2xx-call-depth",         {{"sub:\nCOND_CALL ADDR(sub) FORCE_CALL\n", "sub:\n"}}, NULL},
    {"a2xx-bool-unset",         {{"COND_EXEC", "@bool(3) 1\nCOND_EXEC"}}, NULL},
    {"a2xx-divergent-jump",     {{"MAXv R2", "MAXvNE R2"}}, NULL},
    {"a2xx-predicate-missing",  {{"MAXv R2", "MAXvEQ R2"}}, NULL},
    {"a2xx-predicate-unset",    {{"    ALU: MAXvEQ", "    ALU: PRED_SETGTs R2.x___ = C0.xxxx\n    ALU: MAXvEQ"}}, NULL},
    {"a2xx-a0-unset",           {{"    ALU: MAXv R1", "    ALU: MOVAs R2.x___ = C0.xxxx\n    ALU: MAXv R1"}}, NULL},
    {"a2xx-a0-same",            {{"C[a0+0]\n         MOVAs R2.x___ = R0.xxxx", "C[a0+0]\n    ALU: MOVAs R2.x___ = R0.xxxx"}}, NULL},
    {"a2xx-a0-clamped",         {{"300.0", "255.0"}}, NULL},
    {"a2xx-al-outside",         {{"EXEC\n", "@loop(0) 1, 0, 1\nLOOP_START ADDR(done) LOOP_ID(0)\nbody:\nEXEC\n"}, {"ALLOC", "LOOP_END ADDR(body) LOOP_ID(0)\ndone:\nALLOC"}}, NULL},
    {"a2xx-register-a0",        {{" ABSOLUTE_ADDR", ""}}, NULL},
    {"a2xx-ps-unset",           {{"    ALU: ADD_PREVs", "    ALU: MAXs R2.x___ = C0.xxxx\n    ALU: ADD_PREVs"}}, NULL},
    {"a2xx-register-unwritten", {{"R5.xyz_", "R5"}}, NULL},
    {"a2xx-register-range",     {{"@loop(0) 1, 10, 1", "@loop(0) 1, 3, 1"}}, NULL},
    {"a2xx-constant-range",     {{"100.0", "0.0"}, {"C[a0+200], C[a0+200]", "C[a0+0], C[a0+0]"}}, NULL},
    {"a2xx-constant-unset",     {{"EXEC\n", "@const(C7) 1.0, 1.0, 1.0, 1.0\nEXEC\n"}}, NULL},
    {"a2xx-fetch-result",       {{"    ALU: MAXv", " (S)ALU: MAXv"}}, NULL},
    {"a2xx-fetch-chain",        {{"    FETCH: VERTEX R2", " (S)FETCH: VERTEX R2"}}, NULL},
    {"a2xx-vector-operation",   {{"0x140f0001, 0x00000000, 0x3e000000", "MAXv R1 = C0, C0"}}, NULL},
    {"a2xx-scalar-operation",   {{"0xa4100200, 0x00000000, 0x22000000", "MAXs R2.x___ = C0.xxxx"}}, NULL},
    {"a2xx-coissue-write",      {{"R1.xy__", "R1._y__"}}, NULL},
    {"a2xx-coissue-effects",    {{"         PRED_SETEs", "    ALU: PRED_SETEs"}}, NULL},
    {"a2xx-kill-vertex",        {{"    ALU: KILLEs R1.x___ = C0.xxxx", "    ALU: MAXv R1 = C0, C0"}, {"SIZE(0)", "SIZE(1)"},
                                 {"export62 = C0, C0\n", "export62 = C0, C0\n    ALU: MAXv export63.__z_ = C0.yyyy, C0.yyyy\n"}}, NULL},
    {"a2xx-export-number",      {{"    ALU: MAXv export20 = C0, C0\n", ""}}, NULL},
    {"a2xx-export-unallocated", {{"ALLOC POSITION SIZE(0)\nEXEC_END\n    ALU: MAXv export0 = C0, C0\n    ALU: MAXv export62 = C0, C0\n",
                                  "ALLOC POSITION SIZE(0)\nEXEC\n    ALU: MAXv export62 = C0, C0\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n    ALU: MAXv export0 = C0, C0\n"}}, NULL},
    {"a2xx-export-count",       {{"PARAM/PIXEL SIZE(0)", "PARAM/PIXEL SIZE(1)"}}, NULL},
    {"a2xx-export-unwritten",   {{"MAXvEQ", "MAXv"}}, NULL},
    {"a2xx-position-missing",   {{"ALLOC PARAM", "ALLOC POSITION SIZE(0)\nEXEC\n    ALU: MAXv export62 = C0, C0\nALLOC PARAM"}}, NULL},
    {"a2xx-position-zero",      {{"2.0, 0.0", "2.0, 1.0"}}, NULL},
    {"a2xx-position-number",    {{"C0) 0.0", "C0) 4.0"}}, NULL},
    {"a2xx-output-number",      {{"C0) -1.0", "C0) 4.0"}}, NULL},
    {"a2xx-colour-missing",     {{"EXEC_END\n    ALU: MAXv R1", "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n    ALU: MAXv export0"}}, NULL},
    {"a2xx-memory-address",     {{"    ALU: MAXv export33", "    ALU: MULADDv export32 = C2, R0.xxxx, C1\n    ALU: MAXv export33"}}, NULL},
    {"a2xx-memory-index",       {{"8388624.0", "8392704.0"}}, NULL},
    {"a2xx-memory-format",      {{"8450048.0", "8409088.0"}}, NULL},
    {"a2xx-memory-unmapped",    {{"2.5625", "2.00390625"}}, NULL},
    {"a2xx-memory-read-only",   {{"2.01171875", "2.00390625"}}, NULL},
    {"a2xx-fetch-unmapped",     {{"CONST(0, 2)", "CONST(0, 0)"}}, NULL},
    {"a2xx-fetch-beyond",       {{"CONST(0, 1)", "CONST(0, 0)"}}, NULL},
    {"a2xx-fetch-index",        {{"    ALU: RECIP_IEEE R2.x___ = C0.xxxx\n", ""}, {"(S)FETCH", "FETCH"}, {"R2.x", "R0.x"}}, NULL},
    {"a2xx-fetch-coordinate",   {{"C0) 0.0", "C0) 4.0"}}, NULL},
    {"a2xx-fetch-unset",        {{"CONST(20, 0)", "CONST(0, 0)"}}, NULL},
    {"a2xx-fetch-format",       {{"TYPE(63)", "FMT_32_32_32_32_FLOAT"}}, NULL},
    {"a2xx-fetch-kind",         {{"FMT_DXT1", "FMT_32_32_32_32_FLOAT"}}, NULL},
    {"a2xx-fetch-type",         {{"CONST(4, 0)", "CONST(0, 0)"}}, NULL},
    {"a2xx-fetch-operation",    {{"0x00101002, 0x1ffff688, 0x00000002", "SAMPLE R1 = R0.xyx CONST(1)"}}, NULL},
    {"a2xx-fetch-stride",       {{"STRIDE(15)", "STRIDE(16)"}}, NULL},
    {"a2xx-fetch-offset",       {{"STRIDE(8)", "STRIDE(12)"}}, NULL},
    {"a2xx-fetch-dimension",    {{"DIM(CUBE)", "DIM(2D)"}}, NULL},
    {"a2xx-fetch-swizzle",      {{"0x18081000, 0x002636b0, 0x00000010", "VERTEX R1 = R0.x FMT_32_32_32_32_FLOAT SIGNED STRIDE(16) CONST(0, 0)"}}, NULL},
    {"a2xx-fetch-mini",         {{" MINI(1)", ""}}, NULL},
    {"a2xx-fetch-pitch",        {{NULL, NULL}}, "the pitch is in the texture's constant, which the run sets, not the program"},
};

/* clang-format on */

enum { REMEDIES = sizeof remedies / sizeof remedies[0] };

static char said[1024];

/* Advice is not a finding. */
static void note(void *user, const struct tess_diag *diag)
{
    (void)user;
    if (diag->severity != TESS_NOTE && !said[0])
        snprintf(said, sizeof said, "line %u: %s [%s]", diag->line, diag->text, diag->rule);
}

/* --- programs --- */

static void replace(char text[TEXT], const struct remedy *remedy, const struct pair *pair)
{
    size_t old = strlen(pair->old), new = strlen(pair->new);
    char *at = strstr(text, pair->old);
    if (!at)
        fail_msg("%s: the program does not have '%s'", remedy->id, pair->old);
    for (; at; at = strstr(at + new, pair->old)) {
        assert_true(strlen(text) + new < TEXT);
        memmove(at + new, at + old, strlen(at + old) + 1);
        memcpy(at, pair->new, new);
    }
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
    for (unsigned i = 0; i < REPLACED && remedy->pairs[i].old; i++)
        replace(text, remedy, &remedy->pairs[i]);
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
        data[i] = 1; /* a position's w is not 0 */
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
    const struct tess_a2xx_options options = {.threads = 1, .limit = 1000};
    struct tess_a2xx *a2xx;
    struct tess_a2xx_batch batch = {.stage = tess_a2xx_program_stage(program), .count = LANES};
    if (batch.stage == TESS_A2XX_PIXEL)
        batch.registers[0] = pixels;
    assert_int_equal(tess_a2xx_create(&options, (struct tess_sink){note, NULL}, &a2xx), TESS_OK);
    set_memory(a2xx);
    assert_int_equal(tess_a2xx_load(a2xx, batch.stage, program), TESS_OK);
    if (tess_a2xx_run(a2xx, &batch) != TESS_OK)
        fail_msg("%s: the run fails: %s", remedy->id, said);
    tess_a2xx_free(a2xx);
}

static void test_remedies(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (unsigned i = 0; i < REMEDIES; i++) {
        if (remedies[i].without)
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

static void test_each_finding_has_a_remedy(void **state)
{
    unsigned wrong = 0;
    (void)state;
    assert_int_equal(REMEDIES, tess_a2xx_finding_count());
    for (size_t i = 0; i < tess_a2xx_finding_count(); i++) {
        const char *id = tess_a2xx_finding_get(i)->id;
        bool found = false;
        for (unsigned k = 0; k < REMEDIES; k++)
            found |= strcmp(remedies[k].id, id) == 0;
        if (!found)
            print_error("%s has no remedy\n", id);
        wrong += !found;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remedies),
        cmocka_unit_test(test_each_finding_has_a_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
