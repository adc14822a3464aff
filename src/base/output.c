/* SPDX-License-Identifier: MIT */
/* output.c - see tessera/output.h. Opens, writes and finishes the files of a set of outputs.
 *
 * In:      paths; bytes.
 * Out:     complete files. Either all files of a set are replaced (output_commit.c), or none.
 *
 * Source: the manual page fsync(2); GNU coreutils, closeout.c (errors of standard output).
 * Choices: a file is synced only if it replaces an older file: losing a new file in a power failure
 *          destroys no older data.
 * Left out: access control lists and extended attributes of the old file. Other hard links of the
 *           old file keep the old content. */
#define _GNU_SOURCE /* fopencookie() */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_private.h"

enum { STREAM_BYTES = 1 << 16, RIGHTS = 0777 };

/* --- opening --- */

/* Before the first write to a file that is written directly, checks that the file is not an input,
 * because such a write cannot be undone. The check when the output was opened is not enough, since
 * standard output may be a file (">>x.qasm") that was registered as an input later. Returns false
 * if the file must not be written. */
static bool may_begin(struct tess_output *output)
{
    if (!output->begun && !output->file.path && output_check_inputs(output) != TESS_OK)
        output->error = EINVAL;
    output->begun = true;
    return output->error == 0;
}

/* Write function for fopencookie(). Writes all bytes and returns size. On an error returns 0, and
 * later calls write nothing. */
static ssize_t write_piece(void *cookie, const char *bytes, size_t size)
{
    struct tess_output *output = cookie;
    if (output->error || !may_begin(output))
        return 0;
    for (size_t done = 0; done < size;) {
        ssize_t count = write(output->descriptor, bytes + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            output->error = count ? errno : EIO;
            return 0;
        }
        done += (size_t)count;
    }
    return (ssize_t)size;
}

static enum tess_status open_stream(struct tess_output *output)
{
    output->room = malloc(STREAM_BYTES);
    output->stream = output->room
                         ? fopencookie(output, "w", (cookie_io_functions_t){.write = write_piece})
                         : NULL;
    if (!output->stream)
        return output_cannot_write(output, ENOMEM);
    setvbuf(output->stream, output->room, _IOFBF, STREAM_BYTES);
    return TESS_OK;
}

/* Duplicates a descriptor to a number above those of standard input, output and error. */
static int duplicate(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, OUTPUT_FIRST_OWN);
}

static int open_direct(const struct output_place *place)
{
    if (place->descriptor >= 0)
        return duplicate(place->descriptor);
    int flags = O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC;
    int descriptor = open(place->path, flags);
    if (descriptor < 0 || descriptor >= OUTPUT_FIRST_OWN)
        return descriptor;
    int higher = duplicate(descriptor), error = errno;
    close(descriptor);
    errno = error;
    return higher;
}

/* Copies the owner and the permissions of the old file to the new file. If the group cannot be
 * copied, the new file's group receives only permissions that all other users have, too. */
static bool keep_attributes(int descriptor, const struct stat *old)
{
    struct stat now;
    mode_t mode = old->st_mode & RIGHTS;
    if (fstat(descriptor, &now) != 0)
        return false;
    bool group = now.st_gid == old->st_gid;
    if (now.st_uid != old->st_uid || !group)
        group |= fchown(descriptor, old->st_uid, old->st_gid) == 0 ||
                 fchown(descriptor, (uid_t)-1, old->st_gid) == 0;
    if (!group)
        mode = (mode & ~(mode_t)070) | (mode & (mode << 3) & 070);
    return fchmod(descriptor, mode) == 0 || errno == EPERM || errno == ENOTSUP;
}

static enum tess_status open_staged(struct tess_output *output)
{
    const struct output_place *place = &output->place;
    if (place->exists && faccessat(AT_FDCWD, place->path, W_OK, AT_EACCESS) != 0)
        return output_cannot_write(output, errno);
    unsigned mode = place->exists ? 0600 : 0666;
    if (!temporary_create(&output->file, place->path, place->folder_size, mode))
        return output_cannot_replace(output, errno);
    output->descriptor = output->file.descriptor;
    output->file.descriptor = -1;
    if (place->exists && !keep_attributes(output->descriptor, &place->status))
        return output_cannot_write(output, errno);
    return open_stream(output);
}

