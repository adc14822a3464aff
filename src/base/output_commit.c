/* SPDX-License-Identifier: MIT */
/* output_commit.c - puts the files of a set in place, all of them or none.
 *
 * In:      finished files with temporary names.
 * Out:     files with their final names.
 * Source:  the manual pages rename(2) (RENAME_EXCHANGE), fsync(2); SQLite, "Atomic Commit In
 *          SQLite" (write a new file, sync, commit in one step).
 * Choices: RENAME_EXCHANGE keeps the old file under the temporary name until all outputs of the set
 *          are in place. If one output cannot be placed, the others are exchanged back. File
 *          systems without RENAME_EXCHANGE use a plain rename. */
#define _GNU_SOURCE /* renameat2() */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_private.h"

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
            return output_cannot_replace(output, errno);
    for (struct tess_output *output = set->first; output; output = output->next)
        if (output->exchanged && !is_synced(output) && !sync_folder(output))
            return output_cannot_write(output, errno);
    return TESS_OK;
}

enum tess_status outputs_place(struct tess_outputs *set)
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
