/* SPDX-License-Identifier: MIT */
/* policy_settings.h - reads the user's policy about findings (front/policy.h) from environment
 * variables, which a verb of tessera sets for the program. */
#ifndef SHIM_COMMON_POLICY_SETTINGS_H
#define SHIM_COMMON_POLICY_SETTINGS_H

#include "front/policy.h"

/* Fills in *policy, and chooses colours and the message limit. Reads TESSERA_RULES,
 * TESSERA_FAIL_ON, TESSERA_BASELINE, TESSERA_LEARN, TESSERA_COLOR and TESSERA_MAX_MESSAGES. Prints
 * an error message for each invalid value. */
void policy_settings_read(struct policy *policy, struct tess_sink sink);

#endif
