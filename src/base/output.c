/* SPDX-License-Identifier: MIT */
/* output.c - see tessera/output.h. Writes the files of a set of outputs and commits the set.
 *
 * In:      paths; bytes; the open files that are read.
 * Out:     complete files. Either all files of a set are replaced, or none.
 *
 * Source: the manual pages rename(2) (RENAME_EXCHANGE), fsync(2); SQLite, "Atomic Commit In SQLite"
 *         (write a new file, sync, commit in one step); GNU coreutils, closeout.c (errors of
 *         standard output).
 * Choices: RENAME_EXCHANGE keeps the old file under the temporary name until all outputs of the set
 *          are in place. If one output cannot be placed, the others are exchanged back. File
 *          systems without RENAME_EXCHANGE use a plain rename. A file is synced only if it replaces
 *          an older file: losing a new file in a power failure destroys no older data.
 * Left out: access control lists and extended attributes of the old file. Other hard links of the
 *           old file keep the old content. */
#define _GNU_SOURCE /* fopencookie(), renameat2() */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_place.h"
#include "base/temporary.h"

enum { STREAM_BYTES = 1 << 16, ERROR_BYTES = 1024, FIRST_OWN = 3, RIGHTS = 0777, CHAINS = 4096 };

struct input {
    dev_t device;
    ino_t number;
    char *name;
};

struct tess_output {
    struct tess_outputs *set;
    struct tess_output *next;
    /* Next outputs in the hash chains of places and of names. next_name is used while the output is
     * reserved or is a series. */
    struct tess_output *next_place, *next_name;
    char *name; /* name as the user wrote it */
    struct output_place place;
    struct temporary file; /* .path is NULL if the output is written directly */
    int descriptor;        /* -1 after it is closed */
    /* NULL before the output is opened and after it is finished. Also NULL if another process
     * writes the file. */
    FILE *stream;
    char *room; /* memory for the stream's buffer */
    int error;  /* errno of the first failed write, or 0 */
    bool begun; /* true if at least one write was attempted */
    /* True if tess_output_write() wrote the file directly. Later writes under the same name are
     * then appended. */
    bool series;
    bool exchanged; /* true after RENAME_EXCHANGE, while the old file has the temporary name */
    bool renamed;   /* true if the new file was placed with a plain rename */
};

struct tess_outputs {
    struct tess_output *first, **last, *newest; /* outputs in the order of opening */
    /* Outputs whose place is known, by hash of the place. */
    struct tess_output *places[CHAINS];
    struct tess_output *reserved[CHAINS]; /* reserved outputs, by hash of the name */
    struct tess_output *series[CHAINS];   /* series, by hash of the name */
    struct input *inputs;
    size_t input_count, input_room;
    bool failed;
};

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

static enum tess_status no_memory(struct tess_outputs *set)
{
    fail(set, "%s", tess_status_text(TESS_NO_MEMORY));
    return TESS_NO_MEMORY;
}

static enum tess_status cannot_write(const struct tess_output *output, int error)
{
    fail(output->set, "cannot write to %s: %s", shown(output->name), strerror(error));
    return error == ENOMEM ? TESS_NO_MEMORY : TESS_IO;
}

/* Reports that an output cannot replace its file. If the error shows that no file can be created in
 * the folder, or that the file cannot be renamed (for example, a mount point), the message suggests
 * a redirection. The file itself may be writable, but a direct write would not be atomic. */
static enum tess_status cannot_replace(const struct tess_output *output, int error)
{
    bool kept = error == EACCES || error == EPERM || error == EROFS || error == EBUSY;
    if (!kept || !output->place.exists)
        return cannot_write(output, error);
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

void tess_outputs_use(struct tess_outputs *outputs)
{
    in_use = outputs;
}

/* Closes the descriptor unless it is that of standard output. Returns false with errno set on
 * failure. */
static bool close_descriptor(struct tess_output *output)
{
    int descriptor = output->descriptor;
    output->descriptor = -1;
    return descriptor < FIRST_OWN || close(descriptor) == 0 || errno == EINTR;
}

/* Discards an output and ignores errors. */
static void free_output(struct tess_output *output)
{
    if (output->stream)
        fclose(output->stream);
    close_descriptor(output);
    if (output->file.path)
        temporary_remove(&output->file);
    output_place_free(&output->place);
    free(output->room);
    free(output->name);
    free(output);
}

static void empty(struct tess_outputs *set)
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
    empty(outputs);
    free(outputs);
}

