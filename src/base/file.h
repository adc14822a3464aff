/* SPDX-License-Identifier: MIT */
/* file.h - whole files in; output.h has the way out. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <tessera/tessera.h>

#include "base/buffer.h"

/* Files beyond this are refused (EFBIG): devices such as /dev/zero never end. */
enum { FILE_MOST_BYTES = 512 << 20 };

/* Reads all of path ("-" is standard input) into *out, which the caller frees. A final NUL that is
 * not counted follows the bytes. Errors: TESS_IO with errno set, TESS_NO_MEMORY. */
enum tess_status file_read(const char *path, struct buffer *out);

#endif
