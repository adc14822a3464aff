/* SPDX-License-Identifier: MIT */
/* job_file.c - see job.h. */
#include "shim/drm/vc4/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool job_file_is_single(const char *pattern)
{
    for (const char *at = pattern; (at = strchr(at, '%')) != NULL; at += at[1] ? 2 : 1)
        if (at[1] == 'd')
            return true;
    return false;
}

char *job_file_name(const char *pattern, uint64_t number)
{
    char *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    if (!out)
        return NULL;
    for (const char *at = pattern; *at; at++) {
        if (*at == '%' && at[1] == 'd')
            fprintf(out, "%" PRIu64, number);
        else
            fputc(*at, out);
        at += *at == '%' && (at[1] == 'd' || at[1] == '%');
    }
    if (fclose(out) == 0)
        return name;
    free(name);
    return NULL;
}
