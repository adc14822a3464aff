/* SPDX-License-Identifier: MIT */
/* interpose_io.h - common parts of functions that wait for descriptors. A node is never ready for
 * writing. */
#ifndef SHIM_DRM_INTERPOSE_INTERPOSE_IO_H
#define SHIM_DRM_INTERPOSE_INTERPOSE_IO_H

#include <poll.h>
#include <stdbool.h>
#include <sys/select.h>

enum { INTERPOSE_FEW = 128, INTERPOSE_MOST_TAKEN = 64 };

/* True if an entry waits until a node is ready for writing. */
bool interpose_poll_needs(const struct pollfd *files, nfds_t count);

/* interpose_poll_begin() returns a copy of the entries, without any request to wait until a node
 * is ready for writing. The copy is in `few` if it fits. Returns NULL with errno ENOMEM if there is
 * no memory. interpose_poll_end() copies the results back and frees the copy. */
struct pollfd *interpose_poll_begin(const struct pollfd *files, nfds_t count,
                                    struct pollfd few[INTERPOSE_FEW]);
void interpose_poll_end(struct pollfd *files, nfds_t count, struct pollfd *copy,
                        const struct pollfd few[INTERPOSE_FEW]);

/* If fcntl() has created a duplicate of a descriptor, registers the duplicate. Returns result. */
int interpose_fcntl(int fd, int command, int result);

/* Defines fcntl() or a variant. `next` is the C library's function. */
#define INTERPOSE_FCNTL(name, next)                                         \
    SHOWN int name(int fd, int command, ...)                                \
    {                                                                       \
        va_list arguments;                                                  \
        va_start(arguments, command);                                       \
        void *argument = va_arg(arguments, void *);                         \
        va_end(arguments);                                                  \
        return interpose_fcntl(fd, command, (next)(fd, command, argument)); \
    }

/* Defines poll() or ppoll(), with the parameters `files` and `count`. `other` is the symbol in the
 * C library. */
#define INTERPOSE_POLL(name, other, parameters, arguments)       \
    INTERPOSE_AS(int, name, other, parameters, arguments)        \
    {                                                            \
        if (!interpose_poll_needs(files, count))                 \
            return NEXT_AS(name, other) arguments;               \
        struct pollfd few[INTERPOSE_FEW], *const theirs = files; \
        files = interpose_poll_begin(theirs, count, few);        \
        if (!files)                                              \
            return -1;                                           \
        const int result = NEXT_AS(name, other) arguments;       \
        interpose_poll_end(theirs, count, files, few);           \
        return result;                                           \
    }

/* Nodes that interpose_select_begin() removed from a set of descriptors. */
struct interpose_taken {
    int fd[INTERPOSE_MOST_TAKEN], count;
};

/* interpose_select_begin() removes the nodes from the set of descriptors that wait for writing. If
 * the call fails, interpose_select_end() puts them back. */
void interpose_select_begin(struct interpose_taken *taken, int count, fd_set *out);
void interpose_select_end(const struct interpose_taken *taken, fd_set *out, int result);

/* Defines select() or pselect(), with the parameters `count` and `out`. `other` is the symbol in
 * the C library. */
#define INTERPOSE_SELECT(name, other, parameters, arguments) \
    INTERPOSE_AS(int, name, other, parameters, arguments)    \
    {                                                        \
        struct interpose_taken taken;                        \
        interpose_select_begin(&taken, count, out);          \
        const int result = NEXT_AS(name, other) arguments;   \
        interpose_select_end(&taken, out, result);           \
        return result;                                       \
    }

#endif
