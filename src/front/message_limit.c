/* SPDX-License-Identifier: MIT */
/* message_limit.c - see message_limit.h. */
#include "front/message_limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "front/policy.h"

enum { FOLLOWERS_MOST = 10 };

static bool is_chosen;
static uint64_t chosen;

void message_limit_choose(uint64_t most)
{
    is_chosen = true;
    chosen = most;
}

bool message_limit_chosen(uint64_t *most)
{
    *most = chosen;
    return is_chosen;
}

/* Returns the chosen limit, or UINT64_MAX if there is no limit. */
static uint64_t chosen_most(void)
{
    return chosen ? chosen : UINT64_MAX;
}

uint64_t message_limit_of_rule(uint64_t usual)
{
    return is_chosen ? chosen_most() : usual;
}

uint32_t message_limit_errors(void)
{
    uint64_t most = chosen_most();
    return !is_chosen ? 0 : most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

uint32_t message_limit_wants(void)
{
    if (!is_chosen || chosen_most() < MESSAGE_LIMIT_WANTS)
        return MESSAGE_LIMIT_WANTS;
    return chosen_most() < MESSAGE_LIMIT_WANTS_MOST ? (uint32_t)chosen : MESSAGE_LIMIT_WANTS_MOST;
}

/* Returns true if the diagnostic is a note that belongs to the previous message. */
static bool is_follower(const struct message_limit *limit, const struct tess_finding *diag)
{
    return diag->level == TESS_NOTE && limit->severity != TESS_NOTE && diag->id &&
           limit->followers < FOLLOWERS_MOST &&
           (strcmp(diag->id, "asm-context") == 0 || strcmp(diag->id, limit->rule) == 0);
}

bool message_limit_lets(struct message_limit *limit, const struct tess_finding *diag)
{
    const uint64_t most = is_chosen ? chosen_most() : MESSAGE_LIMIT_DEFAULT;
    uint64_t shown = 0;
    if (diag->more) /* a note that reports the number of suppressed findings of a rule is always
                     * shown */
        return true;
    if (is_follower(limit, diag)) {
        limit->followers++;
        return limit->let;
    }
    for (int severity = (int)diag->level; severity <= TESS_ERROR; severity++)
        shown += limit->shown[severity];
    limit->severity = diag->level;
    limit->let = shown < most;
    limit->followers = 0;
    snprintf(limit->rule, sizeof limit->rule, "%s", diag->id ? diag->id : "");
    ++*(limit->let ? &limit->shown[diag->level] : &limit->hidden[diag->level]);
    return limit->let;
}

void message_limit_text(char *text, size_t size, const uint64_t counts[3])
{
    int parts = 0, kinds = 0;
    size_t length = 0;
    text[0] = 0;
    for (int severity = TESS_NOTE; severity <= TESS_ERROR; severity++)
        kinds += counts[severity] > 0;
    for (int severity = TESS_ERROR; severity >= TESS_NOTE && length < size; severity--) {
        if (!counts[severity])
            continue;
        const char *before = parts == 0 ? "" : parts + 1 == kinds ? " and " : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s%" PRIu64 " %s%s", before,
                                   counts[severity], policy_level_name((enum tess_level)severity),
                                   counts[severity] == 1 ? "" : "s");
        parts++;
    }
}
