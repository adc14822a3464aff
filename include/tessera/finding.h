/* SPDX-License-Identifier: MIT */
/* finding.h - the rules that guest programs can break, of all machines: one table. A finding names
 * its rule by the id. docs/run.md explains the output of findings. */
#ifndef TESSERA_FINDING_H
#define TESSERA_FINDING_H

#include <stddef.h>

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The model that reports findings of a rule. */
enum tess_rule_model {
    TESS_RULE_VC4,  /* vc4.h; docs/findings/ has a page for each rule */
    TESS_RULE_PI,   /* pi.h; docs/pi-findings.md */
    TESS_RULE_GP,   /* utgard.h; docs/utgard/findings.md */
    TESS_RULE_A2XX, /* a2xx.h; docs/a2xx/findings.md */
};

/* A rule. Strings are static. */
struct tess_rule {
    const char *id; /* equals .rule of struct tess_diag */
    enum tess_rule_model of;
    enum tess_severity severity;
    const char *title;            /* the mistake; no period */
    const char *hardware, *model; /* behaviour of the hardware; behaviour of the model */
    const char *instead;          /* hint; no period */
    const char *source;
    enum tess_setting setting; /* setting of the caller that the hint asks to change */
};

/* Returns the number of rules of all models. */
TESS_API size_t tess_rule_count(void);

/* Returns a rule by its index, or NULL past the last. The rules of a model are consecutive. */
TESS_API const struct tess_rule *tess_rule_get(size_t number);

/* Returns a rule by its id, or by an earlier id. Returns NULL for an unknown id or NULL. */
TESS_API const struct tess_rule *tess_rule_find(const char *id);

#ifdef __cplusplus
}
#endif

#endif
