/* SPDX-License-Identifier: MIT */
/* asks.h - the functions of the rules, from the rows of a machine.
 *
 * A row of a table of rules has three columns about the function that finds the mistake. WHEN says
 * when the checker calls the function (enum check_when in rules.h). HOW is DO if the function
 * reports its findings, and IF if it returns true where the rule is broken and the checker reports
 * the title of the rule. HOW is AS if several rows name the function: it also receives the rule,
 * and reports no other rule. If WHEN is NONE, HOW is BY for a function that another row or a step
 * of the paths calls, and ELSEWHERE for a file outside of the machine's checker.
 *
 * Define ASK_WALK as the type that the functions receive, and include the table after this file.
 * The first time, the rows declare their functions. Later, they are the body of a function with the
 * parameters const ASK_WALK *walk and enum check_when when, and call the functions with this WHEN.
 * Define ASK_RULE(NAME), the rule of a row, and ASK_TITLE(rule), which reports the rule's title,
 * before that. */
#undef ASK_DO
#undef ASK_IF
#undef ASK_AS
#undef ASK_BY
#undef ASK_ELSEWHERE
#ifdef ASK_TITLE
#define ASK_DO(NAME, function) function(walk);
#define ASK_IF(NAME, function) \
    if (function(walk))        \
        ASK_TITLE(ASK_RULE(NAME));
#define ASK_AS(NAME, function) function(walk, ASK_RULE(NAME));
#define RULE(NAME, id, level, WHEN, HOW, function, title, why, instead, source) \
    if (when == CHECK_WHEN_##WHEN) {                                            \
        ASK_##HOW(NAME, function)                                               \
    }
#else
#define ASK_DO(NAME, function) void function(const ASK_WALK *walk);
#define ASK_IF(NAME, function) bool function(const ASK_WALK *walk);
#define ASK_AS(NAME, function) void function(const ASK_WALK *walk, enum check_rule rule);
#define RULE(NAME, id, level, WHEN, HOW, function, title, why, instead, source) \
    ASK_##HOW(NAME, function)
#endif
#define ASK_BY(NAME, function)
#define ASK_ELSEWHERE(NAME, function)
