/* SPDX-License-Identifier: MIT */
/* file.c - see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"

static enum tess_status read_stream(FILE *stream, struct buffer *out)
{
    uint8_t chunk[65536];
    size_t got;
    while (out->size <= FILE_MOST_BYTES && (got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        buffer_append(out, chunk, got);
    bool bad = ferror(stream) != 0;
    if (out->size > FILE_MOST_BYTES) {
        errno = EFBIG;
        return TESS_IO;
    }
    buffer_byte(out, 0);
    if (out->failed)
        return TESS_NO_MEMORY;
    out->size--;
    return bad ? TESS_IO : TESS_OK;
}

enum tess_status file_read(const char *path, struct buffer *out)
{
    *out = (struct buffer){0};
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream)
        return TESS_IO;
    enum tess_status status = output_note_input(fileno(stream), path);
    if (status == TESS_OK)
        status = read_stream(stream, out);
    int error = errno;
    if (!standard)
        fclose(stream);
    if (status != TESS_OK)
        buffer_free(out);
    errno = error;
    return status;
}
