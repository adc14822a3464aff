/* SPDX-License-Identifier: MIT */
/* policy_settings.h - the user's policy about findings (front/policy.h), which a verb passes in the
 * environment. */
#ifndef SHIM_COMMON_POLICY_SETTINGS_H
#define SHIM_COMMON_POLICY_SETTINGS_H

#include "front/policy.h"

/* Fills in a policy, and chooses colours and the message limit: TESSERA_RULES, TESSERA_FAIL_ON,
 * TESSERA_BASELINE, TESSERA_LEARN, TESSERA_COLOR, TESSERA_MAX_MESSAGES. Prints an error message for
 * each invalid value. */
void policy_settings_read(struct policy *policy, struct tess_sink sink);

#endif
