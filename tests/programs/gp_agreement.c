/* SPDX-License-Identifier: MIT */
/* gp_agreement.c - tests that the checker reports every finding of the sanitizer in a run of a GP
 * program. For programs without branches, which execute every instruction, the sanitizer also
 * reports every finding of the checker.
 *
 * The programs are random. The checker and the sanitizer are only compared with each other.
 * src/check/gp and src/mali/gp share the facts about an instruction's inputs and results
 * (src/isa/gp/facts.h), and are otherwise independent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/finding.h>
#include <tessera/isa.h>
#include <tessera/utgard.h>

#include "../random.h"
#include "../register.h"
#include "base/bits.h"
#include "isa/gp/gp_isa.h"

enum {
    INSTRUCTIONS = 8, /* at most the number of reports of one kind that the sanitizer prints */
    PROGRAMS = 3000,
    ROWS = 8,
};

/* Ids that both the checker and the sanitizer have, and flags for ids that one of them may
 * report alone. */
static const struct common {
    const char *id;
    bool run_knows_more, check_knows_more;
} common[] = {
    /* clang-format off */
    /* clang-format off */
    {"gp-before-start",      false, false},
    {"gp-idle-result",       false, false},
    {"gp-complex1-early",    false, false},
    {"gp-unknown-source",    false, true}, /* the checker also checks sources of idle units */
    {"gp-operand-unused",    false, true},
    {"gp-unknown-operation", false, true},
    {"gp-load-offset",       false, true},
    {"gp-flags",             false, false},
    {"gp-register-early",    false, false},
    {"gp-register-unset",    false, false},
    {"gp-address-early",     false, false},
    {"gp-address-unset",     false, false},
    {"gp-temporary-address", false, false},
    {"gp-temporary-fields",  false, true},
    {"gp-store-source",      false, false},
    {"gp-store-idle",        false, false},
    {"gp-store-complex1",    false, false},
    {"gp-branch-condition",  false, true},
    /* The checker does not report operands whose values it cannot determine. */
    {"gp-exp2-operand",      true,  false},
    {"gp-postlog2-operand",  true,  false},
    /* clang-format on */
    /* clang-format on */
};

enum { COMMON = sizeof common / sizeof common[0] };

/* Findings of a program. Each instruction has a mask whose bit 1 << i is entry i of common[]. */
struct found {
    uint32_t at[INSTRUCTIONS];
    char texts[COMMON][INSTRUCTIONS][160];
};

static void add(struct found *found, const char *id, unsigned at, const char *text)
{
    for (unsigned i = 0; i < COMMON; i++) {
        if (strcmp(common[i].id, id) != 0 || at >= INSTRUCTIONS)
            continue;
        found->at[at] |= 1u << i;
        snprintf(found->texts[i][at], sizeof found->texts[i][at], "%s", text);
    }
}

/* --- programs --- */

static uint32_t below(uint32_t *seed, uint32_t end)
{
    return next_random(seed) % end;
}

/* Returns an instruction, in most cases in the form that compilers emit, so that a program has
 * few errors. */
static struct gp_insn random_instruction(uint32_t *seed)
{
    struct gp_insn insn = gp_nop();
    for (unsigned i = 0; i < GP_FIELDS; i++) {
        enum gp_kind kind = gp_fields[i].kind;
        bool source = kind == GP_KIND_SOURCE || kind == GP_KIND_MUL_SOURCE1 ||
                      kind == GP_KIND_ACC_SOURCE1;
        if ((source && below(seed, 2)) || (kind == GP_KIND_STORE_SOURCE && below(seed, 4) == 0) ||
            below(seed, 12) == 0)
            gp_field_set(&insn, i, next_random(seed));
    }
    insn.load_addr = (uint16_t)below(seed, ROWS);
    insn.branch = 0;
    insn.unknown_1 = below(seed, 8) ? insn.store0_temporary || insn.store1_temporary ? 12 : 0
                                    : (uint16_t)below(seed, 16);
    return insn;
}

