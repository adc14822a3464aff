/* SPDX-License-Identifier: MIT */
/* file.h - reads whole files; output.h writes them. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <tessera/tessera.h>

#include "base/buffer.h"

/* Larger files are rejected with EFBIG, because devices such as /dev/zero never end. */
enum { FILE_MOST_BYTES = 512 << 20 };

/* Reads the whole file at path into *out, which the caller frees. The path "-" means standard
 * input. A NUL follows the file's bytes and is not counted in out->size. Errors: TESS_IO with errno
 * set, TESS_NO_MEMORY. */
enum tess_status file_read(const char *path, struct buffer *out);

#endif
