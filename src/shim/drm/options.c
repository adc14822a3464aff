/* SPDX-License-Identifier: MIT */
/* options.c - see options.h.
 *
 * In:  the environment, TESSERA_*.
 * Out: the settings, and error messages on standard error. */
#include "options.h"

#include <pthread.h>
#include <string.h>

#include "front/gl_values.h"
#include "front/limits.h"

static struct options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_jobs(const char *name)
{
    struct gl_jobs jobs = {1, UINT32_MAX};
    const char *text = setting(name);
    if (text && !gl_read_jobs(text, &jobs))
        setting_complain(name, text, "expected a job number or a range such as 2-5");
    options.first_job = jobs.first;
    options.last_job = jobs.last;
}

static const char *read_gpu(const char *name)
{
    const char *text = setting_text(name);
    if (text && gl_find_gpu(text))
        return text;
    if (text)
        setting_complain(name, text, "expected vc4 or lima");
    return gl_gpu_at(0)->name;
}

/* The default is 1024x768, because glmark2 requests a window of 800x600 and fails to create it on a
 * screen of exactly that size. */
static void read_mode(const char *name)
{
    struct gl_mode mode = {.width = 1024, .height = 768, .hertz = 60};
    const char *text = setting(name);
    if (text && !gl_read_mode(text, &mode))
        setting_complain(name, text,
                         "expected WIDTHxHEIGHT or WIDTHxHEIGHT@HERTZ, at most 2048x2048@240");
    options.width = mode.width;
    options.height = mode.height;
    options.hertz = mode.hertz;
}

static bool wants_decoding(const char *name)
{
    const char *text = setting(name);
    if (text && strcmp(text, "decode") != 0)
        setting_complain(name, text, "expected decode");
    return text && strcmp(text, "decode") == 0;
}

/* 0 turns off the output of the frame rate. 1 turns it on. A larger number turns it on and limits
 * the rate to that number. */
static void read_rate(const char *name)
{
    uint32_t number = setting_number(name, 0, LIMIT_RATE, 0);
    options.show_rate = number > 0;
    options.rate = number > 1 ? number : 0;
}

static void read_options(void)
{
    options = (struct options){
        .common = settings_read(),
        .memory = setting_memory(),
        .hang = setting_text("TESSERA_HANG"),
        .decode = wants_decoding("TESSERA_DUMP"),
        .gpu = read_gpu("TESSERA_GPU"),
        .frames = setting_text("TESSERA_FRAMES"),
        .window = setting_text("TESSERA_WINDOW"),
        .count = setting_number("TESSERA_COUNT", 0, UINT32_MAX, 0),
    };
    read_jobs("TESSERA_JOBS");
    read_mode("TESSERA_MODE");
    read_rate("TESSERA_FPS");
}

const struct options *options_get(void)
{
    pthread_once(&once, read_options);
    return &options;
}
