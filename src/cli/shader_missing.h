/* SPDX-License-Identifier: MIT */
/* shader_missing.h - collects a shader's inputs without values, for a single message.
 *
 * In:  the names of attributes and uniforms without values. The machine receives 0, 0, 0, 1 for each
 *      attribute and 0 for each uniform, so that the machine does not report these inputs again.
 * Out: one message with the names, and with the options that set values. */
#ifndef CLI_SHADER_MISSING_H
#define CLI_SHADER_MISSING_H

#include <tessera/tessera.h>

enum { SHADER_MISSING_TEXT = 160 };

/* Zero-initialise. Lists are cut off at their size. */
struct shader_missing {
    /* kind of the attributes, "attribute" or "input"; file of the program */
    const char *what, *file;
    unsigned attributes, uniforms;
    char attribute_names[SHADER_MISSING_TEXT], uniform_names[SHADER_MISSING_TEXT];
    char columns[SHADER_MISSING_TEXT], first_uniform[SHADER_MISSING_TEXT];
};

/* Add an attribute of a kind (what) with a number of components, or a uniform. */
void shader_missing_attribute(struct shader_missing *missing, const char *what, const char *name,
                              unsigned components);
void shader_missing_uniform(struct shader_missing *missing, const char *name, const char *file);

/* Reports the missing inputs, if there are any. An attribute without data is an error, a uniform
 * without a value a warning. */
void shader_missing_report(const struct shader_missing *missing, struct tess_sink sink);

/* True if a finding of the run can be a consequence of missing inputs. */
bool shader_missing_explains(const struct shader_missing *missing, const char *rule);

#endif
