/* SPDX-License-Identifier: MIT */
/* rules.c - tests the table of the models' rules. The expected rows are those of the .def files. */
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
        assert_ptr_equal(tess_rule_find(tess_rule_get(i)->id), tess_rule_get(i));
}

TEST(rows_are_complete)
{
    const struct tess_rule *rule;
    for (size_t i = 0; (rule = tess_rule_get(i)); i++)
        if (!rule->id || !rule->title || !rule->hardware || !rule->model || !rule->instead ||
            !rule->source || rule->severity > TESS_ERROR)
            fail_msg("rule %zu", i);
    assert_null(tess_rule_get(tess_rule_count()));
}

TEST(models_are_consecutive)
{
    assert_string_equal(rules_of_models[RULE_VC4_FIRST].id, "bus-unmapped");
    assert_int_equal(rules_of_models[RULE_PI_FIRST].of, TESS_RULE_PI);
    assert_int_equal(rules_of_models[RULE_PI_FIRST - 1].of, TESS_RULE_VC4);
    assert_int_equal(rules_of_models[RULE_GP_FIRST - 1].of, TESS_RULE_PI);
    assert_int_equal(rules_of_models[RULE_A2XX_FIRST - 1].of, TESS_RULE_GP);
    assert_int_equal(rules_of_models[RULES - 1].of, TESS_RULE_A2XX);
}

/* The hints of these three rules ask to raise a limit. */
TEST(settings)
{
    assert_int_equal(tess_rule_find("budget")->setting, TESS_SETTING_LIMIT);
    assert_int_equal(tess_rule_find("gp-runaway")->setting, TESS_SETTING_LIMIT);
    assert_int_equal(tess_rule_find("a2xx-runaway")->setting, TESS_SETTING_LIMIT);
    assert_int_equal(tess_rule_find("bus-unmapped")->setting, TESS_SETTING_NONE);
}

TEST(unknown_ids)
{
    assert_null(tess_rule_find("gp-nothing"));
    assert_null(tess_rule_find(""));
    assert_null(tess_rule_find(NULL));
}
