/* SPDX-License-Identifier: MIT */
/* doors.h - what the doors at which the program waits have in common. */
#ifndef VCIO_DOORS_H
#define VCIO_DOORS_H

#include "machine.h"
#include "shim/common/next.h"

/* Defines the door of a function at which pending work is done, and nothing else. */
#define WAIT(type, name, parameters, arguments) \
    DOOR type name parameters                   \
    {                                           \
        machine_let_run();                      \
        return NEXT(name) arguments;            \
    }

#endif
