/* SPDX-License-Identifier: MIT */
/* file.c - see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    enum tess_status status = read_stream(stream, out);
    int error = errno;
    if (!standard)
        fclose(stream);
    if (status != TESS_OK)
        buffer_free(out);
    errno = error;
    return status;
}

/* Devices and pipes (/dev/stdout, /dev/null) must be written in place. */
static bool written_in_place(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static enum tess_status write_stream(FILE *stream, const void *bytes, size_t size)
{
    bool good = size == 0 || fwrite(bytes, 1, size, stream) == size;
    return fflush(stream) == 0 && good ? TESS_OK : TESS_IO;
}

static enum tess_status write_to(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    if (!stream)
        return TESS_IO;
    enum tess_status status = write_stream(stream, bytes, size);
    if (fclose(stream) != 0)
        status = TESS_IO;
    return status;
}

enum tess_status file_write(const char *path, const void *bytes, size_t size)
{
    if (strcmp(path, "-") == 0)
        return write_stream(stdout, bytes, size);
    if (written_in_place(path))
        return write_to(path, bytes, size);

    struct buffer part = {0};
    buffer_printf(&part, "%s.part%ld", path, (long)getpid());
    buffer_byte(&part, 0);
    if (part.failed)
        return TESS_NO_MEMORY;
    enum tess_status status = write_to((char *)part.data, bytes, size);
    if (status == TESS_OK && rename((char *)part.data, path) != 0)
        status = TESS_IO;
    if (status != TESS_OK) {
        int error = errno;
        remove((char *)part.data);
        errno = error;
    }
    buffer_free(&part);
    return status;
}
