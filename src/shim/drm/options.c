/* SPDX-License-Identifier: MIT */
/* options.c - see options.h.
 *
 * In:  the environment, TESSERA_*.
 * Out: the options, and complaints on standard error. */
#include "options.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/limits.h"
#include "shim/common/settings.h"

static struct options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A number at *text, which moves behind it. False: there is none within the bounds. */
static bool number_at(const char **text, uint32_t least, uint32_t most, uint32_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
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

/* "N" or "N-M". */
static void read_jobs(const char *name)
{
    const char *text = setting(name), *at = text;
    uint32_t first, last;
    options.first_job = 1;
    options.last_job = UINT32_MAX;
    if (!text)
        return;
    bool good = number_at(&at, 1, UINT32_MAX, &first);
    last = first;
    if (good && skip(&at, '-'))
        good = number_at(&at, first, UINT32_MAX, &last);
    if (!good || *at) {
        setting_complain(name, text, "is a number, or two with a - between");
        return;
    }
    options.first_job = first;
    options.last_job = last;
}

/* "WxH" or "WxH@HZ". The default is not 800x600: glmark2 asks for a window of that size, and on a screen that has it makes
 * none. */
static void read_mode(const char *name)
{
    const char *text = setting(name), *at = text;
    uint32_t width, height, hertz = 60;
    options.width = 1024;
    options.height = 768;
    options.hertz = 60;
    if (!text)
        return;
    bool good = number_at(&at, LIMIT_LEAST_PIXELS, LIMIT_PIXELS, &width) && skip(&at, 'x') &&
                number_at(&at, LIMIT_LEAST_PIXELS, LIMIT_PIXELS, &height);
    if (good && skip(&at, '@'))
        good = number_at(&at, 1, LIMIT_HERTZ, &hertz);
    if (!good || *at) {
        setting_complain(name, text,
                         "is WIDTHxHEIGHT or WIDTHxHEIGHT@HERTZ, at most 2048x2048@240");
        return;
    }
    options.width = width;
    options.height = height;
    options.hertz = hertz;
}

static bool wants_decoding(const char *name)
{
    const char *text = setting(name);
    if (text && strcmp(text, "decode") != 0)
        setting_complain(name, text, "is decode");
    return text && strcmp(text, "decode") == 0;
}

/* 0 and 1 say whether to tell the rate; larger numbers are one to keep to. */
static void read_rate(const char *name)
{
    uint32_t number = setting_number(name, 0, LIMIT_RATE, 0);
    options.show_rate = number > 0;
    options.rate = number > 1 ? number : 0;
}

static void read_options(void)
{
    options = (struct options){
        .memory = setting_memory(),
        .threads = setting_threads(),
        .strict = setting_flag("TESSERA_STRICT"),
        .sanitize = setting_flag("TESSERA_SANITIZE"),
        .json = setting_flag("TESSERA_JSON"),
        .stats = setting_text("TESSERA_STATS"),
        .verdict = setting_text("TESSERA_VERDICT"),
        .capture = setting_text("TESSERA_CAPTURE"),
        .hang = setting_text("TESSERA_HANG"),
        .decode = wants_decoding("TESSERA_DUMP"),
        .frames = setting_text("TESSERA_FRAMES"),
        .window = setting_text("TESSERA_WINDOW"),
        .count = setting_number("TESSERA_COUNT", 0, UINT32_MAX, 0),
    };
    options.sanitize |= options.strict;
    read_jobs("TESSERA_JOBS");
    read_mode("TESSERA_MODE");
    read_rate("TESSERA_FPS");
}

const struct options *options_get(void)
{
    pthread_once(&once, read_options);
    return &options;
}
