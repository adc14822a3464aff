/* SPDX-License-Identifier: MIT */
/* config.h - settings of a project: which findings fail a run, levels of rules, baseline of known
 * findings. docs/ci.md describes the format, a small subset of TOML. */
#ifndef FRONT_CONFIG_H
#define FRONT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/isa.h>

#include "front/colour.h"
#include "front/policy.h"

#define CONFIG_NAME "tessera.toml"

/* Zero-initialise the struct and release it with config_free(). */
struct config {
    char *path; /* path of the file, or NULL */
    bool has_fail_on, has_colour, strict;
    enum tess_level fail_on;
    enum colour_when colour;
    bool has_max_messages;
    uint64_t max_messages;
    char *baseline; /* path relative to the current folder, or absolute; NULL if not set */
    struct policy_rule *rules;
    size_t rule_count;
};

/* Returns the path of the configuration file for a file or folder. This is CONFIG_NAME in the
 * folder (for a file, in the file's folder) or in the nearest folder above that has such a file.
 * The caller frees the path. Returns NULL if there is no such file. */
char *config_find(const char *path);

/* Reads a file. is_rule returns true if an id is that of a rule or finding. Reports errors to the
 * sink with line and column. Errors: TESS_IO, TESS_BAD_INPUT, TESS_NO_MEMORY. */
enum tess_status config_read(struct config *config, const char *path,
                             bool (*is_rule)(const char *id), struct tess_sink sink);

void config_free(struct config *config);

#endif
