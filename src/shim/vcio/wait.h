/* SPDX-License-Identifier: MIT */
/* wait.h - WAIT() interposes a function in which the program waits or reads the clock. */
#ifndef VCIO_WAIT_H
#define VCIO_WAIT_H

#include "shim/common/interpose.h"
#include "shim/vcio/vcio_machine.h"

/* Defines an interposing function that does pending work and then calls the C library's function.
 * `name` and `other` have the same meaning as in INTERPOSE_AS(). */
#define WAIT_AS(type, name, other, parameters, arguments)  \
    INTERPOSE_AS(type, name, other, parameters, arguments) \
    {                                                      \
        machine_let_run();                                 \
        return NEXT_AS(name, other) arguments;             \
    }

#define WAIT(type, name, parameters, arguments) WAIT_AS(type, name, name, parameters, arguments)

#endif
