/* SPDX-License-Identifier: MIT */
/* arm.h - the library tessera-arm, an engine that executes ARM instructions for the machines of
 * pi.h by the Unicorn library. */
#ifndef TESSERA_ARM_H
#define TESSERA_ARM_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_arm_engine;

/* Returns the engine, for .engine of struct tess_pi_machine_options. It is static. */
TESS_API const struct tess_arm_engine *tess_arm_unicorn(void);

#ifdef __cplusplus
}
#endif

#endif