static enum tess_status open_file(struct tess_output *output)
{
    if (output_place_is_staged(&output->place))
        return open_staged(output);
    bool standard = output->place.descriptor == STDOUT_FILENO;
    if (standard)
        fflush(stdout); /* writes text that the program has printed before */
    output->descriptor = standard ? STDOUT_FILENO : open_direct(&output->place);
    return output->descriptor < 0 ? output_cannot_write(output, errno) : open_stream(output);
}

static enum tess_status make_output(struct tess_outputs *set, const char *path,
                                    struct tess_output **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return output_no_memory(set);
    **out = (struct tess_output){.set = set, .descriptor = -1, .file = {.descriptor = -1}};
    *set->last = *out;
    set->last = &(*out)->next;
    set->newest = *out;
    (*out)->name = strdup(path);
    if (!(*out)->name)
        return output_no_memory(set);
    if (!output_place_find(&(*out)->place, path))
        return output_cannot_write(*out, errno);
    struct tess_output **chain = outputs_chain(set, &(*out)->place);
    (*out)->next_place = *chain;
    *chain = *out;
    return output_check_inputs(*out);
}

enum tess_status tess_outputs_claim(struct tess_outputs *outputs, const char *path)
{
    struct tess_output *output;
    enum tess_status status = make_output(outputs, path, &output);
    if (status != TESS_OK)
        return status;
    return output_check_others(output);
}

/* Returns the hash chain for a name, in an array of chains. */
static struct tess_output **name_chain(struct tess_output **chains, const char *path)
{
    return &chains[output_name_hash(path) % OUTPUT_CHAINS];
}

enum tess_status tess_outputs_reserve(struct tess_outputs *outputs, const char *path)
{
    enum tess_status status = tess_outputs_claim(outputs, path);
    if (status != TESS_OK)
        return status;
    struct tess_output **chain = name_chain(outputs->reserved, path);
    outputs->newest->next_name = *chain;
    *chain = outputs->newest;
    return TESS_OK;
}

enum tess_status output_reserve(const char *path)
{
    return outputs_in_use() ? tess_outputs_reserve(outputs_in_use(), path) : TESS_OK;
}

/* Returns the output that is reserved for a name and ends the reservation. Returns NULL if no
 * output is reserved for the name. */
static struct tess_output *take_reserved(struct tess_outputs *set, const char *path)
{
    struct tess_output **at = name_chain(set->reserved, path), *found;
    while (*at && strcmp((*at)->name, path) != 0)
        at = &(*at)->next_name;
    found = *at;
    if (found)
        *at = found->next_name;
    return found;
}

/* Sets *out to the output that is reserved for path, or to a new output. */
static enum tess_status take_output(struct tess_outputs *set, const char *path,
                                    struct tess_output **out)
{
    *out = take_reserved(set, path);
    if (!*out)
        return make_output(set, path, out);
    return output_check_inputs(*out);
}

enum tess_status tess_output_open(struct tess_outputs *outputs, const char *path,
                                  struct tess_output **out)
{
    struct tess_output *output;
    *out = NULL;
    enum tess_status status = take_output(outputs, path, &output);
    if (status == TESS_OK)
        status = open_file(output);
    if (status == TESS_OK)
        status = output_check_others(output);
    if (status == TESS_OK)
        *out = output;
    return status;
}

FILE *tess_output_stream(struct tess_output *output)
{
    return output->stream;
}

const char *tess_output_name(const struct tess_output *output)
{
    return output->file.path ? output->file.path : output->name;
}

/* --- finishing --- */

static bool flush(struct tess_output *output)
{
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    if (!good && !output->error)
        output->error = EIO;
    return good;
}

/* Syncs a file that replaces an older one. A file system without sync counts as synced. */
static bool sync_file(struct tess_output *output)
{
    if (!output->file.path || !output->place.exists)
        return true;
    if (fsync(output->descriptor) == 0 || errno == EINVAL || errno == ENOSYS)
        return true;
    output->error = errno;
    return false;
}

