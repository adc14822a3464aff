/* SPDX-License-Identifier: MIT */
/* report.c - see report.h. For now findings and the verdict alone. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "front/report.h"

static struct report findings;
static struct report_options asked;

void report_begin(const struct report_options *options, struct tess_vc4_options *device)
{
    asked = *options;
    findings.json = options->json;
    device->sink = report_sink(&findings);
}

void report_watch(struct tess_vc4 *vc4)
{
    (void)vc4;
}

void report_end(void)
{
    FILE *file = asked.verdict ? fopen(asked.verdict, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%" PRIu64 "\n", findings.errors);
    findings.errors = 0;
    fclose(file);
}

void report_child(void)
{
    findings.errors = 0;
}
