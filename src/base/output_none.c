/* SPDX-License-Identifier: MIT */
/* output_none.c - output.h and tessera/output.h for hosts without the files of POSIX: each output
 * is written directly with the C library.
 *
 * Left out: temporary files, so a run that fails may leave incomplete files; the check that no
 *           output is an input or is written twice; outputs of other processes. */
#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_BYTES = 1024 };

struct tess_output {
    struct tess_outputs *set;
    struct tess_output *next;
    char *name;
    FILE *stream; /* NULL after the output is finished */
};

struct tess_outputs {
    struct tess_output *first; /* the latest output */
    bool failed;
};

static char last_error[ERROR_BYTES];

const char *tess_outputs_error(void)
{
    return last_error;
}

static enum tess_status no_memory(void)
{
    snprintf(last_error, sizeof last_error, "%s", tess_status_text(TESS_NO_MEMORY));
    return TESS_NO_MEMORY;
}

static bool is_standard(const char *name)
{
    return strcmp(name, "-") == 0;
}

static enum tess_status cannot_write(const char *name)
{
    snprintf(last_error, sizeof last_error, "cannot write to %s: %s",
             is_standard(name) ? "standard output" : name, strerror(errno));
    return TESS_IO;
}

static FILE *open_stream(const char *name)
{
    return is_standard(name) ? stdout : fopen(name, "wb");
}

/* Writes buffered bytes and closes the stream. Returns false with errno set on errors. */
static bool close_stream(FILE *stream)
{
    const bool good = fflush(stream) == 0 && !ferror(stream);
    return (stream == stdout || fclose(stream) == 0) && good;
}

/* --- sets --- */

enum tess_status tess_outputs_create(struct tess_outputs **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? TESS_OK : no_memory();
}

static void empty(struct tess_outputs *set)
{
    for (struct tess_output *output = set->first, *next; output; output = next) {
        next = output->next;
        if (output->stream)
            close_stream(output->stream);
        free(output->name);
        free(output);
    }
    *set = (struct tess_outputs){0};
}

void tess_outputs_free(struct tess_outputs *outputs)
{
    if (outputs)
        empty(outputs);
    free(outputs);
}

void tess_outputs_use(struct tess_outputs *outputs)
{
    (void)outputs;
}

enum tess_status tess_outputs_add_input(struct tess_outputs *outputs, int descriptor,
                                        const char *name)
{
    (void)outputs, (void)descriptor, (void)name;
    return TESS_OK;
}

enum tess_status tess_outputs_claim(struct tess_outputs *outputs, const char *path)
{
    (void)outputs, (void)path;
    return TESS_OK;
}

enum tess_status tess_outputs_reserve(struct tess_outputs *outputs, const char *path)
{
    return tess_outputs_claim(outputs, path);
}

enum tess_status tess_outputs_check(struct tess_outputs *outputs)
{
    (void)outputs;
    return TESS_OK;
}

enum tess_status tess_outputs_commit(struct tess_outputs *outputs)
{
    for (struct tess_output *output = outputs->first; output; output = output->next)
        tess_output_finish(output);
    const bool failed = outputs->failed;
    empty(outputs);
    return failed ? TESS_IO : TESS_OK;
}

void tess_outputs_remove_temporaries(void)
{
}

/* --- outputs --- */

enum tess_status tess_output_open(struct tess_outputs *outputs, const char *path,
                                  struct tess_output **out)
{
    struct tess_output *output = calloc(1, sizeof *output);
    char *name = strdup(path);
    *out = NULL;
    if (!output || !name) {
        free(output);
        free(name);
        outputs->failed = true;
        return no_memory();
    }
    *output = (struct tess_output){outputs, outputs->first, name, open_stream(path)};
    outputs->first = output;
    if (!output->stream) {
        outputs->failed = true;
        return cannot_write(path);
    }
    *out = output;
    return TESS_OK;
}

FILE *tess_output_stream(struct tess_output *output)
{
    return output->stream;
}

const char *tess_output_name(const struct tess_output *output)
{
    return output->name;
}

enum tess_status tess_output_finish(struct tess_output *output)
{
    if (!output->stream)
        return TESS_OK;
    const bool good = close_stream(output->stream);
    output->stream = NULL;
    output->set->failed |= !good;
    return good ? TESS_OK : cannot_write(output->name);
}

enum tess_status tess_output_write(const char *path, const void *bytes, size_t size)
{
    FILE *stream = open_stream(path);
    if (!stream)
        return cannot_write(path);
    const bool written = fwrite(bytes, 1, size, stream) == size;
    return close_stream(stream) && written ? TESS_OK : cannot_write(path);
}

/* --- calls of the library that write several files --- */

enum tess_status output_note_input(int descriptor, const char *name)
{
    (void)descriptor, (void)name;
    return TESS_OK;
}

enum tess_status output_reserve(const char *path)
{
    (void)path;
    return TESS_OK;
}

enum tess_status output_begin(struct tess_outputs **own)
{
    *own = NULL;
    return TESS_OK;
}

enum tess_status output_end(struct tess_outputs *own, enum tess_status status)
{
    (void)own;
    return status;
}