/* --- inputs and other outputs --- */

static bool add_input(struct tess_outputs *set, const struct stat *status, const char *name)
{
    if (set->input_count == set->input_room) {
        size_t room = set->input_room ? 2 * set->input_room : 16;
        struct input *larger = realloc(set->inputs, room * sizeof *larger);
        if (!larger)
            return false;
        set->inputs = larger;
        set->input_room = room;
    }
    char *copy = strdup(name);
    if (!copy)
        return false;
    set->inputs[set->input_count++] = (struct input){status->st_dev, status->st_ino, copy};
    return true;
}

enum tess_status tess_outputs_add_input(struct tess_outputs *outputs, int descriptor,
                                        const char *name)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return TESS_OK; /* only regular files can be overwritten by an output */
    return add_input(outputs, &status, name) ? TESS_OK : no_memory(outputs);
}

enum tess_status output_note_input(int descriptor, const char *name)
{
    return in_use ? tess_outputs_add_input(in_use, descriptor, name) : TESS_OK;
}

static enum tess_status check_inputs(const struct tess_output *output)
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

/* Returns the hash chain for a place. */
static struct tess_output **chain_of(struct tess_outputs *set, const struct output_place *place)
{
    return &set->places[output_place_hash(place) % CHAINS];
}

static enum tess_status check_outputs(const struct tess_output *output)
{
    const struct tess_output *at = *chain_of(output->set, &output->place);
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

/* --- opening --- */

/* Before the first write to a file that is written directly, checks that the file is not an input,
 * because such a write cannot be undone. The check when the output was opened is not enough, since
 * standard output may be a file (">>x.qasm") that was registered as an input later. Returns false
 * if the file must not be written. */
static bool may_begin(struct tess_output *output)
{
    if (!output->begun && !output->file.path && check_inputs(output) != TESS_OK)
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
        return cannot_write(output, ENOMEM);
    setvbuf(output->stream, output->room, _IOFBF, STREAM_BYTES);
    return TESS_OK;
}

/* Duplicates a descriptor to a number above those of standard input, output and error. */
static int duplicate(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_OWN);
}

static int open_direct(const struct output_place *place)
{
    if (place->descriptor >= 0)
        return duplicate(place->descriptor);
    int flags = O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC;
    int descriptor = open(place->path, flags);
    if (descriptor < 0 || descriptor >= FIRST_OWN)
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
        return cannot_write(output, errno);
    unsigned mode = place->exists ? 0600 : 0666;
    if (!temporary_create(&output->file, place->path, place->folder_size, mode))
        return cannot_replace(output, errno);
    output->descriptor = output->file.descriptor;
    output->file.descriptor = -1;
    if (place->exists && !keep_attributes(output->descriptor, &place->status))
        return cannot_write(output, errno);
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
    return output->descriptor < 0 ? cannot_write(output, errno) : open_stream(output);
}

static enum tess_status make_output(struct tess_outputs *set, const char *path,
                                    struct tess_output **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return no_memory(set);
    **out = (struct tess_output){.set = set, .descriptor = -1, .file = {.descriptor = -1}};
    *set->last = *out;
    set->last = &(*out)->next;
    set->newest = *out;
    (*out)->name = strdup(path);
    if (!(*out)->name)
        return no_memory(set);
    if (!output_place_find(&(*out)->place, path))
        return cannot_write(*out, errno);
    struct tess_output **chain = chain_of(set, &(*out)->place);
    (*out)->next_place = *chain;
    *chain = *out;
    return check_inputs(*out);
}

