/* SPDX-License-Identifier: MIT */
/* options.c - see options.h.
 *
 * In:  the environment, TESSERA_*.
 * Out: the settings, and error messages on standard error. */
#include "options.h"

#include <pthread.h>

#include <tessera/pi.h>

#include "front/limits.h"

static struct options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *board(void)
{
    const char *name = setting_text("TESSERA_BOARD");
    if (name && tess_pi_board_find(name))
        return name;
    if (name)
        setting_complain("TESSERA_BOARD", name, "expected zero, pi1, pi2, pi3 or zero2");
    return "pi1"; /* programs that cannot find out their board assume this one */
}

static void read_options(void)
{
    options = (struct options){
        .common = settings_read(),
        .memory = setting_memory(),
        .board = board(),
        .trace = setting_text("TESSERA_TRACE"),
        .source = setting_text("TESSERA_SOURCE"),
        .polls = setting_number("TESSERA_POLLS", 1, UINT32_MAX, 1u << 20),
        .timeout = setting_number("TESSERA_TIMEOUT", 0, LIMIT_SECONDS, 10),
    };
}

const struct options *options_get(void)
{
    pthread_once(&once, read_options);
    return &options;
}