static bool close_file(struct tess_output *output)
{
    fclose(output->stream);
    output->stream = NULL;
    free(output->room);
    output->room = NULL;
    if (output_close_descriptor(output))
        return true;
    output->error = output->error ? output->error : errno;
    return false;
}

enum tess_status tess_output_finish(struct tess_output *output)
{
    if (!output->stream)
        return TESS_OK;
    enum tess_status status = output_check_inputs(output);
    if (status != TESS_OK)
        output->error = EINVAL; /* With an error set, write_piece() drops the buffered bytes. */
    bool good = flush(output) && sync_file(output);
    good = close_file(output) && good;
    return good || status != TESS_OK ? status : output_cannot_write(output, output->error);
}

enum tess_status tess_outputs_check(struct tess_outputs *outputs)
{
    enum tess_status status = TESS_OK;
    for (struct tess_output *output = outputs->first; output && status == TESS_OK;
         output = output->next)
        status = output_check_inputs(output);
    return status;
}

static enum tess_status finish_all(struct tess_outputs *set)
{
    enum tess_status status = TESS_OK;
    for (struct tess_output *output = set->first; output; output = output->next) {
        enum tess_status finished = tess_output_finish(output);
        status = status == TESS_OK ? finished : status;
    }
    return status == TESS_OK ? tess_outputs_check(set) : status;
}

enum tess_status tess_outputs_commit(struct tess_outputs *outputs)
{
    enum tess_status status = outputs->failed ? TESS_IO : finish_all(outputs);
    if (status == TESS_OK)
        status = outputs_place(outputs);
    outputs_empty(outputs);
    return status;
}

void tess_outputs_remove_temporaries(void)
{
    temporary_remove_all();
}

/* --- whole files --- */

/* Returns the output that a previous tess_output_write() wrote directly under the same name, or
 * NULL. With this output, all pictures of a scene that have the same name form one stream. */
static struct tess_output *find_series(struct tess_outputs *set, const char *path)
{
    struct tess_output *at = *name_chain(set->series, path);
    while (at && (at->stream || strcmp(at->name, path) != 0))
        at = at->next_name;
    return at;
}

/* Adds an output to the chains of series. The output is not in the chains of reserved outputs any
 * more, so next_name can be used. */
static void add_series(struct tess_output *output)
{
    struct tess_output **chain = name_chain(output->set->series, output->name);
    if (output->series)
        return;
    output->series = true;
    output->next_name = *chain;
    *chain = output;
}

static enum tess_status write_in(struct tess_outputs *set, const char *path, const void *bytes,
                                 size_t size)
{
    struct tess_output *output = find_series(set, path);
    enum tess_status status = output ? open_file(output) : tess_output_open(set, path, &output);
    if (status != TESS_OK)
        return status;
    if (!output->file.path)
        add_series(output);
    fwrite(bytes, 1, size, output->stream);
    return tess_output_finish(output);
}

enum tess_status tess_output_write(const char *path, const void *bytes, size_t size)
{
    struct tess_outputs *alone;
    if (outputs_in_use())
        return write_in(outputs_in_use(), path, bytes, size);
    enum tess_status status = tess_outputs_create(&alone);
    if (status != TESS_OK)
        return status;
    status = write_in(alone, path, bytes, size);
    if (status == TESS_OK)
        status = tess_outputs_commit(alone);
    tess_outputs_free(alone);
    return status;
}

/* --- calls that write several files --- */

enum tess_status output_begin(struct tess_outputs **own)
{
    *own = NULL;
    if (outputs_in_use())
        return TESS_OK;
    enum tess_status status = tess_outputs_create(own);
    tess_outputs_use(*own);
    return status;
}

enum tess_status output_end(struct tess_outputs *own, enum tess_status status)
{
    if (!own)
        return status;
    enum tess_status committed = status == TESS_OK || status == TESS_WRONG
                                     ? tess_outputs_commit(own)
                                     : TESS_OK;
    tess_outputs_free(own);
    return committed == TESS_OK ? status : committed;
}