/* Adds a branch to an instruction. Its condition is usually a component of a row. */
static void add_branch(struct gp_insn *insn, uint32_t *seed)
{
    insn->branch = 1;
    insn->unknown_1 = GP_FLAGS_BRANCH;
    insn->store0_temporary = insn->store1_temporary = 0; /* this combination has a separate rule */
    gp_set_branch_target(insn, below(seed, INSTRUCTIONS));
    if (below(seed, 8) == 0)
        return;
    insn->pass_op = GP_PASS_MOV;
    insn->pass_src = (uint16_t)(GP_SRC_ROW_X + below(seed, 4));
}

static void random_program(uint32_t *seed, bool branches, uint32_t words[])
{
    for (unsigned i = 0; i < INSTRUCTIONS; i++) {
        struct gp_insn insn = random_instruction(seed);
        if (branches && below(seed, 4) == 0)
            add_branch(&insn, seed);
        gp_encode(&insn, words + (size_t)i * GP_WORDS);
    }
}

/* --- the checker and the machine --- */

static void see_check(void *user, const struct tess_finding *finding)
{
    add(user, finding->id, finding->check->place.address / GP_INSN_BYTES, finding->text);
}

static void see_run(void *user, const struct tess_finding *diag)
{
    const char *number = strstr(diag->text, "instruction ");
    if (number)
        add(user, diag->id, (unsigned)strtoul(number + strlen("instruction "), NULL, 10),
            diag->text);
}

static void check(const uint32_t *words, struct found *found)
{
    uint8_t bytes[INSTRUCTIONS * GP_INSN_BYTES];
    const struct tess_check_options options = {.machine = TESS_MACHINE_GP};
    for (unsigned i = 0; i < INSTRUCTIONS * GP_WORDS; i++)
        store_le32(bytes + 4 * i, words[i]);
    tess_check_bytes(bytes, sizeof bytes, "words", &options, (struct tess_sink){0},
                     (struct tess_sink){see_check, found});
}

static void run(const uint32_t *words, struct found *found)
{
    static const float values[4] = {0, 1, 2, 3};
    struct tess_gp_options options = {.machine.threads = 1, .machine.max_instructions = 100};
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES];
    struct tess_gp_varying varyings[TESS_GP_VARYINGS] = {{0}};
    struct tess_gp_program *program;
    struct tess_gp *gp;
    assert_int_equal(tess_gp_program_words(words, INSTRUCTIONS, &program), TESS_OK);
    options.machine.sink = (struct tess_sink){see_run, found};
    assert_int_equal(tess_gp_create(&gp, &options), TESS_OK);
    for (unsigned i = 0; i < TESS_GP_ATTRIBUTES; i++)
        attributes[i] = (struct tess_gp_attribute){values, sizeof values, 0, TESS_GP_F32, 4};
    for (unsigned row = 0; row < 512; row++)
        assert_int_equal(tess_gp_set_rows(gp, row, values, 1), TESS_OK);
    assert_int_equal(tess_gp_load(gp, program), TESS_OK);
    const struct tess_gp_batch batch = {.attributes = attributes, .varyings = varyings, .count = 1};
    enum tess_status status = tess_gp_run(gp, &batch); /* a loop may run until the limit */
    assert_true(status == TESS_OK || status == TESS_WRONG);
    tess_gp_destroy(gp);
    tess_gp_program_free(program);
}

/* Prints the findings that only one of the two reports, and returns their number. If the run has
 * not executed all instructions, the checker may report more. */
