/* SPDX-License-Identifier: MIT */
/* ops_avx2.h - the functions of ops.h, compiled for x86-64 with AVX2. */
#ifndef A2XX_SHADER_OPS_AVX2_H
#define A2XX_SHADER_OPS_AVX2_H

#include "a2xx/shader/ops.h"

extern const struct a2xx_handlers a2xx_handlers_avx2;

#endif
