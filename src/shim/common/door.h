/* SPDX-License-Identifier: MIT */
/* door.h - a door: a function of the C library that the program's calls go through. A call that the
 * shim itself makes, or a thread of the model, or a handler of a signal that interrupts either, is
 * the C library's: the shim would wait for itself, or run the model at a moment that the host's
 * timing chooses. */
#ifndef SHIM_COMMON_DOOR_H
#define SHIM_COMMON_DOOR_H

#include "lock.h"
#include "next.h"

/* Begins the definition of a door; its body follows. other: the C library's name for it. */
#define DOOR_AS(type, name, other, parameters, arguments) \
    static type door_##name parameters;                   \
    SHOWN type name parameters                            \
    {                                                     \
        if (lock_is_inside())                             \
            return NEXT_AS(name, other) arguments;        \
        return door_##name arguments;                     \
    }                                                     \
    static type door_##name parameters

#define DOOR(type, name, parameters, arguments) DOOR_AS(type, name, name, parameters, arguments)

#endif
