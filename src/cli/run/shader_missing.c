/* SPDX-License-Identifier: MIT */
/* shader_missing.c - see shader_missing.h. */
#include "cli/run/shader_missing.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { HINT_TEXT = 400 };

/* --- collecting names --- */

static void append(char list[SHADER_MISSING_TEXT], const char *separator, const char *name)
{
    size_t length = strlen(list);
    snprintf(list + length, SHADER_MISSING_TEXT - length, "%s%s", length ? separator : "", name);
}

void shader_missing_attribute(struct shader_missing *missing, const char *what, const char *name,
                              unsigned components)
{
    char column[SHADER_MISSING_TEXT];
    missing->what = what;
    missing->attributes++;
    append(missing->attribute_names, "', '", name);
    for (unsigned c = 0; c < (components ? components : 4); c++) {
        snprintf(column, sizeof column, "%s.%c", name, "xyzw"[c & 3]);
        append(missing->columns, ",", column);
    }
}

void shader_missing_uniform(struct shader_missing *missing, const char *name, const char *file)
{
    missing->file = file;
    if (!missing->uniforms++)
        append(missing->first_uniform, "", name);
    append(missing->uniform_names, "', '", name);
}

/* --- the message --- */

static void put_list(struct text *text, const char *what, unsigned count, const char *names,
                     const char *lack)
{
    text_put(text, "%s%s '%s' %s no %s", what, count > 1 ? "s" : "", names,
             count > 1 ? "have" : "has", lack);
}

static void put_hint(struct text *text, const struct shader_missing *missing)
{
    if (missing->attributes)
        text_put(text, "give --attributes FILE.csv with the columns %s", missing->columns);
    text_put(text, "%s", missing->attributes && missing->uniforms ? "; " : "");
    if (missing->uniforms)
        text_put(text, "give --uniform %s=VALUE,VALUE...%s", missing->first_uniform,
                 missing->uniforms > 1 ? " for each" : "");
}

void shader_missing_report(const struct shader_missing *missing, struct tess_sink sink)
{
    char list[3 * SHADER_MISSING_TEXT] = "", hint[HINT_TEXT] = "";
    struct text text = {list, sizeof list, 0}, advice = {hint, sizeof hint, 0};
    if (missing->attributes)
        put_list(&text, missing->what, missing->attributes, missing->attribute_names, "data");
    text_put(&text, "%s", missing->attributes && missing->uniforms ? ", and " : "");
    if (missing->uniforms)
        put_list(&text, "uniform", missing->uniforms, missing->uniform_names, "value");
    text_put(&text, ": %s 0", missing->attributes + missing->uniforms > 1 ? "they are" : "it is");
    put_hint(&advice, missing);
    const struct tess_finding diag = {.level = missing->attributes ? TESS_ERROR : TESS_WARNING,
                                      .id = missing->attributes ? "run-attribute-missing"
                                                                : "run-uniform-missing",
                                      .text = list,
                                      .hint = hint,
                                      .file = missing->file};
    if (missing->attributes || missing->uniforms)
        sink.report(sink.user, &diag);
}

bool shader_missing_explains(const struct shader_missing *missing, const char *rule)
{
    static const char *const of_values[] = {
        "gp-varying-number",     "gp-position-zero",   "a2xx-position-zero", "gp-address-fraction",
        "gp-row-wrap",           "gp-clamp-bounds",    "a2xx-a0-clamped",    "a2xx-output-number",
        "a2xx-position-number",  "a2xx-fetch-index",   "a2xx-memory-index",  "a2xx-constant-range",
        "a2xx-fetch-coordinate", "a2xx-register-range"};
    if (!rule || (!missing->attributes && !missing->uniforms))
        return false;
    for (size_t i = 0; i < sizeof of_values / sizeof of_values[0]; i++)
        if (strcmp(of_values[i], rule) == 0)
            return true;
    return false;
}
