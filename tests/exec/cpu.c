/* SPDX-License-Identifier: MIT */
/* cpu.c - tests that the environment limits the kernels, and that the answer never changes. */
#include "exec/cpu.h"
#include "../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

TEST(environment_selects_portable_kernels)
{
    setenv("TESSERA_KERNELS", "portable", 1);
    assert_false(cpu_has_avx2());
    unsetenv("TESSERA_KERNELS");
    assert_false(cpu_has_avx2());
}
