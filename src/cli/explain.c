/* SPDX-License-Identifier: MIT */
/* explain.c - see explain.h. */
#include "explain.h"

#include <string.h>

#include <tessera/utgard.h>
#include <tessera/vc4.h>

#include "report.h"

/* A line of an explanation. */
struct part {
    const char *key, *label,
        *text; /* label NULL: only in JSON; text NULL or empty: nothing to say */
};

enum { PARTS = 9 };

static const char *const levels[] = {"off", "note", "warning", "error"};
static const char *const severities[] = {"note", "warning", "error"};

static void print_text(FILE *stream, const char *head, const char *kind, const char *title,
                       const struct part *parts)
{
    fprintf(stream, "%s (%s)\n\n  %s%s\n\n", head, kind, title,
            title[0] && title[strlen(title) - 1] == '.' ? "" : ".");
    for (const struct part *part = parts; part->key; part++)
        if (part->label && part->text[0])
            fprintf(stream, "  %s: %s%s\n", part->label, part->text,
                    part->text[strlen(part->text) - 1] == '.' ? "" : ".");
}

static void print_json(FILE *stream, const struct part *parts)
{
    for (const struct part *part = parts; part->key; part++) {
        fprintf(stream, "%s\"%s\": ", part == parts ? "{" : ", ", part->key);
        report_json_text(stream, part->text);
    }
    fputc('}', stream);
}

/* --- rules of the checker --- */

static void rule_parts(const struct tess_check_rule *rule, struct part parts[PARTS])
{
    const struct part all[PARTS] = {
        {"id",      NULL,      rule->id           },
        {"level",   NULL,      levels[rule->level]},
        {"title",   NULL,      rule->title        },
        {"why",     "Why",     rule->why          },
        {"instead", "Instead", rule->instead      },
        {"source",  "Source",  rule->source       },
    };
    memcpy(parts, all, sizeof all);
}

void explain_json_rule(FILE *stream, const struct tess_check_rule *rule)
{
    struct part parts[PARTS];
    rule_parts(rule, parts);
    print_json(stream, parts);
}

/* --- findings of the model --- */

static void finding_parts(const struct tess_vc4_finding *finding, struct part parts[PARTS])
{
    const struct part all[PARTS] = {
        {"id",       NULL,       finding->id                  },
        {"severity", NULL,       severities[finding->severity]},
        {"title",    NULL,       finding->title               },
        {"hardware", "Hardware", finding->hardware            },
        {"model",    "Model",    finding->model               },
        {"instead",  "Instead",  finding->instead             },
        {"source",   "Source",   finding->source              },
    };
    memcpy(parts, all, sizeof all);
}

static void gp_finding_parts(const struct tess_gp_finding *finding, struct part parts[PARTS])
{
    const struct part all[PARTS] = {
        {"id",       NULL,       finding->id                  },
        {"severity", NULL,       severities[finding->severity]},
        {"title",    NULL,       finding->title               },
        {"hardware", "Hardware", finding->hardware            },
        {"model",    "Model",    finding->model               },
        {"instead",  "Instead",  finding->instead             },
        {"source",   "Source",   finding->source              },
    };
    memcpy(parts, all, sizeof all);
}

/* --- errata --- */

static void erratum_parts(const struct tess_erratum *erratum, struct part parts[PARTS])
{
    const struct part all[PARTS] = {
        {"id",       NULL,                erratum->id      },
        {"block",    "Block",             erratum->block   },
        {"silicon",  "Silicon",           erratum->silicon },
        {"what",     NULL,                erratum->what    },
        {"model",    "Model",             erratum->model   },
        {"findings", "Findings when run", erratum->findings},
        {"rules",    "Rules before",      erratum->rules   },
        {"source",   "Source",            erratum->source  },
    };
    memcpy(parts, all, sizeof all);
}

/* --- any of them --- */

bool explain_knows(const char *id)
{
    return tess_check_rule_find(id) || tess_vc4_finding_find(id) || tess_gp_finding_find(id) ||
           tess_erratum_find(id);
}

void explain_print(FILE *stream, const char *id, bool json)
{
    const struct tess_check_rule *rule = tess_check_rule_find(id);
    const struct tess_vc4_finding *finding = tess_vc4_finding_find(id);
    const struct tess_gp_finding *gp_finding = tess_gp_finding_find(id);
    const struct tess_erratum *erratum = tess_erratum_find(id);
    struct part parts[PARTS];
    const char *kind = "erratum", *title = erratum ? erratum->what : "";
    if (rule) {
        rule_parts(rule, parts);
        kind = levels[rule->level];
        title = rule->title;
    } else if (finding) {
        finding_parts(finding, parts);
        kind = severities[finding->severity];
        title = finding->title;
    } else if (gp_finding) {
        gp_finding_parts(gp_finding, parts);
        kind = severities[gp_finding->severity];
        title = gp_finding->title;
    } else {
        erratum_parts(erratum, parts);
    }
    if (!json) {
        print_text(stream, parts[0].text, kind, title, parts);
        return;
    }
    print_json(stream, parts);
    fputc('\n', stream);
}
