/* SPDX-License-Identifier: MIT */
/* engine.h - loads the library that executes ARM instructions. */
#ifndef CLI_PI_ENGINE_H
#define CLI_PI_ENGINE_H

#include <tessera/pi.h>

/* Returns the engine, or NULL after an error message. */
const struct tess_arm_engine *engine_load(const char *title);

#endif
