/* SPDX-License-Identifier: MIT */
/* output_set.c - sets of outputs: their errors, their inputs, and the checks that no file is both
 * read and written, or written twice.
 *
 * In:  the open files that are read; the places of outputs.
 * Out: an error text; a status. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/output.h"
#include "base/output_private.h"

enum { ERROR_BYTES = 1024 };

static _Thread_local struct tess_outputs *in_use;
static _Thread_local char last_error[ERROR_BYTES];

/* --- errors --- */

const char *tess_outputs_error(void)
{
    return last_error;
}

static const char *shown(const char *name)
{
    return strcmp(name, "-") == 0 ? "standard output" : name;
}

static enum tess_status fail(struct tess_outputs *set, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum tess_status fail(struct tess_outputs *set, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    set->failed = true;
    return TESS_IO;
}

enum tess_status output_no_memory(struct tess_outputs *set)
{
    fail(set, "%s", tess_status_text(TESS_NO_MEMORY));
    return TESS_NO_MEMORY;
}

enum tess_status output_cannot_write(const struct tess_output *output, int error)
{
    fail(output->set, "cannot write to %s: %s", shown(output->name), strerror(error));
    return error == ENOMEM ? TESS_NO_MEMORY : TESS_IO;
}

enum tess_status output_cannot_replace(const struct tess_output *output, int error)
{
    bool kept = error == EACCES || error == EPERM || error == EROFS || error == EBUSY;
    if (!kept || !output->place.exists)
        return output_cannot_write(output, error);
    return fail(output->set,
                "cannot write to %s: cannot replace the file: %s; write to a file in another "
                "folder, or write to - and redirect it to the file",
                shown(output->name), strerror(error));
}

/* --- sets --- */

enum tess_status tess_outputs_create(struct tess_outputs **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        snprintf(last_error, sizeof last_error, "%s", tess_status_text(TESS_NO_MEMORY));
        return TESS_NO_MEMORY;
    }
    (*out)->last = &(*out)->first;
    return TESS_OK;
}

struct tess_outputs *outputs_in_use(void)
{
    return in_use;
}

void tess_outputs_use(struct tess_outputs *outputs)
{
    in_use = outputs;
}

bool output_close_descriptor(struct tess_output *output)
{
    int descriptor = output->descriptor;
    output->descriptor = -1;
    return descriptor < OUTPUT_FIRST_OWN || close(descriptor) == 0 || errno == EINTR;
}

/* Discards an output and ignores errors. */
static void free_output(struct tess_output *output)
{
    if (output->stream)
        fclose(output->stream);
    output_close_descriptor(output);
    if (output->file.path)
        temporary_remove(&output->file);
    output_place_free(&output->place);
    free(output->room);
    free(output->name);
    free(output);
}

void outputs_empty(struct tess_outputs *set)
{
    for (struct tess_output *output = set->first, *next; output; output = next) {
        next = output->next;
        free_output(output);
    }
    for (size_t i = 0; i < set->input_count; i++)
        free(set->inputs[i].name);
    free(set->inputs);
    *set = (struct tess_outputs){.last = &set->first};
}

void tess_outputs_free(struct tess_outputs *outputs)
{
    if (!outputs)
        return;
    if (in_use == outputs)
        in_use = NULL;
    outputs_empty(outputs);
    free(outputs);
}

/* --- inputs and other outputs --- */

static bool add_input(struct tess_outputs *set, const struct stat *status, const char *name)
{
    char *copy = ARRAY_GROW(set->inputs, set->input_count) ? strdup(name) : NULL;
    if (!copy)
        return false;
    set->inputs[set->input_count++] = (struct output_input){status->st_dev, status->st_ino, copy};
    return true;
}

enum tess_status tess_outputs_add_input(struct tess_outputs *outputs, int descriptor,
                                        const char *name)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return TESS_OK; /* only regular files can be overwritten by an output */
    return add_input(outputs, &status, name) ? TESS_OK : output_no_memory(outputs);
}

enum tess_status output_note_input(int descriptor, const char *name)
{
    return in_use ? tess_outputs_add_input(in_use, descriptor, name) : TESS_OK;
}

enum tess_status output_check_inputs(const struct tess_output *output)
{
    const struct tess_outputs *set = output->set;
    const struct stat *status = &output->place.status;
    for (size_t i = 0; i < set->input_count && output->place.exists; i++)
        if (set->inputs[i].device == status->st_dev && set->inputs[i].number == status->st_ino)
            return fail(output->set,
                        "cannot write to %s: this file is also an input (%s); choose another "
                        "name for the output",
                        shown(output->name), set->inputs[i].name);
    return TESS_OK;
}

static bool is_device(const struct output_place *place)
{
    return place->exists && S_ISCHR(place->status.st_mode);
}

/* True if both outputs write the same file. Several outputs may share a terminal or other character
 * device. */
static bool clash(const struct tess_output *a, const struct tess_output *b)
{
    return !is_device(&a->place) && output_place_equal(&a->place, &b->place);
}

struct tess_output **outputs_chain(struct tess_outputs *set, const struct output_place *place)
{
    return &set->places[output_place_hash(place) % OUTPUT_CHAINS];
}

enum tess_status output_check_others(const struct tess_output *output)
{
    const struct tess_output *at = *outputs_chain(output->set, &output->place);
    if (is_device(&output->place))
        return TESS_OK;
    for (; at; at = at->next_place)
        if (at != output && clash(at, output))
            return fail(output->set,
                        "cannot write to %s: another output writes to the same file (%s); choose "
                        "another name for one of the outputs",
                        shown(output->name), shown(at->name));
    return TESS_OK;
}
