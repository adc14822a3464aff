/* SPDX-License-Identifier: MIT */
/* doors_io.h - what functions that wait have in common: a node is never ready to be written to. */
#ifndef SHIM_DRM_DOORS_IO_H
#define SHIM_DRM_DOORS_IO_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/select.h>

enum { DOORS_FEW = 128, DOORS_MOST_TAKEN = 64 };

/* Whether a program waits until it can write to a node. */
bool doors_poll_needs(const struct pollfd *files, nfds_t count);

/* A copy without such waits, in few if there is room; NULL and errno: there is no memory. And back again, with the results. */
struct pollfd *doors_poll_begin(const struct pollfd *files, nfds_t count,
                                struct pollfd few[DOORS_FEW]);
void doors_poll_end(struct pollfd *files, nfds_t count, struct pollfd *copy,
                    const struct pollfd few[DOORS_FEW]);

/* The body of a function like poll(), whose call names the files as it does. */
#define POLL(files, count, call)                         \
    if (!doors_poll_needs(files, count))                 \
        return call;                                     \
    struct pollfd few[DOORS_FEW], *const theirs = files; \
    files = doors_poll_begin(theirs, count, few);        \
    if (!files)                                          \
        return -1;                                       \
    const int result = call;                             \
    doors_poll_end(theirs, count, files, few);           \
    return result

/* Nodes that were taken out of a set. */
struct doors_taken {
    int fd[DOORS_MOST_TAKEN], count;
};

/* Takes them out before a call; they are in it again if it fails. */
void doors_select_begin(struct doors_taken *taken, int count, fd_set *out);
void doors_select_end(const struct doors_taken *taken, fd_set *out, int result);

/* The body of a function like select(). */
#define SELECT(count, out, call)            \
    struct doors_taken taken;               \
    doors_select_begin(&taken, count, out); \
    const int result = call;                \
    doors_select_end(&taken, out, result);  \
    return result

#endif
