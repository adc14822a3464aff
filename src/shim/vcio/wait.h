/* SPDX-License-Identifier: MIT */
/* wait.h - WAIT() interposes a function at which the program waits. */
#ifndef VCIO_WAIT_H
#define VCIO_WAIT_H

#include "machine.h"
#include "shim/common/interpose_guard.h"

/* Defines an interposing function that only does pending work before it calls the C library. name
 * and other are as for INTERPOSE_AS(). */
#define WAIT_AS(type, name, other, parameters, arguments)  \
    INTERPOSE_AS(type, name, other, parameters, arguments) \
    {                                                      \
        machine_let_run();                                 \
        return NEXT_AS(name, other) arguments;             \
    }

#define WAIT(type, name, parameters, arguments) WAIT_AS(type, name, name, parameters, arguments)

#endif
