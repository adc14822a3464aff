/* SPDX-License-Identifier: MIT */
/* asks.h - the functions of the rules, from the rows of a machine.
 *
 * A row of a table of rules has three columns about the function that finds the mistake. WHEN says
 * when the checker calls the function:
 *
 *   WORD                 for each instruction
 *   ALU, FETCH, CONTROL  for each instruction of this kind (A2xx)
 *   PAIR                 for each two instructions that are close on a path
 *   PATH                 for each instruction that a path reaches, with the state before it
 *   END                  for each end of the program that a path reaches, with the state there
 *   PROGRAM              once for the program, after its paths
 *
 * HOW is DO if the function reports its findings, and IF if it returns true where the rule is broken
 * and the checker reports the title of the rule. If WHEN is NONE, HOW is BY for a function that
 * another row or a step of the paths calls, and ELSEWHERE for a file outside of the machine's
 * checker.
 *
 * Define ASK_TABLE as the file of the rows, and ASK_WHEN(HOW, NAME, function) for the rows to read.
 * Each inclusion reads the rows once and undefines these macros, except for ASK_TABLE. */
#ifndef ASK_TYPE_DO
#define ASK_TYPE_DO                  void
#define ASK_TYPE_IF                  bool
#define ASK_CALL_DO(function, title) function(walk);
#define ASK_CALL_IF(function, title) \
    if (function(walk))              \
        title;
#define ASK_NONE(HOW, NAME, function)
#endif
#ifndef ASK_WORD
#define ASK_WORD(HOW, NAME, function)
#endif
#ifndef ASK_ALU
#define ASK_ALU(HOW, NAME, function)
#endif
#ifndef ASK_FETCH
#define ASK_FETCH(HOW, NAME, function)
#endif
#ifndef ASK_CONTROL
#define ASK_CONTROL(HOW, NAME, function)
#endif
#ifndef ASK_PAIR
#define ASK_PAIR(HOW, NAME, function)
#endif
#ifndef ASK_PATH
#define ASK_PATH(HOW, NAME, function)
#endif
#ifndef ASK_END
#define ASK_END(HOW, NAME, function)
#endif
#ifndef ASK_PROGRAM
#define ASK_PROGRAM(HOW, NAME, function)
#endif
#define RULE(NAME, id, level, WHEN, HOW, function, title, why, instead, source) \
    ASK_##WHEN(HOW, NAME, function)
#include ASK_TABLE
#undef ASK_WORD
#undef ASK_ALU
#undef ASK_FETCH
#undef ASK_CONTROL
#undef ASK_PAIR
#undef ASK_PATH
#undef ASK_END
#undef ASK_PROGRAM
