/* SPDX-License-Identifier: MIT */
/* policy.h - the user's policy for findings: levels of rules, known and allowed findings, and which
 * findings fail a run.
 *
 * In:      options, a configuration file, a baseline, comments in sources; findings in the order of
 *          their reports.
 * Out: findings with their final severity; the number of findings that fail the run. */
#ifndef FRONT_POLICY_H
#define FRONT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

#include "front/baseline.h"

enum { POLICY_SOURCES = 16 }; /* largest number of sources whose comments are read */

struct policy_rule {
    const char *id; /* id of a rule, or "all" */
    enum tess_level level;
};

/* Zero-initialise the struct, set the members up to .learn, and release it with policy_free(). */
struct policy {
    const struct policy_rule *rules; /* the last matching rule applies */
    size_t rule_count;
    enum tess_level fail_on;   /* findings of this severity or worse fail the run */
    bool has_fail_on;          /* true if fail_on is set; otherwise only errors fail the run */
    struct baseline *baseline; /* may be NULL */
    bool learn;                /* true to add findings to the baseline */

    uint64_t failures, hidden;
    bool lost; /* true if the host had no memory to add a finding to the baseline */
    struct {
        char *path;
        struct tess_remarks *remarks;
    } sources[POLICY_SOURCES];
    size_t source_count;
};

/* Returns true if the policy differs from the default. The caller must then pass every finding to
 * policy_judge(), including findings that are not shown. */
bool policy_chooses(const struct policy *policy);

/* Look up "note", "warning" or "error"; policy_level() also accepts "off". Return false for other
 * names. */
bool policy_severity(const char *name, enum tess_level *severity);
bool policy_level(const char *name, enum tess_level *level);

/* Returns "off", "note", "warning" or "error". */
const char *policy_level_name(enum tess_level level);

/* Returns true if id is the id of a rule of the checker or of a finding of a run. Diagnostics about
 * files, options and assembly have other ids. */
bool policy_is_finding(const char *id);

/* Returns the machine of a source file by its extension, or TESS_MACHINE_QPU if the extension is
 * unknown. */
enum tess_machine policy_machine(const char *path);

/* Applies the policy to a finding: sets the severity of *diag. The source position of *diag must
 * already be set. Returns false if the finding must not be shown. key identifies the place of a
 * finding that has no source line (baseline.h). */
bool policy_judge(struct policy *policy, struct tess_finding *diag, const char *key);

/* Applies only the baseline. For findings of the checker, which has already applied levels and
 * comments. Returns true if the baseline contains the finding. */
bool policy_known(struct policy *policy, const struct tess_finding *diag, const char *key);

void policy_free(struct policy *policy);

#endif
