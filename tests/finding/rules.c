/* SPDX-License-Identifier: MIT */
/* rules.c - tests the table of rules. The expected rows are those of the .def files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../register.h"
#include "finding/rules.h"

TEST(ids_are_unique)
{
    for (size_t i = 0; i < tess_rule_count(); i++)
        assert_ptr_equal(tess_rule_find(tess_rule_get(i)->id, i < CHECK_RULES ? TESS_RULES_OF_CHECKS
                                                                              : TESS_RULES_OF_RUNS),
                         tess_rule_get(i));
    /* A rule of the checker and a rule of a model can share an id. */
    assert_int_equal(tess_rule_find("qpu-end-rules", TESS_RULES_ALL)->of, TESS_RULE_CHECK);
    assert_int_equal(tess_rule_find("qpu-end-rules", TESS_RULES_OF_RUNS)->of, TESS_RULE_VC4);
    assert_int_equal(tess_rule_find("bus-unmapped", TESS_RULES_ALL)->of, TESS_RULE_VC4);
    assert_null(tess_rule_find("bus-unmapped", TESS_RULES_OF_CHECKS));
}

TEST(rows_are_complete)
{
    const struct tess_rule *rule;
    for (size_t i = 0; (rule = tess_rule_get(i)); i++)
        if (!rule->id || !rule->title || !rule->why || !rule->instead || !rule->source ||
            !rule->model != (rule->of == TESS_RULE_CHECK) || !rule->machines ||
            rule->level > TESS_ERROR)
            fail_msg("rule %zu", i);
    assert_null(tess_rule_get(tess_rule_count()));
}

TEST(models_are_consecutive)
{
    assert_string_equal(rule_table[RULE_VC4_FIRST].id, "bus-unmapped");
    assert_int_equal(rule_table[RULE_VC4_FIRST].of, TESS_RULE_VC4);
    assert_int_equal(rule_table[RULE_VC4_FIRST - 1].of, TESS_RULE_CHECK);
    assert_int_equal(rule_table[0].of, TESS_RULE_CHECK);
    assert_int_equal(rule_table[RULE_PI_FIRST].of, TESS_RULE_PI);
    assert_int_equal(rule_table[RULE_PI_FIRST - 1].of, TESS_RULE_VC4);
    assert_int_equal(rule_table[RULE_GP_FIRST - 1].of, TESS_RULE_PI);
    assert_int_equal(rule_table[RULE_A2XX_FIRST - 1].of, TESS_RULE_GP);
    assert_int_equal(rule_table[RULES - 1].of, TESS_RULE_A2XX);
}

/* The hints of these three rules ask to raise a limit. */
TEST(settings)
{
    assert_int_equal(tess_rule_find("budget", TESS_RULES_OF_RUNS)->setting, TESS_SETTING_LIMIT);
    assert_int_equal(tess_rule_find("gp-runaway", TESS_RULES_OF_RUNS)->setting, TESS_SETTING_LIMIT);
    assert_int_equal(tess_rule_find("a2xx-runaway", TESS_RULES_OF_RUNS)->setting,
                     TESS_SETTING_LIMIT);
    assert_int_equal(tess_rule_find("bus-unmapped", TESS_RULES_OF_RUNS)->setting,
                     TESS_SETTING_NONE);
}

TEST(strict_raises_warnings)
{
    const struct tess_rule *rule;
    struct tess_finding finding = {0};
    for (size_t i = RULE_GP_FIRST; (rule = tess_rule_get(i))->level != TESS_WARNING; i++)
        assert_int_equal(rule->of, TESS_RULE_GP);
    rule_describe((unsigned)(rule - rule_table), false, &finding);
    assert_int_equal(finding.level, TESS_WARNING);
    assert_int_equal(finding.machine, TESS_MACHINE_GP);
    assert_int_equal(finding.count, 1);
    rule_describe((unsigned)(rule - rule_table), true, &finding);
    assert_int_equal(finding.level, TESS_ERROR);
    assert_string_equal(finding.id, rule->id);
}

/* Ids of the checker's rules and of other machines are not findings of a machine's runs. */
TEST(ids_of_a_machine)
{
    assert_string_equal(finding_id(TESS_MACHINE_GP, "gp-runaway", 10), "gp-runaway");
    assert_null(finding_id(TESS_MACHINE_A2XX, "gp-runaway", 10));
    assert_null(finding_id(TESS_MACHINE_GP, "gp-runaways", 11));
    assert_string_equal(finding_id(TESS_MACHINE_QPU, "list-halted", 11), "list-halted");
    assert_null(finding_id(TESS_MACHINE_GP, "list-halted", 11));
}

TEST(explanations)
{
    const struct tess_rule rules[] = {
        {.of = TESS_RULE_GP,
         .title = "A",
         .why = "B.",
         .model = "C",
         .instead = "d",
         .source = "E"},
        {.of = TESS_RULE_CHECK, .title = "A", .why = "B", .instead = "d", .source = "E"}};
    const char *run = "A.\n\nHardware: B.\nModel: C.\nInstead: d.\nSource: E.\n";
    const char *check = "A.\n\nWhy: B.\nInstead: d.\nSource: E.\n";
    char text[100] = "";
    assert_int_equal(tess_rule_explain(text, sizeof text, &rules[0]), strlen(run));
    assert_string_equal(text, run);
    assert_int_equal(tess_rule_explain(text, 3, &rules[1]), strlen(check));
    assert_string_equal(text, "A.");
    assert_int_equal(tess_rule_explain(NULL, 0, &rules[1]), strlen(check));
    assert_int_equal(tess_rule_explain(text, sizeof text, NULL), 0);
}

TEST(unknown_ids)
{
    assert_null(tess_rule_find("gp-nothing", TESS_RULES_OF_RUNS));
    assert_null(tess_rule_find("", TESS_RULES_OF_RUNS));
    assert_null(tess_rule_find(NULL, TESS_RULES_OF_RUNS));
}
