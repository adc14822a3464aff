/* SPDX-License-Identifier: MIT */
/* policy.h - what the user makes of findings: which level a rule has, which findings are known or allowed, and which fail a run.
 *
 * In:  options, a configuration file, a baseline, comments in sources; findings as they come.
 * Out: findings with their level, or none; whether anything fails. */
#ifndef FRONT_POLICY_H
#define FRONT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

#include "front/baseline.h"

enum { POLICY_SOURCES = 16 }; /* whose comments are kept */

struct policy_rule {
    const char *id; /* or "all" */
    enum tess_check_level level;
};

/* Zero it, fill the first members, and release it with policy_free(). */
struct policy {
    const struct policy_rule *rules; /* the last one that fits counts */
    size_t rule_count;
    enum tess_severity fail_on; /* findings of this severity, or worse, fail */
    bool has_fail_on;           /* else errors do */
    struct baseline *baseline;  /* NULL: none */
    bool learn;                 /* findings are added to the baseline */

    uint64_t failures, hidden;
    bool lost; /* there was no memory for a finding that the baseline was to have */
    struct {
        char *path;
        struct tess_remarks *remarks;
    } sources[POLICY_SOURCES];
    size_t source_count;
};

/* Whether anything but severities decides, so that each finding counts, also beyond those that are shown. */
bool policy_chooses(const struct policy *policy);

/* Looks up "note", "warning" or "error"; and "off", too. */
bool policy_severity(const char *name, enum tess_severity *severity);
bool policy_level(const char *name, enum tess_check_level *level);

/* True if id is a rule of the checker or a finding of a run. Other ids are of files, options and the assembler. */
bool policy_is_finding(const char *id);

/* The machine of a source by its name's ending; the QPU if it has none that is known. */
enum tess_machine policy_machine(const char *path);

/* Gives *diag, whose place in the source is filled in, the severity that it shall have. False: it is not to be shown. key: what
 * stands for its place where the source does not, see baseline.h. */
bool policy_judge(struct policy *policy, struct tess_diag *diag, const char *key);

/* The same without rules' levels and comments, which the checker has applied. */
bool policy_known(struct policy *policy, const struct tess_diag *diag, const char *key);

void policy_free(struct policy *policy);

#endif
