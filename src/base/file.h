/* SPDX-License-Identifier: MIT */
/* file.h - reads whole files; output.h writes them. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <tessera/tessera.h>

#include "base/buffer.h"

/* Larger files are rejected with EFBIG, because devices such as /dev/zero never end. */
enum { FILE_MOST_BYTES = 512 << 20 };

/* Reads the whole file at path ("-" is standard input) into *out, which the caller frees. A NUL
 * that out->size does not count follows the bytes. Errors: TESS_IO with errno set,
 * TESS_NO_MEMORY. */
enum tess_status file_read(const char *path, struct buffer *out);

#endif
