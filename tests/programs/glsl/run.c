/* SPDX-License-Identifier: MIT */
/* run.c - see run.h. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "run.h"

const struct glsl_shader *glsl_find(const struct glsl_shader *const *tables, const char *name)
{
    for (; *tables; tables++)
        for (const struct glsl_shader *shader = *tables; shader->name; shader++)
            if (!strcmp(shader->name, name))
                return shader;
    return NULL;
}

/* --- random inputs --- */

static uint64_t state = 0x9E3779B97F4A7C15;

/* the xorshift64 generator */
double glsl_fraction(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

double glsl_value(const struct glsl_input *input)
{
    double width = input->high - input->low;
    if (input->grid == 0)
        return (float)(input->low + width * glsl_fraction());
    return input->low + input->grid * floor(glsl_fraction() * (width / input->grid + 1));
}

void glsl_uniforms(const struct glsl_shader *shader, double rows[][4])
{
    for (const struct glsl_input *input = shader->uniforms;
         input < shader->uniforms + GLSL_UNIFORMS && input->name; input++)
        for (unsigned r = 0; r < (input->rows ? input->rows : 1); r++, rows++)
            for (int c = 0; c < 4; c++)
                (*rows)[c] = (float)(glsl_value(input) + (c == (int)r ? input->diagonal : 0));
}

/* --- comparing --- */

void glsl_compare(struct glsl_comparison *comparison, size_t number, const char *name,
                  int component, double got, double want, double tolerance)
{
    double size = fmax(1, fabs(want)), error = fabs(got - want) / size;
    comparison->compared++;
    if (error > 0)
        comparison->worst = fmax(comparison->worst, error / tolerance);
    if (error <= tolerance) /* also fails if the error is NaN */
        return;
    if (!comparison->wrong)
        printf("%s: %zu: %s.%c is %.9g, but GLSL says %.9g\n", comparison->shader->name, number,
               name, "xyzw"[component], got, want);
    comparison->wrong = true;
}

void glsl_report(const struct glsl_comparison *comparison)
{
    printf("%s: %zu values, error at most %.0f %% of the tolerance %.1g\n",
           comparison->shader->name, comparison->compared, 100 * comparison->worst,
           comparison->shader->tolerance);
}

/* --- checks of the tables --- */

/* Returns the text of a shader. The caller frees it. */
static struct buffer text_of(const char *name, const char *ending)
{
    char path[4096];
    struct buffer text = {0};
    snprintf(path, sizeof path, TEST_DATA "/programs/glsl/%s%s", name, ending);
    if (file_read(path, &text) != TESS_OK)
        fail_msg("%s cannot be read", path);
    return text;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* True if a declaration with this qualifier declares the name. */
static bool declares(const char *text, const char *qualifier, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; (line = strstr(line, qualifier)) != NULL; line++) {
        const char *end = strchr(line, ';');
        for (const char *at = line; end && (at = strstr(at, name)) != NULL && at < end; at++)
            if (!is_letter(at[-1]) && !is_letter(at[length]))
                return true;
    }
    return false;
}

static void expect_declared(const char *shader, const char *text, const char *qualifier,
                            const char *name)
{
    if (!declares(text, qualifier, name))
        fail_msg("%s has no %s %s", shader, qualifier, name);
}

void glsl_expect_declarations(const struct glsl_shader *const *tables, const char *ending,
                              const char *inputs)
{
    for (; *tables; tables++)
        for (const struct glsl_shader *shader = *tables; shader->name; shader++) {
            struct buffer file = text_of(shader->name, ending);
            const char *text = (const char *)file.data;
            for (size_t n = 0; n < GLSL_ATTRIBUTES && shader->attributes[n].name; n++)
                expect_declared(shader->name, text, inputs, shader->attributes[n].name);
            for (size_t n = 0; n < GLSL_UNIFORMS && shader->uniforms[n].name; n++)
                expect_declared(shader->name, text, "uniform", shader->uniforms[n].name);
            for (size_t n = 0; n < GLSL_VARYINGS && shader->varyings[n].name; n++)
                expect_declared(shader->name, text, "varying", shader->varyings[n].name);
            buffer_free(&file);
        }
}

void glsl_expect_references(const struct glsl_shader *const *tables, const char *ending,
                            size_t least)
{
    DIR *folder = opendir(TEST_DATA "/programs/glsl");
    assert_non_null(folder);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[256];
        snprintf(name, sizeof name, "%s", entry->d_name);
        char *end = strstr(name, ending);
        if (!end)
            continue;
        *end = 0;
        if (!glsl_find(tables, name))
            fail_msg("%s%s has no reference", name, ending);
        count++;
    }
    closedir(folder);
    assert_true(count >= least);
}
