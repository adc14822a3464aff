/* SPDX-License-Identifier: MIT */
/* shader_missing.h - inputs of a shader that the command line gives no values: one message for all of them.
 *
 * In:  attributes and uniforms by name, as they turn out to be missing. They count as given to the machine: attributes are
 *      0, 0, 0, 1, and uniforms 0, so that the machine reports none of them again.
 * Out: one message with the names, and with the options that give values. */
#ifndef CLI_SHADER_MISSING_H
#define CLI_SHADER_MISSING_H

#include <tessera/tessera.h>

enum { SHADER_MISSING_TEXT = 160 };

/* Zero-initialise it. Lists are cut at their size. */
struct shader_missing {
    const char *what, *file; /* "attribute" or "input"; the file of the program */
    unsigned attributes, uniforms;
    char attribute_names[SHADER_MISSING_TEXT], uniform_names[SHADER_MISSING_TEXT];
    char columns[SHADER_MISSING_TEXT], first_uniform[SHADER_MISSING_TEXT];
};

/* what: of the names; components: of the attribute. */
void shader_missing_attribute(struct shader_missing *missing, const char *what, const char *name,
                              unsigned components);
void shader_missing_uniform(struct shader_missing *missing, const char *name, const char *file);

/* Reports what is missing, if anything is. An attribute without data is an error, a uniform without a value a warning. */
void shader_missing_report(const struct shader_missing *missing, struct tess_sink sink);

/* Whether a finding of the run follows from the values of missing inputs. */
bool shader_missing_explains(const struct shader_missing *missing, const char *rule);

#endif
