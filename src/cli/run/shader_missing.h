/* SPDX-License-Identifier: MIT */
/* shader_missing.h - collects a shader's inputs without values, for a single message.
 *
 * In:  the names of attributes and uniforms without values. The caller sets such an attribute to
 *      0, 0, 0, 1 and such a uniform to 0, so that the model does not report the input again.
 * Out: one message with the names, and with the options that set values. */
#ifndef CLI_RUN_SHADER_MISSING_H
#define CLI_RUN_SHADER_MISSING_H

#include <tessera/tessera.h>

enum { SHADER_MISSING_TEXT = 160 };

/* Inputs without values. The caller sets the structure to zero first. Each list of names is cut off
 * at the size of its array. */
struct shader_missing {
    /* what: "attribute" or "input". file: name of the program's file. */
    const char *what, *file;
    unsigned attributes, uniforms;
    char attribute_names[SHADER_MISSING_TEXT], uniform_names[SHADER_MISSING_TEXT];
    char columns[SHADER_MISSING_TEXT], first_uniform[SHADER_MISSING_TEXT];
};

/* Add an attribute or a uniform without a value. what: "attribute" or "input". components: number
 * of the attribute's components, or 0 for 4. file: name of the program's file. */
void shader_missing_attribute(struct shader_missing *missing, const char *what, const char *name,
                              unsigned components);
void shader_missing_uniform(struct shader_missing *missing, const char *name, const char *file);

/* Reports the missing inputs in one diagnostic. Its severity is error if an attribute has no data,
 * or warning if only uniforms have no values. Reports nothing if no input is missing. */
void shader_missing_report(const struct shader_missing *missing, struct tess_sink sink);

/* True if inputs are missing and a finding with the id `rule` can be a consequence of the missing
 * values. */
bool shader_missing_explains(const struct shader_missing *missing, const char *rule);

#endif
