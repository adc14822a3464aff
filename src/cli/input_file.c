/* SPDX-License-Identifier: MIT */
/* input_file.c - see input_file.h. */
#include "input_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

enum { PIECE = 1 << 16 };

const char *input_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

/* Reads up to the end of the stream. Returns false with errno set if the stream cannot be read, has
 * more than `most` bytes, or the host is out of memory. */
static bool read_stream(FILE *stream, size_t most, uint8_t **bytes, size_t *size)
{
    size_t got = PIECE, capacity = 0;
    *bytes = NULL;
    for (*size = 0; got > 0; *size += got) {
        if (capacity - *size < PIECE) {
            capacity = capacity ? 2 * capacity : PIECE;
            uint8_t *larger = realloc(*bytes, capacity);
            if (!larger)
                return false;
            *bytes = larger;
        }
        errno = 0;
        got = fread(*bytes + *size, 1, PIECE, stream);
        if (ferror(stream))
            return false;
        errno = EFBIG;
        if (*size + got > most)
            return false;
    }
    return true;
}

bool input_file_read(const char *path, size_t most, struct tess_sink sink, uint8_t **bytes,
                     size_t *size)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = input_open(path);
    *bytes = NULL;
    bool good = stream && read_stream(stream, most, bytes, size);
    char text[200];
    snprintf(text, sizeof text, "cannot be read: %s", strerror(errno));
    if (stream && !standard)
        fclose(stream);
    if (good)
        return true;
    free(*bytes);
    *bytes = NULL;
    const struct tess_finding diag = {
        .level = TESS_ERROR, .id = "run-io", .text = text, .file = input_file_name(path)};
    if (sink.report)
        sink.report(sink.user, &diag);
    return false;
}
