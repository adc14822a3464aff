/* SPDX-License-Identifier: MIT */
/* doors.h - what the files have in common that the program's calls lead into. */
#ifndef VCIO_DOORS_H
#define VCIO_DOORS_H

#include <stdbool.h>

#include "machine.h"
#include "shim/common/next.h"

/* Defines the door of a function at which pending work is done, and nothing else. */
#define WAIT(type, name, parameters, arguments) \
    DOOR type name parameters                   \
    {                                           \
        machine_let_run();                      \
        return NEXT(name) arguments;            \
    }

/* ioctl() of a descriptor of one of our devices: true, and its result; else false. */
bool doors_ioctl(int fd, unsigned long request, void *argument, int *result);

#endif
