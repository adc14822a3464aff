/* SPDX-License-Identifier: MIT */
/* judge.h - what the user makes of findings (front/policy.h), as a verb has put it into the environment. */
#ifndef SHIM_COMMON_JUDGE_H
#define SHIM_COMMON_JUDGE_H

#include "front/policy.h"

/* Fills in a policy, and chooses colours: TESSERA_RULES, TESSERA_FAIL_ON, TESSERA_BASELINE, TESSERA_LEARN, TESSERA_COLOR. What
 * cannot be understood is complained about. */
void judge_read(struct policy *policy, struct tess_sink sink);

#endif
