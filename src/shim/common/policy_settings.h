/* SPDX-License-Identifier: MIT */
/* policy_settings.h - the user's settings for findings (front/policy.h): tessera passes the options of the
 * command line in the environment. */
#ifndef SHIM_COMMON_JUDGE_H
#define SHIM_COMMON_JUDGE_H

#include "front/policy.h"

/* Fills in a policy from TESSERA_RULES, TESSERA_FAIL_ON, TESSERA_BASELINE and TESSERA_LEARN, and
 * applies TESSERA_COLOR and TESSERA_MAX_MESSAGES. An invalid value causes a message. */
void judge_read(struct policy *policy, struct tess_sink sink);

#endif