enum tess_status tess_outputs_claim(struct tess_outputs *outputs, const char *path)
{
    struct tess_output *output;
    enum tess_status status = make_output(outputs, path, &output);
    if (status != TESS_OK)
        return status;
    return check_outputs(output);
}

/* Returns the hash chain for a name, in an array of chains. */
static struct tess_output **name_chain(struct tess_output **chains, const char *path)
{
    return &chains[output_name_hash(path) % CHAINS];
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
    return in_use ? tess_outputs_reserve(in_use, path) : TESS_OK;
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
    return check_inputs(*out);
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
        status = check_outputs(output);
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
    if (close_descriptor(output))
        return true;
    output->error = output->error ? output->error : errno;
    return false;
}

enum tess_status tess_output_finish(struct tess_output *output)
{
    if (!output->stream)
        return TESS_OK;
    enum tess_status status = check_inputs(output);
    if (status != TESS_OK)
        output->error = EINVAL; /* With an error set, write_piece() drops the buffered bytes. */
    bool good = flush(output) && sync_file(output);
    good = close_file(output) && good;
    return good || status != TESS_OK ? status : cannot_write(output, output->error);
}

enum tess_status tess_outputs_check(struct tess_outputs *outputs)
{
    enum tess_status status = TESS_OK;
    for (struct tess_output *output = outputs->first; output && status == TESS_OK;
         output = output->next)
        status = check_inputs(output);
    return status;
}

/* --- the commit --- */

static bool cannot_exchange(int error)
{
    return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == ENOENT;
}

/* Moves the file to its final path. Returns false with errno set. */
static bool place_file(struct tess_output *output)
{
    const char *from = output->file.path, *to = output->place.path;
    if (output->place.exists) {
        output->exchanged = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
        if (output->exchanged || !cannot_exchange(errno))
            return output->exchanged;
    }
    output->renamed = rename(from, to) == 0;
    return output->renamed;
}

/* Undoes place_file(). Restores the old file, or removes the new file if there was no old file. */
static void take_back(struct tess_output *output)
{
    const char *from = output->file.path, *to = output->place.path;
    if (output->exchanged)
        renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
    else if (output->renamed && !output->place.exists)
        unlink(to);
    output->exchanged = output->renamed = false;
}

/* Syncs the folder of an output, since a rename survives a power failure only after the folder is
 * synced. */
static bool sync_folder(const struct tess_output *output)
{
    const struct output_place *place = &output->place;
    char *folder = place->folder_size ? strndup(place->path, place->folder_size) : strdup(".");
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool unreadable = folder && descriptor < 0 && errno == EACCES;
    bool good = unreadable ||
                (descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS));
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    free(folder);
    errno = error;
    return good;
}

static bool is_staged(const struct tess_output *output)
{
    return output->file.path != NULL;
}

/* True if the folder has been synced for an earlier output. */
static bool is_synced(const struct tess_output *output)
{
    const struct tess_output *at = output->set->first;
    for (; at != output; at = at->next)
        if (at->exchanged && at->place.folder.st_dev == output->place.folder.st_dev &&
            at->place.folder.st_ino == output->place.folder.st_ino)
            return true;
    return false;
}

static enum tess_status place_files(struct tess_outputs *set)
{
    for (struct tess_output *output = set->first; output; output = output->next)
        if (is_staged(output) && !place_file(output))
            return cannot_replace(output, errno);
    for (struct tess_output *output = set->first; output; output = output->next)
        if (output->exchanged && !is_synced(output) && !sync_folder(output))
            return cannot_write(output, errno);
    return TESS_OK;
}

/* Places all files, or none. Signals are blocked, so that no handler interrupts between two
 * renames. */
static enum tess_status place_all(struct tess_outputs *set)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    enum tess_status status = place_files(set);
    for (struct tess_output *output = set->first; output; output = output->next) {
        if (status != TESS_OK)
            take_back(output);
        if (output->renamed)
            temporary_release(&output->file);
        else if (is_staged(output))
            temporary_remove(&output->file);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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
        status = place_all(outputs);
    empty(outputs);
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
    if (in_use)
        return write_in(in_use, path, bytes, size);
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
    if (in_use)
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