static unsigned compare(const struct found *checked, const struct found *met, bool branches,
                        uint32_t seed)
{
    unsigned wrong = 0;
    for (unsigned at = 0; at < INSTRUCTIONS; at++) {
        uint32_t before = checked->at[at] & ~met->at[at], later = met->at[at] & ~checked->at[at];
        for (unsigned i = 0; i < COMMON; i++) {
            bool check_alone = (before >> i & 1) && !common[i].check_knows_more && !branches,
                 run_alone = (later >> i & 1) && !common[i].run_knows_more;
            if (check_alone || run_alone)
                print_error("program %08x, instruction %u, %s: only %s\n", seed, at, common[i].id,
                            check_alone ? checked->texts[i][at] : met->texts[i][at]);
            wrong += check_alone || run_alone;
        }
    }
    return wrong;
}

static void compare_programs(bool branches)
{
    uint32_t seed = 0x5eed;
    unsigned wrong = 0, agreed[COMMON] = {0};
    for (unsigned i = 0; i < PROGRAMS && wrong < 20; i++) {
        uint32_t words[INSTRUCTIONS * GP_WORDS], first = seed;
        struct found checked = {.at = {0}}, met = {.at = {0}};
        random_program(&seed, branches, words);
        check(words, &checked);
        run(words, &met);
        wrong += compare(&checked, &met, branches, first);
        for (unsigned k = 0; k < INSTRUCTIONS * COMMON; k++)
            agreed[k % COMMON] += (checked.at[k / COMMON] & met.at[k / COMMON]) >> k % COMMON & 1;
    }
    assert_int_equal(wrong, 0);
    for (unsigned i = 0; i < COMMON; i++)
        if (agreed[i] == 0 && (branches || strcmp(common[i].id, "gp-branch-condition") != 0))
            fail_msg("no program has raised %s", common[i].id);
}

/* Ids that both have but that these programs cannot compare, with the reasons. */
static const struct {
    const char *id, *why;
} apart[] = {
    /* clang-format off */
    /* clang-format off */
    {"gp-across-branch",
     "the checker follows no values across branches that it does not know"},
    {"gp-branch-outside",     "the programs' targets are all inside"},
    {"gp-clamp-bounds",       "the checker looks at declared constants only"},
    {"gp-complex1-operands",  "the two follow values over different distances"},
    {"gp-complex2-operands",  "the two follow values over different distances"},
    {"gp-identity",           "the checker asks whether anybody reads the complex result"},
    {"gp-log2-moved",         "the two follow values over different distances"},
    {"gp-partial-result",     "the two follow values over different distances"},
    {"gp-position-unwritten", "the programs declare no varyings"},
    {"gp-varying-unwritten",  "the programs declare no varyings"},
    {"gp-row-unset",          "all rows are set"},
    {"gp-runaway",            "the checker reports loops without an exit only"},
    {"gp-temporary-early",    "the checker does not know which row addr0 names"},
    /* clang-format on */
    /* clang-format on */
};

static bool is_apart(const char *id)
{
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        if (strcmp(apart[i].id, id) == 0)
            return true;
    return false;
}

static bool is_common(const char *id)
{
    for (size_t i = 0; i < COMMON; i++)
        if (strcmp(common[i].id, id) == 0)
            return true;
    return false;
}

/* Every id that is both a rule of the checker and a finding of the run has the same level in both,
 * and is either compared or listed as not comparable. */
TEST(test_levels)
{
    const struct tess_rule *finding;
    size_t pairs = 0;
    for (size_t i = 0; (finding = tess_rule_get(i)); i++) {
        const struct tess_rule *rule = tess_rule_find(finding->id, TESS_RULES_OF_CHECKS);
        if (finding->of != TESS_RULE_GP || !rule || strcmp(rule->id, finding->id) != 0)
            continue;
        pairs++;
        if (rule->level != finding->level)
            fail_msg("%s: the checker and the run have two levels", finding->id);
        if (is_common(finding->id) == is_apart(finding->id))
            fail_msg("%s is neither compared nor apart, or both", finding->id);
    }
    assert_int_equal(pairs, COMMON + sizeof apart / sizeof apart[0]);
}

TEST(test_straight)
{
    compare_programs(false);
}

TEST(test_branches)
{
    compare_programs(true);
}
