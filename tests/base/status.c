/* SPDX-License-Identifier: MIT */
/* status.c - tests that the version of the header is that of the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include <tessera/tessera.h>

#include "../register.h"

TEST(version_of_header)
{
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR,
             TESSERA_VERSION_PATCH);
    assert_string_equal(text, tess_version());
}

TEST(free_of_nothing)
{
    tess_free(NULL);
}
