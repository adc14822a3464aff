/* SPDX-License-Identifier: MIT */
/* gl_values.c - see gl_values.h.
 *
 * In:      text.
 * Out:     numbers. */
#include "gl_values.h"

#include <stdlib.h>
#include <string.h>

#include "limits.h"

static const struct gl_gpu gpus[] = {
    {"vc4"},
    {"lima"},
};

const struct gl_gpu *gl_gpu_at(unsigned index)
{
    return index < sizeof gpus / sizeof *gpus ? &gpus[index] : NULL;
}

const struct gl_gpu *gl_find_gpu(const char *name)
{
    const struct gl_gpu *gpu;
    for (unsigned i = 0; (gpu = gl_gpu_at(i)) && strcmp(gpu->name, name) != 0; i++)
        continue;
    return gpu;
}

/* Reads the number at *text and moves *text past it. */
static bool take_number(const char **text, uint32_t least, uint32_t most, uint32_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    /* strtoull() returns its largest value if the number has too many digits, and the number is
     * then out of range. */
    unsigned long long value = strtoull(*text, &end, 10);
    if (value < least || value > most)
        return false;
    *number = (uint32_t)value;
    *text = end;
    return true;
}

static bool skip(const char **text, char what)
{
    bool there = **text == what;
    *text += there;
    return there;
}

bool gl_read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number)
{
    uint32_t read;
    if (!take_number(&text, least, most, &read) || *text)
        return false;
    *number = read;
    return true;
}

bool gl_read_jobs(const char *text, struct gl_jobs *jobs)
{
    struct gl_jobs read;
    if (!take_number(&text, 1, UINT32_MAX, &read.first))
        return false;
    read.last = read.first;
    if (skip(&text, '-') && !take_number(&text, read.first, UINT32_MAX, &read.last))
        return false;
    if (*text)
        return false;
    *jobs = read;
    return true;
}

bool gl_read_mode(const char *text, struct gl_mode *mode)
{
    struct gl_mode read = *mode;
    if (!take_number(&text, LIMIT_LEAST_PIXELS, LIMIT_PIXELS, &read.width) || !skip(&text, 'x') ||
        !take_number(&text, LIMIT_LEAST_PIXELS, LIMIT_PIXELS, &read.height))
        return false;
    if (skip(&text, '@') && !take_number(&text, 1, LIMIT_HERTZ, &read.hertz))
        return false;
    if (*text)
        return false;
    *mode = read;
    return true;
}
