/* SPDX-License-Identifier: MIT */
/* interpose_guard.h - INTERPOSE() defines a function that replaces a function of the C library. The
 * shim handles the program's calls. The C library carries out calls by the shim itself, by a thread
 * of the model, and by a signal handler that interrupts either of them. If the shim handled those
 * calls, it could wait for its own lock, or run the model at a moment that depends on the host's
 * timing. */
#ifndef SHIM_COMMON_INTERPOSE_GUARD_H
#define SHIM_COMMON_INTERPOSE_GUARD_H

#include "lock.h"
#include "next.h"

/* Begins the definition of an interposing function. The function's body follows the macro. `name`
 * is the function's name in C, and `other` is its symbol in the C library. */
#define INTERPOSE_AS(type, name, other, parameters, arguments) \
    static type door_##name parameters;                        \
    SHOWN type name parameters                                 \
    {                                                          \
        if (lock_is_inside())                                  \
            return NEXT_AS(name, other) arguments;             \
        return door_##name arguments;                          \
    }                                                          \
    static type door_##name parameters

#define INTERPOSE(type, name, parameters, arguments) \
    INTERPOSE_AS(type, name, name, parameters, arguments)

/* Defines an interposing function that returns the value of the expression `result`. */
#define INTERPOSE_RESULT(type, name, parameters, arguments, result) \
    INTERPOSE(type, name, parameters, arguments)                    \
    {                                                               \
        return result;                                              \
    }

/* Like INTERPOSE_RESULT(), for a function with the parameter `path`, which is relative to `folder`.
 * `result` uses the path for the C library, in the variable `lead` (interpose_redirect() of
 * interpose.h). */
#define INTERPOSE_PATH(type, name, folder, parameters, arguments, result) \
    INTERPOSE(type, name, parameters, arguments)                          \
    {                                                                     \
        char room[PATH_MAX];                                              \
        const char *lead = interpose_redirect(folder, path, room);        \
        return result;                                                    \
    }

#endif
