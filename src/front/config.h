/* SPDX-License-Identifier: MIT */
/* config.h - a project's settings: which findings fail, what levels rules have, which findings are known. docs/ci.md has the format,
 * which is a small part of TOML. */
#ifndef FRONT_CONFIG_H
#define FRONT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/isa.h>

#include "front/colour.h"
#include "front/policy.h"

#define CONFIG_NAME "tessera.toml"

/* Zero it, and release it with config_free(). */
struct config {
    char *path; /* of the file; NULL: there is none */
    bool has_fail_on, has_colour, strict;
    enum tess_severity fail_on;
    enum colour_when colour;
    bool has_max_messages;
    uint64_t max_messages;
    char *baseline; /* as seen from the current folder; NULL: none */
    struct policy_rule *rules;
    size_t rule_count;
};

/* The file that holds for a file or folder: CONFIG_NAME in its folder, or the nearest one above. To be freed; NULL: there is none. */
char *config_find(const char *path);

/* Reads a file. is_rule: whether an id is one. Mistakes go to the sink with line and column. Errors: TESS_IO, TESS_BAD_INPUT,
 * TESS_NO_MEMORY. */
enum tess_status config_read(struct config *config, const char *path,
                             bool (*is_rule)(const char *id), struct tess_sink sink);

void config_free(struct config *config);

#endif
