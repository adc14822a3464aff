/* SPDX-License-Identifier: MIT */
/* status.c - texts and order of status codes, the version, and tess_free(). */
#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>

const char *tess_status_text(enum tess_status status)
{
    switch (status) {
    case TESS_OK: return "success";
    case TESS_INVALID: return "invalid argument";
    case TESS_NO_MEMORY: return "out of memory";
    case TESS_IO: return "input/output error";
    case TESS_BAD_INPUT: return "malformed input";
    case TESS_WRONG: return "the program under test is wrong";
    case TESS_MISMATCH: return "the saved state belongs to another machine or setup";
    case TESS_STOPPED: return "the run was stopped";
    }
    return "unknown status";
}

enum tess_status status_worse(enum tess_status one, enum tess_status other)
{
    static const uint8_t ranks[] = {[TESS_OK] = 0, [TESS_WRONG] = 1,     [TESS_BAD_INPUT] = 2,
                                    [TESS_IO] = 3, [TESS_NO_MEMORY] = 4, [TESS_INVALID] = 5};
    return ranks[other] > ranks[one] ? other : one;
}

const char *tess_version(void)
{
    return TESS_VERSION;
}

void tess_free(void *memory)
{
    free(memory);
}
