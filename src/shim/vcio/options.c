/* SPDX-License-Identifier: MIT */
/* options.c - see options.h.
 *
 * In:  the environment, TESSERA_*.
 * Out: the settings, and error messages on standard error. */
#include "options.h"

#include <pthread.h>
#include <stddef.h>

#include <tessera/pi.h>

#include "front/limits.h"
#include "shim/common/settings.h"

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
        .board = board(),
        .threads = setting_threads(),
        .strict = setting_flag("TESSERA_STRICT"),
        .sanitize = setting_flag("TESSERA_SANITIZE"),
        .json = setting_flag("TESSERA_JSON"),
        .stats = setting_text("TESSERA_STATS"),
        .trace = setting_text("TESSERA_TRACE"),
        .capture = setting_text("TESSERA_CAPTURE"),
        .source = setting_text("TESSERA_SOURCE"),
        .verdict = setting_text("TESSERA_VERDICT"),
        .memory = setting_memory(),
        .polls = setting_number("TESSERA_POLLS", 1, UINT32_MAX, 1u << 20),
        .timeout = setting_number("TESSERA_TIMEOUT", 0, LIMIT_SECONDS, 10),
    };
    options.sanitize |= options.strict;
}

const struct options *options_get(void)
{
    pthread_once(&once, read_options);
    return &options;
}
