/* SPDX-License-Identifier: MIT */
/* doors.h - what the doors at which the program waits have in common. */
#ifndef VCIO_DOORS_H
#define VCIO_DOORS_H

#include "machine.h"
#include "shim/common/door.h"

/* Defines the door of a function at which pending work is done, and nothing else. other: the C library's name for it. */
#define WAIT_AS(type, name, other, parameters, arguments) \
    DOOR_AS(type, name, other, parameters, arguments)     \
    {                                                     \
        machine_let_run();                                \
        return NEXT_AS(name, other) arguments;            \
    }

#define WAIT(type, name, parameters, arguments) WAIT_AS(type, name, name, parameters, arguments)

#endif
