/* SPDX-License-Identifier: MIT */
/* ops_avx2.h - the functions of step.h for x86-64 processors with AVX2. */
#ifndef MALI_GP_OPS_AVX2_H
#define MALI_GP_OPS_AVX2_H

#include "mali/gp/step.h"

extern const struct gp_handlers gp_handlers_avx2;

#endif
