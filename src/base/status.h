/* SPDX-License-Identifier: MIT */
/* status.h - the order of status codes. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <tessera/tessera.h>

/* Returns the worse of two statuses of tess_check(). For callers that continue with the next file
 * after a file with errors. */
enum tess_status status_worse(enum tess_status one, enum tess_status other);

#endif
