/* SPDX-License-Identifier: MIT */
/* run.h - generates random inputs, and compares a machine's outputs with the references of glsl.h.
 *
 * In:      the shader's name; the outputs of the machine.
 * Out:     inputs; the number of values compared, the largest error, and the first error above the
 *          tolerance on stdout. Choice:  inputs are floats, so that both sides have the same. */
#ifndef TESTS_GLSL_RUN_H
#define TESTS_GLSL_RUN_H

#include "glsl.h"

/* Returns the shader of this name in the tables, which end with NULL, or NULL. */
const struct glsl_shader *glsl_find(const struct glsl_shader *const *tables, const char *name);

/* Returns a random number from 0 up to, but not including, 1. */
double glsl_fraction(void);

/* Returns a random value of one component of an input. */
double glsl_value(const struct glsl_input *input);

/* Sets all uniforms to new random values. rows[] is as in glsl_values. */
void glsl_uniforms(const struct glsl_shader *shader, double rows[][4]);

struct glsl_comparison {
    const struct glsl_shader *shader;
    size_t compared;
    double worst; /* largest error, relative to its tolerance */
    bool wrong;
};

void glsl_compare(struct glsl_comparison *comparison, size_t number, const char *name,
                  int component, double got, double want, double tolerance);

/* Prints the result of a comparison in which no error exceeds its tolerance. */
void glsl_report(const struct glsl_comparison *comparison);

/* --- checks of the tables, with cmocka's assertions --- */

/* Checks that each shader of the tables has a text in glsl/, with the declarations that the
 * table names. Inputs are declared as "attribute" or "varying". */
void glsl_expect_declarations(const struct glsl_shader *const *tables, const char *ending,
                              const char *inputs);

/* Checks that each text with this ending in glsl/ is in the tables, and that there are at least
 * "least" texts. */
void glsl_expect_references(const struct glsl_shader *const *tables, const char *ending,
                            size_t least);

#endif
