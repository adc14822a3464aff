/* SPDX-License-Identifier: MIT */
/* finding.h - the rules that guest programs can break, of all machines: one table. A finding
 * (struct tess_finding) has the id of its rule. docs/run.md explains the output of findings. */
#ifndef TESSERA_FINDING_H
#define TESSERA_FINDING_H

#include <stddef.h>

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The part of the library that reports the findings of a rule. */
enum tess_rule_model {
    TESS_RULE_CHECK, /* isa.h: tess_check(), which does not run programs; docs/isa/ */
    TESS_RULE_VC4,   /* vc4.h; docs/findings/ has a page for each rule */
    TESS_RULE_PI,    /* pi.h; docs/pi-findings.md */
    TESS_RULE_GP,    /* utgard.h; docs/utgard/findings.md */
    TESS_RULE_A2XX,  /* a2xx.h; docs/a2xx/findings.md */
};

/* A rule. Strings are static. */
struct tess_rule {
    const char *id; /* of the findings; a rule of the checker and a rule of a model can share it */
    enum tess_rule_model of;
    uint32_t machines;     /* machines that the rule is about: bit n for enum tess_machine n */
    enum tess_level level; /* default level; options of tess_check() can change it */
    const char *title;     /* the mistake; no period */
    const char *why;       /* behaviour of the hardware */
    const char *model;     /* behaviour of the model; NULL for rules of the checker */
    const char *instead;   /* hint; no period */
    const char *source;
    enum tess_setting setting; /* setting of the caller that the hint asks to change */
};

/* Returns the number of rules. */
TESS_API size_t tess_rule_count(void);

/* Returns a rule by its index, or NULL past the last. The rules of one enum tess_rule_model are
 * consecutive. */
TESS_API const struct tess_rule *tess_rule_get(size_t number);

/* Rules among which tess_rule_find() looks. */
enum tess_rules { TESS_RULES_ALL, TESS_RULES_OF_CHECKS, TESS_RULES_OF_RUNS };

/* Returns the first rule with this id, or with this earlier id. Returns NULL for an unknown id or
 * NULL. */
TESS_API const struct tess_rule *tess_rule_find(const char *id, enum tess_rules among);

/* Writes an explanation of a rule, several lines: the mistake, the behaviour of the hardware and of
 * the model, the remedy and the source. NUL-terminated and truncated to size bytes. Returns the
 * length of the whole text without the NUL, or 0 if rule is NULL or the host is out of memory. */
TESS_API size_t tess_rule_explain(char *text, size_t size, const struct tess_rule *rule);

#ifdef __cplusplus
}
#endif

#endif
