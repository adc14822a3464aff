/* SPDX-License-Identifier: MIT */
/* run.h - a machine against the references of glsl.h: random inputs, and the comparison.
 *
 * In:      the shader's name; what the machine has written.
 * Out:     inputs; the values compared, the worst error, and the first one beyond the tolerance on stdout.
 * Choice:  inputs are floats, so that both sides see the same. */
#ifndef TESTS_GLSL_RUN_H
#define TESTS_GLSL_RUN_H

#include "glsl.h"

/* The shader of this name in the tables, which end with NULL; or NULL. */
const struct glsl_shader *glsl_find(const struct glsl_shader *const *tables, const char *name);

/* From 0 up to, but not including, 1. */
double glsl_fraction(void);

/* One component of an input. */
double glsl_value(const struct glsl_input *input);

/* Gives all uniforms new values: rows[] is as in glsl_values. */
void glsl_uniforms(const struct glsl_shader *shader, double rows[][4]);

struct glsl_comparison {
    const struct glsl_shader *shader;
    size_t compared;
    double worst; /* error by its tolerance */
    bool wrong;
};

void glsl_compare(struct glsl_comparison *comparison, size_t number, const char *name,
                  int component, double got, double want, double tolerance);

/* Prints that all is well. */
void glsl_report(const struct glsl_comparison *comparison);

/* --- the tables themselves: cmocka's assertions --- */

/* Each shader of the tables has a text in glsl/, with the declarations that the table names; inputs are declared as
 * "attribute" or "varying". */
void glsl_expect_declarations(const struct glsl_shader *const *tables, const char *ending,
                              const char *inputs);

/* Each text of this ending in glsl/ is in the tables, and there are enough. */
void glsl_expect_references(const struct glsl_shader *const *tables, const char *ending,
                            size_t least);

#endif
