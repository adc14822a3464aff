/* SPDX-License-Identifier: MIT */
/* shader_raw.c - see shader_raw.h. */
#include "cli/run/shader_raw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"

enum {
    MOST_STRIDE = (1 << 21) - 1, /* limit of the attribute descriptor's stride field, 21 bits */
    PIECE_BYTES = 1 << 24,       /* target size of a read, in bytes */
    /* The number of vertices in a piece is a multiple of TOGETHER, which is itself a multiple of
     * the number of vertices that each machine runs together. */
    TOGETHER = 64,
};

static const char marker[] = ",format=";

/* --- text --- */

bool shader_raw_is(const char *text)
{
    return strstr(text, marker) != NULL;
}

static bool take_number(const char *text, size_t length, uint64_t most, uint64_t *number)
{
    char copy[24];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return cli_number(copy, number) && *number <= most;
}

/* Parses one part, NAME=VALUE. Returns NULL, or an error text if the part is invalid. */
static const char *take_part(const char *part, size_t length, struct shader_raw_text *raw)
{
    static const char format[] = "format=", components[] = "components=", stride[] = "stride=",
                      offset[] = "offset=";
    const char *value = memchr(part, '=', length);
    size_t name = value ? (size_t)(++value - part) : 0, rest = length - name;
#define IS(word) (name == sizeof word - 1 && memcmp(part, word, name) == 0)
    if (IS(format)) {
        snprintf(raw->format_text, sizeof raw->format_text, "%.*s", (int)(rest < 99 ? rest : 99),
                 value);
        raw->format = raw->format_text;
        return NULL;
    }
    if (IS(components))
        return take_number(value, rest, 4, &raw->components) && raw->components
                   ? NULL
                   : "components= must be 1 to 4";
    if (IS(stride)) {
        raw->has_stride = true;
        return take_number(value, rest, MOST_STRIDE, &raw->stride) ? NULL
                                                                   : "stride= must be 0 to 2097151";
    }
    if (IS(offset))
        return take_number(value, rest, INT64_MAX / 2, &raw->offset) ? NULL
                                                                     : "offset= must be a number";
#undef IS
    return "expected format=, components=, stride= or offset= after the file";
}

const char *shader_raw_parse(const char *text, struct shader_raw_text *raw)
{
    const char *at = strchr(text, ','), *mistake = NULL;
    const char *first = strstr(text, marker);
    *raw = (struct shader_raw_text){0};
    /* The file's name may contain commas. The name ends before the first part with "=". */
    while (at && at < first && memchr(at + 1, '=', strcspn(at + 1, ",")) == NULL)
        at = strchr(at + 1, ',');
    raw->path = at ? strndup(text, (size_t)(at - text)) : NULL;
    if (!raw->path)
        return "missing file name";
    while (at && !mistake) {
        size_t length = strcspn(at + 1, ",");
        mistake = take_part(at + 1, length, raw);
        at = strchr(at + 1, ',');
    }
    return mistake;
}

/* --- files --- */

bool shader_raw_open(struct shader_raw *raw)
{
    struct stat info;
    raw->file = open(raw->path, O_RDONLY | O_CLOEXEC);
    if (raw->file < 0 || fstat(raw->file, &info) != 0 || !input_note(raw->file, raw->path))
        return false;
    errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
    raw->size = (uint64_t)info.st_size;
    return S_ISREG(info.st_mode);
}

void shader_raw_close(struct shader_raw *raw)
{
    if (raw->path && raw->file >= 0)
        close(raw->file);
    free(raw->path);
    free(raw->bytes);
    *raw = (struct shader_raw){.file = -1};
}

uint64_t shader_raw_count(const struct shader_raw *raw)
{
    if (raw->size < raw->offset || raw->size - raw->offset < raw->element)
        return 0;
    return raw->stride ? (raw->size - raw->offset - raw->element) / raw->stride + 1 : UINT64_MAX;
}

size_t shader_raw_piece(const struct shader_raw *raw, size_t wanted)
{
    uint64_t most = raw->stride ? (PIECE_BYTES / raw->stride / TOGETHER + 1) * TOGETHER : wanted;
    return most < wanted ? (size_t)most : wanted;
}

static bool read_all(struct shader_raw *raw, uint64_t offset, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(raw->file, raw->bytes + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; /* The file was truncated after shader_raw_open(). */
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

size_t shader_raw_read(struct shader_raw *raw, uint64_t first, size_t count)
{
    size_t size = (size_t)(raw->stride * (count - 1) + raw->element);
    if (size > raw->capacity) {
        uint8_t *larger = realloc(raw->bytes, size);
        errno = ENOMEM;
        if (!larger)
            return 0;
        raw->bytes = larger;
        raw->capacity = size;
    }
    return read_all(raw, raw->offset + first * raw->stride, size) ? size : 0;
}
